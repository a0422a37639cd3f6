"""JSON and back: the report is the same, and foreign files are refused with a reason."""

import dataclasses
import datetime
import decimal
import json
import math
import random
from importlib import resources

import jsonschema
import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import autotype
from autotype.errors import UnreadableTypesError
from autotype.type_report import TypeReport
from autotype.types.codec.plain_column import FORMAT_VERSION
from autotype.types.codec.report_json import types_from_dict
from autotype.types.column_type import SEMANTIC_TYPES, ColumnType
from tests.strategies.reports import first, mutated_reports

PUBLISHED = json.loads(
    resources.files("autotype")
    .joinpath("types", "codec", "type_report.schema.json")
    .read_text("utf-8")
)
VALIDATOR = jsonschema.Draft202012Validator(PUBLISHED)


def assert_same(report: TypeReport, again: TypeReport) -> None:
    assert again.n_rows == report.n_rows
    assert len(again.columns) == len(report.columns)
    for column, back in zip(report.columns, again.columns, strict=True):
        for field in dataclasses.fields(ColumnType):
            old, new = getattr(column, field.name), getattr(back, field.name)
            assert same(old, new), (field.name, old, new)
    assert again.names.names == report.names.names
    assert same(again.names.tolist(), report.names.tolist())  # pandas: (None, nan) != (None, nan)


def same(old, new) -> bool:
    if isinstance(old, (tuple, list)):
        return type(old) is type(new) and len(old) == len(new) and all(map(same, old, new))
    if isinstance(old, dict):
        return same(list(old.items()), list(new.items()))
    if isinstance(old, float) and math.isnan(old):
        return isinstance(new, float) and math.isnan(new)
    return old is new or (old == new and isinstance(old, bool) == isinstance(new, bool))


SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.text(st.characters(exclude_categories=[]), max_size=5),
    st.dates(),
    st.datetimes().map(pd.Timestamp),
    st.decimals(allow_nan=False),
    st.binary(max_size=4),
    st.just(pd.NaT),
)
# False and 0 are one level, since they are equal.
LEVELS = st.lists(SCALARS, max_size=5, unique_by=(repr, lambda level: level)).map(tuple)
NUMBERS = st.floats(0, 1) | st.just(math.nan)
EVIDENCE = st.dictionaries(
    st.text(max_size=4),
    st.recursive(
        SCALARS | st.floats().map(np.float64),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.lists(inner, max_size=3).map(tuple)
            | st.dictionaries(
                st.text(max_size=5) | st.just("type") | st.integers(), inner, max_size=3
            )
        ),
        max_leaves=6,
    ),
    max_size=3,
)


@st.composite
def columns(draw) -> ColumnType:
    levels = draw(LEVELS)
    order = st.permutations(levels[1:]).map(tuple)
    semantic_type = draw(st.sampled_from(SEMANTIC_TYPES))
    return ColumnType(
        name=draw(SCALARS | st.tuples(SCALARS, SCALARS)),
        semantic_type=semantic_type,
        probability=draw(NUMBERS),
        order=draw(order) if semantic_type == "ordinal" else None,
        best_order=draw(st.none() | order),
        order_probability=draw(NUMBERS),
        direction_known=draw(st.booleans()),
        levels={level: draw(st.integers(0, 10**12)) for level in levels},
        n_levels=len(levels),
        n_rows_used=draw(st.integers(0, 10**12)),
        off_scale=levels[:1],
        ties=draw(st.sampled_from([(), (levels[:2],), (levels[1:3], levels[3:])])),
        alternatives=tuple(draw(st.lists(st.tuples(st.permutations(levels).map(tuple), NUMBERS)))),
        evidence=draw(EVIDENCE),
        reasons=tuple(draw(st.lists(st.text(max_size=5), max_size=2))),
    )


@settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(columns(), max_size=3), st.integers(0, 10**12))
def test_any_report_comes_back_and_keeps_to_the_published_schema(drawn, n_rows):
    report = TypeReport(drawn, n_rows=n_rows)
    text = report.to_json()
    VALIDATOR.validate(json.loads(text))
    again = TypeReport.from_json(text)
    assert_same(report, again)
    assert again.to_json() == text


