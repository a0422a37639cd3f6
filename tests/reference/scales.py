"""The scales of a frame by comparing all pairs, and orders weighed one by one."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import permutations
from typing import Any

import numpy as np

from autotype.inference.column import Column
from autotype.inference.evidence.order_search import order_log_weights
from autotype.inference.scales.find_scales import _equal_groups, _fit, _Group, _is_shared, _size


def reference_scales(columns: Sequence[Column]) -> list[list[Any]]:
    """Return the names of the columns of each scale, each group compared with every scale."""
    scales: list[_Group] = []
    for group in sorted(_equal_groups(columns, [()] * len(columns)), key=_size):
        fits = [_fit(scale, group) if scale.bucket == group.bucket else None for scale in scales]
        best = max((fit for fit in fits if fit is not None), default=None)
        if best is not None:
            scales[fits.index(best)].add(group)
        elif len(group.levels) >= 3:
            scales.append(group)
    found = [
        sorted(scale.columns, key=lambda c: c.position) for scale in filter(_is_shared, scales)
    ]
    return [[c.name for c in members] for members in sorted(found, key=lambda m: m[0].position)]


def reference_pooled_weights(
    columns: Sequence[Column], levels: Sequence[Any]
) -> dict[tuple, float]:
    """Return the posterior weight of each order of the levels, by the columns that hold some."""
    weights = {}
    for order in permutations(levels):
        if order[::-1] in weights:
            continue
        total = 0.0
        for column in columns:
            own = [column.scale.index(level) for level in order if level in column.scale]
            total += float(order_log_weights(column.data.scatter, np.array([own]))[0])
        weights[order] = math.exp(total / math.sqrt(len(columns)))
    return {order: weight / sum(weights.values()) for order, weight in weights.items()}
