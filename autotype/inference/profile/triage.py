"""Type columns by rules without a model; the columns that remain are discrete candidates."""

from __future__ import annotations

import re
import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from autotype.inference.column import Column
from autotype.inference.labels.column_name import names_a_count
from autotype.inference.profile.formats import type_of_format
from autotype.inference.profile.value_features import names_an_identifier
from autotype.lexicon.dates import DATE_TEXT, EIGHT_DIGITS, TIME_TEXT, are_packed_dates, are_years
from autotype.lexicon.numbers import read_amounts
from autotype.types.column_type import SemanticType

_LONG_TEXT = 40  # characters
_MIN_COUNTED = 5  # levels of a column that is a count by its distribution
_CODE = re.compile(r"\s*0\d+\s*")
_GROUPED_DIGITS = re.compile(r"[\d\s,.'’]+")


_Verdict = tuple[SemanticType | None, str]  # None and no reason for a discrete candidate


def triage(column: Column, *, max_levels: int) -> None:
    """Type a column by rules alone, or leave it as a discrete candidate.

    Parameters
    ----------
    column : Column
        It receives its `semantic_type`, `reason`, `numbers` and `time_order`.
    max_levels : int
        Most levels of a candidate.
    """
    found = _simple_type(column)
    if found is None and column.texts:
        found = None, ""  # codes of labels are neither numbers nor dates
    if found is None:
        column.numbers = as_numbers(column.values)
        typed = _type_of_texts if column.numbers is None else _type_of_numbers
        found = typed(column, max_levels)
        if found[0] != "datetime":
            found = type_of_format(column, max_levels) or found
    column.semantic_type, column.reason = found


def _simple_type(column: Column) -> _Verdict | None:
    """Return the type that counts and dtype alone settle, if they do."""
    if not column.hashable:
        return "undetermined", "Its cells cannot be compared (lists, huge integers or the like)."
    if column.n_distinct == 0:
        return "constant", "It holds no value: every row is missing."
    if column.n_distinct == 1:
        return "constant", "It holds a single value."
    if is_temporal(column.values.dtype):
        return "datetime", f"Its dtype is {column.values.dtype}."
    if column.n_distinct == 2:
        return "binary", "It has two levels, so the question of order does not arise."
    if column.values.dtype.kind == "m":
        column.format = "duration"
        return type_of_format(column, 0)
    return None


def as_numbers(values: pd.Series) -> np.ndarray | None:
    """Return values as float64 if all of them are numbers (or the text of numbers), else None.

    Strings with a leading zero ("01067") are codes, not numbers.
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


def is_temporal(dtype: object) -> bool:
    """Check for the dtype of dates or times; durations are amounts."""
    is_date = pd.api.types.is_datetime64_any_dtype(dtype) or isinstance(dtype, pd.PeriodDtype)
    return is_date or (isinstance(dtype, pd.ArrowDtype) and dtype.kind == "M")


def _type_of_numbers(column: Column, max_levels: int) -> _Verdict:
    numbers = np.asarray(column.numbers)
    values = numbers[np.isfinite(numbers)]
    if len(values) == 0 or not np.array_equal(values, np.round(values)):
        return "continuous", "It holds numbers that are not whole."
    unique = column.n_distinct == column.n_present
    spread = float(values.max()) - float(values.min())  # Python's floats: inf without a warning
    consecutive = unique and spread + 1 <= 1.05 * column.n_distinct
    if unique and column.n_distinct > 5 and (consecutive or names_an_identifier(column.name)):
        return "identifier", "It holds a different integer in every row."
    if are_packed_dates(values):
        return "datetime", "Its numbers are dates of eight digits."
    if are_years(values, column.n_distinct):
        column.time_order = tuple(sorted(column.known_levels, key=float)) or None
        return "datetime", "Its numbers are years."
    if _are_counts(column, values):
        return "count", "Its name or its distribution is that of a count."
    if column.n_distinct <= max_levels and not (unique and column.n_distinct > 5):
        return None, ""
    found = column.n_distinct_text
    if values.min() < 0:
        return "continuous", f"It holds integers of both signs, {found} different ones."
    return "count", f"It holds {found} different integers from 0 up."


def _are_counts(column: Column, values: np.ndarray) -> bool:
    """Check whether small integers count something, by name or by distribution.

    By distribution: zero is the most frequent, more are rarer and rarer, and the few largest ones
    have gaps between them. Ratings are not distributed like that.
    """
    if values.min() not in (0.0, 1.0, 2.0):
        return False
    if names_a_count(column.title):
        return True
    counts = {float(level): n for level, n in column.known_levels.items()}
    if len(counts) < _MIN_COUNTED or min(counts) != 0.0:
        return False
    shares = np.array([counts[level] for level in sorted(counts)]) / sum(counts.values())
    falls = np.mean(np.diff(shares) <= 0)
    has_gaps = max(counts) + 1 > len(counts)
    return bool(has_gaps and shares.argmax() == 0 and falls >= 0.85 and shares[-1] <= 0.005)


def _type_of_texts(column: Column, max_levels: int) -> _Verdict:
    texts = [str(v) for v in _first(column.values, 200)]
    distinct = list(dict.fromkeys(texts))
    if _all_match(distinct, DATE_TEXT) or _all_match(distinct, TIME_TEXT):
        return "datetime", "Its strings are dates or times."
    if _all_match(distinct, EIGHT_DIGITS) and are_packed_dates(np.array(distinct, dtype=float)):
        return "datetime", "Its strings are dates of eight digits."
    unique_share = column.n_distinct / column.n_present
    # Digits first: reading the labels of every column of strings would cost more.
    hold_digits = all(any(map(str.isdigit, text)) for text in distinct)  # unlike names of months
    if column.known_levels and hold_digits and column.labels.rule.name == "calendar":
        column.time_order = column.labels.order
        kind = "hours of the day" if column.labels.cyclic else column.labels.detail
        return "datetime", f"Its levels are {kind}."
    if column.n_distinct <= max_levels and (unique_share < 1 or column.labels.rule.keeps_unique):
        return None, ""
    column.numbers = read_amounts(column.values)
    if column.numbers is not None:
        known = column.numbers[column.values.notna().to_numpy(dtype=bool)]
        counted = _all_match(distinct, _GROUPED_DIGITS) and np.array_equal(known, np.round(known))
        return "count" if counted else "continuous", "Its strings are amounts."
    words = np.mean([len(t.split()) for t in texts])
    length = np.mean([len(t) for t in texts])
    if (words > 3 and unique_share > 0.5) or length > _LONG_TEXT:
        return "text", f"It holds free text of {words:.0f} words on average."
    if unique_share == 1 or (unique_share > 0.95 and names_an_identifier(column.name)):
        return "identifier", "It holds a different text in every row."
    if _all_match(distinct, _CODE):
        return "categorical", "Its levels are codes with leading zeros."
    if column.listed:
        return None, ""
    found = column.n_distinct_text
    reason = f"It has {found} levels, too many to read their labels; known= sets its type."
    return "undetermined", reason


def _all_match(texts: Sequence[str], pattern: re.Pattern) -> bool:
    return all(pattern.fullmatch(text) for text in texts)
