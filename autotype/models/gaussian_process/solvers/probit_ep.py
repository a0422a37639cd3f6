"""Expectation propagation for the multinomial probit model, in function space.

Every class k has a latent function f_k ~ N(0, K), all with the same K. Row i has g_i = f_i + e_i,
e_i ~ N(0, I), one entry per class; its label y means g_y > g_k for every other k. Each such step
Theta(d) has one Gaussian site exp(nu d - tau d^2 / 2) on d = g_y - g_k. With the noise integrated
out the row's sites see f_i through the precision diag(pi) - pi pi' / sum(pi),
pi_k = tau_k / (1 + tau_k), pi_y = 1: springs in series, in a star.
"""

from __future__ import annotations

import numpy as np
from scipy.special import log_ndtr, ndtri_exp
from scipy.stats import qmc

from autotype.models.gaussian_process.solvers.class_precision import ClassLatents, ClassPrecision
from autotype.models.gaussian_process.solvers.site_iteration import SiteIteration

_N_NODES = 24  # of Gauss and Legendre, where one dimension remains to integrate
_N_POINTS = 128  # of Sobol, where more are
_CHUNK_ROWS = 2_000


class MultinomialProbitSites:
    """The labels of the rows and how much each row counts.

    Parameters
    ----------
    codes : ndarray of int, shape (n,)
        Classes 0 .. n_levels - 1.
    n_levels : int
        L >= 2.
    weight : ndarray of shape (n,), optional
        Factors of the log likelihood terms, > 0; a row of weight 2 acts as two equal rows.
    """

    def __init__(self, codes: np.ndarray, n_levels: int, weight: np.ndarray | None = None) -> None:
        self.codes = np.asarray(codes, dtype=np.intp)
        self.n_levels = n_levels
        self.weight = np.ones(len(codes)) if weight is None else weight
        self.rows = np.arange(len(codes))
        self.others = np.ones((len(codes), n_levels), dtype=bool)
        self.others[self.rows, self.codes] = False

    def first_sites(self) -> tuple[np.ndarray, np.ndarray]:
        """Sites that carry next to no information."""
        return 1e-3 * self.others, np.zeros(self.others.shape)

    def sites(self, tau: np.ndarray, nu: np.ndarray) -> tuple[np.ndarray, np.ndarray, float]:
        """Return the sites seen by the latents f: the rows' noise integrated out, weights applied.

        Returns
        -------
        pi : ndarray of shape (n, L)
            Row i's precision is diag(pi_i) - pi_i pi_i' / sum(pi_i).
        shift : ndarray of shape (n, L)
            b: the sites are exp(b'f - f' precision f / 2).
        log_terms : float
            Log of what integrating the noise out leaves.
        """
        pi, h, Sh = self._without_noise(tau, nu)
        w = self.weight
        # |I + sites' precision| = prod (1 + tau_k) sum pi (matrix determinant lemma).
        log_det = np.log1p(tau).sum(axis=1) + np.log(pi.sum(axis=1))
        terms = 0.5 * (np.sum(h * Sh, axis=1) - log_det)
        return w[:, None] * pi, w[:, None] * Sh, float(w @ terms)

    def _without_noise(
        self, tau: np.ndarray, nu: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """One copy's pi and h, and S h with S = (I + sites' precision)^-1."""
        # A site of precision tau in series with unit noise; the own class has the noise alone.
        pi = tau / (1.0 + tau)
        pi[self.rows, self.codes] = 1.0
        h = -nu
        h[self.rows, self.codes] += nu.sum(axis=1)
        return pi, h, h - _star(pi, h)

    def differences(
        self, tau: np.ndarray, nu: np.ndarray, mean: np.ndarray, V: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Mean and variance of g_y - g_k where f is N(mean, V), shape (n, L); 1 for k = y."""
        pi, _, Sh = self._without_noise(tau, nu)
        light = self.weight < 1.0
        if light.any():  # a row of weight < 1 needs a whole copy; the posterior holds a part of it
            mean, V = mean.copy(), V.copy()
            share = self.weight[light] - 1.0
            mean[light], V[light] = remove_sites(
                mean[light], V[light], share, pi=pi[light], shift=Sh[light]
            )
        # Posterior of g: mean S (h + f), covariance S + S V S.
        centre = Sh + mean - _star(pi, mean)
        SV = V - _star_rows(pi, V)
        SVS = SV - _star_rows(pi, SV.transpose(0, 2, 1)).transpose(0, 2, 1)
        own = (self.rows, self.codes)
        total = pi.sum(axis=1)
        with_own = SVS[own] + pi / total[:, None]  # S_yk = pi_k / total
        diagonal = np.einsum("ikk->ik", SVS) + 1.0 - pi + pi**2 / total[:, None]
        variance = diagonal[own][:, None] + diagonal - 2.0 * with_own
        variance[own] = 1.0
        return centre[own][:, None] - centre, np.maximum(variance, 1e-12)

    def leave_one_out(self, fit: ClassLatents) -> np.ndarray:
        """Log predictive probability of every row without its own sites, shape (n,).

        Of a row of weight 2 one of its two copies is left out, of one of weight 1/2 all.

        Parameters
        ----------
        fit : ClassLatents
            The fit of these rows.
        """
        pi, _, Sh = self._without_noise(*(fit.sites or self.first_sites()))
        share = np.minimum(self.weight, 1.0)
        mean, covariance = remove_sites(fit.mean, fit.spread, share, pi=pi, shift=Sh)
        return log_largest_probability(mean, with_noise(covariance), self.codes)


def remove_sites(
    mean: np.ndarray, V: np.ndarray, share: np.ndarray, *, pi: np.ndarray, shift: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Remove `share` copies of each row's sites from N(mean, V); return mean and covariance.

    Parameters
    ----------
    mean, V : ndarray of shape (n, L) and (n, L, L)
        Posterior of the rows' latents.
    share : ndarray of shape (n,)
        Copies to take out; negative to put in.
    pi, shift : ndarray of shape (n, L)
        One copy's precision diag(pi) - pi pi' / sum(pi), and b.
    """
    GV = share[:, None, None] * _star_rows(pi, V)
    # V~ = (V^-1 - share G)^-1 = (I - share V G)^-1 V, and V~ (V^-1 mean - share b).
    left = np.eye(V.shape[1]) - GV.transpose(0, 2, 1)
    right = mean - share[:, None] * np.einsum("ikl,il->ik", V, shift)
    solved = np.linalg.solve(left, np.concatenate([V, right[:, :, None]], axis=2))
    without = solved[:, :, :-1]
    return solved[:, :, -1], 0.5 * (without + without.transpose(0, 2, 1))


def _star(pi: np.ndarray, vector: np.ndarray) -> np.ndarray:
    """(diag(pi) - pi pi' / sum(pi)) vector, row by row."""
    moved = pi * vector
    return moved - pi * (moved.sum(axis=1) / pi.sum(axis=1))[:, None]


def _star_rows(pi: np.ndarray, matrix: np.ndarray) -> np.ndarray:
    """(diag(pi) - pi pi' / sum(pi)) matrix, row by row."""
    moved = pi[:, :, None] * matrix
    share = moved.sum(axis=1) / pi.sum(axis=1)[:, None]
    return moved - pi[:, :, None] * share[:, None, :]


def match_probit(
    mean: np.ndarray,
    variance: np.ndarray,
    tau: np.ndarray,
    nu: np.ndarray,
    *,
    sign: np.ndarray | float = 1.0,
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Match the moments of steps Theta(sign d), each on its own cavity.

    Parameters
    ----------
    mean, variance : ndarray
        Marginals of the differences d.
    tau, nu : ndarray
        The sites so far.
    sign : ndarray or float
        1 where d > 0 is known, -1 where d < 0 is.

    Returns
    -------
    precision, shift : ndarray
        tau and nu of the new sites.
    change : ndarray
        How far the mean moves, in standard deviations.
    log_terms : ndarray
        What each step adds to the log evidence besides the Gaussians (Minka's fixed-point form).
    """
    # Cavity of each step: the marginal with the old site divided out.
    cavity = 1.0 / np.maximum(1.0 / variance - tau, 1e-10)
    centre = cavity * (mean / variance - nu)
    z = sign * centre / np.sqrt(cavity)
    ratio = np.exp(-0.5 * z**2 - 0.5 * np.log(2.0 * np.pi) - log_ndtr(z))
    # Relative fall of the variance, in (0, 1): the step truncates the normal.
    shrink = np.clip(ratio * (z + ratio), 1e-12, 1.0 - 1e-9)
    tilted = centre + sign * np.sqrt(cavity) * ratio
    precision = shrink / (cavity * (1.0 - shrink))
    shift = tilted * (precision + 1.0 / cavity) - centre / cavity
    change = np.abs(tilted - mean) / np.sqrt(variance)
    log_terms = log_ndtr(z) + 0.5 * (
        centre**2 / cavity + np.log(cavity) - mean**2 / variance - np.log(variance)
    )
    return precision, shift, change, log_terms


def with_noise(covariance: np.ndarray) -> np.ndarray:
    """Add the noise, 1 in every class, to covariances of shape (m, L, L)."""
    return covariance + np.eye(covariance.shape[1])


def largest_probabilities(mean: np.ndarray, covariance: np.ndarray) -> np.ndarray:
    """Probability of each entry to be the largest.

    Parameters
    ----------
    mean : ndarray of shape (m, L)
        Means.
    covariance : ndarray of shape (m, L, L)
        Covariances, positive definite.

    Returns
    -------
    ndarray of shape (m, L)
        Rows sum to 1.

    Notes
    -----
    Exact for L = 2, by quadrature for L = 3 (to about 1e-6), by 128 Sobol points for more (to about
    1e-3). The points are the same for every row, so that a row's result does not depend on the
    other rows.

    References
    ----------
    Genz (1992), Numerical computation of multivariate normal probabilities.

    Examples
    --------
    >>> largest_probabilities(np.array([[1.0, 0.0, 0.0]]), np.eye(3)[None]).round(3)
    array([[0.634, 0.183, 0.183]])
    """
    m, levels = mean.shape
    logs = [
        log_largest_probability(mean, covariance, np.full(m, k, dtype=np.intp))
        for k in range(levels)
    ]
    probability = np.maximum(np.exp(np.stack(logs, axis=1)), 1e-300)
    return probability / probability.sum(axis=1, keepdims=True)


def log_largest_probability(
    mean: np.ndarray, covariance: np.ndarray, which: np.ndarray
) -> np.ndarray:
    """Log probability that entry `which` of each row is the largest, shape (m,).

    Parameters
    ----------
    mean, covariance :
        As in `largest_probabilities`.
    which : ndarray of int, shape (m,)
        Entries 0 .. L - 1.
    """
    rows = np.arange(len(mean))
    levels = mean.shape[1]
    others = np.nonzero(np.arange(levels) != which[:, None])[1].reshape(len(mean), levels - 1)
    at = rows[:, None]
    # P(x_which is the largest) = P(all d > 0), d the differences to the others.
    gap = mean[rows, which][:, None] - mean[at, others]
    with_own = covariance[at, which[:, None], others]
    spread = covariance[at[:, :, None], others[:, :, None], others[:, None, :]]
    spread = spread + covariance[rows, which, which][:, None, None]
    spread = spread - with_own[:, :, None] - with_own[:, None, :]
    points, log_mass = _points(levels - 2)
    result = np.empty(len(mean))
    for first in range(0, len(mean), _CHUNK_ROWS):
        part = slice(first, first + _CHUNK_ROWS)
        result[part] = _log_orthant(gap[part], spread[part], points, log_mass)
    return result


def _points(dimension: int) -> tuple[np.ndarray, np.ndarray]:
    """Points in the unit cube and the logs of their weights."""
    if dimension <= 0:
        return np.empty((1, 0)), np.zeros(1)
    if dimension == 1:
        nodes, mass = np.polynomial.legendre.leggauss(_N_NODES)
        return 0.5 * (nodes[:, None] + 1.0), np.log(0.5 * mass)
    points = qmc.Sobol(dimension, scramble=True, rng=0).random(_N_POINTS)
    return points, np.full(_N_POINTS, -np.log(_N_POINTS))


def _log_orthant(
    mean: np.ndarray, covariance: np.ndarray, points: np.ndarray, log_mass: np.ndarray
) -> np.ndarray:
    """Log P(all d > 0), d ~ N(mean, covariance), by Genz' sequence of conditionals."""
    m, size = mean.shape
    spread = np.sqrt(np.einsum("ikk->ik", covariance))
    # The least probable first: what follows then varies least.
    order = np.argsort(mean / spread, axis=1)
    at = np.arange(m)[:, None]
    mean = mean[at, order]
    covariance = covariance[at[:, :, None], order[:, :, None], order[:, None, :]]
    covariance = covariance + np.eye(size) * (1e-10 * np.max(spread, axis=1) ** 2)[:, None, None]
    factor = np.linalg.cholesky(covariance)
    log_prob = np.broadcast_to(log_mass, (m, len(points))).copy()
    drawn = np.empty((m, len(points), size))
    for j in range(size):
        z = mean[:, j, None] + np.einsum("iqk,ik->iq", drawn[:, :, :j], factor[:, j, :j])
        below = log_ndtr(z / factor[:, j, j, None])
        log_prob += below
        if j < size - 1:  # a normal above -z, at the point's proportion of the remaining mass
            drawn[:, :, j] = -ndtri_exp(np.log(points[:, j]) + below)
    top = log_prob.max(axis=1)
    return top + np.log(np.exp(log_prob - top[:, None]).sum(axis=1))


def probit_latents(
    K: np.ndarray,
    rows: MultinomialProbitSites,
    *,
    start: ClassLatents | None = None,
    tol: float = 1e-5,
    max_iter: int = 300,
) -> ClassLatents:
    """Run parallel EP with damping to its fixed point.

    Parameters
    ----------
    K : ndarray of shape (n, n)
        Kernel matrix, positive semi-definite; it may be singular.
    rows : MultinomialProbitSites
        Classes and weights.
    start : ClassLatents, optional
        A fit of the same rows, from whose sites to start.
    tol : float
        Largest change of a sweep in a mean, in standard deviations. The evidence is stationary in
        the sites, so its error is of the order of tol squared.
    max_iter : int
        Most sweeps.

    Returns
    -------
    ClassLatents

    Notes
    -----
    O(L n^3) a sweep, as Laplace's approximation of the softmax: the sites' precision has the same
    form.

    References
    ----------
    Hernandez-Lobato et al. (2014), Learning the semantics of discrete random variables, sec. 2.2.
    Riihimaki, Jylanki and Vehtari (2013), Nested expectation propagation, sec. 3.3, for the form of
    the precision.

    Examples
    --------
    >>> fit = probit_latents(4.0 * np.eye(3), MultinomialProbitSites(np.array([0, 1, 2]), 3))
    >>> fit.mean.argmax(axis=1), fit.converged
    (array([0, 1, 2]), True)
    """
    others = rows.others
    first = (start and start.sites) or rows.first_sites()
    iteration = SiteIteration(first[0][others], first[1][others], tol=tol, max_iter=max_iter)
    tau, nu, steps = np.zeros((3, *others.shape))
    for of_tau, of_nu in iteration:
        tau[others], nu[others] = of_tau, of_nu
        pi, shift, log_terms = rows.sites(tau, nu)
        precision = ClassPrecision(K, pi)
        alpha = shift - precision.solve(K @ shift)
        mean, spread = K @ alpha, precision.spread(K, np.diag(K))
        centre, variance = (part[others] for part in rows.differences(tau, nu, mean, spread))
        *matched, change, log_steps = match_probit(centre, variance, of_tau, of_nu)
        iteration.update(*matched, variance=variance, change=float(np.max(change)))
    steps[others] = log_steps
    # The log of the integral of prior times sites, and what the steps add to it.
    log_integral = 0.5 * float(np.sum(shift * mean)) - 0.5 * precision.log_det
    return ClassLatents(
        alpha=alpha,
        mean=mean,
        spread=spread,
        precision=precision,
        sites=(tau, nu),
        log_evidence=log_integral + (log_terms + float(rows.weight @ steps.sum(axis=1))),
        n_iter=iteration.n_iter,
        converged=iteration.converged,
    )


def probit_probabilities(mean: np.ndarray, covariance: np.ndarray) -> np.ndarray:
    """Predictive probabilities of the classes, shape (m, L), of normal latents."""
    return largest_probabilities(mean, with_noise(covariance))
