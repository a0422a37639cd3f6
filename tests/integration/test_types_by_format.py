"""Every semantic type, written and read in every format: what survives, and what has no room.

`FORMATS` is the table. A field that it does not name comes back as it was, levels with their
classes. `otherwise` names a field that comes back in another form, and `no_room` one that does not
come back, each with the reason.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

import autotype
from autotype import ColumnType, TypeReport
from tests.integration.decided_columns import (
    CLASSES,
    OFF_SCALE,
    RARE_CLASSES,
    Example,
    codes,
    decided_examples,
    examples_of_classes,
    grades,
    words,
)

DISCRETE = ("ordinal", "categorical", "undetermined", "binary")


def arrow_table(example: Example) -> Any:
    return example.report.to_arrow(example.frame)


def through_json(example: Example, folder: Path) -> TypeReport:
    example.report.to_json(folder / "types.json")
    return TypeReport.from_json(folder / "types.json")


def through_arrow(example: Example, folder: Path) -> TypeReport:
    return TypeReport.from_arrow(arrow_table(example))


def through_parquet(example: Example, folder: Path) -> TypeReport:
    pq.write_table(arrow_table(example), folder / "typed.parquet")
    return TypeReport.from_arrow(pq.read_table(folder / "typed.parquet"))


def through_parquet_metadata(example: Example, folder: Path) -> TypeReport:
    pq.write_table(arrow_table(example), folder / "typed.parquet")
    return TypeReport.from_arrow(pq.read_schema(folder / "typed.parquet"))


def through_schema(example: Example, folder: Path) -> TypeReport:
    schema = autotype.to_schema(example.frame, example.report)
    autotype.write_schema(schema, folder / "schema.yaml")
    return TypeReport.from_schema(autotype.read_schema(folder / "schema.yaml"))


def through_known(suffix: str) -> Callable[[Example, Path], TypeReport]:
    def through(example: Example, folder: Path) -> TypeReport:
        example.report.to_known(folder / f"known.{suffix}")
        return example.infer(known=folder / f"known.{suffix}")

    return through


def through_frictionless(example: Example, folder: Path) -> dict[str, Any]:
    """Return what a reader of the standard finds; autotype itself reads no Table Schema."""
    example.report.to_frictionless(folder / "schema.json")
    (found,) = json.loads((folder / "schema.json").read_text(encoding="utf-8"))["fields"]
    categories = found.get("categories")
    return {
        "semantic_type": found["type"],
        "order": categories if found.get("categoriesOrdered") else None,
        "levels": categories or found.get("constraints", {}).get("enum", []),
        "note": found.get("description", ""),
    }


def fields(column: ColumnType) -> dict[str, Any]:
    """Return what a format must keep of a column, with the class of each level.

    Direction and the probability of the order are those of `order`, and levels those of columns
    that have some by their type. NaN is None.
    """
    is_ordinal = column.order is not None
    levels = column.levels if column.semantic_type in DISCRETE else {}
    return {
        "semantic_type": column.semantic_type,
        "order": _exact(column.order) if column.order is not None else None,
        "off_scale": _exact(column.off_scale),
        "direction_known": is_ordinal and column.direction_known,
        "levels": dict(zip(_exact(levels), levels.values(), strict=True)),
        "provenance": column.provenance,
        "note": column.note,
        "probability": _number(column.probability),
        "order_probability": _number(column.order_probability) if is_ordinal else None,
    }


def _exact(levels: Any) -> list[tuple[str, Any]]:
    return [(type(level).__name__, level) for level in levels]


def _number(value: float) -> float | None:
    return None if math.isnan(value) else value


@dataclass(frozen=True)
class Format:
    """A format: how a report goes through it, and what of it comes back otherwise, or not at all.

    Attributes
    ----------
    name : str
    through : callable
        Of an example and a folder, returns the report that was read, or its fields.
    otherwise : mapping
        Field -> the reason why it changes, and what becomes of it for a `ColumnType`.
    no_room : mapping
        Field -> the reason why it does not come back.
    """

    name: str
    through: Callable[[Example, Path], TypeReport | dict[str, Any]]
    otherwise: Mapping[str, tuple[str, Callable[[ColumnType], Any]]] = field(default_factory=dict)
    no_room: Mapping[str, str] = field(default_factory=dict)

    def __str__(self) -> str:
        return self.name

    def given(self, example: Example, folder: Path) -> dict[str, Any]:
        """Return the fields that come back."""
        found = self.through(example, folder)
        return fields(found["x"]) if isinstance(found, TypeReport) else found

    def expected(self, column: ColumnType) -> dict[str, Any]:
        """Return the fields that must come back."""
        kept = {key: value for key, value in fields(column).items() if key not in self.no_room}
        return kept | {key: become(column) for key, (_, become) in self.otherwise.items()}


# What becomes of a field, for a column that is read back.


def without_counts(column: ColumnType) -> dict:
    return dict.fromkeys(fields(column)["levels"], 0)


def is_decided(column: ColumnType) -> bool:
    """Check whether a file of decisions has a line for a column; the others are inferred again."""
    is_verdict = column.semantic_type in ("ordinal", "categorical")
    return column.provenance in ("known", "revised") or (
        is_verdict and column.provenance != "dtype"
    )


def provenance_as_read(column: ColumnType) -> str:
    stated = {"revised": "known", "inferred": "kept"} if is_decided(column) else {}
    return stated.get(column.provenance, column.provenance)


def to_four_digits(key: str) -> Callable[[ColumnType], Any]:
    def become(column: ColumnType) -> Any:
        value = fields(column)[key]
        return round(value, 4) if is_decided(column) and value is not None else value

    return become


KNOWN_FILE: dict[str, tuple[str, Callable[[ColumnType], Any]]] = {
    "provenance": (
        "what a person decided is stated when it is read, what was inferred an earlier verdict",
        provenance_as_read,
    ),
    "probability": ("four digits keep a line short", to_four_digits("probability")),
    "order_probability": ("four digits keep a line short", to_four_digits("order_probability")),
    "note": (
        "a column without a decision has no line",
        lambda column: column.note if is_decided(column) else "",
    ),
    "off_scale": (
        "a statement has levels off the scale only where it has a scale",
        lambda column: (
            [] if is_decided(column) and column.order is None else _exact(column.off_scale)
        ),
    ),
}


def field_type(column: ColumnType) -> str:
    """Return the type of a Frictionless field: of its levels if it has some."""
    by_type = {
        "continuous": "number",
        "count": "integer",
        "datetime": "datetime",
        "identifier": "any",
        "text": "string",
    }
    if column.semantic_type in by_type or not column.levels:
        return by_type.get(column.semantic_type, "any")
    if not all(map(_is_json, column.levels)):
        return "string"
    (kind,) = {type(level) for level in column.levels}
    return {bool: "boolean", int: "integer", float: "number"}.get(kind, "string")


def categories(column: ColumnType) -> list:
    """Return the levels of a Frictionless field: those off the scale, then from the lowest up.

    They are strings unless JSON holds all of them.
    """
    if field_type(column) == "boolean" or column.semantic_type not in (*DISCRETE, "constant"):
        return []
    is_ordinal = column.order is not None
    levels = [*column.off_scale, *column.order] if is_ordinal else list(column.levels)
    return levels if all(map(_is_json, levels)) else list(map(str, levels))


def categories_in_order(column: ColumnType) -> list | None:
    has_categories = all(isinstance(level, str | int) for level in column.levels)
    is_ordered = column.order is not None and has_categories
    return categories(column) or None if is_ordered else None


def _is_json(level: Any) -> bool:
    return isinstance(level, str | int) or (isinstance(level, float) and math.isfinite(level))


FRICTIONLESS: dict[str, tuple[str, Callable[[ColumnType], Any]]] = {
    "semantic_type": ("a field has a type of the values only", field_type),
    "levels": ("categories have no counts, and booleans no categories", categories),
    "order": ("categories are strings or integers; those off the scale first", categories_in_order),
}

FORMATS = [
    Format("JSON", through_json),
    Format("Arrow", through_arrow),
    Format("Parquet", through_parquet),
    Format("Parquet metadata", through_parquet_metadata),
    Format(
        "schema YAML",
        through_schema,
        {"levels": ("a schema is for other rows, with other counts", without_counts)},
    ),
    Format("known TOML", through_known("toml"), KNOWN_FILE),
    Format("known JSON", through_known("json"), KNOWN_FILE),
    Format(
        "Frictionless",
        through_frictionless,
        FRICTIONLESS,
        {
            "off_scale": "categories do not tell those off the scale from those on it",
            "direction_known": "ordered categories have a direction",
            "provenance": "no property says who described a field",
            "probability": "no property says how sure a type is",
            "order_probability": "no property says how sure an order is",
        },
    ),
]

NOTE = 'as the desk codes "it",\n – since 2024'
BY_SOURCE = {
    "inferred": Example("ordinal", "inferred", grades(5), OFF_SCALE),
    "judged": Example("ordinal", "judged", codes(20), OFF_SCALE, max_levels=200),
    "known": Example("ordinal", "known", codes(5), OFF_SCALE),
    "revised": Example("ordinal", "revised", codes(5), OFF_SCALE),
    "kept": Example("ordinal", "kept", grades(5), OFF_SCALE),
    "dtype": Example("ordinal", "dtype", codes(5)),
}
EXAMPLES = [
    *(e for e in decided_examples() if len(e.levels) != 2 or e.semantic_type == "binary"),
    *examples_of_classes({**CLASSES, **RARE_CLASSES}),
    *(BY_SOURCE[source] for source in ("kept", "dtype")),
    Example("categorical", "kept", words(5)),
    *(replace(example, note=NOTE) for example in BY_SOURCE.values()),
    Example("categorical", "revised", codes(5), note=NOTE),
    Example("undetermined", "inferred", codes(5), note=NOTE),
    Example("binary", "inferred", ("yes", "no"), note=NOTE),
]


@pytest.mark.parametrize("example", EXAMPLES, ids=str)
@pytest.mark.parametrize("form", FORMATS, ids=str)
def test_what_a_format_keeps(form: Format, example: Example, tmp_path: Path) -> None:
    column = example.report["x"]
    given, expected = form.given(example, tmp_path), form.expected(column)
    if not column.levels:  # the report lists none: those of the data may come back
        del given["levels"], expected["levels"]
    assert {key: value for key, value in given.items() if key not in form.no_room} == expected


@pytest.mark.parametrize("form", FORMATS, ids=str)
def test_what_is_listed_as_changed_changes(form: Format, tmp_path: Path) -> None:
    """The table lists nothing that would come back as it was."""
    listed = {*form.otherwise, *form.no_room}
    for example in EXAMPLES:
        if not listed:
            break
        before, after = fields(example.report["x"]), form.given(example, tmp_path)
        listed -= {key for key in listed if after.get(key) != before[key]}
    assert not listed


@pytest.mark.parametrize("form", FORMATS[:-1], ids=str)
@pytest.mark.parametrize("source", BY_SOURCE)
def test_who_decided(form: Format, source: str, tmp_path: Path) -> None:
    """What a person decided stays a person's, and what was inferred does not become one's."""
    example = BY_SOURCE[source]
    read = form.through(example, tmp_path)
    assert isinstance(read, TypeReport)
    assert read.to_known(stated=True) == example.report.to_known(stated=True)
    assert bool(read.to_known(stated=True)) == (source in ("known", "revised"))
