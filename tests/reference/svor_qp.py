"""Both SVOR problems in the primal's own variables, as plain quadratic programs.

Variables: coefficients of a factor of the kernel, thresholds, errors. Nothing is dualised.
"""

from __future__ import annotations

import numpy as np

from tests.reference.dense_qp import solve_qp

_FAR = 1e3


def solve_svor(K, ranks, costs, n_levels, *, explicit):
    """Minimum of the primal objective."""
    n = len(ranks)
    values, vectors = np.linalg.eigh(K)
    factor = vectors * np.sqrt(np.maximum(values, 0))
    pairs = [
        (i, j, 1.0 if ranks[i] > j else -1.0)
        for i in range(n)
        for j in range(n_levels - 1)
        if not explicit or ranks[i] in (j, j + 1)
    ]
    order = [(j, j + 1) for j in range(n_levels - 2)] if explicit else []
    n_main, n_pairs = n + n_levels - 1, len(pairs)
    n_all = n_main + 2 * n_pairs + len(order)  # errors and slacks of the pairs, slacks of the order
    P = np.zeros((n_all, n_all))
    P[:n, :n] = np.eye(n)
    q = np.zeros(n_all)
    A = np.zeros((n_pairs + len(order), n_all))
    b = np.concatenate([np.ones(n_pairs), np.zeros(len(order))])
    for row, (i, j, sign) in enumerate(pairs):
        A[row, :n] = sign * factor[i]
        A[row, n + j] = -sign
        A[row, n_main + row] = 1.0
        A[row, n_main + n_pairs + row] = -1.0
        q[n_main + row] = costs[i]
    for row, (j, above) in enumerate(order, start=n_pairs):
        A[row, n + above], A[row, n + j] = 1.0, -1.0
        A[row, n_main + n_pairs + row] = -1.0
    lower = np.concatenate([np.full(n_main, -_FAR), np.zeros(n_all - n_main)])
    x = solve_qp(P, q, lower, np.full(n_all, _FAR), A, b)
    return x @ P @ x / 2 + q @ x
