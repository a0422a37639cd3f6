"""Corrections of a report: what they state, what they keep, and what they refuse."""

from __future__ import annotations

import datetime
import math

import pandas as pd
import pytest

import autotype
from autotype import ColumnType, TypeReport
from autotype.errors import KnownTypesError, UnknownColumnError, UnreadableTypesError

PLAN = ColumnType(
    "plan",
    "categorical",
    0.1,
    best_order=("Altair", "Lyra", "Vega"),
    levels={"Altair": 4, "Lyra": 5, "Vega": 3, "none": 2},
    n_levels=4,
    n_rows_used=14,
    off_scale=("none",),
    evidence={"label_rule": "none"},
    reasons=("No order.",),
)
STARS = ColumnType("stars", "undetermined", 0.5, levels={1: 4, 2: 5, 3: 5}, n_levels=3)
PRICE = ColumnType("price per unit", "continuous", n_levels=50)


@pytest.fixture
def report() -> TypeReport:
    return TypeReport([PLAN, STARS, PRICE], n_rows=14, sample="All.")


def test_an_order(report) -> None:
    revised = report.revise(plan=["Vega", "Lyra", "Altair", "none"])
    plan = revised["plan"]
    assert plan.semantic_type == "ordinal"
    assert plan.order == plan.best_order == ("Vega", "Lyra", "Altair", "none")
    assert (plan.probability, plan.order_probability, plan.direction_known) == (1.0, 1.0, True)
    assert list(plan.levels.items()) == [("Vega", 3), ("Lyra", 5), ("Altair", 4), ("none", 2)]
    assert (plan.off_scale, plan.provenance, plan.n_rows_used) == ((), "revised", 14)
    assert plan.evidence == PLAN.evidence
    assert plan.reasons == (
        "Stated by the user (revise).",
        "Inferred: categorical (P(ordinal) 0.10).",
    )


def test_the_report_is_not_changed_and_the_rest_is_kept(report) -> None:
    revised = report.revise(stars="categorical")
    assert report["stars"] is STARS
    assert revised["plan"] is PLAN
    assert (revised.n_rows, revised.sample) == (14, "All.")
    assert list(revised) == list(report)


def test_a_type_keeps_what_was_found_of_the_levels(report) -> None:
    plan = report.revise(plan="categorical")["plan"]
    assert plan.order is None
    assert math.isnan(plan.probability)
    assert (plan.best_order, plan.off_scale) == (PLAN.best_order, PLAN.off_scale)
    assert plan.levels == PLAN.levels


def test_any_column_may_have_another_type(report) -> None:
    assert report.revise({"price per unit": "text"})["price per unit"].semantic_type == "text"


def test_ordinal_alone_takes_the_best_order(report) -> None:
    plan = report.revise(plan="ordinal")["plan"]
    assert plan.order == PLAN.best_order
    assert plan.off_scale == ("none",)


def test_levels_off_the_scale_and_a_note(report) -> None:
    statement = {"order": ["Vega", "Lyra"], "off_scale": ["Altair", "none"], "note": "by price"}
    plan = report.revise({"plan": statement})["plan"]
    assert (plan.order, plan.off_scale) == (("Vega", "Lyra"), ("Altair", "none"))
    assert plan.note == "by price"
    assert plan.explain().endswith("Note: by price")
    assert list(plan.levels) == ["Vega", "Lyra", "Altair", "none"]


def test_off_scale_alone_leaves_the_other_levels_in_their_order(report) -> None:
    plan = report.revise(plan={"off_scale": ["Lyra", "none"]})["plan"]
    assert (plan.semantic_type, plan.order) == ("ordinal", ("Altair", "Vega"))


def test_a_note_alone_changes_nothing_else(report) -> None:
    plan = report.revise(plan={"note": "to be asked"})["plan"]
    assert (plan.note, plan.provenance, plan.semantic_type) == (
        "to be asked",
        "inferred",
        "categorical",
    )


def test_levels_are_matched_by_their_text(report) -> None:
    assert report.revise(stars=["3", "2", "1"])["stars"].order == (3, 2, 1)
    day = datetime.date(2024, 2, 29)
    days = TypeReport([ColumnType("day", "categorical", levels={day: 1, "x": 1}, n_levels=2)])
    assert days.revise(day=["x", "2024-02-29"])["day"].order == ("x", day)


def test_texts_that_two_levels_share_match_neither() -> None:
    mixed = TypeReport([ColumnType("n", "undetermined", levels={1: 1, "1": 1, 2: 1}, n_levels=3)])
    assert mixed.revise(n=[2, "1", 1])["n"].order == (2, "1", 1)


def test_levels_of_the_scale_that_no_row_holds(report) -> None:
    stars = report.revise(stars=[1, 2, 3, 4, 5])["stars"]
    assert stars.order == (1, 2, 3, 4, 5)
    assert (stars.levels[5], stars.n_levels) == (0, 3)


