"""LevelDtype: pandera's Category with levels of any class."""

from __future__ import annotations

from typing import Any

import pandas as pd
from pandera.engines.pandas_engine import Category


class LevelDtype(Category):
    """A Category that compares levels, not the dtype that pandas holds them in.

    Its check returns a Python bool: pandas compares ordered dtypes of numeric levels to a NumPy
    truth value, which pandera takes for an array of one value a row, and fails with a KeyError if
    it is False.
    """

    def check(self, pandera_dtype: Any, data_container: Any = None) -> bool:
        """Check whether a dtype is this one."""
        other = getattr(pandera_dtype, "type", None)
        if not isinstance(other, pd.CategoricalDtype) or other.categories is None:
            return False
        return bool(_with_objects(self.type) == _with_objects(other))


def _with_objects(dtype: pd.CategoricalDtype) -> pd.CategoricalDtype:
    """Return the dtype with categories of the dtype object."""
    categories = pd.Index(dtype.categories.tolist(), dtype=object, tupleize_cols=False)
    return pd.CategoricalDtype(categories, ordered=dtype.ordered)
