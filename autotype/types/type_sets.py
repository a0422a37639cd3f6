"""Find the smallest set of types that holds the truth with a stated probability."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from itertools import pairwise


def smallest_set(probabilities: Mapping[str, float], level: float) -> tuple[str, ...]:
    """Return the types of a set, the most probable first.

    Parameters
    ----------
    probabilities : mapping
        Type -> probability; they add to 1.
    level : float
        Probability with which the set holds the truth, in (0, 1).

    Notes
    -----
    A type belongs to the set if the more probable types add up to at most a mass that was found for
    its level on labelled columns, by families that the model had not seen; between the levels of
    the table the mass is interpolated.

    Examples
    --------
    >>> smallest_set({"count": 0.55, "continuous": 0.4, "ordinal": 0.05}, 0.5)
    ('count',)
    """
    if not 0.0 < level < 1.0:
        raise ValueError(f"level must be a number between 0 and 1, got {level!r}")
    most, held = _mass(level), 0.0
    kept: list[str] = []
    for kind, p in sorted(probabilities.items(), key=lambda item: -item[1]):
        if kept and held > most:
            break
        kept.append(kind)
        held += p
    return tuple(kept)


def _mass(level: float) -> float:
    """Return the mass for a level, on straight lines between those of the table."""
    points = [(0.0, 0.0), *_table(), (1.0, 1.0)]
    for (low, below), (high, above) in pairwise(points):
        if level <= high:
            return below + (above - below) * (level - low) / (high - low)
    return 1.0


@cache
def _table() -> tuple[tuple[float, float], ...]:
    stored = json.loads(files("autotype.types").joinpath("type_set.json").read_text("utf-8"))
    return tuple((float(level), float(mass)) for level, mass in stored["levels"].items())
