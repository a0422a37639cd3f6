"""Descent to the minimum of a support-vector dual over its free variables.

The free variables, none at a bound, span a face of the feasible set. There the dual is a parabola,
and the step d to its minimum solves H d + F = A'b, A d = 0: H is the kernel between the rows of the
free variables, F their slopes, row j of A marks those at threshold j, and b are the thresholds.
Where a bound comes first, the step ends there, its variable leaves, and the next step follows.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from scipy.linalg import lapack

from autotype.svm.solvers._dual_face_fast import add_rows, descend_face

if TYPE_CHECKING:
    from autotype.svm.solvers.pair_descent import PairProblem, PairState

_RIDGE = 1e-11  # of the trace; more than a factorisation rounds off


def descend(problem: PairProblem, state: PairState, free: np.ndarray) -> bool:
    """Move the free variables towards the minimum of their face, in place.

    Parameters
    ----------
    problem : PairProblem
        The dual.
    state : PairState
        Where its variables are; `dual`, `flow` and `latent` follow the descent.
    free : ndarray of int
        Variables that are strictly between 0 and their bounds.

    Returns
    -------
    bool
        False, with nothing done, where the kernel between their rows is not positive definite.

    Notes
    -----
    O(m^3 + m n) for m free variables, and O(m^2) for each that meets a bound. The objective never
    rises.
    """
    if len(free) < 2:
        return True
    at, signs = problem.thresholds[free], problem.signs[free]
    factor = _factor(problem, state, free)
    if factor is None:
        return False
    m, n_thresholds = len(free), problem.n_thresholds
    sides = np.zeros((m, 1 + n_thresholds), order="F")
    sides[:, 0] = state.latent[problem.rows[free]] - problem.targets[free]
    sides[np.arange(m), 1 + at] = 1.0
    solved, _ = lapack.dtrtrs(factor, sides, lower=1, overwrite_b=1)
    before = signs * state.dual[free]
    upper = np.where(signs > 0, problem.bounds[free], 0.0)
    t = before.copy()
    descend_face(
        factor.T,
        solved.T,
        at,
        upper - problem.bounds[free],
        upper,
        problem.linked,
        np.empty((3, max(m, n_thresholds)), dtype=np.int32),
        np.empty((n_thresholds, m)),
        np.empty((n_thresholds, n_thresholds)),
        np.empty(n_thresholds),
        np.empty(m),
        state.flow,
        t,
    )
    state.dual[free] = np.clip(signs * t, 0.0, problem.bounds[free])
    add_rows(problem.K, problem.rows[free], t - before, state.latent)
    return True


def _factor(problem: PairProblem, state: PairState, free: np.ndarray) -> np.ndarray | None:
    """Factorise the kernel between the free variables; None where it is not positive definite."""
    rows = problem.rows[free]
    kernel = problem.K[np.ix_(rows, rows)]
    scale = float(np.trace(kernel))
    # Of no effect where A d = 0, this keeps the thresholds well determined.
    group = _groups(problem, state)[problem.thresholds[free]]
    kernel[group[:, None] == group] += scale / len(free)
    kernel[np.diag_indices_from(kernel)] += _RIDGE * scale
    factor, failed = lapack.dpotrf(kernel.T, lower=1, overwrite_a=1, clean=0)
    return None if failed else factor


def _groups(problem: PairProblem, state: PairState) -> np.ndarray:
    """Give each threshold the number of the group that flows keep equal."""
    if not problem.linked:
        return np.arange(problem.n_thresholds)
    return np.append(0, np.cumsum(state.flow[: problem.n_thresholds - 1] <= 0))
