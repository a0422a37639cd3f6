"""Two reports compared: what is called a change, and in which words."""

import json
from dataclasses import replace
from decimal import Decimal

import numpy as np
import pandas as pd
import pytest

import autotype
from autotype.errors import UnknownColumnError
from autotype.type_report import TypeReport
from autotype.types.column_type import ColumnType
from autotype.types.drift.compare import compare_types


def scale(counts, *, name="mood", known=True, order=None, off_scale=()):
    order = tuple(counts) if order is None else order
    return ColumnType(
        name,
        "ordinal",
        0.9,
        order=tuple(level for level in order if level not in off_scale),
        direction_known=known,
        levels=counts,
        off_scale=off_scale,
    )


def kinds(counts, *, name="town", semantic_type="categorical"):
    return ColumnType(name, semantic_type, 0.1, levels=counts)


def compare(before, after, **options):
    return TypeReport([before]).compare(TypeReport([after]), **options).columns[0]


def test_nothing_changed():
    report = TypeReport([scale({"a": 5, "b": 6, "c": 7}), ColumnType("x", "continuous")])
    comparison = report.compare(report)
    assert not comparison
    assert str(comparison) == "nothing changed in 2 columns"
    assert comparison["x"].explain() == "'x' is as before."
    assert (comparison["mood"].p_value, comparison["mood"].distance) == (1.0, 0.0)


def test_columns_come_and_go():
    before = TypeReport(
        [ColumnType("a", "text"), ColumnType("b", "count"), ColumnType("a", "text")]
    )
    after = TypeReport(
        [ColumnType("b", "count"), ColumnType("a", "text"), ColumnType("c", "binary")]
    )
    comparison = before.compare(after)
    assert comparison
    assert [column.name for column in comparison.columns] == ["a", "b", "a", "c"]
    assert [column.changes for column in comparison.columns] == [(), (), ("missing",), ("new",)]
    assert list(comparison) == ["a", "b", "c"]
    assert len(comparison) == 3
    assert comparison["c"].explain() == "'c': It is new (binary)."
    assert comparison.columns[2].explain() == "'a': It is missing (it was text)."
    assert repr(comparison).startswith("2 of 4 columns changed:\n- 'a': It is missing")
    with pytest.raises(UnknownColumnError, match="neither report holds a column 'z'"):
        comparison["z"]


def test_a_name_that_is_a_missing_value():
    before, after = (TypeReport([ColumnType(float("nan"), "text")]) for _ in range(2))
    assert [column.changes for column in before.compare(after).columns] == [()]


def test_types_levels_and_orders():
    column = compare(kinds({"a": 5, "b": 5}), kinds({"a": 5, "b": 5}, semantic_type="undetermined"))
    assert column.explain() == "'town': It was categorical and is undetermined."
    column = compare(scale({"a": 5, "b": 6, "c": 7}), scale({"b": 6, "a": 5, "c": 7}))
    assert column.changes == ("order",)
    assert "Its order was a < b < c and is b < a < c." in column.explain()
    column = compare(kinds({"a": 9, "b": 9}), kinds({"a": 9, "c": 9, "d": 0}))
    assert (column.levels_new, column.levels_gone) == (("c",), ("b",))
    assert "Level 'c' is new, level 'b' is gone." in column.explain()
    column = compare(kinds(dict.fromkeys(range(9), 9)), kinds({8: 9}))
    assert "Levels '0', '1', '2', '3', '4' and 3 more are gone." in column.explain()


def test_an_order_that_may_be_reversed():
    before, after = {"a": 5, "b": 6, "c": 7}, {"c": 7, "b": 6, "a": 5}
    assert compare(scale(before), scale(after)).changes == ("order",)
    assert compare(scale(before), scale(after, known=False)).changes == ()
    column = compare(scale(before, known=False), scale({"c": 70, "b": 6, "a": 5}))
    assert column.shift > 0.3  # along the order before


