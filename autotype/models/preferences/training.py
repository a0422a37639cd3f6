"""Read the training data of a regression with order preferences.

Preferences name rows by number, rows may have no target, and a row may be in many preferences. The
training data therefore hold each row once, the labelled ones first, and preferences refer to
positions among them, so that the kernel is evaluated once for each row.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from pandas.api.extensions import ExtensionArray
from scipy import sparse
from sklearn.utils import assert_all_finite
from sklearn.utils.validation import column_or_1d

from autotype.models.magnitudes import check_targets, read_features, read_weights
from autotype.models.preferences.preferences import Preferences
from autotype.models.preferences.solvers.path import NO_ROW, PreferenceProblem


@dataclass(frozen=True)
class PreferenceTraining:
    """The rows used, each once: labelled rows first, then rows that only preferences are about.

    Attributes
    ----------
    X : ndarray or csr_matrix of shape (r, m)
        Features of the rows.
    numbers : ndarray of int, shape (r,)
        Their numbers in the X that `fit` was given; those of `unlabelled` count on from there.
    y, weights : ndarray of shape (l,)
        Targets of the first l rows, finite, and weights > 0.
    preferences : Preferences
        As given, of length p.
    above, below : ndarray of int, shape (p,)
        Their rows in `X`, or `NO_ROW`.
    all_centres : bool
        Whether rows that preferences are about are centres too, besides the labelled ones.
    """

    X: Any
    numbers: np.ndarray
    y: np.ndarray
    weights: np.ndarray
    preferences: Preferences
    above: np.ndarray
    below: np.ndarray
    all_centres: bool

    @property
    def n_labelled(self) -> int:
        """The l of eq. (6)."""
        return len(self.y)

    @property
    def candidates(self) -> slice:
        """Rows that can be centres."""
        return slice(len(self.numbers) if self.all_centres else self.n_labelled)

    def centres(self, rows: Any = slice(None)) -> np.ndarray:
        """Return the centres of a fit to these labelled rows."""
        chosen = np.zeros(len(self.numbers), dtype=bool)
        chosen[: self.n_labelled][rows] = True
        if self.all_centres:
            in_pairs = np.concatenate([self.above, self.below])
            chosen[in_pairs[in_pairs != NO_ROW]] = True
        return np.flatnonzero(chosen)

    def problem(
        self, K: np.ndarray, *, epsilon: float, rows: Any = slice(None)
    ) -> PreferenceProblem:
        """Pose Zhu and Goldberg eq. (6).

        Parameters
        ----------
        K : ndarray of shape (r, n_candidates)
            Kernel between the rows and the candidates.
        epsilon : float
            Half width of the tube.
        rows : index
            Labelled rows of the fit; all by default.
        """
        # Costs sum to 1, so that lambda1 and lambda2 mean the same in every fold.
        weights, K_rows = self.weights[rows], K[:, self.centres(rows)]
        return PreferenceProblem(
            K=K_rows[: self.n_labelled][rows],
            y=self.y[rows],
            costs=weights / weights.sum(),
            K_rows=K_rows,
            above=self.above,
            below=self.below,
            difference=self.preferences.difference,
            weight=self.preferences.weight,
            epsilon=float(epsilon),
        )


def read_preference_training(
    estimator: Any, X: Any, y: Any, *, preferences: Any, sample_weight: Any, unlabelled: Any
) -> PreferenceTraining:
    """Check the training data of a regression with order preferences.

    Parameters
    ----------
    estimator : OrderPreferenceBase
        States the centres and how X is read. Gets `n_features_in_` and, from a frame,
        `feature_names_in_`.
    X : array-like or sparse matrix of shape (n, m)
        Features.
    y : array-like of shape (n,)
        Targets, missing if not known.
    preferences : Preferences or None
        About rows of X, or of `unlabelled` if given.
    sample_weight : array-like of shape (n,), optional
        Weights of the rows, >= 0; a row of weight 0 counts as unlabelled.
    unlabelled : array-like or sparse matrix of shape (u, m), optional
        Rows that the preferences refer to instead of those of X.

    Returns
    -------
    PreferenceTraining

    Raises
    ------
    ValueError
        If X holds NaN, a target is infinite, no row is labelled, or features, targets or weights
        cannot be computed with (see `read_features`, `read_weights`, `check_targets`).
    TypeError
        If the preferences are not `Preferences`.
    IndexError
        If a preference is about a row that does not exist.
    """
    targets = read_targets(y)
    options = {"dtype": np.float64, "order": "C", **estimator._reading}
    X = read_features(estimator, X, reset=True, **options)
    if len(targets) != X.shape[0]:
        raise ValueError(
            f"X has {X.shape[0]} rows and y {len(targets)} targets; pass one target for each row, "
            "NaN where it is not known"
        )
    weights = read_weights(sample_weight, X.shape[0])
    check_targets(targets)
    labelled = np.flatnonzero(~np.isnan(targets) & (weights > 0))
    if not len(labelled):
        raise ValueError(
            f"no row of the {X.shape[0]} has a target of positive weight; at least one is needed, "
            "since preferences state differences and not values"
        )
    preferences = _check_preferences(preferences)
    others = X
    if unlabelled is not None:  # the rows that preferences refer to
        others = read_features(estimator, unlabelled, reset=False, **options)
    preferences.check_rows(others.shape[0])
    # Positions of the rows of `others` among the rows used; the last is NO_ROW's.
    position = np.full(others.shape[0] + 1, NO_ROW, dtype=np.intp)
    if unlabelled is None:
        position[labelled] = np.arange(len(labelled))
    rows = preferences.rows
    unlabelled_rows = rows[position[rows] == NO_ROW]
    position[unlabelled_rows] = len(labelled) + np.arange(len(unlabelled_rows))
    first = 0 if unlabelled is None else X.shape[0]
    return PreferenceTraining(
        X=_stack(X[labelled], others[unlabelled_rows]),
        numbers=np.append(labelled, first + unlabelled_rows),
        y=targets[labelled],
        weights=weights[labelled],
        preferences=preferences,
        above=position[preferences.above],
        below=position[preferences.below],
        all_centres=estimator.centres == "all",
    )


def _check_preferences(preferences: Any) -> Preferences:
    if preferences is None:
        return Preferences()
    if not isinstance(preferences, Preferences):
        raise TypeError(
            f"preferences must be autotype.models.Preferences, got {type(preferences).__name__}; "
            "state them with Preferences(pairs), Preferences.at_least(rows, bound) and the like"
        )
    return preferences


def _stack(first: Any, second: Any) -> Any:
    if sparse.issparse(first) or sparse.issparse(second):
        return sparse.vstack([first, second], format="csr")
    return np.vstack([first, second])


def read_targets(y: Any) -> np.ndarray:
    """Convert targets of any kind to floats, NaN if missing.

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
        If they are strings, dates or infinite.

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
