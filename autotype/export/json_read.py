"""Read a report from JSON: the inverse of `summarise`."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from autotype.column_type import SEMANTIC_TYPES, ColumnType
from autotype.export.json_values import decode
from autotype.export.json_write import FORMAT_VERSION

_MAX_SHOWN = 60  # characters of a value in a message

ReportParts = tuple[list[ColumnType], pd.Index | None, int]  # columns, names, n_rows


def columns_from_json(text_or_path: str | os.PathLike) -> ReportParts:
    """Read a report from the JSON text that `TypeReport.to_json` returns, or from its file.

    Parameters
    ----------
    text_or_path : str or path
        A text that starts with ``{`` is read as JSON, any other as the path of a file.

    Returns
    -------
    columns : list of ColumnType
        Equal to those that were written, levels of any class, names and weights included; only
        objects of unknown classes among the levels become their texts.
    names : pandas.Index or None
        The column labels, if they are more than the names of the columns.
    n_rows : int
        Rows of the frame.

    Raises
    ------
    FileNotFoundError
        If there is no such file.
    ValueError
        If it is not JSON, not a report, or written in a newer format than this version reads.

    Examples
    --------
    >>> from autotype import ColumnType, TypeReport
    >>> report = TypeReport([ColumnType("size", "ordinal", 0.9, order=("S", 2))], n_rows=9)
    >>> columns, names, n_rows = columns_from_json(report.to_json())
    >>> columns[0].order, names, n_rows
    (('S', 2), None, 9)
    """
    is_text = isinstance(text_or_path, str) and text_or_path.lstrip().startswith("{")
    where = "the text" if is_text else os.fspath(text_or_path)
    text = text_or_path if is_text else Path(text_or_path).read_text(encoding="utf-8-sig")
    try:
        plain = json.loads(text)  # type: ignore[arg-type]
    except json.JSONDecodeError as problem:
        raise ValueError(f"{where} is not JSON: {problem}") from problem
    try:
        return columns_from_dict(plain)
    except ValueError as problem:
        raise ValueError(f"{where} is not a report of autotype: {problem}") from problem


def columns_from_dict(plain: Any) -> ReportParts:
    """Read a report from the dictionary that `TypeReport.to_dict` returns.

    Raises
    ------
    ValueError
        If it is not such a dictionary; the message names the field and what was expected.
    """
    if not isinstance(plain, Mapping) or "format_version" not in plain:
        raise ValueError("it has no 'format_version'; TypeReport.to_json writes one")
    version = plain["format_version"]
    if not _is_count(version) or version < 1:
        raise ValueError(f"'format_version' is {_shown(version)}, not a number from 1 up")
    if version > FORMAT_VERSION:
        writer = plain.get("autotype_version", "a newer version")
        raise ValueError(
            f"its format {version} is newer than {FORMAT_VERSION}, the newest that this version "
            f"reads; autotype {writer} wrote it: upgrade autotype"
        )
    n_rows: Any = plain.get("n_rows")
    columns = plain.get("columns")
    if not _is_count(n_rows):
        raise ValueError(f"'n_rows' is {_shown(n_rows)}, not a number from 0 up")
    if not isinstance(columns, list):
        raise ValueError(f"'columns' is {_shown(columns)}, not a list")
    types = [_column(cells, j) for j, cells in enumerate(columns)]
    return types, _names(types, plain.get("names")), n_rows


def _column(cells: Any, position: int) -> ColumnType:
    where = f"columns[{position}]"
    if not isinstance(cells, Mapping):
        raise ValueError(f"{where} is {_shown(cells)}, not an object")
    try:
        exact: dict[str, Any] = {k: decode(v) for k, v in cells.get("exact", {}).items()}
        levels = exact.get("levels") or [item["level"] for item in cells["levels"]]
        counts = [_count(item["count"]) for item in cells["levels"]]
        alternatives = exact.get("alternatives") or [a["order"] for a in cells["alternatives"]]
        weights = [_number(item["weight"]) for item in cells["alternatives"]]
        return ColumnType(
            name=exact.get("name", cells["name"]),
            semantic_type=_semantic_type(cells["semantic_type"]),  # type: ignore[arg-type]
            probability=_number(cells["probability"]),
            order=_tuple(exact.get("order", cells["order"])),
            best_order=_tuple(exact.get("best_order", cells["best_order"])),
            order_probability=_number(cells["order_probability"]),
            direction_known=bool(cells["direction_known"]),
            levels=dict(zip(levels, counts, strict=True)),
            n_levels=_count(cells["n_levels"]),
            n_rows_used=_count(cells["n_rows_used"]),
            off_scale=_tuple(exact.get("off_scale", cells["off_scale"])) or (),
            ties=tuple(map(tuple, exact.get("ties") or cells["ties"])),
            alternatives=tuple(zip(map(tuple, alternatives), weights, strict=True)),
            evidence=exact["evidence"] if "evidence" in exact else cells["evidence"],
            reasons=tuple(map(str, cells["reasons"])),
        )
    except KeyError as problem:
        raise ValueError(f"{where} lacks {problem}") from problem
    except (TypeError, AttributeError, ValueError) as problem:
        raise ValueError(f"{where}: {problem}") from problem


def _names(types: Sequence[ColumnType], stored: Any) -> pd.Index | None:
    """Rebuild the column labels; None if they are just the names of the columns."""
    if stored is None:
        return None
    labels = [column.name for column in types]
    level_names = decode(stored)
    if len(level_names) > 1:
        return pd.MultiIndex.from_tuples(labels, names=level_names)
    return pd.Index(labels, dtype=object, tupleize_cols=False, name=level_names[0])


def _semantic_type(value: Any) -> str:
    if value not in SEMANTIC_TYPES:
        raise ValueError(f"'semantic_type' is {_shown(value)}, not one of {SEMANTIC_TYPES}")
    return value


def _tuple(values: Any) -> tuple | None:
    if values is None:
        return None
    if not isinstance(values, (list, tuple)):
        raise TypeError(f"{_shown(values)} is not a list of levels")
    return tuple(values)


def _number(value: Any) -> float:
    if value is None:
        return math.nan
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise TypeError(f"{_shown(value)} is not a number")
    return value


def _count(value: Any) -> int:
    if not _is_count(value):
        raise TypeError(f"{_shown(value)} is not a number from 0 up")
    return value


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= _MAX_SHOWN else f"{text[:_MAX_SHOWN]}..."
