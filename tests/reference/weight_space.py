"""Slow references for the weight-space solvers, written from the definitions alone.

The negative log posterior is written out term by term; its gradient is the complex-step
derivative (exact to rounding), its Hessian a central difference of that gradient. Leave-one-out
deletes a row and fits again. Nothing here is shared with the package.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.optimize import minimize
from scipy.special import ndtr, ndtri

Objective = Callable[[np.ndarray], complex]


@dataclass(frozen=True)
class Optimum:
    """Mode, Hessian there, and Laplace's approximation of the log evidence."""

    theta: np.ndarray
    hessian: np.ndarray
    log_evidence: float


def gradient(objective: Objective, theta: np.ndarray) -> np.ndarray:
    """Differentiate by a complex step."""
    step = 1e-30
    grad = np.empty(len(theta))
    for k in range(len(theta)):
        moved = theta.astype(complex)
        moved[k] += 1j * step
        grad[k] = np.imag(objective(moved)) / step
    return grad


def hessian(objective: Objective, theta: np.ndarray) -> np.ndarray:
    """Differentiate the gradient by central differences."""
    step = 1e-5
    columns = []
    for k in range(len(theta)):
        up, down = theta.copy(), theta.copy()
        up[k] += step
        down[k] -= step
        columns.append((gradient(objective, up) - gradient(objective, down)) / (2 * step))
    matrix = np.array(columns)
    return 0.5 * (matrix + matrix.T)


def optimise(objective: Objective, start: np.ndarray, log_prior_det: float) -> Optimum:
    """Minimise tightly, then expand to second order around the minimum."""
    found = minimize(
        lambda theta: float(np.real(objective(theta))),
        start,
        jac=lambda theta: gradient(objective, theta),
        hess=lambda theta: hessian(objective, theta),
        method="trust-exact",
        options={"gtol": 1e-7, "maxiter": 500},
    )
    theta = found.x
    for _ in range(3):  # the trust region stops where the objective no longer changes in float64
        theta = theta - np.linalg.solve(hessian(objective, theta), gradient(objective, theta))
    curvature = hessian(objective, theta)
    log_det = float(np.linalg.slogdet(curvature)[1])
    value = float(np.real(objective(theta)))
    return Optimum(theta, curvature, -value - 0.5 * (log_det + log_prior_det))


def threshold_grid(n_levels: int) -> np.ndarray:
    """Interior points of a uniform grid on [-6, 6]: the prior means of the thresholds."""
    return np.array([-6.0 + 12.0 * k / n_levels for k in range(1, n_levels)])


def logistic(x: np.ndarray) -> np.ndarray:
    """Logistic distribution function of variance 1, of complex numbers, too."""
    return 1 / (1 + np.exp(-np.pi / np.sqrt(3) * x))


def ordinal_objective(
    X: np.ndarray,
    ranks: np.ndarray,
    n_levels: int,
    s2: float,
    c: float,
    distribution: Callable = ndtr,
) -> Objective:
    """-log p(y, w, b) of the ordinal model, without the normalising constants of the priors."""
    d = X.shape[1]
    grid = threshold_grid(n_levels)

    def objective(theta: np.ndarray) -> complex:
        weights, thresholds = theta[:d], theta[d:]
        value = np.sum(weights**2) / (2 * s2) + np.sum((thresholds - c * grid) ** 2) / (2 * c**2)
        for rank in range(n_levels):
            latent = X[ranks == rank] @ weights
            below_upper = distribution(thresholds[rank] - latent) if rank < n_levels - 1 else 1.0
            below_lower = distribution(thresholds[rank - 1] - latent) if rank > 0 else 0.0
            probability = below_upper - below_lower
            if np.any(np.real(probability) <= 0):
                return np.inf
            value = value - np.sum(np.log(probability) + 0.0 * latent)
        return value

    return objective


def ordinal_mode(
    X: np.ndarray,
    ranks: np.ndarray,
    n_levels: int,
    *,
    s2: float,
    c: float,
    distribution: Callable = ndtr,
) -> Optimum:
    """Fit the ordinal model with held hyper-parameters."""
    equal_shares = ndtri(np.arange(1, n_levels) / n_levels)
    start = np.concatenate([np.zeros(X.shape[1]), equal_shares])
    log_prior_det = X.shape[1] * np.log(s2) + (n_levels - 1) * np.log(c**2)
    objective = ordinal_objective(X, ranks, n_levels, s2, c, distribution)
    return optimise(objective, start, log_prior_det)


