"""A report as JSON and back: the columns, the warnings, and what is known of the frame."""

from __future__ import annotations

import os
import re
from collections.abc import Hashable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from autotype._version import __version__
from autotype.errors import UnreadableTypesError
from autotype.types.codec import json_values, plain_column
from autotype.types.codec.evidence_keys import REPORT
from autotype.types.column_type import ColumnType
from autotype.types.column_types import ColumnTypes
from autotype.types.data_warning import DataWarning
from autotype.types.nan_equality import nan_key
from autotype.types.reading import Reading
from autotype.wording import format_value


def summarise(report: ColumnTypes) -> dict[str, Any]:
    """Return a report as dictionaries, lists, strings, numbers, booleans and None.

    Parameters
    ----------
    report : TypeReport

    Returns
    -------
    dict
        ``format_version``, ``autotype_version``, ``n_rows``, ``sample`` if rows were sampled,
        ``reading`` of a file, ``weights`` if there are any, ``warnings``, a list of the fields of
        `DataWarning`, and ``columns``: for each column of the frame a dictionary of the fields of
        `ColumnType`. Levels are a list of ``{"level", "count"}`` in the order of the field,
        alternatives a list of ``{"order", "weight"}``. Infinities and objects of other classes are
        strings. The file ``autotype/types/codec/type_report.schema.json`` describes all of it as a
        JSON Schema.

    Examples
    --------
    >>> from autotype import ColumnType, TypeReport
    >>> size = ColumnType("size", "ordinal", 0.9, order=("S", "M"), levels={"S": 4, "M": 5})
    >>> summary = summarise(TypeReport([size], n_rows=9))
    >>> summary["columns"][0]["levels"]
    [{'level': 'S', 'count': 4}, {'level': 'M', 'count': 5}]
    """
    return {
        "format_version": plain_column.FORMAT_VERSION,
        "autotype_version": __version__,
        "n_rows": int(report.n_rows),
        **({"repeats_names": True} if len(report) < len(report.columns) else {}),
        **({"sample": json_values.as_unicode(report.sample)} if report.sample else {}),
        **({"reading": json_values.simplify(vars(report.reading))} if report.reading else {}),
        **({} if report.weights is None else {"weights": json_values.simplify(report.weights)}),
        "warnings": [json_values.simplify(vars(warning)) for warning in report.warnings],
        "columns": list(map(plain_column.readable, report.columns)),
    }


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
    written = summarise(report)
    written["columns"] = list(map(plain_column.as_plain, report.columns))
    for warning, cells in zip(report.warnings, written["warnings"], strict=True):
        if (column := json_values.encode(warning.column)) != cells["column"]:
            cells["exact"] = {"column": column}
    if report.weights is not None:
        written["weights"] = json_values.encode(report.weights)
    if report.names.nlevels > 1 or report.names.name is not None:
        written["names"] = list(map(json_values.encode, report.names.names))
    return written


def types_from_json(text_or_path: str | os.PathLike[str]) -> ColumnTypes:
    """Read a report from the JSON text that `TypeReport.to_json` returns, or from its file.

    Parameters
    ----------
    text_or_path : str or path
        A string that starts with ``{``, or is empty, is read as JSON, any other as the path of a
        file.

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
        beyond the limits of `autotype.types.codec.json_values`.

    Examples
    --------
    >>> from autotype import ColumnType, TypeReport
    >>> report = TypeReport([ColumnType("size", "ordinal", 0.9, order=("S", 2))], n_rows=9)
    >>> types = types_from_json(report.to_json())
    >>> types["size"].order, types.n_rows
    (('S', 2), 9)
    """
    is_text = isinstance(text_or_path, str) and text_or_path.lstrip()[:1] in ("{", "")
    where = "the text" if is_text else os.fspath(text_or_path)
    try:
        text = text_or_path if is_text else Path(text_or_path).read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as problem:
        raise UnreadableTypesError(f"{where} is not a string in UTF-8: {problem}") from problem
    try:
        return types_from_dict(json_values.read_json(text))  # type: ignore[arg-type]
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
    except ValueError as problem:
        said = f"not a report of autotype: {_column_at(str(problem), plain)}{problem}"
        remedy = "" if ";" in said else "; correct it, or infer the types again"
        raise UnreadableTypesError(f"{said}{remedy}") from problem


