"""The step Theta(sign d) as a likelihood: the moments that expectation propagation matches."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import log_ndtr


@dataclass(frozen=True)
class StepMoments:
    """What steps make of Gaussian marginals.

    Attributes
    ----------
    precision, shift : ndarray
        tau and nu of the new sites.
    change : ndarray
        How far the mean moves, in standard deviations.
    log_terms : ndarray
        What each step adds to the log evidence beside the Gaussians (Minka's fixed-point form).
    """

    precision: np.ndarray
    shift: np.ndarray
    change: np.ndarray
    log_terms: np.ndarray


def match_steps(
    mean: np.ndarray,
    variance: np.ndarray,
    tau: np.ndarray,
    nu: np.ndarray,
    sign: np.ndarray | float = 1.0,
) -> StepMoments:
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
    StepMoments
    """
    cavity = 1.0 / np.maximum(1.0 / variance - tau, 1e-10)
    centre = cavity * (mean / variance - nu)
    z = sign * centre / np.sqrt(cavity)
    ratio = np.exp(-0.5 * z**2 - 0.5 * np.log(2.0 * np.pi) - log_ndtr(z))
    shrink = np.clip(ratio * (z + ratio), 1e-12, 1.0 - 1e-9)
    tilted = centre + sign * np.sqrt(cavity) * ratio
    precision = shrink / (cavity * (1.0 - shrink))
    return StepMoments(
        precision=precision,
        shift=tilted * (precision + 1.0 / cavity) - centre / cavity,
        change=np.abs(tilted - mean) / np.sqrt(variance),
        log_terms=log_ndtr(z)
        + 0.5 * (centre**2 / cavity + np.log(cavity) - mean**2 / variance - np.log(variance)),
    )
