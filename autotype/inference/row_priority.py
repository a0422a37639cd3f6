"""A random sample of rows that does not depend on how the frame is laid out.

Rows are drawn by a hash of their content, so that the order of rows and columns, and the names of
levels, do not change which rows are drawn.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

_MIX = np.uint64(0x9E3779B97F4A7C15)


class RowPriority:
    """A random order of a frame's rows.

    Parameters
    ----------
    tokens : sequence of ndarray of shape (n_rows,)
        A number for each cell, column after column: the value, or for a level its count (which
        does not depend on its name).
    seed : int
        Seed of the order.
    n_rows : int
        Rows of the frame.
    ties : sequence of ndarray of int, shape (n_rows,)
        Codes, -1 where missing, of the columns in which two levels have the same count: their
        tokens leave them alike, so the rows that hold them tell them apart.

    Examples
    --------
    >>> import numpy as np
    >>> x = np.arange(100.0)
    >>> drawn = x[RowPriority([x], seed=1, n_rows=100).first(5)]
    >>> y = x[::-1]
    >>> bool(set(drawn) == set(y[RowPriority([y], seed=1, n_rows=100).first(5)]))
    True
    """

    def __init__(
        self,
        tokens: Sequence[np.ndarray],
        *,
        seed: int,
        n_rows: int,
        ties: Sequence[np.ndarray] = (),
    ) -> None:
        self._n_rows = n_rows
        self._tokens = tokens
        self._ties = ties
        self._seed = np.uint64(seed % 2**63)
        self._keys: np.ndarray | None = None

    def first(self, count: int, *, among: np.ndarray | None = None) -> np.ndarray:
        """Positions, ascending, of the first `count` rows of the order (among some, if given)."""
        if among is None:
            among = np.arange(self._n_rows)
        if len(among) <= count:
            return among
        drawn = np.argpartition(self.keys[among], count)[:count]
        return np.sort(among[drawn])

    @property
    def keys(self) -> np.ndarray:
        """The rows' hashes; made when first needed, as small frames are not sampled."""
        if self._keys is None:
            self._keys = self._hash_rows()
        return self._keys

    def _hash_rows(self) -> np.ndarray:
        total = np.zeros(self._n_rows, dtype=np.uint64)
        with np.errstate(over="ignore"):
            for token in self._tokens:  # a sum of hashes does not depend on the columns' order
                total += _scramble(token.view(np.uint64) ^ self._seed)
            total += sum(_sums_by_level(total, codes) for codes in self._ties)
            # Equal rows would be drawn or left together: number them apart.
            return _scramble(total + _occurrence(total) * _MIX)


def _sums_by_level(values: np.ndarray, codes: np.ndarray) -> np.ndarray:
    """Give each row a hash of all rows that hold its level, whatever the level's name."""
    sums = np.zeros(codes.max(initial=-1) + 2, dtype=np.uint64)  # the last one: missing
    np.add.at(sums, codes, _scramble(values))
    return _scramble(sums)[codes]


def _scramble(bits: np.ndarray) -> np.ndarray:
    """Mix 64-bit integers (the finaliser of splitmix64)."""
    bits = (bits + _MIX).astype(np.uint64)
    bits = (bits ^ (bits >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    bits = (bits ^ (bits >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return bits ^ (bits >> np.uint64(31))


def _occurrence(values: np.ndarray) -> np.ndarray:
    """How many equal values stand before each value."""
    order = np.argsort(values, kind="stable")
    ordered = values[order]
    starts = np.flatnonzero(np.append(True, ordered[1:] != ordered[:-1]))
    lengths = np.diff(np.append(starts, len(values)))
    occurrence = np.empty(len(values), dtype=np.uint64)
    occurrence[order] = np.arange(len(values)) - np.repeat(starts, lengths)
    return occurrence