def _column_at(problem: str, plain: Any) -> str:
    """Return the name of the column at whose place a message begins, or nothing."""
    place = re.match(r"columns\[(\d+)\]", problem)
    column = plain["columns"][int(place[1])] if place else None
    name = column.get("name") if isinstance(column, Mapping) else None
    return "" if name is None else f"column {format_value(name)}, "


def _report(plain: Any) -> ColumnTypes:
    if isinstance(plain, Mapping) and isinstance(error := plain.get("error"), str):
        raise ValueError(f"it states that there is none: {error}")
    if not isinstance(plain, Mapping) or "format_version" not in plain:
        raise ValueError("it has no 'format_version'; TypeReport.to_json writes one")
    version = plain["format_version"]
    if not isinstance(version, int) or isinstance(version, bool) or version < 1:
        raise ValueError(f"format_version: {format_value(version)} is not a number from 1 up")
    if version > plain_column.FORMAT_VERSION:
        writer = plain.get("autotype_version", "a newer version")
        raise ValueError(
            f"its format {version} is newer than {plain_column.FORMAT_VERSION}, the newest that "
            f"this version reads; autotype {writer} wrote it: upgrade autotype"
        )
    plain_column.check(plain, REPORT, optional=plain_column.LATER)
    columns = [
        plain_column.restore(part, f"columns[{j}]") for j, part in enumerate(plain["columns"])
    ]
    _check_names(columns, repeated="repeats_names" in plain)
    warnings = [
        _warning(part, f"warnings[{j}]") for j, part in enumerate(plain.get("warnings", []))
    ]
    return ColumnTypes(
        columns,
        names=_labels(columns, plain["names"]) if "names" in plain else None,
        n_rows=plain["n_rows"],
        sample=plain.get("sample", ""),
        warnings=warnings,
        reading=_reading(plain["reading"]) if "reading" in plain else None,
        weights=json_values.decode_hashable(plain.get("weights")),
    )


def _check_names(columns: Sequence[ColumnType], *, repeated: bool) -> None:
    """Raise for a column that an edit by hand repeats; a frame may repeat a name, which is said."""
    seen: set[Any] = set()
    for j, column in enumerate(columns):
        if (key := nan_key(column.name)) in seen and not repeated:
            raise ValueError(f"columns[{j}].name: {column.name!r} is repeated")
        seen.add(key)


def _reading(plain: Mapping[str, Any]) -> Reading:
    fields: dict[str, Any] = {
        key: tuple(value) if isinstance(value, list) else value for key, value in plain.items()
    }
    return Reading(**fields)


def _warning(plain: Mapping[str, Any], path: str) -> DataWarning:
    kind, message, remedy = (
        json_values.as_unicode(plain[key]) for key in ("kind", "message", "remedy")
    )
    try:
        column = json_values.decode_hashable(plain.get("exact", {}).get("column", plain["column"]))
    except ValueError as problem:
        raise plain_column.misfit(path, f".column: {problem}") from problem
    return DataWarning(kind, message, remedy, column)


def _labels(columns: Sequence[ColumnType], names: Sequence[Hashable]) -> pd.Index:
    """Rebuild the column labels, whose levels have these names."""
    labels = [column.name for column in columns]
    names = list(map(json_values.decode_hashable, names))
    if len(names) == 1:
        return pd.Index(labels, dtype=object, tupleize_cols=False, name=names[0])
    n_levels = len(names)
    if not n_levels or not all(isinstance(v, tuple) and len(v) == n_levels for v in labels):
        raise ValueError(f"'names' holds {n_levels} names, the columns' are not tuples of as many")
    parts = [
        pd.Index(part, dtype=object, tupleize_cols=False) for part in zip(*labels, strict=True)
    ]
    return pd.MultiIndex.from_arrays(parts or [[]] * n_levels, names=names)
