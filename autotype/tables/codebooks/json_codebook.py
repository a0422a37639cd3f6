"""Read codebooks in JSON: Table Schema, data packages, and mappings of columns."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from autotype.tables.codebooks.dictionary import as_value, read_value_list, roles_of
from autotype.types.codebook import Codebook, CodebookEntry, measure_of
from autotype.wording import format_level

# Keys under which a document holds its columns.
_CONTAINERS = (
    "fields", "columns", "variables", "resources", "schema", "tableSchema", "variableMeasured",
    "codebook",
)  # fmt: skip


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
    is_described = any(entry != CodebookEntry() for entry in columns.values())
    return Codebook(columns) if is_described else None


def as_json_codebook(codebook: Codebook) -> dict[str, Any]:
    """Return a codebook as plain data that `read_json_codebook` reads."""
    columns = []
    for name, entry in codebook.columns.items():
        ranges = [[str(end) for end in ends] for ends in entry.missing_ranges]  # may be infinite
        plain = vars(entry) | {
            "name": str(name),
            "values": [{"value": _json(v), "label": t} for v, t in entry.values.items()],
            "missing": [*map(_json, entry.missing), *ranges],
        }
        columns.append({k: part for k, part in plain.items() if part and k != "missing_ranges"})
    return {"codebook": columns}


def _json(value: Any) -> Any:
    return value if isinstance(value, int | float | str) else format_level(value)


def _described(node: Any, missing: tuple) -> Iterable[tuple[str, Mapping, tuple]]:
    """Yield the names of columns, what is written about each, and the missing values of all."""
    if isinstance(node, list):
        for part in node:
            inner = [part[k] for k in _CONTAINERS if k in part] if isinstance(part, Mapping) else []
            for each in inner:
                yield from _described(each, missing)
            if not inner and isinstance(part, Mapping) and isinstance(part.get("name"), str):
                yield part["name"], part, missing
        return
    if not isinstance(node, Mapping):
        return
    if isinstance(node.get("missingValues"), list):
        missing = tuple(node["missingValues"])
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


def _entry(described: Mapping[str, Any], missing: tuple) -> CodebookEntry:
    keys = list(map(str, described))
    roles = {role: described[keys[at]] for role, at in roles_of(keys).items()}
    constraints = described.get("constraints")
    listed = [roles.get(role) for role in ("values", "value_label", "value")]
    listed += [described.get("labels"), described.get("Levels"), described.get("valueReference")]
    if isinstance(constraints, Mapping):
        listed.append(constraints.get("enum"))
    values = next((found for each in listed if (found := _values(each))), {})
    is_ordered = described.get("categoriesOrdered") or described.get("type") == "ordinal"
    own = roles.get("missing", described.get("user_missing"))
    single, ranges, texts = _missing([*(own if isinstance(own, list) else []), *missing])
    return CodebookEntry(
        label=_text(roles.get("label")) or _text(described.get("title", described.get("titles"))),
        unit=_text(roles.get("unit")),
        values={**values, **texts} if values else {},
        missing=single,
        missing_ranges=ranges,
        measure="ordinal" if is_ordered else measure_of(roles.get("measure")),
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
            keys = ("label", "text", "name", "value")
            texts = [next(part[key] for key in keys if key in part) for part in objects]
            return {_value(p["value"]): str(t).strip() for p, t in zip(objects, texts, strict=True)}
        return {part: part for part in listed if isinstance(part, str)}
    return read_value_list(listed) if isinstance(listed, str) else {}


def _value(value: Any) -> Any:
    return as_value(value) if isinstance(value, str) else value


def _missing(listed: list[Any]) -> tuple[tuple, tuple, dict[Any, str]]:
    """Return the single missing values, the ranges, and the labels of a list of missing values."""
    single, ranges, texts = [], [], {}
    for part in listed:
        if isinstance(part, Mapping) and "value" in part:
            low = high = part["value"]
            texts[_value(low)] = _text(part.get("label"))
        elif isinstance(part, Mapping):
            low, high = part.get("lo", part.get("low")), part.get("hi", part.get("high"))
        elif isinstance(part, list) and len(part) == 2:
            low, high = part
        else:
            low = high = part
        if low != high:
            ranges.append((float(low), float(high)))
        elif low != "":
            single.append(_value(low))
    return tuple(dict.fromkeys(single)), tuple(ranges), {v: t for v, t in texts.items() if t}
