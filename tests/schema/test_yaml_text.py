"""YAML of unknown origin: read within limits counted before aliases are expanded, or refused."""

from __future__ import annotations

import enum
import random

import pandas as pd
import pytest

import autotype
from autotype.errors import UnreadableTypesError
from autotype.schema import yaml_text
from autotype.schema.yaml_io import schema_from_yaml, schema_to_yaml
from autotype.schema.yaml_text import MAX_YAML_DEPTH, read_yaml, write_yaml
from autotype.type_report import TypeReport
from tests.strategies.reports import first, mutated_schemas


def bomb(n_lines: int) -> str:
    """Aliases of aliases: ten to the n-th values."""
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    for n in range(1, n_lines):
        lines.append(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]")
    return "\n".join(lines)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (bomb(30), "too large: more than the 1,000,000 values"),
        ("a: &a {b: 1}\n" + "<<: [" + ", ".join(["*a"] * 10) + "]\n" + bomb(9), "too large"),
        ("a: &a [*a]", "a value contains itself"),
        ("a: &a {<<: *a}", "a value contains itself"),
        ("[" * 20_000, "nested deeper than the 100 lists and mappings"),
        ("- " * 20_000, "nested deeper than the 100 lists and mappings"),
        ("a: 1\nb: 2\na: 1", "the key 'a' is repeated"),
        ("a: *b", "not YAML: found undefined alias"),
        ("a: !!python/object/apply:os.getcwd []", "could not determine a constructor"),
        ("a: 2024-99-99", "not YAML: month must be in"),
        ("a: " + "9" * 5_000, "not YAML: Exceeds the limit"),
        ("? [a]\n: 1", "not YAML"),
        ("a: \x00", "not YAML"),
        ("- yes\n- no", "not YAML with one meaning: yes in line 1 may be text; put text in quotes"),
        ("a: [S, 010]", "010 in line 1 may be text"),
        ("a: 12:30", "12:30 in line 1 may be text"),
        ("a:\n- 1_000", "1_000 in line 2 may be text"),
        ("[0x1F]", "0x1F in line 1 may be text"),
        ("[+49]", r"\+49 in line 1 may be text"),
        ("[1:30.5]", "1:30.5 in line 1 may be text"),
        ("[1e400]", "1e400 in line 1 may be text"),
        ("a: 1.5E3", "1.5E3 in line 1 may be text"),
        ("[0o17]", "0o17 in line 1 may be text"),
    ],
    ids=lambda text: text[:20],
)
def test_what_is_refused(text, message) -> None:
    with pytest.raises(UnreadableTypesError, match=message):
        read_yaml(text)


def test_values_that_each_version_of_yaml_reads_alike() -> None:
    text = "{a: yes, b: [true, False, 'no', '010', -10, 0, 1.5, -0.5e+3, .inf, 2x:3]}"
    read = [True, False, "no", "010", -10, 0, 1.5, -500.0, float("inf"), "2x:3"]
    assert read_yaml(text) == {"a": True, "b": read}


def test_the_limits_themselves_are_read(monkeypatch) -> None:
    read_yaml("[" * MAX_YAML_DEPTH + "]" * MAX_YAML_DEPTH)
    assert read_yaml("a: &a [1, 2]\nb: *a\nc: *a") == {key: [1, 2] for key in "abc"}
    monkeypatch.setattr(yaml_text, "MAX_YAML_SIZE", 5)
    with pytest.raises(UnreadableTypesError, match="too long: 6 characters, more than the 5"):
        read_yaml("[1, 2]")


def test_values_are_counted_while_they_are_read(monkeypatch) -> None:
    monkeypatch.setattr(yaml_text, "MAX_YAML_NODES", 10)
    assert len(read_yaml("[" + "[], " * 9 + "]")) == 9
    with pytest.raises(UnreadableTypesError, match="too large: more than the 10 values"):
        read_yaml("[" + "[], " * 11 + "}")  # the end, which is no YAML, is not reached


@pytest.mark.parametrize("text", ["1e5", "1.5e3", "-.5E+7", "0o17", "1e", "0o8", "e5", "1.5"])
def test_texts_that_are_numbers_to_some_are_written_in_quotes(text) -> None:
    written = write_yaml([text, {text: text}])
    assert read_yaml(written) == [text, {text: text}]
    assert (f"'{text}'" in written) == (text not in ("1e", "0o8", "e5"))


def test_a_schema_is_written_without_aliases() -> None:
    shared = ["a", "b", "c"]
    frame = pd.DataFrame({name: pd.Categorical(shared, ordered=True) for name in "xyz"})
    text = schema_to_yaml(frame.ordinal.to_schema(frame.ordinal.infer_types()))
    assert "*" not in text
    assert "&" not in text


def test_damaged_schemas_are_read_or_refused() -> None:
    read = 0
    for text in first(60, mutated_schemas(random.Random(0))):
        try:
            TypeReport.from_schema(schema_from_yaml(text))
        except UnreadableTypesError:
            continue
        read += 1
    assert 0 < read < 60


def test_damaged_notes_and_levels_of_a_schema(tmp_path) -> None:
    frame = pd.DataFrame({"size": ["S", "M", "L"] * 5})
    text = schema_to_yaml(frame.ordinal.to_schema(frame.ordinal.infer_types()))
    path = tmp_path / "schema.yaml"
    path.write_bytes(b"a: \xff")
    with pytest.raises(UnreadableTypesError, match=r"schema\.yaml: not a string in UTF-8"):
        autotype.read_schema(path)
    for old, new, message in (
        (
            "semantic_type: ordinal",
            "semantic_type: colour",
            "semantic_type: 'colour' is not one of",
        ),
        ("direction_known: true", "direction_known: 5", "direction_known: 5 is not true or false"),
        ("- name: size", "- nom: size", "metadata 'autotype' are damaged"),
        ("- L\n", "- [L]\n", "is neither a name nor a level"),
    ):
        assert old in text
        with pytest.raises(UnreadableTypesError, match=message):
            TypeReport.from_schema(schema_from_yaml(text.replace(old, new)))


def test_members_of_an_enumeration_are_their_plain_values() -> None:
    number = enum.IntEnum("Level", ["low", "high"])
    text = enum.StrEnum("Kind", ["low", "high"])
    assert write_yaml([number.high, text.low, True]) == "- 2\n- low\n- true\n"