def test_later_statements_win_and_the_verdict_is_remembered(report) -> None:
    revised = report.revise({"plan": "text"}, plan="binary").revise(plan="ordinal")
    assert revised["plan"].semantic_type == "ordinal"
    assert revised["plan"].reasons[1:] == ("Inferred: categorical (P(ordinal) 0.10).",)
    assert len(revised["plan"].reasons) == 2


def test_all_columns_of_a_repeated_name(report) -> None:
    twice = TypeReport([PLAN, PLAN]).revise(plan="text")
    assert [column.semantic_type for column in twice.columns] == ["text", "text"]


@pytest.mark.parametrize("name", ["known.toml", "known.json"])
def test_a_file(report, tmp_path, name) -> None:
    revised = report.revise(plan=["Vega", "Lyra", "Altair", "none"], stars="text")
    revised.to_known(tmp_path / name)
    assert report.revise(tmp_path / name) == revised
    assert report.revise(str(tmp_path / name)) == revised


def test_an_earlier_verdict_stays_one(report) -> None:
    plan = report.revise(plan={"type": "categorical", "probability": 0.05})["plan"]
    assert (plan.provenance, plan.probability) == ("kept", 0.05)
    assert plan.reason == "Inferred earlier, and kept (revise)."


def test_json_keeps_provenance_and_note(report) -> None:
    revised = report.revise(plan={"type": "ordinal", "note": "ä\ud800"}, stars="text")
    again = TypeReport.from_json(revised.to_json())
    assert (again["stars"].provenance, again["price per unit"].provenance) == (
        "revised",
        "inferred",
    )
    assert again["plan"].note == "ä\\ud800"
    assert list(revised.to_frame()["provenance"]) == ["revised", "revised", "inferred"]


def test_json_of_earlier_versions_has_neither(report) -> None:
    plain = report.to_dict()
    for column in plain["columns"]:
        del column["provenance"], column["note"]
    from autotype.types.codec.report_json import types_from_dict

    assert list(types_from_dict(plain).columns) == list(report.columns)


@pytest.mark.parametrize(
    ("decisions", "message"),
    [
        ({"plan": "nominal"}, "the revision of 'plan' is 'nominal', not one of ordinal, categor"),
        ({"plan": ["Vega", "Lyra"]}, "'plan' leaves out 'Altair', 'none'; name every level"),
        (
            {"plan": ["Vega", "Lyra", "Altar", "none"]},
            r"leaves out 'Altair'; it names 'Altar', which the column does not hold; "
            r"did you mean 'Altair'\?; name every level",
        ),
        ({"plan": ["Vega", "Lyra", "Altair", "none", "Vega"]}, "names level 'Vega' twice"),
        ({"stars": ["1", 1, 2, 3]}, "the order in the revision of 'stars' names level 1 twice"),
        (
            {"stars": {"order": [1, 2, 3], "off_scale": ["3"]}},
            "'stars' names level 3 on the scale and off it",
        ),
        ({"stars": {"off_scale": [1, "1"], "order": [2, 3]}}, "off_scale .* level 1 twice"),
        ({"stars": "ordinal"}, "ordinal without an order, and the report has none"),
        ({"price per unit": [1, 2]}, "does not list its 50 levels; state the order in known="),
        ({"plan": {"ordr": ["Vega"]}}, "has the key 'ordr', not one of .*did you mean 'order'"),
        ({"plan": {"type": "text", "order": ["Vega"]}}, "is 'text' with an order"),
        ({"plan": {"order": "Vega"}}, "the order in .* is 'Vega', not a list of levels"),
        ({"plan": {}}, "states nothing; give a type, an order, or a note"),
        ({"plan": {"note": 3}}, "has 3 where a string is expected"),
        ({"plan": {"type": "text", "direction_known": 1}}, "1 where true or false is expected"),
        ({"plan": {"type": "text", "probability": 2}}, "has 2 where a probability is expected"),
    ],
)
def test_corrections_that_do_not_fit(report, decisions, message) -> None:
    with pytest.raises(KnownTypesError, match=message):
        report.revise(decisions)


def test_unknown_columns(report) -> None:
    with pytest.raises(UnknownColumnError, match=r"no column 'plans'; did you mean 'plan'\?"):
        report.revise(plans="text")


@pytest.mark.parametrize("decisions", [["plan"], 3])
def test_what_is_no_mapping(report, decisions) -> None:
    with pytest.raises(TypeError, match=r"decisions must map column names to a type.*or be the pa"):
        report.revise(decisions)
    with pytest.raises(TypeError, match="is 3, neither a type nor a list of levels"):
        report.revise(plan=3)


