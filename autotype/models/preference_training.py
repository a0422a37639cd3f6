"""Training data of a regression with order preferences: labelled rows, and rows spoken of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from pandas.api.extensions import ExtensionArray
from sklearn.utils import assert_all_finite
from sklearn.utils.validation import _check_sample_weight, column_or_1d, validate_data

from autotype.models.preferences import Preferences
from autotype.solvers.preference_problem import NO_ROW, PreferenceProblem


@dataclass(frozen=True)
class PreferenceTraining:
    """Features and targets of the labelled rows, and what is preferred of which rows, checked.

    Attributes
    ----------
    X : ndarray or csr_matrix of shape (l, m)
        Features of the labelled rows.
    y, weights : ndarray of shape (l,)
        Targets, finite, and weights > 0.
    labelled : ndarray of int, shape (l,)
        Numbers of these rows in what `fit` was given.
    X_spoken : ndarray or csr_matrix of shape (r, m)
        Features of the rows that preferences speak of, each once.
    preferences : Preferences
        As given, of length p.
    above, below : ndarray of int, shape (p,)
        Their rows in `X_spoken`, or `NO_ROW`.
    """

    X: Any
    y: np.ndarray
    weights: np.ndarray
    labelled: np.ndarray
    X_spoken: Any
    preferences: Preferences
    above: np.ndarray
    below: np.ndarray

    def problem(
        self, K: np.ndarray, K_spoken: np.ndarray, *, epsilon: float, rows: Any = slice(None)
    ) -> PreferenceProblem:
        """Pose Zhu and Goldberg eq. (6), with the labelled rows as centres.

        Parameters
        ----------
        K : ndarray of shape (l, l)
            Kernel between the labelled rows.
        K_spoken : ndarray of shape (r, l)
            Kernel between the rows spoken of and the labelled rows.
        epsilon : float
            Half width of the tube.
        rows : index
            Labelled rows that take part; all by default.
        """
        weights = self.weights[rows]
        return PreferenceProblem(
            K=K[rows][:, rows],
            y=self.y[rows],
            costs=weights / weights.sum(),
            K_rows=K_spoken[:, rows],
            above=self.above,
            below=self.below,
            difference=self.preferences.difference,
            weight=self.preferences.weight,
            epsilon=float(epsilon),
        )


def read_preference_training(
    estimator: Any,
    X: Any,
    y: Any,
    *,
    preferences: Any = None,
    sample_weight: Any = None,
    unlabelled: Any = None,
    accept_sparse: bool | str = "csr",
) -> PreferenceTraining:
    """Check the training data of a regression with order preferences.

    Parameters
    ----------
    estimator : BaseEstimator
        Gets `n_features_in_` and, from a frame, `feature_names_in_`.
    X : array-like or sparse matrix of shape (n, m)
        Features.
    y : array-like of shape (n,)
        Targets, missing where not known.
    preferences : Preferences or None
        About rows of X, or of `unlabelled` where given.
    sample_weight : array-like of shape (n,), optional
        Weights of the rows, not negative; 0 is as good as a missing target.
    unlabelled : array-like or sparse matrix of shape (u, m), optional
        Rows that the preferences number in place of those of X.
    accept_sparse : str or False
        Sparse format.

    Returns
    -------
    PreferenceTraining

    Raises
    ------
    ValueError
        For NaN in X, an infinite target, no labelled row.
    TypeError
        For preferences that are not `Preferences`.
    IndexError
        For a preference about a row that is not there.
    """
    targets = read_targets(y)
    formats = {"accept_sparse": accept_sparse, "dtype": np.float64, "order": "C"}
    X = validate_data(estimator, X, **formats)
    if len(targets) != X.shape[0]:
        raise ValueError(
            f"X has {X.shape[0]} rows and y {len(targets)} targets; pass one target for each row, "
            "NaN where it is not known"
        )
    weights = _check_sample_weight(
        sample_weight, np.empty((X.shape[0], 0)), dtype=np.float64, ensure_non_negative=True
    )
    labelled = np.flatnonzero(~np.isnan(targets) & (weights > 0))
    if not len(labelled):
        raise ValueError(
            f"no row of the {X.shape[0]} has a target of positive weight; at least one is needed, "
            "for preferences tell differences and not values"
        )
    rows = X if unlabelled is None else validate_data(estimator, unlabelled, reset=False, **formats)
    if preferences is None:
        preferences = Preferences()
    if not isinstance(preferences, Preferences):
        raise TypeError(
            f"preferences must be autotype.Preferences, got {type(preferences).__name__}; state "
            "them with Preferences(pairs), Preferences.at_least(rows, bound) and the like"
        )
    preferences.check_rows(rows.shape[0])
    spoken = preferences.rows
    # Row numbers become positions among the rows spoken of; NO_ROW stays.
    position = np.full(rows.shape[0] + 1, NO_ROW, dtype=np.intp)
    position[spoken] = np.arange(len(spoken))
    return PreferenceTraining(
        X=X[labelled],
        y=targets[labelled],
        weights=weights[labelled],
        labelled=labelled,
        X_spoken=rows[spoken],
        preferences=preferences,
        above=position[preferences.above],
        below=position[preferences.below],
    )


def read_targets(y: Any) -> np.ndarray:
    """Turn targets of any kind into floats, with NaN for what is missing.

    Parameters
    ----------
    y : array-like of shape (n,)
        Numbers; None, NaN and pandas NA are missing.

    Returns
    -------
    ndarray of shape (n,)

    Raises
    ------
    ValueError
        For text, dates or infinity.

    Examples
    --------
    >>> read_targets(pd.Series([1, None, 3], dtype="Int64"))
    array([ 1., nan,  3.])
    """
    if y is None:
        raise ValueError("fit requires y to be passed, but the target y is None")
    pandas_1d = isinstance(y, pd.Series | pd.Index | ExtensionArray)
    targets = pd.Series(y if pandas_1d else column_or_1d(y, warn=True))
    if targets.dtype.kind in "mM":
        raise ValueError(f"y must hold numbers, got {targets.dtype}; convert it to numbers first")
    try:
        array = targets.to_numpy(dtype=np.float64, na_value=np.nan)
    except (TypeError, ValueError) as error:
        raise ValueError(
            f"y must hold numbers, missing where the target is not known, got {targets.dtype}: "
            f"{error}"
        ) from error
    assert_all_finite(array, allow_nan=True, input_name="y")
    return array
