from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_iris
from sklearn.metrics import accuracy_score
from sklearn.model_selection import cross_val_score

from autotype import metrics
from autotype.models import GPOrdinalClassifier
from tests.reference import ordinal_metrics as slow

LEVELS = ["poor", "fair", "good", "excellent"]


@pytest.fixture
def ranks() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    return rng.integers(0, 4, 40), rng.integers(0, 4, 40), rng.random(40)


def as_text(ranks: np.ndarray) -> list[str]:
    return [LEVELS[k] for k in ranks]


def test_errors_against_plain_loops(ranks) -> None:
    true, predicted, weight = ranks
    errors = slow.mean_absolute_errors(true, predicted, weight)
    options = {"labels": LEVELS, "sample_weight": weight}
    texts = as_text(true), as_text(predicted)
    expected = np.average(np.abs(true - predicted), weights=weight)
    assert metrics.mean_absolute_error(*texts, **options) == pytest.approx(expected)
    expected = np.mean(list(errors.values()))
    assert metrics.macro_mean_absolute_error(*texts, **options) == pytest.approx(expected)
    expected = max(errors.values())
    assert metrics.maximum_mean_absolute_error(*texts, **options) == pytest.approx(expected)


def test_levels_absent_from_the_truth_do_not_count() -> None:
    # Nothing is truly "poor" or "excellent", though both are predicted.
    true, predicted = ["fair", "fair", "good"], ["poor", "fair", "excellent"]
    assert metrics.macro_mean_absolute_error(true, predicted, labels=LEVELS) == 0.75
    assert metrics.maximum_mean_absolute_error(true, predicted, labels=LEVELS) == 1.0


def test_accuracy_within(ranks) -> None:
    true, predicted, _ = ranks
    for k in range(4):
        expected = np.mean(np.abs(true - predicted) <= k)
        assert metrics.accuracy_within(true, predicted, k=k) == pytest.approx(expected)
    assert metrics.accuracy_within(true, predicted, k=0) == accuracy_score(true, predicted)
    with pytest.raises(ValueError, match=">= 0, got -1"):
        metrics.accuracy_within(true, predicted, k=-1)


def test_tau_and_probability_score_against_plain_loops(ranks) -> None:
    true, predicted, _ = ranks
    assert metrics.kendall_tau(true, predicted) == pytest.approx(slow.tau_b(true, predicted))
    assert metrics.kendall_tau([1, 2, 3], [2, 2, 2], labels=[1, 2, 3]) == 0.0
    proba = np.random.default_rng(1).dirichlet(np.ones(4), len(true))
    found = metrics.ranked_probability_score(as_text(true), proba, labels=LEVELS)
    assert found == pytest.approx(slow.ranked_probability_score(true, proba))
    table = pd.DataFrame(proba, columns=LEVELS)
    assert metrics.ranked_probability_score(as_text(true), table) == pytest.approx(found)


def test_the_order_comes_from_labels_categories_or_numbers() -> None:
    text = pd.Categorical(["good", "poor"], categories=LEVELS, ordered=True)
    assert metrics.mean_absolute_error(text, ["poor", "poor"]) == 1.0
    assert metrics.mean_absolute_error([1.0, 3.0], [3, 3]) == 0.5  # 3.0 and 3 are one level


@pytest.mark.parametrize(
    ("true", "predicted", "options", "message"),
    [
        (["a"], ["b"], {}, "strings have no order"),
        (["a"], ["b"], {"labels": ["a"]}, "y_pred holds 'b', which is not one of the levels"),
        ([1, 2], [1], {}, "as long as each other"),
        ([], [], {}, "not empty"),
        ([1, None], [1, 1], {}, "y_true holds missing values"),
        ([1], [1], {"labels": [1, 1]}, "labels must differ"),
    ],
)
def test_bad_input_is_a_clear_error(true, predicted, options, message) -> None:
    with pytest.raises(ValueError, match=message):
        metrics.mean_absolute_error(true, predicted, **options)


def test_wrong_shape_of_probabilities() -> None:
    with pytest.raises(ValueError, match="one column for each of 3 levels"):
        metrics.ranked_probability_score([1, 2], [[0.5, 0.5]] * 2, labels=[1, 2, 3])


@pytest.mark.parametrize("name", sorted(metrics.SCORERS))
def test_scorers_know_the_order_from_the_estimator(name: str) -> None:
    X, y = load_iris(return_X_y=True)
    y = pd.Categorical.from_codes(y, ["small", "middle", "big"], ordered=True)
    model = GPOrdinalClassifier(kernel="linear").fit(X, y)
    score = metrics.SCORERS[name](model, X, y)
    assert score > (-0.2 if name.startswith("neg") else 0.9)
    # A fold may lack a level: the scorer still knows them all.
    assert np.isfinite(metrics.SCORERS[name](model, X[:50], y[:50]))


def test_scorers_in_cross_validation() -> None:
    X, y = load_iris(return_X_y=True)
    scoring = metrics.SCORERS["neg_macro_mae"]
    scores = cross_val_score(GPOrdinalClassifier(kernel="linear"), X, y, scoring=scoring, cv=3)
    assert scores.min() > -0.15


def test_reliability_is_counted_over_rows_and_cuts() -> None:
    rng = np.random.default_rng(0)
    proba = rng.dirichlet(np.ones(4), 3000)
    true = (rng.random(3000)[:, None] > proba.cumsum(axis=1)[:, :-1]).sum(axis=1)
    table = metrics.reliability_table(true, proba, labels=range(4), n_bins=7)
    assert table["count"].sum() == 9000
    assert table["count"].max() - table["count"].min() <= 1
    np.testing.assert_allclose(table["predicted"], table["observed"], atol=0.04)
    cumulative = proba.cumsum(axis=1)[:, :-1].ravel()
    lowest = np.sort(cumulative)[: table["count"][0]]
    assert table["predicted"][0] == pytest.approx(lowest.mean())


def test_sure_and_wrong_is_not_calibrated() -> None:
    sure = np.tile([1.0, 0.0], (10, 1))
    assert metrics.cumulative_calibration_error([1] * 10, sure, labels=[0, 1]) == 1
    assert metrics.cumulative_calibration_error([0] * 10, sure, labels=[0, 1]) == 0
    with pytest.raises(ValueError, match="n_bins must be a number of bins >= 1"):
        metrics.reliability_table([0, 1], sure[:2], n_bins=0)
