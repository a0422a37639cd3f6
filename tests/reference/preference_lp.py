"""Zhu and Goldberg eq. (7) as printed, for scipy.optimize.linprog."""

from __future__ import annotations

import numpy as np
from scipy.optimize import linprog


def printed_program(problem, lambda1, lambda2):
    """Arguments of linprog over the variables (alpha, alpha_0, xi, eta, nu).

    Unary preferences, which the paper describes in words, have the intercept in their rows.
    """
    K, y = problem.K, problem.y
    (n, m), p = K.shape, len(problem.difference)
    rows = np.vstack([problem.K_rows, np.zeros(m)])
    M = rows[problem.above] - rows[problem.below]
    I_n, I_m, one, zero = np.eye(n), np.eye(m), np.ones((n, 1)), np.zeros
    inequalities = [
        # y - K alpha - alpha_0 <= xi + epsilon, and its mirror image
        (np.hstack([-K, -one, -I_n, zero((n, m + p))]), problem.epsilon - y),
        (np.hstack([K, one, -I_n, zero((n, m + p))]), problem.epsilon + y),
        # -eta <= alpha <= eta
        (np.hstack([I_m, zero((m, 1 + n)), -I_m, zero((m, p))]), zero(m)),
        (np.hstack([-I_m, zero((m, 1 + n)), -I_m, zero((m, p))]), zero(m)),
        # (K_i - K_j) alpha >= d - nu
        (
            np.hstack([-M, -problem.sides[:, None], zero((p, n + m)), -np.eye(p)]),
            -problem.difference,
        ),
    ]
    slack_cost = lambda2 / max(p, 1) * problem.weight
    return {
        "c": np.concatenate([zero(m + 1), problem.costs, np.full(m, lambda1), slack_cost]),
        "A_ub": np.vstack([left for left, _ in inequalities]),
        "b_ub": np.concatenate([right for _, right in inequalities]),
        "bounds": [(None, None)] * (m + 1) + [(0, None)] * (n + m + p),
    }


def solve_printed(problem, lambda1, lambda2, method="highs"):
    """Minimum of eq. (7), and the alpha and alpha_0 that reach it."""
    result = linprog(**printed_program(problem, lambda1, lambda2), method=method)
    assert result.status == 0, result.message
    m = problem.K.shape[1]
    return result.fun, result.x[:m], result.x[m]
