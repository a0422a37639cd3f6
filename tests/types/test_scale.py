"""Scales of a report survive files, corrections and casts."""

from __future__ import annotations

import pandas as pd
import pytest

import autotype
from autotype import TypeReport
from autotype.types.column_types import Scale

OFTEN = ["never", "sometimes", "often", "always"]
FRAME = pd.DataFrame(dict.fromkeys(("a", "b", "c"), OFTEN * 20) | {"x": range(80)})
FRAME.loc[FRAME.b == "always", "b"] = None
FRAME.loc[:5, "c"] = "don't know"


@pytest.fixture(scope="module")
def report() -> TypeReport:
    return autotype.infer_types(FRAME)


def test_scales_survive_json_and_arrow(report: TypeReport) -> None:
    (scale,) = report.scales
    assert (scale.columns, scale.order) == (("a", "b", "c"), tuple(OFTEN))
    assert scale.off_scale == ("don't know",)
    assert TypeReport.from_json(report.to_json()).scales == report.scales
    assert TypeReport.from_arrow(report.to_arrow(FRAME)).scales == report.scales


def test_all_columns_of_a_scale_get_one_dtype(report: TypeReport) -> None:
    typed = FRAME.ordinal.apply_types(report)
    assert typed["a"].dtype == typed["b"].dtype == typed["c"].dtype
    assert typed["b"].cat.categories.tolist() == ["don't know", *OFTEN]


@pytest.mark.parametrize("level", ["always", "don't know"])
def test_a_schema_accepts_batches_with_and_without_a_level(report: TypeReport, level) -> None:
    schema = FRAME.ordinal.to_schema(report, coerce=True)
    assert len(schema.validate(FRAME)) == 80
    assert len(schema.validate(FRAME.assign(b=FRAME.b.fillna(level)))) == 80


def test_a_level_without_rows_is_neither_new_nor_gone(report: TypeReport) -> None:
    later = autotype.infer_types(FRAME.assign(b=FRAME.b.fillna("always")))
    for comparison in (report.compare(later), later.compare(report)):
        assert (comparison["b"].levels_new, comparison["b"].levels_gone) == ((), ())


def test_a_column_that_is_revised_leaves_its_scale(report: TypeReport) -> None:
    one = report.revise({"b": "categorical"})
    assert [scale.columns for scale in one.scales] == [("a", "c")]
    order = ["always", "often", "sometimes", "never"]
    stated = {"order": order, "off_scale": ["don't know"]}
    (scale,) = report.revise(dict.fromkeys("abc", stated)).scales
    assert (scale.columns, scale.order) == (("a", "b", "c"), tuple(order))


def test_a_scale_is_corrected_as_one(report: TypeReport) -> None:
    (scale,) = report.scales
    decision = {scale: {"order": OFTEN[::-1], "off_scale": ["don't know"]}}
    revised = report.revise(decision)
    assert [c.order for c in revised.columns[:3]] == [tuple(OFTEN[::-1])] * 3
    again = autotype.infer_types(FRAME, known=decision)
    assert [c.order for c in again.columns[:3]] == [tuple(OFTEN[::-1])] * 3


def test_a_revised_order_may_leave_out_a_level_without_rows(report: TypeReport) -> None:
    assert report.revise({"b": OFTEN[:3]})["b"].order == tuple(OFTEN[:3])


def test_statements_keep_levels_without_rows(report: TypeReport) -> None:
    again = autotype.infer_types(FRAME, known=report.to_known())
    for name in "abc":
        assert again[name].order == report[name].order
        assert again[name].levels == report[name].levels


def test_a_target_may_lack_a_level_of_its_scale(report: TypeReport) -> None:
    fitted = FRAME.dropna().ordinal.fit("b", types=report)
    assert fitted.predict(FRAME.iloc[:8]).isin(OFTEN[:3]).all()


def test_text_and_page_group_scales(report: TypeReport) -> None:
    row = ["a,", "b,", "c", "(3)", "ordinal", "0.99", "3-5", *" < ".join(OFTEN).split()]
    assert row in [line.split() for line in report.to_text(color=False).splitlines()]
    assert "3 columns of one scale" in report.to_html()
    assert "One scale with 2 other columns: 'a', 'c'." in report["b"].explain()


@pytest.mark.parametrize(
    ("order", "is_known", "said"),
    [(None, False, "S, M"), (("S", "M"), False, "S - M"), (("S", "M"), True, "S < M")],
)
def test_the_levels_of_a_scale_in_a_sentence(order, is_known, said):
    scale = Scale(("S", "M"), ("a",), "ordinal", order, is_known)
    assert scale.text == f"One scale, {said}, of 1 column: 'a'"
