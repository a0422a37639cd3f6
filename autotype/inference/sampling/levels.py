"""List the levels of a column: in which order, and up to which number their labels are read."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from numbers import Real
from typing import Any

MAX_LISTED = 100  # levels of a column whose labels are read


def by_frequency(counts: Iterable[tuple[Any, int]]) -> dict[Any, int]:
    """Return levels with their counts, most frequent first, ties by text.

    Examples
    --------
    >>> by_frequency([("b", 1), ("a", 1), ("c", 2)])
    {'c': 2, 'a': 1, 'b': 1}
    """
    return dict(sorted(counts, key=lambda item: (-item[1], str(item[0]))))


def are_readable(levels: Sequence[Any]) -> bool:
    """Check whether the levels of a column with many are strings or integers, not too many.

    Examples
    --------
    >>> are_readable(["a", 1, 2.0]), are_readable([0.5]), are_readable(range(101))
    (True, False, False)
    """
    return len(levels) <= MAX_LISTED and all(
        isinstance(v, str) or (isinstance(v, Real) and abs(v) != math.inf and v == v // 1)
        for v in levels
    )
