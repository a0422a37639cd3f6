"""Cross-validated scores of a column's model and of baselines."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
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
from autotype.models.decisions import decide_ranks
from autotype.models.ensemble.weights import ranked_probability_scores

if TYPE_CHECKING:
    from autotype.fitting.frame_encoder import OrdinalFrameEncoder
    from autotype.models.preferences.preferences import Preferences

_MAX_ROWS = 10_000


# The codes of some rows, in float of a number, and the probabilities of levels where there are any.
Prediction = tuple[np.ndarray, np.ndarray | None]


def cross_validate(
    models: Mapping[str, Pipeline],
    frame: pd.DataFrame,
    target: ColumnTarget,
    preferences: Preferences | None,
    *,
    cv: int,
    random_state: int,
) -> pd.DataFrame:
    """Score models on the same folds.

    Parameters
    ----------
    models : mapping
        Name -> encoder and estimator, unfitted; `baselines` are among them.
    frame : pandas.DataFrame
        The features.
    target : ColumnTarget
        The target.
    preferences : Preferences or None
        Order preferences between rows of the frame.
    cv : int
        Folds, >= 2; one split of a sample for more than 10,000 rows.
    random_state : int
        Seed of the folds.

    Returns
    -------
    pandas.DataFrame
        One row per model, one column per score; "mae" counts ranks for ordinal targets.

    Raises
    ------
    ValueError
        If `cv` is below 2.
    """
    if not isinstance(cv, int | np.integer) or cv < 2:
        raise ValueError(f"cv must be a number of folds >= 2, or None, got {cv!r}")
    tested, predicted = [], defaultdict(list)
    for train, test in _splits(target, cv, random_state):
        tested.append(test)
        for name, model in models.items():
            predicted[name].append(_predict(model, frame, target, preferences, train, test))
        if target.kind == "ordinal" and (shares := predicted["majority"][-1][1]) is not None:
            predicted["median level"].append((decide_ranks(shares, "median"), shares))
    true = target.codes(target.values)[np.concatenate(tested)]
    rows = {name: scores_of(target, true, _joined(parts)) for name, parts in predicted.items()}
    return pd.DataFrame(rows).T


def level_probabilities(fitted: Any, X: Any, target: ColumnTarget) -> np.ndarray:
    """Predict the probabilities of all levels of a target, 0 for those that a fit did not hold."""
    classes = fitted.classes_
    columns = target.codes(target.decode(classes, pd.RangeIndex(len(classes))))
    predicted = fitted.predict_proba(X)
    probabilities = np.zeros((len(predicted), len(target.levels)))
    probabilities[:, columns] = predicted
    return probabilities


def _joined(parts: Sequence[Prediction]) -> Prediction:
    codes = np.concatenate([codes for codes, _ in parts])
    given = [probabilities for _, probabilities in parts if probabilities is not None]
    return codes, np.concatenate(given) if len(given) == len(parts) else None


def baselines(encoder: OrdinalFrameEncoder, kind: str) -> dict[str, Pipeline]:
    """Return the models that a model of a kind of target is compared with."""
    none = "passthrough"  # those that read no feature need none encoded
    if kind == "number":
        rivals = {
            "ridge": (encoder, named_model("ridge")),
            "median": (none, DummyRegressor(strategy="median")),
        }
    else:
        rivals = {
            "logistic": (encoder, named_model("logistic")),
            "majority": (none, DummyClassifier()),
        }
    return {
        name: Pipeline([("encode", features), ("model", own)])
        for name, (features, own) in rivals.items()
    }


def _predict(
    pipeline: Pipeline,
    frame: pd.DataFrame,
    target: ColumnTarget,
    preferences: Preferences | None,
    train: np.ndarray,
    test: np.ndarray,
) -> Prediction:
    """Predict test rows by a fit to train rows."""
    rows = np.zeros(len(frame), dtype=bool)
    rows[train] = True
    values = target.values[rows].dropna()
    if target.kind != "number" and values.nunique() == 1:  # classifiers need two classes
        codes = np.full(len(test), target.codes(values)[0])
        return codes, np.eye(len(target.levels))[codes]
    fitted = target.fit(clone(pipeline), frame, preferences, rows)
    new, model = frame.iloc[test], fitted[-1]
    X = fitted[:-1].transform(new)  # once for both predictions
    codes = target.codes(target.decode(model.predict(X), new.index))
    if target.kind != "ordinal" or not hasattr(model, "predict_proba"):
        return codes, None
    return codes, level_probabilities(model, X, target)


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


def scores_of(target: ColumnTarget, true: np.ndarray, predicted: Prediction) -> dict[str, float]:
    """Return the scores of predictions of a target's kind, NaN for those that need probabilities.

    Parameters
    ----------
    target : ColumnTarget
        The target.
    true : ndarray of shape (n,)
        True codes.
    predicted : Prediction
        What is predicted of the rows.

    Returns
    -------
    dict
        Name -> score; "rps_error" is the standard error of "rps".
    """
    codes, probabilities = predicted
    if target.kind == "number":
        return {"mae": numeric_mean_absolute_error(true, codes), "r2": r2_score(true, codes)}
    accuracy = float(accuracy_score(true, codes))
    if target.kind == "categorical":
        return {"accuracy": accuracy}
    scores = dict.fromkeys(("rps", "rps_error", "calibration_error"), np.nan)
    labels = list(range(len(target.levels)))
    if probabilities is not None:
        by_row = ranked_probability_scores(probabilities, true)
        scores["rps"] = float(by_row.mean())
        scores["rps_error"] = float(by_row.std() / np.sqrt(len(by_row)))
        scores["calibration_error"] = metrics.cumulative_calibration_error(
            true, probabilities, labels=labels
        )
    return scores | {
        "mae": metrics.mean_absolute_error(true, codes, labels=labels),
        "macro_mae": metrics.macro_mean_absolute_error(true, codes, labels=labels),
        "accuracy": accuracy,
    }
