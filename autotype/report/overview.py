"""Make the content of the report page's overview: counts by type, and one row a column."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from autotype.report.page_text import finite, probability, sentence, shown
from autotype.types.column_type import DISCRETE, SEMANTIC_TYPES

_MAX_LEVELS = 7  # of an order in the table; the card has all
_LONGEST_LEVEL = 40
_LONGEST_REASON = 200


def make_overview(summary: Mapping[str, Any]) -> dict[str, Any]:
    """Return the content of a report's overview.

    Parameters
    ----------
    summary : mapping
        The report as plain values, of `TypeReport.to_dict`.

    Returns
    -------
    dict
        ``types``, a list of ``{"name", "count"}`` in the order of the types, and ``rows``, one
        for each column.

    Examples
    --------
    >>> from autotype import ColumnType, TypeReport
    >>> overview = make_overview(TypeReport([ColumnType("id", "identifier")]).to_dict())
    >>> overview["types"], overview["rows"][0]["name"]
    ([{'name': 'identifier', 'count': 1}], 'id')
    """
    counts = Counter(column["semantic_type"] for column in summary["columns"])
    return {
        "types": [{"name": t, "count": counts[t]} for t in SEMANTIC_TYPES if counts[t]],
        "rows": [_row(k, column) for k, column in enumerate(summary["columns"], start=1)],
    }


def _row(position: int, column: Mapping[str, Any]) -> dict[str, Any]:
    chance = finite(column["probability"])
    reasons = column["reasons"]
    return {
        "position": position,
        "name": shown(column["name"]),
        "type": column["semantic_type"],
        "discrete": column["semantic_type"] in DISCRETE,
        "chance": chance,
        "probability": probability(chance),
        "n_levels": column["n_levels"],
        "levels": _levels(column),
        "mark": "," if column["order"] is None else "<" if column["direction_known"] else "–",
        "reason": sentence(reasons[0], _LONGEST_REASON) if reasons else "",
    }


def _levels(column: Mapping[str, Any]) -> list[str | None]:
    """Format the order, or else the levels; None marks the omitted ones."""
    levels = column["order"]
    if levels is None and column["semantic_type"] in DISCRETE:
        levels = [item["level"] for item in column["levels"]]
    texts: list[str | None] = [shown(level, _LONGEST_LEVEL) for level in levels or ()]
    if len(texts) > _MAX_LEVELS:
        texts[_MAX_LEVELS - 2 : -1] = [None]
    return texts
