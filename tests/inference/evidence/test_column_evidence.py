"""The evidence of the other columns, and of all of a column's evidence together."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy.optimize import isotonic_regression
from scipy.stats import f_oneway, kendalltau, norm

from autotype.inference.column import Column, in_codes
from autotype.inference.evidence.between_scatter import LevelSums
from autotype.inference.evidence.column_evidence import (
    _separation_z,
    isotonic_fit,
    level_codes,
    order_agreement,
    weigh_data,
)
from autotype.inference.evidence.gather import gather_all
from autotype.inference.evidence.order_search import order_log_weights, up_to_reversal
from autotype.inference.evidence.predictors import (
    DesignMatrix,
    FramePredictors,
    Indicators,
    encode,
    predictors_for,
)
from autotype.inference.profile.triage import triage
from autotype.inference.sampling.sample import sample_frame

TOKENS = np.array(["zib", "wol", "kam", "tup"], dtype=object)


def design_matrix(X: np.ndarray, p_value: float = 1e-12) -> DesignMatrix:
    n_predictors = X.shape[1]
    names = tuple(f"x{k}" for k in range(n_predictors))
    return DesignMatrix(
        X - X.mean(axis=0),
        np.ones(n_predictors, dtype=bool),
        names,
        p_value,
    )


def graded(n_rows: int = 400, *, noise: float = 0.4) -> tuple[np.ndarray, np.ndarray]:
    """Three predictors that rise along four levels, and the levels."""
    rng = np.random.default_rng(0)
    codes = rng.integers(0, 4, n_rows)
    return codes[:, None] + noise * rng.normal(size=(n_rows, 3)), codes


def gathered(frame: pd.DataFrame, name: str, *, label_text: bool = True, excluded=()) -> Column:
    columns = sample_frame(frame, max_rows=1000, max_levels=20, seed=0).columns
    for column in columns:
        triage(column, max_levels=20)
    column = columns[frame.columns.get_loc(name)]
    design = encode(columns)
    column.reading = column.labels if label_text else None
    column.excluded = [column.position, *excluded]
    gather_all([column], design)
    return column


def test_graded_levels_are_found_ordered() -> None:
    X, codes = graded()
    data = weigh_data(design_matrix(X), codes, 4)
    assert data.order == (0, 1, 2, 3)
    assert data.predictable
    assert data.features["monotone_share"] > 0.99
    assert (
        data.numbers["loo_ordinal"] > data.numbers["loo_multiclass"] > data.numbers["loo_baseline"]
    )
    assert data.features["evidence_gain"] > 0
    assert list(data.numbers["level_means"]) == sorted(data.numbers["level_means"])
    assert np.all(np.diff(data.numbers["thresholds"]) > 0)


def test_three_clusters_without_a_line_are_no_scale() -> None:
    rng = np.random.default_rng(1)
    codes = rng.integers(0, 3, 400)
    X = np.eye(3)[codes] * 3 + rng.normal(size=(400, 3))
    data = weigh_data(design_matrix(X), codes, 3)
    assert data.predictable
    assert data.numbers["loo_multiclass"] > data.numbers["loo_ordinal"]
    assert data.features["evidence_gain"] < 0


def test_noise_has_no_gain() -> None:
    rng = np.random.default_rng(2)
    design = design_matrix(rng.normal(size=(300, 3)), p_value=0.5)
    data = weigh_data(design, rng.integers(0, 5, 300), 5)
    assert not data.predictable


def test_nothing_to_predict_from() -> None:
    codes = np.arange(30) % 3
    assert weigh_data(design_matrix(np.empty((30, 0))), codes, 3) is None
    assert weigh_data(design_matrix(np.ones((3, 1))), np.arange(3), 3) is None


def test_the_scatter_of_the_search_is_carried() -> None:
    X, codes = graded()
    design = design_matrix(X)
    data = weigh_data(design, codes, 4)
    np.testing.assert_array_equal(
        data.scatter.matrix, LevelSums(design.X, codes, 4).scatter().matrix
    )


def test_the_weight_of_any_order() -> None:
    X, codes = graded(noise=2.0)
    data = weigh_data(design_matrix(X), codes, 4)
    for order, log_weight in data.log_weights.items():
        assert data.log_weight(order[::-1]) == pytest.approx(log_weight)
        assert data.gap(order) == pytest.approx(data.log_weights[data.order] - log_weight)
    one, other = (1, 3, 0, 2), (2, 1, 3, 0)
    expected = np.diff(order_log_weights(data.scatter, np.array([one, other])))[0]
    assert data.log_weight(other) - data.log_weight(one) == pytest.approx(expected)
    assert np.isnan(weigh_data(design_matrix(X), codes, 4).gap((9, 8, 7, 6)))


def test_a_suggested_order_is_weighed() -> None:
    X, codes = graded()
    suggested = (2, 0, 3, 1)
    data = weigh_data(design_matrix(X), codes, 4, suggested=suggested)
    assert data.gap(suggested) > 0
    assert up_to_reversal(suggested) in data.log_weights


def test_selected_predictors_of_noise_do_not_make_a_column_predictable() -> None:
    rng = np.random.default_rng(3)
    codes = rng.integers(0, 4, 200)
    X = rng.normal(size=(200, 400))
    no_indicators = Indicators(np.empty((0, 200), dtype=bool))
    is_number, names = np.ones(400, dtype=bool), tuple(map(str, range(400)))
    no_keys = np.empty((0, 200), dtype=int)
    offered = FramePredictors(200, no_indicators, X, np.arange(400), is_number, names, no_keys)
    selected = predictors_for(offered, [], codes, np.arange(200))
    assert selected.p_value == 0.5
    assert not weigh_data(selected, codes, 4).predictable


def test_order_agreement_ignores_the_direction() -> None:
    assert order_agreement((0, 1, 2, 3), (3, 2, 1, 0)) == 1.0
    assert order_agreement((0, 1, 2, 3), (1, 0, 2, 3)) == pytest.approx(2 / 3)


def test_order_agreement_is_kendalls_tau() -> None:
    rng = np.random.default_rng(0)
    for n_levels in (3, 4, 9, 30):
        one, other = (tuple(rng.permutation(n_levels).tolist()) for _ in range(2))
        tau = kendalltau(np.argsort(one), np.argsort(other)).statistic
        assert order_agreement(one, other) == pytest.approx(abs(tau), abs=1e-12)


def test_codes_follow_the_levels() -> None:
    frame = pd.DataFrame({"a": ["x", "y", None, "z", "x"] * 10})
    column = sample_frame(frame, max_rows=1000, max_levels=20, seed=0).columns[0]
    assert level_codes(column, ("z", "x"))[:4].tolist() == [1, -1, 0, 1]  # missing rows are gone


def test_levels_that_the_labels_set_aside() -> None:
    X, codes = graded()
    levels = np.array(["low", "medium", "high", "don't know"], dtype=object)
    frame = pd.DataFrame(X, columns=list("abc")).assign(answer=levels[codes])
    evidence = gathered(frame, "answer")
    assert set(evidence.scale) == {"low", "medium", "high"}
    assert evidence.off_scale == ("don't know",)
    assert evidence.rejected == ()
    assert sum(evidence.known_levels.values()) == 400
    assert evidence.data.n_rows == (codes < 3).sum()


def test_labels_that_are_not_used_leave_no_trace() -> None:
    X, codes = graded()
    levels = np.array(["low", "medium", "high", "don't know"], dtype=object)
    evidence = gathered(pd.DataFrame(X).assign(answer=levels[codes]), "answer", label_text=False)
    assert evidence.is_opaque
    assert evidence.off_scale == ()
    assert evidence.suggested is None


def test_excluded_columns_are_no_predictors() -> None:
    X, codes = graded()
    frame = pd.DataFrame(X, columns=list("abc")).assign(y=TOKENS[codes])
    assert gathered(frame, "y", excluded=[0]).data.numbers["n_predictors"] == 2
    assert gathered(frame, "y", excluded=[0, 1, 2]).data is None


def test_orders_in_codes() -> None:
    X, codes = graded()
    evidence = gathered(pd.DataFrame(X).assign(y=TOKENS[codes]), "y")
    levels = evidence.scale
    assert in_codes(levels, levels) == (0, 1, 2, 3)
    assert in_codes(levels[::-1], levels) == (3, 2, 1, 0)
    assert in_codes(levels[:3], levels) is None
    assert in_codes(None, levels) is None


def test_noise_with_few_predictors_is_not_predictable() -> None:
    """The gain of noise is small, and so is its spread over rows: it needs a test of its own."""
    rng = np.random.default_rng(11)
    predictable = 0
    for n_levels in (3, 5, 8) * 10:
        X = rng.normal(size=(300, int(rng.integers(1, 9))))
        codes = np.concatenate([np.arange(n_levels), rng.integers(0, n_levels, 300 - n_levels)])
        design = design_matrix(X)
        predictable += weigh_data(design, codes, n_levels).predictable
    assert predictable <= 1


@pytest.mark.parametrize("rows_a_level", [2, 3, 40])
def test_the_separation_by_one_predictor_is_the_f_test(rows_a_level: int) -> None:
    rng = np.random.default_rng(3)
    codes = np.repeat([0, 1, 2], rows_a_level)
    x = rng.normal(size=len(codes)) + 0.3 * codes
    groups = [x[codes == k] for k in range(3)]
    centred = design_matrix(x[:, None]).X
    total = float((centred**2).sum())
    between = sum(len(g) * (g.mean() - x.mean()) ** 2 for g in groups)
    z = _separation_z(np.array([between / total]), len(codes), 1, 3)
    assert z == pytest.approx(norm.isf(f_oneway(*groups).pvalue), rel=1e-9)


def test_levels_without_any_separation_are_not_separated() -> None:
    assert _separation_z(np.zeros(1), 120, 1, 3) == -np.inf


def test_too_few_rows_for_the_test_of_separation_leave_the_verdict_to_the_gain() -> None:
    assert _separation_z(np.ones(1), 6, 2, 4) == np.inf


def test_two_placed_levels_are_no_scale_to_reject_a_third_from() -> None:
    rng = np.random.default_rng(0)
    codes = rng.integers(0, 3, 600)
    corners = np.array([[0.0, 0.0], [3.0, 0.0], [1.5, 9.0]])  # the third is far off the line
    frame = pd.DataFrame(corners[codes] + 0.3 * rng.normal(size=(600, 2)), columns=list("ab"))
    frame["answer"] = np.array(["low", "high", "zorp"], dtype=object)[codes]
    evidence = gathered(frame, "answer")
    assert evidence.reading.order == ("low", "high")
    assert evidence.rejected == ()
    assert set(evidence.scale) == {"low", "high", "zorp"}


def test_the_trend_is_that_of_the_strongest_predictors() -> None:
    X, codes = graded()
    noise = np.random.default_rng(5).normal(size=(400, 30))
    data = weigh_data(design_matrix(np.hstack([noise, X])), codes, 4)
    assert data.features["monotone_share"] > 0.99


@pytest.mark.parametrize("n", [1, 2, 5, 40])
@pytest.mark.parametrize("seed", range(5))
def test_monotone_fits_are_those_of_scipy(n: int, seed: int) -> None:
    random = np.random.default_rng(seed)
    values = random.normal(size=n).round(1)  # with ties
    weights = random.integers(1, 9, size=n).astype(float)
    expected = isotonic_regression(values, weights=weights).x
    np.testing.assert_allclose(isotonic_fit(values, weights), expected, rtol=1e-12, atol=1e-14)


def test_a_monotone_fit_of_rising_values_changes_nothing() -> None:
    values = np.array([-1.0, 0.0, 0.0, 2.5])
    np.testing.assert_array_equal(isotonic_fit(values, np.ones(4)), values)
