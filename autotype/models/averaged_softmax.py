"""Class probabilities where the latents are known up to a normal distribution."""

from __future__ import annotations

import numpy as np
from scipy.special import ndtri
from scipy.stats import qmc

_N_DRAWS = 64
_CHUNK_ROWS = 2_000


def class_probabilities(mean: np.ndarray, covariance: np.ndarray) -> np.ndarray:
    """Average the softmax over normal latents.

    Parameters
    ----------
    mean : ndarray of shape (m, L)
        Means of the latents.
    covariance : ndarray of shape (m, L, L)
        Their covariances.

    Returns
    -------
    ndarray of shape (m, L)
        Rows sum to 1.

    Notes
    -----
    Sobol points and their mirror images, the same for every row, so that a row's answer does not
    depend on the rows beside it.
    """
    levels = mean.shape[1]
    points = ndtri(qmc.Sobol(levels, scramble=True, rng=0).random(_N_DRAWS))
    points = np.concatenate([points, -points])
    values, vectors = np.linalg.eigh(covariance)
    root = vectors * np.sqrt(np.maximum(values, 0.0))[:, None, :]
    result = np.empty_like(mean)
    for first in range(0, len(mean), _CHUNK_ROWS):
        rows = slice(first, first + _CHUNK_ROWS)
        latent = mean[rows, None, :] + points @ root[rows].transpose(0, 2, 1)
        latent = np.exp(latent - latent.max(axis=2, keepdims=True))
        result[rows] = (latent / latent.sum(axis=2, keepdims=True)).mean(axis=1)
    return result / result.sum(axis=1, keepdims=True)
