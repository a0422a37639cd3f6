"""Odd training data for every estimator, and what any answer to them has to fulfil.

`estimator_inputs` draws without end; `check_case` fits and predicts, and raises `FaultError` where
the estimator neither answers in finite numbers nor refuses with an error of its own.
"""

from __future__ import annotations

import copy
import random
import traceback
import warnings
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from scipy import sparse
from sklearn.base import clone, is_regressor
from sklearn.exceptions import ConvergenceWarning, FitFailedWarning
from sklearn.metrics.pairwise import linear_kernel

from autotype.models import (
    NPSVOR,
    SVOR,
    CalibratedOrdinalClassifier,
    GPMulticlassClassifier,
    GPOrdinalClassifier,
    LinearNPSVOR,
    LinearNPSVORCV,
    LinearRedSVM,
    OrderPreferenceRegressor,
    OrderPreferenceRegressorCV,
    pearson_kernel,
)


class FaultError(AssertionError):
    """What an estimator did wrong."""


class Case(NamedTuple):
    """One fit: `name` says how the data were made."""

    name: str
    estimator: Any
    X: Any
    y: Any
    sample_weight: Any


# Iterations are few: the question is what an answer looks like, not how good it is.
_ESTIMATORS: dict[str, Callable[[random.Random], Any]] = {
    "gp-ordinal": lambda draw: GPOrdinalClassifier(
        draw.choice(["rbf", "linear", "ard-rbf", "ard-linear", linear_kernel, pearson_kernel]),
        inference=draw.choice(["laplace", "ep"]),
        max_iter=draw.choice([0, 5]),
        link=draw.choice(["probit", "logit"]),
        decision=draw.choice(["mode", "median", "mean"]),
    ),
    "gp-multiclass": lambda draw: GPMulticlassClassifier(
        draw.choice(["rbf", "linear", "ard-rbf", "ard-linear", linear_kernel, pearson_kernel]),
        inference=draw.choice(["laplace", "ep"]),
        max_iter=draw.choice([0, 5]),
    ),
    "linear-npsvor": lambda draw: LinearNPSVOR(
        loss=draw.choice(["hinge", "squared_hinge"]),
        predictor=draw.choice(["ordered", "nearest"]),
        solver=draw.choice(["dcd2", "dcd1"]),
        fit_intercept=draw.random() < 0.8,
        class_weight=draw.choice([None, None, "balanced"]),
        max_iter=50,
    ),
    "linear-npsvor-cv": lambda draw: LinearNPSVORCV(
        Cs=[0.1, 1.0], cv=2, loss=draw.choice(["hinge", "squared_hinge"]), max_iter=50
    ),
    "linear-red-svm": lambda draw: LinearRedSVM(
        loss=draw.choice(["hinge", "squared_hinge"]), max_iter=50
    ),
    "npsvor": lambda draw: NPSVOR(
        kernel=draw.choice(["rbf", "linear", "poly"]),
        gamma=draw.choice(["scale", "auto", 0.5]),
        max_iter=200,
    ),
    "svor": lambda draw: SVOR(
        kernel=draw.choice(["rbf", "linear", "poly"]),
        gamma=draw.choice(["scale", "auto", 0.5]),
        constraints=draw.choice(["implicit", "explicit"]),
        max_iter=200,
    ),
    "calibrated": lambda draw: CalibratedOrdinalClassifier(
        draw.choice([SVOR(max_iter=200), NPSVOR(max_iter=200), LinearNPSVOR(max_iter=50)]),
        cv=draw.choice([2, 5]),
        decision=draw.choice(["mode", "median", "mean"]),
    ),
    "preferences": lambda draw: OrderPreferenceRegressor(
        kernel=draw.choice(["rbf", "linear", "poly"]), epsilon=draw.choice([0.0, 0.1])
    ),
    "preferences-cv": lambda draw: OrderPreferenceRegressorCV(
        lambda1s=2, cv=2, kernel=draw.choice(["rbf", "linear"])
    ),
}


def estimator_inputs(draw: random.Random) -> Iterator[Case]:
    """Draw estimators with training data, without end."""
    while True:
        kind = draw.choice(list(_ESTIMATORS))
        n, m = draw.choice([1, 2, 3, 5, 8, 20, 20, 20]), draw.choice([1, 2, 3, 30])
        values, made = _features(draw, n, m)
        X, stored = _container(draw, values)
        estimator = _ESTIMATORS[kind](draw)
        y, target = _target(draw, n, regression=is_regressor(estimator))
        weight, weighted = _weights(draw, n)
        name = f"{estimator!r}; {n} x {m}, {made}, {stored}; y: {target}; weights: {weighted}"
        yield Case(name, estimator, X, y, weight)


def _magnitude(draw: random.Random) -> float:
    """Draw a power of 10, of a size that can be computed with or of any."""
    any_size = draw.choice([draw.randint(-320, 308), -310, -300, -160, 160, 300])
    exponent = draw.choice([0, draw.randint(-75, 74), draw.randint(-75, 74), any_size])
    return float(f"1e{exponent}")


