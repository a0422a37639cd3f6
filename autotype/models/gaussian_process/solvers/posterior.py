"""The base of all approximate posteriors."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class ApproximatePosterior:
    """Base of the Gaussian approximations of a posterior.

    Attributes
    ----------
    log_evidence : float
        Approximation of the log marginal likelihood: Laplace's or EP's.
    n_iter : int
        Newton steps or sweeps.
    converged : bool
        Whether the mode or the fixed point was reached.
    """

    log_evidence: float
    n_iter: int
    converged: bool
