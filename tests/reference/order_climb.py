"""A slow climb over orders: each neighbour of an order is weighed again."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

Weights = Callable[[np.ndarray], np.ndarray]


def neighbours(order: list[int], reach: int) -> list[list[int]]:
    """All orders one swap, insertion or reversal of a stretch away, over at most `reach` places."""
    found = []
    for i in range(len(order)):
        for j in range(max(i - reach, 0), min(i + reach + 1, len(order))):
            rest = order[:i] + order[i + 1 :]
            found.append([*rest[:j], order[i], *rest[j:]])
            if i < j:
                swapped = order.copy()
                swapped[i], swapped[j] = order[j], order[i]
                found.append(swapped)
                found.append(order[:i] + order[i : j + 1][::-1] + order[j + 1 :])
    return [other for other in found if other != order]


def climb(order: list[int], weigh: Weights, *, reach: int | None = None) -> tuple[list[int], float]:
    """Take the best neighbour until none gains; return the last order and its weight."""
    reach = len(order) if reach is None else reach
    weight = float(weigh(np.array([order]))[0])
    while True:
        around = neighbours(order, reach)
        weights = weigh(np.array(around))
        best = int(np.argmax(weights))
        if weights[best] <= weight + 1e-9:
            return order, weight
        order, weight = around[best], float(weights[best])
