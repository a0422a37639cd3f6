from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import autotype
from autotype.inference.evidence.between_scatter import LevelSums
from autotype.inference.evidence.order_search import search_order, tied_levels
from autotype.inference.labels.rules import read_labels
from autotype.inference.verdict.order_choice import weigh_places


def graded(levels: list[str], *, n: int = 600, seed: int = 0) -> tuple[pd.DataFrame, np.ndarray]:
    """Three measurements that rise along the levels, and the rank of each row."""
    rng = np.random.default_rng(seed)
    rank = rng.integers(0, len(levels), n)
    frame = pd.DataFrame({f"x{k}": rank + 0.5 * rng.normal(size=n) for k in range(3)})
    frame["answer"] = np.array(levels)[rank]
    return frame, rank


def test_an_unplaced_level_on_the_line_is_placed_by_the_data() -> None:
    frame, _ = graded(["low", "zorp", "medium", "high"])
    found = autotype.infer_types(frame)["answer"]
    assert found.order == ("low", "zorp", "medium", "high")
    assert found.off_scale == ()
    assert "Placed by the other columns: 'zorp'." in found.reasons


def test_the_gap_of_a_scale_places_a_level_that_data_leave_open() -> None:
    levels = ("very dissatisfied", "dissatisfied", "zorp", "satisfied", "very satisfied")
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"x": rng.normal(size=200), "answer": rng.choice(levels, 200)})
    found = autotype.infer_types(frame)["answer"]
    assert found.order == levels
    assert "Placed where the other levels leave a gap: 'zorp'." in found.reasons
    # Along the line the level is the highest: such data outweigh the gap.
    moved, _ = graded([*levels[:2], *levels[3:], "zorp"])
    assert autotype.infer_types(moved)["answer"].best_order == (*levels[:2], *levels[3:], "zorp")


def test_an_unplaced_level_off_the_line_is_set_aside() -> None:
    frame, _ = graded(["low", "medium", "high", "very high"])
    rng = np.random.default_rng(1)
    aside = rng.random(len(frame)) < 0.1
    frame.loc[aside, "answer"] = "zorp"
    frame["other"] = np.where(aside, 3.0, 0.0) + rng.normal(size=len(frame))
    found = autotype.infer_types(frame)["answer"]
    assert found.order == ("low", "medium", "high", "very high")
    assert found.off_scale == ("zorp",)
    assert set(found.levels) == {*found.order, "zorp"}
    assert any("no place on it fits" in reason for reason in found.reasons)
    for order, _ in found.alternatives:
        assert set(order) == set(found.order)
    typed = frame.ordinal.apply_types(autotype.infer_types(frame))
    assert typed["answer"].cat.categories.tolist() == ["zorp", *found.order]


def test_levels_that_the_data_leave_open_are_ties() -> None:
    frame, _ = graded(["qa", "qb", "qc", "qd"], n=300)
    halved = frame["answer"].eq("qb") & (np.arange(len(frame)) % 2 == 0)
    frame.loc[halved, "answer"] = "qe"  # as if drawn from the same level
    found = autotype.infer_types(frame)["answer"]
    assert [set(tie) for tie in found.ties] == [{"qb", "qe"}]
    start = found.best_order.index(found.ties[0][0])
    assert found.best_order[start : start + 2] == found.ties[0]
    assert any("do not show which of these is higher" in reason for reason in found.reasons)
    assert found.order_probability < 0.9


def test_an_order_that_the_labels_give_has_no_ties() -> None:
    frame, _ = graded(["low", "medium", "high"])
    frame["x0"] = frame["x1"] = frame["x2"] = 0.0
    assert autotype.infer_types(frame)["answer"].ties == ()


def test_clear_levels_are_not_tied() -> None:
    rng = np.random.default_rng(0)
    codes = rng.integers(0, 5, 500)
    X = codes[:, None] + 0.3 * rng.normal(size=(500, 2))
    _, ties = search_order(LevelSums(X - X.mean(axis=0), codes, 5).scatter())
    assert ties == ()


@pytest.mark.parametrize("turned", [False, True])
def test_ties_add_the_weights_of_orders_turned_the_same_way(turned: bool) -> None:
    orders = np.array([[0, 1, 2, 3], [0, 1, 3, 2], [3, 2, 0, 1]])
    if turned:
        orders[1:] = orders[1:, ::-1]
    # 2 < 3 has the weight 0.5 + 0.2, 0 < 1 only 0.5 + 0.3.
    assert tied_levels(orders, np.array([0.5, 0.3, 0.2])) == ()
    assert tied_levels(orders, np.array([0.45, 0.35, 0.2])) == ((2, 3),)


WORDS = np.array(["zib", "wol", "kam", "tup", "ran"], dtype=object)


def battery(n_rows: int = 400, names=("q1", "q2", "q3", "q4")) -> pd.DataFrame:
    rng = np.random.default_rng(1)
    latent = rng.normal(size=n_rows)
    frame = pd.DataFrame({"x": latent + 0.3 * rng.normal(size=n_rows)})
    for name in names:
        noisy = latent + 0.6 * rng.normal(size=n_rows)
        frame[name] = WORDS[np.digitize(noisy, [-1.2, -0.4, 0.4, 1.2])]
    return frame


