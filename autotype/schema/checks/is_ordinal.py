"""The check ``is_ordinal``: an ordered Categorical with these levels in this order.

Once registered it is ``Check.is_ordinal(order=[...])`` in a schema of pandera and
``Field(is_ordinal=[...])`` in a model.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pandas as pd

from autotype.schema.checks.check import Arguments
from autotype.schema.checks.is_categorical import IsCategorical, has_levels
from autotype.schema.levels import as_statistic, format_levels
from autotype.schema.rule_levels import ORDINAL
from autotype.types.codec.json_values import decode
from autotype.types.levels import LevelSet


def is_ordinal(
    values: pd.Series, *, order: Sequence[Any], off_scale: Sequence[Any] | None = None
) -> pd.Series | bool:
    """Check that a column is an ordered Categorical with these levels in this order.

    Parameters
    ----------
    values : pandas.Series
        The column.
    order : sequence
        All levels on the scale, lowest first.
    off_scale : sequence, optional
        Levels that are not on the scale; the dtype holds them below the lowest.

    Returns
    -------
    pandas.Series of bool or bool
        False at the rows of unseen levels if there are any; otherwise whether the dtype is right.

    Examples
    --------
    >>> sizes = pd.CategoricalDtype(["S", "M", "L"], ordered=True)
    >>> is_ordinal(pd.Series(["M", "S"], dtype=sizes), order=["S", "M", "L"])
    True
    >>> is_ordinal(pd.Series(["M", "S"], dtype=sizes), order=["S", "L", "M"])
    False
    >>> is_ordinal(pd.Series(["M", "XL"]), order=["S", "M", "L"]).tolist()
    [True, False]
    """
    expected = [*(decode(level) for level in off_scale or ()), *map(decode, order)]
    return has_levels(values, expected, ordered=True)


class IsOrdinal(IsCategorical):
    """Made of ordinal columns; all else is as of a column without order."""

    name = ORDINAL
    function = staticmethod(is_ordinal)
    statistics = ("order", "off_scale")
    ordered = True

    def encoded(self, levels: LevelSet) -> Arguments:
        """Return the function's arguments."""
        off_scale = list(map(as_statistic, levels.off_scale))
        return {"order": list(map(as_statistic, levels.on_scale)), "off_scale": off_scale or None}

    def expectation(self, arguments: Arguments) -> str:
        """Return the check's message."""
        order, off_scale = arguments["order"], arguments["off_scale"] or ()
        levels = LevelSet(tuple(map(decode, order)), tuple(map(decode, off_scale)), ordered=True)
        return f"levels must be {format_levels(levels)}, in this order"
