"""The duals of kernel support-vector ordinal regression, by pair steps and descents on a face.

In t = signs * dual and with f = K coefficients, all of them read: minimise the norm of f less
sum targets t, each dual variable between 0 and its bound, the t of each threshold summing to 0.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from autotype.svm.solvers._smo_fast import minimise_pairs
from autotype.svm.solvers.dual_face import descend

# A descent over m of n variables may come after so many steps, or as many as m^3 / n times so much.
_FIRST, _FIRST_SHARE = 200, 1 / 30
_LATER, _LATER_SHARE = 25, 1 / 100  # since the last one; later ones drop fewer variables
_FEWER = 200  # and at least one in so many of all steps before, should they lead nowhere


@dataclass(frozen=True)
class PairProblem:
    """A dual whose variables move in pairs.

    Attributes
    ----------
    K : ndarray of shape (n, n)
        Kernel of the rows, C-contiguous.
    rows : ndarray of int32, shape (n_variables,)
        Row of each variable; those of one row stand together.
    thresholds : ndarray of int32, shape (n_variables,)
        Threshold that each acts at.
    signs : ndarray of shape (n_variables,)
        +1 where a variable raises its row's coefficient, -1 where it lowers it.
    targets : ndarray of shape (n_variables,)
        What a free variable wants f less its threshold to be.
    bounds : ndarray of shape (n_variables,)
        Largest values of the variables.
    n_thresholds : int
        Number of thresholds.
    linked : bool
        Whether thresholds are held in order, by flows between them.
    """

    K: np.ndarray
    rows: np.ndarray
    thresholds: np.ndarray
    signs: np.ndarray
    targets: np.ndarray
    bounds: np.ndarray
    n_thresholds: int
    linked: bool


@dataclass
class PairState:
    """Where the variables are.

    Attributes
    ----------
    dual : ndarray of shape (n_variables,)
        Variables.
    flow : ndarray of shape (n_thresholds - 1,)
        Multipliers of the thresholds' order; 0 where they are not linked.
    latent : ndarray of shape (n,)
        f of the rows.
    highest, lowest : ndarray of shape (n_thresholds,)
        Largest f - target of the variables whose t can fall, smallest of those whose t can rise.
    n_steps : int
        Pair steps taken.
    converged : bool
        Whether no pair violates optimality by more than the tolerance.
    """

    dual: np.ndarray
    flow: np.ndarray
    latent: np.ndarray
    highest: np.ndarray
    lowest: np.ndarray
    n_steps: int = 0
    converged: bool = False

    @classmethod
    def origin(cls, problem: PairProblem) -> PairState:
        """Start where all variables are 0."""
        n, n_thresholds = len(problem.K), problem.n_thresholds
        return cls(
            dual=np.zeros(len(problem.rows)),
            flow=np.zeros(n_thresholds - 1),
            latent=np.zeros(n),
            highest=np.empty(n_thresholds),
            lowest=np.empty(n_thresholds),
        )

    def coefficients(self, problem: PairProblem) -> np.ndarray:
        """Sum the variables of each row: shape (n,)."""
        t = problem.signs * self.dual
        return np.bincount(problem.rows, weights=t, minlength=len(problem.K))


def minimise_by_pairs(problem: PairProblem, *, tol: float, max_iter: int) -> PairState:
    """Minimise a dual by steps over the most violating pairs, second order.

    Parameters
    ----------
    problem : PairProblem
        What to solve.
    tol : float
        Largest violation of the optimality conditions to leave.
    max_iter : int
        Most pair steps.

    Returns
    -------
    PairState

    Notes
    -----
    Pair steps, O(n_variables) each, soon find the variables that are at a bound, and then crawl. So
    after some of them the others go to their joint minimum, as far as bounds allow
    (`dual_face.descend`), and pair steps move what that leaves in violation.
    A descent waits until pair steps have cost about as much as it may. Where the kernel is not
    positive definite, pair steps go on alone.
    """
    state = PairState.origin(problem)
    step = _PairSteps(problem, tol)
    start, steps, share = 0, _FIRST, _FIRST_SHARE  # start: where the last descent was
    while True:
        step.take(state, min(start + steps, max_iter) - state.n_steps)
        if state.converged or state.n_steps >= max_iter:
            return state
        free = np.flatnonzero((state.dual > 0) & (state.dual < problem.bounds))
        due = int(share * len(free) ** 3 / len(problem.rows))
        if start == 0:  # each variable takes a step to leave 0
            due = max(due, int(np.count_nonzero(state.dual)))
        if state.n_steps - start < due:
            steps = due
        elif descend(problem, state, free):
            start, share = state.n_steps, _LATER_SHARE
            steps = max(_LATER, state.n_steps // _FEWER)
        else:
            steps = max_iter


class _PairSteps:
    """The compiled pair steps with the memory that they work in."""

    def __init__(self, problem: PairProblem, tol: float):
        n, n_variables = len(problem.K), len(problem.rows)
        self._given = (
            problem.K,
            np.ascontiguousarray(np.diag(problem.K)),
            problem.rows,
            problem.thresholds,
            problem.signs,
            problem.targets,
            problem.bounds,
            problem.linked,
            tol,
        )
        self._work = (
            np.empty(n_variables, dtype=np.int32),
            np.empty(n_variables, dtype=np.uint8),
            np.empty(n_variables),
            np.empty(n, dtype=np.int32),
            np.empty(n),
            np.empty(problem.n_thresholds, dtype=np.int32),
        )

    def take(self, state: PairState, n_steps: int) -> None:
        """Take at most so many pair steps."""
        taken = minimise_pairs(
            *self._given,
            n_steps,
            *self._work,
            state.dual,
            state.flow,
            state.latent,
            state.highest,
            state.lowest,
        )
        state.converged = taken >= 0
        state.n_steps += taken if state.converged else n_steps