def test_reports_with_few_months_and_years_are_read_back() -> None:
    frame = pd.DataFrame({"month": ["2020-01", "2020-02", "2020-03"] * 9, "year": [1, 2, 3] * 9})
    report = autotype.infer_types(frame.assign(year=frame["year"] + 2018))
    again = TypeReport.from_json(report.to_json())
    assert again["month"].best_order == ("2020-01", "2020-02", "2020-03")
    assert again["year"].best_order == (2019, 2020, 2021)
    assert [column.order for column in again.columns] == [None, None]


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("order", ["S", "M", "L", "XL"], r"columns\[0\].order: 'XL' is not among the levels"),
        ("order", ["S", "M", "S"], r"columns\[0\].order: the level 'S' is repeated, or off the"),
        ("order", ["S", "M", "L", "?"], r"the level '\?' is repeated, or off the scale"),
        ("order", None, "order: null, but the column is ordinal; list its levels"),
        ("semantic_type", "categorical", r"order: \['S', 'M', 'L'\] is not null, as the column is"),
        ("best_order", ["S", "X"], r"columns\[0\].best_order: 'X' is not among the levels"),
        ("off_scale", ["?", "?"], r"off_scale: the level '\?' is repeated"),
        ("order", ["S", "L"], r"\.order leaves out the level 'M'; add it here, or to off_scale"),
        ("off_scale", [], r"\.order leaves out the level '\?'; add it here"),
        ("n_levels", 5, r"columns\[0\].n_levels: 5 is more than the 4 levels that are listed"),
        ("alternatives", [{"order": ["X"], "weight": 1}], r"alternatives\[0\].order: 'X' is not"),
        ("type_probabilities", {"ordinal": 0.5}, r"type_probabilities: they add to 0.5, not to 1"),
        ("of_scale", ["?"], r"columns\[0\] has the unknown key 'of_scale'"),
        ("n_effective", "many", "n_effective: 'many' is no number"),
        ("n_effective", "１", "n_effective: '１' is no number"),
        ("n_effective", -1, "n_effective: -1 is not a number from 0 up"),
    ],
)
def test_order_and_levels_fit_each_other(field, value, message):
    levels = dict.fromkeys(["S", "M", "L", "?"], 3)
    size = ColumnType("size", "ordinal", order=("S", "M", "L"), levels=levels, off_scale=("?",))
    plain = TypeReport([size]).to_dict()
    assert TypeReport.from_json(json.dumps(plain)).columns == (size,)
    plain["columns"][0][field] = value
    with pytest.raises(UnreadableTypesError, match=message) as caught:
        TypeReport.from_json(json.dumps(plain))
    assert "column 'size', columns[0]" in str(caught.value)
    assert ";" in str(caught.value)  # the remedy


@pytest.mark.parametrize(
    ("pairs", "message"),
    [
        ([["S", "X"]], r"columns\[0\].partial_order: 'X' is not among the levels"),
        ([["S", "S"]], r"columns\[0\].partial_order: 'S' is below itself"),
        ([["S", "M"], ["M", "L"], ["L", "S"]], r"columns\[0\].partial_order: '.' is below itself"),
    ],
)
def test_known_pairs_are_of_levels_and_no_circle(pairs, message):
    levels = dict.fromkeys(["S", "M", "L"], 3)
    size = ColumnType("size", "ordinal", levels=levels, partial_order=(("S", "M"), ("S", "L")))
    plain = TypeReport([size]).to_dict()
    assert TypeReport.from_json(json.dumps(plain)).columns == (size,)
    plain["columns"][0]["partial_order"] = pairs
    with pytest.raises(UnreadableTypesError, match=message):
        TypeReport.from_json(json.dumps(plain))


def test_the_published_schema_is_a_schema_and_names_every_field():
    jsonschema.Draft202012Validator.check_schema(PUBLISHED)
    column = PUBLISHED["$defs"]["column"]
    assert column["required"] == [field.name for field in dataclasses.fields(ColumnType)]
    assert column["properties"]["semantic_type"]["enum"] == list(SEMANTIC_TYPES)
    assert PUBLISHED["properties"]["format_version"]["const"] == FORMAT_VERSION


