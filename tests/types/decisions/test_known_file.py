"""Files of decisions: what is written is read back, in both formats, whatever the levels are."""

from __future__ import annotations

import datetime
import decimal
import math
import string
import tomllib
from random import Random

import numpy as np
import pandas as pd
import pytest

import autotype
from autotype.errors import (
    KnownTypesError,
    UnknownColumnError,
    UnknownFormatError,
    UnreadableTypesError,
    UnwritableTypesError,
)
from autotype.types.decisions.known_file import known_as_toml, read_known_file, write_known

LEVELS = [
    "",
    'quote " and \\ and \n\t\r\x00\x7f\x85\u2028',
    "ä\U0001f600",
    "lone \ud800",
    True,
    False,
    0,
    -(10**30),
    0.5,
    -0.0,
    1e300,
    5e-324,
    math.inf,
    -math.inf,
    datetime.date(1, 1, 1),
    datetime.datetime(2024, 2, 29, 12, 30, 0, 5),
    datetime.datetime(2024, 2, 29, tzinfo=datetime.UTC),
    datetime.time(12, 30),
    datetime.time(12, 30, tzinfo=datetime.UTC),
    pd.Timestamp("2024-02-29 12:30:00.000000001"),
    pd.Timestamp("2024-02-29", tz="Europe/Oslo"),
    pd.Timedelta("1D"),
    pd.Interval(0, 1),
    pd.Period("2024-02", "M"),
    decimal.Decimal("1.10"),
    ("a", None, 1),
    b"\x00",
    frozenset({1}),
]


@pytest.mark.parametrize("name", ["known.toml", "known.JSON"])
@pytest.mark.parametrize("level", LEVELS, ids=repr)
def test_levels_of_any_class(tmp_path, name, level) -> None:
    path = tmp_path / name
    write_known(path, {"a": [level, "x"], "b": {"order": ["x"], "off_scale": [level]}})
    known = read_known_file(path)
    assert known == {"a": [level, "x"], "b": {"order": ["x"], "off_scale": [level]}}
    assert type(known["a"][0]) is type(level)


def test_scalars_of_numpy_become_pythons(tmp_path) -> None:
    levels = [np.int64(3), np.float32(0.5), np.bool_(True), np.str_("x")]
    write_known(tmp_path / "a.toml", {"a": levels})
    assert list(map(type, read_known_file(tmp_path / "a.toml")["a"])) == [int, float, bool, str]


@pytest.mark.parametrize("name", ["known.toml", "known.json"])
def test_any_names_notes_and_texts(tmp_path, name) -> None:
    """Names with every sign of ASCII and some beyond, and the same as levels and notes."""
    random = Random(4)
    signs = [
        *map(chr, range(128)),
        *string.ascii_letters,
        "\x85",
        "ß",
        "語",
        "\u202e",
        "\U0001f600",
    ]
    texts = {"".join(random.choices(signs, k=random.randrange(6))) for _ in range(300)}
    stated = {text: {"order": [text, text + "x"], "note": text} for text in texts}
    write_known(tmp_path / name, stated)
    assert read_known_file(tmp_path / name) == stated


def test_simple_statements_are_simple_lines() -> None:
    stated = {"plan": ["free", "paid"], 3: "categorical", ("a", "b"): {"type": "text"}}
    text = known_as_toml(stated)
    assert text.splitlines()[1:] == [
        'plan = ["free", "paid"]',
        '3 = "categorical"',
        "\"('a', 'b')\" = {type = \"text\"}",
    ]
    assert list(tomllib.loads(text)) == ["plan", "3", "('a', 'b')"]


def test_comments_of_a_person_stay(tmp_path) -> None:
    path = tmp_path / "known.toml"
    path.write_text('# ours\nplan = ["a", "b"]  # by Maria\n# of no use\ncode = "text"\n')
    write_known(path, {"plan": ["b", "a"], "code": "text", "a b": "count"})
    expected = (
        '# ours\nplan = ["b", "a"]  # by Maria\n# of no use\ncode = "text"\n"a b" = "count"\n'
    )
    assert path.read_text() == expected


def test_lone_surrogates_in_names_and_notes_are_escaped(tmp_path) -> None:
    write_known(tmp_path / "a.json", {"\ud800": {"type": "text", "note": "\udfff"}})
    assert read_known_file(tmp_path / "a.json") == {"\\ud800": {"type": "text", "note": "\\udfff"}}


