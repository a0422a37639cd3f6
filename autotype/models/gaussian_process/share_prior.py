"""A prior on the share of the latent variance that the latent function explains.

The evidence of few rows hardly restrains the amplitude beside the noise: its maximum may lie where
the features explain everything, or nothing.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

# A function that varies less, beside its own variance, is a constant up to rounding.
_CONSTANT = 1e-12


@dataclass(frozen=True)
class ShareDensity:
    """Log density of the share at one kernel matrix and noise, with its slopes.

    Attributes
    ----------
    value : float
        k ln R + k ln(1 - R), without its constant.
    log_noise : float
        Slope in ln s.
    kernel_scale : float
        Slope in the kernel matrix, a multiple of `SharePrior.spread_weights`.
    """

    value: float
    log_noise: float
    kernel_scale: float


@dataclass(frozen=True)
class SharePrior:
    """The prior: ln(R / (1 - R)) has the density of Beta(k, k) for the share R.

    Parameters
    ----------
    strength : float
        k >= 0; 0 for no prior.
    weight : ndarray of shape (n,)
        Weights of the rows, > 0.

    Notes
    -----
    R = v / (v + s^2), where v is the variance over the rows that the Gaussian process expects of
    its function, p'diag(K) - p'Kp with the rows' shares p of the weight, and s the noise. What is
    the same in all rows is left to the thresholds; so v, unlike the amplitude, is the effect of the
    features, also where a long length scale makes the function nearly linear. The density falls by
    k nats for each factor e of v / s^2, either way; evidence of many rows outweighs it.

    Examples
    --------
    >>> prior = SharePrior(2.0, np.ones(2))
    >>> prior.density(np.array([[2.0, 0.0], [0.0, 2.0]]), 1.0).value  # R = 1/2
    -2.772588722239781
    """

    strength: float
    weight: np.ndarray = field(repr=False)

    def density(self, K: np.ndarray, noise: float) -> ShareDensity:
        """Compute the log density and its slopes; 0 where the function is constant."""
        p = self.weight / self.weight.sum()
        total = float(p @ np.diag(K))
        spread = total - float(p @ K @ p)
        if not spread > _CONSTANT * total:
            return ShareDensity(0.0, 0.0, 0.0)
        odds = spread / noise**2
        # ln R + ln(1 - R) of R = odds / (1 + odds)
        value = self.strength * float(np.log(odds) - 2.0 * np.log1p(odds))
        by_log_odds = self.strength * (1.0 - odds) / (1.0 + odds)
        return ShareDensity(value, -2.0 * by_log_odds, by_log_odds / spread)

    def spread_weights(self) -> np.ndarray:
        """Compute the slope of v in the kernel matrix, shape (n, n)."""
        p = self.weight / self.weight.sum()
        return np.diag(p) - np.outer(p, p)
