"""Metrics of ordinal predictions that scikit-learn lacks, and their scorers.

The order of the levels comes from `labels`, else from an ordered Categorical, else from numbers.
Errors are counted in ranks: one level off is an error of 1.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from scipy.stats import kendalltau
from sklearn.utils.validation import column_or_1d

from autotype.models.ensemble.weights import ranked_probability_scores
from autotype.models.targets import ranks_among

__all__ = [
    "SCORERS",
    "OrdinalScorer",
    "accuracy_within",
    "cumulative_calibration_error",
    "kendall_tau",
    "macro_mean_absolute_error",
    "maximum_mean_absolute_error",
    "mean_absolute_error",
    "ranked_probability_score",
    "reliability_table",
]


def mean_absolute_error(
    y_true: Any, y_pred: Any, *, labels: Sequence[Any] | None = None, sample_weight: Any = None
) -> float:
    """Compute the mean distance in ranks between true and predicted levels.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n,)
        Levels: strings with `labels`, an ordered Categorical, or numbers.
    labels : sequence, optional
        All levels, lowest first.
    sample_weight : array-like of shape (n,), optional
        Weights of the rows, >= 0.

    Returns
    -------
    float
        In [0, L - 1]; 0 is best.

    Raises
    ------
    ValueError
        If the levels have no order, or a value is not one of them.

    Examples
    --------
    >>> mean_absolute_error(["low", "mid"], ["high", "mid"], labels=["low", "mid", "high"])
    1.0
    """
    true, predicted, _ = _ranks(y_true, y_pred, labels)
    return float(np.average(np.abs(true - predicted), weights=sample_weight))


def macro_mean_absolute_error(
    y_true: Any, y_pred: Any, *, labels: Sequence[Any] | None = None, sample_weight: Any = None
) -> float:
    """Compute the mean over the levels of the mean distance in ranks: rare levels count as much.

    Parameters
    ----------
    y_true, y_pred, labels, sample_weight
        As in :func:`mean_absolute_error`.

    Returns
    -------
    float
        In [0, L - 1]; levels absent from `y_true` do not count.

    References
    ----------
    Baccianella, Esuli and Sebastiani (2009), Evaluation measures for ordinal regression, eq. (4).

    Examples
    --------
    >>> macro_mean_absolute_error([1, 1, 1, 3], [1, 1, 1, 1], labels=[1, 2, 3])
    1.0
    """
    return float(np.mean(_by_level(y_true, y_pred, labels, sample_weight)))


def maximum_mean_absolute_error(
    y_true: Any, y_pred: Any, *, labels: Sequence[Any] | None = None, sample_weight: Any = None
) -> float:
    """Compute the mean distance in ranks on the level that is predicted worst.

    Parameters
    ----------
    y_true, y_pred, labels, sample_weight
        As in :func:`mean_absolute_error`.

    Returns
    -------
    float
        In [0, L - 1]; levels absent from `y_true` do not count.

    References
    ----------
    Cruz-Ramirez et al. (2014), Metrics to guide a multi-objective evolutionary algorithm for
    ordinal classification.

    Examples
    --------
    >>> maximum_mean_absolute_error([1, 1, 1, 3], [1, 1, 1, 1], labels=[1, 2, 3])
    2.0
    """
    return float(np.max(_by_level(y_true, y_pred, labels, sample_weight)))


def accuracy_within(
    y_true: Any,
    y_pred: Any,
    *,
    k: int = 1,
    labels: Sequence[Any] | None = None,
    sample_weight: Any = None,
) -> float:
    """Compute the proportion of rows whose predicted level is at most k ranks off.

    Parameters
    ----------
    y_true, y_pred, labels, sample_weight
        As in :func:`mean_absolute_error`.
    k : int
        Ranks, >= 0; 0 gives the accuracy.

    Returns
    -------
    float
        In [0, 1].

    Examples
    --------
    >>> accuracy_within([1, 2, 3], [1, 1, 1])
    0.6666666666666666
    """
    if k < 0:
        raise ValueError(f"k must be a number of ranks >= 0, got {k!r}")
    true, predicted, _ = _ranks(y_true, y_pred, labels)
    return float(np.average(np.abs(true - predicted) <= k, weights=sample_weight))


def kendall_tau(y_true: Any, y_pred: Any, *, labels: Sequence[Any] | None = None) -> float:
    """Compute Kendall's tau-b between true and predicted ranks, corrected for ties.

    Parameters
    ----------
    y_true, y_pred, labels
        As in :func:`mean_absolute_error`.

    Returns
    -------
    float
        In [-1, 1]; 0 if either is constant.

    Examples
    --------
    >>> kendall_tau(["low", "mid", "high"], ["low", "mid", "mid"], labels=["low", "mid", "high"])
    0.816496580927726
    """
    true, predicted, _ = _ranks(y_true, y_pred, labels)
    if np.ptp(true) == 0 or np.ptp(predicted) == 0:
        return 0.0
    return float(kendalltau(true, predicted).statistic)


def ranked_probability_score(
    y_true: Any, y_proba: Any, *, labels: Sequence[Any] | None = None, sample_weight: Any = None
) -> float:
    """Compute the mean squared distance between predicted and true cumulative probabilities.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        Levels.
    y_proba : array-like or DataFrame of shape (n, L)
        Probabilities of the levels, lowest first; the columns of a frame name the levels.
    labels : sequence of length L, optional
        All levels, lowest first.
    sample_weight : array-like of shape (n,), optional
        Weights of the rows, >= 0.

    Returns
    -------
    float
        In [0, 1]: the sum over L - 1 cuts divided by L - 1; 0 is best. A proper score.

    References
    ----------
    Epstein (1969), A scoring system for probability forecasts of ranked categories.

    Examples
    --------
    >>> ranked_probability_score([1, 3], [[1, 0, 0], [0, 1, 0]], labels=[1, 2, 3])
    0.25
    """
    probability, true = _probabilities(y_true, y_proba, labels)
    return float(np.average(ranked_probability_scores(probability, true), weights=sample_weight))


def reliability_table(
    y_true: Any, y_proba: Any, *, labels: Sequence[Any] | None = None, n_bins: int = 10
) -> pd.DataFrame:
    """Compare predicted cumulative probabilities with how often they come true.

    Parameters
    ----------
    y_true, y_proba, labels
        As in :func:`ranked_probability_score`.
    n_bins : int
        Number of bins, >= 1, each of as many pairs of a row and a cut between levels.

    Returns
    -------
    pandas.DataFrame
        One row per bin: the mean "predicted" probability that a level is at most that of the cut,
        the "observed" proportion, and the "count" of pairs.

    Examples
    --------
    >>> reliability_table([1, 2], [[0.75, 0.25], [0.25, 0.75]], n_bins=2)
       predicted  observed  count
    0       0.25       0.0      1
    1       0.75       1.0      1
    """
    if n_bins < 1:
        raise ValueError(f"n_bins must be a number of bins >= 1, got {n_bins!r}")
    probability, true = _probabilities(y_true, y_proba, labels)
    predicted = np.cumsum(probability, axis=1)[:, :-1].ravel()
    observed = (true[:, None] <= np.arange(probability.shape[1] - 1)).ravel()
    order = np.argsort(predicted, kind="stable")
    bins = [rows for rows in np.array_split(order, n_bins) if len(rows)]
    return pd.DataFrame(
        {
            "predicted": [predicted[rows].mean() for rows in bins],
            "observed": [observed[rows].mean() for rows in bins],
            "count": [len(rows) for rows in bins],
        }
    )


def cumulative_calibration_error(
    y_true: Any, y_proba: Any, *, labels: Sequence[Any] | None = None, n_bins: int = 10
) -> float:
    """Compute the mean distance of cumulative probabilities from how often they come true.

    Parameters
    ----------
    y_true, y_proba, labels, n_bins
        As in :func:`reliability_table`.

    Returns
    -------
    float
        In [0, 1]: the mean over the bins of the table, by their counts; 0 is best.

    Examples
    --------
    >>> cumulative_calibration_error([1, 2], [[0.75, 0.25], [0.25, 0.75]], n_bins=2)
    0.25
    """
    table = reliability_table(y_true, y_proba, labels=labels, n_bins=n_bins)
    return float(np.average((table["predicted"] - table["observed"]).abs(), weights=table["count"]))


def _probabilities(y_true: Any, y_proba: Any, labels: Any) -> tuple[np.ndarray, np.ndarray]:
    """Return the probabilities, checked, and the true ranks."""
    if labels is None and isinstance(y_proba, pd.DataFrame):
        labels = list(y_proba.columns)
    probability = np.asarray(y_proba, dtype=float)
    true, _, n_levels = _ranks(y_true, y_true, labels)
    if probability.shape != (len(true), n_levels) or n_levels < 2:
        raise ValueError(
            f"y_proba must have one row for each of {len(true)} labels and one column for each of "
            f"{n_levels} levels, got shape {probability.shape}; name all levels by labels=[...]"
        )
    return probability, true


@dataclass(frozen=True)
class OrdinalScorer:
    """A metric as a scorer: ``scorer(estimator, X, y)``, the larger the better.

    The order of the levels is that of the estimator's ``classes_``.

    Attributes
    ----------
    metric : callable
        One of this module's metrics.
    sign : int
        -1 for errors.
    on_probabilities : bool
        Whether the metric takes probabilities.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.model_selection import cross_val_score
    >>> from autotype.models import LinearNPSVOR
    >>> X, y = load_iris(return_X_y=True)
    >>> scores = cross_val_score(LinearNPSVOR(), X, y, scoring=SCORERS["neg_macro_mae"])
    >>> bool(scores.mean() > -0.2)
    True
    """

    metric: Callable[..., float]
    sign: int = 1
    on_probabilities: bool = False

    def __repr__(self) -> str:
        return f"OrdinalScorer({self.metric.__name__}, sign={self.sign})"

    def __call__(self, estimator: Any, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Score an estimator's predictions."""
        predict = estimator.predict_proba if self.on_probabilities else estimator.predict
        options = {} if sample_weight is None else {"sample_weight": sample_weight}
        labels = list(estimator.classes_)
        return self.sign * self.metric(y, predict(X), labels=labels, **options)