def test_what_cannot_be_written(tmp_path) -> None:
    with pytest.raises(UnknownFormatError, match=r"known\.yaml: the name must end in \.toml or"):
        write_known(tmp_path / "known.yaml", {})
    with pytest.raises(UnwritableTypesError, match="two columns have the name '3' as text"):
        write_known(tmp_path / "known.toml", {3: "text", "3": "text"})
    with pytest.raises(UnwritableTypesError, match="of the class object, cannot be written"):
        write_known(tmp_path / "known.toml", {"a": [object()]})
    for statement in (["x", None], {"order": ["x", "y"], "off_scale": [None]}):
        for name in ("known.toml", "known.json"):
            with pytest.raises(UnwritableTypesError, match="column 'a': the level None"):
                write_known(tmp_path / name, {"a": statement})
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("a.json", "{", "is not JSON: .*; TOML needs the name .toml"),
        ("a.json", "[]", "expected column names with a type or levels each"),
        (
            "a.json",
            '{"a": [{"type": "date", "value": "x"}]}',
            "'a' has .*expected a type or a list",
        ),
        ("a.json", '{"a": {"kind": "text"}}', "'a' has .*or a table of type, order, off_scale"),
        ("a.toml", 'a = [{ json = "{" }]', "'a' has"),
        ("a.toml", "a = [1, 2,\n 1e4_00]", "1e4_00 in line 2 is no finite number"),
        ("a.toml", "a = 1", "'a' has 1, expected a type"),
        ("a.toml", "a = ", r"a\.toml: is not TOML: "),
        ("a.toml", "[a]\nb = 1", "or a table of type, order"),
        ("a.toml", ".".join("a" * 101) + " = 1", "nested deeper than the 100 keys that are read$"),
        ("a.toml", "[" + ".".join(['"a"'] * 101) + "]", "nested deeper than the 100 keys"),
        ("a.toml", ".".join("a" * 100) + " = 1", "'a' has .*expected a type"),
    ],
)
def test_what_cannot_be_read(tmp_path, name, text, message) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(UnreadableTypesError, match=message):
        read_known_file(tmp_path / name)


def test_a_table_of_toml_and_a_byte_order_mark(tmp_path) -> None:
    text = '\ufeff[size]\ntype = "ordinal"\norder = [\n  "S",\n  "M",\n]\n'
    (tmp_path / "a.toml").write_text(text, encoding="utf-8")
    assert read_known_file(tmp_path / "a.toml") == {
        "size": {"type": "ordinal", "order": ["S", "M"]}
    }


@pytest.mark.parametrize(
    ("frame", "stated"),
    [
        (pd.DataFrame([["low", 0.5], ["mid", 1.0], ["high", 0.7]] * 9, columns=["x", "x"]), {}),
        (pd.DataFrame([["low", 0.5], ["high", 0.7]] * 9, columns=[1, "1"]), {1: ["low", "high"]}),
        (pd.DataFrame([[0.5, "low"], [0.7, "high"]] * 9, columns=[1, "1"]), {"1": "categorical"}),
    ],
)
@pytest.mark.parametrize("ending", ["toml", "json"])
def test_names_that_repeat_are_not_written_as_what_is_refused(
    tmp_path, frame, stated, ending
) -> None:
    path = tmp_path / f"known.{ending}"
    types = autotype.infer_types(frame).revise(stated)
    with pytest.raises((KnownTypesError, UnwritableTypesError), match="rename one of them"):
        types.to_known(path)
    path.write_text('{"1": "text"}' if ending == "json" else '1 = "text"', encoding="utf-8")
    if 1 in frame.columns:
        with pytest.raises(UnknownColumnError, match=r"more than one column '1' .*; rename one"):
            autotype.infer_types(frame, known=path)


def test_a_column_that_a_file_names_twice(tmp_path) -> None:
    path = tmp_path / "known.toml"
    path.write_text('"size " = "text"\nsize = "count"\n', encoding="utf-8")
    with pytest.raises(UnknownColumnError, match=r"states the column 'size' .* twice; keep one"):
        autotype.infer_types(pd.DataFrame({"size": [1, 2]}), known=path)


def test_another_encoding_has_a_remedy(tmp_path) -> None:
    path = tmp_path / "known.toml"
    path.write_text('size = "text"', encoding="utf-16")
    with pytest.raises(UnreadableTypesError, match=r"known\.toml: .*; save it as UTF-8"):
        read_known_file(path)
