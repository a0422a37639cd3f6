"""Calibrated probabilities of the support-vector classifiers."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose
from scipy import sparse
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import KFold, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import autotype
from autotype.metrics import SCORERS
from autotype.models.decisions import decide_ranks
from autotype.models.svm.calibrated import CalibratedOrdinalClassifier, adjacent_probabilities
from autotype.models.svm.kernel_svm import NPSVOR, SVOR
from autotype.models.svm.linear_npsvor import LinearNPSVOR, LinearNPSVORCV
from autotype.models.svm.linear_red_svm import LinearRedSVM

LEVELS = ["low", "middle", "high"]
MODELS = [
    SVOR(kernel="linear"),
    NPSVOR(kernel="linear"),
    LinearNPSVOR(),
    LinearNPSVORCV(Cs=[0.1, 1.0], cv=3),
    LinearRedSVM(),
]


def sample(n=150, seed=0, n_levels=3):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, 3))
    latent = X @ np.array([1.0, -1.0, 0.5]) + 0.7 * rng.standard_normal(n)
    cuts = np.linspace(-1.0, 1.0, n_levels - 1) if n_levels > 2 else [0.0]
    return X, np.digitize(latent, cuts)


def log_loss(probability, ranks):
    return -np.log(probability[np.arange(len(ranks)), ranks]).mean()


@pytest.mark.parametrize("n_levels", [2, 3, 5])
@pytest.mark.parametrize("model", MODELS, ids=repr)
def test_probabilities_are_about_as_good_as_those_of_the_model_of_the_data(model, n_levels):
    X, ranks = sample(n_levels=n_levels)
    X_new, new_ranks = sample(1000, seed=1, n_levels=n_levels)
    calibrated = CalibratedOrdinalClassifier(model).fit(X, ranks)
    probability = calibrated.predict_proba(X_new)
    np.testing.assert_allclose(probability.sum(axis=1), 1.0)
    np.testing.assert_array_equal(calibrated.predict(X_new), probability.argmax(axis=1))
    logistic = LogisticRegression().fit(X, ranks).predict_proba(X_new)
    assert log_loss(probability, new_ranks) < log_loss(logistic, new_ranks) + 0.05
    # Calibrated: what is said to have a probability of p is so in a share p of the rows.
    for level in range(n_levels):
        own = probability[:, level]
        rows = own > np.median(own)
        assert abs(own[rows].mean() - np.mean(new_ranks[rows] == level)) < 0.12


def test_labels_come_back_in_their_kind():
    X, ranks = sample()
    text = np.array(LEVELS)[ranks]
    expected = CalibratedOrdinalClassifier(SVOR()).fit(X, ranks).predict(X)
    assert expected.dtype == ranks.dtype
    model = CalibratedOrdinalClassifier(SVOR(), classes=LEVELS).fit(X, text)
    assert model.classes_.tolist() == LEVELS
    assert model.predict(X).tolist() == np.array(LEVELS)[expected].tolist()
    ordered = pd.Categorical(text, categories=[*LEVELS, "highest"], ordered=True)
    frame = pd.DataFrame(X, columns=["a", "b", "c"], index=np.arange(1000, 1150))
    model = CalibratedOrdinalClassifier(SVOR()).fit(frame, ordered)
    predicted = model.predict(frame)
    assert predicted.dtype == ordered.dtype
    assert predicted.index.equals(frame.index)
    assert model.classes_.tolist() == LEVELS  # those that occur
    assert model.feature_names_in_.tolist() == ["a", "b", "c"]
    np.testing.assert_array_equal(predicted.cat.codes, expected)


def test_a_reversed_scale_reverses_the_probabilities():
    X, ranks = sample()
    model = CalibratedOrdinalClassifier(SVOR(tol=1e-8), cv=list(KFold(5).split(X)))
    there = model.fit(X, ranks).predict_proba(X)
    back = clone(model).set_params(classes=[2, 1, 0]).fit(X, ranks).predict_proba(X)
    np.testing.assert_allclose(back[:, ::-1], there, atol=1e-5)


@pytest.mark.parametrize("decision", ["mode", "median", "mean"])
def test_decisions(decision):
    X, ranks = sample(n_levels=5)
    model = CalibratedOrdinalClassifier(LinearNPSVOR(), decision=decision).fit(X, ranks)
    expected = decide_ranks(model.predict_proba(X), decision)
    np.testing.assert_array_equal(model.predict(X), expected)
    assert cross_val_score(model, X, ranks, cv=3, scoring=SCORERS["neg_mae"]).mean() > -0.6


def test_a_precomputed_kernel_is_that_of_the_features():
    X, ranks = sample(60)
    K = X @ X.T
    # Not SVOR: in some folds its thresholds are not unique.
    plain = CalibratedOrdinalClassifier(NPSVOR(kernel="linear", tol=1e-8)).fit(X, ranks)
    model = CalibratedOrdinalClassifier(NPSVOR(kernel="precomputed", tol=1e-8))
    for kernel in (K, pd.DataFrame(K)):
        model.fit(kernel, ranks)
        np.testing.assert_allclose(model.predict_proba(kernel), plain.predict_proba(X), atol=1e-6)


def test_sparse_features_pipelines_and_texts():
    X, ranks = sample(60)
    dense = CalibratedOrdinalClassifier(LinearNPSVOR()).fit(X, ranks).predict_proba(X)
    matrix = sparse.coo_matrix(X)
    model = CalibratedOrdinalClassifier(LinearNPSVOR()).fit(matrix, ranks)
    np.testing.assert_allclose(model.predict_proba(matrix), dense)
    scaled = CalibratedOrdinalClassifier(make_pipeline(StandardScaler(), LinearNPSVOR()))
    assert scaled.fit(X, ranks).predict_proba(X).shape == (60, 3)


def test_rows_of_weight_0_do_not_count_and_weights_do():
    X, ranks = sample(80)
    folds = [(np.arange(40), np.arange(40, 80)), (np.arange(40, 80), np.arange(40))]
    weights = np.r_[np.ones(40), np.tile([0.0, 2.0], 20)]
    model = CalibratedOrdinalClassifier(SVOR(tol=1e-8), cv=folds)
    weighted = model.fit(X, ranks, sample_weight=weights).predict_proba(X)
    moved = np.where(weights[:, None] > 0, X, 7.0)
    ignoring = clone(model).fit(moved, ranks, sample_weight=weights).predict_proba(X)
    np.testing.assert_allclose(ignoring, weighted, atol=1e-6)
    assert not np.allclose(clone(model).fit(X, ranks).predict_proba(X), weighted, atol=1e-3)


def test_a_level_of_one_row_is_never_held_out():
    X, ranks = sample(60)
    ranks[0] = 9
    model = CalibratedOrdinalClassifier(SVOR()).fit(X, ranks)
    probability = model.predict_proba(X)
    assert model.classes_.tolist() == [0, 1, 2, 9]
    assert np.all(probability > 0)


def test_it_is_a_model_of_a_column():
    X, ranks = sample(90)
    frame = pd.DataFrame(X, columns=["a", "b", "c"]).assign(grade=np.array(LEVELS)[ranks])
    types = frame.ordinal.infer_types(known={"grade": LEVELS})
    given = CalibratedOrdinalClassifier(LinearNPSVOR())
    model = frame.ordinal.fit("grade", types, model=given, decision="median", cv=None)
    probability = model.predict_proba(frame)
    assert probability.columns.tolist() == LEVELS
    median = (probability.to_numpy().cumsum(axis=1) < 0.5).sum(axis=1)
    np.testing.assert_array_equal(model.predict(frame).cat.codes, median)


def test_public_name():
    assert autotype.models.CalibratedOrdinalClassifier is CalibratedOrdinalClassifier


@pytest.mark.parametrize(
    ("model", "y", "message"),
    [
        (CalibratedOrdinalClassifier(SVOR()), ["a", "b"] * 10, "have no order of their own"),
        (CalibratedOrdinalClassifier(SVOR()), np.arange(20), "no row can be held out"),
        (CalibratedOrdinalClassifier(SVOR()), [0, 1] * 9, "inconsistent numbers of samples"),
        (
            CalibratedOrdinalClassifier(SVOR(classes=[0, 1])),
            [0, 1] * 10,
            "pass them to CalibratedOrdinalClassifier instead",
        ),
        (CalibratedOrdinalClassifier(SVOR(), decision="last"), [0, 1] * 10, "'decision' parameter"),
        (CalibratedOrdinalClassifier(StandardScaler()), [0, 1] * 10, "'estimator' parameter"),
    ],
)
def test_misuse_is_a_clear_error(model, y, message):
    with pytest.raises(ValueError, match=message):
        model.fit(np.random.default_rng(0).standard_normal((20, 2)), y)


def test_no_rows_are_an_error():
    with pytest.raises(ValueError, match="X holds 0 samples"):
        CalibratedOrdinalClassifier(SVOR()).fit(np.zeros((0, 2)), [])


class TestFewRows:
    """Of fewer than 200 rows, the models of the folds are averaged."""

    def test_what_is_stated_above_nine_tenths_is_mostly_right(self) -> None:
        stated, right = [], []
        for seed in range(12):
            random = np.random.default_rng(seed)
            direction = random.normal(size=20) / np.sqrt(20)
            X = random.normal(size=(440, 20))
            y = np.digitize(X @ direction + 0.3 * random.normal(size=440), [-0.8, 0.8])
            model = CalibratedOrdinalClassifier(LinearNPSVOR()).fit(X[:40], y[:40])
            probability = model.predict_proba(X[40:])
            certain = probability.max(axis=1) > 0.9
            stated.append(probability.max(axis=1)[certain])
            right.append((model.classes_[probability.argmax(axis=1)] == y[40:])[certain])
        assert np.concatenate(right).mean() > np.concatenate(stated).mean() - 0.05

    def test_many_rows_need_one_model(self) -> None:
        random = np.random.default_rng(0)
        X = random.normal(size=(200, 2))
        y = np.digitize(X[:, 0], [-0.5, 0.5])
        model = CalibratedOrdinalClassifier(LinearNPSVOR()).fit(X, y)
        expected = adjacent_probabilities(
            model.slope_, model.offsets_, np.diff(model.estimator_.decision_function(X))
        )
        assert_allclose(model.predict_proba(X), expected)
        few = CalibratedOrdinalClassifier(LinearNPSVOR()).fit(X[:199], y[:199])
        alone = adjacent_probabilities(
            few.slope_, few.offsets_, np.diff(few.estimator_.decision_function(X))
        )
        assert not np.allclose(few.predict_proba(X), alone, atol=1e-6)

    def test_given_folds_are_used_once(self) -> None:
        random = np.random.default_rng(0)
        X = random.normal(size=(30, 2))
        y = np.digitize(X[:, 0], [-0.5, 0.5])
        folds = KFold(3)
        model = CalibratedOrdinalClassifier(LinearNPSVOR(), cv=folds).fit(X, y)
        assert len(model._averaged) == 3
        assert len(CalibratedOrdinalClassifier(LinearNPSVOR(), cv=3).fit(X, y)._averaged) == 15
