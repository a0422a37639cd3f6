"""pandera's checks that the smallest and the largest value of a column decide."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd

from autotype.schema.checks.check import Arguments, SchemaCheck, Stated, Term
from autotype.schema.checks.column_views import Observed
from autotype.types.column_type import NUMBERS


class Limit(SchemaCheck):
    """A check that numbers are above, below or between limits.

    Parameters
    ----------
    name : str
    low, high : str
        The arguments that hold a limit which is itself allowed, as other tools state it; empty if
        there is none.
    """

    needs = "extremes"

    def __init__(self, name: str, *, low: str = "", high: str = "") -> None:
        super().__init__(name)
        self._low, self._high = low, high

    def limits(self, stated: Stated) -> tuple[Any, Any]:
        """Return the limits of a column: finite numbers, or None."""
        arguments = stated[self.name]
        low, high = arguments.get(self._low), arguments.get(self._high)
        return low if _is_finite(low) else None, high if _is_finite(high) else None

    def as_sql(self, name: str, stated: Stated) -> str | None:
        """Return a CHECK constraint."""
        limits = zip((">=", "<="), self.limits(stated), strict=True)
        parts = [f"{name} {sign} {limit!r}" for sign, limit in limits if limit is not None]
        return f"CHECK ({' AND '.join(parts)})" if parts else None

    def as_expectation(self, stated: Stated) -> Term:
        """Return ``expect_column_values_to_be_between``."""
        limits = zip(("min_value", "max_value"), self.limits(stated), strict=True)
        arguments = {key: limit for key, limit in limits if limit is not None}
        kind = "expect_column_values_to_be_between"
        return {"type": kind, "kwargs": arguments} if arguments else None

    def as_pointblank(self, name: str, stated: Stated) -> Term:
        """Return ``col_vals_between``, or the step of one limit."""
        low, high = self.limits(stated)
        options = {"columns": [name], "na_pass": "not_null" not in stated}
        if low is not None and high is not None:
            return {"col_vals_between": options | {"left": low, "right": high}}
        if low is not None:
            return {"col_vals_ge": options | {"value": low}}
        return None if high is None else {"col_vals_le": options | {"value": high}}


class InRange(Limit):
    """Made of columns of finite numbers."""

    def observe(self, observed: Observed) -> Arguments | None:
        """Return the observed range, widened by the margin."""
        bounds = range_with_margin(_numbers(observed), observed.margin)
        if bounds is None:
            return None
        low, high = _within_dtype(observed.values, bounds)
        # Arrow compares no number above 64 bits with a sign.
        is_held = observed.values.max() <= high
        return {"min_value": low, "max_value": high} if is_held else None


class NotNegative(Limit):
    """Made of columns of numbers of which some are infinite, but none negative."""

    def observe(self, observed: Observed) -> Arguments | None:
        """Return zero as the limit."""
        numbers = _numbers(observed)
        if numbers is None or observed.margin is None:
            return None
        return {"min_value": 0} if numbers.min() >= 0 and math.isinf(numbers.max()) else None


def _numbers(observed: Observed) -> pd.Series | None:
    """Return the values if they are real numbers in a dtype of numbers."""
    types, values = pd.api.types, observed.values
    if observed.column.semantic_type not in NUMBERS or not observed.is_plain:
        return None
    is_real = not (types.is_bool_dtype(values) or types.is_complex_dtype(values))
    return values if types.is_numeric_dtype(values) and is_real else None


def range_with_margin(values: pd.Series | None, margin: float | None) -> tuple[Any, Any] | None:
    """Return the range of numbers, widened by a margin; None if it is not finite."""
    if values is None or margin is None:
        return None
    low, high = values.min(), values.max()
    if math.isinf(low) or math.isinf(high):  # an observed infinity is no bound
        return None
    is_whole = pd.api.types.is_integer_dtype(values.dtype)
    low, high = (int(low), int(high)) if is_whole else (float(low), float(high))
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
        return max(bounds[0], -largest), min(bounds[1], largest)
    if kind not in ("i", "u"):
        return bounds
    limits = np.iinfo("i8" if isinstance(values.dtype, pd.ArrowDtype) else f"{kind}8")
    return max(bounds[0], int(limits.min)), min(bounds[1], int(limits.max))


def _is_finite(limit: Any) -> bool:
    is_number = isinstance(limit, (int, float)) and not isinstance(limit, bool)
    return is_number and math.isfinite(limit)
