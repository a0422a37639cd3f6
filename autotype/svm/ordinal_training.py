"""What every support-vector ordinal estimator does with its training data before its solver."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.utils.class_weight import compute_class_weight
from sklearn.utils.validation import _check_sample_weight, validate_data

from autotype.estimators.targets import OrdinalLabels, read_ordinal_labels


@dataclass(frozen=True)
class OrdinalTraining:
    """Features, ranks and weights, checked.

    Attributes
    ----------
    X : ndarray or csr_matrix of shape (n, m)
        Features.
    labels : OrdinalLabels
        How to turn positions among all levels back into labels.
    observed : ndarray of int, shape (n_ranks,)
        Positions of the levels that occur with positive weight, increasing.
    ranks : ndarray of int32, shape (n,)
        Rank of each row among the observed levels.
    weights : ndarray of shape (n,)
        Sample weight times class weight.
    rows : ndarray of int, shape (n,)
        The rows' numbers in the X that was given.
    """

    X: Any
    labels: OrdinalLabels
    observed: np.ndarray
    ranks: np.ndarray
    weights: np.ndarray
    rows: np.ndarray

    @property
    def classes(self) -> np.ndarray:
        """The observed levels, lowest first."""
        return self.labels.classes[self.observed]


def read_training(
    estimator: Any,
    X: Any,
    y: Any,
    *,
    classes: Any,
    sample_weight: Any = None,
    class_weight: Any = None,
    dtype: Any = np.float64,
    accept_sparse: bool | str = "csr",
    keep_all_rows: bool = False,
) -> OrdinalTraining:
    """Check the training data of an estimator; rows of weight 0 are left out by default.

    Parameters
    ----------
    estimator : BaseEstimator
        Gets `n_features_in_` and, from a frame, `feature_names_in_`.
    X : array-like of shape (n, m)
        Features.
    y : array-like of shape (n,)
        Labels.
    classes : sequence, "sorted" or None
        Levels, lowest first.
    sample_weight : array-like of shape (n,), optional
        Weights of the rows, not negative.
    class_weight : dict or "balanced", optional
        Weights of the levels.
    dtype : dtype or list of dtypes
        What X is converted to.
    accept_sparse : str or False
        Sparse format.
    keep_all_rows : bool
        Keep rows of weight 0, so that positions of rows still hold.

    Returns
    -------
    OrdinalTraining

    Raises
    ------
    ValueError
        Where fewer than two levels have rows of positive weight.
    """
    if y is None:
        raise ValueError("fit requires y to be passed, but the target y is None")
    X = validate_data(estimator, X, accept_sparse=accept_sparse, dtype=dtype, order="C")
    labels, ranks = read_ordinal_labels(y, classes)
    if len(ranks) != X.shape[0]:
        raise ValueError(
            f"X has {X.shape[0]} rows and y {len(ranks)} labels; pass one label for each row"
        )
    weights = _check_sample_weight(
        sample_weight, np.empty((X.shape[0], 0)), dtype=np.float64, ensure_non_negative=True
    )
    if class_weight is not None:
        weights = weights * _class_weights(class_weight, labels.classes, ranks, weights)
    counted = weights > 0
    observed = np.flatnonzero(np.bincount(ranks[counted], minlength=len(labels.classes)))
    if len(observed) < 2:
        raise ValueError(
            f"rows of positive weight hold {len(observed)} class(es), at least 2 are needed; check "
            "sample_weight and class_weight"
        )
    rows = np.arange(len(ranks))
    if not (keep_all_rows or counted.all()):
        X, ranks, weights, rows = X[counted], ranks[counted], weights[counted], rows[counted]
    dense = np.minimum(np.searchsorted(observed, ranks), len(observed) - 1)
    return OrdinalTraining(X, labels, observed, dense.astype(np.int32), weights, rows)


def _class_weights(
    class_weight: Any, levels: np.ndarray, ranks: np.ndarray, weights: np.ndarray
) -> np.ndarray:
    """Weight of each row's level: shape (n,)."""
    if isinstance(class_weight, dict):
        unknown = [level for level in class_weight if level not in set(levels.tolist())]
        if unknown:
            raise ValueError(
                f"class_weight names {unknown[:5]}, not among the classes {levels.tolist()[:20]}"
            )
        return np.array([class_weight.get(level, 1.0) for level in levels.tolist()])[ranks]
    observed, dense = np.unique(ranks[weights > 0], return_inverse=True)
    of_rank = np.ones(len(levels))
    of_rank[observed] = compute_class_weight(
        class_weight,
        classes=np.arange(len(observed)),
        y=dense,
        sample_weight=weights[weights > 0],
    )
    return of_rank[ranks]


def as_csr(X: Any) -> Any:
    """Dense or CSR features as CSR without repeated entries, copied only where needed."""
    if not sparse.issparse(X):
        return sparse.csr_matrix(X)
    if not X.has_canonical_format:
        X = X.copy()
        X.sum_duplicates()
    return X
