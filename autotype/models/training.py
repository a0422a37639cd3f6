"""The base of the classifiers, and how they read features, labels and sample weights.

All classifiers have to agree on what a weight of 0 means, which levels count, and which input is
refused. scikit-learn checks features and labels one by one. Here they are checked together, and
rows of weight 0 are dropped so that no solver sees them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.class_weight import compute_class_weight

from autotype.models.decisions import decide_ranks
from autotype.models.magnitudes import check_positive_magnitudes, read_features, read_weights
from autotype.models.targets import OrdinalLabels, read_ordinal_labels


class LevelClassifier(ClassifierMixin, BaseEstimator):
    """Base of the classifiers of levels: how they read labels, and which level they predict."""

    classes: Any
    decision: Any
    _labels: OrdinalLabels

    def _read_labels(self, y: Any) -> tuple[OrdinalLabels, np.ndarray]:
        """Read the levels of a target, and the rank of every row."""
        return read_ordinal_labels(y, self.classes)

    def predict(self, X: Any) -> Any:
        """Predict levels, by the decision chosen.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Features.

        Returns
        -------
        ndarray, Categorical or Series of length n_samples
            Labels of the kind passed to `fit`; a Series, with the index of X, only if X is a frame.
        """
        ranks = decide_ranks(self.predict_proba(X), self.decision)
        return self._labels.decode(ranks, X)


@dataclass(frozen=True)
class TrainingData:
    """Features, ranks and weights, checked.

    Attributes
    ----------
    X : ndarray or csr_matrix of shape (n, m)
        Features.
    labels : OrdinalLabels
        All levels, and how to decode ranks among them as labels.
    observed : ndarray of int, shape (n_ranks,)
        Positions, among all levels, of those with rows of positive weight; increasing.
    ranks : ndarray of int32, shape (n,)
        Rank of each row among the observed levels.
    weights : ndarray of shape (n,)
        Sample weight times class weight.
    rows : ndarray of int, shape (n,)
        Row numbers in the X passed to `fit`.
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

    @property
    def n_ranks(self) -> int:
        """Number of observed levels."""
        return len(self.observed)


def read_training(
    estimator: LevelClassifier,
    X: Any,
    y: Any,
    *,
    sample_weight: Any = None,
    class_weight: Any = None,
    min_samples: int = 1,
    keep_all_rows: bool = False,
    **options: Any,
) -> TrainingData:
    """Check the training data of a classifier; rows of weight 0 are dropped by default.

    Parameters
    ----------
    estimator : LevelClassifier
        Reads the labels, and gets `n_features_in_` and, from a frame, `feature_names_in_`.
    X : array-like of shape (n, m)
        Features.
    y : array-like of shape (n,)
        Labels.
    sample_weight : array-like of shape (n,), optional
        Weights of the rows, >= 0.
    class_weight : dict or "balanced", optional
        Weights of the levels.
    min_samples : int
        Fewest rows accepted.
    keep_all_rows : bool
        Keep rows of weight 0, so that row numbers of X remain valid.
    **options
        As of `read_features`; by default X is read as float64.

    Returns
    -------
    TrainingData

    Raises
    ------
    ValueError
        If features or weights cannot be computed with (see `read_features`, `read_weights`), or
        fewer than two levels have rows of positive weight.
    """
    if y is None:
        raise ValueError("fit requires y to be passed, but the target y is None")
    options = {"dtype": np.float64, "order": "C", **options}
    X = read_features(estimator, X, reset=True, ensure_min_samples=min_samples, **options)
    labels, ranks = estimator._read_labels(y)
    if len(ranks) != X.shape[0]:
        raise ValueError(
            f"X has {X.shape[0]} rows and y {len(ranks)} labels; pass one label for each row"
        )
    weights = read_weights(sample_weight, X.shape[0])
    if class_weight is not None:
        weights = check_positive_magnitudes(
            weights * _class_weights(class_weight, labels.classes, ranks, weights),
            "the product of sample_weight and class_weight",
        )
    positive = weights > 0
    observed = np.flatnonzero(np.bincount(ranks[positive], minlength=len(labels.classes)))
    if len(observed) < 2:
        raise ValueError(
            f"rows of positive weight hold {len(observed)} class(es), at least 2 are needed; check "
            "sample_weight and class_weight"
        )
    rows = np.arange(len(ranks))
    if not (keep_all_rows or positive.all()):
        X, ranks, weights, rows = X[positive], ranks[positive], weights[positive], rows[positive]
    # Kept rows of weight 0 may hold a level that is not observed: any rank will do for them.
    dense = np.minimum(np.searchsorted(observed, ranks), len(observed) - 1)
    return TrainingData(X, labels, observed, dense.astype(np.int32), weights, rows)


def _class_weights(
    class_weight: Any, levels: np.ndarray, ranks: np.ndarray, weights: np.ndarray
) -> np.ndarray:
    """Return the weight of each row's level: shape (n,)."""
    if isinstance(class_weight, dict):
        unknown = [level for level in class_weight if level not in set(levels.tolist())]
        if unknown:
            raise ValueError(
                f"class_weight names {unknown[:5]}, not among the classes {levels.tolist()[:20]}"
            )
        for level, weight in class_weight.items():
            if not 0 <= weight < np.inf:
                raise ValueError(
                    f"class_weight holds {weight!r} for {level!r}; weights are finite and >= 0"
                )
        return np.array([class_weight.get(level, 1.0) for level in levels.tolist()])[ranks]
    counted, weight_of_rank = weights > 0, np.ones(len(levels))
    observed = np.unique(ranks[counted])
    weight_of_rank[observed] = compute_class_weight(
        class_weight, classes=observed, y=ranks[counted], sample_weight=weights[counted]
    )
    return weight_of_rank[ranks]
