"""Sphinx extension: `json-schema FILE` tabulates the fields of a JSON Schema, object by object."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective


def objects(schema: dict[str, Any], name: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the objects of a schema that state their properties: itself, then those inside."""
    if "properties" in schema:
        yield name, schema
        for field, inner in schema["properties"].items():
            yield from objects(inner, f"{name}.{field}")
    if "items" in schema:
        yield from objects(schema["items"], f"{name}[]")
    for defined, inner in schema.get("$defs", {}).items():
        yield from objects(inner, defined)


def fields(schema: dict[str, Any]) -> Iterator[tuple[str, str, str]]:
    """Yield name, type and meaning of each property of an object."""
    required = schema.get("required", [])
    for name, field in schema["properties"].items():
        optional = "" if name in required else " (optional)"
        yield name, kind(field) + optional, field.get("description", "")


def kind(field: dict[str, Any]) -> str:
    """Return the type of a field in words."""
    if "$ref" in field:
        return str(field["$ref"]).rsplit("/", 1)[-1]
    if "const" in field:
        return json.dumps(field["const"])
    if "enum" in field:
        return ", ".join(map(json.dumps, field["enum"]))
    stated = field.get("type", "any")
    text = stated if isinstance(stated, str) else " or ".join(stated)
    inner = field.get("items")
    return f"{text} of {kind(inner)}" if inner else text


class JsonSchema(SphinxDirective):
    """One section an object: a table of its fields."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Return the sections."""
        _, path = self.env.relfn2path(self.arguments[0])
        self.env.note_dependency(path)
        schema = json.loads(Path(path).read_text(encoding="utf-8"))
        found: list[nodes.Node] = [_section(*pair) for pair in objects(schema, "report")]
        return found


def _section(name: str, schema: dict[str, Any]) -> nodes.section:
    section = nodes.section(ids=[nodes.make_id(f"schema-{name}")], names=[name])
    section += nodes.title("", "", nodes.literal("", name))
    if description := schema.get("description"):
        section += nodes.paragraph("", description)
    rows = [
        _row(nodes.literal("", field), nodes.Text(type_), nodes.Text(meaning))
        for field, type_, meaning in fields(schema)
    ]
    group = nodes.tgroup("", *(nodes.colspec(colwidth=w) for w in (25, 25, 50)), cols=3)
    group += nodes.thead("", _row(*map(nodes.Text, ("field", "type", "meaning"))))
    group += nodes.tbody("", *rows)
    section += nodes.table("", group)
    return section


def _row(*cells: nodes.Node) -> nodes.row:
    return nodes.row("", *(nodes.entry("", nodes.paragraph("", "", cell)) for cell in cells))


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the extension."""
    app.add_directive("json-schema", JsonSchema)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
