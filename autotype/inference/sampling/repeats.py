"""Find the keys that may occur more than once, in less time and memory than sorting takes."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from autotype.inference.sampling._repeats_fast import find_marked, mark

CHUNK = 1 << 16  # rows at a time: their arrays stay in the cache
_BITS_PER_ROW = 8


def chunks(n_rows: int, *, least: int = 0) -> Iterator[slice]:
    """Divide rows into slices of `CHUNK` rows, or of `least` if that is more.

    Examples
    --------
    >>> list(chunks(100_000))
    [slice(0, 65536, None), slice(65536, 100000, None)]
    """
    size = max(CHUNK, least)
    for start in range(0, n_rows, size):
        yield slice(start, min(start + size, n_rows))


def may_repeat(keys_of: Callable[[slice], np.ndarray], n_rows: int) -> np.ndarray:
    """Mark the rows whose key occurs more than once, and a few of those whose key does not.

    Parameters
    ----------
    keys_of : callable
        Returns the keys of a slice of the rows: uint64 whose leading bits are evenly distributed.
        It is called twice for each.
    n_rows : int
        Number of rows.

    Returns
    -------
    ndarray of bool, shape (n_rows,)
        False only where no other row has the same key.

    Notes
    -----
    A key sets the bit of its leading bits in a table of 8 to 16 bits a row. Where all keys differ,
    6 to 12% of them share a bit with another. Costs O(n) time and 3 to 5 bytes a row.

    Examples
    --------
    >>> keys = np.array([5, 7, 5], dtype=np.uint64) << np.uint64(60)
    >>> may_repeat(lambda rows: keys[rows], 3)
    array([ True, False,  True])
    """
    n_bits = max(6, (_BITS_PER_ROW * n_rows - 1).bit_length())
    shift = 64 - n_bits
    seen, repeated = np.zeros((2, 1 << (n_bits - 6)), dtype=np.uint64)
    for rows in chunks(n_rows):
        mark(keys_of(rows), shift, seen, repeated)
    marked = np.empty(n_rows, dtype=np.uint8)
    for rows in chunks(n_rows):
        find_marked(keys_of(rows), shift, repeated, marked[rows])
    return marked.view(bool)
