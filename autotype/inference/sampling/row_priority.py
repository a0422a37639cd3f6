"""Order a frame's rows at random by a hash of their content, and draw the first of them.

A sample by row number would change when rows are sorted, and with it the verdicts on columns near a
threshold. Here the order of rows and columns, and the names of levels, do not change which rows
come first: equal rows are told apart by how many precede them.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pandas as pd

# Rows of every level of a discrete column in the sample, where the frame has as many.
ROWS_PER_LEVEL = 30
# Rows of the sample by default. Two samples of a large table, such as those of two engines, decide
# otherwise on columns near a threshold; with more rows on fewer, and counting costs as much.
_LEAST_ROWS, _MOST_ROWS = 1000, 8000
_ROWS_FOR_ONE = 125
_MIX = np.uint64(0x9E3779B97F4A7C15)  # odd, near 2**64 divided by the golden ratio


def default_max_rows(n_rows: int) -> int:
    """Return the rows of the sample of a frame, where the user does not state them.

    Examples
    --------
    >>> [default_max_rows(n) for n in (50_000, 500_000, 5_000_000)]
    [1000, 4000, 8000]
    """
    return min(max(n_rows // _ROWS_FOR_ONE, _LEAST_ROWS), _MOST_ROWS)


def hash_cells(tokens: np.ndarray, codes: np.ndarray | None = None, *, seed: int) -> np.ndarray:
    """Hash the cells of one column.

    The sum over the columns, which does not depend on their order, is the hash of the rows.

    Parameters
    ----------
    tokens : ndarray of int or float
        A number for each cell, its value; or for each code, such as the count of a level, which
        does not depend on its name, and for a missing value the last one.
    codes : ndarray of int, shape (n_rows,), optional
        Positions in `tokens`, -1 where missing.
    seed : int
        Seed of the order.

    Returns
    -------
    ndarray of uint64, shape (n_rows,)
    """
    bits = tokens.astype(np.float64, copy=False).view(np.uint64)
    hashed = _scramble(bits ^ np.uint64(seed % 2**63))
    return hashed if codes is None else hashed[codes]


def row_keys(hashes: np.ndarray, ties: Iterable[np.ndarray] = ()) -> np.ndarray:
    """Return the keys of rows; the rows of the smallest keys come first.

    Parameters
    ----------
    hashes : ndarray of uint64, shape (n_rows,)
        The sum of `hash_cells` over all columns.
    ties : iterable of ndarray of int, shape (n_rows,)
        Codes, -1 where missing, of the columns in which two levels have the same count: their
        tokens are equal, so the rows that hold them distinguish them.

    Returns
    -------
    ndarray of uint64, shape (n_rows,)

    Examples
    --------
    >>> x = np.arange(100.0)
    >>> def drawn(values):
    ...     return set(values[first_rows(row_keys(hash_cells(values, seed=1)), 5)])
    >>> drawn(x) == drawn(x[::-1])
    True
    """
    keys, mixed = hashes.copy(), None
    for codes in ties:
        mixed = _scramble(hashes) if mixed is None else mixed
        sums = np.zeros(int(codes.max(initial=-1)) + 2, dtype=np.uint64)  # the last one: missing
        np.add.at(sums, codes, mixed)
        keys += _scramble(sums)[codes]
    del mixed
    ordered = np.sort(keys)
    several = ordered[1:][ordered[1:] == ordered[:-1]]
    del ordered
    if len(several):
        repeated = pd.Series(keys).isin(several).to_numpy()
        equal = pd.Series(keys[repeated])
        keys[repeated] += equal.groupby(equal, sort=False).cumcount().to_numpy(np.uint64) * _MIX
    return _scramble(keys)


def first_rows(keys: np.ndarray, count: int, *, among: np.ndarray | None = None) -> np.ndarray:
    """Return the positions, ascending, of the `count` smallest keys (among some, if given)."""
    rows = np.arange(len(keys)) if among is None else among
    if len(rows) > count:
        rows = rows[np.argpartition(keys[rows], count)[:count]]
    return np.sort(rows)


def enough_rows(codes: np.ndarray, base: np.ndarray, keys: np.ndarray) -> np.ndarray:
    """Return the rows of a sample with a value, and more of the levels rare among them.

    Parameters
    ----------
    codes : ndarray of int, shape (n_rows,)
        The levels of one column, -1 where missing; 0 for any value of a column without levels.
    base : ndarray of int
        The rows of the sample, ascending.
    keys : ndarray of shape (n_rows,)
        Of the rows.

    Returns
    -------
    ndarray of int
        Ascending; up to `ROWS_PER_LEVEL` of each level.
    """
    held = codes[base]
    rows = [base[held >= 0]]
    counts = np.bincount(held[held >= 0], minlength=int(codes.max(initial=-1)) + 1)
    for level in np.flatnonzero(counts < ROWS_PER_LEVEL):
        rows.append(first_rows(keys, ROWS_PER_LEVEL, among=np.flatnonzero(codes == level)))
    return np.unique(np.concatenate(rows))


def _scramble(bits: np.ndarray) -> np.ndarray:
    """Mix 64-bit integers (the finaliser of splitmix64); products and sums wrap."""
    bits = bits + _MIX
    bits ^= bits >> np.uint64(30)
    bits *= np.uint64(0xBF58476D1CE4E5B9)
    bits ^= bits >> np.uint64(27)
    bits *= np.uint64(0x94D049BB133111EB)
    bits ^= bits >> np.uint64(31)
    return bits
