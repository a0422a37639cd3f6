"""Files of a user's own scales: what they may hold, and that corrections are written into them."""

from __future__ import annotations

import datetime
import json
import math
import tomllib

import pandas as pd
import pytest

import autotype
from autotype import ColumnType, TypeReport
from autotype.errors import UnknownFormatError, UnreadableTypesError
from autotype.types.decisions.scales_file import is_named, read_scales, write_scales

WHOLE = """
[scales.severity]
levels = ["S4", "S3", "S2", "S1"]
synonyms = { S1 = ["Sev 1", "critical"] }
off_scale = ["tbd"]
columns = ["severity", "sev_*"]
[scales.dose]
levels = [5, 10, 20]
[sets]
currencies = ["EUR", "USD"]
plants = { levels = [1, 2, 3], columns = ["plant"] }
[columns]
ids = ["*_nr", "ref"]
missing = ["tbc", -9]
"""


@pytest.fixture
def path(tmp_path):
    file = tmp_path / "scales.toml"
    file.write_text(WHOLE)
    return file


def test_every_part_of_a_file_is_read(path):
    scales = read_scales(path)
    severity, dose, currencies, plants = scales.scales
    assert severity.levels == ("S4", "S3", "S2", "S1")
    assert severity.ranks == {
        "s4": 0, "s3": 1, "s2": 2, "s1": 3, "sev 1": 3, "critical": 3,
    }  # fmt: skip
    assert (severity.off_scale, severity.columns) == (("tbd",), ("severity", "sev_*"))
    assert dose.is_ordered
    assert dose.levels == (5, 10, 20)
    assert not currencies.is_ordered
    assert plants.columns == ("plant",)
    assert (scales.ids, scales.missing, scales.where) == (("*_nr", "ref"), ("tbc", -9), str(path))


def test_json_and_tables_are_read_as_toml_is(path, tmp_path):
    tables = {"scales": {"size": {"levels": ["S", "M"], "synonyms": {"S": ["small"]}}}}
    other = tmp_path / "scales.json"
    other.write_text(json.dumps(tables))
    assert read_scales(other).scales == read_scales(tables).scales


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[scale.a]\nlevels = ['x', 'y']", r"key 'scale', not one of scales, .*did you mean"),
        ("[scales.a]\nlevel = ['x']", r"\[scales\.a\] has the key 'level'.*did you mean 'levels'"),
        ("[scales.a]\nlevels = ['x']", r"\[scales\.a\] has \['x'\] as levels, expected two"),
        ("[scales.a]\nlevels = 'xy'", r"'xy' as levels, expected a list of strings and numbers"),
        ("[scales.a]\nlevels = ['x', nan]", "as levels, expected a list of strings and numbers"),
        ("[scales]\na = ['x', 'y']", r"\[scales\.a\] is \['x', 'y'\], expected a table"),
        ("[scales.a]\nlevels = ['xy', ' Xy ']", r"\[scales\.a\] names ' Xy ' twice"),
        ("[scales.a]\nlevels = ['low', 'Low']", r"\[scales\.a\] names 'Low' twice"),
        ("[scales.a]\nlevels = ['x', 'y']\noff_scale = ['y']", "names 'y' twice"),
        ("[scales.a]\nlevels = ['x', 'y']\nsynonyms = {z = ['w']}", "synonyms of 'z', which is no"),
        ("[sets.a]\nlevels = ['x', 'y']\noff_scale = ['z']", r"\[sets\.a\] has the key 'off_sc"),
        ("[columns]\nid = ['x']", r"\[columns\] has the key 'id'"),
        ("[columns]\nids = 'x'", r"\[columns\] has 'x' as ids"),
        ("scales = 3", r"\[scales\] is 3, expected a table"),
        ("[scales.a", "Expected ']'"),
    ],
)  # fmt: skip
def test_what_is_wrong_in_a_file_is_named(path, text, message):
    path.write_text(text)
    with pytest.raises(UnreadableTypesError, match=message) as caught:
        read_scales(path)
    assert str(path) in str(caught.value)


