"""Multi-class regression in weight space: the unordered counterpart of `ordinal_laplace.py`.

Every class k has a latent function f_k = v_k + X w_k with w_k ~ N(0, s2 I) and v_k ~ N(0, 25);
P(y = k) is the softmax of f. Laplace's approximation, s2 learned inside the Newton loop.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from scipy.special import logsumexp

from autotype.gaussian_process.solvers.newton import NewtonState
from autotype.gaussian_process.solvers.posterior import ApproximatePosterior
from autotype.gaussian_process.weight_space.laplace import (
    MAX_WEIGHT_VARIANCE,
    MIN_WEIGHT_VARIANCE,
    LeaveOneOut,
    fit_laplace,
    latent_covariances,
)

BIAS_VARIANCE = 25.0
_MAX_PRODUCTS = 4_000_000  # entries of an array of products: 32 MB
_LEAST_LOG_PROB = -30.0  # of a row left out: one outlier does not decide between two models


@dataclass(frozen=True)
class SoftmaxPosterior(ApproximatePosterior):
    """Laplace approximation of the posterior of the multi-class model.

    Attributes
    ----------
    coef : ndarray of shape (L, d + 1)
        Posterior mode, the bias first.
    covariance : ndarray of shape (L (d + 1), L (d + 1))
        Inverse Hessian at the mode, class after class.
    weight_variance : float
        s2, the prior variance of a weight.
    """

    coef: np.ndarray
    covariance: np.ndarray
    weight_variance: float


@dataclass(frozen=True)
class SoftmaxState(NewtonState):
    """Weights of all classes, class after class, log class probabilities and the loss."""

    log_prob: np.ndarray
    loss: float


class SoftmaxProblem:
    """The data of one fit, and the objective with its derivatives.

    Parameters
    ----------
    X : ndarray of shape (n, d)
        Design matrix, columns on comparable scales.
    codes : ndarray of int, shape (n,)
        Classes 0 .. n_levels - 1.
    n_levels : int
        L >= 2.
    sample_weight : ndarray of shape (n,), optional
        Factors of the log likelihood terms, > 0; 1 by default.
    """

    def __init__(
        self,
        X: np.ndarray,
        codes: np.ndarray,
        n_levels: int,
        sample_weight: np.ndarray | None = None,
    ) -> None:
        self.X = np.column_stack([np.ones(len(X)), X])
        self.codes = np.asarray(codes, dtype=np.intp)
        self.n_levels = n_levels
        self.indicator = np.zeros((len(X), n_levels))
        self.sample_weight = np.ones(len(X)) if sample_weight is None else sample_weight
        self.indicator[np.arange(len(X)), self.codes] = self.sample_weight
        self._kept: np.ndarray | None = None

    @property
    def n_features(self) -> int:
        """d, the number of columns without the bias."""
        return self.X.shape[1] - 1

    def start(self) -> np.ndarray:
        """Weights zero, biases at the centred log shares."""
        coef = np.zeros((self.n_levels, self.X.shape[1]))
        # Half a row more of each class keeps the logs finite.
        share = np.log(self.indicator.sum(axis=0) + 0.5)
        coef[:, 0] = share - share.mean()
        return coef.ravel()

    def precision(self, s2: float) -> np.ndarray:
        """Prior precision of one class' weights, bias first."""
        return np.concatenate([[1.0 / BIAS_VARIANCE], np.full(self.n_features, 1.0 / s2)])

    def coef(self, position: np.ndarray) -> np.ndarray:
        """Weights class by class, shape (L, d + 1)."""
        return position.reshape(self.n_levels, -1)

    def state(self, position: np.ndarray, scales: tuple[float, ...]) -> SoftmaxState:
        """Evaluate the negative log posterior, up to the priors' constants."""
        coef = self.coef(position)
        latent = self.X @ coef.T
        log_prob = latent - logsumexp(latent, axis=1, keepdims=True)
        loss = -self.sample_weight @ log_prob[np.arange(len(self.codes)), self.codes]
        return self.rescaled(SoftmaxState(position, np.inf, log_prob, loss), scales)

    def rescaled(self, state: SoftmaxState, scales: tuple[float, ...]) -> SoftmaxState:
        """Return the state of the same position at other scales."""
        prior = 0.5 * np.sum(self.precision(scales[0]) * self.coef(state.position) ** 2)
        return replace(state, objective=float(state.loss + prior))

    def derivatives(
        self, state: SoftmaxState, scales: tuple[float, ...]
    ) -> tuple[np.ndarray, np.ndarray]:
        """Gradient and Hessian (lower triangle) of the negative log posterior."""
        prob = np.exp(state.log_prob)
        pi = self.sample_weight[:, None] * prob
        prior = self.precision(scales[0]) * self.coef(state.position)
        gradient = (pi - self.indicator).T @ self.X + prior
        return gradient.ravel(), self.hessian(prob, scales[0])

    def hessian(self, prob: np.ndarray, s2: float) -> np.ndarray:
        """Hessian of the objective, lower triangle, shape (L (d + 1), L (d + 1)).

        The block of two classes is -X' diag(p_k p_l) X. Class probabilities sum to one, so the
        block of a class with itself is minus the sum of its others.
        """
        p = self.X.shape[1]
        first, second = np.triu_indices(self.n_levels, 1)
        pairs = self.sample_weight[:, None] * prob[:, first] * prob[:, second]
        sums = sum(pairs[part].T @ products for part, products in self._products())
        rows, columns = np.tril_indices(p)
        blocks = np.empty((len(first), p, p))
        blocks[:, rows, columns] = blocks[:, columns, rows] = sums
        hessian = np.zeros((self.n_levels, p, self.n_levels, p))
        for k, other, block in zip(first, second, blocks, strict=True):
            hessian[k, :, other] = -block
            hessian[k, :, k] += block
            hessian[other, :, other] += block
        square = hessian.reshape(self.n_levels * p, -1)
        square[np.diag_indices_from(square)] += np.tile(self.precision(s2), self.n_levels)
        return square.T  # the blocks above the diagonal were filled

    def _products(self) -> Iterator[tuple[slice, np.ndarray]]:
        """Yield the products of all pairs of columns, shape (rows, (d + 1) (d + 2) / 2), in parts.

        A single part is kept, for the next Newton step.
        """
        rows, columns = np.tril_indices(self.X.shape[1])
        n_rows = max(_MAX_PRODUCTS // len(rows), 1)
        if self._kept is not None:
            yield slice(None), self._kept
            return
        for start in range(0, len(self.X), n_rows):
            part = slice(start, start + n_rows)
            products = self.X[part, rows] * self.X[part, columns]
            if n_rows >= len(self.X):
                self._kept = products
            yield part, products

    def updated_scales(
        self, state: SoftmaxState, variance: np.ndarray, scales: tuple[float, ...]
    ) -> tuple[float, ...]:
        """MacKay's update of s2; only L - 1 of the L weight vectors are free to learn."""
        (s2,) = scales
        if not self.n_features:
            return scales
        weights = self.coef(state.position)[:, 1:]
        variance = self.coef(variance)[:, 1:]
        n_well_determined = max(weights.size - variance.sum() / s2, 1e-3)
        new_s2 = float(np.sum(weights**2)) / n_well_determined
        return (float(np.clip(new_s2, MIN_WEIGHT_VARIANCE, MAX_WEIGHT_VARIANCE)),)

    def log_prior_determinant(self, scales: tuple[float, ...]) -> float:
        """Log determinant of the prior covariance of all classes' weights."""
        return -self.n_levels * float(np.log(self.precision(scales[0])).sum())


def fit_softmax(
    problem: SoftmaxProblem,
    *,
    weight_variance: float = 0.1,
    learn: bool = True,
    tol: float = 1e-9,
    max_iter: int = 60,
) -> SoftmaxPosterior:
    """Fit the multi-class model and its prior variance in one loop.

    Parameters
    ----------
    problem : SoftmaxProblem
        The data.
    weight_variance : float
        Start of s2, or its value where `learn` is false.
    learn : bool
        Whether to learn s2 by MacKay's update after every Newton step.
    tol : float
        Bound on half the squared Newton decrement, in nats.
    max_iter : int
        Most Newton steps.

    Returns
    -------
    SoftmaxPosterior

    Notes
    -----
    A step costs O(n (L d)^2 + (L d)^3).

    Examples
    --------
    >>> import numpy as np
    >>> x = np.linspace(-2, 2, 60)[:, None]
    >>> fit = fit_softmax(SoftmaxProblem(x, np.digitize(x[:, 0], [-1, 0.5]), 3))
    >>> fit.coef.shape, fit.converged
    ((3, 2), True)
    """
    fit = fit_laplace(problem, (weight_variance,), learn=learn, tol=tol, max_iter=max_iter)
    return SoftmaxPosterior(
        coef=problem.coef(fit.state.position),
        covariance=fit.covariance,
        weight_variance=fit.scales[0],
        log_evidence=fit.log_evidence,
        n_iter=fit.n_iter,
        converged=fit.converged,
    )


@dataclass(frozen=True)
class SoftmaxLeaveOneOut(LeaveOneOut):
    """Leave-one-out log probabilities, with those of every class.

    Attributes
    ----------
    probabilities : ndarray of shape (n, L)
        Class probabilities of each row by the model without it, by the better of the two ways.
    """

    probabilities: np.ndarray


def leave_one_out_softmax(problem: SoftmaxProblem, fit: SoftmaxPosterior) -> SoftmaxLeaveOneOut:
    """Approximate each row's predictive probabilities by the model without that row.

    Parameters
    ----------
    problem : SoftmaxProblem
        The data of the fit.
    fit : SoftmaxPosterior
        The fit.

    Returns
    -------
    SoftmaxLeaveOneOut

    Notes
    -----
    As in `leave_one_out_ordinal`, with L x L blocks: the latents move by S~ (p - e_y),
    S~ = S (I - W S)^-1, W = diag(p) - p p'. The average over the posterior scales each latent by
    1 / sqrt(1 + pi/8 var) (MacKay 1992). O(n (L d)^2).
    """
    rows = np.arange(len(problem.codes))
    latent, spread = leave_one_out_latents(
        problem.X @ fit.coef.T,
        latent_covariances(problem.X, fit.covariance, problem.n_levels),
        problem.codes,
        sample_weight=problem.sample_weight,
    )
    variance = np.maximum(np.einsum("ikk->ik", spread), 0.0)
    plug_in = latent - logsumexp(latent, axis=1, keepdims=True)
    # MacKay's (1992) average of the softmax over normal latents.
    scaled = latent / np.sqrt(1.0 + np.pi / 8.0 * variance)
    averaged = scaled - logsumexp(scaled, axis=1, keepdims=True)
    row_plug_in, row_averaged = (
        np.maximum(log_prob[rows, problem.codes], _LEAST_LOG_PROB)
        for log_prob in (plug_in, averaged)
    )
    better = plug_in if row_plug_in.mean() > row_averaged.mean() else averaged
    return SoftmaxLeaveOneOut(row_plug_in, row_averaged, np.exp(better))


def leave_one_out_latents(
    latent: np.ndarray,
    spread: np.ndarray,
    codes: np.ndarray,
    *,
    sample_weight: np.ndarray | None = None,
) -> tuple[np.ndarray, np.ndarray]:
    """Mean (n, L) and covariance (n, L, L) of each row's latents without its own likelihood.

    Parameters
    ----------
    latent : ndarray of shape (n, L)
        Posterior mode of the latents.
    spread : ndarray of shape (n, L, L)
        Their posterior covariances.
    codes : ndarray of int, shape (n,)
        Classes 0 .. L - 1.
    sample_weight : ndarray of shape (n,), optional
        Of a row of weight 2 one of its two copies is left out, of one of weight 1/2 all.
    """
    rows = np.arange(len(codes))
    weight = np.ones(len(codes)) if sample_weight is None else np.minimum(sample_weight, 1.0)
    prob = np.exp(latent - logsumexp(latent, axis=1, keepdims=True))
    # W S = diag(p) S - p (p' S), row by row.
    mean_spread = np.einsum("ik,ikl->il", prob, spread)
    curvature = (weight[:, None] * prob)[:, :, None] * (spread - mean_spread[:, None, :])
    system = np.eye(latent.shape[1]) - curvature
    without = np.linalg.solve(system.transpose(0, 2, 1), spread).transpose(0, 2, 1)
    residual = prob.copy()
    residual[rows, codes] -= 1.0
    residual *= weight[:, None]
    return latent + np.einsum("ikl,il->ik", without, residual), without
