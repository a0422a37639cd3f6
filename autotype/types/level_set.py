"""LevelSet: which levels a column has, in which order, and which of them are off its scale.

Casts, checks, encoders and every file format need this answer. They all ask
`ColumnType.level_set` for it, so that they agree.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import pairwise
from numbers import Real
from typing import Any

from autotype.types.nan_equality import nan_key


@dataclass(frozen=True)
class LevelSet:
    """The levels of a column.

    Attributes
    ----------
    on_scale : tuple
        Levels, lowest first if the order counts.
    off_scale : tuple
        Levels such as "don't know" that have no place on the scale; none without an order.
    ordered : bool
        Whether the order of the levels counts.

    Examples
    --------
    >>> LevelSet(("S", "M"), ("?",), ordered=True).categories
    ('?', 'S', 'M')
    """

    on_scale: tuple[Any, ...]
    off_scale: tuple[Any, ...] = ()
    ordered: bool = False

    @property
    def categories(self) -> tuple[Any, ...]:
        """All levels as an ordered dtype has to place them: those off the scale come first.

        So "at least fair" never selects them. Repeated levels are listed once.
        """
        levels = (*self.off_scale, *self.on_scale)
        first: dict[Any, Any] = {}
        for level in levels:
            first.setdefault(nan_key(level), level)
        return tuple(first.values())

    @property
    def are_strings(self) -> bool:
        """Whether all levels are strings, as enumerations need."""
        return all(isinstance(level, str) for level in self.categories)

    @property
    def are_numbers_in_order(self) -> bool:
        """Whether the scale consists of increasing numbers, which need no ordered dtype."""
        if not all(isinstance(level, Real) for level in self.on_scale):
            return False
        return all(low < high for low, high in pairwise(self.on_scale))

    def with_new(self, levels: Iterable[Any]) -> LevelSet:
        """Return the set with more levels, whose place on the scale is not known.

        They come below the scale if the order counts, and behind the other levels if not.

        Examples
        --------
        >>> LevelSet(("S", "M"), ("?",), ordered=True).with_new(["XL"]).categories
        ('XL', '?', 'S', 'M')
        >>> LevelSet(("Ulm", "Rom")).with_new(["Bern"]).categories
        ('Ulm', 'Rom', 'Bern')
        """
        if self.ordered:
            return replace(self, off_scale=(*levels, *self.off_scale))
        return replace(self, on_scale=(*self.on_scale, *levels))
