"""The cast of a column to levels, cell by cell."""

from __future__ import annotations

from typing import Any

import pandas as pd


def cast_cells(values: pd.Series, levels: list[Any], *, ordered: bool) -> pd.Series:
    """Return a Categorical; a cell that is missing or equal to no level is missing."""
    codes = [
        -1 if pd.isna(cell) else next((k for k, level in enumerate(levels) if level == cell), -1)
        for cell in values.tolist()
    ]
    dtype = pd.CategoricalDtype(levels, ordered=ordered)
    cast = pd.Categorical.from_codes(codes, dtype=dtype)
    return pd.Series(cast, index=values.index, name=values.name)


def present_cells(values: pd.Series) -> list[Any]:
    """Return the distinct values in order of first appearance, or of the categories."""
    cells = [cell for cell in values.tolist() if not pd.isna(cell)]
    if isinstance(values.dtype, pd.CategoricalDtype):
        return [level for level in values.cat.categories.tolist() if level in cells]
    return list(dict.fromkeys(cells))
