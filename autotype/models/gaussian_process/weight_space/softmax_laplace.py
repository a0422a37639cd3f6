"""Multi-class regression in weight space: the unordered counterpart of `ordinal_laplace.py`.

Every class k has a latent function f_k = v_k + X w_k with w_k ~ N(0, s2 I) and v_k ~ N(0, 25);
P(y = k) is the softmax of f. Laplace's approximation, s2 learned inside the Newton loop.

A function added to all f_k changes no probability, so the data do not touch their sum: its
posterior is its prior, at 0. The search is for the L - 1 orthonormal contrasts of the f_k alone,
which have the same priors.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from scipy.linalg import helmert
from scipy.special import log_softmax

from autotype.models.gaussian_process.solvers.evidence_ascent import ApproximatePosterior
from autotype.models.gaussian_process.solvers.newton import NewtonState
from autotype.models.gaussian_process.weight_space import laplace
from autotype.models.gaussian_process.weight_space.laplace import Scales
from autotype.models.gaussian_process.weight_space.left_out import (
    leave_one_out_variances,
    packed_positions,
)

BIAS_VARIANCE = 25.0
_MAX_PRODUCTS = 4_000_000  # entries of an array of products: 32 MB
_N_UPDATES = 20  # of s2 at the start
_MANY_LEVELS = 8  # from which on single precision is faster
_MAX_CONDITION = 1e5  # of a Hessian in single precision
_LEAST_LOG_PROB = -30.0  # of a row left out: one outlier does not decide between two models


@dataclass(frozen=True)
class SoftmaxPosterior(ApproximatePosterior):
    """Laplace approximation of the posterior of the multi-class model.

    Attributes
    ----------
    coef : ndarray of shape (L, d + 1)
        Posterior mode, the bias first; columns sum to 0.
    contrast_covariance : ndarray of shape ((L - 1) (d + 1), (L - 1) (d + 1))
        Inverse Hessian at the mode in the contrasts of the classes' weights, contrast after
        contrast.
    weight_variance : float
        s2, the prior variance of a weight.
    """

    coef: np.ndarray
    contrast_covariance: np.ndarray
    weight_variance: float

    @cached_property
    def covariance(self) -> np.ndarray:
        """Covariance of all classes' weights, shape (L (d + 1), L (d + 1)), class after class."""
        n_levels, p = self.coef.shape
        contrasts = contrasts_of(n_levels)
        of_contrasts = self.contrast_covariance.reshape(n_levels - 1, p, n_levels - 1, p)
        spread = np.einsum("ka,aibj,lb->kilj", contrasts, of_contrasts, contrasts, optimize=True)
        # The mean of the classes' weights has its prior still.
        at = np.arange(p)
        spread[:, at, :, at] += (prior_variance(p - 1, self.weight_variance) / n_levels)[
            :, None, None
        ]
        return spread.reshape(n_levels * p, -1)


def contrasts_of(n_levels: int) -> np.ndarray:
    """Orthonormal contrasts of classes, one a column; each sums to 0.

    Examples
    --------
    >>> contrasts_of(3).shape, bool(np.allclose(contrasts_of(3).sum(axis=0), 0.0))
    ((3, 2), True)
    """
    return np.ascontiguousarray(helmert(n_levels).T)


def prior_variance(n_features: int, s2: float) -> np.ndarray:
    """Prior variances of one class' weights, bias first."""
    return np.concatenate([[BIAS_VARIANCE], np.full(n_features, s2)])


