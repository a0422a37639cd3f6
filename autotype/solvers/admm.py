"""Alternating directions for the dual of kernel NPSVOR, all ranks at once.

With f = K c + b, the dual of rank k is: minimise c'Kc/2 + sum h_i(c_i) subject to 1'c = 0, where
h_i is epsilon |c_i| on [-own_i, own_i] for rows of the rank, and -t_i c_i between 0 and t_i other_i
for the others (eq. (6), with a free intercept).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.linalg import lapack

_CHECK_EVERY = 20
_RELAXATION = 1.6
_MOST_FACTORS = 12
_MOST_RAISES = 8
_MOST_NEWTON = 15
_RIDGE = 1e-10


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
    own_bounds, other_bounds : ndarray of shape (n,)
        Cost of a row's error in the problem of its own rank (C1), and in the others' (C2).
    epsilon : float
        Half width of the tube.
    """

    K: np.ndarray
    ranks: np.ndarray
    n_ranks: int
    own_bounds: np.ndarray
    other_bounds: np.ndarray
    epsilon: float

    def terms(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """Lower and upper bounds, target t and tube of every variable, each (n, n_ranks)."""
        above = self.ranks[:, None] - np.arange(self.n_ranks)
        own, other = self.own_bounds[:, None], self.other_bounds[:, None]
        lower = np.where(above == 0, -own, np.where(above < 0, -other, 0.0))
        upper = np.where(above == 0, own, np.where(above > 0, other, 0.0))
        return lower, upper, np.sign(above).astype(float), np.where(above == 0, self.epsilon, 0.0)


@dataclass(frozen=True)
class KernelRankSolution:
    """Coefficients and intercepts of every rank's function.

    Attributes
    ----------
    coefficients : ndarray of shape (n, n_ranks)
        f_k(x) = sum c_ik K(x_i, x) + b_k.
    intercepts : ndarray of shape (n_ranks,)
        b_k.
    violation : ndarray of shape (n_ranks,)
        Distance from the optimum: the largest violation of the optimality conditions or the
        relative duality gap, whichever is smaller.
    n_iter : int
        Iterations.
    primal, dual : ndarray of shape (n_ranks,)
        Objectives.
    """

    coefficients: np.ndarray
    intercepts: np.ndarray
    violation: np.ndarray
    n_iter: int
    primal: np.ndarray
    dual: np.ndarray


def solve_kernel_ranks(
    problem: KernelRankProblem, *, tol: float, max_iter: int
) -> KernelRankSolution:
    """Minimise the duals of all ranks by ADMM, ended by exact solves on the free variables.

    Parameters
    ----------
    problem : KernelRankProblem
        What to solve.
    tol : float
        Largest distance from the optimum to leave: violation of the optimality conditions or
        relative duality gap, whichever is smaller.
    max_iter : int
        Most iterations.

    Returns
    -------
    KernelRankSolution

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
    lower, upper, target, tube = problem.terms()
    # Values are of the order of 1 and coefficients of that of the costs.
    rho = max(float(np.mean(np.diag(K))), 1e-6) / max(1.0, float(np.mean(upper - lower)))
    inverse, sums, rho = _factor(K, rho)
    n_factors, n_iter = 1, 0
    z = np.zeros_like(lower)
    u = np.zeros_like(lower)
    best = _Candidate(z, np.zeros(problem.n_ranks), np.full(problem.n_ranks, np.inf))
    while n_iter < max_iter:
        n_iter += 1
        v = rho * (z - u)
        c = inverse @ v
        b = c.sum(axis=0) / sums.sum()  # multiplier of 1'c = 0
        c -= sums[:, None] * b
        relaxed = _RELAXATION * c + (1 - _RELAXATION) * z
        before = z
        z = _proximal(relaxed + u, rho, lower, upper, target, tube)
        u += relaxed - z
        if n_iter % _CHECK_EVERY and n_iter < max_iter:
            continue
        best.improve(_Candidate.at(K, z, b, lower, upper, target, tube))
        if best.violation.max() > tol:
            best.improve(_polished(K, z, b, rho, lower, upper, target, tube))
        if best.violation.max() <= tol:
            break
        ratio = _balance(c - z, rho * (z - before), c, u * rho)
        if n_factors < _MOST_FACTORS and not 0.2 < ratio < 5:
            inverse, sums, new = _factor(K, rho * float(np.clip(ratio, 0.05, 20)))
            u *= rho / new
            rho = new
            n_factors += 1
    primal, dual = _objectives(problem, K, best)
    return KernelRankSolution(best.c, best.b, best.violation, n_iter, primal, dual)


def _factor(K: np.ndarray, rho: float) -> tuple[np.ndarray, np.ndarray, float]:
    """Inverse of K + rho I, its row sums, and rho, raised where K is not semi-definite."""
    for _ in range(_MOST_RAISES):
        factor, failed = lapack.dpotrf(K + rho * np.eye(len(K)), lower=1, overwrite_a=1)
        if not failed:
            inverse, _ = lapack.dpotri(factor, lower=1, overwrite_c=1)
            inverse = np.tril(inverse) + np.tril(inverse, -1).T
            return inverse, inverse.sum(axis=1), rho
        rho *= 10
    raise ValueError("the kernel has large negative eigenvalues; pass a positive semi-definite one")


def _proximal(
    point: np.ndarray,
    rho: float,
    lower: np.ndarray,
    upper: np.ndarray,
    target: np.ndarray,
    tube: np.ndarray,
) -> np.ndarray:
    """Minimise h(z) + rho (z - point)^2 / 2: shift, soft threshold, clip."""
    shifted = point + target / rho
    soft = np.sign(shifted) * np.maximum(np.abs(shifted) - tube / rho, 0)
    return np.clip(soft, lower, upper)


def _balance(
    primal: np.ndarray, dual: np.ndarray, primal_scale: np.ndarray, dual_scale: np.ndarray
) -> float:
    """Square root of the relative primal over the relative dual residual."""
    tiny = 1e-12
    one = float(np.linalg.norm(primal)) / max(float(np.linalg.norm(primal_scale)), tiny)
    two = float(np.linalg.norm(dual)) / max(float(np.linalg.norm(dual_scale)), tiny)
    return float(np.sqrt(max(one, 1e-12) / max(two, 1e-12)))


@dataclass
class _Candidate:
    """The best coefficients of each rank so far."""

    c: np.ndarray
    b: np.ndarray
    violation: np.ndarray

    @classmethod
    def at(
        cls,
        K: np.ndarray,
        c: np.ndarray,
        b: np.ndarray,
        lower: np.ndarray,
        upper: np.ndarray,
        target: np.ndarray,
        tube: np.ndarray,
    ) -> _Candidate:
        """Measure how far coefficients are from optimal: by their slopes, or by the gap."""
        f = K @ c + b
        slope = f - target
        up = np.where(c >= 0, slope + tube, slope - tube)  # slope of a step up, and of one down
        down = np.where(c > 0, slope + tube, slope - tube)
        worst = np.maximum(np.where(c < upper, -up, 0), np.where(c > lower, down, 0))
        spread = np.abs(c.sum(axis=0)) / np.maximum(np.abs(c).sum(axis=0), 1e-300)
        # The gap is one only where 1'c = 0: f'c stands for the norm there.
        errors = np.maximum(np.where(target == 0, np.abs(f) - tube, 1 - target * f), 0)
        costs = np.maximum(upper, -lower)
        primal = np.einsum("ik,ik->k", f, c) / 2 + (costs * errors).sum(axis=0)
        gap = np.einsum("ik,ik->k", f, c) + (costs * errors + tube * np.abs(c) - target * c).sum(
            axis=0
        )
        relative = np.abs(gap) / np.maximum(np.abs(primal), np.finfo(float).tiny)
        nearest = np.minimum(np.maximum(worst, 0).max(axis=0), relative)
        return cls(c.copy(), b.copy(), np.maximum(nearest, spread))

    def improve(self, other: _Candidate) -> None:
        """Take over the ranks where the other one is nearer to the optimum."""
        better = other.violation < self.violation
        self.c = np.where(better, other.c, self.c)
        self.b = np.where(better, other.b, self.b)
        self.violation = np.where(better, other.violation, self.violation)


def _polished(
    K: np.ndarray,
    z: np.ndarray,
    b: np.ndarray,
    rho: float,
    lower: np.ndarray,
    upper: np.ndarray,
    target: np.ndarray,
    tube: np.ndarray,
) -> _Candidate:
    """Take Newton steps on the optimality conditions, rank by rank.

    Each step holds what is at a bound or 0, solves for the free variables and the intercept, and
    sorts the variables anew by a proximal step from there.
    """
    c, intercepts = z.copy(), b.copy()
    for k in range(z.shape[1]):
        terms = lower[:, k], upper[:, k], target[:, k], tube[:, k]
        c[:, k], intercepts[k] = _newton(K, z[:, k], b[k], rho, *terms)
    return _Candidate.at(K, c, intercepts, lower, upper, target, tube)


def _newton(
    K: np.ndarray,
    column: np.ndarray,
    intercept: float,
    rho: float,
    lower: np.ndarray,
    upper: np.ndarray,
    target: np.ndarray,
    tube: np.ndarray,
) -> tuple[np.ndarray, float]:
    """Semi-smooth Newton steps for one rank, until the sets settle or rounds run out."""
    before = None
    for _ in range(_MOST_NEWTON):
        free = (column > lower) & (column < upper) & ((column != 0) | (tube == 0))
        if before is not None and np.array_equal(free, before):
            break
        before = free
        at = np.flatnonzero(free)
        fixed = np.where(free, 0.0, column)
        # Free variables have slope 0: f = t - epsilon sign(c).
        wanted = target[at] - tube[at] * np.sign(column[at])
        system = np.ones((len(at) + 1, len(at) + 1))
        system[:-1, :-1] = K[np.ix_(at, at)]
        system[np.arange(len(at)), np.arange(len(at))] += _RIDGE
        system[-1, -1] = 0.0 if len(at) else 1.0
        rhs = np.append(wanted - K[at] @ fixed, -fixed.sum() if len(at) else intercept)
        _, _, solution, failed = lapack.dsysv(system, rhs)
        if failed:
            break
        fixed[at], intercept = np.ravel(solution)[:-1], float(np.ravel(solution)[-1])
        point = fixed - (K @ fixed + intercept) / rho
        column = _proximal(point, rho, lower, upper, target, tube)
    return column, intercept


def _objectives(
    problem: KernelRankProblem, K: np.ndarray, found: _Candidate
) -> tuple[np.ndarray, np.ndarray]:
    """Primal and dual objective of every rank, each of shape (n_ranks,)."""
    _, _, target, tube = problem.terms()
    values = K @ found.c
    norm = np.einsum("ik,ik->k", found.c, values)
    f = values + found.b
    own = target == 0
    errors = np.maximum(np.where(own, np.abs(f) - problem.epsilon, 1 - target * f), 0)
    costs = np.where(own, problem.own_bounds[:, None], problem.other_bounds[:, None])
    dual = -norm / 2 - (tube * np.abs(found.c) - target * found.c).sum(axis=0)
    return norm / 2 + (costs * errors).sum(axis=0), dual
