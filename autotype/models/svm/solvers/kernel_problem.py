"""The dual problems of kernel NPSVOR, how far a point is from their optimum, and their solution.

With f = K c + b, the dual of rank k is: minimise c'Kc/2 + sum h_i(c_i) subject to 1'c = 0, where
h_i is epsilon |c_i| on [-own_i, own_i] for rows of the rank, and -t_i c_i between 0 and t_i other_i
for the others (eq. (6), with a free intercept).

A solver stops by a measure of its own. The distance from the optimum is computed here from a
solution alone, the same for every solver.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from autotype.models.svm.solvers.solution import Solution


class RankTerms(NamedTuple):
    """Parts of h_i, for every row and rank: arrays of shape (n, n_ranks), or (n,) for one.

    Attributes
    ----------
    lower, upper : ndarray
        Bounds of the variables.
    target : ndarray
        t: +1 above the rank, -1 below it, 0 on it.
    tube : ndarray
        epsilon on the rank, 0 elsewhere.
    """

    lower: np.ndarray
    upper: np.ndarray
    target: np.ndarray
    tube: np.ndarray

    @property
    def costs(self) -> np.ndarray:
        """Cost of an error."""
        return np.maximum(self.upper, -self.lower)

    def errors(self, f: np.ndarray) -> np.ndarray:
        """Compute the errors of function values in the primal problem."""
        return np.maximum(np.where(self.target == 0, np.abs(f) - self.tube, 1 - self.target * f), 0)


@dataclass(frozen=True)
class KernelRankProblem:
    """The dual problems of all ranks.

    Attributes
    ----------
    K : ndarray of shape (n, n)
        Kernel of the rows.
    ranks : ndarray of int, shape (n,)
        Ranks 0 .. n_ranks - 1.
    n_ranks : int
        Number of ranks.
    own_costs, other_costs : ndarray of shape (n,)
        Cost of a row's error in the problem of its own rank (C1), and in the others' (C2).
    epsilon : float
        Half width of the tube.
    """

    K: np.ndarray
    ranks: np.ndarray
    n_ranks: int
    own_costs: np.ndarray
    other_costs: np.ndarray
    epsilon: float

    def terms(self) -> RankTerms:
        """Compute bounds, targets and tubes of all variables."""
        above = self.ranks[:, None] - np.arange(self.n_ranks)
        own, other = self.own_costs[:, None], self.other_costs[:, None]
        return RankTerms(
            lower=np.where(above == 0, -own, np.where(above < 0, -other, 0.0)),
            upper=np.where(above == 0, own, np.where(above > 0, other, 0.0)),
            target=np.sign(above).astype(float),
            tube=np.where(above == 0, self.epsilon, 0.0),
        )


def solution_at(
    problem: KernelRankProblem, c: np.ndarray, b: np.ndarray, *, n_iter: int, tol: float
) -> Solution:
    """Compute objectives and distance from the optimum at coefficients and intercepts."""
    terms = problem.terms()
    values = problem.K @ c
    norm = np.einsum("ik,ik->k", c, values)
    violation = distance_from_optimum(terms, c, values + b)
    primal = norm / 2 + (terms.costs * terms.errors(values + b)).sum(axis=0)
    dual = -norm / 2 - (terms.tube * np.abs(c) - terms.target * c).sum(axis=0)
    return Solution(c, b, n_iter, bool(violation.max() <= tol), primal, dual, violation)


def distance_from_optimum(terms: RankTerms, c: np.ndarray, f: np.ndarray) -> np.ndarray:
    """Return the violation of the optimality conditions or the relative gap, if that is smaller.

    Parameters
    ----------
    terms : RankTerms
        The problems.
    c, f : ndarray of shape (n, n_ranks)
        Coefficients within their bounds, and the functions K c + b.

    Returns
    -------
    ndarray of shape (n_ranks,)
        Never below the relative violation of 1'c = 0.
    """
    lower, upper, target, tube = terms
    slope = f - target
    up = np.where(c >= 0, slope + tube, slope - tube)  # slope of a step up, and of one down
    down = np.where(c > 0, slope + tube, slope - tube)
    # At the optimum no step that the bounds allow goes down.
    worst = np.maximum(np.where(c < upper, -up, 0), np.where(c > lower, down, 0))
    # Pair steps keep 1'c = 0 up to rounding; other solvers may reach it in the limit only.
    spread = np.abs(c.sum(axis=0)) / np.maximum(np.abs(c).sum(axis=0), 1e-300)
    # Valid only if 1'c = 0, which makes f'c the squared norm.
    lost = terms.costs * terms.errors(f)
    primal = np.einsum("ik,ik->k", f, c) / 2 + lost.sum(axis=0)
    gap = np.einsum("ik,ik->k", f, c) + (lost + tube * np.abs(c) - target * c).sum(axis=0)
    relative = np.abs(gap) / np.maximum(np.abs(primal), np.finfo(float).tiny)
    return np.maximum(np.minimum(np.maximum(worst, 0).max(axis=0), relative), spread)
