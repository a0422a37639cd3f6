"""The dual of NPSVOR, eq. (6), as the plain quadratic program that it is."""

from __future__ import annotations

import numpy as np

from tests.reference.dense_qp import solve_qp


def solve_rank(K, ranks, rank, *, own, other, epsilon, squared=False, balanced=False):
    """Solve one rank's dual; `own` and `other` are the costs of each row.

    With `balanced` the signed variables sum to 0, which stands for a free intercept.

    Returns the signed variables c (w = sum c_i x_i) and the value of the minimum.
    """
    n = len(ranks)
    mine = np.flatnonzero(ranks == rank)
    rest = np.flatnonzero(ranks != rank)
    rows = np.concatenate([mine, mine, rest])
    side = np.where(ranks[rest] > rank, 1.0, -1.0)
    signs = np.concatenate([np.ones(len(mine)), -np.ones(len(mine)), side])
    cost = np.concatenate([own[mine], own[mine], other[rest]])
    q = np.concatenate([np.full(2 * len(mine), epsilon), -np.ones(len(rest))])
    P = signs[:, None] * K[np.ix_(rows, rows)] * signs
    upper = cost
    if squared:
        P = P + np.diag(0.5 / cost)
        upper = np.full(len(cost), 1e4)
    A, b = (signs[None, :], np.zeros(1)) if balanced else (None, None)
    x = solve_qp(P, q, np.zeros(len(q)), upper, A, b)
    c = np.zeros(n)
    np.add.at(c, rows, signs * x)
    return c, x @ P @ x / 2 + q @ x


def solve_rank_as_printed(X, ranks, rank, *, own, other, epsilon, free_intercept):
    """Solve eq. (2) in its own variables: weights, intercept, errors; nothing is dualised.

    Without a free intercept it is eq. (4), and a constant feature of X may stand for one. Returns
    the value of the minimum.
    """
    m = X.shape[1]
    mine, rest = np.flatnonzero(ranks == rank), np.flatnonzero(ranks != rank)
    rows = np.concatenate([mine, mine, rest])
    side = np.where(ranks[rest] > rank, 1.0, -1.0)
    # side * f + error - slack = bound, of eq. (2b) twice and of (2c) and (2d)
    sides = np.concatenate([np.ones(len(mine)), -np.ones(len(mine)), side])
    bounds = np.concatenate([np.full(2 * len(mine), -epsilon), np.ones(len(rest))])
    features = np.hstack([X, np.ones((len(X), 1))])
    n = len(rows)
    A = np.hstack([sides[:, None] * features[rows], np.eye(n), -np.eye(n)])
    P = np.zeros((A.shape[1], A.shape[1]))
    P[:m, :m] = np.eye(m)
    costs = np.concatenate([own[mine], own[mine], other[rest]])
    q = np.concatenate([np.zeros(m + 1), costs, np.zeros(n)])
    far = np.full(m + 1, 1e3)
    far[m] = 1e3 if free_intercept else 1e-9
    lower, upper = np.append(-far, np.zeros(2 * n)), np.append(far, np.full(2 * n, 1e3))
    x = solve_qp(P, q, lower, upper, A, bounds)
    return x @ P @ x / 2 + q @ x
