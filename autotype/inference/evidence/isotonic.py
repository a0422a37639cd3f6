"""Isotonic regression of a few values, without the whole of `scipy.optimize`."""

from __future__ import annotations

import numpy as np


def isotonic_fit(values: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Compute the non-decreasing values of least weighted squared distance.

    Parameters
    ----------
    values : ndarray of shape (n,)
        A few: the loop is one of Python.
    weights : ndarray of shape (n,)
        Positive.

    Returns
    -------
    ndarray of shape (n,)

    References
    ----------
    Ayer et al. (1955), An empirical distribution function for sampling with incomplete information.

    Examples
    --------
    >>> isotonic_fit(np.array([1.0, 4.0, 2.0]), np.array([1.0, 1.0, 3.0]))
    array([1. , 2.5, 2.5])
    """
    # Adjacent violators are pooled: a stack of blocks of rising mean, each with weight and size.
    blocks: list[tuple[float, float, int]] = []
    for mean, weight in zip(values.tolist(), weights.tolist(), strict=True):
        size = 1
        while blocks and blocks[-1][0] >= mean:
            before, mass, count = blocks.pop()
            mean = (before * mass + mean * weight) / (mass + weight)
            weight += mass
            size += count
        blocks.append((mean, weight, size))
    means, _, sizes = zip(*blocks, strict=True)
    return np.repeat(means, sizes)
