"""ColumnModel: a model of one column from the others, and `fit`, which fits it.

Once the types of the columns are known, most decisions of a first model follow: how each feature is
encoded, whether the target is ordinal, which estimator its size allows. `fit` makes them, states
the reasons, and scores the model beside baselines, so that a person sees whether it learned at all.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from sklearn.pipeline import Pipeline

from autotype.fitting import new_rows
from autotype.fitting.choose import ModelChoice, read_model
from autotype.fitting.explanation import (
    latent_scale_of,
    latent_scores,
    levels_on_scale,
    partial_dependence,
    permutation_importances,
)
from autotype.fitting.frame_encoder import make_encoder
from autotype.fitting.frame_transformer import find_column
from autotype.fitting.member_encoders import make_ensemble, with_repeated_identifiers
from autotype.fitting.scores import baselines, cross_validate, level_probabilities, scores_of
from autotype.fitting.target import ColumnTarget, read_target
from autotype.inference.frames.as_pandas import as_pandas, is_frame, to_library_of
from autotype.metrics import reliability_table
from autotype.models.decisions import decide_ranks
from autotype.models.ensemble.weights import ranked_probability_scores
from autotype.types.arrow_array import with_plain_missing
from autotype.types.codec.plain_state import PlainState
from autotype.types.column_mapping import check_report
from autotype.types.column_type import name_list
from autotype.types.column_types import ColumnTypes
from autotype.types.levels import join_columns
from autotype.types.nan_equality import nan_key
from autotype.wording import format_level

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from autotype.models.preferences.preferences import Preferences

_READ_TEXT = ("ensemble", "npsvor", "logistic", "ridge")


class ColumnModel(PlainState):
    """A fitted model of one column, with the reason for its choice, its scores and baselines.

    Made by `autotype.fit` or ``df.ordinal.fit``.

    Attributes
    ----------
    target : hashable
        Name of the column.
    kind : {"ordinal", "categorical", "number"}
        What it is treated as.
    levels : tuple
        Its levels, lowest first if it is ordinal; empty for numbers.
    choice : ModelChoice
        The chosen model, and the reason.
    pipeline : sklearn.pipeline.Pipeline
        Encoder and estimator, fitted on all rows whose target is known and on the columns of the
        features. Levels that are not all strings, nor all numbers of an ordinal target, are
        predicted by their positions in `levels`.
    n_rows, n_dropped : int
        Rows of the fit, and rows dropped because their target is missing or off the scale.
    scores : pandas.DataFrame or None
        Cross-validated scores of the model and of baselines, one row each; None with ``cv=None``.
    types : TypeReport
        The types by which the features are encoded.

    Examples
    --------
    >>> import pandas as pd, autotype
    >>> sizes = ["S"] * 20 + ["M"] * 20 + ["L"] * 20
    >>> frame = pd.DataFrame({"weight": [k / 10 for k in range(60)], "size": sizes})
    >>> model = frame.ordinal.fit("size")
    >>> print(model.summary())
    'size', ordinal: S < M < L
    Model: OrdinalEnsemble, because the target is ordinal, and no one model is best on all tables.
    Members: ...
    Fitted to 60 rows; 0 dropped, their target missing or off the scale.
    Cross-validated:
                    rps  ...
    ensemble      ...
    >>> new = pd.DataFrame({"weight": [0.5, 2.9]})
    >>> model.predict(new).tolist(), model.predict_proba(new).columns.tolist()
    (['S', 'M'], ['S', 'M', 'L'])
    """

    def __init__(
        self,
        pipeline: Pipeline,
        target: ColumnTarget,
        choice: ModelChoice,
        *,
        scores: pd.DataFrame | None,
        types: ColumnTypes,
        features: list[new_rows.Feature],
    ) -> None:
        self._features = features
        self.pipeline, self.choice, self.scores, self.types = pipeline, choice, scores, types
        self.target, self.kind, self.levels = target.name, target.kind, target.levels
        self.n_rows, self.n_dropped = target.n_known, target.n_dropped
        self._target = target

    def predict(self, frame: Any) -> Any:
        """Predict the column.

        Parameters
        ----------
        frame : frame
            With the feature columns, in any order; others are ignored. In memory: of pandas,
            polars, pyarrow, or another library that narwhals reads.

        Returns
        -------
        pandas.Series
            With the frame's index; levels as a Categorical, ordered if the target is ordinal. Of
            a polars frame a polars Series, with an Enum or Categorical of levels that are strings;
            of a pyarrow Table an Array.

        Raises
        ------
        TypeError
            If `frame` is lazy, or no frame.
        UnknownColumnError
            If it lacks a feature.
        ValueError
            If a number or a date cannot be read, such as a string in a column of numbers, unless
            some could not be in the fit either: then they are missing, as they were there.

        Warns
        -----
        UserWarning
            If a feature holds levels that the fit did not; they are treated as missing.
        """
        rows = self._checked(frame, "predict")
        return to_library_of(frame, self._predict(rows))

    def _checked(self, frame: Any, what: str, *, stacklevel: int = 3) -> pd.DataFrame:
        """Return new rows of any library as a frame of pandas, checked against those of the fit."""
        rows = as_pandas(frame, what) if is_frame(frame) else frame
        new_rows.check_new_rows(rows, self._features, stacklevel=stacklevel)
        return rows

    def _known_rows(self, frame: Any, what: str) -> tuple[pd.DataFrame, pd.Series]:
        """Return the rows whose target is known, with the features checked, and the target."""
        rows = as_pandas(frame, what)
        target = self._target.read(find_column(rows, self.target))
        known = target.notna().to_numpy()
        return self._checked(rows[known], what, stacklevel=4), target[known]

    def _predict(self, frame: pd.DataFrame) -> pd.Series:
        predicted: Any = self._call(self.pipeline.predict, frame) if len(frame) else []
        return self._target.decode(predicted, frame.index)

    def predict_proba(self, frame: Any) -> Any:
        """Predict the probability of each level.

        Parameters
        ----------
        frame : frame
            As in `predict`, with its errors and warnings.

        Returns
        -------
        pandas.DataFrame of shape (n, L)
            Levels as columns, lowest first; rows with the frame's index. Of a polars or pyarrow
            frame one of its library, whose columns are called as the levels.

        Raises
        ------
        TypeError
            If the model has no probabilities.
        """
        self._check_has_probabilities()
        rows = self._checked(frame, "predict_proba")
        none = np.zeros((0, len(self.levels)))
        probabilities = self._probabilities(rows) if len(rows) else none
        levels = self._target.values.cat.categories.rename(self.target)
        table = pd.DataFrame(probabilities, index=rows.index, columns=levels)
        return to_library_of(frame, table)

    def predict_interval(self, frame: Any, coverage: float = 0.9) -> Any:
        """Predict a range of neighbouring levels that holds the true one with a probability.

        Parameters
        ----------
        frame : frame
            As in `predict`, with its errors and warnings.
        coverage : float
            The proportion of rows whose level the ranges shall hold, in (0, 1); on average over
            rows like those of the fit, not for each kind of row.

        Returns
        -------
        pandas.DataFrame of shape (n, 2)
            "lower" and "upper" levels, with the dtype of the target; of the library of the frame.

        Raises
        ------
        TypeError
            If the target is not ordinal, or the model is not the ensemble, whose held-out rows show
            how wide ranges have to be.
        """
        if not hasattr(self.pipeline[-1], "predict_interval"):
            if self.kind != "ordinal":
                raise TypeError(f"ranges need an ordinal target, got the kind {self.kind!r}")
            raise TypeError(f"the model {self.choice.name!r} has no ranges; fit model='ensemble'")
        rows = self._checked(frame, "predict_interval")
        encode, ensemble = self.pipeline[:-1].transform, self.pipeline[-1]
        ends: Any = ([], [])
        if len(rows):
            ends = self._call(lambda used: ensemble.predict_interval(encode(used), coverage), rows)
        lower, upper = (self._target.decode(end, rows.index) for end in ends)
        return to_library_of(frame, pd.DataFrame({"lower": lower, "upper": upper}))

    def explain(self, frame: Any, *, n_repeats: int = 5, random_state: int = 0) -> pd.DataFrame:
        """Compute how much each feature moves the predictions of rows that the fit did not hold.

        Parameters
        ----------
        frame : frame
            Rows with the features and the target, best others than those of the fit.
        n_repeats : int
            Permutations per feature, >= 1.
        random_state : int
            Seed of the permutations.

        Returns
        -------
        pandas.DataFrame
            One row per feature, the most important first: "importance", how much permuting its
            values raises the loss, and "error", the standard error. The loss is the ranked
            probability score of an ordinal target with probabilities, else the absolute error in
            ranks, the proportion of errors, or the absolute error of a number.
        """
        rows, true = self._known_rows(frame, "explain")
        codes, used = self._target.codes(true), rows[[f.name for f in self._features]]

        def losses(features: pd.DataFrame) -> np.ndarray:
            if self.kind == "ordinal" and hasattr(self.pipeline, "predict_proba"):
                return ranked_probability_scores(self._probabilities(features), codes)
            difference = self._target.codes(self._predict(features)) - codes
            return (difference != 0) * 1.0 if self.kind == "categorical" else np.abs(difference)

        return permutation_importances(losses, used, n_repeats=n_repeats, random_state=random_state)

    def plot(
        self,
        frame: Any = None,
        feature: Hashable | None = None,
        *,
        kind: str | None = None,
        ax: Axes | None = None,
    ) -> Axes:
        """Draw how reliable the probabilities are, how they depend on a feature, or a latent scale.

        Parameters
        ----------
        frame : frame, optional
            Rows with the features and, without a `feature`, the target. By default the rows that
            an ensemble held out.
        feature : column name, optional
            The feature along which the mean prediction is drawn.
        kind : {"reliability", "levels", "latent"}, optional
            "reliability" draws how often cumulative probabilities come true, by default without a
            `feature`; "levels" the mean probabilities of the levels along a feature, by default
            with one. "latent" draws one line on which thresholds separate the levels: the rows
            of each level on it, or the mean position along a feature.
        ax : matplotlib Axes, optional
            Axes to draw on; by default those of a new figure.

        Returns
        -------
        matplotlib Axes

        Raises
        ------
        ValueError
            If a frame is needed, the feature is none of the model's, `kind` does not fit, or the
            target has no order.
        TypeError
            If the model has no probabilities.
        MissingExtraError
            If matplotlib is not installed.

        Notes
        -----
        The positions on the latent scale are those that explain the cumulative probabilities best
        with thresholds that all rows share.
        """
        from autotype.report.figures import model_plots

        kinds = ("reliability", "latent") if feature is None else ("levels", "latent")
        if kind not in (None, *kinds):
            known = " or ".join(map(repr, kinds))
            raise ValueError(f"kind must be {known} here, or None, got {kind!r}")
        if kind == "latent" and self.kind != "ordinal":
            raise ValueError(f"a latent scale needs an ordinal target, got the kind {self.kind!r}")
        self._check_has_probabilities()
        if feature is not None:
            return self._plot_along(frame, feature, kind, ax)
        probabilities, codes = self._rows_to_plot(frame)
        if kind == "latent":
            return self._plot_levels(probabilities, codes, ax)
        table = reliability_table(codes, probabilities, labels=range(len(self.levels)))
        return model_plots.plot_reliability(table, self.target, ax=ax)

    def _plot_along(self, frame: Any, feature: Hashable, kind: str | None, ax: Axes | None) -> Axes:
        from autotype.report.figures import model_plots

        levels = [format_level(level) for level in self.levels]
        names = [f.name for f in self._features]
        if frame is None or feature not in names:
            raise ValueError(
                f"plot(frame, feature=...) needs rows and one of the features {names}, got "
                f"{feature!r}"
            )
        used = self._checked(as_pandas(frame, "plot"), "plot")[names]
        if kind != "latent":
            means = partial_dependence(self._probabilities, used, feature)
            return model_plots.plot_dependence(means, levels, self.target, ax=ax)
        means = partial_dependence(
            lambda rows: latent_scores(self._probabilities(rows)), used, feature
        )
        positions, thresholds = latent_scale_of(means.to_numpy())
        along = pd.Series(positions, index=means.index)
        return model_plots.plot_positions(along, thresholds, levels, self.target, ax=ax)

    def _plot_levels(self, probabilities: np.ndarray, codes: np.ndarray, ax: Axes | None) -> Axes:
        """Draw where the rows of each level lie on the latent scale."""
        from autotype.report.figures.plots import plot_column

        counts = np.bincount(codes, minlength=len(self.levels)).tolist()
        column = replace(
            self.types[self.target],
            order=self.levels,
            best_order=self.levels,
            semantic_type="ordinal",
            levels=dict(zip(self.levels, counts, strict=True)),
            evidence={"data_order": list(self.levels), **levels_on_scale(probabilities, codes)},
        )
        return plot_column(column, kind="latent", ax=ax)

    def _rows_to_plot(self, frame: Any) -> tuple[np.ndarray, np.ndarray]:
        """Return probabilities and codes of rows, or of those that an ensemble held out."""
        if frame is not None:
            rows, true = self._known_rows(frame, "plot")
            return self._probabilities(rows), self._target.codes(true)
        if self.choice.name != "ensemble":
            raise ValueError(
                f"the model {self.choice.name!r} held no rows out; pass rows: plot(frame)"
            )
        ensemble = self.pipeline[-1]
        codes = self._target.codes(self._target.values)[self._target.known]
        return ensemble.held_out_probabilities_, codes[ensemble.held_out_rows_]

    def _check_has_probabilities(self) -> None:
        if not hasattr(self.pipeline, "predict_proba"):
            raise TypeError(
                f"the model {self.choice.name!r} has no probabilities; fit with "
                "model='ensemble' (ordinal) or model='logistic' (categorical)"
            )

    def _probabilities(self, frame: pd.DataFrame) -> np.ndarray:
        target = self._target
        return self._call(lambda used: level_probabilities(self.pipeline, used, target), frame)

    def _call(self, method: Callable[[pd.DataFrame], Any], frame: pd.DataFrame) -> Any:
        with new_rows.without_warnings_of_unseen():  # `_checked` has warned, in the caller's line
            return method(frame[[feature.name for feature in self._features]])

    def score(self, frame: Any) -> float:
        """Score the model on a frame that holds the target.

        Parameters
        ----------
        frame : frame
            With the feature columns and the target.

        Returns
        -------
        float
            Accuracy for levels, R2 for numbers, over the rows whose target is known.
        """
        rows, y = self._known_rows(frame, "score")
        predicted = self._predict(rows)
        if self.kind == "number":
            return float(1.0 - ((y - predicted) ** 2).sum() / ((y - y.mean()) ** 2).sum())
        return float(np.mean(self._target.codes(y) == self._target.codes(predicted)))

    def summary(self) -> str:
        """Describe the model, the reason for its choice, and its scores.

        Returns
        -------
        str
            Some lines, the last ones a table of `scores`.
        """
        levels = " < " if self.kind == "ordinal" else ", "
        lines = [
            f"{self.target!r}, {self.kind}"
            + (f": {levels.join(map(format_level, self.levels))}" if self.levels else ""),
            f"Model: {type(self.pipeline[-1]).__name__}, because {self.choice.reason}.",
            *self._members(),
            f"Fitted to {self.n_rows:,} rows; {self.n_dropped:,} dropped, "
            "their target missing or off the scale.",
        ]
        if self.scores is not None:
            lines += ["Cross-validated:", self.scores.to_string(float_format="{:.3f}".format)]
        return "\n".join(lines)

    def _members(self) -> list[str]:
        """Return a line on the members of an ensemble."""
        scores = getattr(self.pipeline[-1], "scores_", None)
        if self.choice.name != "ensemble" or scores is None:
            return []
        weights = scores["weight"].drop("ensemble").sort_values(ascending=False, kind="stable")
        kept = weights[weights > 0]
        return ["Members: " + ", ".join(f"{name} {w:.0%}" for name, w in kept.items()) + "."]

    def __repr__(self) -> str:
        return self.summary()


def fit(
    frame: Any,
    target: Hashable,
    types: ColumnTypes | None = None,
    *,
    preferences: Preferences | None = None,
    model: Any = "auto",
    effort: str = "default",
    decision: Any = None,
    features: Hashable | Sequence[Hashable] | None = None,
    monotone: Mapping[Hashable, int] | None = None,
    cv: int | None = 5,
    random_state: int = 0,
) -> ColumnModel:
    """Fit a model that suits a column.

    Parameters
    ----------
    frame : frame
        Target and features, in memory: of pandas, polars, pyarrow, or another library that
        narwhals reads. It is not changed.
    target : column name
        The column to predict.
    types : TypeReport, optional
        Types of the frame's columns; by default they are inferred. With weights, the rows of the
        fit are weighted, unless the model takes none; the scores are not.
    preferences : Preferences, optional
        Order preferences between rows of the frame, for a numeric target.
    model : str or estimator
        "auto", one of `autotype.fitting.choose.MODELS`, or any estimator.
    effort : {"fast", "default", "best"}
        How much the ensemble may cost.
    decision : {"mode", "median", "mean"} or array of shape (n_levels, n_levels), optional
        The level predicted for an ordinal target: the most probable one, the median or the rounded
        mean of the probabilities, for the least absolute or squared error in ranks, or the level of
        the least expected cost, where a matrix holds the cost of predicting the column's level
        where the row's is true. By default the model's own, the median of the ensemble.
    features : column name or sequence of them, optional
        Columns to predict from; all others by default.
    monotone : mapping, optional
        Feature -> 1 if an ordinal target rises with it, -1 if it falls: a number, a date or an
        ordinal column. The ensemble then consists of boosted trees, which hold to it.
    cv : int or None
        Folds, >= 2, of the scores of model and baselines; None omits them. Of more than 10,000
        rows a sample is scored, on one split. The ensemble is scored by its own held-out rows.
    random_state : int
        Seed of folds and estimators.

    Returns
    -------
    ColumnModel

    Raises
    ------
    TypeError
        If `types` is not a report, or the frame is lazy.
    UnknownColumnError
        If the frame or the report lacks the target or a feature.
    ValueError
        If the target cannot be predicted (an identifier, text, a single level), or no feature is
        left, or the model cannot decide as `decision` or hold to what `monotone` states.
    """
    frame = as_pandas(frame, "fit")
    if types is None:
        from autotype.inference.pipeline import infer_types

        types = infer_types(frame)
    check_report(types)
    goal = read_target(frame, target, types)
    used = _features(types, goal.name, features)
    choice = read_model(
        model, goal, used, preferences, decision=decision, random_state=random_state
    )
    is_ensemble = choice.name == "ensemble"  # scored by the rows that it holds out
    if monotone and not is_ensemble:
        raise ValueError(
            f"monotone needs an ordinal target and model='ensemble', got the {goal.kind} target "
            f"{goal.name!r} with model {choice.name!r}"
        )
    reads_text = choice.name in _READ_TEXT
    encoder = make_encoder(used, text="tfidf" if reads_text else "drop")
    if is_ensemble:
        used = ColumnTypes(with_repeated_identifiers(frame, used.columns))
    described = new_rows.read_features(frame, used, text=reads_text)
    if not described:
        raise ValueError(
            f"no column of the frame can be a feature of {target!r}: all others are "
            "identifiers, constants or strings"
        )
    # Some columns of Arrow, such as views of bytes, have no rows that pandas can take.
    plain = [with_plain_missing(frame[feature.name]) for feature in described]
    frame = join_columns(plain, frame.iloc[:0][[feature.name for feature in described]].columns)
    pipeline = Pipeline([("encode", encoder), ("model", choice.estimator)])
    if is_ensemble:
        names = {feature.name for feature in described}
        columns = [column for column in used.columns if column.name in names]
        pipeline = make_ensemble(
            frame[goal.known],
            columns,
            goal.codes(goal.values)[goal.known],
            effort=effort,
            decision="median" if decision is None else decision,
            monotone=monotone,
            random_state=random_state,
        )
        choice = replace(choice, estimator=pipeline[-1])
    with new_rows.without_warnings_of_unseen():
        scores = None
        if cv is not None:
            models = {} if is_ensemble else {choice.name: pipeline}
            models |= baselines(encoder, goal.kind)
            scores = cross_validate(
                models, frame, goal, preferences, cv=cv, random_state=random_state
            )
        goal.fit(pipeline, frame, preferences)
    if scores is not None and is_ensemble:
        scores = pd.concat([_held_out_scores(pipeline[-1], goal), scores])
    return ColumnModel(pipeline, goal, choice, scores=scores, types=types, features=described)


def _held_out_scores(ensemble: Any, goal: ColumnTarget) -> pd.DataFrame:
    """Return the scores of an ensemble on the rows that it held out."""
    probabilities = ensemble.held_out_probabilities_
    known = goal.codes(goal.values)[goal.known]
    predicted = decide_ranks(probabilities, ensemble.decision), probabilities
    scores = scores_of(goal, known[ensemble.held_out_rows_], predicted)
    return pd.DataFrame(scores, index=["ensemble"])


def _features(
    types: ColumnTypes, target: Hashable, features: Hashable | Sequence[Hashable] | None
) -> ColumnTypes:
    weights = {nan_key(types.weights)} if types.weights is not None else set()
    columns = tuple(c for c in types.columns if nan_key(c.name) not in weights)
    if features is not None:
        columns = tuple(types[name] for name in name_list(features, types))
    goal = {nan_key(target)}  # by hash: numbers of NumPy compare with tuples by an array
    return ColumnTypes([c for c in columns if nan_key(c.name) not in goal])
