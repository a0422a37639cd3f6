"""Dual coordinate descent for the linear RedSVM: one direction and L - 1 thresholds.

Lin and Li's reduction turns every row into one binary example per threshold j, (x_i, -e_j),
labelled +1 if the rank lies above it:

    min (|w|^2 + |b|^2) / 2 + sum_i C_i sum_j loss(1 - t_ij (w'x_i - b_j))

Written out, the examples would be L - 1 copies of the data. The examples of a row differ in their
threshold only, so the solver visits them together and reads the row once.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autotype.models.svm.solvers._dual_coordinate_fast import red_svm_pass
from autotype.models.svm.solvers.linear_problem import squared_norms
from autotype.models.svm.solvers.solution import Solution


def solve_red_svm(
    X: Any,
    ranks: np.ndarray,
    costs: np.ndarray,
    *,
    n_levels: int,
    squared: bool,
    tol: float,
    max_iter: int,
    seed: int,
) -> Solution:
    """Minimise the dual of RedSVM, all thresholds of a row in one visit.

    Parameters
    ----------
    X : csr_matrix of shape (n, m)
        Rows.
    ranks : ndarray of int32, shape (n,)
        Ranks 0 .. n_levels - 1.
    costs : ndarray of shape (n,)
        Cost of an error of each row.
    n_levels : int
        Number of levels.
    squared : bool
        Whether errors are squared.
    tol : float
        Stop when a pass' sum of violations is below `tol` times the first pass'.
    max_iter : int
        Maximum number of passes.
    seed : int
        Seed of the rows' random order.

    Returns
    -------
    Solution
        Weights of the features, and thresholds that are not sorted by construction.

    References
    ----------
    Lin and Li (2012), Reduction from cost-sensitive ordinal ranking to weighted binary
    classification, Neural Computation 24(5).
    """
    n = X.shape[0]
    norms = squared_norms(X, 0.0)
    allowed = np.repeat((costs > 0).astype(np.uint8)[:, None], n_levels - 1, axis=1)
    active = allowed.copy()
    dual = np.zeros((n, n_levels - 1))
    weights = np.zeros(X.shape[1], dtype=X.dtype)
    thresholds = np.zeros(n_levels - 1)
    shrunk = np.zeros(1, dtype=np.int64)
    generator = np.random.default_rng(seed)
    margin, first, converged, n_iter = np.inf, np.nan, False, 0
    while n_iter < max_iter and not converged:
        violation, largest = np.zeros(1), np.zeros(1)
        order = generator.permutation(np.arange(n, dtype=np.int32))
        given = X.data, X.indices, X.indptr, order, ranks, costs, norms, squared, margin
        red_svm_pass(*given, active, dual, weights, thresholds, violation, largest, shrunk)
        first = violation[0] if n_iter == 0 else first
        n_iter += 1
        margin = largest[0]
        if violation[0] <= tol * first:
            # Optimal on the variables left: if any are shrunk, check it on all of them.
            converged = bool(shrunk[0] == 0)
            active[:], shrunk[0], margin = allowed, 0, np.inf
    side = np.where(ranks[:, None] > np.arange(len(thresholds)), 1.0, -1.0)
    error = np.maximum(1 - side * ((X @ weights)[:, None] - thresholds), 0)
    norm = float(weights.astype(np.float64) @ weights + thresholds @ thresholds)
    value = -norm / 2 + float(np.sum(side * dual))
    if squared:
        counted = costs > 0
        value -= float(np.sum(dual[counted] ** 2 / costs[counted, None])) / 4
        error *= error
    primal = norm / 2 + float(costs @ error.sum(axis=1))
    return Solution(weights, thresholds, n_iter, converged, primal, value)
