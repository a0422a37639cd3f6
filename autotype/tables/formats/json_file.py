"""Read a table from JSON: lines of objects, or a document that holds records somewhere.

A document has no fixed place for a table. It may be a list of records, lists by column, records by
key, or records deep under keys such as ``result.items``. What is taken for the table is stated,
and other lists of records beside it too.
"""

from __future__ import annotations

import io
import itertools
import json
import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import pandas as pd

from autotype.errors import UnreadableTableError
from autotype.tables.columns import column_of_records, distinct_names, frame_of_columns
from autotype.tables.content import Content
from autotype.tables.table import Limits, ReadOptions, Table
from autotype.tables.text.encoding import detect_encoding
from autotype.types.codebook import Codebook
from autotype.types.codec.json_values import without_repetition
from autotype.types.column_names import unnamed
from autotype.types.reading import Reading
from autotype.wording import first_line, format_some

_HALF_A_PAIR = re.compile(r"\\u[dD][89a-fA-F]")  # may be half of a surrogate pair
_ASIDE = ("schema", "meta", "metadata")  # hold what is written about the records
_DEPTH = 20  # of nested records that become columns
_DEPTH_OF_TABLE = 6  # of the keys above the records

Path = tuple[str, ...]


def read_json(content: Content, limits: Limits, options: ReadOptions) -> Table:
    """Read JSON lines, or the records of a JSON document.

    Parameters
    ----------
    content : Content
        Its format is "jsonl" or "json".
    limits : Limits
        Name in error messages, and the number of cells that the table may have.
    options : ReadOptions
        The encoding, by default that of `detect_encoding`, and the number of rows.

    Returns
    -------
    Table
        Of a document the table is a list of records or of rows, lists or objects of equal keys by
        column, the properties of GeoJSON, records by key, or the longest list of records at any
        key. Null and what a row lacks are missing. Integers stay whole (Int64 if some are missing).
        Nested records are columns whose names are joined by dots. Strings that are all dates,
        written alike as ISO 8601 has them, are datetime64[us].

    Raises
    ------
    UnreadableTableError
        If the text is no JSON, repeats a key, holds no records, or is beyond the limits.
    LookupError
        If there is no such encoding.
    """
    path = limits.path
    encoding = detect_encoding(content.opened, given=options.encoding)
    found, document = _Records(()), ""
    try:
        with (
            content.opened() as file,
            io.TextIOWrapper(file, encoding.name, encoding.errors) as text,
        ):
            if content.format == "jsonl":
                found.records = _records_of_lines(text, path)
            elif document := text.read().strip():
                found = _find_records(_parsed(document, f"{path}: the document", "JSON"), path)
            frame = frame_of_records(itertools.islice(found.records, options.n_rows), limits)
    except UnicodeError as problem:
        raise UnreadableTableError(f"{path}: {problem}; give its encoding") from problem
    if frame is None:
        what = "holds an empty table" if document else "is empty, it holds no JSON object"
        raise UnreadableTableError(f"{path}: {what}")
    reading = Reading(
        content.format,
        encoding=encoding.name.removesuffix("-sig"),
        dropped=tuple(found.dropped),
        doubts=(*encoding.doubts, *found.doubts),
    )
    return Table(frame, Codebook(), reading)


def _records_of_lines(lines: Iterable[str], path: str) -> Iterator[dict[str, Any]]:
    for number, line in enumerate(lines, start=1):
        if line.strip():
            where = f"{path}: line {number}"
            row = _parsed(line, where, "a JSON object")
            if not isinstance(row, dict):
                raise UnreadableTableError(
                    f"{where} holds a JSON {type(row).__name__}, not an object: expected one row "
                    "per line"
                )
            yield row


def _parsed(text: str, where: str, expected: str) -> Any:
    try:
        value = json.loads(
            text.strip(), object_pairs_hook=without_repetition, parse_float=_finite_or_text
        )
        if _HALF_A_PAIR.search(text):
            json.dumps(value, ensure_ascii=False).encode()
    except json.JSONDecodeError as problem:
        place = f"line {problem.lineno}, column" if problem.lineno > 1 else "column"
        reason = f"{problem.msg} at {place} {problem.colno}"
        raise UnreadableTableError(f"{where} is not {expected} ({reason})") from problem
    except UnicodeEncodeError as problem:
        raise UnreadableTableError(
            f"{where} holds half of a surrogate pair, which is no character; correct it"
        ) from problem
    except (ValueError, RecursionError) as problem:  # too many digits or nested brackets
        raise UnreadableTableError(f"{where} cannot be read ({first_line(problem)})") from problem
    return value


def _finite_or_text(number: str) -> float | str:
    """Return a number, or one beyond the range of floats as it is written, as in CSV."""
    value = float(number)
    return number if math.isinf(value) else value


class _Records:
    """The records of a document, and what is to be said of how they were found."""

    def __init__(self, records: Iterable[dict[str, Any]]) -> None:
        self.records = records
        self.dropped: list[str] = []
        self.doubts: list[str] = []