def _features(draw: random.Random, n: int, m: int) -> tuple[np.ndarray, str]:
    rng = np.random.default_rng(draw.randrange(2**32))
    X = rng.standard_normal((n, m))
    made = draw.choice(
        ["normal", "normal", "scaled", "column", "cell", "constant", "zero", "collinear",
         "repeated", "few", "offset", *draw.choice([["few"], ["missing", "infinite"]])]
    )  # fmt: skip
    factor = _magnitude(draw)
    with np.errstate(over="ignore", under="ignore"):
        if made == "scaled":
            X = np.clip(X * factor, -1.7e308, 1.7e308)
        elif made == "column":
            X[:, 0] = np.clip(X[:, 0] * factor, -1.7e308, 1.7e308)
        elif made == "cell":
            X[0, 0] = factor
        elif made == "constant":
            X[:] = factor
        elif made == "zero":
            X[:] = 0
        elif made == "collinear":
            X = X[:, :1] * np.arange(1, m + 1)
        elif made == "repeated":
            X = np.repeat(X[:1], n, axis=0)
        elif made == "few":
            X = np.round(X)
        elif made == "offset":
            X += 1e15
        elif made == "missing":
            X[0, 0] = np.nan
        elif made == "infinite":
            X[0, 0] = np.inf
    return X, f"{made} {factor:g}" if made in ("scaled", "column", "cell", "constant") else made


def _container(draw: random.Random, X: np.ndarray) -> tuple[Any, str]:
    """Store the features in another dtype, order or class."""
    stored = draw.choice(
        ["array", "array", "array", "fortran", "strided", "reversed", "read-only", "frame", "list",
         "float32", "longdouble", "int", "bool", "object", "fraction", "csr",
         draw.choice(["csc", "coo", "explicit zeros", "repeated entries"])]
    )  # fmt: skip
    finite = np.isfinite(X).all()
    if stored == "fortran":
        return np.asfortranarray(X), stored
    if stored == "strided":
        return np.repeat(np.repeat(X, 2, axis=0), 2, axis=1)[::2, ::2], stored
    if stored == "reversed":
        return X[::-1, ::-1], stored
    if stored == "read-only":
        X.flags.writeable = False
        return X, stored
    if stored == "frame":
        return pd.DataFrame(X, columns=[f"x{j}" for j in range(X.shape[1])]), stored
    if stored == "list":
        return X.tolist(), stored
    if stored == "float32":
        with np.errstate(over="ignore", under="ignore"):
            return X.astype(np.float32), stored
    if stored == "longdouble":
        return X.astype(np.longdouble), stored
    if stored == "int" and finite:
        return np.clip(X, -9e18, 9e18).astype(np.int64), stored
    if stored == "bool":
        return X > 0, stored
    if stored == "object":
        return X.astype(object), stored
    if stored == "fraction" and finite:
        return np.array([[Fraction(v) for v in row] for row in X.tolist()], dtype=object), stored
    if stored in ("csr", "csc", "coo"):
        return sparse.csr_matrix(X).asformat(stored), stored
    if stored == "explicit zeros" and finite:
        matrix = sparse.csr_matrix(X)
        matrix.data[:: draw.choice([1, 2])] = 0
        return matrix, stored
    if stored == "repeated entries" and finite:
        rows, columns = np.nonzero(np.ones_like(X))
        halves = np.tile(X.ravel() / 2, 2)
        return sparse.coo_matrix(
            (halves, (np.tile(rows, 2), np.tile(columns, 2))), shape=X.shape
        ), stored
    return X, "array"


def _target(draw: random.Random, n: int, *, regression: bool) -> tuple[Any, str]:
    rng = np.random.default_rng(draw.randrange(2**32))
    if regression:
        made = draw.choice(["normal", "normal", "scaled", "constant", "missing", "all missing"])
        y = rng.standard_normal(n)
        if made == "scaled":
            factor = _magnitude(draw)
            with np.errstate(over="ignore", under="ignore"):
                return np.clip(y * factor, -1.7e308, 1.7e308), f"{made} {factor:g}"
        if made == "constant":
            y[:] = 1.5
        elif made == "missing":
            y[:: draw.choice([2, 3])] = np.nan
        elif made == "all missing":
            y[:] = np.nan
        return y, made
    made = draw.choice(
        ["levels", "levels", "levels", "one row per class", "floats", "huge", "Categorical", "bool",
         "series", "objects", *draw.choice([["levels"], ["one class", "text", "missing"]])]
    )  # fmt: skip
    ranks = rng.integers(0, draw.choice([2, 3, 5]), n)
    if made == "one class":
        return np.ones(n, dtype=int), made
    if made == "one row per class":
        return rng.permutation(n), made
    if made == "floats":
        return ranks.astype(float), made
    if made == "text":
        return np.array(list("abcde"))[ranks], made
    if made == "huge":
        return ranks * 10**15, made
    if made == "Categorical":
        return pd.Categorical.from_codes(ranks, list("abcdef"), ordered=True), made
    if made == "bool":
        return ranks > 0, made
    if made == "series":
        return pd.Series(ranks, index=np.arange(n)[::-1]), made
    if made == "missing":
        return np.where(np.arange(n) == 0, np.nan, ranks), made
    if made == "objects":
        return ranks.astype(object), made
    return ranks, made


