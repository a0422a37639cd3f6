"""Boosted trees for ordered levels, on scikit-learn's histogram trees.

Trees find thresholds and interactions that neither a linear model nor a smooth one has. They know
no order, though: as a multi-class model they learn each level by itself. Here they learn whether
the level is above each of the cuts between neighbouring levels instead.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import KW_ONLY
from numbers import Integral
from typing import Annotated, Any, Self

import numpy as np
import pandas as pd
from sklearn.base import _fit_context, clone
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.preprocessing import OrdinalEncoder
from sklearn.utils import _safe_indexing
from sklearn.utils._param_validation import Interval
from sklearn.utils.validation import check_is_fitted

from autotype.models import parameters
from autotype.models.decisions import Decision
from autotype.models.ensemble.weights import fall_monotonically, ranked_probability_scores
from autotype.models.folds import held_out_folds, level_folds
from autotype.models.magnitudes import read_features, read_weights
from autotype.models.training import LevelClassifier, read_training

COUNTS = (25, 50, 100, 200, 400)  # of trees, among which held-out rows choose
_NEARLY = 1.01  # times the best score: other rows may prefer as many trees
_MAX_CATEGORIES = 254  # of a column; the trees have 255 bins

# Trees, rows, whether each row is above the cut, and weights.
Problem = tuple[HistGradientBoostingClassifier, np.ndarray, np.ndarray, np.ndarray | None]


@parameters.estimator()
class OrdinalBoosting(LevelClassifier):
    """Gradient-boosted trees of the probability that a level is above each cut.

    Parameters
    ----------
    shared : bool, default=True
        Whether the cuts share their trees, in which the position of the cut is a further feature
        with a falling probability; or each cut has trees of its own, whose probabilities are then
        made monotone. Shared trees learn more from few rows, separate ones fit finer.
    classes : list or "sorted", default=None
        Levels from lowest to highest. By default an ordered Categorical's own order, or that of
        numbers; strings need it. "sorted" takes the labels' sort order.
    max_iter : int, default=100
        Trees of each estimator. None grows 25, 50, 100, ... up to 400, as many as predict rows
        best that are held out: a fifth, or the first fold of an `OrdinalEnsemble`.
    learning_rate, max_leaf_nodes, min_samples_leaf, l2_regularization
        As of `sklearn.ensemble.HistGradientBoostingClassifier`. With shared trees each row counts
        once per cut among the samples of a leaf.
    monotone : dict, default=None
        Column name (or position) -> 1 if the level rises with the column, -1 if it falls.
    decision : {"mode", "median", "mean"} or array of shape (n_levels, n_levels), default="mode"
        The level that `predict` returns: see `GPOrdinalClassifier`. A matrix holds the cost of
        predicting the column's level where the row's is true.
    random_state : int, default=0
        Seed of the binning of more than 200,000 rows.

    Attributes
    ----------
    classes_ : ndarray of shape (n_levels,)
        Levels, lowest first.
    estimators_ : list of HistGradientBoostingClassifier
        One with shared trees, else one for each cut.
    n_iter_ : int
        Trees of each estimator.
    n_features_in_, feature_names_in_ :
        As everywhere in scikit-learn.

    Notes
    -----
    Missing values need no imputation. Columns of a frame that are not numbers are split as
    categories: the 253 most frequent ones, and one for the others.

    References
    ----------
    Frank and Hall (2001), A simple approach to ordinal classification; Cardoso and Pinto da Costa
    (2007), Learning to classify ordinal data: the data replication method, JMLR 8.

    Examples
    --------
    >>> x = np.linspace(0, 3, 200)
    >>> model = OrdinalBoosting().fit(x[:, None], np.digitize(np.sin(x), [0.4, 0.8]))
    >>> model.predict([[0.1], [1.5], [2.4]])
    array([0, 2, 1])
    """

    shared: parameters.Flag = True
    _: KW_ONLY
    classes: parameters.Levels = None
    max_iter: parameters.PositiveInt | None = 100
    learning_rate: parameters.PositiveFloat = 0.1
    max_leaf_nodes: Annotated[int, Interval(Integral, 2, None, closed="left")] = 8
    min_samples_leaf: parameters.PositiveInt = 20
    l2_regularization: parameters.NonNegativeFloat = 0.0
    monotone: Annotated[Any, None, dict] = None
    decision: Decision = "mode"
    random_state: parameters.RandomState = 0

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        return tags

    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Grow the trees.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Features; a frame may hold columns of categories or strings.
        y : array-like of shape (n_samples,)
            Labels: an ordered Categorical, numbers, or strings with `classes`.
        sample_weight : array-like of shape (n_samples,), optional
            Weights of the rows, >= 0.

        Returns
        -------
        OrdinalBoosting
            The estimator itself.

        Raises
        ------
        ValueError
            If labels have no order or are missing, or `monotone` names no column.
        """
        count = self.max_iter
        if count is None:
            count = self._best_count(X, y, sample_weight)
        self._grow(self._prepare(X, y, sample_weight), count)
        return self

    def predictions_by_count(
        self, X: Any, y: Any, X_new: Any, sample_weight: Any = None
    ) -> Iterator[np.ndarray]:
        """Grow 25, 50, 100, ... trees, and yield what each number predicts of new rows.

        Parameters
        ----------
        X, y, sample_weight
            As of `fit`.
        X_new : array-like of shape (n_new, n_features)
            Other rows.

        Yields
        ------
        ndarray of shape (n_new, n_levels)
            As of `predict_proba`. No more trees are grown than are asked for.
        """
        problems = self._prepare(X, y, sample_weight)
        for trees, *_ in problems:
            trees.set_params(warm_start=True)
        for count in COUNTS:
            self._grow(problems, count)
            yield self.predict_proba(X_new)

    def _grow(self, problems: Sequence[Problem], count: int) -> None:
        self.estimators_ = [
            trees.set_params(max_iter=count).fit(rows, reached, sample_weight=weights)
            for trees, rows, reached, weights in problems
        ]
        self.n_iter_ = count

    def _best_count(self, X: Any, y: Any, sample_weight: Any) -> int:
        """Return the number of trees that predicts a fifth of the rows best, held out by level."""
        _, ranks = self._read_labels(y)
        weights = read_weights(sample_weight, len(ranks))
        levels, dense = np.unique(ranks, return_inverse=True)
        train, test = held_out_folds(level_folds(5, dense, dense, seed=0), dense, weights)[0]
        model = clone(self).set_params(classes=list(range(len(levels))))
        rows, new = (_safe_indexing(X, part) for part in (train, test))
        predicted = model.predictions_by_count(rows, dense[train], new, weights[train])
        stages = stages_while_better(predicted, dense[test], weights[test])
        scores = [weights[test] @ ranked_probability_scores(p, dense[test]) for p in stages]
        return COUNTS[int(np.argmin(scores))]

    def _prepare(self, X: Any, y: Any, sample_weight: Any) -> list[Problem]:
        """Read the rows, and return the binary problems with trees to grow."""
        data = read_training(
            self,
            self._fit_codes(X),
            y,
            sample_weight=sample_weight,
            ensure_all_finite="allow-nan",
        )
        self._labels, self.classes_ = data.labels, data.labels.classes
        self._observed = data.observed
        weights = None if np.all(data.weights == 1.0) else data.weights
        # scikit-learn's trees fail on a column without a value.
        X_trees = np.where(np.isnan(data.X).all(axis=0), 0.0, data.X)
        above = data.ranks > np.arange(data.n_ranks - 1)[:, None]
        rising = np.append(self._directions(), -1)
        if not isinstance(X, pd.DataFrame):
            self._is_category = np.zeros(self.n_features_in_, dtype=bool)
        if self.shared and len(above) > 1:
            every = None if weights is None else np.tile(weights, len(above))
            trees = self._trees(rising, np.append(self._is_category, False))
            return [(trees, _with_cuts(X_trees, len(above)), above.ravel(), every)]
        return [
            (self._trees(rising[:-1], self._is_category), X_trees, reached, weights)
            for reached in above
        ]

    def predict_proba(self, X: Any) -> np.ndarray:
        """Predict the probabilities of the levels.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Features.

        Returns
        -------
        ndarray of shape (n_samples, n_levels)
            Columns as in `classes_`; rows sum to 1.
        """
        check_is_fitted(self)
        rows = read_features(
            self, self._codes(X), reset=False, dtype=np.float64, ensure_all_finite="allow-nan"
        )
        cuts = len(self._observed) - 1
        if len(self.estimators_) < cuts:
            above = self.estimators_[0].predict_proba(_with_cuts(rows, cuts))[:, 1]
            above = above.reshape(cuts, len(rows)).T
        else:
            above = np.column_stack([e.predict_proba(rows)[:, 1] for e in self.estimators_])
            above = fall_monotonically(above)
        probabilities = np.zeros((len(rows), len(self.classes_)))
        probabilities[:, self._observed] = -np.diff(above, axis=1, prepend=1.0, append=0.0)
        return probabilities

    def _trees(self, rising: np.ndarray, is_category: np.ndarray) -> HistGradientBoostingClassifier:
        return HistGradientBoostingClassifier(
            learning_rate=self.learning_rate,
            max_leaf_nodes=self.max_leaf_nodes,
            min_samples_leaf=self.min_samples_leaf,
            l2_regularization=self.l2_regularization,
            random_state=self.random_state,
            early_stopping=False,
            monotonic_cst=rising if rising.any() else None,
            categorical_features=is_category if is_category.any() else None,
        )

    def _fit_codes(self, X: Any) -> Any:
        """Choose the columns of categories, and return X with their codes."""
        self._encoder = None
        if not isinstance(X, pd.DataFrame):
            return X
        self._is_category = np.array(
            [not pd.api.types.is_numeric_dtype(dtype) for dtype in X.dtypes], dtype=bool
        )
        if self._is_category.any():
            self._encoder = OrdinalEncoder(
                handle_unknown="use_encoded_value",
                unknown_value=np.nan,
                encoded_missing_value=np.nan,
                max_categories=_MAX_CATEGORIES,
            ).fit(self._categories(X))
        return self._codes(X)

    def _codes(self, X: Any) -> Any:
        if self._encoder is None or not isinstance(X, pd.DataFrame):
            return X
        if X.shape[1] != len(self._is_category):
            return X  # for the error of scikit-learn's check
        codes, X = self._encoder.transform(self._categories(X)), X.copy(deep=False)
        for place, code in zip(np.flatnonzero(self._is_category), codes.T, strict=True):
            X.isetitem(place, code)
        return X

    def _categories(self, X: pd.DataFrame) -> pd.DataFrame:
        return X.loc[:, self._is_category].astype(object)

    def _directions(self) -> np.ndarray:
        """Return 1, -1 or 0 for each column."""
        rising = np.zeros(self.n_features_in_, dtype=int)
        names = list(getattr(self, "feature_names_in_", range(self.n_features_in_)))
        for name, direction in (self.monotone or {}).items():
            if name not in names or direction not in (-1, 0, 1):
                raise ValueError(
                    f"monotone maps columns to -1, 0 or 1, got {name!r}: {direction!r}; the "
                    f"columns are {names[:20]}"
                )
            rising[names.index(name)] = direction
        return rising


def stages_while_better(
    predicted: Iterable[np.ndarray], ranks: np.ndarray, weights: np.ndarray
) -> list[np.ndarray]:
    """Return predictions by ever more trees, while these are better or nearly as good.

    Parameters
    ----------
    predicted : iterable of ndarrays of shape (n, n_levels)
        Of `predictions_by_count`; only one more is asked for than is returned.
    ranks : ndarray of int, shape (n,)
        The true ranks.
    weights : ndarray of shape (n,)
        Weights of the rows, >= 0.
    """
    stages: list[np.ndarray] = []
    least = np.inf
    for probabilities in predicted:
        score = float(weights @ ranked_probability_scores(probabilities, ranks))
        if stages and score > _NEARLY * least:
            break
        stages.append(probabilities)
        least = min(score, least)
    return stages


def _with_cuts(X: np.ndarray, n_cuts: int) -> np.ndarray:
    """Stack the rows once per cut, the position of the cut as the last column."""
    return np.column_stack([np.tile(X, (n_cuts, 1)), np.repeat(np.arange(n_cuts), len(X))])
