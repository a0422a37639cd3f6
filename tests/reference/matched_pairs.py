"""Reference for the neighbour search: all pairs of rows, one after another."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping
from typing import Any

import pandas as pd

EARTH_RADIUS_KM = 6371.0088


def great_circle(latitude, longitude, other_latitude, other_longitude) -> float:
    """Compute kilometres by the haversine formula, on a sphere."""
    a, b = math.radians(latitude), math.radians(other_latitude)
    turn = math.radians(longitude - other_longitude)
    h = math.sin((a - b) / 2) ** 2 + math.cos(a) * math.cos(b) * math.sin(turn / 2) ** 2
    return 2 * EARTH_RADIUS_KM * math.asin(min(1.0, math.sqrt(h)))


def match(one: Mapping[Any, Any], other: Mapping[Any, Any], within: Mapping[Any, Any]) -> bool:
    for key, limit in within.items():
        names = key if isinstance(key, tuple) else (key,)
        if any(pd.isna(row[name]) for row in (one, other) for name in names):
            return False
        if isinstance(key, tuple):
            places = [row[name] for row in (one, other) for name in names]
            if great_circle(*places) > limit:
                return False
        elif limit is None:
            if one[key] != other[key]:
                return False
        elif abs(one[key] - other[key]) > limit * (1 + 1e-9):
            return False
    return True


def all_matched_pairs(frame: pd.DataFrame, column: Any, within: Mapping[Any, Any]) -> set:
    """Return pairs (above, below) of row numbers; the row above has the larger value."""
    rows = frame.to_dict("records")
    return {
        (i, j)
        for (i, one), (j, other) in itertools.permutations(enumerate(rows), 2)
        if one[column] > other[column] and match(one, other, within)
    }
