"""The random order of a frame's rows, all columns at once: twice the memory of the frame."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

_MIX = np.uint64(0x9E3779B97F4A7C15)


def row_keys(
    tokens: Sequence[np.ndarray], *, seed: int, n_rows: int, ties: Sequence[np.ndarray] = ()
) -> np.ndarray:
    """Return the key of each row; the rows with the smallest keys come first.

    Parameters
    ----------
    tokens : sequence of ndarray of shape (n_rows,)
        A number for each cell, column after column.
    seed : int
        Seed of the order.
    n_rows : int
        Rows of the frame.
    ties : sequence of ndarray of int, shape (n_rows,)
        Codes of the columns in which two levels have the same count.
    """
    total = np.zeros(n_rows, dtype=np.uint64)
    with np.errstate(over="ignore"):
        for token in tokens:
            total += _scramble(token.view(np.uint64) ^ np.uint64(seed % 2**63))
        total += sum(_sums_by_level(total, codes) for codes in ties)
        return _scramble(total + occurrence_of(total) * _MIX)


def _sums_by_level(values: np.ndarray, codes: np.ndarray) -> np.ndarray:
    """Hash for each row all rows that hold its level, whatever the level's name."""
    sums = np.zeros(codes.max(initial=-1) + 2, dtype=np.uint64)  # the last one: missing
    np.add.at(sums, codes, _scramble(values))
    return _scramble(sums)[codes]


def _scramble(bits: np.ndarray) -> np.ndarray:
    """Mix 64-bit integers (the finaliser of splitmix64)."""
    bits = (bits + _MIX).astype(np.uint64)
    bits = (bits ^ (bits >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    bits = (bits ^ (bits >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return bits ^ (bits >> np.uint64(31))


def occurrence_of(values: np.ndarray) -> np.ndarray:
    """Count the equal values that precede each value."""
    order = np.argsort(values, kind="stable")
    ordered = values[order]
    starts = np.flatnonzero(np.append(True, ordered[1:] != ordered[:-1]))
    lengths = np.diff(np.append(starts, len(values)))
    occurrence = np.empty(len(values), dtype=np.uint64)
    occurrence[order] = np.arange(len(values)) - np.repeat(starts, lengths)
    return occurrence
