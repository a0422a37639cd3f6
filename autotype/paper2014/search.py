"""Ordinal or categorical by the method of 2014: EP models and a greedy search over swaps.

The search fits a Gaussian process for each swap of two levels, and is the slow reference for
`column_evidence.py` and `order_search.py` of `inference/evidence`, which were made to be fast.

A column has the type of the better of two models on held-out rows. The ordinal one is expectation
propagation over latent values *and* thresholds.

Row i has the latent f_i = z_i'w + e_i with w ~ N(0, I) and e_i ~ N(0, s2), so that f has the kernel
ZZ' + s2 I; thresholds b_l ~ N(m_l, v). The likelihood is a product of steps Theta[sign(g(y_i) - l -
1/2) (f_i - b_l)], each with one Gaussian site on f_i - b_l.

Thresholds are random here, as published, instead of parameters to optimise. Weights and thresholds
then have one joint Gaussian posterior. Each f_i is eliminated by itself, so that the cost is linear
in the number of rows, O(n m^2) for m features. Linear kernels have few features by themselves; for
the squared exponential the eigenvectors of the kernel matrix serve as features, without those whose
eigenvalues are rounding.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from joblib import Parallel, delayed
from scipy.linalg import cho_solve, cholesky, solve_triangular
from scipy.special import log_ndtr
from sklearn.gaussian_process.kernels import RBF, ConstantKernel, DotProduct, Product

from autotype.inference.column import Column
from autotype.inference.evidence.column_evidence import level_codes
from autotype.inference.evidence.order_search import ranks_along, up_to_reversal
from autotype.inference.evidence.predictors import FramePredictors, predictors_for
from autotype.models.gaussian_process.kernels import KernelMatrix
from autotype.models.gaussian_process.multiclass_models import EPProbit, ExactMulticlass, fit_exact
from autotype.models.gaussian_process.solvers.evidence_ascent import (
    ApproximatePosterior,
    Evaluation,
    Evidence,
    ascend,
)
from autotype.models.gaussian_process.solvers.probit_ep import match_probit
from autotype.models.gaussian_process.solvers.site_iteration import SiteIteration
from autotype.models.gaussian_process.weight_space.ordinal_laplace import threshold_grid
from autotype.types.column_type import ColumnType

KERNEL_NAMES = ("linear", "linear-bias", "rbf")
_SMALLEST_FRACTION = 1e-7  # of the largest eigenvalue: directions below are rounding
THRESHOLD_VARIANCE = 1.0
_N_NODES = 64


def paper_kernel(name: str, n_features: int) -> Product:
    """Return an amplitude times the kernel of this name, at its start and with its bounds.

    Parameters
    ----------
    name : {"linear", "linear-bias", "rbf"}
        x'z, 1 + x'z with the bias that the paper's kernel lacks, or the squared exponential.
    n_features : int
        Columns of the rows, which are standardised.

    Returns
    -------
    Product

    Raises
    ------
    ValueError
        If there is no kernel of this name.

    Examples
    --------
    >>> paper_kernel("linear-bias", 2)(np.eye(2))
    array([[2., 1.],
           [1., 2.]])
    """
    if name not in KERNEL_NAMES:
        names = ", ".join(map(repr, KERNEL_NAMES))
        raise ValueError(f"kernel must be one of {names}, got {name!r}")
    if name == "rbf":
        length = np.sqrt(max(n_features, 1))
        bounds = length * np.exp([-3.0, 4.0])
        return ConstantKernel(10.0, (1e-3, 1e4)) * RBF(length, tuple(bounds))
    return ConstantKernel(1.0, (1e-4, 1e4)) * DotProduct(float(name == "linear-bias"), "fixed")


def features(
    kernel: Product, X: np.ndarray, new: np.ndarray | None = None
) -> tuple[np.ndarray, np.ndarray | float]:
    """Compute features whose products are the kernel.

    Parameters
    ----------
    kernel : Product
        As `paper_kernel` returns it, with any hyper-parameters.
    X : ndarray of shape (n, d)
        Training rows.
    new : ndarray of shape (k, d), optional
        The rows to compute features of; the training rows by default.

    Returns
    -------
    Z : ndarray of shape (n, m) or (k, m)
        ZZ' is the kernel matrix of the training rows.
    residual_variance : ndarray of shape (k,) or float
        Prior variance of new rows that Z does not explain.
    """
    if isinstance(kernel.k2, DotProduct):
        rows = X if new is None else new
        bias = np.full((len(rows), 1), kernel.k2.sigma_0)
        return np.sqrt(kernel.k1.constant_value) * np.hstack([rows, bias]), 0.0
    values, vectors = np.linalg.eigh(kernel(X))
    keep = values > _SMALLEST_FRACTION * values[-1]
    if new is None:
        return vectors[:, keep] * np.sqrt(values[keep]), 0.0
    Z = kernel(new, X) @ (vectors[:, keep] / np.sqrt(values[keep]))
    return Z, np.maximum(kernel.diag(new) - np.einsum("ij,ij->i", Z, Z), 0.0)


@dataclass(frozen=True)
class ThresholdPosterior(ApproximatePosterior):
    """EP's Gaussian approximation for weights and thresholds, and its evidence.

    Attributes
    ----------
    given_sites : GivenSites
        The posterior given the sites, at their fixed point.
    """

    given_sites: GivenSites

    def probabilities(
        self, Z: np.ndarray, residual_variance: np.ndarray | float = 0.0
    ) -> np.ndarray:
        """Compute predictive probabilities of the ranks, shape (m, L).

        Parameters
        ----------
        Z : ndarray of shape (m, p)
            Features of the new rows.
        residual_variance : ndarray of shape (m,) or float
            Prior variance of the latent that Z does not explain.

        Notes
        -----
        One-dimensional quadrature over f, thresholds taken as independent given f; the
        mass of thresholds out of order is divided in proportion.
        """
        p = Z.shape[1]
        q, C = self.given_sites, self.given_sites.covariance
        mean = Z @ q.mean[:p]
        variance = np.einsum("ij,ij->i", Z @ C[:p, :p], Z) + q.noise + residual_variance
        slope = (Z @ C[:p, p:]) / variance[:, None]
        variances = np.maximum(np.diag(C)[p:] - slope**2 * variance[:, None], 1e-12)
        nodes, mass = np.polynomial.hermite_e.hermegauss(_N_NODES)
        f = mean[:, None] + np.sqrt(variance)[:, None] * nodes
        moved = q.mean[p:] + slope[:, None, :] * (f - mean[:, None])[:, :, None]
        z = (f[:, :, None] - moved) / np.sqrt(variances)[:, None, :]
        above = np.cumsum(log_ndtr(z), axis=2)  # f over b_1 .. b_k
        below = np.cumsum(log_ndtr(-z)[:, :, ::-1], axis=2)[:, :, ::-1]  # f under b_k ..
        none = np.zeros((*f.shape, 1))
        joint = np.exp(np.concatenate([none, above], 2) + np.concatenate([below, none], 2))
        prob = np.maximum(np.einsum("q,iqk->ik", mass, joint), 1e-300)
        return prob / prob.sum(axis=1, keepdims=True)


class GivenSites:
    """Posterior of weights and thresholds given the sites, the latents f_i eliminated.

    O(n (m + L)^2 + (m + L)^3).

    Attributes
    ----------
    total : ndarray of shape (n,)
        Sum of the sites' precisions of each row.
    remaining : ndarray of shape (n,)
        1 / (1 + s2 total): the fraction of the noise's variance that a row keeps.
    spread : ndarray of shape (n,)
        s2 remaining.
    shift : ndarray of shape (n,)
        Sum of the sites' shifts of each row.
    inner : ndarray of shape (L - 1, L - 1)
        Precision of the thresholds.
    mean, covariance : ndarray
        Of (w, b).
    log_evidence : float
        The evidence less the sites' own terms.
    """

    def __init__(self, Z: np.ndarray, noise: float, tau: np.ndarray, nu: np.ndarray) -> None:
        self.Z, self.noise, self.tau, self.nu, self.p = Z, noise, tau, nu, Z.shape[1]
        p, k, v = self.p, tau.shape[1], THRESHOLD_VARIANCE
        prior_mean = threshold_grid(k + 1)
        self.total, self.shift = tau.sum(axis=1), nu.sum(axis=1)
        # Eliminate f_i, which only its own sites and its noise touch (Schur complement).
        self.remaining = r = 1.0 / (1.0 + noise * self.total)
        self.spread = s = noise * r
        self.inner = np.diag(1.0 / v + tau.sum(axis=0)) - (tau * s[:, None]).T @ tau
        P = np.empty((p + k, p + k))
        P[:p, :p] = (Z * (self.total * r)[:, None]).T @ Z + np.eye(p)
        P[:p, p:] = -Z.T @ (r[:, None] * tau)
        P[p:, :p] = P[:p, p:].T
        P[p:, p:] = self.inner
        h = self.shift
        right = np.concatenate([Z.T @ (r * h), prior_mean / v - nu.sum(axis=0) + tau.T @ (s * h)])
        factor = cholesky(P, lower=True, check_finite=False)
        half = solve_triangular(factor, np.eye(p + k), lower=True, check_finite=False)
        self.mean = cho_solve((factor, True), right, check_finite=False)
        self.covariance = half.T @ half
        self.log_evidence = float(
            0.5 * (right @ self.mean + h @ (s * h))
            - 0.5 * float(prior_mean @ prior_mean) / v
            + 0.5 * float(np.log(r).sum())
            - float(np.log(np.diag(factor)).sum())
            - 0.5 * k * np.log(v)
        )

    def noise_moments(self, factor: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Compute mean and variance of factor z_i'w plus the row's noise, and what spreads it."""
        Q = np.concatenate([self.Z * factor[:, None], self.spread[:, None] * self.tau], axis=1)
        QC = Q @ self.covariance
        variance = self.spread + np.einsum("ij,ij->i", QC, Q)
        return self.spread * self.shift + Q @ self.mean, variance, QC

    def differences(self) -> tuple[np.ndarray, np.ndarray]:
        """Compute mean and variance of f_i - b_l."""
        mean, marginal, QC = self.noise_moments(self.remaining)
        p = self.p
        variance = marginal[:, None] - 2.0 * QC[:, p:] + np.diag(self.covariance)[p:]
        return mean[:, None] - self.mean[p:], variance

    def log_noise_gradient(self) -> float:
        """Compute the derivative of the evidence in ln s2 with the sites held."""
        noise, variance, _ = self.noise_moments(self.remaining - 1.0)
        return 0.5 * float(((noise**2 + variance) / self.noise - 1.0).sum())

    def kernel_gradient(self) -> np.ndarray:
        """Compute the derivative of the evidence in ZZ' with the sites held."""
        Z, r, p = self.Z, self.remaining, self.p
        N = r[:, None] * self.tau
        weight = self.total * r
        alpha = r * self.shift + N @ self.mean[p:] - weight * (Z @ self.mean[:p])
        # The sites' precision on Zw once noise and thresholds are integrated out.
        precision = np.diag(weight) - N @ np.linalg.solve(self.inner, N.T)
        GZ = precision @ Z
        return 0.5 * (np.outer(alpha, alpha) - precision + GZ @ self.covariance[:p, :p] @ GZ.T)


