"""Read features and weights, and refuse magnitudes whose products no float holds.

Kernels multiply two features and the solvers multiply two values of the kernel, so that the fourth
power of a feature has to be a float: between 1e-308 and 1e308, with room for sums over rows. Beyond
that, sums are infinite, or 0 where they should not be, and what is learned from them is silent
nonsense.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse
from sklearn.utils.validation import _check_sample_weight, validate_data

SMALLEST, LARGEST = 1e-75, 1e75
LARGEST_KERNEL = 1e154  # its square is a float

# Beyond these, features in float32 are computed with in float64.
_SMALLEST_FLOAT32, _LARGEST_FLOAT32 = 1e-9, 1e9
_VALUES_AT_ONCE = 1 << 16  # so that no copy of all features is made


def read_features(
    estimator: Any, X: Any, *, reset: bool, bounded: bool = True, **options: Any
) -> Any:
    """Check features, and that their magnitudes can be computed with.

    Parameters
    ----------
    estimator : BaseEstimator
        With `reset` it gets `n_features_in_` and, from a frame, `feature_names_in_`.
    X : array-like or sparse matrix of shape (n, m)
        Features.
    reset : bool
        Whether these are the rows of `fit`. New rows may be as small as they like.
    bounded : bool
        Whether X holds features, and not the values of a kernel.
    **options
        As of `sklearn.utils.validation.validate_data`.

    Returns
    -------
    ndarray or sparse matrix of shape (n, m)
        In float64 if it is of a float32 whose powers are not. A sparse matrix has each entry once.

    Raises
    ------
    ValueError
        If a value is larger than 1e75 in magnitude (of a kernel: 1e154) or, in `fit`, all values of
        a feature are smaller than 1e-75 without being 0.
    """
    with np.errstate(invalid="ignore"):  # scikit-learn adds inf to -inf before it refuses them
        X = validate_data(estimator, X, reset=reset, **options)
    if sparse.issparse(X) and not X.has_canonical_format:  # an entry may be a sum of several
        X = X.copy()
        X.sum_duplicates()
    if not bounded and X.dtype != np.float32:
        return check_kernel(X, refuse_small=reset)
    smallest, largest = _extreme_magnitudes(X)
    if X.dtype == np.float32 and not (
        smallest >= _SMALLEST_FLOAT32 and largest <= _LARGEST_FLOAT32
    ):
        X = X.astype(np.float64)
    if not bounded:
        return check_kernel(X, refuse_small=reset)
    if not (smallest >= SMALLEST and largest <= LARGEST):
        _refuse_features(X, getattr(estimator, "feature_names_in_", None), refuse_small=reset)
    return X


def read_weights(sample_weight: Any, n: int) -> np.ndarray:
    """Check sample weights.

    Parameters
    ----------
    sample_weight : array-like of shape (n,), number or None
        Weights; None is 1 for every row.
    n : int
        Number of rows.

    Returns
    -------
    ndarray of shape (n,)

    Raises
    ------
    ValueError
        If a weight is negative, NaN or infinite, all are 0, or a positive one is not between 1e-75
        and 1e75.

    Examples
    --------
    >>> read_weights([1, 2], 2)
    array([1., 2.])
    """
    weights = _check_sample_weight(
        sample_weight, np.empty((n, 0)), dtype=np.float64, ensure_non_negative=True
    )
    return check_positive_magnitudes(weights, "sample_weight")


def check_positive_magnitudes(values: np.ndarray, name: str) -> np.ndarray:
    """Return values >= 0, or raise ValueError if a positive one is not between 1e-75 and 1e75."""
    wrong = np.flatnonzero((values > LARGEST) | ((values > 0) & (values < SMALLEST)))
    if len(wrong):
        found = values[wrong[0]]
        raise ValueError(
            f"{name} holds {found:g} at row {wrong[0]}, but has to be 0 or between "
            f"{SMALLEST:g} and {LARGEST:g}, since it is multiplied with squares of the "
            f"features; divide all weights by {found:g}, or take 0 for rows that are not to count"
        )
    return values


def check_targets(y: np.ndarray) -> None:
    """Raise ValueError if targets, NaN where not known, are too large or too small to multiply."""
    largest = float(np.nanmax(np.abs(y), initial=0.0))
    if largest > LARGEST or 0 < largest < SMALLEST:
        row = int(np.nanargmax(np.abs(y)))
        raise ValueError(
            f"the largest target in y, {y[row]:g} at row {row}, has a magnitude that is "
            f"not between {SMALLEST:g} and {LARGEST:g}, so that its products overflow or "
            f"vanish; scale the targets: divide y by {largest:g}"
        )


def check_kernel(K: np.ndarray, *, refuse_small: bool = False) -> np.ndarray:
    """Return a kernel matrix, or raise ValueError if its squares are infinite.

    Parameters
    ----------
    K : ndarray of shape (n, n_centres)
        The kernel between rows and training rows.
    refuse_small : bool
        Whether to raise, too, if all squares are 0 and the kernel is not.
    """
    magnitudes = np.abs(K)
    largest = float(magnitudes.max(initial=0.0))
    if not largest <= LARGEST_KERNEL:  # NaN too
        row, column = np.unravel_index(np.argmax(~(magnitudes <= LARGEST_KERNEL)), K.shape)
        raise ValueError(
            f"the kernel is {K[row, column]:g} between row {row} and training row {column}, "
            f"but has to be finite and at most {LARGEST_KERNEL:g}; scale the features, "
            "or choose a smaller gamma, coef0 or degree"
        )
    if refuse_small and 0 < largest < 1 / LARGEST_KERNEL:
        raise ValueError(
            f"the kernel is at most {largest:g} between all rows, less "
            f"than {1 / LARGEST_KERNEL:g}, so that its products vanish; scale the "
            "features, or choose a larger gamma or coef0 or a smaller degree"
        )
    return K


def _extreme_magnitudes(X: Any) -> tuple[float, float]:
    """Return the smallest magnitude other than 0, infinite if all are 0, and the largest."""
    values = X.data if sparse.issparse(X) else X
    smallest, largest = np.inf, 0.0
    n_rows = max(_VALUES_AT_ONCE * len(values) // max(values.size, 1), 1)
    for start in range(0, len(values), n_rows):
        magnitudes = np.abs(values[start : start + n_rows])
        # NaN, where they are allowed, have no magnitude.
        least = np.fmin.reduce(magnitudes, axis=None, initial=np.inf)
        if least == 0:
            least = magnitudes.min(initial=np.inf, where=magnitudes > 0)
        smallest = min(smallest, float(least))
        largest = max(largest, float(np.fmax.reduce(magnitudes, axis=None, initial=0.0)))
    return smallest, largest


def _refuse_features(X: Any, names: Any, *, refuse_small: bool) -> None:
    """Raise ValueError if a feature's largest magnitude is out of bounds."""
    magnitudes = abs(X)
    if sparse.issparse(X):
        largest = magnitudes.max(axis=0).toarray().ravel()
    else:
        largest = np.fmax.reduce(magnitudes, axis=0)
    wrong = largest > LARGEST
    if refuse_small:
        wrong |= (largest > 0) & (largest < SMALLEST)
    if not wrong.any():
        return
    column = int(np.argmax(wrong))
    found = largest[column]
    name = f"column {column}" if names is None else f"feature {names[column]!r} (column {column})"
    consequence = "overflow" if found > LARGEST else "vanish"
    raise ValueError(
        f"the largest magnitude of {name} of X is {found:g}, which is not between {SMALLEST:g} and "
        f"{LARGEST:g}: its products {consequence}; scale the features: divide this one by "
        f"{found:g}"
    )
