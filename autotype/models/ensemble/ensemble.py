"""OrdinalEnsemble: an average of ordinal models, weighted by their score on held-out rows.

No ordinal model is best on all tables, and which one is best on a table is known only afterwards.
The average of several, weighted by what they predict of rows that they have not seen, is about as
good as the best of them on each.
"""

from __future__ import annotations

from dataclasses import KW_ONLY
from typing import Annotated, Any, Self

import numpy as np
import pandas as pd
from sklearn.base import _fit_context
from sklearn.utils import _safe_indexing, indexable
from sklearn.utils._param_validation import StrOptions
from sklearn.utils.validation import _num_samples, check_consistent_length, check_is_fitted

from autotype.models import parameters
from autotype.models.decisions import Decision, decide_ranks
from autotype.models.ensemble import weights as averaging
from autotype.models.ensemble.member_fits import MemberFits, Rows, rank_probabilities
from autotype.models.ensemble.members import EFFORTS, n_folds_for, numeric_members, rules_out
from autotype.models.ensemble.ranges import coverage_limit, ranges_within
from autotype.models.folds import Folds, held_out_folds, level_folds
from autotype.models.magnitudes import read_features, read_weights
from autotype.models.training import LevelClassifier

_NUMBERS: dict[str, Any] = {"dtype": np.float64, "ensure_all_finite": "allow-nan"}


