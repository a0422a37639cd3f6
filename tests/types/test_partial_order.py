"""An order that is not known as a whole is stated as such wherever types go."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import autotype
from autotype import ColumnType, TypeReport
from autotype.errors import KnownTypesError

KNOWN = ("very bad", "bad", "neutral", "good", "very good")
RNG = np.random.default_rng(0)
FRAME = pd.DataFrame(
    {"mood": RNG.choice([*KNOWN, "zorbig"], 300), "x": RNG.normal(size=300).round(3)}
)


@pytest.fixture(scope="module")
def report() -> TypeReport:
    return autotype.infer_types(FRAME)


def test_a_level_that_nothing_places_leaves_the_order_open(report: TypeReport) -> None:
    mood = report["mood"]
    assert mood.semantic_type == "ordinal"
    assert mood.order is None
    assert set(mood.best_order) == {*KNOWN, "zorbig"}
    assert mood.order_probability < 0.3
    assert len(mood.partial_order) == 10
    places = {level: place for place, level in enumerate(KNOWN)}
    assert all(places[low] < places[high] for low, high in mood.partial_order)
    assert "in an order of which very bad < bad < neutral < good < very good is known" in (
        mood.explain()
    )


def test_the_dtype_has_no_order_and_the_schema_demands_none(report: TypeReport) -> None:
    typed = FRAME.ordinal.apply_types(report)
    assert not typed["mood"].cat.ordered
    assert set(typed["mood"].cat.categories) == set(FRAME["mood"])
    schema = FRAME.ordinal.to_schema(report)
    assert not schema.columns["mood"].dtype.ordered
    schema.validate(typed)
    read = TypeReport.from_schema(schema)["mood"]
    assert (read.semantic_type, read.order) == ("ordinal", None)
    assert "ENUM" not in report.to_sql("answers", dialect="postgresql")


def test_files_carry_it(report: TypeReport, tmp_path) -> None:
    mood = report["mood"]
    assert TypeReport.from_json(report.to_json())["mood"] == mood
    table = report.to_arrow(FRAME)
    assert TypeReport.from_arrow(table)["mood"].partial_order == mood.partial_order
    for name in ("known.toml", "known.json"):
        report.to_known(tmp_path / name)
        kept = autotype.infer_types(FRAME, known=tmp_path / name)["mood"]
        assert (kept.order, kept.best_order) == (None, mood.best_order)
        assert kept.partial_order == mood.partial_order


def test_a_target_needs_an_order(report: TypeReport) -> None:
    with pytest.raises(ValueError, match=r"order of its levels is not known; state it: .*revise"):
        FRAME.ordinal.fit("mood", report)
    revised = report.revise({"mood": "ordinal"})["mood"]
    assert revised.order == report["mood"].best_order
    assert revised.partial_order is None


def test_pages_and_tables_say_what_is_known(report: TypeReport) -> None:
    assert "known: very bad" in report.to_text()
    assert "with an order that is not known" in report.to_html()
    assert report.to_frame().loc["mood", "partial_order"] == report["mood"].partial_order


def test_nothing_may_be_known() -> None:
    column = ColumnType(
        "grade", "ordinal", best_order=("q", "r", "s"), order_probability=1 / 3, partial_order=()
    )
    assert column.explain() == (
        "'grade' is ordinal, in an unknown order (best guess q - r - s (or the reverse), right "
        "with probability 0.33)."
    )


@pytest.mark.parametrize(
    ("pairs", "message"),
    [([["S", "X"]], "'X' is not among the levels"), ([["S", "M"], ["M", "S"]], "is below itself")],
)
def test_what_is_stated_has_no_circle(pairs, message) -> None:
    stated = {"type": "ordinal", "order": ["S", "M"], "partial_order": pairs}
    with pytest.raises(KnownTypesError, match=f"partial_order in .*: .*{message}"):
        autotype.infer_types(pd.DataFrame({"size": ["S", "M"] * 20}), known={"size": stated})