class SoftmaxProblem(laplace.WeightSpaceProblem):
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

    scale_bounds = ((laplace.MIN_WEIGHT_VARIANCE, laplace.MAX_WEIGHT_VARIANCE),)

    def __init__(
        self,
        X: np.ndarray,
        codes: np.ndarray,
        n_levels: int,
        sample_weight: np.ndarray | None = None,
    ) -> None:
        self.X = np.column_stack([np.ones(len(X)), X])
        self.n_features = self.X.shape[1] - 1  # without the bias
        self.codes = np.asarray(codes, dtype=np.intp)
        self.n_levels = n_levels
        self.indicator = np.zeros((len(X), n_levels))
        self.sample_weight = np.ones(len(X)) if sample_weight is None else sample_weight
        self.indicator[np.arange(len(X)), self.codes] = self.sample_weight
        self.contrasts = contrasts_of(n_levels)
        self._kept: dict[type[np.floating[Any]], np.ndarray] = {}
        # Bounds what the rows add to the Hessian's diagonal.
        self._largest = 0.5 * float((self.sample_weight @ self.X**2).max())

    def start(self, scales: Scales, *, learn: bool) -> tuple[np.ndarray, Scales]:
        """Newton's step from weights zero, and s2 where MacKay's update there stays.

        All rows have the proportions as probabilities then, and the Hessian of the weights is the
        Kronecker product of their covariance and the scatter of X, plus 1 / s2: the
        eigenvectors of both solve for any s2. The biases follow from one round of fitting the sums
        of the probabilities to those of the classes.
        """
        counts = self.indicator.sum(axis=0)
        proportions = counts / counts.sum()
        means = self.sample_weight @ self.X[:, 1:] / counts.sum()
        X = self.X[:, 1:] - means
        covariance = np.diag(proportions) - proportions[:, None] * proportions
        by_share, across = np.linalg.eigh(self.contrasts.T @ covariance @ self.contrasts)
        by_column, along = np.linalg.eigh(X.T @ (self.sample_weight[:, None] * X))
        curvature = np.maximum(by_share[:, None] * by_column, 0.0)
        slope = (self.contrasts @ across).T @ self.indicator.T @ X @ along
        for _ in range(_N_UPDATES if learn and self.n_features else 0):
            scales = self.bounded_scales([_mackay(slope, curvature, scales[0])])
        weights = across @ (slope / (curvature + 1.0 / scales[0])) @ along.T
        coef = np.empty((self.n_levels, self.X.shape[1]))
        coef[:, 1:] = self.contrasts @ weights
        # Half a row more of each class keeps the logs finite.
        coef[:, 0] = np.log(counts + 0.5) - coef[:, 1:] @ means
        fitted = _softmax_of_columns(coef @ self.X.T)[0] @ self.sample_weight
        coef[:, 0] += np.log((counts + 0.5) / (fitted + 0.5))
        return self.position(coef), scales

    def coef(self, position: np.ndarray) -> np.ndarray:
        """Weights class by class, shape (L, d + 1)."""
        return self.contrasts @ position.reshape(self.n_levels - 1, -1)

    def position(self, coef: np.ndarray) -> np.ndarray:
        """Contrasts of the classes' weights, one after the other."""
        return (self.contrasts.T @ coef).ravel()

    def prior(self, scales: Scales) -> tuple[np.ndarray, np.ndarray]:
        """Return means and variances of the contrasts."""
        variance = np.full((self.n_levels - 1, self.X.shape[1]), scales[0])
        variance[:, 0] = BIAS_VARIANCE
        return np.zeros(variance.size), variance.ravel()

    def loss(self, position: np.ndarray) -> tuple[float, np.ndarray]:
        """Compute the negative log likelihood, and the probabilities of the classes, (L, n)."""
        latent = self.coef(position) @ self.X.T
        prob, log_total = _softmax_of_columns(latent)
        loss = self.sample_weight @ (log_total - latent[self.codes, np.arange(len(self.X))])
        return loss, prob

    def loss_gradient(self, terms: np.ndarray) -> np.ndarray:
        """Compute the gradient of the negative log likelihood from the probabilities."""
        return self.position((self.sample_weight * terms - self.indicator.T) @ self.X)

    def hessian(self, state: NewtonState, scales: Scales, *, rough: bool = False) -> np.ndarray:
        """Hessian of the negative log posterior in the contrasts, its lower triangle.

        With c_a the contrasts, the block of a and b is X' diag(c_a' (diag(p_i) - p_i p_i') c_b) X:
        one product of a weight for each pair of contrasts and row with the products of all pairs of
        columns. A rough one is in single precision, unless the prior is too weak to bound its
        inverse.
        """
        p, n_contrasts = self.X.shape[1], self.n_levels - 1
        single = (
            rough and self.n_levels >= _MANY_LEVELS and self._largest * scales[0] < _MAX_CONDITION
        )
        dtype: type[np.floating[Any]] = np.float32 if single else np.float64
        (prob,) = state.terms
        second, first = np.tril_indices(n_contrasts)
        prob, contrasts = prob.astype(dtype, copy=False), self.contrasts.astype(dtype)
        weighted = prob * self.sample_weight.astype(dtype)
        means, weighted_means = contrasts.T @ prob, contrasts.T @ weighted
        pairs = (contrasts[:, first] * contrasts[:, second]).T @ weighted
        for k in range(n_contrasts):
            start = k * (k + 1) // 2
            pairs[start : start + k + 1] -= means[: k + 1] * weighted_means[k]
        sums = sum(pairs[:, part] @ products for part, products in self._products(dtype))
        hessian = np.zeros((n_contrasts, p, n_contrasts, p), dtype=dtype)
        hessian[first, :, second] = sums[:, packed_positions(p)]
        square = hessian.reshape(n_contrasts * p, -1)
        square[np.diag_indices_from(square)] += 1.0 / self.prior(scales)[1]
        return square.T  # the blocks above the diagonal were filled

    def _products(self, dtype: type[np.floating[Any]]) -> Iterator[tuple[slice, np.ndarray]]:
        """Yield the products of all pairs of columns, shape (rows, (d + 1) (d + 2) / 2), in parts.

        A single part is kept, for the next Newton step of the same precision.
        """
        if dtype in self._kept:
            yield slice(None), self._kept[dtype]
            return
        p = self.X.shape[1]
        n_products = p * (p + 1) // 2
        n_rows = max(_MAX_PRODUCTS // n_products, 1)
        for start in range(0, len(self.X), n_rows):
            part = slice(start, start + n_rows)
            columns = self.X[part].T.astype(dtype, order="C")
            products = np.empty((n_products, columns.shape[1]), dtype=dtype)
            for j in range(p):
                first = j * (j + 1) // 2
                np.multiply(columns[: j + 1], columns[j], out=products[first : first + j + 1])
            if n_rows >= len(self.X):
                self._kept[dtype] = products.T
            yield part, products.T

    def latent_spread(self, covariance: np.ndarray) -> np.ndarray:
        """Covariances of each row's latents less their mean, shape (L (L + 1) / 2, n).

        `covariance` is that of the contrasts of the weights. Each entry of a row's packed triangle
        is a quadratic form in its columns, so all of them are one product with the products of
        pairs of columns.
        """
        p, n_levels = self.X.shape[1], self.n_levels
        blocks = covariance.reshape(n_levels - 1, p, n_levels - 1, p)
        products = blocks.transpose(0, 2, 1, 3).reshape(-1, p * p)
        rows, columns = np.tril_indices(p)
        of_contrasts = np.take(products, rows * p + columns, axis=1)
        of_contrasts += np.take(products, columns * p + rows, axis=1)
        of_contrasts[:, rows == columns] *= 0.5
        half = self.contrasts @ of_contrasts.reshape(n_levels - 1, -1)
        half = half.reshape(n_levels, n_levels - 1, -1).transpose(1, 0, 2)
        of_classes = self.contrasts @ half.reshape(n_levels - 1, -1)
        packed = of_classes.reshape(n_levels, n_levels, -1)[np.tril_indices(n_levels)]
        spread = np.empty((len(packed), len(self.X)))
        for part, of_columns in self._products(np.float64):
            np.matmul(packed, of_columns.T, out=spread[:, part])
        return spread

    def updated_scales(self, state: NewtonState, variance: np.ndarray, scales: Scales) -> Scales:
        """MacKay's update of s2."""
        (s2,) = scales
        if not self.n_features:
            return scales
        weights = state.position.reshape(self.n_levels - 1, -1)[:, 1:]
        variance = variance.reshape(self.n_levels - 1, -1)[:, 1:]
        n_well_determined = max(weights.size - variance.sum() / s2, 1e-3)
        return self.bounded_scales([np.sum(weights**2) / n_well_determined])


def _mackay(slope: np.ndarray, curvature: np.ndarray, s2: float) -> float:
    """Compute MacKay's update of s2 for independent weights of normal likelihoods."""
    shrunk = slope / (curvature + 1.0 / s2)
    n_well_determined = max(float((curvature / (curvature + 1.0 / s2)).sum()), 1e-3)
    return float(np.sum(shrunk**2)) / n_well_determined


def _softmax_of_columns(latent: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Softmax of each column, and the log of the sum of its exponentials."""
    largest = latent.max(axis=0)
    prob = np.exp(latent - largest)
    total = prob.sum(axis=0)
    prob /= total
    return prob, largest + np.log(total)


def fit_softmax(
    problem: SoftmaxProblem, *, weight_variance: float = 0.1, max_iter: int = 60, **options: Any
) -> SoftmaxPosterior:
    """Fit the multi-class model and its prior variance in one loop.

    Parameters
    ----------
    problem : SoftmaxProblem
        The data.
    weight_variance : float
        Start of s2, or its value where `learn` is false: else it is learned by MacKay's update
        after every Newton step.
    max_iter : int
        Most Newton steps.
    **options
        As of `fit_laplace`.

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
    position, (s2,), covariance, summary = laplace.fit_laplace(
        problem, (weight_variance,), max_iter=max_iter, **options
    )
    return SoftmaxPosterior(
        coef=problem.coef(position),
        contrast_covariance=covariance,
        weight_variance=s2,
        **summary,
    )


def leave_one_out_softmax(problem: SoftmaxProblem, fit: SoftmaxPosterior) -> np.ndarray:
    """Approximate each row's predictive probabilities by the model without that row.

    Parameters
    ----------
    problem : SoftmaxProblem
        The data of the fit.
    fit : SoftmaxPosterior
        The fit.

    Returns
    -------
    ndarray of shape (2, n)
        Log probabilities, as of `leave_one_out_ordinal`.

    Notes
    -----
    As in `leave_one_out_ordinal`, with L x L blocks: the latents move by S~ (p - e_y),
    S~ = S (I - W S)^-1, W = diag(p) - p p'. The average over the posterior scales each latent by
    1 / sqrt(1 + pi/8 var) (MacKay 1992). O(n (L d)^2).
    """
    latent, variance = leave_one_out_variances(
        problem.X @ fit.coef.T,
        problem.latent_spread(fit.contrast_covariance),
        problem.codes,
        np.minimum(problem.sample_weight, 1.0),
    )
    # The mean of the latents has its prior's variance.
    shared = problem.X**2 @ prior_variance(problem.n_features, fit.weight_variance)
    variance = variance + shared[:, None] / problem.n_levels
    # MacKay's (1992) average of the softmax over normal latents.
    averaged = latent / np.sqrt(1.0 + np.pi / 8.0 * variance)
    log_prob = log_softmax([latent, averaged], axis=2)
    return np.maximum(log_prob[:, np.arange(len(latent)), problem.codes], _LEAST_LOG_PROB)
