from __future__ import annotations

import datetime

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from autotype.inference.evidence.between_scatter import LevelSums
from autotype.inference.evidence.dependence import variance_inflation
from autotype.inference.evidence.predictors import (
    MAX_PREDICTORS,
    DesignMatrix,
    FramePredictors,
    Indicators,
    encode,
    predictors_for,
)
from autotype.inference.profile.triage import triage
from autotype.inference.sampling.sample import sample_frame

N = 300
RNG = np.random.default_rng(0)


def offered_by(frame: pd.DataFrame, use: list[bool] | None = None) -> FramePredictors:
    sample = sample_frame(frame, max_rows=10_000, max_levels=20, seed=0)
    for column in sample.columns:
        triage(column, max_levels=20)
        column.reading = column.labels
    return encode(sample.columns, use)


def whole(offered: FramePredictors) -> DesignMatrix:
    """All predictors in all rows."""
    return offered.select(np.arange(len(offered.names)), np.arange(offered.n_rows))


def design_of(frame: pd.DataFrame, use: list[bool] | None = None) -> DesignMatrix:
    return whole(offered_by(frame, use))


def lone(values: object) -> DesignMatrix:
    return design_of(pd.DataFrame({"c": values}))


def assert_sound(design: DesignMatrix) -> None:
    assert np.all(np.isfinite(design.X))
    assert design.X.shape[1] == len(design.names) == len(design.is_number)
    assert len(set(design.names)) == len(design.names)


NUMBERS = {
    "reals": RNG.normal(size=N),
    "integers": RNG.integers(0, 9, N),
    "integers with many values": RNG.integers(0, 999, N),
    "numbers as text": [f"{x:.2f}" for x in RNG.normal(size=N)],
    "Int64": pd.Series(RNG.integers(0, 9, N)).astype("Int64").mask(RNG.random(N) < 0.01),
    "arrow": pd.Series(RNG.normal(size=N)).astype("float64[pyarrow]"),
    "dates": pd.date_range("2020-01-01", periods=N),
    "dates with a zone": pd.date_range("2020-01-01", periods=N, tz="Europe/Berlin"),
    "dates as text": [f"2020-{1 + k % 12:02d}-{1 + k % 28:02d}" for k in range(N)],
    "European dates": [f"{1 + k % 28}.{1 + k % 12}.2020" for k in range(N)],
    "years": 2000 + RNG.integers(0, 24, N),
    "years with gaps": pd.Series(2000.0 + RNG.integers(0, 24, N)).mask(RNG.random(N) < 0.01),
    "dates of eight digits": [int(f"2020{1 + k % 12:02d}{1 + k % 28:02d}") for k in range(N)],
    "dates of eight digits as text": [f"{10 + k % 19}{10 + k % 3}2020" for k in range(N)],
    "dates with leading zeros": [f"{1 + k % 28:02d}{1 + k % 12:02d}2020" for k in range(N)],
    "periods": pd.period_range("2000-01", periods=N, freq="M"),
    "times of day": [f"{k % 24:02d}:{k % 60:02d}" for k in range(N)],
    "times": [datetime.time(k % 24, k % 60) for k in range(N)],
    "durations": pd.to_timedelta(RNG.integers(0, 99, N), "h"),
    "arrow timestamps": pd.Series(
        pd.date_range("2020-01-01", periods=N), dtype="timestamp[us][pyarrow]"
    ),
}


@pytest.mark.parametrize("kind", NUMBERS)
def test_numbers_and_dates_become_one_standardised_column(kind: str) -> None:
    design = lone(NUMBERS[kind])
    assert_sound(design)
    assert design.names == ("c",)
    assert design.is_number.tolist() == [True]
    assert abs(design.X.mean()) < 0.05
    assert design.X.std() == pytest.approx(1, abs=0.1)


def test_outliers_set_no_scale_and_are_clipped() -> None:
    x = RNG.normal(size=N)
    x[:2] = 1e9, -1e9
    design = lone(x)
    assert np.abs(design.X).max() <= 4
    assert design.X[2:].std() == pytest.approx(1, abs=0.1)
    assert np.corrcoef(design.X[2:, 0], x[2:])[0, 1] > 0.99


