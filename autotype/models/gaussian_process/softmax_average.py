"""Class probabilities where the latents are known up to a normal distribution.

Averaging over Laplace's posterior is badly under-confident where classes are separable, since the
mode is far from the mean there; plugging the mode in is over-confident elsewhere. Leave-one-out
scores decide which to use.
"""

from __future__ import annotations

import numpy as np
from scipy.linalg import helmert
from scipy.special import ndtri, softmax
from scipy.stats import qmc

_N_DRAWS = 256
_CHUNK_ROWS = 1_000
_MANY_ROWS = 5_000
_LEAST_PROBABILITY = 1e-13
_WORTH = 1e-3  # nats per row that plugging the mode in must gain: rounding decides no tie


def class_probabilities(
    mean: np.ndarray, covariance: np.ndarray, *, n_draws: int = _N_DRAWS
) -> np.ndarray:
    """Average the softmax over normal latents.

    Parameters
    ----------
    mean : ndarray of shape (m, L)
        Means of the latents.
    covariance : ndarray of shape (m, L, L)
        Their covariances.
    n_draws : int
        Number of Sobol points, a power of 2.

    Returns
    -------
    ndarray of shape (m, L)
        Rows sum to 1.

    Notes
    -----
    Sobol points and their mirror images, 256 of them to about 1e-3; the same for every row, so
    that a row's result does not depend on the other rows. A shift common to all classes
    changes no probability and is taken out first: L - 1 contrasts are averaged over.
    """
    contrasts = helmert(mean.shape[1])
    points = ndtri(qmc.Sobol(len(contrasts), scramble=True, rng=0).random(n_draws))
    points = np.concatenate([points, -points])
    spread = contrasts @ covariance @ contrasts.T
    unit = np.einsum("ikk->i", spread) + 1e-300
    spread = spread + 1e-10 * unit[:, None, None] * np.eye(len(contrasts))
    # A Cholesky factor, not an eigenbasis: that is arbitrary where eigenvalues are equal.
    root = contrasts.T @ _lower_root(spread)
    result = np.empty_like(mean)
    for first in range(0, len(mean), _CHUNK_ROWS):
        rows = slice(first, first + _CHUNK_ROWS)
        latent = mean[rows, None, :] + points @ root[rows].transpose(0, 2, 1)
        latent = np.exp(latent - latent.max(axis=2, keepdims=True))
        result[rows] = (latent / latent.sum(axis=2, keepdims=True)).mean(axis=1)
    return result / result.sum(axis=1, keepdims=True)


def _lower_root(spread: np.ndarray) -> np.ndarray:
    """Cholesky factors, of the nearest semi-definite matrices where needed."""
    try:
        return np.linalg.cholesky(spread)
    except np.linalg.LinAlgError:
        values, vectors = np.linalg.eigh(spread)
        least = 1e-10 * np.abs(values).max(axis=1, keepdims=True) + 1e-300
        scaled = vectors * np.maximum(values, least)[:, None, :]
        return np.linalg.cholesky(scaled @ vectors.transpose(0, 2, 1))


def better_softmax(
    mean: np.ndarray, covariance: np.ndarray, codes: np.ndarray, weight: np.ndarray
) -> tuple[float, bool]:
    """Score averaging and plugging the mode in by leave-one-out.

    Parameters
    ----------
    mean, covariance :
        Of the latents of each row by the model without it, as in `class_probabilities`.
    codes : ndarray of int, shape (m,)
        Their classes.
    weight : ndarray of shape (m,)
        Their weights.

    Returns
    -------
    score : float
        Weighted sum of the log probabilities, by the better one.
    averaged : bool
        Whether that is averaging.
    """
    rows = np.arange(len(codes))
    # The errors of many rows cancel in their sum.
    average = class_probabilities(
        mean, covariance, n_draws=_N_DRAWS if len(rows) <= _MANY_ROWS else _N_DRAWS // 16
    )
    plug_in, averaged = (
        float(weight @ np.log(np.maximum(probability[rows, codes], _LEAST_PROBABILITY)))
        for probability in (softmax(mean, axis=1), average)
    )
    if plug_in > averaged + _WORTH * float(weight.sum()):
        return plug_in, False
    return averaged, True
