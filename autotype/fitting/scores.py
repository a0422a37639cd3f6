"""Cross-validated scores of a column's model and of baselines."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from sklearn.base import clone
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.metrics import accuracy_score, r2_score
from sklearn.metrics import mean_absolute_error as numeric_mean_absolute_error
from sklearn.model_selection import KFold, ShuffleSplit, StratifiedKFold
from sklearn.pipeline import Pipeline

from autotype import metrics
from autotype.fitting.choose import named_model
from autotype.fitting.target import ColumnTarget

if TYPE_CHECKING:
    from autotype.models.preferences.preferences import Preferences

_MAX_ROWS = 10_000

Prediction = Callable[[np.ndarray, np.ndarray], np.ndarray]


def cross_validate(
    pipeline: Pipeline,
    frame: pd.DataFrame,
    target: ColumnTarget,
    *,
    name: str,
    preferences: Preferences | None,
    cv: int,
    random_state: int,
) -> pd.DataFrame:
    """Score a pipeline and its baselines on the same folds.

    Parameters
    ----------
    pipeline : Pipeline
        Encoder and estimator, unfitted.
    frame : pandas.DataFrame
        The features.
    target : ColumnTarget
        The target.
    name : str
        Name of the model.
    preferences : Preferences or None
        Order preferences between rows of the frame.
    cv : int
        Folds, >= 2; one split of a sample for more than 10,000 rows.
    random_state : int
        Seed of the folds.

    Returns
    -------
    pandas.DataFrame
        One row a model, one column a score; "mae" counts ranks for ordinal targets.

    Raises
    ------
    ValueError
        If `cv` is below 2.
    """
    if cv < 2:
        raise ValueError(f"cv must be a number of folds >= 2, or None, got {cv!r}")
    models: dict[str, Prediction] = {}
    for label, estimator in _candidates(pipeline, name, target.kind).items():
        models[label] = _prediction(estimator, frame, target, preferences)
    if target.kind == "ordinal":
        models["median level"] = lambda train, test: _median_level(target, train, test)
    predicted: dict[str, list[np.ndarray]] = {label: [] for label in models}
    tested = []
    for train, test in _splits(target, cv, random_state):
        tested.append(test)
        for label, predict in models.items():
            predicted[label].append(predict(train, test))
    true = target.codes(target.values)[np.concatenate(tested)]
    rows = {name: _scores_of(target, true, np.concatenate(p)) for name, p in predicted.items()}
    return pd.DataFrame(rows).T


def _candidates(pipeline: Pipeline, name: str, kind: str) -> dict[str, Pipeline]:
    if kind == "number":
        rivals = {"ridge": named_model("ridge"), "median": DummyRegressor(strategy="median")}
    else:
        rivals = {"logistic": named_model("logistic"), "majority": DummyClassifier()}
    encoder = pipeline["encode"]
    return {name: pipeline} | {
        label: Pipeline([("encode", encoder), ("model", rival)]) for label, rival in rivals.items()
    }


def _prediction(
    pipeline: Pipeline, frame: pd.DataFrame, target: ColumnTarget, preferences: Any
) -> Prediction:
    """Return a function of train and test rows that predicts the codes of the test rows."""

    def predict(train: np.ndarray, test: np.ndarray) -> np.ndarray:
        rows = np.zeros(len(frame), dtype=bool)
        rows[train] = True
        values = target.values[rows].dropna()
        if target.kind != "number" and values.nunique() == 1:  # classifiers need two classes
            return np.full(len(test), target.codes(values)[0])
        fitted = target.fit(clone(pipeline), frame, preferences, rows)
        predicted = fitted.predict(frame.iloc[test])
        return target.codes(target.decode(predicted, frame.index[test]))

    return predict


def _median_level(target: ColumnTarget, train: np.ndarray, test: np.ndarray) -> np.ndarray:
    median = int(np.median(target.values.iloc[train].cat.codes))
    return np.full(len(test), median)


def _splits(target: ColumnTarget, cv: int, random_state: int) -> list:
    """Return folds of the rows whose target is known, as row numbers of the frame."""
    known = np.flatnonzero(target.known)
    if len(known) > _MAX_ROWS:
        known = np.random.default_rng(random_state).choice(known, _MAX_ROWS, replace=False)
        folds: Any = ShuffleSplit(1, test_size=1 / cv, random_state=random_state)
        return [(known[train], known[test]) for train, test in folds.split(known)]
    cv = min(cv, len(known))
    if target.kind == "number":
        folds, strata = KFold(cv, shuffle=True, random_state=random_state), None
    else:
        strata = target.values.iloc[known].cat.codes
        stratified = strata.value_counts().min() >= cv
        kind = StratifiedKFold if stratified else KFold
        folds = kind(cv, shuffle=True, random_state=random_state)
    return [(known[train], known[test]) for train, test in folds.split(known, strata)]


def _scores_of(target: ColumnTarget, true: np.ndarray, predicted: np.ndarray) -> dict[str, float]:
    if target.kind == "number":
        return {
            "mae": numeric_mean_absolute_error(true, predicted),
            "r2": r2_score(true, predicted),
        }
    accuracy = accuracy_score(true, predicted)
    if target.kind == "categorical":
        return {"accuracy": float(accuracy)}
    labels = list(range(len(target.levels)))
    return {
        "mae": metrics.mean_absolute_error(true, predicted, labels=labels),
        "macro_mae": metrics.macro_mean_absolute_error(true, predicted, labels=labels),
        "accuracy": float(accuracy),
    }
