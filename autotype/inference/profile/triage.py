"""Type columns by rules without a model; the columns that remain are discrete candidates."""

from __future__ import annotations

import re
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from autotype.inference.labels.column_name import names_a_count
from autotype.inference.sampling.sampled_column import SampledColumn
from autotype.lexicon.dates import DATE_TEXT, EIGHT_DIGITS, TIME_TEXT
from autotype.lexicon.numbers import read_amounts
from autotype.types.column_type import SemanticType

_IDENTIFIER_NAME = re.compile(
    r"(?i:(^|[^a-z])(id|ids|pid|uid|uuid|guid|key|rownames?|index|serial|ssn|isbn|issn|upc|ean|sku|"
    r"vin|imei|iban)([^a-z]|$)|^unnamed: 0$)"
    r"|(?i:(^|[^a-z])(no|nr|nbr|num|number)\W*$)"  # order_no, but not number_of_rooms
    r"|[a-z](I[dD]s?|N[or]|Num)$"  # customerId, but not paid
    r"|(?i:(user|customer|client|patient|student|person|employee|member|order|product|item|record)"
    r"ids?$)"
)
_LONG_TEXT = 40  # characters
_YEARS = (1900.0, 2100.0)
_LARGEST_PACKED = 99_999_999.0  # eight digits
_PACKED_CHECKED = 200  # numbers that are tried as dates
_MIN_COUNTED = 5  # levels of a column that is a count by its distribution
_CODE = re.compile(r"\s*0\d+\s*")
_GROUPED_DIGITS = re.compile(r"[\d\s,.'’]+")


@dataclass(frozen=True)
class Triage:
    """The result of the rules on one column.

    Attributes
    ----------
    semantic_type : str or None
        The type; None for a discrete candidate.
    reason : str
        One sentence; empty for a candidate.
    numbers : ndarray or None
        The values as float64 where all of them are numbers, as such or as text.
    order : tuple or None
        The levels in time, of a column of years, dates or hours.
    """

    semantic_type: SemanticType | None
    reason: str = ""
    numbers: np.ndarray | None = None
    order: tuple | None = None

    @property
    def is_number(self) -> bool:
        """Whether the values are numbers."""
        return self.numbers is not None


def triage(column: SampledColumn, *, max_levels: int) -> Triage:
    """Type a column by rules alone, or return it as a discrete candidate.

    Parameters
    ----------
    column : SampledColumn
        The column.
    max_levels : int
        Most levels of a candidate.

    Returns
    -------
    Triage
    """
    if not column.hashable:
        return Triage("undetermined", "Its cells cannot be compared (lists, dicts or the like).")
    if column.n_distinct == 0:
        return Triage("constant", "It holds no value: every row is missing.")
    if column.n_distinct == 1:
        return Triage("constant", "It holds a single value.")
    if _is_temporal(column.values.dtype):
        return Triage("datetime", f"Its dtype is {column.values.dtype}.")
    if column.n_distinct == 2:
        return Triage("binary", "It has two levels, so the question of order does not arise.")
    numbers = as_numbers(column.values)
    if numbers is not None:
        return _triage_numbers(column, numbers, max_levels)
    return _triage_text(column, max_levels)


def as_numbers(values: pd.Series) -> np.ndarray | None:
    """Return values as float64 if all of them are numbers (or the text of numbers), else None.

    Texts with a leading zero ("01067") are codes, not numbers.
    """
    dtype = values.dtype
    if pd.api.types.is_bool_dtype(dtype) or pd.api.types.is_complex_dtype(dtype):
        return None
    if pd.api.types.is_numeric_dtype(dtype):
        return values.to_numpy(dtype=np.float64, na_value=np.nan)
    head = _first(values, 20)
    if any(isinstance(v, bool) for v in head):
        return None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            if pd.isna(pd.to_numeric(head, errors="coerce")).any():
                return None
            numbers = pd.Series(pd.to_numeric(values.astype(object), errors="coerce"))
            if pd.api.types.is_complex_dtype(numbers.dtype):
                return None
            numbers = numbers.to_numpy(dtype=np.float64, na_value=np.nan)
        except (TypeError, ValueError, OverflowError):
            return None
    if np.isnan(numbers[values.notna().to_numpy(dtype=bool)]).any():
        return None
    if any(isinstance(v, str) and _CODE.fullmatch(v) for v in values.dropna()):
        return None
    return numbers


def _first(values: pd.Series, count: int) -> list[Any]:
    """Return the first values that are not missing."""
    head = values.array[: 2 * count].to_numpy(dtype=object)
    present = head[~pd.isna(head)]
    if len(present) < count:
        present = values.dropna().to_numpy(dtype=object)
    return present[:count].tolist()


def _is_temporal(dtype: object) -> bool:
    types = pd.api.types
    return (
        types.is_datetime64_any_dtype(dtype)
        or types.is_timedelta64_dtype(dtype)
        or isinstance(dtype, pd.PeriodDtype)
        or (isinstance(dtype, pd.ArrowDtype) and dtype.kind in "mM")
    )