def test_shares_of_a_scale():
    column = compare(scale({"a": 60, "b": 50, "c": 40}), scale({"a": 10, "b": 50, "c": 90}))
    assert column.changes == ("shares",)
    assert 0.4 < column.shift < 0.5
    assert column.distance == pytest.approx(1 / 3)
    assert "33% of the rows would have to move back (p < 0.0001), and it moved up" in (
        column.explain()
    )
    spread = compare(scale({"a": 10, "b": 80, "c": 10}), scale({"a": 45, "b": 10, "c": 45}))
    assert spread.changes == ("shares",)
    assert spread.shift == pytest.approx(0)


def test_a_shift_is_surer_than_shares_alone():
    before, after = dict.fromkeys(range(10), 20), {j: 13 + 2 * j for j in range(10)}
    as_scale = compare(scale(before), scale(after))
    as_kinds = compare(kinds(before), kinds(after))
    assert as_scale.p_value < as_kinds.p_value


def test_shares_of_kinds_and_small_counts():
    column = compare(kinds({"a": 500, "b": 500}), kinds({"a": 700, "b": 300}))
    assert column.changes == ("shares",)
    assert np.isnan(column.shift)
    assert column.explain().endswith("have to move back (p < 0.0001).")
    assert compare(kinds({"a": 5, "b": 1}), kinds({"a": 1, "b": 4})).changes == ()
    sure_but_small = compare(kinds({"a": 10**7, "b": 10**7}), kinds({"a": 10**7, "b": 1.02e7}))
    assert sure_but_small.p_adjusted < 1e-4
    assert sure_but_small.changes == ()
    assert compare(
        kinds({"a": 10**7, "b": 10**7}), kinds({"a": 10**7, "b": 1.02e7}), min_distance=0
    ).changes == ("shares",)


def test_many_columns_are_corrected_for():
    random = np.random.default_rng(0)
    reports = []
    for _ in range(2):
        frame = pd.DataFrame(random.integers(0, 4, size=(200, 60))).astype(str)
        columns = [kinds(frame[j].value_counts().to_dict(), name=j) for j in frame]
        reports.append(TypeReport(columns))
    comparison = compare_types(*reports, alpha=0.05, min_distance=0)
    assert comparison.to_frame()["p_value"].min() < 0.05
    assert not comparison


def test_levels_off_the_scale_and_fresh_ones_keep_their_place():
    before = scale({"?": 50, "a": 60, "c": 40}, off_scale=("?",))
    after = scale({"?": 10, "a": 60, "b": 0, "c": 40}, off_scale=("?",))
    column = compare(before, after)
    assert column.shift == pytest.approx(0)
    assert column.distance > 0.2
    grown = compare(scale({"b": 50, "d": 50}), scale({"a": 1, "b": 50, "c": 1, "d": 50, "e": 1}))
    assert grown.changes == ("levels",)
    assert grown.levels_new == ("a", "c", "e")


def test_reports_without_counts():
    before = TypeReport([kinds({"a": 0, "b": 0})])
    comparison = before.compare(TypeReport([kinds({"a": 5, "c": 5})]))
    assert comparison["town"].levels_new == ("c",)
    assert np.isnan(comparison["town"].p_value)
    assert not before.compare(TypeReport([ColumnType("town", "categorical")]))


def test_frame():
    before = TypeReport([scale({"a": 60, "b": 40}), ColumnType("x", "count")])
    after = TypeReport([scale({"a": 10, "b": 90}), ColumnType("y", "count")])
    frame = before.compare(after).to_frame()
    assert frame.index.tolist() == ["mood", "x", "y"]
    assert frame["changes"].tolist() == [("shares",), ("missing",), ("new",)]
    assert frame["type_after"].tolist() == ["ordinal", None, "count"]
    assert frame["order_before"].tolist() == [("a", "b"), None, None]
    assert frame["distance"].notna().tolist() == [True, False, False]
    assert TypeReport([]).compare(TypeReport([])).to_frame().empty


def test_two_halves_of_one_frame_and_a_shifted_one():
    random = np.random.default_rng(3)
    mood = random.choice(["low", "mid", "high"], 600, p=[0.2, 0.5, 0.3])
    frame = pd.DataFrame({"mood": mood, "town": random.choice(["Ulm", "Rom", "Bern"], 600)})
    known = {"town": "categorical"}
    first = autotype.infer_types(frame[:300], known=known)
    assert not first.compare(autotype.infer_types(frame[300:], known=known))
    shifted = frame[300:].assign(mood=lambda f: f["mood"].replace("low", "high"))
    assert first.compare(autotype.infer_types(shifted, known=known))["mood"].changes[-1] == "shares"