def ordinal_leave_one_out(
    X: np.ndarray,
    ranks: np.ndarray,
    n_levels: int,
    *,
    s2: float,
    c: float,
    distribution: Callable = ndtr,
) -> tuple[np.ndarray, np.ndarray]:
    """Refit without each row; log probabilities at the mode and averaged over the posterior."""
    n = len(X)
    nodes, weights = np.polynomial.hermite_e.hermegauss(60)
    plug_in, averaged = np.empty(n), np.empty(n)
    for i in range(n):
        others = np.arange(n) != i
        fit = ordinal_mode(
            X[others], ranks[others], n_levels, s2=s2, c=c, distribution=distribution
        )
        covariance = np.linalg.inv(fit.hessian)
        cumulative = []  # P(rank <= k) for k = -1 .. L - 1, both ways
        for k in range(-1, n_levels):
            if k == -1 or k == n_levels - 1:
                cumulative.append((float(k >= 0), float(k >= 0)))
                continue
            direction = np.concatenate([-X[i], np.eye(n_levels - 1)[k]])
            mean, variance = direction @ fit.theta, direction @ covariance @ direction
            around = distribution(mean + np.sqrt(variance) * nodes)
            cumulative.append((distribution(mean), around @ weights / weights.sum()))
        upper, lower = cumulative[ranks[i] + 1], cumulative[ranks[i]]
        plug_in[i] = np.log(upper[0] - lower[0])
        averaged[i] = np.log(upper[1] - lower[1])
    return plug_in, averaged


def softmax_objective(X: np.ndarray, codes: np.ndarray, n_levels: int, s2: float) -> Objective:
    """-log p(y, v, w) of the multi-class model, coefficients class after class, bias first."""
    d = X.shape[1]

    def objective(theta: np.ndarray) -> complex:
        coef = theta.reshape(n_levels, d + 1)
        value = np.sum(coef[:, 0] ** 2) / (2 * 25.0) + np.sum(coef[:, 1:] ** 2) / (2 * s2)
        latent = coef[:, 0] + X @ coef[:, 1:].T
        own = latent[np.arange(len(X)), codes]
        return value - np.sum(own) + np.sum(np.log(np.sum(np.exp(latent), axis=1)))

    return objective


def softmax_mode(X: np.ndarray, codes: np.ndarray, n_levels: int, *, s2: float) -> Optimum:
    """Fit the multi-class model with a held prior variance."""
    d = X.shape[1]
    log_prior_det = n_levels * (np.log(25.0) + d * np.log(s2))
    start = np.zeros(n_levels * (d + 1))
    return optimise(softmax_objective(X, codes, n_levels, s2), start, log_prior_det)


def softmax_leave_one_out(
    X: np.ndarray, codes: np.ndarray, n_levels: int, *, s2: float
) -> tuple[np.ndarray, np.ndarray]:
    """Refit without each row; log probabilities at the mode and with every latent shrunk."""
    n, d = X.shape
    plug_in, averaged = np.empty(n), np.empty(n)
    for i in range(n):
        others = np.arange(n) != i
        fit = softmax_mode(X[others], codes[others], n_levels, s2=s2)
        covariance = np.linalg.inv(fit.hessian)
        x = np.concatenate([[1.0], X[i]])
        latent = fit.theta.reshape(n_levels, d + 1) @ x
        variance = np.empty(n_levels)
        for k in range(n_levels):
            block = slice(k * (d + 1), (k + 1) * (d + 1))
            variance[k] = x @ covariance[block, block] @ x
        shrunk = latent / np.sqrt(1 + np.pi * variance / 8)
        plug_in[i] = latent[codes[i]] - np.log(np.sum(np.exp(latent)))
        averaged[i] = shrunk[codes[i]] - np.log(np.sum(np.exp(shrunk)))
    return plug_in, averaged


def left_out_latents(
    latent: np.ndarray, spread: np.ndarray, code: int, weight: float
) -> tuple[np.ndarray, np.ndarray]:
    """Take one row's softmax likelihood out of the normal posterior of its latents."""
    prob = np.exp(latent) / np.sum(np.exp(latent))
    precision = weight * (np.diag(prob) - np.outer(prob, prob))
    without = np.linalg.inv(np.linalg.inv(spread) - precision)
    return latent + without @ (weight * (prob - np.eye(len(latent))[code])), without
