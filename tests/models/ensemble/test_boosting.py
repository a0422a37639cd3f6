from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy.special import logit
from sklearn.ensemble import HistGradientBoostingClassifier

from autotype.models import OrdinalBoosting
from tests.models.scikit_learn_checks import parametrize_with_checks
from tests.reference import cumulative_boosting


@parametrize_with_checks(
    [
        OrdinalBoosting(classes="sorted", max_iter=20, min_samples_leaf=5),
        OrdinalBoosting(shared=False, classes="sorted", max_iter=20, min_samples_leaf=5),
    ],
    expected_failed_checks=lambda estimator: {
        "check_sample_weight_equivalence_on_dense_data": "weights do not count in a leaf's samples"
    },
)
def test_scikit_learn_checks(estimator, check):
    check(estimator)


def grades(n: int = 300, seed: int = 0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 3))
    return X, np.digitize(X[:, 0] * np.sign(X[:, 1]) + 0.3 * rng.normal(size=n), [-1, 0, 1])


def test_shared_trees_are_those_of_replicated_rows():
    X, y = grades()
    frame = pd.concat([pd.DataFrame(X).assign(cut=cut, above=y > cut) for cut in range(3)])
    trees = HistGradientBoostingClassifier(
        max_leaf_nodes=8, monotonic_cst=[0, 0, 0, -1], early_stopping=False, random_state=0
    ).fit(frame.drop(columns="above").to_numpy(), frame["above"])
    above = np.column_stack(
        [trees.predict_proba(np.column_stack([X, np.full(len(X), cut)]))[:, 1] for cut in range(3)]
    )
    assert (np.diff(above, axis=1) <= 0).all()
    found = OrdinalBoosting().fit(X, y).predict_proba(X)
    np.testing.assert_allclose(1 - found.cumsum(axis=1)[:, :-1], above, atol=1e-12)


# Later shared trees have leaves that the falling cut bounds.
@pytest.mark.parametrize(("shared", "trees"), [(True, 0), (False, 0), (False, 1), (False, 5)])
def test_each_tree_is_a_step_of_newton_on_the_cumulative_losses(shared: bool, trees: int) -> None:
    rng = np.random.default_rng(trees)
    X = rng.normal(size=(60, 2)).round(1)
    ranks = np.digitize(X[:, 0] + 0.5 * rng.normal(size=60), [-0.5, 0.5])
    options = {"learning_rate": 0.3, "l2_regularization": 0.7, "min_samples_leaf": 5}
    above = ranks[:, None] > [0, 1]

    def log_odds(count: int) -> np.ndarray:
        if count == 0:
            shares = np.full(2, above.mean()) if shared else above.mean(axis=0)
            return np.tile(logit(shares), (60, 1))
        model = OrdinalBoosting(shared, max_iter=count, **options).fit(X, ranks)
        if shared:
            rows = np.column_stack([np.tile(X, (2, 1)), np.repeat([0, 1], 60)])
            return model.estimators_[0].decision_function(rows).reshape(2, 60).T
        return np.column_stack([trees.decision_function(X) for trees in model.estimators_])

    known, new = log_odds(trees), log_odds(trees + 1)
    # Log odds that move alike are in one leaf.
    leaves = (new - known).round(9) + (0 if shared else np.array([0, 100]))
    step = 0.3 * cumulative_boosting.leaf_steps(known, ranks, leaves, 0.7)
    np.testing.assert_allclose(new - known, step, atol=1e-6)
    assert cumulative_boosting.loss(new, ranks) < cumulative_boosting.loss(known, ranks)


def test_separate_trees_are_one_classifier_per_cut():
    X, y = grades()
    found = OrdinalBoosting(shared=False).fit(X, y).predict_proba(X)
    for cut in range(3):
        trees = HistGradientBoostingClassifier(
            max_leaf_nodes=8, early_stopping=False, random_state=0
        ).fit(X, y > cut)
        above = trees.predict_proba(X)[:, 1]
        difference = np.abs(found[:, cut + 1 :].sum(axis=1) - above)
        assert np.median(difference) < 1e-12  # those in monotone order stay as they are