def test_anything_but_a_path_or_tables_is_refused():
    with pytest.raises(TypeError, match="scales must be a mapping or the path of a file, got 3"):
        read_scales(3)


def test_patterns_of_names():
    assert is_named(("a", "Order_Nr"), ["*_nr*"])
    assert not is_named("nrs", ["*_nr"])


def test_corrections_become_scales_sets_and_ids(tmp_path):
    zorp = ColumnType("q1", "categorical", levels={"grum": 4, "blorn": 5, "flizz": 2})
    columns = [
        zorp,
        ColumnType("q2", "categorical", levels={"grum": 4, "flizz": 5, "blorn": 2}),
        ColumnType("plant", "undetermined", levels={3: 1, 4: 1, 5: 1}),
        ColumnType("city", "undetermined", levels={"Ulm": 1, "Bonn": 1, "Kiel": 1}),
        ColumnType("a[b]", "count"),
        ColumnType("untouched", "categorical", levels={"x": 1, "y": 2}),
    ]
    order = {"order": ["grum", "blorn"], "off_scale": ["flizz"]}
    revised = TypeReport(columns).revise(
        {"q1": order, "q2": order, "plant": [5, 4, 3], "city": "categorical", "a[b]": "identifier"}
    )
    path = tmp_path / "scales.toml"
    tables = revised.to_scales(path)
    assert tables == {
        "scales": {
            "q1": {"levels": ["grum", "blorn"], "off_scale": ["flizz"]},
            "plant": {"levels": [5, 4, 3], "columns": ["plant"]},
        },
        "sets": {"city": ["Ulm", "Bonn", "Kiel"]},
        "columns": {"ids": ["a[[]b]"]},
    }
    assert read_scales(path).scales == read_scales(tables).scales
    assert revised.to_scales(tmp_path / "scales.json") == tables


def test_orders_that_contradict_each_other_are_for_their_columns():
    held = {"a": 1, "b": 2}
    types = TypeReport([ColumnType(name, "undetermined", levels=held) for name in "xy"])
    tables = types.revise(x=["a", "b"], y=["b", "a"]).to_scales()["scales"]
    assert tables["x"] == {"levels": ["a", "b"], "columns": ["x"]}
    assert tables["y"] == {"levels": ["b", "a"], "columns": ["y"]}


COMMENTED = """# Ask before you change it.

# from the tickets
[scales.severity]   # worst last
levels = [
  "S4",   # cosmetic
  "S3", "S2",
]
synonyms = { S2 = ["blocker"] }  # of last year

[sets]  # no order
currencies = ["EUR", "USD"]

# weather
[scales.mood]
levels = ["Low", "Mid", "High"]  # three

[columns]
ids = ["*_nr"]  # in all tables
# end
"""


def test_comments_of_a_person_stay(tmp_path):
    path = tmp_path / "scales.toml"
    path.write_text(COMMENTED)
    types = TypeReport(
        [
            ColumnType("mood", "undetermined", levels={"Low": 1, "Mid": 2, "High": 3}),
            ColumnType("plan", "undetermined", levels={"b": 1, "a": 2}),
            ColumnType("city", "undetermined", levels={"Ulm": 1, "Bonn": 2}),
            ColumnType("row", "count"),
        ]
    )
    types.to_scales(path)
    assert path.read_text() == COMMENTED
    types.revise(
        mood=["High", "Mid", "Low"], plan=["b", "a"], city="categorical", row="identifier"
    ).to_scales(path)
    expected = (
        COMMENTED.replace('"Low", "Mid", "High"', '"High", "Mid", "Low"')
        .replace("\n[sets]", '\n[scales.plan]\nlevels = ["b", "a"]\n\n[sets]')
        .replace('"USD"]\n', '"USD"]\ncity = ["Ulm", "Bonn"]\n')
        .replace('["*_nr"]', '["*_nr", "row"]')
    )
    assert path.read_text() == expected


