from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression, RidgeClassifier
from sklearn.model_selection import GroupKFold, StratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from autotype.models import GPOrdinalClassifier, OrdinalBoosting, OrdinalEnsemble
from autotype.models.ensemble import member_fits
from autotype.models.ensemble.members import within_float32
from autotype.models.ensemble.weights import (
    best_recalibration,
    best_weights,
    ranked_probability_scores,
    recalibrated,
)
from tests.models.scikit_learn_checks import parametrize_with_checks
from tests.reference.tree_counts import chosen_count

MEMBERS = [
    ("line", make_pipeline(StandardScaler(), LogisticRegression())),
    ("trees", OrdinalBoosting(max_iter=20)),
]


@pytest.mark.filterwarnings("ignore:member .* is left out:UserWarning")
@parametrize_with_checks(
    [OrdinalEnsemble(classes="sorted", effort="fast", decision="mode")],
    expected_failed_checks=lambda estimator: {
        "check_sample_weight_equivalence_on_dense_data": "folds deal out rows, not weights"
    },
)
def test_scikit_learn_checks(estimator, check):
    check(estimator)


def grades(n: int = 300, seed: int = 0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 3))
    return X, np.digitize(X[:, 0] * np.sign(X[:, 1]) + 0.3 * rng.normal(size=n), [-1, 0, 1])


def test_members_weights_and_scores():
    X, y = grades()
    model = OrdinalEnsemble(MEMBERS, cv=3).fit(X, y)
    assert [name for name, _ in model.members_] == ["trees"]
    np.testing.assert_array_equal(model.weights_, [1.0])
    assert model.scores_.index.tolist() == ["line", "trees", "ensemble"]
    assert model.scores_.loc["trees", "rps"] < 0.7 * model.scores_.loc["line", "rps"]
    np.testing.assert_array_equal(model.held_out_rows_, np.arange(300))
    scores = ranked_probability_scores(model.held_out_probabilities_, y)
    assert model.scores_.loc["ensemble", "rps"] == pytest.approx(scores.mean())
    error = scores.std() / np.sqrt(300)
    assert model.scores_.loc["ensemble", "rps_error"] == pytest.approx(error)