def _triage_numbers(column: SampledColumn, numbers: np.ndarray, max_levels: int) -> Triage:
    values = numbers[np.isfinite(numbers)]
    if len(values) == 0 or not np.array_equal(values, np.round(values)):
        return Triage("continuous", "It holds numbers that are not whole.", numbers=numbers)
    unique = column.n_distinct == column.n_rows - column.n_missing
    spread = float(values.max()) - float(values.min())  # Python's floats: inf without a warning
    consecutive = unique and spread + 1 <= 1.05 * column.n_distinct
    if unique and column.n_distinct > 5 and (consecutive or _named_as_identifier(column)):
        return Triage(
            "identifier", "It holds a different whole number in every row.", numbers=numbers
        )
    if _are_packed_dates(values):
        return Triage("datetime", "Its numbers are dates of eight digits.", numbers=numbers)
    if _are_years(column, values):
        order = tuple(sorted(column.known_levels, key=float)) or None
        return Triage("datetime", "Its numbers are years.", numbers=numbers, order=order)
    if _are_counts(column, values):
        return Triage("count", "Its name or its distribution is that of a count.", numbers=numbers)
    if column.n_distinct <= max_levels and not (unique and column.n_distinct > 5):
        return Triage(None, numbers=numbers)
    if values.min() < 0:
        return Triage(
            "continuous",
            f"It holds whole numbers of both signs, {column.n_distinct_text} different ones.",
            numbers=numbers,
        )
    return Triage(
        "count",
        f"It holds {column.n_distinct_text} different whole numbers from 0 up.",
        numbers=numbers,
    )


def _are_packed_dates(values: np.ndarray) -> bool:
    """Check whether whole numbers are dates such as 20180610, or 10062018."""
    if values.min() < 0 or values.max() > _LARGEST_PACKED:
        return False
    distinct = np.unique(values)[:_PACKED_CHECKED].astype(np.int64).astype(str)
    if len(distinct) < 3 or not all(len(text) in (7, 8) for text in distinct):
        return False
    padded = pd.Series(distinct).str.zfill(8)
    for form in ("%Y%m%d", "%m%d%Y", "%d%m%Y"):
        dates = pd.to_datetime(padded, format=form, errors="coerce")
        if dates.between("1900-01-01", "2100-01-01").all():
            return True
    return False


def _are_years(column: SampledColumn, values: np.ndarray) -> bool:
    """Check whether whole numbers are years: three and more within a span of recent times."""
    low, high = values.min(), values.max()
    if column.n_distinct < 3 or low < _YEARS[0] or high > _YEARS[1]:
        return False
    return high - low <= 3 * column.n_distinct


def _are_counts(column: SampledColumn, values: np.ndarray) -> bool:
    """Check whether small whole numbers count something, by name or by distribution.

    By distribution: zero is the most frequent, more are rarer and rarer, and the few largest ones
    have gaps between them. Ratings are not distributed like that.
    """
    if values.min() not in (0.0, 1.0, 2.0):
        return False
    if names_a_count(column.name):
        return True
    counts = {float(level): n for level, n in column.known_levels.items()}
    if len(counts) < _MIN_COUNTED or min(counts) != 0.0:
        return False
    shares = np.array([counts[level] for level in sorted(counts)]) / sum(counts.values())
    falls = np.mean(np.diff(shares) <= 0)
    has_gaps = max(counts) + 1 > len(counts)
    return bool(has_gaps and shares.argmax() == 0 and falls >= 0.85 and shares[-1] <= 0.005)


def _triage_text(column: SampledColumn, max_levels: int) -> Triage:
    texts = [str(v) for v in _first(column.values, 200)]
    distinct = list(dict.fromkeys(texts))
    if _all_match(distinct, DATE_TEXT) or _all_match(distinct, TIME_TEXT):
        return Triage("datetime", "Its texts are dates or times.")
    if _all_match(distinct, EIGHT_DIGITS) and _are_packed_dates(np.array(distinct, dtype=float)):
        return Triage("datetime", "Its texts are dates of eight digits.")
    n_present = column.n_rows - column.n_missing
    unique_share = column.n_distinct / n_present
    # Digits first: reading the labels of every column of texts would cost more.
    if column.known_levels and _hold_digits(distinct) and column.labels.rule.name == "calendar":
        kind = "hours of the day" if column.labels.cyclic else column.labels.detail
        return Triage("datetime", f"Its levels are {kind}.", order=column.labels.order)
    if column.n_distinct <= max_levels and (unique_share < 1 or column.labels.rule.keeps_unique):
        return Triage(None)
    if (amounts := read_amounts(column.values)) is not None:
        known = amounts[column.values.notna().to_numpy(dtype=bool)]
        counted = _all_match(distinct, _GROUPED_DIGITS) and np.array_equal(known, np.round(known))
        return Triage(
            "count" if counted else "continuous",
            "Its texts are amounts.",
            numbers=amounts,
        )
    words = np.mean([len(t.split()) for t in texts])
    length = np.mean([len(t) for t in texts])
    if (words > 3 and unique_share > 0.5) or length > _LONG_TEXT:
        return Triage("text", f"It holds free text of {words:.0f} words on average.")
    if unique_share == 1 or (unique_share > 0.95 and _named_as_identifier(column)):
        return Triage("identifier", "It holds a different text in every row.")
    if _all_match(distinct, _CODE):
        return Triage("categorical", "Its levels are codes with leading zeros.")
    if column.listed:
        return Triage(None)
    return Triage(
        "undetermined",
        f"It has {column.n_distinct_text} levels, too many to read their labels; known= sets its "
        "type.",
    )


def _hold_digits(texts: Sequence[str]) -> bool:
    """Check whether all texts hold a digit: dates and hours do, names of months do not."""
    return all(any(c.isdigit() for c in text) for text in texts)


def _all_match(texts: Sequence[str], pattern: re.Pattern) -> bool:
    return all(pattern.fullmatch(text) for text in texts)


def _named_as_identifier(column: SampledColumn) -> bool:
    return _IDENTIFIER_NAME.search(str(column.name)) is not None
