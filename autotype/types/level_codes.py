"""The distinct values of a column and the code of each row, found in one pass over the rows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pandas as pd


class LevelCodes(NamedTuple):
    """A column as codes of its distinct values.

    Attributes
    ----------
    codes : ndarray of int, shape (n,)
        -1 where the value is missing.
    levels : list
        Distinct values in order of first appearance; of a Categorical its categories, of which
        some may have no row.
    """

    codes: np.ndarray
    levels: list[Any]

    def present(self) -> list[Any]:
        """Return the levels that have a row.

        Examples
        --------
        >>> sizes = pd.Series(["S", "M"], dtype=pd.CategoricalDtype(["S", "M", "L"]))
        >>> codes_of(sizes).present()
        ['S', 'M']
        """
        return self.unseen(lambda _: False)

    def unseen(self, is_known: Callable[[Any], bool]) -> list[Any]:
        """Return the levels that have a row and are not known."""
        new = [code for code, level in enumerate(self.levels) if not is_known(level)]
        if not new:
            return []
        # Widened first: the sum may exceed the few bits of the codes of a Categorical.
        counts = np.bincount(self.codes.astype(np.intp) + 1, minlength=len(self.levels) + 1)[1:]
        return [self.levels[code] for code in new if counts[code]]


def codes_of(values: pd.Series) -> LevelCodes:
    """Find the distinct values of a column.

    Raises
    ------
    TypeError
        If a cell has no hash.

    Examples
    --------
    >>> codes, levels = codes_of(pd.Series(["b", None, "a", "b"]))
    >>> codes.tolist(), levels
    ([0, -1, 1, 0], ['b', 'a'])
    """
    if isinstance(values.dtype, pd.CategoricalDtype):
        return LevelCodes(values.cat.codes.to_numpy(), values.cat.categories.tolist())
    codes, present = pd.factorize(values)
    levels = pd.Index(present, dtype=object, tupleize_cols=False)
    missing = levels.isna()
    if missing.any():  # pandas counts some of them as values
        codes = np.where(np.append(missing, True)[codes], -1, codes)
    return LevelCodes(codes, levels.tolist())