def test_held_out_rows_are_predicted_by_models_that_have_not_seen_them():
    X, y = grades(120)
    folds = list(GroupKFold(3).split(X, y, groups=np.arange(120) // 10))
    model = OrdinalEnsemble(MEMBERS, cv=folds).fit(X, y)
    predicted = {name: np.zeros((120, 4)) for name, _ in MEMBERS}
    for train, test in folds:
        for name, member in MEMBERS:
            predicted[name][test] = member.fit(X[train], y[train]).predict_proba(X[test])
    weights = best_weights(list(predicted.values()), y, np.ones(120))
    expected = sum(w * p for w, p in zip(weights, predicted.values(), strict=True))
    sharpness, offsets = best_recalibration(expected, y, np.ones(120))
    assert model.sharpness_ == pytest.approx(sharpness)
    np.testing.assert_allclose(model.offsets_, offsets, atol=1e-7)
    expected = recalibrated(expected, sharpness, offsets)
    np.testing.assert_allclose(model.held_out_probabilities_, expected, atol=1e-7)
    every = sum(
        w * member.fit(X, y).predict_proba(X)
        for w, (_, member) in zip(weights, MEMBERS, strict=True)
        if w > 0
    )
    every = recalibrated(every, sharpness, offsets)
    np.testing.assert_allclose(model.predict_proba(X), every, atol=1e-7)


def test_the_model_does_not_depend_on_the_number_of_processes():
    X, y = grades(150)
    one, two = (OrdinalEnsemble(n_jobs=k, effort="fast").fit(X, y) for k in (1, 2))
    assert one.predict_proba(X).tobytes() == two.predict_proba(X).tobytes()
    assert one.scores_.equals(two.scores_)


def test_workers_beyond_counting_are_as_many_as_there_are_fits(monkeypatch):
    asked, run = [], member_fits.Parallel
    monkeypatch.setattr(
        member_fits, "Parallel", lambda n_jobs: asked.append(n_jobs) or run(n_jobs=1)
    )
    OrdinalEnsemble(MEMBERS, n_jobs=10**29).fit(*grades(60))
    assert asked[0] <= 5 * len(MEMBERS)


def test_the_default_members_take_missing_values_and_beat_each_alone():
    X, y = grades(200)
    X[::7, 2] = np.nan
    model = OrdinalEnsemble().fit(X, y)
    alone = model.scores_["rps"].drop("ensemble")
    assert len(alone) == 5
    assert model.scores_.loc["ensemble", "rps"] <= alone.min()
    assert model.weights_.sum() == pytest.approx(1)
    assert np.isfinite(model.predict_proba(X)).all()


def test_a_forest_predicts_the_rows_out_of_its_bags():
    X, y = grades()
    forest = RandomForestClassifier(100, oob_score=True, random_state=0)
    model = OrdinalEnsemble([("forest", forest)]).fit(X, y)
    expected = forest.fit(X, y).oob_decision_function_
    expected = recalibrated(expected, model.sharpness_, model.offsets_)
    np.testing.assert_allclose(model.held_out_probabilities_, expected, atol=1e-12)
    folds = OrdinalEnsemble([("forest", forest)], cv=3).fit(X, y)
    assert not np.allclose(folds.held_out_probabilities_, expected)


def test_numbers_beyond_single_precision_are_features_of_a_forest() -> None:
    X, y = grades(80)
    forests = [OrdinalEnsemble().fit(X * scale, y) for scale in (1.0, 2.0**200)]
    rps = [forest.scores_.loc["forest", "rps"] for forest in forests]
    assert rps[0] == pytest.approx(rps[1], rel=0.2)


def test_numbers_beyond_single_precision_keep_their_order() -> None:
    numbers = np.array([-1e150, -1e38, -1e30, -0.1, -1e-310, 0, 1 / 3, 9e29, 2e30, 1e31, 1e149])
    bounded = within_float32(numbers).astype(np.float32)
    assert np.isfinite(bounded.sum())
    assert (np.diff(bounded) >= 0).all()
    assert (np.diff(bounded[numbers > 0]) > 0).all()
    fit = (np.abs(numbers) <= 1e30) & (np.abs(numbers) > 1e-300)
    assert within_float32(numbers)[4] == 0
    np.testing.assert_array_equal(within_float32(numbers)[fit], numbers[fit])
    assert np.isnan(within_float32([np.nan])).all()


def test_folds_of_a_gaussian_process_keep_the_kernel_of_all_rows():
    X, y = grades()
    model = GPOrdinalClassifier("rbf").fit(X, y)
    again = model.with_learned_kernel().fit(X, y)
    assert again.kernel_ == model.kernel_
    np.testing.assert_allclose(again.predict_proba(X), model.predict_proba(X), atol=0.1)


def test_levels_with_one_row_and_rows_of_weight_zero():
    X, y = grades(100)
    y[y == 3] = 2
    y[0] = 3
    model = OrdinalEnsemble(MEMBERS, cv=3).fit(X, y)
    assert 0 not in model.held_out_rows_  # without it, no model knows the level
    assert model.predict_proba(X).shape == (100, 4)
    weight = np.ones(100)
    weight[0] = 0
    members = [("trees", OrdinalBoosting(max_iter=20))]
    weighted = OrdinalEnsemble(members, cv=3).fit(X, y, sample_weight=weight)
    without = OrdinalEnsemble(members, cv=3, classes=[0, 1, 2, 3]).fit(X[1:], y[1:])
    np.testing.assert_array_equal(weighted.predict_proba(X), without.predict_proba(X))


def test_weights_reach_the_members():
    X, y = grades()
    weight = np.where(y > 1, 5.0, 1.0)
    plain, heavy = (
        OrdinalEnsemble(MEMBERS, cv=3).fit(X, y, sample_weight=w).predict_proba(X)[:, 2:].sum()
        for w in (None, weight)
    )
    assert heavy > plain


def test_a_member_that_fails_is_left_out_with_a_warning():
    X, y = grades()
    members = [*MEMBERS, ("refuses", LogisticRegression(max_iter=-1))]
    with pytest.warns(UserWarning, match="member 'refuses' is left out, its fit fails: The 'max"):
        model = OrdinalEnsemble(members, cv=3).fit(X, y)
    assert "refuses" not in model.scores_.index
    with pytest.raises(ValueError, match="The 'max_iter' parameter"):
        OrdinalEnsemble(members[2:], cv=3).fit(X, y)
    with pytest.raises(ValueError, match="members must list one or more"):
        OrdinalEnsemble([], cv=3).fit(X, y)


def test_a_member_without_probabilities_is_an_error():
    X, y = grades()
    with pytest.raises(TypeError, match="member 'ridge' has no predict_proba"):
        OrdinalEnsemble([("ridge", RidgeClassifier())]).fit(X, y)


@pytest.mark.parametrize("coverage", [0.0, 1.0, 90])
def test_a_coverage_out_of_range_is_an_error(coverage):
    X, y = grades(60)
    model = OrdinalEnsemble(MEMBERS, cv=3).fit(X, y)
    with pytest.raises(ValueError, match=r"coverage must be in \(0, 1\)"):
        model.predict_interval(X, coverage)


def test_labels_of_a_frame_come_back_as_a_series():
    X, y = grades()
    levels = ["low", "mid", "high", "top"]
    target = pd.Series(pd.Categorical.from_codes(y, levels, ordered=True), name="grade")
    frame = pd.DataFrame(X, columns=["a", "b", "c"], index=range(7, 307))
    model = OrdinalEnsemble(MEMBERS, cv=3).fit(frame, target)
    predicted = model.predict(frame)
    assert predicted.name == "grade"
    assert predicted.index.equals(frame.index)
    lower, upper = model.predict_interval(frame, 0.5)
    assert (lower <= predicted).all()
    assert (predicted <= upper).all()


def test_folds_share_a_kernel_of_one_length_only(monkeypatch) -> None:
    """Lengths of many features, learned from all rows, would know the rows held out."""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(60, 8)), rng.integers(0, 3, 60)
    noise = OrdinalEnsemble([("ard", GPOrdinalClassifier("ard-rbf"))], cv=3).fit(X, y)
    shares = np.bincount(y) / len(y)
    assert (
        noise.scores_.loc["ard", "rps"]
        > ranked_probability_scores(np.tile(shares, (60, 1)), y).mean()
    )
    shared = []
    original = GPOrdinalClassifier.with_learned_kernel
    monkeypatch.setattr(
        GPOrdinalClassifier,
        "with_learned_kernel",
        lambda self: shared.append(self.kernel) or original(self),
    )
    members = [(kernel, GPOrdinalClassifier(kernel)) for kernel in ("rbf", "ard-rbf")]
    OrdinalEnsemble(members, cv=2).fit(X, y)
    assert set(shared) == {"rbf"}


@pytest.mark.parametrize("shared", [True, False])
def test_held_out_rows_choose_how_many_trees_grow(shared: bool) -> None:
    X, y = grades(240)
    folds = list(StratifiedKFold(3, shuffle=True, random_state=1).split(X, y))
    trees = OrdinalBoosting(shared, max_iter=None, min_samples_leaf=5)
    pipeline = make_pipeline(StandardScaler(), trees)
    model = OrdinalEnsemble([("trees", trees), ("piped", pipeline)], cv=folds).fit(X, y)
    expected = chosen_count(trees, X, y, folds)
    assert model.members_[0][1].n_iter_ == expected
    assert model.members_[1][1][-1].n_iter_ == expected
    fixed = OrdinalEnsemble([("trees", clone(trees).set_params(max_iter=expected))], cv=folds)
    np.testing.assert_allclose(
        model.held_out_probabilities_, fixed.fit(X, y).held_out_probabilities_, atol=1e-12
    )


def test_the_first_fold_rules_out_members_that_are_far_from_the_best() -> None:
    X, y = grades(1000)
    folds = list(StratifiedKFold(3, shuffle=True, random_state=1).split(X, y))
    quick = OrdinalEnsemble(MEMBERS, cv=folds).fit(X, y).scores_
    every = OrdinalEnsemble(MEMBERS, cv=folds, effort="best").fit(X, y).scores_
    train, test = folds[0]
    line = MEMBERS[0][1].fit(X[train], y[train]).predict_proba(X[test])
    scores = ranked_probability_scores(line, y[test])
    assert quick.loc["line", "weight"] == 0.0
    assert quick.loc["line", "rps"] == pytest.approx(scores.mean())
    assert quick.loc["line", "rps_error"] == pytest.approx(scores.std() / np.sqrt(len(test)))
    assert every.loc["line", "rps"] != quick.loc["line", "rps"]
    assert every.loc["trees", "rps"] == quick.loc["trees", "rps"]
    few = (OrdinalEnsemble(MEMBERS, cv=3, effort=effort) for effort in ("default", "best"))
    default, best = (model.fit(X[:300], y[:300]).scores_ for model in few)
    assert default.equals(best)  # too few rows
