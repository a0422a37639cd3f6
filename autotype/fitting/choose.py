"""Choose the model for a target, with a reason."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.base import BaseEstimator, clone
from sklearn.linear_model import LogisticRegression, RidgeCV

if TYPE_CHECKING:
    from autotype.fitting.target import ColumnTarget
    from autotype.models.preferences.preferences import Preferences
    from autotype.types.column_types import ColumnTypes

_GP_ROWS = 600  # of a target without an order; above, a Gaussian process of each class is slow
# Proportion of missing targets from which a regressor that uses unlabelled rows is chosen.
_MANY_MISSING = 0.5
_KINDS_OF = {
    **dict.fromkeys(("ensemble", "gp", "boosting", "npsvor"), ("ordinal",)),
    **dict.fromkeys(("gp-multiclass", "logistic"), ("ordinal", "categorical")),
    **dict.fromkeys(("preferences", "ridge"), ("number",)),
}
MODELS = tuple(_KINDS_OF)


@dataclass(frozen=True)
class ModelChoice:
    """A model and the reason for its choice.

    Attributes
    ----------
    name : str
        One of `MODELS`, or "given" for the user's own estimator.
    estimator : estimator or None
        Unfitted; None for the ensemble, whose members follow from the frame.
    reason : str
        One sentence.
    """

    name: str
    estimator: BaseEstimator | None
    reason: str


def choose_model(
    kind: str,
    n_rows: int,
    *,
    n_missing: int = 0,
    has_text: bool = False,
    has_preferences: bool = False,
) -> tuple[str, str]:
    """Choose the model for a target.

    Parameters
    ----------
    kind : {"ordinal", "categorical", "number"}
        Kind of the target.
    n_rows, n_missing : int
        Rows whose target is known, and rows whose target is missing.
    has_text : bool
        Whether free text is among the features, which makes them many and sparse.
    has_preferences : bool
        Whether order preferences are given.

    Returns
    -------
    name : str
        One of `MODELS`.
    reason : str
        Why, in one sentence.

    Examples
    --------
    >>> choose_model("ordinal", 300)[0]
    'ensemble'
    >>> choose_model("categorical", 50_000)
    ('logistic', 'the target has no order and 50,000 rows are many')
    """
    if kind == "number":
        if has_preferences:
            return "preferences", "the target is a number and preferences are given"
        if n_missing > _MANY_MISSING * (n_rows + n_missing):
            return "preferences", "the target is a number and most of it is missing"
        return "ridge", "the target is a number, without preferences, and little of it is missing"
    if kind == "ordinal":
        return "ensemble", "the target is ordinal, and no one model is best on all tables"
    if has_text:
        return "logistic", "the target has no order and text makes many sparse features"
    if n_rows > _GP_ROWS:
        return "logistic", f"the target has no order and {n_rows:,} rows are many"
    return "gp-multiclass", f"the target has no order and {n_rows:,} rows are few"


def named_model(name: str, *, random_state: int = 0) -> BaseEstimator | None:
    """Make the estimator of a name, unfitted; None for the ensemble.

    Raises
    ------
    ValueError
        If the name is not among `MODELS`.
    """
    from autotype import models

    seed: dict[str, Any] = {"random_state": random_state}
    made: dict[str, Callable[[], BaseEstimator | None]] = {
        "ensemble": lambda: None,
        "gp": lambda: models.GPOrdinalClassifier("rbf"),
        "boosting": lambda: models.OrdinalBoosting(max_iter=None, **seed),
        "npsvor": lambda: models.CalibratedOrdinalClassifier(
            models.LinearNPSVORCV(cv=3, **seed), cv=3, **seed
        ),
        "gp-multiclass": lambda: models.GPMulticlassClassifier(kernel="linear"),
        "logistic": lambda: LogisticRegression(max_iter=2000),
        "preferences": lambda: models.OrderPreferenceRegressorCV(),
        "ridge": lambda: RidgeCV(alphas=np.logspace(-3, 4, 15)),
    }
    if name not in made:
        raise ValueError(f"model must be 'auto', one of {MODELS} or an estimator, got {name!r}")
    return made[name]()


def read_model(
    model: Any,
    target: ColumnTarget,
    features: ColumnTypes,
    preferences: Preferences | None,
    *,
    decision: Any = None,
    random_state: int = 0,
) -> ModelChoice:
    """Return the user's model, or choose one for ``"auto"``, with the decision stated."""
    has_preferences = preferences is not None and len(preferences) > 0
    if isinstance(model, str):
        name, reason = model, "it was requested"
        if model == "auto":
            name, reason = choose_model(
                target.kind,
                target.n_known,
                n_missing=target.n_dropped,
                has_text=any(column.semantic_type == "text" for column in features.columns),
                has_preferences=has_preferences,
            )
        choice = ModelChoice(name, named_model(name, random_state=random_state), reason)
    elif hasattr(model, "fit") and hasattr(model, "predict"):
        choice = ModelChoice("given", model, f"a {type(model).__name__} was given")
    else:
        raise TypeError(
            f"model must be 'auto', one of {MODELS} or an estimator with fit and predict, "
            f"got {model!r}"
        )
    kinds = _KINDS_OF.get(choice.name, (target.kind,))
    if target.kind not in kinds:
        stated = "'continuous'" if kinds == ("number",) else "[levels, lowest first]"
        raise ValueError(
            f"model {choice.name!r} needs a target of the kind {' or '.join(map(repr, kinds))}, "
            f"got {target.name!r} of the kind {target.kind!r}; if that is wrong, state it: "
            f"infer_types(known={{{target.name!r}: {stated}}})"
        )
    if has_preferences and choice.name not in ("preferences", "given"):
        raise ValueError(
            f"preferences need a numeric target and model='preferences', got the {target.kind} "
            f"target {target.name!r} with model {choice.name!r}"
        )
    if decision is None:
        return choice
    decides = choice.estimator is None or "decision" in choice.estimator.get_params()
    if target.kind != "ordinal" or not decides:
        raise ValueError(
            f"decision={decision!r} needs a model of ordered levels with probabilities, got the "
            f"model {choice.name!r} for a target of the kind {target.kind!r}; leave model or "
            "decision out"
        )
    what = f"the {decision}" if isinstance(decision, str) else "the least expected cost"
    reason = f"{choice.reason}; it predicts {what} of its probabilities"
    estimator = choice.estimator
    if estimator is not None:
        estimator = clone(estimator).set_params(decision=decision)
    return ModelChoice(choice.name, estimator, reason)