def fit_threshold_ep(
    Z: np.ndarray,
    ranks: np.ndarray,
    n_levels: int,
    noise_variance: float,
    *,
    start: ThresholdPosterior | None = None,
    tol: float = 1e-5,
    max_iter: int = 300,
) -> ThresholdPosterior:
    """Run parallel EP with damping to its fixed point.

    Parameters
    ----------
    Z : ndarray of shape (n, m)
        Features with ZZ' the kernel matrix.
    ranks : ndarray of int, shape (n,)
        Ranks 0 .. n_levels - 1.
    n_levels : int
        L >= 2.
    noise_variance : float
        s2 > 0.
    start : ThresholdPosterior, optional
        Whose sites to start from.
    tol : float
        Largest change of a sweep in a mean, in standard deviations.
    max_iter : int
        Most sweeps.

    Returns
    -------
    ThresholdPosterior

    References
    ----------
    Hernandez-Lobato et al. (2014), Learning the semantics of discrete random variables, sec. 2.1.

    Examples
    --------
    >>> x = np.linspace(-3, 3, 30)[:, None]
    >>> fit = fit_threshold_ep(x, np.repeat([0, 1, 2], 10), 3, 0.1)
    >>> fit.converged, fit.probabilities(x).argmax(axis=1)[[0, 15, 29]]
    (True, array([0, 1, 2]))
    """
    sign = np.where(ranks[:, None] > np.arange(n_levels - 1), 1.0, -1.0)
    first = np.full(sign.shape, 1e-3), np.zeros(sign.shape)
    if start is not None:
        first = start.given_sites.tau, start.given_sites.nu
    iteration = SiteIteration(*first, tol=tol, max_iter=max_iter)
    for sites in iteration:
        tau, nu = (part.reshape(sign.shape) for part in sites)
        q = GivenSites(Z, noise_variance, tau, nu)
        mean, variance = q.differences()
        *matched, change, log_terms = match_probit(mean, variance, tau, nu, sign=sign)
        iteration.update(*matched, variance=variance, change=float(np.max(change)))
    return ThresholdPosterior(
        given_sites=q,
        log_evidence=q.log_evidence + float(log_terms.sum()),
        n_iter=iteration.n_iter,
        converged=iteration.converged,
    )