@parameters.estimator()
class OrdinalEnsemble(LevelClassifier):
    """Average of ordinal models, with weights that minimise the ranked probability score.

    Parameters
    ----------
    members : list of (name, estimator), default=None
        Classifiers with probabilities, or pipelines that end in one; they are fitted to the ranks
        0, 1, 2, ... By default Gaussian processes with a linear and an rbf kernel, ordinal boosting
        with shallow and with deep trees, and a random forest, as `effort` states.
    cv : int, splitter or iterable of splits, default=None
        Folds whose held-out rows decide on the weights, shuffled and stratified by level if an int.
        By default 3, 4 or 8 by `effort`, of which one is held out above 20,000 rows, and what a
        forest predicts of rows out of its bags.
    classes : list or "sorted", default=None
        Levels from lowest to highest. By default an ordered Categorical's own order, or that of
        numbers; strings need it. "sorted" takes the labels' sort order.
    decision : {"mode", "median", "mean"} or array of shape (n_levels, n_levels), default="median"
        The level that `predict` returns: the most probable one, for the fewest errors; the median
        of the probabilities, for the least mean absolute error in ranks; the mean rank, rounded,
        for the least squared error; or, with a matrix of the cost of predicting the column's level
        where the row's is true, the level of the least expected cost.
    effort : {"fast", "default", "best"}, default="default"
        How much the default members cost.
    n_jobs : int, default=None
        Processes that fit members and folds; the model does not depend on it.
    random_state : int, default=0
        Seed of folds and default members.

    Attributes
    ----------
    classes_ : ndarray of shape (n_levels,)
        Levels, lowest first.
    members_ : list of (name, fitted estimator)
        Those that weigh 0.03 or more.
    weights_ : ndarray of shape (n_members,)
        Their weights, sum 1.
    sharpness_ : float
        Factor of the log odds of the average's cumulative probabilities: an average is less certain
        than it could be.
    offsets_ : ndarray
        What is then added to the log odds of each cut between levels that were observed.
    scores_ : DataFrame
        One row per member and one for the ensemble: "weight"; on held-out rows (of a member that
        the first fold ruled out: those of that fold) the ranked probability score "rps" with its
        standard error "rps_error", and the mean absolute error in ranks "mae" of the median.
    held_out_rows_ : ndarray of int
        Rows that were held out, increasing.
    held_out_probabilities_ : ndarray of shape (n_held_out, n_levels)
        What the ensemble predicts of them by models that have not seen them.
    n_features_in_, feature_names_in_ :
        Those of the members, if they have them.

    Notes
    -----
    A member costs a fit to all rows, and one per fold. A Gaussian process with an rbf kernel learns
    the kernel once, from all rows, and only thresholds and weights in the folds; a forest with
    ``oob_score=True`` needs no folds. From 1,000 rows on, a member whose score in the first fold is
    more than 1.08 times the best is fitted no further, except with the effort "best". All is
    computed on one thread per process, so that sums do not depend on the number of threads.

    Examples
    --------
    >>> x = np.linspace(0, 3, 200)
    >>> y = np.digitize(np.sin(x), [0.4, 0.8])
    >>> model = OrdinalEnsemble(effort="fast").fit(x[:, None], y)
    >>> model.predict([[0.1], [1.5], [2.4]])
    array([0, 2, 1])
    """

    members: Annotated[Any, None, list] = None
    _: KW_ONLY
    cv: parameters.Folds = None
    classes: parameters.Levels = None
    decision: Decision = "median"
    effort: Annotated[str, StrOptions(set(EFFORTS))] = "default"
    n_jobs: parameters.Jobs = None
    random_state: parameters.RandomState = 0

    @property
    def scores_(self) -> pd.DataFrame:
        """Scores on held-out rows, one row per member and one for the ensemble."""
        return pd.DataFrame.from_dict(self._scores, orient="index")  # skops stores no frame

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags

    @_fit_context(prefer_skip_nested_validation=False)
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Fit the members, and learn their weights from held-out rows.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            What the members take; numbers by default, missing ones allowed.
        y : array-like of shape (n_samples,)
            Labels: an ordered Categorical, numbers, or strings with `classes`.
        sample_weight : array-like of shape (n_samples,), optional
            Weights of the rows, >= 0, in the members and in their scores.

        Returns
        -------
        OrdinalEnsemble
            The estimator itself.

        Raises
        ------
        ValueError
            If labels have no order or are missing, or no member can be fitted.
        TypeError
            If a member has no probabilities.

        Warns
        -----
        UserWarning
            For a member that is left out because its fit fails.
        """
        data, kept = self._read(X, y, sample_weight)
        members = self.members
        if members is None:
            members = numeric_members(len(data.ranks), self.effort, self.random_state)
        for name, member in members:
            if not hasattr(member, "predict_proba"):
                raise TypeError(
                    f"member {name!r} has no predict_proba; members need probabilities, for "
                    "instance CalibratedOrdinalClassifier(LinearNPSVOR())"
                )
        folds = self._folds(data)
        fits = MemberFits(
            dict(members),
            data,
            folds,
            n_jobs=self.n_jobs,
            in_bags=self.cv is None,
            screens=rules_out(len(data.ranks), self.effort),
        )
        predicted, held_out = fits.hold_out()
        ranks, weights = data.ranks[held_out], data.weights[held_out]
        complete = {name: p for name, p in predicted.items() if not np.isnan(p).any()}
        found = averaging.best_weights(list(complete.values()), ranks, weights)
        by_name = dict.fromkeys(predicted, 0.0) | dict(zip(complete, found, strict=True))
        self.members_ = fits.fit([name for name in predicted if by_name[name] > 0])
        self.weights_ = found[found > 0]
        average = np.tensordot(found, np.array(list(complete.values())), axes=1)
        self.sharpness_, self.offsets_ = averaging.best_recalibration(average, ranks, weights)
        average = averaging.recalibrated(average, self.sharpness_, self.offsets_)
        self._scores = _score_table(predicted | {"ensemble": average}, by_name, ranks, weights)
        self.held_out_rows_ = kept[held_out]
        self.held_out_probabilities_ = self._spread(average)
        self._held_out_ranks, self._held_out_weights = self._observed[ranks], weights
        if self.members is not None:
            for name in ("n_features_in_", "feature_names_in_"):
                if hasattr(self.members_[0][1], name):
                    setattr(self, name, getattr(self.members_[0][1], name))
        return self

    def _read(self, X: Any, y: Any, sample_weight: Any) -> tuple[Rows, np.ndarray]:
        """Return the rows of positive weight, and their numbers."""
        if y is None:
            raise ValueError("fit requires y to be passed, but the target y is None")
        if self.members is None:
            X = read_features(self, X, reset=True, ensure_min_samples=2, **_NUMBERS)
        (X,) = indexable(X)
        self._labels, ranks = self._read_labels(y)
        self.classes_ = self._labels.classes
        check_consistent_length(X, ranks)
        weights = read_weights(sample_weight, _num_samples(X))
        rows = np.flatnonzero(weights > 0)
        self._observed, dense = np.unique(ranks[rows], return_inverse=True)
        if len(self._observed) < 2:
            raise ValueError("rows of positive weight hold one class only; at least 2 are needed")
        every = len(rows) == len(ranks)
        return Rows(X if every else _safe_indexing(X, rows), dense, weights[rows]), rows

    def _folds(self, data: Rows) -> Folds:
        """Return the folds; rows of a level that a fold would not train on are not held out."""
        n_folds, n_used = n_folds_for(len(data.ranks), self.effort)
        cv = n_folds if self.cv is None else self.cv
        seed = self.random_state
        if not isinstance(seed, int | np.integer | None):
            seed = seed.randint(np.iinfo(np.int32).max)
        folds = level_folds(cv, data.X, data.ranks, seed=seed)
        folds = folds[:n_used] if self.cv is None else folds
        return held_out_folds(folds, data.ranks, np.ones(len(data.ranks)))

    def _spread(self, probabilities: np.ndarray) -> np.ndarray:
        """Return the probabilities of all levels from those of the observed ones."""
        every = np.zeros((len(probabilities), len(self.classes_)))
        every[:, self._observed] = probabilities / probabilities.sum(axis=1, keepdims=True)
        return every

    def predict_proba(self, X: Any) -> np.ndarray:
        """Predict the probabilities of the levels.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            What the members take.

        Returns
        -------
        ndarray of shape (n_samples, n_levels)
            Columns as in `classes_`; rows sum to 1.
        """
        check_is_fitted(self)
        n_levels = len(self._observed)
        predicted = [rank_probabilities(member, X, n_levels) for _, member in self.members_]
        average = np.tensordot(self.weights_, np.array(predicted), axes=1)
        return self._spread(averaging.recalibrated(average, self.sharpness_, self.offsets_))

    def predict_interval(self, X: Any, coverage: float = 0.9) -> tuple[Any, Any]:
        """Predict a range of neighbouring levels that holds the true one with a probability.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            What the members take.
        coverage : float
            The proportion of rows whose level the ranges shall hold, in (0, 1); on average over
            rows like those of the fit, not for each kind of row.

        Returns
        -------
        lower, upper : ndarray, Categorical or Series of length n_samples
            Labels as of `predict`: the ends of the ranges.

        Raises
        ------
        ValueError
            If `coverage` is not in (0, 1).
        """
        if not 0 < coverage < 1:
            raise ValueError(f"coverage must be in (0, 1), got {coverage!r}")
        probabilities = self.predict_proba(X)
        limit = coverage_limit(
            self.held_out_probabilities_, self._held_out_ranks, self._held_out_weights, coverage
        )
        lower, upper = ranges_within(probabilities, limit)
        return self._labels.decode(lower, X), self._labels.decode(upper, X)


def _score_table(
    predicted: dict[str, np.ndarray],
    weight_of: dict[str, float],
    ranks: np.ndarray,
    weights: np.ndarray,
) -> dict[str, dict[str, float]]:
    """Return the scores of held-out rows by member."""
    table = {}
    for name, probabilities in predicted.items():
        rows = ~np.isnan(probabilities).any(axis=1)
        scores = averaging.ranked_probability_scores(probabilities[rows], ranks[rows])
        share = weights[rows] / weights[rows].sum()
        mean = share @ scores
        errors = np.abs(decide_ranks(probabilities[rows], "median") - ranks[rows])
        table[name] = {
            "weight": float(weight_of.get(name, 1.0)),
            "rps": float(mean),
            "rps_error": float(np.sqrt(share**2 @ (scores - mean) ** 2)),
            "mae": float(share @ errors),
        }
    return table
