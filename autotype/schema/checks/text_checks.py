"""The checks ``is_date`` and ``is_amount``: what the strings of a column mean.

Dates have to exist, and amounts such as "$1,250.00" to be in a range.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from pandera.pandas import Check

from autotype.lexicon.dates import are_dates, stated_day_first
from autotype.lexicon.numbers import amounts_of, units_of
from autotype.schema.checks.check import Arguments, SchemaCheck, list_values, stated_error
from autotype.schema.checks.column_views import Observed, Witnesses
from autotype.schema.checks.limits import range_with_margin
from autotype.types.column_type import NUMBERS
from autotype.types.levels import codes_of


def is_date(
    values: pd.Series,
    *,
    day_first: bool | None = None,
    tolerance: float = 0.0,
    n_rows: Sequence[int] | None = None,
) -> pd.Series:
    """Check that strings are dates or times that exist.

    Parameters
    ----------
    values : pandas.Series
        The column.
    day_first : bool, optional
        Whether strings such as "3/2/2024" begin with the day, rather than with the month; by
        default either.
    tolerance : float
        Proportion of the rows that may hold something else, in [0, 1].
    n_rows : sequence of int, optional
        Rows that each value stands for; by default one.

    Returns
    -------
    pandas.Series of bool
        False at what is no date, if that is more than tolerated.

    Examples
    --------
    >>> is_date(pd.Series(["31/12/2020", "31/31/2020"])).tolist()
    [True, False]
    """
    codes, strings = distinct_strings(values)
    dates = are_dates(strings, day_first=day_first)[codes]
    return pd.Series(tolerated(dates, tolerance, n_rows), index=values.index)


def distinct_strings(values: pd.Series) -> tuple[np.ndarray, pd.Series]:
    """Return the code of each row and the distinct values: strings are slow to read."""
    codes, levels = codes_of(values)
    cells = np.empty(len(levels) + 1, dtype=object)  # the last one for what is missing
    cells[:-1] = levels
    return codes, pd.Series(cells)


def tolerated(
    fits: np.ndarray, tolerance: float, n_rows: Sequence[int] | None = None
) -> np.ndarray:
    """Return where a check holds: everywhere if no more rows than tolerated fail it."""
    weights = np.ones(len(fits)) if n_rows is None else np.asarray(n_rows, dtype=np.float64)
    strays, total = weights[~fits].sum(), weights.sum()
    return np.ones(len(fits), dtype=bool) if strays <= tolerance * total else fits


class StringCheck(SchemaCheck):
    """A check of what strings mean, of which some rows may be anything else."""

    def tolerance(self, observed: Observed, strays: np.ndarray) -> float:
        """Return the proportion of other strings that later batches may hold.

        It is twice the observed one unless it is given.
        """
        if observed.max_strays is not None:
            return float(observed.max_strays)
        return min(1.0, math.ceil(2e4 * float(strays.mean())) / 1e4) if strays.any() else 0.0

    def decided(self, check: Any, witnesses: Witnesses) -> Any:
        """Return a check that weighs strings by their rows, if all have been counted."""
        counted = dict(zip(witnesses.values.index, witnesses.n_rows, strict=True))
        if not all(counted.values()):  # drawn rows only
            return check

        def fits(values: pd.Series) -> pd.Series:
            rows = [max(counted[at], 0) for at in values.index]
            return self.function(values, **check.statistics, n_rows=rows)

        return Check(fits, name=check.name, error=check.error)

    def sentence(self, where: str, error: Any, values: pd.Series | None) -> str:
        """Return which strings fail."""
        if not isinstance(error.failure_cases, pd.DataFrame):
            return super().sentence(where, error, values)
        listed = list_values(error.failure_cases)
        return f"{where} holds {listed}: {stated_error(error)}; correct them"


def except_some(arguments: Arguments) -> str:
    """Return how many rows a check leaves out, for its message."""
    tolerance = arguments["tolerance"]
    return f", except {tolerance:.2%} of the rows" if tolerance else ""


class IsDate(StringCheck):
    """Made of columns of dates that are strings."""

    name = "is_date"
    function = staticmethod(is_date)
    statistics = ("day_first", "tolerance")

    def observe(self, observed: Observed) -> Arguments | None:
        """Return whether days come first, and the tolerance of other strings."""
        if observed.column.semantic_type != "datetime" or not observed.holds_strings:
            return None
        codes, strings = distinct_strings(observed.values.dropna())
        day_first = stated_day_first(strings)
        strays = ~are_dates(strings, day_first=day_first)[codes]
        return {"day_first": day_first, "tolerance": self.tolerance(observed, strays)}

    def expectation(self, arguments: Arguments) -> str:
        """Return the check's message."""
        return f"must be dates or times that exist{except_some(arguments)}"


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