_NOISE_START = np.log(0.5)
# Below, the evidence is flat in the noise: an ascent that strays there does not come back.
_NOISE_BOUNDS = (np.log(1e-2), np.log(1e3))
_CURVATURE = 0.03  # of minus the log evidence of a row; only the number of steps depends on it
_NATS = 1e-4  # that an ascent may leave
_MAX_ITER = 50


@dataclass(frozen=True)
class OrderedModel:
    """The ordinal model along an order, with its hyper-parameters learned.

    Attributes
    ----------
    theta : ndarray
        Logs of the kernel's hyper-parameters, and of the noise variance.
    posterior : ThresholdPosterior
        At theta.
    kernel : Product
        At theta.
    X : ndarray of shape (n, d)
        Training rows.
    order : tuple of int
        Codes along the order, lowest first.
    """

    theta: np.ndarray
    posterior: ThresholdPosterior
    kernel: Product
    X: np.ndarray
    order: tuple[int, ...]

    @property
    def log_evidence(self) -> float:
        """EP's log evidence at the maximum."""
        return float(self.posterior.log_evidence)

    def probabilities(self, X: np.ndarray) -> np.ndarray:
        """Compute predictive probabilities, columns by code."""
        Z, residual_variance = features(self.kernel, self.X, X)
        return self.posterior.probabilities(Z, residual_variance)[:, ranks_along(self.order)]


