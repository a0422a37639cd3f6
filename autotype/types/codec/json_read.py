"""Read a report from JSON: the inverse of `summarise`."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, get_type_hints

import pandas as pd

from autotype.errors import UnreadableTypesError
from autotype.types.codec.json_text import read_json
from autotype.types.codec.json_values import as_unicode, decode, decode_hashable
from autotype.types.codec.json_write import FORMAT_VERSION
from autotype.types.column_profile import ColumnProfile
from autotype.types.column_type import PROVENANCES, SEMANTIC_TYPES, ColumnType, Evidence
from autotype.types.data_warning import DataWarning
from autotype.wording import format_value


class ReportParts(NamedTuple):
    """The parts of a report that has been read.

    Attributes
    ----------
    columns : list of ColumnType
        Equal to those that were written: levels, names and weights included.
    names : pandas.Index or None
        The column labels, if they are more than the names of the columns.
    n_rows : int
        Rows of the frame.
    sample : str
        Which rows were sampled; empty if all were used, or the file does not say.
    warnings : list of DataWarning
        What looks wrong in the data; empty if the file does not say.
    """

    columns: list[ColumnType]
    names: pd.Index | None
    n_rows: int
    sample: str
    warnings: list[DataWarning]


def columns_from_json(text_or_path: str | os.PathLike) -> ReportParts:
    """Read a report from the JSON text that `TypeReport.to_json` returns, or from its file.

    Parameters
    ----------
    text_or_path : str or path
        A text that starts with ``{`` is read as JSON, any other as the path of a file.

    Returns
    -------
    ReportParts

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
    >>> parts = columns_from_json(report.to_json())
    >>> parts.columns[0].order, parts.names, parts.n_rows, parts.sample, parts.warnings
    (('S', 2), None, 9, '', [])
    """
    is_text = isinstance(text_or_path, str) and text_or_path.lstrip().startswith("{")
    where = "the text" if is_text else os.fspath(text_or_path)
    try:
        text = text_or_path if is_text else Path(text_or_path).read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as problem:
        raise UnreadableTypesError(f"{where} is not a text in UTF-8: {problem}") from problem
    try:
        return columns_from_dict(read_json(text))  # type: ignore[arg-type]
    except UnreadableTypesError as problem:
        raise UnreadableTypesError(f"{where} is {problem}") from problem


def columns_from_dict(plain: Any) -> ReportParts:
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


def _report(plain: Any) -> ReportParts:
    if not isinstance(plain, Mapping) or "format_version" not in plain:
        raise ValueError("it has no 'format_version'; TypeReport.to_json writes one")
    version = plain["format_version"]
    if not _is_count(version) or version < 1:
        raise ValueError(f"'format_version' is {format_value(version)}, not a number from 1 up")
    if version > FORMAT_VERSION:
        writer = plain.get("autotype_version", "a newer version")
        raise ValueError(
            f"its format {version} is newer than {FORMAT_VERSION}, the newest that this version "
            f"reads; autotype {writer} wrote it: upgrade autotype"
        )
    n_rows: Any = plain.get("n_rows")
    columns = plain.get("columns")
    if not _is_count(n_rows):
        raise ValueError(f"'n_rows' is {format_value(n_rows)}, not a number from 0 up")
    sample = plain.get("sample", "")
    if not isinstance(columns, list):
        raise ValueError(f"'columns' is {format_value(columns)}, not a list")
    if not isinstance(sample, str):
        raise ValueError(f"'sample' is {format_value(sample)}, not a text")
    types = [_column(cells, j) for j, cells in enumerate(columns)]
    names = _names(types, plain.get("names"))
    return ReportParts(types, names, n_rows, sample, _warnings(plain.get("warnings", [])))


def _warnings(plain: Any) -> list[DataWarning]:
    warnings = []
    for j, cells in enumerate(_list(plain)):
        if not isinstance(cells, Mapping):
            raise ValueError(f"warnings[{j}] is {format_value(cells)}, not an object")
        try:
            kind, message, remedy = (_text(cells[key]) for key in ("kind", "message", "remedy"))
            column = decode_hashable(_exact(cells).get("column", cells["column"]))
        except KeyError as problem:
            raise ValueError(f"warnings[{j}] lacks {problem}") from problem
        except (TypeError, ValueError) as problem:
            raise ValueError(f"warnings[{j}]: {problem}") from problem
        warnings.append(DataWarning(kind, as_unicode(message), as_unicode(remedy), column))
    return warnings


def _column(cells: Any, position: int) -> ColumnType:
    where = f"columns[{position}]"
    if not isinstance(cells, Mapping):
        raise ValueError(f"{where} is {format_value(cells)}, not an object")
    try:
        return _read_cells(cells)
    except KeyError as problem:
        raise ValueError(f"{where} lacks {problem}") from problem
    except (TypeError, AttributeError, ValueError) as problem:
        raise ValueError(f"{where}: {problem}") from problem


def _read_cells(cells: Mapping[str, Any]) -> ColumnType:
    exact = _exact(cells)

    def field(key: str, plain: Any = None) -> Any:
        """Return a field as it was encoded, if JSON could not hold it as it is."""
        return exact[key] if key in exact else cells[key] if plain is None else plain

    listed, others = _list(cells["levels"]), _list(cells["alternatives"])
    levels = _levels(field("levels", [item["level"] for item in listed]))
    orders = _list(field("alternatives", [item["order"] for item in others]))
    reasons = _list(cells["reasons"])
    order, best_order = field("order"), field("best_order")
    return ColumnType(
        name=decode_hashable(field("name")),
        semantic_type=_semantic_type(cells["semantic_type"]),  # type: ignore[arg-type]
        probability=_share(cells["probability"]),
        order=None if order is None else _levels(order),
        best_order=None if best_order is None else _levels(best_order),
        order_probability=_share(cells["order_probability"]),
        direction_known=_flag(cells["direction_known"]),
        levels=_counted(levels, [_count(item["count"]) for item in listed]),
        n_levels=_count(cells["n_levels"]),
        n_rows_used=_count(cells["n_rows_used"]),
        off_scale=_levels(field("off_scale")),
        ties=tuple(map(_levels, _list(field("ties")))),
        alternatives=tuple(
            zip(map(_levels, orders), [_number(item["weight"]) for item in others], strict=True)
        ),
        evidence=_evidence(field("evidence")),
        reasons=tuple(as_unicode(_text(reason)) for reason in reasons),
        provenance=_provenance(cells.get("provenance", "inferred")),  # type: ignore[arg-type]
        note=as_unicode(_text(cells.get("note", ""))),
        profile=_profile(cells.get("profile")),
    )


def _exact(cells: Mapping[str, Any]) -> Mapping[str, Any]:
    exact = cells.get("exact", {})
    if not isinstance(exact, Mapping):
        raise TypeError(f"'exact' is {format_value(exact)}, not an object")
    return exact


def _names(types: Sequence[ColumnType], stored: Any) -> pd.Index | None:
    """Rebuild the column labels; None if they are just the names of the columns."""
    if stored is None:
        return None
    labels = [column.name for column in types]
    level_names = [decode_hashable(name) for name in _list(stored)]
    if len(level_names) == 1:
        return pd.Index(labels, dtype=object, tupleize_cols=False, name=level_names[0])
    n_levels = len(level_names)
    if not n_levels or not all(isinstance(v, tuple) and len(v) == n_levels for v in labels):
        raise ValueError(f"'names' holds {n_levels} names, the columns' are not tuples of as many")
    parts = [
        pd.Index(part, dtype=object, tupleize_cols=False) for part in zip(*labels, strict=True)
    ]
    return pd.MultiIndex.from_arrays(parts or [[]] * n_levels, names=level_names)


def _semantic_type(value: Any) -> str:
    if value not in SEMANTIC_TYPES:
        raise ValueError(f"'semantic_type' is {format_value(value)}, not one of {SEMANTIC_TYPES}")
    return value


def _provenance(value: Any) -> str:
    if value not in PROVENANCES:
        raise ValueError(f"'provenance' is {format_value(value)}, not one of {PROVENANCES}")
    return value


def _profile(plain: Any) -> ColumnProfile | None:
    if plain is None:
        return None
    if not isinstance(plain, Mapping):
        raise TypeError(f"'profile' is {format_value(plain)}, not an object")
    return ColumnProfile(
        n_missing=_count(plain["n_missing"]),
        examples=tuple(as_unicode(_text(text)) for text in _list(plain["examples"])),
        common=tuple(
            (as_unicode(_text(item["value"])), _count(item["count"]))
            for item in _list(plain["common"])
        ),
        histogram=tuple(_count(count) for count in _list(plain["histogram"])),
        low=as_unicode(_text(plain["low"])),
        high=as_unicode(_text(plain["high"])),
    )


def _evidence(plain: Any) -> Evidence:
    """Read the evidence; its known keys hold what `Evidence` states."""
    evidence = decode(plain)
    if not isinstance(evidence, Mapping):
        raise TypeError(f"'evidence' is {format_value(evidence)}, not an object")
    for key in _EVIDENCE.keys() & evidence.keys():
        try:
            _EVIDENCE[key](evidence[key])
        except (TypeError, ValueError) as problem:
            raise ValueError(f"'evidence' has {key!r}: {problem}") from None
    return evidence  # type: ignore[return-value]


def _levels(plain: Any) -> tuple:
    if not isinstance(plain, list):
        raise TypeError(f"{format_value(plain)} is not a list of levels")
    return tuple(map(decode_hashable, plain))


def _counted(levels: Sequence[Any], counts: Sequence[int]) -> dict[Any, int]:
    counted = dict(zip(levels, counts, strict=True))
    if len(counted) < len(levels):
        raise ValueError("'levels' repeats a level")
    return counted


def _list(value: Any) -> list:
    if not isinstance(value, list):
        raise TypeError(f"{format_value(value)} is not a list")
    return value


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{format_value(value)} is not a text")
    return value


def _flag(value: Any) -> bool:
    if not isinstance(value, bool):
        raise TypeError(f"{format_value(value)} is neither true nor false")
    return value


def _number(value: Any) -> float:
    if value is None:
        return math.nan
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise TypeError(f"{format_value(value)} is not a number")
    try:
        float(value)
    except OverflowError:
        raise ValueError("a whole number is larger than any float") from None
    return value


def _share(value: Any) -> float:
    share = _number(value)
    if not (math.isnan(share) or 0 <= share <= 1):
        raise ValueError(f"{format_value(value)} is not a probability")
    return share


def _count(value: Any) -> int:
    if not _is_count(value):
        raise TypeError(f"{format_value(value)} is not a number from 0 up")
    return value


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2**63


def _numbers(value: Any) -> list[float]:
    return list(map(_number, _list(value)))


def _predictors(value: Any) -> list[float]:
    return [_number(share) for _, share in _list(value)]


_EVIDENCE: dict[str, Callable[[Any], Any]] = {
    key: {str: _text, int: _count, float: _number, list: _list, list[float]: _numbers}[kind]
    for key, kind in get_type_hints(Evidence).items()
} | {"top_predictors": _predictors}