def test_infinities_stand_for_missing_values() -> None:
    x = RNG.normal(size=N)
    x[:30], x[30:60] = np.inf, np.nan
    design = lone(x)
    assert_sound(design)
    assert design.names == ("c", "c is missing")
    np.testing.assert_array_equal(design.X[:60, 0], 0.0)
    assert design.X[:60, 1].min() > design.X[60:, 1].max()


def test_levels_become_indicators_the_rare_ones_pooled() -> None:
    values = RNG.permutation(np.repeat(["a", "b", "c", "d"], [150, 90, 57, 3]))
    design = lone(values)
    assert_sound(design)
    assert set(design.names) == {"c = a", "c = b", "c = c"}  # d is rare
    assert not design.is_number.any()
    for name, column in zip(design.names, design.X.T, strict=True):
        high = values == name[-1]
        assert column[high].min() > column[~high].max()
        assert abs(column.mean()) < 1e-9


def test_missing_levels_get_their_indicator() -> None:
    values = RNG.choice(np.array(["a", "b", "c", None], dtype=object), N)
    assert set(lone(values).names) == {"c = a", "c = b", "c = c", "c is missing"}


@pytest.mark.parametrize(
    "values",
    [
        np.arange(N),
        [f"A-{k:05d}" for k in range(N)],
        [f"comment {k} says a good deal about it" for k in range(N)],
        ["same"] * N,
        [None] * N,
        [[1], [2]] * (N // 2),
        [np.inf] * N,
    ],
)
def test_identifiers_texts_and_constants_are_left_out(values: object) -> None:
    design = lone(values)
    assert design.X.shape == (N, 0)
    assert design.names == ()


def test_use_and_source_follow_the_columns() -> None:
    frame = pd.DataFrame({"x": RNG.normal(size=N), "c": list("abc") * 100, "id": np.arange(N)})
    assert set(offered_by(frame).source) == {0, 1}
    assert set(offered_by(frame, [True, False, True]).source) == {0}
    assert design_of(frame, [False] * 3).X.shape == (N, 0)


@pytest.mark.parametrize("shape", [(0, 0), (0, 2), (3, 0)])
def test_empty_frames(shape: tuple[int, int]) -> None:
    design = design_of(pd.DataFrame(np.empty(shape)))
    assert design.X.shape == (shape[0] if shape[1] else 0, 0)


def test_a_column_is_not_its_own_predictor() -> None:
    frame = pd.DataFrame({"c": list("abc") * 100, "d": list("xxyyzz") * 50})
    codes, rows = np.arange(N) % 3, np.arange(N)
    chosen = predictors_for(offered_by(frame), [0], codes, rows)
    assert all(name.startswith("d = ") for name in chosen.names)


def test_the_strongest_predictors_are_chosen_and_centred() -> None:
    codes = np.arange(N) % 4
    X = RNG.normal(size=(N, 100))
    X[:, 90:] += codes[:, None]
    frame = pd.DataFrame(X).assign(target=codes)
    rows = np.arange(0, N, 2)
    chosen = predictors_for(offered_by(frame), [100], codes[rows], rows)
    assert_sound(chosen)
    assert chosen.X.shape[0] == len(rows)
    assert 10 <= chosen.X.shape[1] <= MAX_PREDICTORS
    assert set(map(str, range(90, 100))) <= set(chosen.names)
    np.testing.assert_allclose(chosen.X.mean(axis=0), 0.0, atol=1e-12)


def test_of_equally_strong_predictors_the_first_are_chosen() -> None:
    codes, rows = np.arange(N) % 3, np.arange(N)
    x = RNG.normal(size=N) + codes
    frame = pd.DataFrame({f"x{k:02}": x for k in range(MAX_PREDICTORS + 10)})
    frame["weak"] = RNG.normal(size=N)
    frame["strong"] = x + codes
    chosen = predictors_for(offered_by(frame), [], codes, rows)
    kept = [f"x{k:02}" for k in range(MAX_PREDICTORS - 1)]
    assert chosen.names == (*kept, "strong")
    assert chosen.p_value < 1e-10


def test_predictors_that_do_not_vary_in_the_rows_are_dropped() -> None:
    x = np.concatenate([np.zeros(N // 2), RNG.normal(size=N - N // 2)])
    offered = offered_by(pd.DataFrame({"x": x, "y": RNG.normal(size=N)}))
    rows = np.arange(N // 2)
    assert predictors_for(offered, [5], rows % 3, rows).names == ("y",)


@pytest.mark.parametrize("seed", range(8))
def test_the_choice_is_that_of_the_f_statistics_on_a_copy(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n_rows, n_columns = 400, 150
    codes = rng.integers(0, 5, n_rows)
    numbers = rng.standard_normal((n_rows, n_columns)) + 0.1 * np.outer(
        codes, rng.standard_normal(n_columns)
    )
    numbers[:, 7] = numbers[:, 8]
    frame = pd.DataFrame(numbers, columns=[f"x{k}" for k in range(n_columns)])
    frame["x9"] = np.where(np.arange(n_rows) < 300, 1.0, rng.random(n_rows))
    for k in range(100, 120):  # indicators are counted, numbers are summed
        frame[f"x{k}"] = np.where(numbers[:, k] > 0, "yes", "no")
    offered = offered_by(frame)
    design, keys, source = whole(offered), offered.keys, offered.source
    assert design.is_number.sum() == n_columns - 20
    rows = np.sort(rng.choice(300, 250, replace=False))  # x9 does not vary there
    chosen = predictors_for(offered, [3, 4], codes[rows], rows)
    X = design.X[rows] - design.X[rows].mean(axis=0)
    offered = (X.std(axis=0) > 1e-6) & ~np.isin(source, [3, 4])
    strength = np.where(offered, LevelSums(X, codes[rows], 5).between_level_f(), -1.0)
    strongest = np.sort(np.argsort(-strength, kind="stable")[:40])
    inflation = variance_inflation(X[:, strongest], codes[rows], 5, keys[:, rows])
    within = 250 / inflation - 5
    p_values = stats.f.sf(strength[strongest] * within / 245, 4, within)
    expected = strongest[p_values <= 3 * 3e-5]
    assert 0 < len(expected) < 40
    assert chosen.names == tuple(design.names[k] for k in expected)
    assert offered.sum() == n_columns - 3
    assert chosen.p_value == pytest.approx(p_values.min() * (n_columns - 3))
    np.testing.assert_allclose(chosen.X, X[:, expected], atol=1e-12)


@pytest.mark.parametrize("n_rows", [1, 63, 64, 200])
def test_counts_of_indicators_are_those_of_their_cells(n_rows: int) -> None:
    rng = np.random.default_rng(n_rows)
    holds, groups = rng.random((n_rows, 7)) < 0.3, rng.random((3, n_rows)) < 0.5
    indicators = Indicators(holds.T)
    np.testing.assert_array_equal(indicators.counts(groups), groups.astype(float) @ holds)


@pytest.mark.parametrize("n_rows", [1, 63, 64, 200])
def test_values_of_indicators_are_centred_and_scaled(n_rows: int) -> None:
    rng = np.random.default_rng(n_rows)
    holds = rng.random((n_rows, 7)) < 0.3
    share = holds.mean(axis=0)
    expected = (holds - share) / np.maximum(holds.std(axis=0), 0.2)
    indicators, rows = Indicators(holds.T), rng.permutation(n_rows)[: 1 + n_rows // 2]
    for k in range(7):
        np.testing.assert_allclose(indicators.values(k, rows), expected[rows, k], atol=1e-14)


@pytest.mark.parametrize(
    ("n_levels", "expected"), [(2, 40), (6, 40), (8, 30), (12, 20), (16, 15), (60, 15)]
)
def test_many_levels_leave_fewer_predictors(n_levels: int, expected: int) -> None:
    """At most 240 weights in the multi-class model, yet never fewer than 15 predictors."""
    offered = offered_by(pd.DataFrame(RNG.normal(size=(N, 50))))
    rows = np.arange(N)
    chosen = predictors_for(offered, [], rows % n_levels, rows)
    assert chosen.X.shape == (N, expected)


def test_predictors_that_all_fit_were_not_selected() -> None:
    offered = offered_by(pd.DataFrame(RNG.normal(size=(N, 40))))
    chosen = predictors_for(offered, [], np.arange(N) % 3, np.arange(N))
    assert chosen.X.shape == (N, 40)


def test_a_level_of_two_rows_gets_an_indicator_and_one_of_a_single_row_does_not() -> None:
    values = ["a"] * 10 + ["b"] * 10 + ["c"] * 2 + ["d"]
    assert set(lone(values).names) == {"c = a", "c = b", "c = c"}
