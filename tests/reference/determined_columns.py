"""What a key determines by plain dictionaries, row by row: the slow twin of `_determines`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence


def determines(key: Sequence[int], other: Sequence[int], *, min_rows: int) -> bool:
    """Check whether each value of a key goes with one of another column; negative is missing."""
    rows = [(k, v) for k, v in zip(key, other, strict=True) if k >= 0 and v >= 0]
    if len(rows) < min_rows or len(set(rows)) > len({k for k, _ in rows}):
        return False
    counts = Counter(k for k, _ in rows)
    return sum(counts[k] > 1 for k, _ in rows) > 0.5 * len(rows)
