from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
import scores
from sklearn.metrics import roc_auc_score


def answers(truth, said, probability, **columns) -> pd.DataFrame:
    n = len(truth)
    table = {
        "frame": [f"f{k}" for k in range(n)],
        "family": [f"f{k}" for k in range(n)],
        "truth": truth,
        "said": said,
        "probability": probability,
        "tau": [1.0 if t == "ordinal" else np.nan for t in truth],
        "coding": ["text"] * n,
        "arguable": [""] * n,
        "fitted": ["yes"] * n,
        "scale": [str(k) for k in range(n)],
    }
    return pd.DataFrame(table | columns)


def drawn(n: int = 60, *, n_families: int = 20) -> pd.DataFrame:
    rng = np.random.default_rng(0)
    p = rng.random(n)
    said = np.where(p > 2 / 3, "ordinal", np.where(p < 1 / 3, "categorical", "undetermined"))
    truth = np.where(rng.random(n) < p, "ordinal", "categorical")
    tau = np.where(truth == "ordinal", rng.choice([1.0, 0.4], n), np.nan)
    return answers(truth, said, p, tau=tau, family=rng.integers(n_families, size=n).astype(str))


def test_right_answers() -> None:
    found = scores.measures(answers(["ordinal", "categorical"], ["ordinal", "categorical"], [1, 0]))
    best = dict.fromkeys(scores.MEASURES, 1.0) | {"brier": 0.0, "ece": 0.0, "denied": 0.0}
    assert found == best


def test_an_undecided_column_is_wrong_in_strict_accuracy_only() -> None:
    said = ["undetermined", "categorical", "count", "categorical"]
    truth = ["ordinal", "categorical", "categorical", "ordinal"]
    found = scores.measures(answers(truth, said, [0.5, 0.0, np.nan, 0.2]))
    assert found["coverage"] == 0.5
    assert found["accuracy"] == 0.5
    assert found["strict"] == 0.25
    assert found["denied"] == 0.5
    assert found["brier"] == pytest.approx((0.25 + 0 + 0.25 + 0.64) / 4)


def test_measures_agree_with_their_definitions() -> None:
    table = drawn()
    truth = table["truth"].eq("ordinal")
    found = scores.measures(table)
    assert found["auc"] == pytest.approx(roc_auc_score(truth, table["probability"]))
    assert found["exact_order"] == pytest.approx((table["tau"][truth] == 1).mean())
    error = 0.0
    for k in range(10):
        rows = (table["probability"] >= k / 10) & (table["probability"] < (k + 1) / 10)
        if rows.any():
            error += rows.mean() * abs(table["probability"][rows].mean() - truth[rows].mean())
    assert found["ece"] == pytest.approx(error)


def test_a_weight_is_a_repetition() -> None:
    table = drawn()
    times = np.random.default_rng(1).integers(0, 4, len(table))
    repeated = table.loc[np.repeat(table.index, times)]
    assert scores.measures(table, times) == pytest.approx(scores.measures(repeated))


def test_without_ordinal_columns_their_measures_are_unknown() -> None:
    found = scores.measures(answers(["categorical"], ["categorical"], [0.1]))
    assert all(np.isnan(found[name]) for name in ("auc", "exact_order", "mean_tau", "found"))


@pytest.mark.parametrize(
    ("order", "tau"),
    [
        (("a", "b", "c"), 1.0),
        (("c", "b", "a"), 1.0),
        (("b", "a", "c"), 1 / 3),
        (("x", "a", "b", "c"), 1.0),
        (("a",), 0.0),
        (None, 0.0),
    ],
)
def test_rank_correlation(order, tau) -> None:
    assert scores.rank_correlation(("a", "b", "c"), order) == pytest.approx(tau)


def test_intervals_hold_the_value_and_are_the_same_each_time() -> None:
    table = drawn(200, n_families=60)
    found = scores.intervals(table, n_draws=200)
    value = scores.measures(table)
    for name in ("coverage", "accuracy", "auc", "mean_tau"):
        assert found.low[name] < value[name] < found.high[name]
    pd.testing.assert_frame_equal(found, scores.intervals(table, n_draws=200))


def test_whole_families_are_drawn() -> None:
    one = drawn(n_families=1)
    found = scores.intervals(one, n_draws=20)
    value = scores.measures(one)
    assert found.low["brier"] == pytest.approx(value["brier"])
    assert found.high["brier"] == pytest.approx(value["brier"])


def test_a_scale_of_a_frame_counts_once() -> None:
    table = answers(
        ["ordinal"] * 4,
        ["ordinal", "ordinal", "ordinal", "categorical"],
        [1.0] * 4,
        frame=["a", "a", "a", "b"],
        scale=["1|2"] * 4,
    )
    part, weight = scores.groups(table)["once"]
    assert scores.measures(part, weight)["found"] == pytest.approx(0.5)


def test_groups() -> None:
    table = drawn().assign(
        arguable=["why"] * 10 + [""] * 50, coding=["number"] * 20 + ["text"] * 40
    )
    table.loc[:4, "fitted"] = "no"
    sizes = {name: len(part) for name, (part, _) in scores.groups(table).items()}
    assert sizes == {
        "all": 60,
        "text": 40,
        "number": 20,
        "not arguable": 50,
        "not fitted to": 5,
        "once": 60,
    }


def test_reliability() -> None:
    truth = ["ordinal", "categorical", "ordinal"]
    table = scores.reliability(answers(truth, truth, [0.92, 0.98, 0.3]))
    assert list(table.index) == [3, 9]
    assert table.loc[9].tolist() == pytest.approx([2, 0.95, 0.5])