def test_a_battery_has_one_probability_and_one_order():
    types = autotype.infer_types(battery())
    columns = [types[name] for name in ("q1", "q2", "q3", "q4")]
    assert len({column.probability for column in columns}) == 1
    assert {column.best_order for column in columns} <= {tuple(WORDS), tuple(WORDS[::-1])}


def test_columns_of_one_set_of_words_are_a_battery_whatever_their_names():
    types = autotype.infer_types(battery(names=("mood", "taste", "pace")))
    assert len({types[name].probability for name in ("mood", "taste", "pace")}) == 1


def test_numbers_under_unlike_names_are_no_battery():
    frame = battery(names=("mood", "taste", "pace"))
    code = {word: k for k, word in enumerate(WORDS)}
    types = autotype.infer_types(frame.assign(**{c: frame[c].map(code) for c in frame.columns[1:]}))
    assert len({types[name].probability for name in ("mood", "taste", "pace")}) == 3


def test_the_order_of_a_battery_is_named_and_probable() -> None:
    types = autotype.infer_types(battery())
    column = types["q1"]
    assert column.evidence["order_source"] == "battery"
    assert column.order_probability > 0.5


def test_two_levels_that_the_labels_place_keep_their_order_around_the_data() -> None:
    """Two levels are the fewest that make an order of labels; the data place the third."""
    frame, _ = graded(["low", "zorp", "high"])
    found = autotype.infer_types(frame)["answer"]
    assert found.best_order == ("low", "zorp", "high")
    assert found.evidence["order_source"] == "labels"


@pytest.mark.parametrize("seed", range(8))
def test_ties_do_not_depend_on_the_direction_of_the_orders(seed: int) -> None:
    rng = np.random.default_rng(seed)
    orders = np.tile(rng.permutation(5), (6, 1))
    for order, at in zip(orders[1:], rng.integers(0, 4, 5), strict=True):
        order[[at, at + 1]] = order[[at + 1, at]]  # neighbours exchanged, so it runs along
    weights = np.sort(rng.dirichlet(np.ones(6)))[::-1]  # the best order is the first
    turned = orders.copy()
    turned[1::2] = turned[1::2, ::-1]
    assert tied_levels(orders, weights) == tied_levels(turned, weights)


def test_no_order_has_no_direction() -> None:
    found = autotype.infer_types(pd.DataFrame({"c": ["zib", "wol", "kam"] * 10}))["c"]
    assert (found.best_order, found.direction_known) == (None, False)


def test_codes_that_count_up_keep_their_order_against_the_data() -> None:
    rng = np.random.default_rng(3)
    latent = rng.standard_normal(300)
    rank = np.digitize(latent + rng.standard_normal(300), [-0.9, 0, 0.9])
    by_data = np.array([0, 2, 1, 3])  # as another question might order them
    for codes, counted in ((["A1", "A2", "A3", "A4"], True), (["A7", "A2", "A31", "A9"], False)):
        frame = pd.DataFrame({"x": latent, "q": np.array(codes)[by_data[rank]]})
        found = autotype.infer_types(frame)["q"]
        order = found.best_order or ()
        assert (order in (tuple(codes), tuple(codes)[::-1])) == counted


def test_numbers_of_levels_give_the_order_where_no_data_show_one() -> None:
    rng = np.random.default_rng(3)
    levels = ["X1", "X2", "X3", "X4"]
    frame = pd.DataFrame({"code": rng.permutation(levels * 40), "noise": rng.normal(size=160)})
    assert autotype.infer_types(frame)["code"].best_order == tuple(levels)


@pytest.mark.parametrize(
    ("levels", "name"),
    [
        (["very unhappy", "unhappy", "zorp", "happy", "very happy"], "mood"),  # the middle
        (["never", "zorp", "sometimes", "often", "always"], "how often"),  # the mirror of "often"
        (["nie", "selten", "zorp", "häufig", "immer"], "wie oft"),
        (["low", "zorp", "high"], "level"),
        (["18-24", "25-34", "zorp", "45-54", "55-64"], "age"),  # where numbers are left out
    ],
)
def test_the_gap_of_a_scale_is_the_likeliest_place(levels, name):
    found = read_labels(levels, name)
    assert found.unplaced == ("zorp",)
    weights = weigh_places(found)
    assert weights.index(max(weights)) == levels.index("zorp")
    assert sum(weights) == pytest.approx(1.0)


def test_there_are_places_of_one_level_alone():
    assert len(read_labels(["low", "medium", "high", "zorp"]).gaps) == 4
    assert read_labels(["low", "medium", "high"]).gaps == ()
    assert read_labels(["1", "2", "3"]).gaps == ()
    weights = weigh_places(read_labels(["low", "Low", "medium", "high", "zorp"]))
    assert len(weights) == 5
    assert weights[1] == 0.0  # none between two spellings
    assert sum(weights) == pytest.approx(1.0)


@pytest.mark.parametrize("seed", range(4))
def test_an_unplaced_level_that_numpy_compares_cell_by_cell(seed: int) -> None:
    rng = np.random.default_rng(seed)
    levels = ["1", np.int8(3), range(3)]
    answer = pd.Series([levels[k] for k in rng.integers(0, 3, 60)], dtype=object)
    frame = pd.DataFrame({"x": rng.normal(size=60), "answer": answer})
    assert set(autotype.infer_types(frame)["answer"].levels) == set(levels)
