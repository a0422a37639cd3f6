"""Order a frame's rows at random by a hash of their content, in little memory.

The order of rows and columns, and the names of levels, do not change which rows come first.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from autotype.inference.sampling._row_priority_fast import (
    add_by_code,
    count_previous,
    sum_by_code,
)
from autotype.inference.sampling.repeats import chunks, may_repeat

_MIX = np.uint64(0x9E3779B97F4A7C15)  # odd, near 2**64 divided by the golden ratio
_TABLE_BITS = 14  # of the first hash table's size: it stays in the cache
_PARTS = 16  # of the range of hashes, in which equal ones are searched one after the other


class RowPriority:
    """A random order of a frame's rows.

    Columns are added one at a time, so that no more than one number a row is held: 8 bytes.

    Parameters
    ----------
    n_rows : int
        Rows of the frame.
    seed : int
        Seed of the order.

    Examples
    --------
    >>> import numpy as np
    >>> x = np.arange(100.0)
    >>> def drawn(values):
    ...     priority = RowPriority(100, seed=1)
    ...     priority.add(values)
    ...     priority.finish()
    ...     return set(values[priority.first(5)])
    >>> drawn(x) == drawn(x[::-1])
    True
    """

    def __init__(self, n_rows: int, *, seed: int) -> None:
        self._seed = np.uint64(seed % 2**63)
        self._keys = np.zeros(n_rows, dtype=np.uint64)

    def add(self, tokens: np.ndarray, codes: np.ndarray | None = None) -> None:
        """Add a column to the hash of the rows.

        Parameters
        ----------
        tokens : ndarray of int or float
            A number for each cell, its value; or for each code, such as the count of a level, which
            does not depend on its name, and for a missing value the last one.
        codes : ndarray of int, shape (n_rows,), optional
            Positions in `tokens`, -1 where missing.
        """
        with np.errstate(over="ignore"):
            # A sum of hashes does not depend on the columns' order.
            if codes is None:
                for rows in chunks(len(self._keys)):
                    self._keys[rows] += self._hash(tokens[rows])
            else:
                add_by_code(self._keys, codes, self._hash(tokens))

    def _hash(self, tokens: np.ndarray) -> np.ndarray:
        return _scramble(tokens.astype(np.float64, copy=False).view(np.uint64) ^ self._seed)

    def finish(self, ties: Iterable[np.ndarray] = ()) -> None:
        """Complete the order; no column can be added afterwards.

        Parameters
        ----------
        ties : iterable of ndarray of int, shape (n_rows,)
            Codes, -1 where missing, of the columns in which two levels have the same count: their
            tokens are equal, so the rows that hold them distinguish them.
        """
        with np.errstate(over="ignore"):
            tied = list(ties)
            by_level = _sums_by_level(self._keys, tied)
            for codes, sums in zip(tied, by_level, strict=True):
                add_by_code(self._keys, codes, sums)
            # Equal rows have equal hashes; their occurrence number separates them.
            _add_occurrences(self._keys)
            for rows in chunks(len(self._keys)):
                self._keys[rows] = _scramble(self._keys[rows])

    def first(self, count: int, *, among: np.ndarray | None = None) -> np.ndarray:
        """Return the positions, ascending, of the first `count` rows (among some, if given)."""
        if among is not None:
            return np.sort(among[_smallest(self._keys[among], count)])
        best, bound = np.empty(0, dtype=np.intp), np.uint64(0)
        for rows in chunks(len(self._keys), least=4 * count):
            keys = self._keys[rows]
            # Few rows of later chunks come before those found so far.
            is_full = len(best) == count
            some = np.flatnonzero(keys < bound) if is_full else _smallest(keys, count)
            best = np.append(best, rows.start + some)
            best = best[_smallest(self._keys[best], count)]
            bound = self._keys[best].max(initial=0)
        return np.sort(best)


def _smallest(keys: np.ndarray, count: int) -> np.ndarray:
    if len(keys) <= count:
        return np.arange(len(keys))
    return np.argpartition(keys, count)[:count]


def _sums_by_level(values: np.ndarray, columns: Sequence[np.ndarray]) -> list[np.ndarray]:
    """Hash for each level all rows that hold it, whatever its name; the last one is missing."""
    sums = [np.zeros(int(codes.max(initial=-1)) + 2, dtype=np.uint64) for codes in columns]
    for rows in chunks(len(values)):
        scrambled = _scramble(values[rows])
        for codes, by_level in zip(columns, sums, strict=True):
            sum_by_code(scrambled, codes[rows], by_level)
    return [_scramble(by_level) for by_level in sums]


def _scramble(bits: np.ndarray) -> np.ndarray:
    """Mix 64-bit integers (the finaliser of splitmix64)."""
    bits = (bits + _MIX).astype(np.uint64)
    bits = (bits ^ (bits >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    bits = (bits ^ (bits >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return bits ^ (bits >> np.uint64(31))


def _add_occurrences(values: np.ndarray) -> None:
    """Add to each value a multiple of the number of equal values that precede it, in place.

    Only the values that may have equals are looked at, few where most rows differ. Equal values
    share their leading bits, so the range is searched in parts: a few times the memory of one part
    suffices.
    """
    repeat = may_repeat(values.__getitem__, len(values))
    part_of = np.full(len(values), _PARTS, dtype=np.uint8)
    for rows in chunks(len(values)):
        leading = values[rows] >> np.uint64(64 - _PARTS.bit_length() + 1)
        np.copyto(part_of[rows], leading, where=repeat[rows], casting="unsafe")
    del repeat
    for part in range(_PARTS):
        positions = np.flatnonzero(part_of == part)
        some = values[positions]
        some += _count_previous(some) * _MIX
        values[positions] = some


def _count_previous(values: np.ndarray) -> np.ndarray:
    """Count for each value the equal ones before it; the table grows with the distinct values."""
    previous = np.empty(len(values), dtype=np.uint32)
    n_bits = _TABLE_BITS
    while True:
        slots, counts = np.zeros(1 << n_bits, np.uint64), np.zeros(1 << n_bits, np.uint32)
        if count_previous(values, slots, counts, previous):
            return previous
        n_bits += 2