def test_an_inferred_report_comes_back_from_its_file(tmp_path):
    names = pd.MultiIndex.from_product([["a"], ["mood", "day", "level", "part"]], names=["x", None])
    frame = pd.DataFrame(
        {
            0: ["low", "mid", "high", "don't know"] * 10,
            1: [datetime.date(2024, 1, 1 + j % 3) for j in range(40)],
            2: [1.0, 2.0, 3.0, np.nan] * 10,
            3: [decimal.Decimal(j % 4) / 2 for j in range(40)],
        }
    ).set_axis(names, axis=1)
    report = autotype.infer_types(frame)
    report.to_json(tmp_path / "types.json")
    again = TypeReport.from_json(tmp_path / "types.json")
    assert_same(report, again)
    assert_same(report, TypeReport.from_json(str(tmp_path / "types.json")))
    assert again.names.names == ["x", None]
    assert again.to_json() == report.to_json()
    pd.testing.assert_frame_equal(
        frame.ordinal.apply_types(again), frame.ordinal.apply_types(report)
    )


def test_labels_with_a_name():
    report = TypeReport([ColumnType("a", "text")], names=pd.Index(["a"], name="column"))
    assert TypeReport.from_json(report.to_json()).names.name == "column"


def without(key):
    plain = TypeReport([ColumnType("a", "text")], n_rows=1).to_dict()
    del plain["columns"][0][key]
    return plain


def changed(**cells):
    plain = TypeReport([ColumnType("a", "text")], n_rows=1).to_dict()
    plain["columns"][0] |= cells
    return plain


@pytest.mark.parametrize(
    ("plain", "message"),
    [
        ([], "no 'format_version'"),
        ({"columns": []}, r"no 'format_version'; TypeReport\.to_json writes one"),
        ({"format_version": "1"}, "format_version: '1' is not a number from 1 up"),
        (
            {"format_version": FORMAT_VERSION + 1, "autotype_version": "9.9"},
            r"format \d is newer than \d.*autotype 9\.9 wrote it: upgrade autotype",
        ),
        (
            {"format_version": 1, "n_rows": -1, "columns": []},
            "n_rows: -1 is not a number from 0 up",
        ),
        ({"format_version": 1, "n_rows": 1, "columns": {}}, "columns: {} is not a list"),
        ({"format_version": 1, "n_rows": 1, "columns": [1]}, r"columns\[0\]: 1 is not an object"),
        (without("order"), r"columns\[0\] lacks 'order'"),
        (changed(semantic_type="colour"), r"columns\[0\]\.semantic_type: 'colour' is not one of"),
        (changed(probability="high"), r"columns\[0\]\.probability: 'high' is not a number"),
        (changed(n_levels=1.5), r"columns\[0\]\.n_levels: 1\.5 is not an integer"),
        (changed(order="abc"), r"columns\[0\]\.order: 'abc' is not a list"),
        (changed(exact={"name": {"type": "colour", "value": 1}}), "type 'colour', not one of"),
        (changed(exact=[]), r"columns\[0\]\.exact: \[\] is not an object"),
        (changed(name={"a": 1}), "is neither a name nor a level"),
        (changed(exact={"name": {"type": "decimal", "value": "sNaN"}}), "neither a name nor"),
        (changed(order=[[1]]), r"columns\[0\]\.order: \[1\] is neither a name nor a level"),
        (changed(probability=1.5), r"columns\[0\]\.probability: 1\.5 is not from 0 to 1"),
        (changed(probability=10**400), "is not a number or null"),
        (changed(probability=math.inf), "inf is not from 0 to 1"),
        (changed(n_levels=2**63), "is not an integer of 64 bits"),
        (changed(direction_known="yes"), "'yes' is not true or false"),
        (changed(reasons=[1]), r"columns\[0\]\.reasons\[0\]: 1 is not a string"),
        (changed(ties=5), "5 is not a list"),
        (
            changed(levels=[{"level": "a", "count": 1}] * 2),
            r"columns\[0\]\.levels: a level is repeated",
        ),
        (changed(levels=[{"level": "a"}]), r"columns\[0\]\.levels\[0\] lacks 'count'"),
        (changed(evidence=[]), r"columns\[0\]\.evidence: \[\] is not an object"),
        (
            changed(evidence={"thresholds": "abc"}),
            r"columns\[0\]\.evidence\.thresholds: 'abc' is not a list",
        ),
        (
            changed(evidence={"top_predictors": [["a"]]}),
            r"evidence\.top_predictors\[0\]: \['a'\] has 1 items",
        ),
        (changed() | {"format_version": True}, "format_version: True is not a number from 1 up"),
        (changed() | {"names": []}, r"names: \[\] has 0 items"),
        (changed() | {"names": ["a", "b"]}, "'names' holds 2 names"),
        (changed() | {"names": [[]]}, "neither a name nor a level"),
    ],
)
def test_foreign_values_are_refused(plain, message):
    with pytest.raises(UnreadableTypesError, match=message):
        types_from_dict(plain)


