"""Missing ratings: a kernel of correlations between rows, and low-rank completion."""

from __future__ import annotations

import warnings
from dataclasses import KW_ONLY
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, TransformerMixin, _fit_context
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_array, check_is_fitted, validate_data

from autotype.models import parameters


def pearson_kernel(X: Any, Y: Any = None) -> np.ndarray:
    """Evaluate the Pearson correlation between rows, missing entries at the row's mean.

    Parameters
    ----------
    X : array-like of shape (n, d)
        Ratings; NaN where missing.
    Y : array-like of shape (m, d), optional
        Other rows; X by default.

    Returns
    -------
    ndarray of shape (n, m)
        Products of the rows' z-scores over d. A row without spread correlates with none.

    References
    ----------
    Chu and Ghahramani (2005), Gaussian processes for ordinal regression, collaborative filtering.

    Examples
    --------
    >>> pearson_kernel([[1.0, 2.0, 3.0], [3.0, 2.0, 1.0], [1.0, np.nan, 3.0]]).round(2)
    array([[ 1.  , -1.  ,  0.82],
           [-1.  ,  1.  , -0.82],
           [ 0.82, -0.82,  0.67]])
    """
    scores = _row_scores(X)
    return scores @ (scores if Y is None else _row_scores(Y)).T


def _row_scores(X: Any) -> np.ndarray:
    X = check_array(X, dtype=np.float64, ensure_all_finite="allow-nan")
    observed = ~np.isnan(X)
    count = np.maximum(observed.sum(axis=1, keepdims=True), 1)
    centred = np.where(observed, X, 0.0)
    centred = np.where(observed, X - centred.sum(axis=1, keepdims=True) / count, 0.0)
    # Biased standard deviations, so that a row correlates with itself by how much is observed.
    spread = np.sqrt((centred**2).sum(axis=1, keepdims=True) / count)
    return centred / np.where(spread > 1e-12, spread, np.inf) / np.sqrt(X.shape[1])


@parameters.estimator()
class LowRankCompletion(TransformerMixin, BaseEstimator):
    """Fill missing entries by the best low-rank approximation of those observed.

    Parameters
    ----------
    n_components : int, default=2
        Rank of the approximation of the centred columns.
    tol : float, default=1e-6
        Stop once the objective falls by less than this proportion of its start.
    max_iter : int, default=1000
        Most EM steps.

    Attributes
    ----------
    mean_ : ndarray of shape (n_features,)
        (Weighted) means of the observed entries of each column; 0 for a column never observed.
    components_ : ndarray of shape (rank, n_features)
        Orthonormal rows.
    objective_ : ndarray of shape (n_steps,)
        Weighted sum of squared errors on the observed entries after each step; never increasing.
    n_iter_ : int
        Steps taken.

    Notes
    -----
    E step: each entry is mixed from its value, in the proportion of its weight, and the current
    approximation; M step: truncated SVD of the mixture. A missing entry has weight 0, others 1
    unless `fit` gets `entry_weight`. The objective has local minima; EM starts from the means.

    References
    ----------
    Srebro and Jaakkola (2003), Weighted low-rank approximations, sec. 4.

    Examples
    --------
    >>> X = np.outer(np.linspace(-1, 1, 41), [1.0, -1.0, 2.0])
    >>> X[30, 2] = np.nan  # 1.0 if it were observed
    >>> LowRankCompletion(1, tol=1e-12).fit_transform(X)[30].round(1)
    array([ 0.5, -0.5,  1. ])
    """

    n_components: parameters.PositiveInt = 2
    _: KW_ONLY
    tol: parameters.NonNegativeFloat = 1e-6
    max_iter: parameters.PositiveInt = 1000

    def __sklearn_tags__(self) -> Any:
        """Return the tags: NaN are allowed."""
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags

    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: Any, y: Any = None, *, entry_weight: Any = None) -> Self:
        """Learn the components from the observed entries.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            NaN where missing.
        y : None
            Ignored.
        entry_weight : array-like of shape (n_samples, n_features), optional
            How much each entry counts, from 0 to 1; those of missing entries are ignored.

        Returns
        -------
        LowRankCompletion
            The estimator itself.

        Raises
        ------
        ValueError
            Where weights are not those of the entries, or not from 0 to 1.

        Warns
        -----
        ConvergenceWarning
            Where the objective still fell after `max_iter` steps.
        """
        X = validate_data(self, X, dtype=np.float64, ensure_all_finite="allow-nan")
        weight = _entry_weight(entry_weight, X)
        values = np.where(weight > 0, X, 0.0)
        total = weight.sum(axis=0)
        self.mean_ = (weight * values).sum(axis=0) / np.where(total > 0, total, 1.0)
        values = np.where(weight > 0, X - self.mean_, 0.0)
        scale = float((weight * values**2).sum())
        low, objective, converged = np.zeros_like(values), [], False
        for _ in range(self.max_iter):
            # E step: a missing entry is imputed, one of weight w counts w.
            mixed = weight * values + (1.0 - weight) * low
            U, s, Vt = np.linalg.svd(mixed, full_matrices=False)
            k = min(self.n_components, len(s))
            low = (U[:, :k] * s[:k]) @ Vt[:k]
            objective.append(float((weight * (values - low) ** 2).sum()))
            if np.all(weight == 1.0) or (
                len(objective) > 1 and objective[-2] - objective[-1] <= self.tol * scale
            ):
                converged = True
                break
        self.components_, self.objective_ = Vt[:k], np.array(objective)
        self.n_iter_ = len(objective)
        if not converged:
            warnings.warn(
                f"LowRankCompletion: the objective still fell after max_iter={self.max_iter} "
                "steps; raise max_iter or tol, or lower n_components",
                ConvergenceWarning,
                stacklevel=2,
            )
        return self

    def transform(self, X: Any) -> np.ndarray:
        """Fill the missing entries; observed ones stay.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            NaN where missing.

        Returns
        -------
        ndarray of shape (n_samples, n_features)
            Without NaN: each row's least-squares fit to its observed entries.
        """
        check_is_fitted(self)
        X = validate_data(
            self, X, dtype=np.float64, ensure_all_finite="allow-nan", reset=False, copy=True
        )
        for row in np.flatnonzero(np.isnan(X).any(axis=1)):
            observed = ~np.isnan(X[row])
            basis = self.components_[:, observed]
            # The row's scores on the components, from its observed entries alone.
            score = np.linalg.lstsq(basis.T, X[row, observed] - self.mean_[observed], rcond=None)[0]
            X[row, ~observed] = self.mean_[~observed] + score @ self.components_[:, ~observed]
        return X


def _entry_weight(entry_weight: Any, X: np.ndarray) -> np.ndarray:
    """Weights of the entries, 0 where missing."""
    observed = ~np.isnan(X)
    if entry_weight is None:
        return observed.astype(float)
    weight = check_array(
        entry_weight, dtype=np.float64, ensure_all_finite="allow-nan", input_name="entry_weight"
    )
    if weight.shape != X.shape:
        raise ValueError(f"entry_weight has shape {weight.shape} but X has {X.shape}")
    weight = np.where(observed, weight, 0.0)
    wrong = np.argwhere(~((weight >= 0.0) & (weight <= 1.0)))
    if len(wrong):
        row, column = wrong[0]
        raise ValueError(
            f"entry_weight must lie from 0 to 1, got {weight[row, column]:g} at row {row}, "
            f"column {column} (and {len(wrong) - 1} more); divide the weights by their maximum"
        )
    return weight