def fit_along(
    kernel: Product,
    X: np.ndarray,
    codes: np.ndarray,
    order: tuple[int, ...],
    *,
    start: OrderedModel | None = None,
) -> OrderedModel:
    """Fit the ordinal model along an order by gradient ascent on EP's evidence.

    Parameters
    ----------
    kernel : Product
        Start and bounds.
    X : ndarray of shape (n, d)
        Training rows.
    codes : ndarray of int, shape (n,)
        Levels.
    order : tuple of int
        Codes, lowest first.
    start : OrderedModel, optional
        Whose hyper-parameters to start from, where they are better than the usual start.

    Returns
    -------
    OrderedModel
    """
    matrix, ranks = KernelMatrix(kernel, X), ranks_along(order)[codes]

    def compute(
        parameters: np.ndarray, start: ThresholdPosterior | None
    ) -> Evaluation[ThresholdPosterior]:
        Z, _ = features(kernel.clone_with_theta(parameters[:-1]), X)
        noise = float(np.exp(parameters[-1]))
        posterior = fit_threshold_ep(Z, ranks, len(order), noise, start=start)
        matrix.value(parameters[:-1])
        by_kernel = matrix.contract(posterior.given_sites.kernel_gradient())
        slope = np.append(by_kernel, posterior.given_sites.log_noise_gradient())
        return posterior, posterior.log_evidence, slope

    evidence = Evidence(compute)
    theta = np.append(kernel.theta, _NOISE_START)
    # Along a wrong order the signal's amplitude may have vanished, from where no ascent returns:
    # the usual start competes.
    if start is not None and evidence(start.theta)[0] < evidence(theta)[0]:
        theta = start.theta
    ascent = ascend(
        evidence,
        theta,
        np.vstack([kernel.bounds, _NOISE_BOUNDS]),
        hessian=_CURVATURE * len(X) * np.eye(len(theta)),
        max_iter=_MAX_ITER,
        tol=_NATS,
    )
    theta = ascent.parameters
    learned = kernel.clone_with_theta(theta[:-1])
    return OrderedModel(theta, compute(theta, evidence.start)[0], learned, X, order)


