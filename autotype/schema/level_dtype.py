"""LevelDtype: pandera's Category with levels of any class."""

from __future__ import annotations

from typing import Any

import pandas as pd
from pandera.engines.pandas_engine import Category

from autotype.schema.levels import level_key


class LevelDtype(Category):
    """A Category that compares levels, not the dtype that pandas holds them in.

    Its check returns a Python bool: pandas compares ordered dtypes of numeric levels to a NumPy
    boolean, which pandera takes for an array of one value per row, and fails with a KeyError if
    it is False.
    """

    def check(self, pandera_dtype: Any, data_container: Any = None) -> bool:
        """Check whether a dtype is this one."""
        other = getattr(pandera_dtype, "type", None)
        if not isinstance(other, pd.CategoricalDtype) or other.categories is None:
            return False
        if self.ordered is not None and bool(other.ordered) != bool(self.ordered):
            return False
        expected = list(map(level_key, self.categories or ()))
        levels = list(map(level_key, other.categories.tolist()))
        return levels == expected if self.ordered else set(levels) == set(expected)
