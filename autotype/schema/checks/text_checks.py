"""The checks ``is_date`` and ``is_amount``, of dates and numbers that a table holds as texts."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from autotype.lexicon.dates import are_dates, stated_day_first
from autotype.lexicon.numbers import amounts_of, units_of
from autotype.types.level_codes import codes_of

DATE, AMOUNT = "is_date", "is_amount"
_MAX_UNITS = 3


def is_date(
    values: pd.Series,
    *,
    day_first: bool | None = None,
    tolerance: float = 0.0,
    n_rows: Sequence[int] | None = None,
) -> pd.Series:
    """Check that texts are dates or times that exist.

    Parameters
    ----------
    values : pandas.Series
        The column.
    day_first : bool, optional
        Whether texts such as "3/2/2024" begin with the day, rather than with the month; by default
        either.
    tolerance : float
        Share of the rows that may hold something else, in [0, 1].
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
    codes, texts = _distinct(values)
    dates = are_dates(texts, day_first=day_first)[codes]
    return pd.Series(_tolerated(dates, tolerance, n_rows), index=values.index)


def is_amount(
    values: pd.Series,
    *,
    min_value: float | None = None,
    max_value: float | None = None,
    units: Sequence[str] | None = None,
    tolerance: float = 0.0,
    n_rows: Sequence[int] | None = None,
) -> pd.Series:
    """Check that texts are amounts, such as "$1,250.00", in a range.

    Parameters
    ----------
    values : pandas.Series
        The column.
    min_value, max_value : float, optional
        Limits of the amounts.
    units : sequence of str, optional
        Their units or currencies; an amount without one passes too. By default any.
    tolerance : float
        Share of the rows that may hold other texts, in [0, 1].
    n_rows : sequence of int, optional
        Rows that each value stands for; by default one.

    Returns
    -------
    pandas.Series of bool
        False at amounts outside the range, and at other texts if they are more than tolerated.

    Examples
    --------
    >>> prices = pd.Series(["$1,250.00", "$3", "on request", "7 kg"])
    >>> is_amount(prices, units=["$"]).tolist()
    [True, True, False, False]
    >>> is_amount(prices, units=["$"], max_value=1000.0, tolerance=0.5).tolist()
    [False, True, True, True]
    """
    codes, texts = _distinct(values)
    amounts, readable = (found[codes] for found in _read(texts, units))
    low = -math.inf if min_value is None else min_value
    high = math.inf if max_value is None else max_value
    inside = (amounts >= low) & (amounts <= high)
    return pd.Series(
        np.where(readable, inside, _tolerated(readable, tolerance, n_rows)), index=values.index
    )


def _distinct(values: pd.Series) -> tuple[np.ndarray, pd.Series]:
    """Return the code of each row and the distinct values: texts are slow to read."""
    codes, levels = codes_of(values)
    cells = np.empty(len(levels) + 1, dtype=object)  # the last one for what is missing
    cells[:-1] = levels
    return codes, pd.Series(cells)


def _read(values: pd.Series, units: Sequence[str] | None) -> tuple[np.ndarray, np.ndarray]:
    """Return the amounts, and which values are some."""
    amounts = amounts_of(values).to_numpy()
    readable = ~np.isnan(amounts)
    if units is not None:
        readable &= np.isin(units_of(values), [*units, ""])
    return amounts, readable


def _tolerated(
    fits: np.ndarray, tolerance: float, n_rows: Sequence[int] | None = None
) -> np.ndarray:
    weights = np.ones(len(fits)) if n_rows is None else np.asarray(n_rows, dtype=np.float64)
    strays, total = weights[~fits].sum(), weights.sum()
    return np.ones(len(fits), dtype=bool) if strays <= tolerance * total else fits


def date_check(values: pd.Series, max_strays: float | None) -> Any:
    """Make the check of a column of dates held as texts."""
    from pandera.pandas import Check

    codes, texts = _distinct(values.dropna())
    day_first = stated_day_first(texts)
    strays = ~are_dates(texts, day_first=day_first)[codes]
    tolerance = _tolerance(strays, max_strays)
    return Check.is_date(
        day_first=day_first,
        tolerance=tolerance,
        error=f"must be dates or times that exist{_except(tolerance)}",
    )


def amount_check(
    values: pd.Series, limits: tuple[float | None, float | None], max_strays: float | None
) -> Any:
    """Make the check of a column of amounts held as texts."""
    from pandera.pandas import Check

    codes, texts = _distinct(values.dropna())
    units = sorted({str(unit) for unit in units_of(texts)} - {""})
    stated = units if len(units) <= _MAX_UNITS else None
    tolerance = _tolerance(~_read(texts, stated)[1][codes], max_strays)
    low, high = limits
    of_units = f" in {', '.join(units)}" if stated else ""
    between = "" if low is None and high is None else f" from {low} to {high}"
    return Check.is_amount(
        min_value=low,
        max_value=high,
        units=stated,
        tolerance=tolerance,
        error=f"must be amounts{of_units}{between}{_except(tolerance)}",
    )


def _tolerance(strays: np.ndarray, max_strays: float | None) -> float:
    """Return the tolerated share of other texts: twice the observed one unless it is given."""
    if max_strays is not None:
        return float(max_strays)
    return min(1.0, math.ceil(2e4 * float(strays.mean())) / 1e4) if strays.any() else 0.0


def _except(tolerance: float) -> str:
    return f", except {tolerance:.2%} of the rows" if tolerance else ""