def test_misuse():
    report = TypeReport([])
    with pytest.raises(ValueError, match="alpha must be between 0 and 1, got 5"):
        report.compare(report, alpha=5)
    with pytest.raises(ValueError, match="min_distance must be from 0 to 1, got -1"):
        report.compare(report, min_distance=-1)


def test_json_holds_the_numbers_of_every_column(tmp_path):
    before = TypeReport([scale({"a": 90, "b": 10}), ColumnType(("x", 1), "continuous")], n_rows=100)
    after = TypeReport([scale({"a": 10, "c": 90}), ColumnType(("x", 1), "continuous")], n_rows=100)
    text = before.compare(after).to_json(tmp_path / "drift.json")
    assert json.loads((tmp_path / "drift.json").read_text()) == json.loads(text)
    comparison = json.loads(text)
    assert comparison["changed"] is True
    mood, x = comparison["columns"]
    assert mood["changes"] == ["levels", "shares"]
    assert (mood["levels_new"], mood["levels_gone"]) == (["c"], ["b"])
    assert mood["distance"] == pytest.approx(0.9)
    assert mood["levels"] == [
        {"level": "a", "before": 90, "after": 10},
        {"level": "b", "before": 10, "after": 0},
        {"level": "c", "before": 0, "after": 90},
    ]
    assert mood["explanation"].startswith("'mood': Level 'c' is new, level 'b' is gone.")
    assert (x["name"], x["changes"], x["p_value"], x["levels"]) == (["x", 1], [], None, [])


def test_page_shows_the_changes_and_escapes_them(tmp_path):
    before = TypeReport([scale({"<i>": 90, "b": 10}), kinds({"Ulm": 5})])
    after = TypeReport([scale({"<i>": 10, "b": 90}), kinds({"Ulm": 5})])
    page = before.compare(after).to_html(tmp_path / "drift.html", before="<1>", after="day2.csv")
    assert (tmp_path / "drift.html").read_text() == page + "\n"
    assert "day2.csv compared with &lt;1&gt;" in page
    assert "<b>&lt;i&gt;</b> 90.0% before, 10.0% after" in page
    assert "1 column changed" in page
    assert "town" not in page
    same = before.compare(before).to_html()
    assert "Types, orders, levels and shares are as before." in same


def test_levels_that_cannot_be_compared_with_each_other() -> None:
    """NumPy raises TypeError for a duration == a Decimal."""
    one, other = np.timedelta64(1, "D"), Decimal(3)
    before = ColumnType("c", "ordinal", levels={one: 5, other: 5}, order=(one, other))
    after = replace(before, levels={other: 5, one: 5}, order=(other, one))
    (compared,) = compare_types(TypeReport([before]), TypeReport([after])).columns
    assert compared.changes == ()  # the same order, reversed
    assert compared.p_value == pytest.approx(1.0)


@pytest.mark.parametrize("place", range(3))
@pytest.mark.parametrize("is_reversed", [False, True])
def test_a_fresh_level_has_its_place_among_the_others(place, is_reversed) -> None:
    old = {"b": 50, "c": 30}
    order = ["b", "c"]
    order.insert(place, "fresh")
    counts = dict.fromkeys(order, 40)
    after = scale(counts, known=False, order=tuple(order[::-1] if is_reversed else order))
    whole = scale({level: old.get(level, 0) for level in order})
    expected = compare(whole, scale(counts))
    found = compare(scale(old, known=False), after)
    assert found.p_value == pytest.approx(expected.p_value)
    assert found.shift == pytest.approx(expected.shift)


def test_equal_shares_of_many_rows_have_a_p_value_of_one() -> None:
    found = compare(scale({"a": 5000, "b": 7000}), scale({"a": 10_000, "b": 14_000}))
    assert found.p_value == 1.0
    assert found.shift == pytest.approx(0.0)