def fit_classes(
    kernel: Product, X: np.ndarray, codes: np.ndarray, n_levels: int
) -> ExactMulticlass:
    """Fit the multi-class model by gradient ascent on EP's evidence; parameters as `fit_along`."""
    inference = EPProbit(codes, n_levels, np.ones(len(codes)))
    return fit_exact(kernel, X, inference, max_iter=_MAX_ITER)


def search_by_swaps(
    kernel: Product,
    X: np.ndarray,
    codes: np.ndarray,
    n_levels: int,
    *,
    random_state: int = 0,
    n_jobs: int | None = None,
) -> OrderedModel:
    """Search the order greedily over all pairwise swaps (Algorithm 1).

    Parameters
    ----------
    kernel : Product
        Start and bounds.
    X : ndarray of shape (n, d)
        Training rows.
    codes : ndarray of int, shape (n,)
        Levels 0 .. n_levels - 1, every one observed.
    n_levels : int
        L >= 3.
    random_state : int
        Seed of the first permutation.
    n_jobs : int, optional
        Workers of the inner loop, as in joblib.

    Returns
    -------
    OrderedModel
        Along the best order found, up to reversal.
    """
    first = np.random.default_rng(random_state).permutation(n_levels)
    best = fit_along(kernel, X, codes, up_to_reversal(tuple(first)))
    known = {best.order: best}
    while True:
        swaps = list(dict.fromkeys(_swaps(best.order)))
        new = [order for order in swaps if order not in known]
        # Hyper-parameters are optimised again, from those of the incumbent.
        fits = Parallel(n_jobs=n_jobs)(
            delayed(fit_along)(kernel, X, codes, order, start=best) for order in new
        )
        known.update(zip(new, fits, strict=True))
        better = max((known[order] for order in swaps), key=lambda fit: fit.log_evidence)
        if better.log_evidence <= best.log_evidence:
            return best
        best = better


def _swaps(order: tuple[int, ...]) -> list[tuple[int, ...]]:
    """Return the orders that one exchange of two levels leads to."""
    swapped = []
    for i, j in combinations(range(len(order)), 2):
        new = list(order)
        new[i], new[j] = new[j], new[i]
        swapped.append(up_to_reversal(tuple(new)))
    return swapped


