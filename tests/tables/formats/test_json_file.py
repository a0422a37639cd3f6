"""Where the table of a JSON document is, and what is said of it."""

from __future__ import annotations

import io
import json

import pandas as pd
import pytest

import autotype
from autotype.errors import UnreadableTableError
from autotype.tables.content import Content
from autotype.tables.formats.json_file import read_json
from autotype.tables.table import Limits, ReadOptions

LIMITS = Limits("a.json", 10**6, 1000)
ROWS = [{"a": 1, "b": "x"}, {"a": 2, "b": "y"}]


def read(value, **options):
    content = value if isinstance(value, bytes) else json.dumps(value).encode()
    return read_content(content, "json", **options)


def read_content(content: bytes, kind: str, **options):
    stated = ReadOptions(**options)
    table = read_json(Content(kind, lambda: io.BytesIO(content)), LIMITS, stated)
    return table.frame, table.codebook, table.reading


def cells(value, **options):
    frame = read(value, **options)[0]
    filled = frame.astype(object).where(frame.notna(), None)
    return [list(frame.columns), *filled.to_numpy().tolist()]


EXPECTED = [["a", "b"], [1, "x"], [2, "y"]]


@pytest.mark.parametrize(
    "value",
    [
        ROWS,
        {"data": ROWS},
        {"result": {"count": 2, "items": ROWS}},
        {"a": [1, 2], "b": ["x", "y"]},
        {"a": {"0": 1, "1": 2}, "b": {"0": "x", "1": "y"}},
        {"columns": ["a", "b"], "index": [0, 1], "data": [[1, "x"], [2, "y"]]},
        [["a", "b"], [1, "x"], [2, "y"]],
        {
            "type": "FeatureCollection",
            "features": [{"type": "Feature", "properties": row, "geometry": None} for row in ROWS],
        },
        {"schema": {"fields": [{"name": "a"}]}, "data": ROWS},
    ],
)
def test_where_the_records_are(value) -> None:
    assert cells(value) == EXPECTED


@pytest.mark.parametrize("orient", ["records", "columns", "split", "index", "table"])
def test_what_pandas_writes(orient) -> None:
    frame = pd.DataFrame(ROWS)
    found = cells(frame.to_json(orient=orient).encode())
    if orient in ("index", "table"):  # with the index, which is a column
        assert [row[-2:] for row in found] == EXPECTED
    else:
        assert found == EXPECTED


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (
            [{"a": {"b": 1, "c": {"d": 2}}}, {"e": 3}],
            [["a.b", "a.c.d", "e"], [1, 2, None], [None, None, 3]],
        ),
        ([{"a": {"b": 1}, "a.b": 2}], [["a.b", "a.b.1"], [1, 2]]),
        ([{"a": {}, "b": [1, 2]}], [["a", "b"], [{}, [1, 2]]]),
        ([{"a": 1}, None, {"a": 2}], [["a"], [1], [None], [2]]),
        ([[1, 2], [3]], [["0", "1"], [1, 2], [3, None]]),
        ({"a": 1, "b": {"c": 2}}, [["a", "b.c"], [1, 2]]),
        (
            {"x": {"n": 1, "m": 2}, "y": {"n": 3, "m": 4}},
            [["Unnamed: 0", "n", "m"], ["x", 1, 2], ["y", 3, 4]],
        ),
        ({"tags": ["a", "b"]}, [["tags"], ["a"], ["b"]]),
        ({"id": 5, "tags": ["a", "b"]}, [["id", "tags"], [5, ["a", "b"]]]),
    ],
)
def test_nested_and_odd_records(value, expected) -> None:
    assert cells(value) == expected


def test_what_is_said() -> None:
    _, _, reading = read({"meta": 1, "users": ROWS, "teams": ROWS[:1]})
    assert reading.format == "json"
    assert reading.encoding == "utf-8"
    (doubt,) = reading.doubts
    assert doubt == "the table is the 2 records of 'users'; 'teams' hold records too"
    assert reading.dropped == ("'meta' beside the records of 'users'",)
    feature = {"type": "Feature", "id": 7, "geometry": {"type": "Point"}, "properties": {"a": 1}}
    _, _, reading = read({"type": "FeatureCollection", "features": [feature]})
    assert reading.dropped == ("'id', 'geometry' of each feature of GeoJSON",)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_encodings(encoding) -> None:
    content = json.dumps([{"größe": "ä"}], ensure_ascii=False).encode(encoding)
    given = {"encoding": encoding} if encoding == "cp1252" else {}
    assert cells(content, **given) == [["größe"], ["ä"]]
    lines = '{"größe": "ä"}\n'.encode(encoding)
    frame, _, reading = read_content(lines, "jsonl", **given)
    assert frame["größe"].tolist() == ["ä"]
    assert reading.encoding == encoding.removesuffix("-sig")


def test_another_encoding_than_that_given() -> None:
    with pytest.raises(UnreadableTableError, match=r"byte 0xe9 in position 8.*give its encoding"):
        read(b'[{"a": "\xe9"}]', encoding="utf-8")


def test_the_first_rows_and_whole_numbers() -> None:
    frame = read([{"a": 2**53 + 1}, {"a": None}, {"a": 3}], n_rows=2)[0]
    assert frame["a"].tolist() == [2**53 + 1, pd.NA]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b" ", "is empty, it holds no JSON"),
        (b"[]", "holds an empty table"),
        (b"5", "holds a JSON int, not a table"),
        (b"[1, 2]", "value 1 of the list is a JSON int, not an object"),
        (b'[{"a": 1},\n{"a" 2}]', r"is not JSON \(Expecting ':' delimiter at line 2, column 6\)"),
        (b'[{"a": 1, "a": 2}]', "the key 'a' is repeated"),
        (b"[" * 100_000, "cannot be read"),
        (b'[{"a": "\\ud83d"}]', "holds half of a surrogate pair"),
        (json.dumps([{f"k{k}": 1} for k in range(400)]).encode(), "rows of [0-9]+ columns take"),
        (json.dumps([{f"k{k}": 1 for k in range(1001)}]).encode(), "holds 1,001 columns or more"),
    ],
)
def test_errors(content, message) -> None:
    with pytest.raises(UnreadableTableError, match=f"^a.json: .*{message}"):
        read_content(content, "json")


def test_deeply_nested_records_stay_as_they_are() -> None:
    value: object = 1
    for _ in range(400):
        value = {"x": value}
    frame = read([{"a": value}])[0]
    assert frame.shape == (1, 1)
    assert frame.columns[0].count(".") == 20


@pytest.mark.parametrize("number", ["1e400", "-1e999"])
def test_a_number_beyond_the_range_of_floats_stays_as_it_is_written(tmp_path, number) -> None:
    for name, text in (
        ("a.jsonl", '{"a": %s}\n{"a": 2.5}\n'),
        ("a.json", '[{"a": %s}, {"a": 2.5}]'),
    ):
        path = tmp_path / name
        path.write_text(text % number)
        assert autotype.read_table(path).frame["a"].tolist() == [number, 2.5]
