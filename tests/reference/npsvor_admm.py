"""Alternating directions for the duals of kernel NPSVOR, all ranks at once.

The duals of all ranks have the same quadratic term and differ in their bounds only. ADMM splits the
two: one inverse of the kernel serves all ranks, and bounds are a clip. It approaches an optimum
slowly near its end, so Newton steps on the free variables finish what it has begun. This is the
method of the paper of 2016, the slow twin of the pair steps.

It stops by a measure of its own: the distance from the optimum is computed from a solution alone,
the same for every solver.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy.linalg import lapack

from autotype.models.svm.solvers.solution import Solution

_CHECK_EVERY = 20
_RELAXATION = 1.6
_MAX_FACTORS = 12
_MAX_RAISES = 8
_MAX_NEWTON = 15
_RIDGE = 1e-10


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
class RankProblem:
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
    problem: RankProblem, c: np.ndarray, b: np.ndarray, *, n_iter: int, tol: float
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


def solve_kernel_ranks_by_admm(problem: RankProblem, *, tol: float, max_iter: int) -> Solution:
    """Minimise the duals of all ranks by ADMM, ended by exact solves on the free variables.

    Parameters
    ----------
    problem : RankProblem
        The problem.
    tol : float
        Stop at this distance from the optimum: violation of the optimality conditions or relative
        duality gap, whichever is smaller.
    max_iter : int
        Maximum number of iterations.

    Returns
    -------
    Solution

    Notes
    -----
    An inverse of K + rho I for each rho tried, O(n^3), shared by all ranks; an iteration costs
    O(n^2 n_ranks).

    References
    ----------
    Wang, Shi, Niu and Tian (2016), Nonparallel support vector ordinal regression, IEEE
    Transactions on Cybernetics.
    """
    K = np.asarray(problem.K, dtype=np.float64)
    terms = problem.terms()
    # Values are of the order of 1 and coefficients of that of the costs.
    rho = max(float(np.mean(np.diag(K))), 1e-6) / max(
        1.0, float(np.mean(terms.upper - terms.lower))
    )
    inverse, sums, rho = _factor(K, rho)
    n_factors, n_iter = 1, 0
    z = np.zeros_like(terms.lower)
    u = np.zeros_like(terms.lower)
    best_c, best_b = z, np.zeros(problem.n_ranks)
    violation = np.full(problem.n_ranks, np.inf)

    def offer(c: np.ndarray, b: np.ndarray) -> None:
        """Keep the ranks that are nearer to the optimum than before."""
        nonlocal best_c, best_b, violation
        found = distance_from_optimum(terms, c, K @ c + b)
        nearer = found < violation
        best_c, best_b = np.where(nearer, c, best_c), np.where(nearer, b, best_b)
        violation = np.where(nearer, found, violation)

    while n_iter < max_iter:
        n_iter += 1
        v = rho * (z - u)
        # c minimises c'Kc/2 + rho |c - z + u|^2 / 2 subject to 1'c = 0.
        c = inverse @ v
        b = c.sum(axis=0) / sums.sum()  # multiplier of 1'c = 0
        c -= sums[:, None] * b
        # Over-relaxation, z and u see a point beyond c: fewer iterations.
        relaxed = _RELAXATION * c + (1 - _RELAXATION) * z
        before = z
        z = _proximal(relaxed + u, rho, terms)
        u += relaxed - z
        if n_iter % _CHECK_EVERY and n_iter < max_iter:
            continue
        offer(z, b)
        if violation.max() > tol:
            of_ranks = [RankTerms(*rank) for rank in zip(*(part.T for part in terms), strict=True)]
            ranks = zip(z.T, b, of_ranks, strict=True)
            columns, intercepts = zip(*(_newton(K, *rank, rho=rho) for rank in ranks), strict=True)
            offer(np.column_stack(columns), np.array(intercepts))
        if violation.max() <= tol:
            break
        # rho weighs the two residuals against each other; a new one costs a factorisation.
        ratio = _balance(c - z, rho * (z - before), c, u * rho)
        if n_factors < _MAX_FACTORS and not 0.2 < ratio < 5:
            inverse, sums, new = _factor(K, rho * float(np.clip(ratio, 0.05, 20)))
            u *= rho / new
            rho = new
            n_factors += 1
    return solution_at(problem, best_c, best_b, n_iter=n_iter, tol=tol)


def _factor(K: np.ndarray, rho: float) -> tuple[np.ndarray, np.ndarray, float]:
    """Return the inverse of K + rho I, its row sums, and rho, raised if K is not semi-definite."""
    for _ in range(_MAX_RAISES):
        factor, failed = lapack.dpotrf(K + rho * np.eye(len(K)), lower=1, overwrite_a=1)
        if not failed:
            inverse, _ = lapack.dpotri(factor, lower=1, overwrite_c=1)
            inverse = np.tril(inverse) + np.tril(inverse, -1).T
            return inverse, inverse.sum(axis=1), rho
        rho *= 10
    raise ValueError("the kernel has large negative eigenvalues; pass a positive semi-definite one")


def _proximal(point: np.ndarray, rho: float, terms: RankTerms) -> np.ndarray:
    """Minimise h(z) + rho (z - point)^2 / 2: shift, soft threshold, clip."""
    shifted = point + terms.target / rho
    soft = np.sign(shifted) * np.maximum(np.abs(shifted) - terms.tube / rho, 0)
    return np.clip(soft, terms.lower, terms.upper)


def _balance(
    primal: np.ndarray, dual: np.ndarray, primal_scale: np.ndarray, dual_scale: np.ndarray
) -> float:
    """Compute the square root of the relative primal over the relative dual residual."""
    tiny = 1e-12
    one = float(np.linalg.norm(primal)) / max(float(np.linalg.norm(primal_scale)), tiny)
    two = float(np.linalg.norm(dual)) / max(float(np.linalg.norm(dual_scale)), tiny)
    return math.sqrt(max(one, tiny) / max(two, tiny))


def _newton(
    K: np.ndarray, column: np.ndarray, intercept: float, terms: RankTerms, *, rho: float
) -> tuple[np.ndarray, float]:
    """Make semi-smooth Newton steps for one rank, until the set of free variables is the same.

    Each step fixes what is at a bound or 0, solves for the free variables and the intercept, and
    finds the new free variables by a proximal step from there.
    """
    lower, upper, target, tube = terms
    before = None
    for _ in range(_MAX_NEWTON):
        free = (column > lower) & (column < upper) & ((column != 0) | (tube == 0))
        if before is not None and np.array_equal(free, before):
            break
        before = free
        at = np.flatnonzero(free)
        fixed = np.where(free, 0.0, column)
        # Free variables have slope 0: f = t - epsilon sign(c).
        free_values = target[at] - tube[at] * np.sign(column[at])
        system = np.ones((len(at) + 1, len(at) + 1))
        system[:-1, :-1] = K[np.ix_(at, at)]
        system[np.arange(len(at)), np.arange(len(at))] += _RIDGE
        system[-1, -1] = 0.0 if len(at) else 1.0
        rhs = np.append(free_values - K[at] @ fixed, -fixed.sum() if len(at) else intercept)
        _, _, solution, failed = lapack.dsysv(system, rhs)
        if failed:
            break
        fixed[at], intercept = np.ravel(solution)[:-1], float(np.ravel(solution)[-1])
        point = fixed - (K @ fixed + intercept) / rho
        column = _proximal(point, rho, terms)
    return column, intercept
