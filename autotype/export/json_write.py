"""A report as plain values: the one dictionary that JSON and the report page are made of."""

from __future__ import annotations

import math
from collections.abc import Mapping
from datetime import date, time
from typing import Any

import numpy as np
import pandas as pd

from autotype.column_type import ColumnType
from autotype.export.json_values import encode
from autotype.type_report import TypeReport

# Raised by one whenever a reader of the older form would misread the newer.
FORMAT_VERSION = 1


def summarise(report: TypeReport) -> dict[str, Any]:
    """Give a report as dictionaries, lists, texts, numbers, truth values and None.

    Parameters
    ----------
    report : TypeReport

    Returns
    -------
    dict
        ``format_version``, ``autotype_version``, ``n_rows`` and ``columns``: for each column of
        the frame a dictionary of the fields of `ColumnType`. Levels are a list of
        ``{"level", "count"}`` in the order of the field, alternatives a list of
        ``{"order", "weight"}``. What JSON cannot tell apart (a date and its text, a tuple and a
        list) stands once more in a column's ``exact``, as `autotype.export.json_values` writes it;
        ``names`` holds the names of the column labels' levels, where they have any. The file
        ``autotype/export/type_report.schema.json`` describes it all as a JSON Schema.

    Examples
    --------
    >>> from autotype import ColumnType, TypeReport
    >>> size = ColumnType("size", "ordinal", 0.9, order=("S", "M"), levels={"S": 4, "M": 5})
    >>> summary = summarise(TypeReport([size], n_rows=9))
    >>> summary["columns"][0]["levels"]
    [{'level': 'S', 'count': 4}, {'level': 'M', 'count': 5}]
    """
    from autotype import __version__

    summary = {
        "format_version": FORMAT_VERSION,
        "autotype_version": __version__,
        "n_rows": int(report.n_rows),
        "columns": [_column(column) for column in report.columns],
    }
    if report.names.nlevels > 1 or report.names.name is not None:
        summary["names"] = [encode(name) for name in report.names.names]
    return summary


def plain(value: Any) -> Any:
    """Give any value as one that JSON can hold.

    Missing values become None, NumPy's and pandas' scalars Python's, dates ISO 8601 text, arrays
    and tuples lists; infinities and whatever else there is become their text.

    Examples
    --------
    >>> plain({"day": pd.Timestamp("2024-02-29"), "score": np.float32(0.5), "gap": pd.NA})
    {'day': '2024-02-29T00:00:00', 'score': 0.5, 'gap': None}
    """
    if value is None or value is pd.NA or value is pd.NaT:
        return None
    if isinstance(value, Mapping):
        return {_text(key): plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if isinstance(value, np.ndarray):
        return [plain(item) for item in value]
    return _plain_scalar(value)


def _plain_scalar(value: Any) -> Any:
    if isinstance(value, np.datetime64):
        value = pd.Timestamp(value)
    elif isinstance(value, np.timedelta64):
        value = pd.Timedelta(value)
    if value is pd.NaT:
        return None
    if isinstance(value, (bool, np.bool_)):
        return bool(value)
    if isinstance(value, (int, np.integer)):
        return int(value)
    if isinstance(value, (float, np.floating)):
        number = float(value)
        return None if math.isnan(number) else number if math.isfinite(number) else str(number)
    if isinstance(value, (date, time, pd.Timedelta)):
        return value.isoformat()
    return _text(value)


def _text(value: Any) -> str:
    """Write a value as text that UTF-8 can hold: lone surrogates are escaped."""
    return str(value).encode("utf-8", "backslashreplace").decode("utf-8")


def _column(column: ColumnType) -> dict[str, Any]:
    cells = _cells(column)
    exact = _exact(column)
    return {**cells, "exact": exact} if exact else cells


def _exact(column: ColumnType) -> dict[str, Any]:
    """Give the fields that their plain form does not tell, in one that `decode` reads."""
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
    return {key: value for key, value in exact.items() if value != plain(fields[key])}


def _cells(column: ColumnType) -> dict[str, Any]:
    return {
        "name": plain(column.name),
        "semantic_type": column.semantic_type,
        "probability": plain(column.probability),
        "order": plain(column.order),
        "best_order": plain(column.best_order),
        "order_probability": plain(column.order_probability),
        "direction_known": bool(column.direction_known),
        "levels": [
            {"level": plain(level), "count": int(count)} for level, count in column.levels.items()
        ],
        "n_levels": int(column.n_levels),
        "n_rows_used": int(column.n_rows_used),
        "off_scale": plain(column.off_scale),
        "ties": plain(column.ties),
        "alternatives": [
            {"order": plain(order), "weight": plain(weight)}
            for order, weight in column.alternatives
        ],
        "evidence": plain(column.evidence),
        "reasons": [_text(reason) for reason in column.reasons],
    }
