"""Choose the model for a target, with a reason."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.base import BaseEstimator, clone
from sklearn.linear_model import LogisticRegression, RidgeCV

if TYPE_CHECKING:
    from autotype.fitting.target import ColumnTarget

# What a target of levels is; its Gaussian process, and the maximal number of rows for it; the model
# for more rows.
_CLASSIFIERS = {
    "ordinal": ("the target is ordinal", "gp-ordinal", 2000, "npsvor"),
    "categorical": ("the target has no order", "gp-multiclass", 600, "logistic"),
}
# Proportion of missing targets from which a regressor that uses unlabelled rows is chosen.
_MANY_MISSING = 0.5
MODELS = ("gp-ordinal", "npsvor", "gp-multiclass", "logistic", "preferences", "ridge")


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
    'gp-ordinal'
    >>> choose_model("ordinal", 50_000)
    ('npsvor', 'the target is ordinal and 50,000 rows are many')
    """
    if kind == "number":
        if has_preferences:
            return "preferences", "the target is a number and preferences are given"
        if n_missing > _MANY_MISSING * (n_rows + n_missing):
            return "preferences", "the target is a number and most of it is missing"
        return "ridge", "the target is a number, without preferences, and little of it is missing"
    what, exact, most_rows, fast = _CLASSIFIERS[kind]
    if has_text:
        return fast, f"{what} and text makes many sparse features"
    if n_rows > most_rows:
        return fast, f"{what} and {n_rows:,} rows are many"
    gain = ": probabilities are affordable" if kind == "ordinal" else ""
    return exact, f"{what} and {n_rows:,} rows are few{gain}"


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
    model: Any,
    target: ColumnTarget,
    *,
    has_text: bool = False,
    has_preferences: bool = False,
    decision: str | None = None,
    random_state: int = 0,
) -> ModelChoice:
    """Return the user's model, or choose one for ``"auto"``, with the decision stated."""
    if isinstance(model, str):
        name, reason = model, "it was requested"
        if model == "auto":
            name, reason = choose_model(
                target.kind,
                target.n_known,
                n_missing=target.n_dropped,
                has_text=has_text,
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
    if decision is None:
        return choice
    if target.kind != "ordinal" or "decision" not in choice.estimator.get_params():
        raise ValueError(
            f"decision={decision!r} needs a model of ordered levels with probabilities, got the "
            f"model {choice.name!r} for a target of the kind {target.kind!r}; pass "
            "model='gp-ordinal' or model=CalibratedOrdinalClassifier(LinearNPSVOR()) for an "
            "ordinal target, or leave decision out"
        )
    decided = clone(choice.estimator).set_params(decision=decision)
    reason = f"{choice.reason}; it predicts the {decision} of its probabilities"
    return ModelChoice(choice.name, decided, reason)
