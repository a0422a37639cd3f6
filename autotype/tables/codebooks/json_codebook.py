"""Read codebooks in JSON: Table Schema, data packages, and mappings of columns."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from autotype.tables.codebooks.dictionary import roles_of
from autotype.tables.codebooks.value_lists import as_value, read_value_list
from autotype.types.codebook import MEASURES, Codebook, CodebookEntry

# Keys under which a document holds its columns.
_CONTAINERS = ("fields", "columns", "variables", "resources", "schema", "codebook")


def read_json_codebook(document: Any) -> Codebook | None:
    """Read a codebook from a parsed JSON document; None if it describes no columns.

    Examples
    --------
    >>> schema = {"fields": [{"name": "q", "title": "Mood", "missingValues": ["-9"]}]}
    >>> read_json_codebook(schema).columns["q"].missing
    (-9,)
    >>> book = read_json_codebook({"q": {"label": "Mood", "value_labels": {"1": "bad"}}})
    >>> book.columns["q"].values
    {1: 'bad'}
    """
    columns: dict[str, CodebookEntry] = {}
    for name, described, missing in _described(document, ()):
        columns.setdefault(name, _entry(described, missing))
    return (
        Codebook(columns) if any(entry != CodebookEntry() for entry in columns.values()) else None
    )


def _described(node: Any, missing: tuple) -> Iterable[tuple[str, Mapping, tuple]]:
    """Yield the names of columns, what is written about each, and the missing values of all."""
    if isinstance(node, list):
        for part in node:
            if isinstance(part, Mapping) and isinstance(part.get("name"), str):
                inner = [part[key] for key in _CONTAINERS if key in part]
                if not inner:
                    yield part["name"], part, missing
                for each in inner:
                    yield from _described(each, missing)
        return
    if not isinstance(node, Mapping):
        return
    if isinstance(node.get("missingValues"), list):
        missing = tuple(as_value(str(v)) for v in _plain(node["missingValues"]) if v != "")
    held = [node[key] for key in _CONTAINERS if isinstance(node.get(key), list | Mapping)]
    if held:
        for part in held:
            yield from _described(part, missing)
        return
    for name, part in node.items():
        if isinstance(part, Mapping):
            yield str(name), part, missing
        elif isinstance(part, str):
            yield str(name), {"label": part}, missing


def _plain(values: Iterable[Any]) -> list[Any]:
    """Return values, those of objects with a value and a label as the value."""
    return [v.get("value") if isinstance(v, Mapping) else v for v in values]


def _entry(described: Mapping[str, Any], missing: tuple) -> CodebookEntry:
    keys = list(map(str, described))
    roles = {role: described[keys[at]] for role, at in roles_of(keys).items()}
    constraints = described.get("constraints")
    listed = [roles.get(role) for role in ("values", "value_label", "value")]
    listed += [described.get("labels"), described.get("Levels")]
    if isinstance(constraints, Mapping):
        listed.append(constraints.get("enum"))
    values = next((found for each in listed if (found := _values(each))), {})
    is_ordered = described.get("categoriesOrdered") or described.get("type") == "ordinal"
    measure = str(roles.get("measure", "")).casefold()
    own = roles.get("missing", described.get("user_missing"))
    single, ranges = _missing(own if isinstance(own, list) else [])
    return CodebookEntry(
        label=_text(roles.get("label")) or _text(described.get("title")),
        unit=_text(roles.get("unit")),
        values=values,
        missing=(*single, *missing),
        missing_ranges=ranges,
        measure="ordinal" if is_ordered else measure if measure in MEASURES else "",
        group=_text(roles.get("group")),
    )


def _text(value: Any) -> str:
    return value.strip() if isinstance(value, str) else ""


def _values(listed: Any) -> dict[Any, str]:
    """Return value -> label of a mapping, a list of objects or strings, or a string."""
    if isinstance(listed, Mapping):
        pairs = {as_value(str(value)): label for value, label in listed.items()}
        return {value: label for value, label in pairs.items() if isinstance(label, str)}
    if isinstance(listed, list):
        objects = [part for part in listed if isinstance(part, Mapping) and "value" in part]
        if objects:
            texts = [part.get("label", part.get("text", part["value"])) for part in objects]
            return {_value(p["value"]): str(t).strip() for p, t in zip(objects, texts, strict=True)}
        return {part: part for part in listed if isinstance(part, str)}
    return read_value_list(listed) if isinstance(listed, str) else {}


def _value(value: Any) -> Any:
    return as_value(value) if isinstance(value, str) else value


def _missing(listed: list[Any]) -> tuple[tuple, tuple]:
    """Return the single missing values and the ranges of a list of both."""
    single, ranges = [], []
    for part in listed:
        if isinstance(part, Mapping):
            low, high = part.get("lo", part.get("low")), part.get("hi", part.get("high"))
        elif isinstance(part, list) and len(part) == 2:
            low, high = part
        else:
            low = high = part
        if low == high:
            single.append(_value(low))
        else:
            ranges.append((float(low), float(high)))
    return tuple(single), tuple(ranges)