def test_an_empty_text_is_no_folder() -> None:
    for text in ("", " \n"):
        with pytest.raises(UnreadableTypesError, match="the text is not JSON"):
            TypeReport.from_json(text)


def test_foreign_files_are_refused(tmp_path):
    with pytest.raises(FileNotFoundError):
        TypeReport.from_json(tmp_path / "none.json")
    path = tmp_path / "types.json"
    path.write_text("size: ordinal")
    with pytest.raises(ValueError, match=r"types\.json is not JSON: Expecting value"):
        TypeReport.from_json(path)
    path.write_text('{"a": 1}')
    with pytest.raises(ValueError, match=r"types\.json is not a report of autotype: it has no"):
        TypeReport.from_json(path)
    with pytest.raises(UnreadableTypesError, match="the text is not a report of autotype"):
        TypeReport.from_json(' {"a": 1}')
    path.write_bytes(b'{"a": "\xff"}')
    with pytest.raises(UnreadableTypesError, match=r"types\.json is not a string in UTF-8"):
        TypeReport.from_json(path)
    with pytest.raises(UnreadableTypesError, match="the text is nested deeper than the 100 lists"):
        TypeReport.from_json('{"a": ' + "[" * 200_000 + "}")


@pytest.mark.parametrize(
    "names",
    [
        [("A", ("u", 1)), ("A", ("u", 2))],
        [("A", ("u", 1)), "b"],
        [("A", math.nan), ("A", None)],
        [("A", pd.NaT), 1.5],
    ],
    ids=str,
)
def test_names_with_parts_of_any_kind_come_back(names):
    labels = pd.Index(names, dtype=object, tupleize_cols=False)
    report = TypeReport([ColumnType(name, "text") for name in labels], names=labels)
    again = TypeReport.from_json(report.to_json())
    assert again == report
    assert again[names[0]].name == again.columns[0].name
    assert again.to_json() == report.to_json()


def test_column_labels_of_two_levels_with_tuples_among_them():
    parts = pd.Index([("u", 1), ("u", 2)], dtype=object, tupleize_cols=False)
    labels = pd.MultiIndex.from_arrays([["A", "A"], parts], names=["x", ("y", 1)])
    report = TypeReport([ColumnType(name, "text") for name in labels], names=labels)
    again = TypeReport.from_json(report.to_json())
    assert again == report
    assert again.names.tolist() == labels.tolist()
    assert len(again.to_frame()) == 2


def test_damaged_reports_are_read_and_usable_or_refused():
    read = 0
    for text in first(200, mutated_reports(random.Random(0))):
        try:
            report = TypeReport.from_json(text)
        except UnreadableTypesError:
            continue
        read += 1
        assert TypeReport.from_json(report.to_json()) == report
        assert report.to_html()
        assert str(report.compare(report))
        assert all(column.explain() for column in report.columns)
        assert len(report.to_frame()) == len(report.columns)
    assert 10 < read < 190
