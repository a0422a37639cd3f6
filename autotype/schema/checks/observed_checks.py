"""The checks that the values of a column suggest: allowed values, ranges, variety and shares."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from autotype.errors import UnwritableTypesError
from autotype.lexicon.numbers import amounts_of
from autotype.schema.checks.share_checks import shares_check, value_counts, variety_check
from autotype.schema.checks.text_checks import amount_check, date_check
from autotype.types.codec.json_values import encode
from autotype.types.column_type import ColumnType
from autotype.types.level_codes import codes_of

_NUMBERS = ("continuous", "count")
_DISCRETE = ("ordinal", "categorical", "binary", "undetermined")
# Levels of a column whose shares are checked; of more, each has too few rows.
_MAX_SHARES = 100
# Rows, evenly spaced, in which the values of a column without levels are counted.
_MAX_COUNTED = 10_000


@dataclass(frozen=True)
class Demands:
    """How much a batch may differ from the frame that a schema is made of.

    Attributes
    ----------
    margin : float or None
        Of numbers outside the range, by its width; None sets no range.
    share_tolerance : float or None
        Of the shares of levels; None does not check them.
    max_strays : float or None
        Share of texts that are neither dates nor amounts; None allows twice the observed one.
    """

    margin: float | None
    share_tolerance: float | None
    max_strays: float | None

    def __post_init__(self) -> None:
        for name in ("share_tolerance", "max_strays"):
            share = getattr(self, name)
            if share is not None and not 0 <= share <= 1:
                raise ValueError(f"{name} must be None or from 0 to 1, got {share!r}")


def count_checks(values: pd.Series, column: ColumnType, demands: Demands) -> list[Any]:
    """Make the checks of a whole column: that it varies, and the shares of its levels.

    Parameters
    ----------
    values : pandas.Series
        The column, with its type applied.
    column : ColumnType
    demands : Demands

    Returns
    -------
    list of pandera.pandas.Check
    """
    discrete = isinstance(values.dtype, pd.CategoricalDtype) or column.semantic_type in _DISCRETE
    counts = value_counts(values if discrete else values.iloc[:: len(values) // _MAX_COUNTED + 1])
    if len(counts) < 2:
        return []
    checks = [variety_check(max(counts.values()) / sum(counts.values()))]
    tolerance = demands.share_tolerance
    if tolerance is None or column.semantic_type not in _DISCRETE or len(counts) > _MAX_SHARES:
        return checks
    try:
        return [*checks, shares_check(counts, tolerance)]
    except UnwritableTypesError:  # levels of a class that a schema's file cannot hold
        return checks


def value_checks(values: pd.Series, column: ColumnType, demands: Demands) -> list[Any]:
    """Make the checks of single values: those allowed, a range, dates and amounts that are texts.

    Parameters
    ----------
    values : pandas.Series
        The column, not a Categorical, with at least one value.
    column : ColumnType
    demands : Demands

    Returns
    -------
    list of pandera.pandas.Check
    """
    from pandera.pandas import Check

    if column.semantic_type in ("constant", "binary"):
        try:
            allowed = [encode(level) for level in codes_of(values).present()]
        except UnwritableTypesError:  # cells of a class that a schema's file cannot hold
            return []
        if len(allowed) <= 2 and not any(isinstance(level, (dict, list)) for level in allowed):
            return [Check.isin(sorted(allowed, key=str))] if _are_all_in(values, allowed) else []
        return []
    if _holds_texts(values):
        return _text_checks(values, column, demands)
    is_number = pd.api.types.is_numeric_dtype(values) and not pd.api.types.is_bool_dtype(values)
    if demands.margin is None or not is_number or column.semantic_type not in _NUMBERS:
        return []
    return _range_checks(values, demands.margin)


def _holds_texts(values: pd.Series) -> bool:
    kind = pd.api.types.infer_dtype(values.dropna(), skipna=True)
    return kind == "string"


def _text_checks(values: pd.Series, column: ColumnType, demands: Demands) -> list[Any]:
    if column.semantic_type == "datetime":
        return [date_check(values, demands.max_strays)]
    if column.semantic_type not in _NUMBERS:
        return []
    texts = pd.Series(codes_of(values).levels, dtype=object)
    amounts = amounts_of(texts).dropna()
    if amounts.empty:
        return []
    bounds = None if demands.margin is None else _bounds(amounts, demands.margin)
    return [amount_check(values, bounds or (None, None), demands.max_strays)]


def _are_all_in(values: pd.Series, allowed: list[Any]) -> bool:
    """Check whether pandas finds a column's values; it fails at the largest ones of Arrow."""
    try:
        return bool(values.dropna().isin(allowed).all())
    except (OverflowError, TypeError, ValueError):
        return False


def _range_checks(values: pd.Series, margin: float) -> list[Any]:
    """Bound numbers by the observed range and a margin; an observed infinity is no bound."""
    from pandera.pandas import Check

    if pd.api.types.is_complex_dtype(values):
        return []
    low, high = values.min(), values.max()
    if math.isinf(low) or math.isinf(high):
        return [] if low < 0 else [Check.ge(0)]
    bounds = _bounds(values, margin)
    return [] if bounds is None else [Check.in_range(*_within_dtype(values, bounds))]


def _bounds(values: pd.Series, margin: float) -> tuple[Any, Any] | None:
    """Return the range of finite numbers, widened by a margin; None if it is not finite."""
    low, high = values.min(), values.max()
    low, high = (int(low), int(high)) if _is_whole(values) else (float(low), float(high))
    slack = margin * (high - low)
    if isinstance(low, int) and math.isfinite(slack):
        slack = math.ceil(slack)
    bounds = low - slack, high + slack
    if low >= 0:
        bounds = max(type(low)(0), bounds[0]), bounds[1]
    return bounds if all(map(math.isfinite, bounds)) else None


def _within_dtype(values: pd.Series, bounds: tuple[Any, Any]) -> tuple[Any, Any]:
    """Limit bounds to what NumPy and Arrow can compare a column with."""
    dtype = getattr(values.dtype, "numpy_dtype", values.dtype)
    kind = getattr(dtype, "kind", "")
    if kind == "f" and isinstance(dtype, np.dtype):
        largest = float(min(np.finfo(dtype).max, np.finfo(np.float64).max))
        least = -largest
    elif kind in ("i", "u"):
        limits = np.iinfo(f"{kind}8")
        least, largest = int(limits.min), int(limits.max)
    else:
        return bounds
    return max(bounds[0], least), min(bounds[1], largest)


def _is_whole(values: pd.Series) -> bool:
    return pd.api.types.is_integer_dtype(values.dtype)
