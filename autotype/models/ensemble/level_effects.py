"""Find numbers that are names: codes of persons and items, and what is the same in all rows of one.

As a number such a code explains little of a target, and as a level it may explain most. The target
decides: where a value's mean differs from those of its neighbours by more than chance, and no curve
through the means explains much of it, the value is a level of its own.
"""

from __future__ import annotations

import numpy as np
from numpy.polynomial import Polynomial
from scipy.special import fdtrc

_LEAST_LEVELS = 8
_LEAST_REPEATS = 20  # rows beyond one per value
_LEAST_P = 1e-4
_LEAST_RATIO = 3.0  # of variances, times the rows per value: few rows have to agree well
_CURVE = 0.3  # of what the levels explain: a curve that explains more is that of a measurement


def is_level(values: np.ndarray, ranks: np.ndarray) -> bool:
    """Check whether the values of a number act as levels.

    Parameters
    ----------
    values : ndarray of shape (n,)
        A feature, NaN where missing.
    ranks : ndarray of shape (n,)
        The target.

    Notes
    -----
    The contrast of a value's mean with the average of those of its two neighbours has the variance
    of a row within a value times (1 / n_k + (1 / n_(k-1) + 1 / n_(k+1)) / 4), if the mean is
    locally linear in the value. The mean square of the contrasts in these units is about F
    distributed; neighbours share means, which leaves half as many degrees of freedom. The curve is
    a cubic in the value's place among the others.

    Examples
    --------
    >>> persons = np.repeat(np.arange(40), 5)
    >>> is_level(persons, persons * 7 % 3), is_level(persons, np.arange(200) % 3)
    (True, False)
    """
    known = np.isfinite(values)
    values, ranks = values[known], ranks[known].astype(float)
    _, level, counts = np.unique(values, return_inverse=True, return_counts=True)
    repeats = len(values) - len(counts)
    if len(counts) < _LEAST_LEVELS or repeats < _LEAST_REPEATS:
        return False
    means = np.bincount(level, ranks) / counts
    within = float(np.sum((ranks - means[level]) ** 2)) / repeats
    contrasts = means[1:-1] - (means[:-2] + means[2:]) / 2
    units = 1 / counts[1:-1] + (1 / counts[:-2] + 1 / counts[2:]) / 4
    ratio = float(np.mean(contrasts**2 / units)) / max(within, 1e-12)
    chance = fdtrc(len(contrasts) / 2, repeats, ratio)
    if chance >= _LEAST_P or ratio * len(values) < _LEAST_RATIO * len(counts):
        return False
    curve = Polynomial.fit(level, ranks, 3)(level)
    curved = np.mean((curve - ranks.mean()) ** 2)
    return bool(curved < _CURVE * (np.var(ranks) - within))
