"""Algorithm 2 of linear NPSVOR for one rank, row after row, as the paper prints it."""

from __future__ import annotations

import numpy as np


def descend(X, ranks, rank, *, own, other, epsilon, squared, tol, max_iter, seed):
    """Return the signed dual variables c (w = sum c_i x_i), and the number of passes.

    X holds the constant feature; the order of the rows is that of `solve_linear_ranks`.
    """
    n = len(X)
    c, w = np.zeros(n), np.zeros(X.shape[1])
    active, margin, first = np.ones(n, dtype=bool), np.inf, None
    orders = row_orders(n, seed)
    for n_iter in range(1, max_iter + 1):
        violations = [0.0]
        for i in next(orders):
            if not active[i]:
                continue
            cost = own[i] if ranks[i] == rank else other[i]
            diagonal, upper = (0.5 / cost, np.inf) if squared else (0.0, cost)
            curvature = X[i] @ X[i] + diagonal
            slope = X[i] @ w + diagonal * c[i]
            if ranks[i] == rank:
                new, violation = own_step(c[i], slope, curvature, upper, epsilon, margin)
            else:
                side = 1.0 if ranks[i] > rank else -1.0
                new, violation = other_step(side * c[i], side * slope, curvature, upper, margin)
                new = None if new is None else side * new
            if new is None:
                active[i] = False
                continue
            violations.append(violation)
            w += (new - c[i]) * X[i]  # eq. (29)
            c[i] = new
        first = sum(violations) if first is None else first
        if sum(violations) > tol * first:  # eq. (31)
            margin = max(violations)  # eq. (34)
        elif active.all():
            return c, n_iter
        else:
            active[:], margin = True, np.inf
    return c, max_iter


def own_step(c, slope, curvature, upper, epsilon, margin):
    """Eqs. (25) to (28), (30) and (33); None if the variable is to be shrunk."""
    above, below = slope + epsilon, slope - epsilon
    if (
        (c == 0 and above > margin and below < -margin)
        or (c >= upper and above < -margin)
        or (c <= -upper and below > margin)
    ):
        return None, 0.0
    if c == 0:
        violation = max(-above, below, 0.0)
    elif c > 0:
        violation = max(above, 0.0) if c >= upper else abs(above)
    else:
        violation = max(-below, 0.0) if c <= -upper else abs(below)
    new = 0.0
    if above < curvature * c:
        new = c - above / curvature
    elif below > curvature * c:
        new = c - below / curvature
    return float(np.clip(new, -upper, upper)), violation


def other_step(a, slope, curvature, upper, margin):
    """Eqs. (21) to (24) and (32) for a = t c; None if the variable is to be shrunk."""
    slope = slope - 1.0
    if (a <= 0 and slope > margin) or (a >= upper and slope < -margin):
        return None, 0.0
    violation = abs(slope)
    if a <= 0:
        violation = max(-slope, 0.0)
    elif a >= upper:
        violation = max(slope, 0.0)
    return float(np.clip(a - slope / curvature, 0.0, upper)), violation


def row_orders(n, seed):
    """Iterate over the orders of the passes, each shuffled from the last one."""
    generator = np.random.default_rng(seed)
    order = list(range(n))
    while True:
        words = generator.integers(2**64, size=(n + 1) // 2, dtype=np.uint64)
        numbers = [int(number) for number in words.view(np.uint32)]
        for k in range(n - 1, 0, -1):
            other = numbers[k] * (k + 1) // 2**32
            order[k], order[other] = order[other], order[k]
        yield list(order)
