"""Choose the model for a target, with a reason."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, clone
from sklearn.linear_model import LogisticRegression, RidgeCV

# Most rows for Gaussian processes, which are exact up to there: ordinal, and multi-class.
_MAX_ORDINAL_GP_ROWS = 2000
_MAX_MULTICLASS_GP_ROWS = 600
# Share of missing targets from which a regressor that uses unlabelled rows is chosen.
_MANY_MISSING = 0.5
MODELS = ("gp-ordinal", "npsvor", "gp-multiclass", "logistic", "preferences", "ridge")


@dataclass(frozen=True)
class TargetFacts:
    """The facts about the target that determine the choice.

    Attributes
    ----------
    kind : {"ordinal", "categorical", "number"}
        Kind of the target.
    n_rows : int
        Rows whose target is known.
    n_missing : int
        Rows whose target is missing.
    has_text : bool
        Whether free text is among the features, which makes them many and sparse.
    has_preferences : bool
        Whether order preferences are given.
    """

    kind: str
    n_rows: int
    n_missing: int = 0
    has_text: bool = False
    has_preferences: bool = False


@dataclass(frozen=True)
class ModelChoice:
    """A model and the reason for its choice.

    Attributes
    ----------
    name : str
        One of `MODELS`, or "given" for the user's own estimator.
    estimator : estimator
        Unfitted.
    reason : str
        One sentence.
    """

    name: str
    estimator: BaseEstimator
    reason: str


def choose_model(facts: TargetFacts, *, random_state: int = 0) -> ModelChoice:
    """Choose the model for a target.

    Parameters
    ----------
    facts : TargetFacts
        Facts about target and features.
    random_state : int
        Seed of the estimator, if it has one.

    Returns
    -------
    ModelChoice

    Examples
    --------
    >>> choose_model(TargetFacts("ordinal", n_rows=300)).name
    'gp-ordinal'
    >>> print(choose_model(TargetFacts("ordinal", n_rows=50_000)).reason)
    the target is ordinal and 50,000 rows are many
    """
    name, reason = _name_and_reason(facts)
    return ModelChoice(name, named_model(name, random_state=random_state), reason)


def _name_and_reason(facts: TargetFacts) -> tuple[str, str]:
    rows = f"{facts.n_rows:,} rows"
    if facts.kind == "ordinal":
        if facts.has_text:
            return "npsvor", "the target is ordinal and text makes many sparse features"
        if facts.n_rows > _MAX_ORDINAL_GP_ROWS:
            return "npsvor", f"the target is ordinal and {rows} are many"
        return (
            "gp-ordinal",
            f"the target is ordinal and {rows} are few: probabilities are affordable",
        )
    if facts.kind == "categorical":
        if facts.has_text:
            return "logistic", "the target has no order and text makes many sparse features"
        if facts.n_rows > _MAX_MULTICLASS_GP_ROWS:
            return "logistic", f"the target has no order and {rows} are many"
        return "gp-multiclass", f"the target has no order and {rows} are few"
    if facts.has_preferences:
        return "preferences", "the target is a number and preferences are given"
    if facts.n_missing > _MANY_MISSING * (facts.n_rows + facts.n_missing):
        return "preferences", "the target is a number and most of it is missing"
    return "ridge", "the target is a number, without preferences, and little of it is missing"


def named_model(name: str, *, random_state: int = 0) -> BaseEstimator:
    """Make the estimator of a name, unfitted.

    Raises
    ------
    ValueError
        If the name is not among `MODELS`.
    """
    if name == "gp-ordinal":
        from autotype.models.gaussian_process.ordinal import GPOrdinalClassifier

        return GPOrdinalClassifier(kernel="linear")
    if name == "npsvor":
        from autotype.models.svm.linear_npsvor_cv import LinearNPSVORCV

        return LinearNPSVORCV(cv=3, random_state=random_state)
    if name == "gp-multiclass":
        from autotype.models.gaussian_process.multiclass import GPMulticlassClassifier

        return GPMulticlassClassifier(kernel="linear")
    if name == "logistic":
        return LogisticRegression(max_iter=2000)
    if name == "preferences":
        from autotype.models.preferences.regressor_cv import OrderPreferenceRegressorCV

        return OrderPreferenceRegressorCV()
    if name == "ridge":
        return RidgeCV(alphas=np.logspace(-3, 4, 15))
    raise ValueError(f"model must be 'auto', one of {MODELS} or an estimator, got {name!r}")


def read_model(
    model: Any, facts: TargetFacts, *, decision: str | None = None, random_state: int = 0
) -> ModelChoice:
    """Return the user's model, or choose one for ``"auto"``, with the decision stated."""
    choice = _read_choice(model, facts, random_state)
    if decision is None:
        return choice
    if facts.kind != "ordinal" or "decision" not in choice.estimator.get_params():
        raise ValueError(
            f"decision={decision!r} needs a model of ordered levels with probabilities, got the "
            f"model {choice.name!r} for a target of the kind {facts.kind!r}; pass "
            "model='gp-ordinal' or model=CalibratedOrdinalClassifier(LinearNPSVOR()) for an "
            "ordinal target, or leave decision out"
        )
    decided = clone(choice.estimator).set_params(decision=decision)
    reason = f"{choice.reason}; it predicts the {decision} of its probabilities"
    return ModelChoice(choice.name, decided, reason)


def _read_choice(model: Any, facts: TargetFacts, random_state: int) -> ModelChoice:
    if isinstance(model, str):
        if model == "auto":
            return choose_model(facts, random_state=random_state)
        return ModelChoice(model, named_model(model, random_state=random_state), "it was requested")
    if not hasattr(model, "fit") or not hasattr(model, "predict"):
        raise TypeError(
            f"model must be 'auto', one of {MODELS} or an estimator with fit and predict, "
            f"got {model!r}"
        )
    return ModelChoice("given", model, f"a {type(model).__name__} was given")