@pytest.mark.parametrize("text", ["[scales", "[a.b]\nx = 1\n[c]\n[a.d]\ny = 2\n", "\xff"])
def test_a_file_whose_comments_cannot_be_kept_is_replaced(tmp_path, text):
    path = tmp_path / "scales.toml"
    path.write_bytes(text.encode("latin-1"))
    write_scales(path, {"scales": {"a": {"levels": ["x", "y"]}}, "columns": {"ids": ["b"]}})
    assert tomllib.loads(path.read_text()) == {
        "scales": {"a": {"levels": ["x", "y"]}},
        "columns": {"ids": ["b"]},
    }


def test_a_file_that_is_there_is_added_to(path):
    before = read_scales(path)
    levels = {"Low": 1, "Mid": 2, "High": 3}
    types = TypeReport(
        [
            ColumnType("mood", "undetermined", levels=levels),
            ColumnType("sev_3", "undetermined", levels={"S1": 1, "S2": 2, "S3": 2, "S4": 2}),
            ColumnType("currency", "categorical", levels={"EUR": 1, "USD": 2}),
        ]
    )
    revised = types.revise(mood=list(levels), sev_3=["S1", "S2", "S3", "S4"])
    tables = revised.to_scales(path)
    after = read_scales(path)
    assert tables["scales"]["mood"] == {"levels": ["Low", "Mid", "High"]}
    severity = after.scales[0]
    assert severity.levels == ("S1", "S2", "S3", "S4")  # corrected; all else of it stays
    assert severity.synonyms == before.scales[0].synonyms
    assert (after.ids, after.missing) == (before.ids, before.missing)
    assert revised.to_scales(path) == tables


def test_the_name_of_the_file_is_checked(tmp_path):
    with pytest.raises(UnknownFormatError, match=r"must end in \.toml or \.json"):
        TypeReport([]).to_scales(tmp_path / "scales.txt")


def test_a_scale_of_some_of_the_levels_is_another_scale(tmp_path) -> None:
    path = tmp_path / "scales.toml"
    path.write_text('[scales.mood]\nlevels = ["gurk", "zamp", "vol", "tarr"]\n', "utf-8")
    column = ColumnType("x", "undetermined", 0.5, levels=dict.fromkeys(("gurk", "zamp", "vol"), 9))
    written = TypeReport([column]).revise(x=["vol", "gurk", "zamp"]).to_scales(path)
    orders = [table["levels"] for table in written["scales"].values()]
    assert orders == [["gurk", "zamp", "vol", "tarr"], ["vol", "gurk", "zamp"]]


def test_decisions_of_a_scales_file_are_written_again(tmp_path) -> None:
    frame = pd.DataFrame({"size": ["S", "M", "L", "XL"] * 10})
    first, second = tmp_path / "first.toml", tmp_path / "second.toml"
    autotype.infer_types(frame).revise(size=["S", "M", "XL", "L"]).to_scales(first)
    by_scales = autotype.infer_types(frame, scales=first)
    by_scales.to_scales(second)
    assert second.read_text() == first.read_text()
    assert by_scales.to_known(stated=True) == {"size": ["S", "M", "XL", "L"]}


@pytest.mark.parametrize("level", [math.inf, datetime.date(2024, 1, 2), (1, 2)])
def test_levels_that_no_scale_can_have_are_left_out(tmp_path, level) -> None:
    frame = pd.DataFrame(
        {"x": pd.Series([1, 2, level] * 9, dtype=object), "y": ["S", "M", "L"] * 9}
    )
    types = autotype.infer_types(frame, known={"x": [1, 2, level], "y": ["S", "M", "L"]})
    for name in ("s.toml", "s.json"):
        assert list(types.to_scales(tmp_path / name)["scales"]) == ["y"]
        assert len(read_scales(tmp_path / name).scales) == 1
