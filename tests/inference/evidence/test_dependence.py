"""Rows that are repeated, measured repeatedly or drift say as much as fewer independent ones."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pandas as pd
import pytest

import autotype
from autotype.inference.evidence.dependence import grouping_keys, variance_inflation
from autotype.inference.profile.triage import triage
from autotype.inference.sampling.sample import sample_frame

N = 600
NO_CODES = np.full(N, -1)
NO_KEYS = np.array([NO_CODES, NO_CODES])


def keys_of(frame: pd.DataFrame) -> np.ndarray:
    columns = sample_frame(frame, max_levels=20, seed=0).columns
    for column in columns:
        triage(column, max_levels=20)
    return grouping_keys(columns)


def test_independent_rows_count_as_they_are() -> None:
    rng = np.random.default_rng(0)
    X, codes = rng.normal(size=(N, 5)), rng.integers(0, 4, N)
    keys = keys_of(pd.DataFrame(X.round(1)).assign(y=codes))
    assert len(keys) > 1
    np.testing.assert_allclose(variance_inflation(X, codes, 4, keys), 1.0, atol=0.2)


@pytest.mark.parametrize("times", [3, 10])
def test_rows_in_a_row_count_once(times: int) -> None:
    rng = np.random.default_rng(1)
    X = rng.normal(size=(N // times, 3)).repeat(times, axis=0)
    codes = rng.integers(0, 4, N // times).repeat(times)
    found = variance_inflation(X, codes, 4, NO_KEYS)
    np.testing.assert_allclose(found, times * 2 / 3, rtol=0.35)  # of a triangle, squared


@pytest.mark.parametrize("times", [4, 12])
def test_equal_rows_in_any_order_count_once(times: int) -> None:
    rng = np.random.default_rng(2)
    rows = rng.permutation(np.repeat(np.arange(N // times), times))
    codes = rng.integers(0, 3, (N // times, 10))[rows]
    keys = keys_of(pd.DataFrame(codes).astype(str).add("z"))
    found = variance_inflation(codes[:, 1:].astype(float), codes[:, 0], 3, keys)
    np.testing.assert_allclose(found, times, rtol=0.2)


def test_few_columns_of_few_levels_are_equal_by_chance() -> None:
    rng = np.random.default_rng(3)
    frame = pd.DataFrame(rng.integers(0, 3, (N, 4))).astype(str)
    assert (keys_of(frame)[0] == -1).all()


def test_a_measurement_on_which_a_column_depends_is_no_key() -> None:
    rng = np.random.default_rng(4)
    age = rng.integers(20, 80, N)
    codes = np.digitize(age + rng.normal(0, 5, N), [35, 50, 65])
    found = variance_inflation(
        (age - 50.0)[:, None], codes, 4, np.array([NO_CODES, NO_CODES, age - 20])
    )
    assert found[0] < 2


def test_rows_sorted_by_the_levels_or_in_turn_are_not_dependent() -> None:
    rng = np.random.default_rng(5)
    for codes in (np.arange(N) * 4 // N, np.arange(N) % 4):
        X = codes[:, None] + rng.normal(size=(N, 2))
        np.testing.assert_allclose(variance_inflation(X, codes, 4, NO_KEYS), 1.0, atol=0.2)


def test_rows_sorted_by_another_column_are_not_dependent() -> None:
    rng = np.random.default_rng(6)
    for name, values in {
        "town": np.array(["a", "b", "c"])[np.arange(N) * 3 // N],
        "price": np.sort(rng.gamma(2.0, 40.0, N)),
    }.items():
        x = pd.factorize(values)[0] / 100 + rng.normal(size=N)
        codes = (x + rng.normal(size=N) > x.mean()).astype(int)
        frame = pd.DataFrame({name: values, "x": x, "y": np.array(["no", "yes"])[codes]})
        keys, shuffled = keys_of(frame), rng.permutation(N)
        assert keys[1].max() > 1
        found = variance_inflation(x[:, None], codes, 2, keys)
        as_drawn = keys_of(frame.loc[shuffled])
        expected = variance_inflation(x[shuffled, None], codes[shuffled], 2, as_drawn)
        np.testing.assert_allclose(found, expected, atol=0.01)


def test_rows_of_a_design_are_sorted_by_one_factor_within_the_other() -> None:
    rng = np.random.default_rng(8)
    farm, feed, dose = (codes.ravel() for codes in np.indices((2, 3, 4)).repeat(40, axis=-1))
    frame = pd.DataFrame({"feed": feed, "farm": farm, "dose": dose}).astype(str)
    keys = keys_of(frame)
    assert keys[1].max() == 23
    gain = (farm + feed + rng.normal(size=960))[:, None]
    np.testing.assert_array_equal(variance_inflation(gain, feed, 3, keys), 1.0)


@pytest.mark.parametrize("n_rows", [2, 5, 29])
def test_few_rows(n_rows: int) -> None:
    X, codes = np.arange(n_rows * 1.0)[:, None], np.arange(n_rows) % 2
    found = variance_inflation(X, codes, 2, np.full((2, n_rows), -1))
    assert np.isfinite(found).all()


def test_rows_sorted_by_time_may_be_dependent() -> None:
    rng = np.random.default_rng(7)
    for time in (np.arange(N), pd.date_range("2020-01-01", periods=N), np.arange(N) // 12 + 1990):
        frame = pd.DataFrame({"t": time, "x": walking(rng)[:, 0]})
        assert (keys_of(frame)[1] == -1).all()


def in_blocks(rng: np.random.Generator) -> np.ndarray:
    return rng.normal(size=(N // 10, 6)).repeat(10, axis=0)


def in_any_order(rng: np.random.Generator) -> np.ndarray:
    return rng.permutation(in_blocks(rng))


def walking(rng: np.random.Generator) -> np.ndarray:
    return rng.normal(size=(N, 6)).cumsum(axis=0)


@pytest.mark.parametrize("draw", [in_blocks, in_any_order, walking])
def test_noise_of_dependent_rows_is_undetermined(draw: Callable) -> None:
    for seed in range(4):
        rng = np.random.default_rng(seed)
        values = draw(rng)
        frame = pd.DataFrame(values).add_prefix("x")
        frame["y"] = np.array(["q17z", "q05z", "q62z", "q41z"])[
            np.digitize(values[:, 0], np.quantile(values[:, 0], [0.2, 0.5, 0.7]))
        ]
        found = autotype.infer_types(frame.drop(columns="x0"), "y")["y"]
        assert found.semantic_type == "undetermined", found.explain()
        assert "depend on each other" in found.explain()


def test_columns_of_noise_change_no_verdict() -> None:
    for seed in range(6):
        rng = np.random.default_rng(seed)
        rank = rng.integers(0, 4, 200)
        words = np.array(["zib", "wol", "kam", "tup"])
        frame = pd.DataFrame({"x": rank * seed / 5 + rng.normal(size=200), "y": words[rank]})
        noise = {f"noise {k}": rng.normal(size=200) for k in range(20)}
        before, after = (autotype.infer_types(f, "y")["y"] for f in (frame, frame.assign(**noise)))
        assert before.semantic_type == after.semantic_type
        assert after.probability == pytest.approx(before.probability)
