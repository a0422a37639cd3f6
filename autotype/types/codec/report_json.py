"""A report as JSON and back: the columns, the warnings, and what is known of the frame."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

import pandas as pd

from autotype._version import __version__
from autotype.errors import UnreadableTypesError
from autotype.types.codec.json_text import read_json
from autotype.types.codec.json_values import as_unicode, decode_hashable, encode
from autotype.types.codec.plain_column import as_plain, from_plain, readable
from autotype.types.codec.shapes import (
    LEVEL,
    STRING,
    Fields,
    as_list,
    is_count,
    read_fields,
    write_exactly,
    write_fields,
)
from autotype.types.column_type import ColumnType
from autotype.types.column_types import ColumnTypes
from autotype.types.data_warning import DataWarning
from autotype.wording import format_value

T = TypeVar("T")

# Incremented whenever a reader of the older format would misread the newer.
FORMAT_VERSION = 1

WARNING: Fields = {
    "kind": (STRING, 'What it is, such as "missing marker".'),
    "message": (STRING, "What was found, and where."),
    "remedy": (STRING, "What to do about it."),
    "column": (LEVEL, "Name of the column; null for several columns, or a row."),
}


def summarise(report: ColumnTypes) -> dict[str, Any]:
    """Return a report as dictionaries, lists, strings, numbers, booleans and None.

    Parameters
    ----------
    report : TypeReport

    Returns
    -------
    dict
        ``format_version``, ``autotype_version``, ``n_rows``, ``sample`` if rows were sampled,
        ``warnings``, a list of the fields of `DataWarning`, and ``columns``: for each column of the
        frame a dictionary of the fields of `ColumnType`. Levels are a list of ``{"level",
        "count"}`` in the order of the field, alternatives a list of ``{"order", "weight"}``.
        Infinities and objects of other classes are strings. The file
        ``autotype/types/codec/type_report.schema.json`` describes all of it as a JSON Schema.

    Examples
    --------
    >>> from autotype import ColumnType, TypeReport
    >>> size = ColumnType("size", "ordinal", 0.9, order=("S", "M"), levels={"S": 4, "M": 5})
    >>> summary = summarise(TypeReport([size], n_rows=9))
    >>> summary["columns"][0]["levels"]
    [{'level': 'S', 'count': 4}, {'level': 'M', 'count': 5}]
    """
    return _summary(report, lambda warning: write_fields(warning, WARNING), readable)


def encode_report(report: ColumnTypes) -> dict[str, Any]:
    """Return a report as `summarise` does, with what it takes to read the same report again.

    Parameters
    ----------
    report : TypeReport

    Returns
    -------
    dict
        Columns as `as_plain` returns them; ``names`` holds the names of the column labels' levels,
        if they have any.

    Raises
    ------
    UnwritableTypesError
        If a name or a level is an object of a class that cannot be read back, or two levels would
        be read back as one.
    """
    summary = _summary(report, lambda warning: write_exactly(warning, WARNING), as_plain)
    if report.names.nlevels > 1 or report.names.name is not None:
        summary["names"] = [encode(name) for name in report.names.names]
    return summary


def _summary(
    report: ColumnTypes,
    of_warning: Callable[[DataWarning], dict[str, Any]],
    of_column: Callable[[ColumnType], dict[str, Any]],
) -> dict[str, Any]:
    return {
        "format_version": FORMAT_VERSION,
        "autotype_version": __version__,
        "n_rows": int(report.n_rows),
        **({"sample": as_unicode(report.sample)} if report.sample else {}),
        "warnings": list(map(of_warning, report.warnings)),
        "columns": list(map(of_column, report.columns)),
    }


def types_from_json(text_or_path: str | os.PathLike) -> ColumnTypes:
    """Read a report from the JSON text that `TypeReport.to_json` returns, or from its file.

    Parameters
    ----------
    text_or_path : str or path
        A string that starts with ``{`` is read as JSON, any other as the path of a file.

    Returns
    -------
    ColumnTypes
        Equal to those that were written: levels, names and weights included.

    Raises
    ------
    FileNotFoundError
        If there is no such file.
    UnreadableTypesError
        If it is not JSON, not a report, written in a newer format than this version reads, or
        beyond the limits of `autotype.types.codec.json_text`.

    Examples
    --------
    >>> from autotype import ColumnType, TypeReport
    >>> report = TypeReport([ColumnType("size", "ordinal", 0.9, order=("S", 2))], n_rows=9)
    >>> types = types_from_json(report.to_json())
    >>> types["size"].order, types.n_rows
    (('S', 2), 9)
    """
    is_text = isinstance(text_or_path, str) and text_or_path.lstrip().startswith("{")
    where = "the text" if is_text else os.fspath(text_or_path)
    try:
        text = text_or_path if is_text else Path(text_or_path).read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as problem:
        raise UnreadableTypesError(f"{where} is not a text in UTF-8: {problem}") from problem
    try:
        return types_from_dict(read_json(text))  # type: ignore[arg-type]
    except UnreadableTypesError as problem:
        raise UnreadableTypesError(f"{where} is {problem}") from problem


def types_from_dict(plain: Any) -> ColumnTypes:
    """Read a report from the dictionary that `TypeReport.to_dict` returns.

    Raises
    ------
    UnreadableTypesError
        If it is not such a dictionary; the message names the field and what was expected.
    """
    try:
        return _report(plain)
    except (TypeError, ValueError) as problem:
        raise UnreadableTypesError(f"not a report of autotype: {problem}") from problem


def _report(plain: Any) -> ColumnTypes:
    if not isinstance(plain, Mapping) or "format_version" not in plain:
        raise ValueError("it has no 'format_version'; TypeReport.to_json writes one")
    version = plain["format_version"]
    if not is_count(version) or version < 1:
        raise ValueError(f"'format_version' is {format_value(version)}, not a number from 1 up")
    if version > FORMAT_VERSION:
        writer = plain.get("autotype_version", "a newer version")
        raise ValueError(
            f"its format {version} is newer than {FORMAT_VERSION}, the newest that this version "
            f"reads; autotype {writer} wrote it: upgrade autotype"
        )
    n_rows: Any = plain.get("n_rows")
    sample = plain.get("sample", "")
    if not is_count(n_rows):
        raise ValueError(f"'n_rows' is {format_value(n_rows)}, not a number from 0 up")
    if not isinstance(sample, str):
        raise ValueError(f"'sample' is {format_value(sample)}, not a string")
    columns = _read_each(plain, "columns", from_plain)
    warnings = _read_each({"warnings": [], **plain}, "warnings", _warning)
    names = _names(columns, plain.get("names"))
    return ColumnTypes(columns, names=names, n_rows=n_rows, sample=sample, warnings=warnings)


def _warning(plain: Mapping[str, Any]) -> DataWarning:
    return DataWarning(**read_fields(plain, WARNING))


def _read_each(plain: Mapping[str, Any], key: str, read: Callable[[Any], T]) -> list[T]:
    """Read the objects of a list; the message of an error names the one that is wrong."""
    listed = plain.get(key)
    if not isinstance(listed, list):
        raise ValueError(f"{key!r} is {format_value(listed)}, not a list")
    found = []
    for j, cells in enumerate(listed):
        if not isinstance(cells, Mapping):
            raise ValueError(f"{key}[{j}] is {format_value(cells)}, not an object")
        try:
            found.append(read(cells))
        except KeyError as problem:
            raise ValueError(f"{key}[{j}] lacks {problem}") from problem
        except (TypeError, AttributeError, ValueError) as problem:
            raise ValueError(f"{key}[{j}]: {problem}") from problem
    return found


def _names(types: Sequence[ColumnType], stored: Any) -> pd.Index | None:
    """Rebuild the column labels; None if they are just the names of the columns."""
    if stored is None:
        return None
    labels = [column.name for column in types]
    level_names = [decode_hashable(name) for name in as_list(stored)]
    if len(level_names) == 1:
        return pd.Index(labels, dtype=object, tupleize_cols=False, name=level_names[0])
    n_levels = len(level_names)
    if not n_levels or not all(isinstance(v, tuple) and len(v) == n_levels for v in labels):
        raise ValueError(f"'names' holds {n_levels} names, the columns' are not tuples of as many")
    parts = [
        pd.Index(part, dtype=object, tupleize_cols=False) for part in zip(*labels, strict=True)
    ]
    return pd.MultiIndex.from_arrays(parts or [[]] * n_levels, names=level_names)
