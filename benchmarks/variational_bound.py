"""The variational lower bound on the evidence, which the paper of 2005 maximises for EP.

The paper's EP learns hyper-parameters on this bound (appendix C), and keeps EP's own posterior. The
bound is no better a guide than EP's evidence, which the package maximises; it is here for the
paper's tables. The loop is EP's, with other sites.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np

from autotype.models import GPOrdinalClassifier
from autotype.models.gaussian_process.ordinal_exact import ExactFit
from autotype.models.gaussian_process.solvers.interval_likelihood import interval_likelihood
from autotype.models.gaussian_process.solvers.ordinal_ep import ep_posterior
from autotype.models.gaussian_process.solvers.ordinal_latent import OrdinalObservations

_N_NODES = 40


def variational_sites(
    data: OrdinalObservations,
    bounds: np.ndarray,
    noise: float,
    *,
    sites: tuple[np.ndarray, np.ndarray],
    marginals: tuple[np.ndarray, np.ndarray],
) -> np.ndarray:
    """Compute expectations of the log likelihood and of its slopes, as `matched_sites_of` does."""
    nodes, weights = np.polynomial.hermite_e.hermegauss(_N_NODES)
    weights = weights / weights.sum()
    (tau, nu), (mean, variance) = sites, marginals
    deviation = np.sqrt(np.maximum(variance, 1e-300))
    latent = mean[:, None] + deviation[:, None] * nodes
    a = (bounds[data.ranks + 1][:, None] - latent) / noise
    c = (bounds[data.ranks][:, None] - latent) / noise
    log_prob, pa, pc, *_ = interval_likelihood(a, c, data.link)
    slope = -(pa - pc) / noise
    mean_slope = slope @ weights
    # -2 d/dv of the sum over nodes: positive, since the slope falls along the nodes.
    precision = np.maximum(-(slope @ (weights * nodes)) / deviation, 0.0)
    # F = E log p - KL; with the sites' own integral taken out of KL (GPOR appendix C).
    expected = log_prob @ weights
    of_sites = nu * mean - 0.5 * tau * (mean**2 + variance)
    # The densities that multiply infinite ends are 0.
    a, c = np.where(np.isfinite(a), a, 0.0), np.where(np.isfinite(c), c, 0.0)
    return np.stack(
        [
            precision,
            mean_slope + precision * mean,
            data.weight * (expected - of_sites),
            (pa @ weights) / noise,
            -(pc @ weights) / noise,
            (c * pc - a * pa) @ weights,
        ]
    )


variational_posterior = partial(ep_posterior, updated_sites=variational_sites)


class VariationalClassifier(GPOrdinalClassifier):
    """`GPOrdinalClassifier(inference="ep")` with hyper-parameters of the largest bound."""

    def _exact_fit(self) -> ExactFit:
        return replace(super()._exact_fit(), infer=variational_posterior, kept=ep_posterior)
