"""LevelDtype: pandera's Category with levels of any class."""

from __future__ import annotations

from typing import Any

from pandera.engines.pandas_engine import Category


class LevelDtype(Category):
    """A Category whose check returns a Python bool.

    pandas compares ordered dtypes of numeric levels to a NumPy truth value, which pandera takes
    for an array of one value a row, and fails with a KeyError if it is False.
    """

    def check(self, pandera_dtype: Any, data_container: Any = None) -> bool:
        """Check whether a dtype is this one."""
        return bool(super().check(pandera_dtype, data_container))