def test_a_file_of_another_table(report, tmp_path) -> None:
    (tmp_path / "known.toml").write_text('plans = "text"')
    with pytest.raises(UnknownColumnError, match=r"known\.toml: there is no column 'plans' among"):
        report.revise(tmp_path / "known.toml")
    report.to_json(tmp_path / "types.json")
    with pytest.raises(UnreadableTypesError, match="is a report, not a file of decisions"):
        report.revise(tmp_path / "types.json")


class TestDecisionsOfAReport:
    def test_verdicts_with_their_probabilities_and_statements_without(self, report) -> None:
        size = ColumnType("size", "ordinal", 0.91234567, order=("S", "M"), order_probability=0.8)
        both = TypeReport([*report.columns, size]).revise(stars="text")
        assert both.to_known() == {
            "plan": {"type": "categorical", "probability": 0.1},
            "stars": "text",
            "size": {
                "order": ["S", "M"],
                "direction_known": False,
                "probability": 0.9123,
                "order_probability": 0.8,
            },
        }
        assert both.to_known(stated=True) == {"stars": "text"}

    def test_undetermined_columns_and_rules_are_asked_again(self, report) -> None:
        assert set(report.to_known()) == {"plan"}

    def test_one_name_with_two_types(self) -> None:
        twice = TypeReport([PLAN, ColumnType("plan", "ordinal", 0.9, order=("a", "b"))])
        with pytest.raises(KnownTypesError, match="name 'plan' have different types"):
            twice.to_known()


@pytest.fixture
def frame() -> pd.DataFrame:
    return pd.DataFrame({"grade": ["zv", "qx", "kk"] * 20, "town": ["Oslo", "Rome", "Bern"] * 20})


class TestTheNextInference:
    def test_a_revised_report_and_known_agree(self, frame, tmp_path) -> None:
        stated = {"grade": ["qx", "zv", "kk"], "town": {"type": "text", "note": "free"}}
        revised = frame.ordinal.infer_types().revise(stated)
        revised.to_known(tmp_path / "known.toml")
        known = frame.ordinal.infer_types(known=tmp_path / "known.toml")
        for name in stated:
            for field in ("semantic_type", "order", "note", "direction_known", "n_levels"):
                assert getattr(known[name], field) == getattr(revised[name], field)
            assert known[name].provenance == "known"
        assert known["grade"].levels == revised["grade"].levels

    def test_earlier_verdicts_are_kept_and_say_so(self, frame, tmp_path) -> None:
        grades = pd.DataFrame({"size": ["S", "M", "L", "XL"] * 9})
        first = grades.ordinal.infer_types()
        first.to_known(tmp_path / "known.json")
        again = grades.ordinal.infer_types(known=str(tmp_path / "known.json"))["size"]
        assert again.order == first["size"].order
        assert again.probability == pytest.approx(first["size"].probability, abs=1e-4)
        assert again.order_probability == pytest.approx(first["size"].order_probability, abs=1e-4)
        assert again.reason == "Inferred earlier, and kept (known=)."
        assert again.provenance == "kept"
        report = grades.ordinal.infer_types(known=first.to_known())
        assert report.to_known() == first.to_known()  # night after night
        assert again.evidence == {}  # nothing was computed

    def test_a_new_level_is_asked_again_of_a_verdict_only(self, tmp_path) -> None:
        small = pd.DataFrame({"size": ["S", "M", "L"] * 9})
        large = pd.DataFrame({"size": ["S", "M", "L", "XL"] * 9})
        first = small.ordinal.infer_types()
        with pytest.warns(UserWarning, match="leaves out 'XL'.*its type is inferred again"):
            again = autotype.infer_types(large, known=first.to_known())
        assert again["size"].order == ("S", "M", "L", "XL")
        assert again["size"].provenance == "inferred"
        with pytest.raises(KnownTypesError, match="leaves out 'XL'"):
            large.ordinal.infer_types(known=first.revise(size=["S", "M", "L"]).to_known())

    def test_an_ordered_dtype_states_itself(self) -> None:
        values = pd.Categorical(["b", "a"] * 9, categories=["b", "a"], ordered=True)
        report = autotype.infer_types(pd.DataFrame({"x": values}))
        assert report["x"].provenance == "dtype"
        assert report.to_known() == {}

    def test_a_note_is_no_type(self, frame) -> None:
        with pytest.raises(KnownTypesError, match=r"known\['town'\] has a note only"):
            frame.ordinal.infer_types(known={"town": {"note": "free"}})

    def test_levels_off_the_scale(self, frame) -> None:
        known = {"grade": {"order": ["qx", "zv"], "off_scale": ["kk"]}}
        grade = frame.ordinal.infer_types(known=known)["grade"]
        assert (grade.order, grade.off_scale) == (("qx", "zv"), ("kk",))