SCORERS = {
    "neg_mae": OrdinalScorer(mean_absolute_error, -1),
    "neg_macro_mae": OrdinalScorer(macro_mean_absolute_error, -1),
    "neg_maximum_mae": OrdinalScorer(maximum_mean_absolute_error, -1),
    "accuracy_within_1": OrdinalScorer(accuracy_within),
    "kendall_tau": OrdinalScorer(kendall_tau),
    "neg_ranked_probability_score": OrdinalScorer(ranked_probability_score, -1, True),
    "neg_calibration_error": OrdinalScorer(cumulative_calibration_error, -1, True),
}


def _by_level(y_true: Any, y_pred: Any, labels: Any, sample_weight: Any) -> np.ndarray:
    """Compute the mean distance in ranks on each level that occurs in y_true."""
    true, predicted, n_levels = _ranks(y_true, y_pred, labels)
    weight = np.ones(len(true)) if sample_weight is None else np.asarray(sample_weight, float)
    total = np.bincount(true, weights=weight, minlength=n_levels)
    errors = np.bincount(true, weights=weight * np.abs(true - predicted), minlength=n_levels)
    return errors[total > 0] / total[total > 0]


def _ranks(y_true: Any, y_pred: Any, labels: Any) -> tuple[np.ndarray, np.ndarray, int]:
    """Return the ranks of true and predicted levels, and the number of levels."""
    true, predicted = _values(y_true, "y_true"), _values(y_pred, "y_pred")
    if len(true) != len(predicted) or len(true) == 0:
        raise ValueError(
            f"y_true and y_pred must be as long as each other and not empty, got {len(true)} and "
            f"{len(predicted)} values"
        )
    levels = _levels(y_true, true, predicted, labels)
    if not pd.Index(levels, dtype=object).is_unique:
        raise ValueError(f"labels must differ, got {levels}")
    values = np.concatenate([true, predicted])
    ranks = ranks_among(levels, values)
    if (ranks < 0).any():
        at = int(np.argmax(ranks < 0))
        name = "y_true" if at < len(true) else "y_pred"
        raise ValueError(
            f"{name} holds {values[at]!r}, which is not one of the levels {levels}; pass all "
            "levels as labels=[...], lowest first"
        )
    true_ranks, predicted_ranks = np.split(ranks, 2)
    return true_ranks, predicted_ranks, len(levels)


def _values(y: Any, name: str) -> np.ndarray:
    values = column_or_1d(np.asarray(y, dtype=object))
    if pd.isna(values).any():
        raise ValueError(f"{name} holds missing values; leave those rows out")
    return values


def _levels(y_true: Any, true: np.ndarray, predicted: np.ndarray, labels: Any) -> list[Any]:
    if labels is not None:
        return list(labels)
    dtype = getattr(y_true, "dtype", None)
    if isinstance(dtype, pd.CategoricalDtype) and dtype.ordered:
        return list(dtype.categories)
    levels = set(true) | set(predicted)
    if any(isinstance(level, str) for level in levels):
        raise ValueError(
            "strings have no order of their own: pass labels=[...], lowest first, or an "
            "ordered Categorical"
        )
    return sorted(levels)
