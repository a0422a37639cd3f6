"""Latents of each row by the model without that row, for a softmax likelihood."""

from __future__ import annotations

from functools import cache

import numpy as np
from scipy.special import softmax

from autotype.models.gaussian_process.weight_space._left_out_fast import leave_out

BLOCK_ROWS = 8  # rows that the compiled loop works on at a time


@cache
def packed_positions(n: int) -> np.ndarray:
    """Positions of the entries of a symmetric matrix in its packed lower triangle, shape (n, n).

    Examples
    --------
    >>> packed_positions(2)
    array([[0, 1],
           [1, 2]])
    """
    rows, columns = np.tril_indices(n)
    positions = np.empty((n, n), dtype=np.intp)
    positions[rows, columns] = positions[columns, rows] = np.arange(len(rows))
    return positions


def leave_one_out_latents(
    latent: np.ndarray,
    spread: np.ndarray,
    codes: np.ndarray,
    *,
    sample_weight: np.ndarray | None = None,
) -> tuple[np.ndarray, np.ndarray]:
    """Mean (n, L) and covariance (n, L, L) of each row's latents without its own likelihood.

    Parameters
    ----------
    latent : ndarray of shape (n, L)
        Posterior mode of the latents.
    spread : ndarray of shape (n, L, L)
        Their posterior covariances.
    codes : ndarray of int, shape (n,)
        Classes 0 .. L - 1.
    sample_weight : ndarray of shape (n,), optional
        Of a row of weight 2 one of its two copies is left out, of one of weight 1/2 all.
    """
    rows, columns = np.tril_indices(latent.shape[1])
    weight = np.ones(len(codes)) if sample_weight is None else np.minimum(sample_weight, 1.0)
    packed = spread[:, rows, columns].T
    without = np.empty((len(packed), _whole_blocks(len(latent))))
    mean, _ = leave_one_out_variances(latent, packed, codes, weight, without)
    return mean, without[:, : len(latent)].T[:, packed_positions(latent.shape[1])]


def leave_one_out_variances(
    latent: np.ndarray,
    packed: np.ndarray,
    codes: np.ndarray,
    weight: np.ndarray,
    covariance_out: np.ndarray | None = None,
) -> tuple[np.ndarray, np.ndarray]:
    """Mean and variance (n, L) of each row's latents without its own likelihood.

    Parameters
    ----------
    latent : ndarray of shape (n, L)
        Posterior mode of the latents.
    packed : ndarray of shape (L (L + 1) / 2, n)
        Their posterior covariances, a packed lower triangle a column.
    codes : ndarray of int, shape (n,)
        Classes 0 .. L - 1.
    weight : ndarray of shape (n,)
        How much of the row's likelihood is taken out, at most 1.
    covariance_out : ndarray of shape (L (L + 1) / 2, whole blocks of rows), optional
        Filled with the covariances without it.
    """
    n_rows, n_levels = latent.shape
    prob = softmax(latent, axis=1)
    residual = prob.copy()
    residual[np.arange(n_rows), codes] -= 1.0
    residual *= weight[:, None]
    shift, variance = np.empty((2, n_levels, _whole_blocks(n_rows)))
    work = np.empty(BLOCK_ROWS * (n_levels * (n_levels + 1) // 2 + n_levels * (n_levels + 2)))
    given = [_padded(values) for values in (packed, prob.T, residual.T)]
    covariance = np.empty((0, 0)) if covariance_out is None else covariance_out
    leave_out(*given, _padded(weight[None])[0], work, shift, variance, covariance)
    return latent + shift[:, :n_rows].T, variance[:, :n_rows].T


def _whole_blocks(n_rows: int) -> int:
    return -(-n_rows // BLOCK_ROWS) * BLOCK_ROWS


def _padded(values: np.ndarray) -> np.ndarray:
    """Add rows of zeros, which come last, up to whole blocks."""
    n_missing = _whole_blocks(values.shape[1]) - values.shape[1]
    return np.ascontiguousarray(np.pad(values, ((0, 0), (0, n_missing))) if n_missing else values)
