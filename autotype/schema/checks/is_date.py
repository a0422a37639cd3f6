"""The check ``is_date``: a column of strings holds dates that exist."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from autotype.lexicon.dates import are_dates, stated_day_first
from autotype.schema.checks.check import Arguments, SchemaCheck, list_values, stated_error
from autotype.schema.checks.column_views import Observed, Witnesses
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
        from pandera.pandas import Check

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
