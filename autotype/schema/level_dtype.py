"""pandera's Category with levels, for all kinds of levels."""

from __future__ import annotations

from typing import Any

from pandera.engines.pandas_engine import Category


class LevelDtype(Category):
    """A Category whose check answers with a bool.

    pandas compares ordered dtypes with numbers as levels to a NumPy truth value, which pandera
    takes for an answer row by row, and fails with a KeyError where they differ.
    """

    def check(self, pandera_dtype: Any, data_container: Any = None) -> bool:
        """Tell whether a dtype is this one."""
        return bool(super().check(pandera_dtype, data_container))
