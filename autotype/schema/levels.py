"""Levels compared and formatted: 1 and True differ, and NaN is equal to NaN."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from autotype.errors import UnwritableTypesError
from autotype.types.codec.json_values import encode
from autotype.types.levels import LevelSet
from autotype.types.nan_equality import nan_key


def membership(levels: Iterable[Any]) -> Callable[[Any], bool]:
    """Return a function that checks whether a level is among `levels`; 1 and True differ."""
    keys = {level_key(level) for level in levels}

    def is_known(level: Any) -> bool:
        try:
            return level_key(level) in keys
        except TypeError:  # a cell without hash is no level
            return False

    return is_known


def level_key(level: Any) -> tuple[bool, Any]:
    """Return a key that is equal for equal levels: 1 and True differ, NaN is equal to NaN."""
    return isinstance(level, (bool, np.bool_)), nan_key(level)


def as_statistic(level: Any) -> Any:
    """Encode a level; an object that no file can hold stays, for schemas that are not written."""
    try:
        return encode(level)
    except UnwritableTypesError:
        return level


def format_levels(levels: LevelSet, *, most: int = 12) -> str:
    """Format levels, omitting inner ones of many.

    Examples
    --------
    >>> format_levels(LevelSet(("S", "M", 3), ("?",), ordered=True))
    "'S' < 'M' < 3 (off the scale: '?')"
    """
    shown = [repr(level) for level in levels.on_scale]
    if len(shown) > most:
        shown = [*shown[: most - 1], "...", shown[-1]]
    off_scale = ", ".join(map(repr, levels.off_scale))
    aside = f" (off the scale: {off_scale})" if off_scale else ""
    return (" < " if levels.ordered else ", ").join(shown) + aside