@pytest.mark.parametrize("shared", [True, False])
def test_columns_of_labels_are_categories(shared):
    rng = np.random.default_rng(0)
    town = rng.choice(list("abcdef"), 400)
    frame = pd.DataFrame({"town": town, "noise": rng.normal(size=400)})
    y = np.isin(town, ["b", "e"]).astype(int) + np.isin(town, ["e"])
    model = OrdinalBoosting(shared=shared).fit(frame, y)
    assert (model.predict(frame) == y).all()
    new = pd.DataFrame({"town": ["e", None, "unseen"], "noise": [0.0, np.nan, 1.0]})
    assert model.predict(new).tolist()[0] == 2
    assert np.isfinite(model.predict_proba(new)).all()
    as_categories = frame.astype({"town": "category"})
    np.testing.assert_array_equal(
        OrdinalBoosting(shared=shared).fit(as_categories, y).predict_proba(as_categories),
        model.predict_proba(frame),
    )


@pytest.mark.parametrize("shared", [True, False])
def test_a_monotone_column_never_lowers_the_level(shared):
    X, y = grades()
    frame = pd.DataFrame(X, columns=["a", "b", "c"])
    model = OrdinalBoosting(shared=shared, monotone={"a": 1}).fit(frame, y)
    line = pd.DataFrame({"a": np.linspace(-3, 3, 50), "b": 0.5, "c": 0.0})
    mean = model.predict_proba(line) @ np.arange(4)
    assert (np.diff(mean) >= -1e-12).all()
    with pytest.raises(ValueError, match="monotone maps columns to -1, 0 or 1, got 'z'"):
        OrdinalBoosting(monotone={"z": 1}).fit(frame, y)


def test_levels_without_rows_have_no_probability():
    X, y = grades()
    labels = pd.Categorical.from_codes(y + 1, categories=range(6), ordered=True)
    model = OrdinalBoosting().fit(X, labels)
    assert model.classes_.tolist() == list(range(6))
    np.testing.assert_array_equal(model.predict_proba(X)[:, [0, 5]], 0)
    assert model.predict(X).categories.tolist() == list(range(6))


@pytest.mark.parametrize("shared", [True, False])
def test_trees_grown_step_by_step_are_those_grown_at_once(shared: bool) -> None:
    X, y = grades()
    new, _ = grades(50, seed=1)
    weight = np.where(y > 1, 2.0, 1.0)
    model = OrdinalBoosting(shared, min_samples_leaf=5)
    steps = model.predictions_by_count(X, y, new, weight)
    for count, predicted in zip([25, 50, 100], steps, strict=False):
        at_once = OrdinalBoosting(shared, min_samples_leaf=5, max_iter=count)
        expected = at_once.fit(X, y, weight).predict_proba(new)
        np.testing.assert_allclose(predicted, expected, atol=1e-12)


def test_a_fifth_of_the_rows_chooses_how_many_trees_grow() -> None:
    rng = np.random.default_rng(0)
    noise, levels = rng.normal(size=(200, 3)), rng.integers(0, 4, 200)
    assert OrdinalBoosting(max_iter=None).fit(noise, levels).n_iter_ <= 50
    X = rng.uniform(size=(600, 2))
    y = (4 * X[:, 0]).astype(int) * (X[:, 1] > 0.5)
    frame, grade = pd.DataFrame(X, columns=["a", "b"]), pd.Categorical(y, ordered=True)
    model = OrdinalBoosting(max_iter=None, min_samples_leaf=5, learning_rate=0.02)
    fitted = model.fit(frame, grade)
    assert fitted.n_iter_ >= 200
    at_once = OrdinalBoosting(max_iter=fitted.n_iter_, min_samples_leaf=5, learning_rate=0.02).fit(
        frame, grade
    )
    np.testing.assert_array_equal(fitted.predict_proba(frame), at_once.predict_proba(frame))


@pytest.mark.parametrize("shared", [True, False])
def test_a_column_without_a_value_tells_nothing(shared: bool) -> None:
    X = np.random.default_rng(0).standard_normal((60, 2))
    y = np.digitize(X[:, 0], [-0.5, 0.5])
    empty = np.column_stack([X, np.full(60, np.nan)])
    model = OrdinalBoosting(shared=shared)
    plain = model.fit(X, y).predict_proba(X)
    assert model.fit(empty, y).predict_proba(empty) == pytest.approx(plain, abs=1e-12)