def compare_models(
    X: np.ndarray,
    codes: np.ndarray,
    n_levels: int,
    *,
    kernel: str = "linear",
    random_state: int = 0,
    n_jobs: int | None = None,
) -> tuple[tuple[int, ...], dict[str, float]]:
    """Compare the two models of the 2014 method, the ordinal one along its best order.

    Parameters
    ----------
    X : ndarray of shape (n, d)
        Predictors, standardised.
    codes : ndarray of int, shape (n,)
        Levels 0 .. n_levels - 1, every one observed.
    n_levels : int
        L >= 3.
    kernel : {"linear", "linear-bias", "rbf"}
        Covariance of the latents.
    random_state : int
        Seed of the split and of the first permutation.
    n_jobs : int, optional
        Workers of the search, as in joblib.

    Returns
    -------
    order : tuple of int
        Codes along the best order, up to reversal.
    figures : dict
        Of the ordinal and the multi-class model, ``tll_...`` is the mean log probability of the
        held-out third, and ``log_evidence_...`` EP's log evidence on all rows, hyper-parameters
        (and order) maximised.

    Raises
    ------
    ValueError
        For an unknown kernel.
    """
    start = paper_kernel(kernel, X.shape[1])
    train, test = _split(codes, random_state)

    def fitted(rows: np.ndarray) -> tuple[OrderedModel, ExactMulticlass]:
        along = search_by_swaps(
            start, X[rows], codes[rows], n_levels, random_state=random_state, n_jobs=n_jobs
        )
        return along, fit_classes(start, X[rows], codes[rows], n_levels)

    ordinal, classes = fitted(np.arange(len(codes)))
    tll_ordinal, tll_classes = (
        mean_log_probability(model.probabilities(X[test]), codes[test]) for model in fitted(train)
    )
    return ordinal.order, {
        "tll_ordinal": tll_ordinal,
        "tll_multiclass": tll_classes,
        "log_evidence_ordinal": ordinal.log_evidence,
        "log_evidence_multiclass": classes.log_evidence,
    }


def mean_log_probability(probabilities: np.ndarray, codes: np.ndarray) -> float:
    """Compute the mean log probability of the levels that occurred."""
    return float(np.log(probabilities[np.arange(len(codes)), codes]).mean())


def _split(codes: np.ndarray, random_state: int) -> tuple[np.ndarray, np.ndarray]:
    """Return two thirds and one third of the rows, every level in the two thirds."""
    rows = np.random.default_rng(random_state).permutation(len(codes))
    _, first = np.unique(codes[rows], return_index=True)
    rows = np.concatenate([rows[first], np.delete(rows, first)])
    size = max(2 * len(codes) // 3, len(first))
    return rows[:size], rows[size:]


def type_by_paper(
    column: Column, offered: FramePredictors, excluded: Sequence[int], **options: Any
) -> ColumnType:
    """Infer the type of one discrete column by held-out log-likelihood.

    Parameters
    ----------
    column : Column
        The column; its levels are listed.
    offered : FramePredictors
        Predictors of the whole frame.
    excluded : sequence of int
        Positions of the column itself and of those in bijection with it, which are not predictors.
    **options
        As of `compare_models`.

    Returns
    -------
    ColumnType
        Ordinal where the ordinal model predicts a held-out third better. The probability is 1 or
        0: the method decides and does not calibrate. Undetermined without predictors.

    References
    ----------
    Hernandez-Lobato et al. (2014), sec. 2.1.1 and 3.2.
    """
    levels = tuple(column.levels or ())
    codes = level_codes(column, levels)
    rows, codes = column.rows[codes >= 0], codes[codes >= 0]
    predictors = predictors_for(offered, excluded, codes, rows)
    counts = dict(column.levels or {})
    # The split leaves a third out: fewer rows of a level may leave it without one in a part.
    if predictors.X.shape[1] == 0 or min(counts.values()) < 3:
        return ColumnType(
            column.name,
            "undetermined",
            levels=counts,
            n_levels=len(levels),
            reasons=("The method of 2014 needs predictors and three rows of every level.",),
        )
    best, figures = compare_models(predictors.X, codes, len(levels), **options)
    order, ordinal = tuple(levels[k] for k in best), figures["tll_ordinal"]
    is_ordinal = ordinal > figures["tll_multiclass"]
    return ColumnType(
        column.name,
        "ordinal" if is_ordinal else "categorical",
        float(is_ordinal),
        order=order if is_ordinal else None,
        best_order=order,
        order_probability=math.nan,
        levels={level: counts[level] for level in order},
        n_levels=len(levels),
        n_rows_used=len(codes),
        evidence=figures,
        reasons=(
            f"On a held-out third the ordinal model reaches {ordinal:.3f} log probability per row, "
            f"the multi-class model {figures['tll_multiclass']:.3f} "
            f"(method of 2014, {options['kernel']}).",
        ),
    )
