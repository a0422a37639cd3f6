"""RedSVM in the primal's own variables, as the plain quadratic program that it is."""

from __future__ import annotations

import numpy as np

from tests.reference.dense_qp import solve_qp


def solve_red_svm_as_printed(X, ranks, costs, n_levels):
    """Minimum over weights and penalised thresholds, every row at every threshold."""
    n_thresholds = n_levels - 1
    rows, at = np.divmod(np.arange(len(X) * n_thresholds), n_thresholds)
    sides = np.where(ranks[rows] > at, 1.0, -1.0)
    extended = np.hstack([X[rows], -np.eye(n_thresholds)[at]])
    n, m = extended.shape
    A = np.hstack([sides[:, None] * extended, np.eye(n), -np.eye(n)])
    P = np.zeros((A.shape[1], A.shape[1]))
    P[:m, :m] = np.eye(m)
    q = np.concatenate([np.zeros(m), costs[rows], np.zeros(n)])
    lower = np.append(np.full(m, -1e3), np.zeros(2 * n))
    x = solve_qp(P, q, lower, np.full(len(q), 1e3), A, np.ones(n))
    return x @ P @ x / 2 + q @ x