def _find_records(value: Any, path: str) -> _Records:
    if isinstance(value, list):
        return _Records(_records_of_list(value, path))
    if not isinstance(value, dict):
        raise UnreadableTableError(f"{path}: holds a JSON {type(value).__name__}, not a table")
    if value.get("type") == "FeatureCollection" and isinstance(value.get("features"), list):
        return _of_features(value["features"], path)
    columns: Any = value.get("columns")
    rows: Any = value.get("data")
    if _is_rows(rows) and _is_names(columns, rows):
        return _Records(dict(zip(distinct_names(columns), row, strict=False)) for row in rows)
    if _is_by_column(value):
        columns = [list(c.values()) if isinstance(c, dict) else c for c in value.values()]
        return _Records(dict(zip(value, row, strict=True)) for row in zip(*columns, strict=True))
    if _is_by_key(value):
        return _Records({unnamed(0): key, **row} for key, row in value.items())
    lists = sorted(_lists_of_records(value, ()), key=lambda at: (at[0][0] in _ASIDE, -len(at[1])))
    if not lists:
        return _Records([value])
    found = _Records(_records_of_list(lists[0][1], path))
    where, *others = [".".join(keys) for keys, _ in lists]
    if others:
        found.doubts.append(
            f"the table is the {len(lists[0][1])} records of {where!r}; {format_some(others)} hold "
            "records too"
        )
    beside = [key for key in value if key != lists[0][0][0] and key not in others]
    if beside:
        found.dropped.append(f"{format_some(beside)} beside the records of {where!r}")
    return found


def _records_of_list(values: list[Any], path: str) -> Iterator[dict[str, Any]]:
    """Yield the records of a list of objects, or of a list of rows under a row of names."""
    if _is_rows(values) and len(values) > 1 and _is_names(values[0], values[1:]):
        names = distinct_names(values[0])
        yield from (dict(zip(names, row, strict=False)) for row in values[1:])
        return
    for number, value in enumerate(values, start=1):
        if isinstance(value, list):
            value = {str(k): cell for k, cell in enumerate(value)}
        if value is not None and not isinstance(value, dict):
            raise UnreadableTableError(
                f"{path}: value {number} of the list is a JSON {type(value).__name__}, not an "
                "object: expected one record per row"
            )
        yield value or {}


def _of_features(features: list[Any], path: str) -> _Records:
    records = list(_records_of_list(features, path))
    found = _Records(
        [p if isinstance(p := record.get("properties"), dict) else {} for record in records]
    )
    known = ("type", "properties")
    beside = dict.fromkeys(k for record in records for k in record if k not in known)
    if beside:
        found.dropped.append(f"{format_some(list(beside))} of each feature of GeoJSON")
    return found


def _is_rows(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(row, list) for row in value)


def _is_names(names: Any, rows: Sequence[list[Any]]) -> bool:
    return (
        isinstance(names, list)
        and all(isinstance(name, str) for name in names)
        and all(len(row) <= len(names) for row in rows)
        and len(set(names)) == len(names)
    )


def _is_by_column(value: dict[str, Any]) -> bool:
    """Check for columns of equal lengths: lists of cells, or cells by the number of the row."""
    cells = list(value.values())
    if not cells:
        return False
    if all(isinstance(column, list) for column in cells):
        is_one = len(cells) == 1
        nested = (dict, list) if is_one else dict
        has_cells = not any(isinstance(cell, nested) for column in cells for cell in column)
        return len({len(column) for column in cells}) == 1 and has_cells and bool(cells[0])
    if not all(isinstance(column, dict) for column in cells):
        return False
    rows = cells[0].keys()
    return bool(rows) and all(c.keys() == rows for c in cells) and all(k.isdecimal() for k in rows)


def _is_by_key(value: dict[str, Any]) -> bool:
    """Check for records of mostly the same keys under keys of their own."""
    records = list(value.values())
    if len(records) < 2 or not all(isinstance(record, dict) and record for record in records):
        return False
    counts = Counter(key for record in records for key in record)
    return sum(counts.values()) >= 0.6 * len(counts) * len(records) and len(counts) > 1


def _lists_of_records(value: dict[str, Any], above: Path) -> Iterator[tuple[Path, list[Any]]]:
    if len(above) >= _DEPTH_OF_TABLE:
        return
    for key, inner in value.items():
        if isinstance(inner, dict):
            yield from _lists_of_records(inner, (*above, key))
        elif isinstance(inner, list) and inner and all(isinstance(v, dict) for v in inner):
            yield (*above, key), inner


def frame_of_records(records: Iterable[dict[str, Any]], limits: Limits) -> pd.DataFrame | None:
    """Return records as a frame, with those in them as columns; None if there are none.

    Parameters
    ----------
    records : iterable of dict
    limits : Limits
        Of the number of columns and cells, which are checked record by record.
    """
    rows: list[dict[Path, Any]] = []
    names: dict[Path, None] = {}
    for record in records:
        row = record if not any(isinstance(v, dict) for v in record.values()) else None
        rows.append(dict(_flat(record, ())) if row is None else {(k,): v for k, v in row.items()})
        names.update(dict.fromkeys(rows[-1]))
        limits.check_cells(len(rows), len(names))
    if not rows:
        return None
    joined = [".".join(name) for name in names]
    if len(set(joined)) < len(joined):
        joined = distinct_names(joined)
    columns = [column_of_records([row.get(name) for row in rows]) for name in names]
    return frame_of_columns(dict(zip(joined, columns, strict=True)), pd.RangeIndex(len(rows)))


def _flat(record: dict[str, Any], above: Path) -> Iterator[tuple[Path, Any]]:
    for key, value in record.items():
        if isinstance(value, dict) and value and len(above) < _DEPTH:
            yield from _flat(value, (*above, key))
        else:
            yield (*above, key), value