def _weights(draw: random.Random, n: int) -> tuple[Any, str]:
    rng = np.random.default_rng(draw.randrange(2**32))
    made = draw.choice(
        [None, None, None, None, "uniform", "scaled", "one", "ints", "some zero",
         draw.choice(["zero", "one positive", "negative", "missing", "infinite", "too short"])]
    )  # fmt: skip
    if made is None:
        return None, "none"
    weight = rng.uniform(0.1, 2.0, n)
    if made == "scaled":
        factor = _magnitude(draw)
        with np.errstate(over="ignore", under="ignore"):
            return np.clip(weight * factor, 0, 1.7e308), f"{made} {factor:g}"
    if made == "one":
        weight[0] = factor = _magnitude(draw)
        return weight, f"first {factor:g}"
    if made == "ints":
        return rng.integers(0, 4, n), made
    if made == "some zero":
        weight[::2] = 0
    elif made == "zero":
        weight[:] = 0
    elif made == "one positive":
        weight[1:] = 0
    elif made == "negative":
        weight[0] = -1
    elif made == "missing":
        weight[0] = np.nan
    elif made == "infinite":
        weight[0] = np.inf
    elif made == "too short":
        weight = weight[:-1]
    return weight, made


def check_case(case: Case) -> str:
    """Fit twice and predict.

    Parameters
    ----------
    case : Case
        Its estimator is not changed.

    Returns
    -------
    str
        "answered", or the message of the error by which the estimator refused.

    Raises
    ------
    FaultError
        If an answer is not finite, the two answers differ, the input was changed, a warning other
        than of convergence was given, or an error is not one of our own or of scikit-learn's
        validation.
    """
    before = copy.deepcopy((case.X, case.y, case.sample_weight))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        # Documented by every `fit`; their messages are held elsewhere.
        warnings.simplefilter("ignore", ConvergenceWarning)
        warnings.simplefilter("ignore", FitFailedWarning)
        try:
            first = _answers(case)
        except Exception as error:
            _check_error(error, case)
            outcome = str(error)
        else:
            outcome = "answered"
            for name, values in first.items():
                if not np.isfinite(values).all():
                    raise FaultError(f"{name} is not finite: {case.name}")
            for name, values in _answers(case).items():
                if not np.array_equal(values, first[name]):
                    raise FaultError(f"{name} differs between two equal fits: {case.name}")
    for given, kept in zip((case.X, case.y, case.sample_weight), before, strict=True):
        if not _same(given, kept):
            raise FaultError(f"the input was changed: {case.name}")
    return outcome


def _answers(case: Case) -> dict[str, np.ndarray]:
    fitted = clone(case.estimator)
    options = {} if case.sample_weight is None else {"sample_weight": case.sample_weight}
    fitted.fit(case.X, case.y, **options)
    predicted = fitted.predict(case.X)
    if is_regressor(fitted):
        return {"predict": np.asarray(predicted)}
    positions = {label: k for k, label in enumerate(fitted.classes_.tolist())}
    answers = {"predict": np.array([positions[label] for label in predicted.tolist()])}
    for name in ("decision_function", "predict_latent", "predict_proba"):
        if hasattr(fitted, name):
            answers[name] = getattr(fitted, name)(case.X)
    if "predict_proba" in answers:
        total = answers["predict_proba"].sum(axis=1)
        if not np.allclose(total, 1):
            raise FaultError(f"probabilities sum to {total}: {case.name}")
    return answers


def _check_error(error: Exception, case: Case) -> None:
    """Raise FaultError unless the error is ours or of scikit-learn's validation of the input."""
    if isinstance(error, FaultError):
        raise error
    last = traceback.extract_tb(error.__traceback__)[-1]
    place = last.filename.replace("\\", "/")
    ours = "/autotype/" in place or "/sklearn/utils/" in place
    if not (isinstance(error, ValueError | TypeError) and ours and str(error)):
        where = f"{place.rpartition('/')[2]}:{last.lineno}"
        raise FaultError(f"{type(error).__name__} at {where}: {error}: {case.name}") from error


def _same(given: Any, kept: Any) -> bool:
    if sparse.issparse(given):
        return (
            given.format == kept.format
            and given.shape == kept.shape
            and np.array_equal(given.data, kept.data, equal_nan=True)
        )
    if isinstance(given, pd.DataFrame | pd.Series | pd.Categorical):
        return given.equals(kept)
    if isinstance(given, np.ndarray):
        return given.dtype == kept.dtype and bool(np.all((given == kept) | (given != given)))
    return repr(given) == repr(kept)  # lists, which may hold NaN
