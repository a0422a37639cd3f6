"""A column type as plain values and back, exactly: what every format of a report stores, or parts.

JSON holds all of it, Arrow and schemas what they have room for.

What was read is checked against the keys of a report in JSON. The JSON Schema
``type_report.schema.json`` beside this module is the one table of the keys, their types and
meanings: other readers of reports and the page of the documentation take it as it is.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Mapping
from itertools import chain
from typing import Any

from autotype.errors import UnwritableTypesError
from autotype.types.codec.evidence_keys import EVIDENCE_PROPERTIES, REPORT
from autotype.types.codec.json_values import (
    MAX_JSON_DEPTH,
    as_unicode,
    decode,
    decode_hashable,
    encode,
    is_within_depth,
    simplify,
)
from autotype.types.column_type import ColumnProfile, ColumnType
from autotype.types.levels import check_pairs
from autotype.types.nan_equality import nan_key
from autotype.wording import format_value

Schema = dict[str, Any]

# Incremented whenever a reader of the older format would misread the newer.
FORMAT_VERSION: int = REPORT["properties"]["format_version"]["const"]
_DEFINITIONS = REPORT["$defs"]
COLUMN_SCHEMA = _DEFINITIONS["column"]
# The fields of a column, without what is computed from them.
COLUMN: dict[str, Schema] = {
    key: COLUMN_SCHEMA["properties"][key] for key in COLUMN_SCHEMA["required"]
}
# Keys that the first reports do not have, or that no reader needs.
LATER = (
    *("autotype_version", "provenance", "note", "profile", "type_probabilities", "format"),
    *("missing_markers", "labels", "title", "group", "weighted_shares", "n_effective", "platform"),
    *("scale", "reversed", "partial_order", "missing_ranges"),
)
_FIGURE = "#/$defs/figure"


def _decoded(schema: Any) -> Any:
    """Return the schema of values that have been decoded: infinities are no longer strings."""
    if isinstance(schema, dict) and schema.get("$ref") == _FIGURE:
        return {"type": ["number", "null"]}
    if isinstance(schema, dict):
        return {key: _decoded(part) for key, part in schema.items()}
    return list(map(_decoded, schema)) if isinstance(schema, list) else schema


EVIDENCE = {"type": "object", "properties": _decoded(EVIDENCE_PROPERTIES)}

_CLASSES: dict[str, tuple[str, Any]] = {
    "string": ("a string", str),
    "boolean": ("true or false", bool),
    "integer": ("an integer of 64 bits", int),
    "number": ("a number", (int, float)),
    "array": ("a list", (list, tuple)),
    "object": ("an object", Mapping),
    "null": ("null", type(None)),
}


def check(plain: Any, schema: Schema, path: str = "", *, optional: Collection[str] = ()) -> None:
    """Raise unless a value is as a schema of this module says.

    Parameters
    ----------
    plain : object
        Of lists, mappings, and what else JSON has.
    schema : dict
    path : str
        The place of the value, for the message.
    optional : collection of str
        Keys of any object that may be missing although the schema requires them.

    Raises
    ------
    ValueError

    Examples
    --------
    >>> check({"name": "a", "note": 5}, {"properties": COLUMN}, ".columns[0]")
    Traceback (most recent call last):
    ...
    ValueError: columns[0].note: 5 is not a string
    """
    if "$ref" in schema:
        schema = _DEFINITIONS[schema["$ref"].rpartition("/")[2]]
    kinds = schema.get("type", [])
    kinds = [kinds] if isinstance(kinds, str) else kinds
    if kinds and not any(_is_of(plain, kind) for kind in kinds):
        names = " or ".join(_CLASSES[kind][0] for kind in kinds)
        raise misfit(path, f": {format_value(plain)} is not {names}")
    if "enum" in schema and plain not in schema["enum"]:
        raise misfit(path, f": {format_value(plain)} is not one of {', '.join(schema['enum'])}")
    low, high = schema.get("minimum", -math.inf), schema.get("maximum", math.inf)
    is_limited = (low, high) != (-math.inf, math.inf)
    if is_limited and isinstance(plain, int | float) and not low <= plain <= high:  # nor NaN
        limits = f"a number from {low} up" if high == math.inf else f"from {low} to {high}"
        raise misfit(path, f": {format_value(plain)} is not {limits}")
    if isinstance(plain, Mapping):
        names = schema.get("propertyNames", {}).get("enum", plain)
        known = schema["properties"] if schema.get("additionalProperties") is False else names
        if unknown := plain.keys() - set(known):
            raise misfit(path, f" has the unknown key {format_value(min(unknown, key=str))}")
        if isinstance(others := schema.get("additionalProperties"), dict):
            for key in plain.keys() - schema.get("properties", {}).keys():
                check(plain[key], others, f"{path}.{key}", optional=optional)
        for key, part in schema.get("properties", {}).items():
            if key in plain:
                check(plain[key], part, f"{path}.{key}", optional=optional)
        for key in schema.get("required", ()):
            if key not in plain and key not in optional:
                raise misfit(path, f" lacks {key!r}")
    elif isinstance(plain, list | tuple):
        if not schema.get("minItems", 0) <= len(plain) <= schema.get("maxItems", math.inf):
            raise misfit(path, f": {format_value(plain)} has {len(plain)} items")
        parts = schema.get("prefixItems", [schema.get("items", {})] * len(plain))
        for j, (item, part) in enumerate(zip(plain, parts, strict=False)):
            check(item, part, f"{path}[{j}]", optional=optional)


def _is_of(plain: Any, kind: str) -> bool:
    if isinstance(plain, bool):
        return kind == "boolean"
    # Larger integers are no floats to calculate with, and no counts.
    is_large = isinstance(plain, int) and abs(plain) >> {"integer": 63}.get(kind, 1023) > 0
    return isinstance(plain, _CLASSES[kind][1]) and not is_large


def misfit(path: str, problem: object) -> ValueError:
    """Return the error for a wrong value at a place."""
    return ValueError(f"{path.removeprefix('.')}{problem}".removeprefix(": ").strip())


_SLACK = 1e-6  # of probabilities that add to 1
# Fields that hold levels: 0 for one, 1 for a list of them, 2 for a list of lists.
_DEPTHS = {
    "name": 0,
    **dict.fromkeys(("order", "best_order", "off_scale", "missing_markers"), 1),
    **dict.fromkeys(("levels", "labels", "weighted_shares"), 1),
    **dict.fromkeys(("ties", "partial_order", "alternatives"), 2),
}
# Those of them that are pairs of a level or an order with something else, by the keys of JSON.
_PAIRS = {
    "levels": ("level", "count"),
    "labels": ("level", "label"),
    "weighted_shares": ("level", "share"),
    "alternatives": ("order", "weight"),
}


def readable(column: ColumnType) -> dict[str, Any]:
    """Return a column type as readers of JSON expect it: dates as strings, tuples as lists."""
    cells = {key: simplify(getattr(column, key)) for key in COLUMN}
    cells["type_set"] = list(column.type_set())
    for key, names in _PAIRS.items():
        cells[key] = _named(_pairs(column, key), names)
    if column.profile is not None:
        cells["profile"] = {key: simplify(part) for key, part in vars(column.profile).items()}
        cells["profile"]["common"] = _named(column.profile.common, ("value", "count"))
    return cells


def _pairs(column: ColumnType, key: str) -> list[tuple[Any, Any]]:
    """Return a field of pairs; weighted proportions stand in the order of the levels."""
    pairs = getattr(column, key)
    if key == "weighted_shares" and pairs:
        return [(level, pairs.get(level, 0.0)) for level in column.levels]
    return list(pairs.items() if isinstance(pairs, Mapping) else pairs)


def _named(pairs: Iterable[tuple[Any, Any]], names: tuple[str, str]) -> list[dict[str, Any]]:
    return [dict(zip(names, map(simplify, pair), strict=True)) for pair in pairs]


def as_plain(column: ColumnType, *, without: Collection[str] = ()) -> dict[str, Any]:
    """Return a column type as values of JSON, from which `from_plain` restores it exactly.

    Parameters
    ----------
    column : ColumnType
    without : collection of str
        Fields to leave out.

    Returns
    -------
    dict
        The fields as `readable` has them. Those with values that JSON cannot distinguish, such as
        a date and its string, are repeated in ``exact``, encoded by
        `autotype.types.codec.json_values.encode`.

    Raises
    ------
    UnwritableTypesError
        If a name or a level is an object of a class that cannot be read back, or two levels would
        be read back as one.

    Examples
    --------
    >>> import datetime
    >>> due = ColumnType("due", "ordinal", order=(datetime.date(2024, 2, 29),))
    >>> plain = as_plain(due)
    >>> plain["order"], plain["exact"]["order"]
    (['2024-02-29'], [{'type': 'date', 'value': '2024-02-29'}])
    >>> from_plain(plain) == due
    True
    """
    try:
        exact = _exact(column, without)
    except UnwritableTypesError as problem:
        raise UnwritableTypesError(f"column {column.name!r}: {problem}") from None
    plain = {key: cells for key, cells in readable(column).items() if key not in without}
    return plain | ({"exact": exact} if exact else {})


def _exact(column: ColumnType, without: Collection[str]) -> dict[str, Any]:
    """Return the fields that their readable form loses, encoded."""
    parts: dict[str, Any] = {"evidence": dict(column.evidence)}
    for key, depth in _DEPTHS.items():
        held = [first for first, _ in _pairs(column, key)] if key in _PAIRS else vars(column)[key]
        parts[key] = _as_lists(held, depth)
    encoded = {key: encode(part) for key, part in parts.items() if key not in without}
    exact = {key: form for key, form in encoded.items() if form != simplify(parts[key])}
    if not is_within_depth(exact):
        raise UnwritableTypesError(
            f"its levels are nested deeper than the {MAX_JSON_DEPTH} lists and objects that are "
            "read back; cast them to strings"
        )
    levels = decode(exact.get("levels", []))
    if levels and len(set(map(nan_key, levels))) < len(column.levels):
        raise UnwritableTypesError(
            "its levels cannot be written and read back: two of different classes, as a date of "
            "NumPy and one of Python, would be one; cast them to one class"
        )
    return exact


def _as_lists(held: Any, depth: int) -> Any:
    """Return tuples that hold levels as lists; a level that is a tuple stays."""
    if depth == 0 or held is None:
        return held
    return [_as_lists(part, depth - 1) for part in held]


def from_plain(plain: Any, *, without: Collection[str] = ()) -> ColumnType:
    """Restore a column type that `as_plain` converted.

    Parameters
    ----------
    plain : mapping
    without : collection of str
        Fields that may be missing; they take the values of a new `ColumnType`.

    Raises
    ------
    ValueError
        If another field is missing, or one holds what `as_plain` does not write; the message names
        the field.
    """
    check(plain, COLUMN_SCHEMA, optional=(*without, *LATER))
    return restore(plain, "")


def restore(plain: Mapping[str, Any], path: str) -> ColumnType:
    """Return a column type of plain values that have been checked; see `from_plain`."""
    exact = plain.get("exact", {})
    values = {}
    for key in COLUMN.keys() & plain.keys():
        try:
            values[key] = _value(key, plain[key], exact.get(key))
        except (TypeError, ValueError) as problem:
            raise misfit(f"{path}.{key}", f": {problem}") from problem
    column = ColumnType(**values)
    if {"order", "levels", "off_scale"} <= plain.keys():
        _check_order(column, path)
        _check_levels(column, path)
    return column


def _check_order(column: ColumnType, path: str) -> None:
    """Raise unless type and order of a column fit each other, as edits by hand may not."""
    is_ordinal, has_order = column.semantic_type == "ordinal", column.order is not None
    if is_ordinal and not has_order and column.partial_order is None:
        raise misfit(f"{path}.order", ": null, but the column is ordinal; list its levels")
    if column.partial_order is not None:
        if has_order or not is_ordinal:
            raise misfit(f"{path}.partial_order", ": only an ordinal column without order has one")
        try:
            check_pairs(column.partial_order, column.levels or chain(*column.partial_order))
        except ValueError as problem:
            raise misfit(f"{path}.partial_order", f": {problem}") from None
    if column.order is not None and not is_ordinal:
        expected = f"null, as the column is {column.semantic_type}"
        raise misfit(f"{path}.order", f": {format_value(list(column.order))} is not {expected}")


def _check_levels(column: ColumnType, path: str) -> None:
    """Raise unless every order of a column consists of its levels, and the order of all."""
    listed = {nan_key(level): level for level in column.levels}
    off = set(map(nan_key, column.off_scale))
    orders = {f"alternatives[{j}].order": o for j, (o, _) in enumerate(column.alternatives)}
    orders |= {key: getattr(column, key) or () for key in ("order", "best_order", "off_scale")}
    for key, order in orders.items():
        seen = set(off) if key == "order" else set()
        for level in order:
            level_key = nan_key(level)
            if level_key in seen:
                problem = f": the level {level!r} is repeated, or off the scale"
                raise misfit(f"{path}.{key}", problem)
            if key != "off_scale" and listed and level_key not in listed:
                raise misfit(f"{path}.{key}", f": {level!r} is not among the levels")
            seen.add(level_key)
        if key == "order" and order and (left_out := listed.keys() - seen):
            level = listed[min(left_out, key=list(listed).index)]
            problem = f" leaves out the level {level!r}; add it here, or to off_scale"
            raise misfit(f"{path}.{key}", problem)
    if listed and column.n_levels > len(listed):
        problem = f": {column.n_levels} is more than the {len(listed)} levels that are listed"
        raise misfit(f"{path}.n_levels", problem)


def _value(key: str, plain: Any, exact: Any) -> Any:
    """Return a field that has been checked, by its exact form if there is one."""
    if key in _PAIRS:
        first, second = _PAIRS[key]
        exact = [item[first] for item in plain] if exact is None else exact
        others = [_read(second, item[second]) for item in plain]
        pairs = tuple(zip(_levels(exact, _DEPTHS[key]) or (), others, strict=True))
        if second == "weight":
            return pairs
        if len(read := dict(pairs)) < len(pairs):
            raise ValueError("a level is repeated")
        return read
    form = plain if exact is None else exact
    return _levels(form, _DEPTHS[key]) if key in _DEPTHS else _read(key, form)


def _levels(form: Any, depth: int) -> Any:
    """Return levels as tuples, whose lists are so deep."""
    if depth == 0:
        return decode_hashable(form)
    if form is None:
        return None
    if not isinstance(form, list):
        raise TypeError(f"{form!r} is not a list of levels")
    return tuple(_levels(part, depth - 1) for part in form)


def _read(key: str, form: Any) -> Any:
    return _READERS[key](form) if key in _READERS else form


def _number(plain: Any) -> float:
    if isinstance(plain, str) and plain not in ("inf", "-inf"):
        raise ValueError(f"{plain!r} is no number")
    return math.nan if plain is None else float(plain) if isinstance(plain, str) else plain


def _probabilities(plain: Any) -> dict[str, float]:
    total = math.fsum(plain.values())
    if plain and not math.isclose(total, 1, abs_tol=_SLACK):
        raise ValueError(f"they add to {total:g}, not to 1")
    return dict(plain)


def _evidence(form: Any) -> Mapping[str, Any]:
    evidence = decode(form)
    check(evidence, EVIDENCE)
    return evidence


def _profile(plain: Any) -> ColumnProfile | None:
    if plain is None:
        return None
    common = tuple((as_unicode(item["value"]), item["count"]) for item in plain["common"])
    strings = {key: as_unicode(plain[key]) for key in ("low", "high")}
    examples = tuple(map(as_unicode, plain["examples"]))
    histogram = tuple(plain["histogram"])
    return ColumnProfile(plain["n_missing"], examples, common, histogram, **strings)


# Of what is no level, by the keys of fields and of the second parts of pairs.
_READERS: dict[str, Callable[[Any], Any]] = {
    **dict.fromkeys(("probability", "order_probability", "n_effective", "weight"), _number),
    **dict.fromkeys(("note", "title", "group", "scale", "label"), as_unicode),
    "missing_ranges": lambda plain: tuple(tuple(map(_number, ends)) for ends in plain),
    "evidence": _evidence,
    "reasons": lambda plain: tuple(map(as_unicode, plain)),
    "profile": _profile,
    "type_probabilities": _probabilities,
    "format": lambda plain: None if plain is None else as_unicode(plain),
}
