"""The check ``is_amount``: a column of strings holds amounts such as "$1,250.00", in a range."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pandas as pd

from autotype.lexicon.numbers import amounts_of, units_of
from autotype.schema.checks.check import Arguments
from autotype.schema.checks.column_views import Observed
from autotype.schema.checks.is_date import StringCheck, distinct_strings, except_some, tolerated
from autotype.schema.checks.limits import range_with_margin
from autotype.types.column_type import NUMBERS

_MAX_UNITS = 3


def is_amount(
    values: pd.Series,
    *,
    min_value: float | None = None,
    max_value: float | None = None,
    units: Sequence[str] | None = None,
    tolerance: float = 0.0,
    n_rows: Sequence[int] | None = None,
) -> pd.Series:
    """Check that strings are amounts, such as "$1,250.00", in a range.

    Parameters
    ----------
    values : pandas.Series
        The column.
    min_value, max_value : float, optional
        Limits of the amounts.
    units : sequence of str, optional
        Their units or currencies; an amount without one passes too. By default any.
    tolerance : float
        Proportion of the rows that may hold other strings, in [0, 1].
    n_rows : sequence of int, optional
        Rows that each value stands for; by default one.

    Returns
    -------
    pandas.Series of bool
        False at amounts outside the range, and at other strings if they are more than tolerated.

    Examples
    --------
    >>> prices = pd.Series(["$1,250.00", "$3", "on request", "7 kg"])
    >>> is_amount(prices, units=["$"]).tolist()
    [True, True, False, False]
    >>> is_amount(prices, units=["$"], max_value=1000.0, tolerance=0.5).tolist()
    [False, True, True, True]
    """
    codes, strings = distinct_strings(values)
    amounts, readable = (found[codes] for found in _read(strings, units))
    low = -math.inf if min_value is None else min_value
    high = math.inf if max_value is None else max_value
    inside = (amounts >= low) & (amounts <= high)
    return pd.Series(
        np.where(readable, inside, tolerated(readable, tolerance, n_rows)), index=values.index
    )


def _read(values: pd.Series, units: Sequence[str] | None) -> tuple[np.ndarray, np.ndarray]:
    """Return the amounts, and which values are some."""
    amounts = amounts_of(values).to_numpy()
    readable = ~np.isnan(amounts)
    if units is not None:
        readable &= np.isin(units_of(values), [*units, ""])
    return amounts, readable


class IsAmount(StringCheck):
    """Made of columns of numbers that are strings."""

    name = "is_amount"
    function = staticmethod(is_amount)
    statistics = ("min_value", "max_value", "units", "tolerance")

    def observe(self, observed: Observed) -> Arguments | None:
        """Return the range, the units if they are few, and the tolerance of other strings."""
        if observed.column.semantic_type not in NUMBERS or not observed.holds_strings:
            return None
        codes, strings = distinct_strings(observed.values.dropna())
        amounts = amounts_of(strings).dropna()
        if amounts.empty:
            return None
        found = sorted({str(unit) for unit in units_of(strings)} - {""})
        units = found if len(found) <= _MAX_UNITS else None
        tolerance = self.tolerance(observed, ~_read(strings, units)[1][codes])
        low, high = range_with_margin(amounts, observed.margin) or (None, None)
        return {"min_value": low, "max_value": high, "units": units, "tolerance": tolerance}

    def expectation(self, arguments: Arguments) -> str:
        """Return the check's message."""
        low, high, units = (arguments[name] for name in ("min_value", "max_value", "units"))
        of_units = f" in {', '.join(units)}" if units else ""
        between = "" if low is None and high is None else f" from {low} to {high}"
        return f"must be amounts{of_units}{between}{except_some(arguments)}"
