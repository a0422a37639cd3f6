"""Summarise a report as plain values, the source of its JSON and of the report page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from autotype._version import __version__
from autotype.errors import UnwritableTypesError
from autotype.types.codec.json_text import MAX_JSON_DEPTH, is_within_depth
from autotype.types.codec.json_values import as_unicode, decode, encode, simplify
from autotype.types.column_profile import ColumnProfile
from autotype.types.column_type import ColumnType
from autotype.types.data_warning import DataWarning
from autotype.types.nan_equality import nan_key

if TYPE_CHECKING:
    from autotype.types.column_types import ColumnTypes

# Incremented whenever a reader of the older format would misread the newer.
FORMAT_VERSION = 1


def summarise(report: ColumnTypes) -> dict[str, Any]:
    """Return a report as dictionaries, lists, texts, numbers, truth values and None.

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
        Infinities and objects of other classes are texts. The file
        ``autotype/types/codec/type_report.schema.json`` describes all of it as a JSON Schema.

    Examples
    --------
    >>> from autotype import ColumnType, TypeReport
    >>> size = ColumnType("size", "ordinal", 0.9, order=("S", "M"), levels={"S": 4, "M": 5})
    >>> summary = summarise(TypeReport([size], n_rows=9))
    >>> summary["columns"][0]["levels"]
    [{'level': 'S', 'count': 4}, {'level': 'M', 'count': 5}]
    """
    return {
        "format_version": FORMAT_VERSION,
        "autotype_version": __version__,
        "n_rows": int(report.n_rows),
        **({"sample": as_unicode(report.sample)} if report.sample else {}),
        "warnings": [_warning_cells(warning) for warning in report.warnings],
        "columns": [_cells(column) for column in report.columns],
    }


def encode_report(report: ColumnTypes) -> dict[str, Any]:
    """Return a report as `summarise` does, with what it takes to read the same report again.

    Parameters
    ----------
    report : TypeReport

    Returns
    -------
    dict
        Values that JSON cannot distinguish (a date and its text, a tuple and a list) are repeated
        in a column's ``exact``, as `autotype.types.codec.json_values.encode` writes them; ``names``
        holds the names of the column labels' levels, if they have any.

    Raises
    ------
    UnwritableTypesError
        If a name or a level is an object of a class that cannot be read back, or two levels would
        be read back as one.
    """
    summary = summarise(report)
    for column, cells in zip(report.columns, summary["columns"], strict=True):
        try:
            exact = _exact(column)
        except UnwritableTypesError as problem:
            raise UnwritableTypesError(f"column {column.name!r}: {problem}") from None
        if not is_within_depth(exact):
            raise UnwritableTypesError(
                f"column {column.name!r}: its levels are nested deeper than the {MAX_JSON_DEPTH} "
                "lists and objects that are read back; cast them to texts"
            )
        if "levels" in exact and len(set(map(nan_key, decode(exact["levels"])))) < len(
            column.levels
        ):
            raise UnwritableTypesError(
                f"column {column.name!r}: its levels cannot be written and read back: two of "
                "different classes, as a date of NumPy and one of Python, would be one; cast them "
                "to one class"
            )
        if exact:
            cells["exact"] = exact
    for warning, cells in zip(report.warnings, summary["warnings"], strict=True):
        column = encode(warning.column)
        if column != cells["column"]:
            cells["exact"] = {"column": column}
    if report.names.nlevels > 1 or report.names.name is not None:
        summary["names"] = [encode(name) for name in report.names.names]
    return summary


def _exact(column: ColumnType) -> dict[str, Any]:
    """Return the fields that their simplified form loses, as `decode` reads them."""
    fields = {
        "name": column.name,
        "order": None if column.order is None else list(column.order),
        "best_order": None if column.best_order is None else list(column.best_order),
        "levels": list(column.levels),
        "off_scale": list(column.off_scale),
        "ties": [list(tie) for tie in column.ties],
        "alternatives": [list(order) for order, _ in column.alternatives],
        "evidence": dict(column.evidence),
    }
    exact = {key: encode(value) for key, value in fields.items()}
    return {key: value for key, value in exact.items() if value != simplify(fields[key])}


def _warning_cells(warning: DataWarning) -> dict[str, Any]:
    return {
        "kind": warning.kind,
        "message": as_unicode(warning.message),
        "remedy": as_unicode(warning.remedy),
        "column": simplify(warning.column),
    }


def _cells(column: ColumnType) -> dict[str, Any]:
    return {
        "name": simplify(column.name),
        "semantic_type": column.semantic_type,
        "probability": simplify(column.probability),
        "order": simplify(column.order),
        "best_order": simplify(column.best_order),
        "order_probability": simplify(column.order_probability),
        "direction_known": bool(column.direction_known),
        "levels": [
            {"level": simplify(level), "count": int(count)}
            for level, count in column.levels.items()
        ],
        "n_levels": int(column.n_levels),
        "n_rows_used": int(column.n_rows_used),
        "off_scale": simplify(column.off_scale),
        "ties": simplify(column.ties),
        "alternatives": [
            {"order": simplify(order), "weight": simplify(weight)}
            for order, weight in column.alternatives
        ],
        "evidence": simplify(column.evidence),
        "reasons": [as_unicode(reason) for reason in column.reasons],
        "provenance": column.provenance,
        "note": as_unicode(column.note),
        "profile": None if column.profile is None else _profile(column.profile),
    }


def _profile(profile: ColumnProfile) -> dict[str, Any]:
    return {
        "n_missing": int(profile.n_missing),
        "examples": [as_unicode(text) for text in profile.examples],
        "common": [
            {"value": as_unicode(text), "count": int(count)} for text, count in profile.common
        ],
        "histogram": [int(count) for count in profile.histogram],
        "low": as_unicode(profile.low),
        "high": as_unicode(profile.high),
    }
