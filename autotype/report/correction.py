"""Make what the report page needs to correct a column, and to ask about columns.

A person corrects types on the page, which has no server: its script writes the file of decisions.
So the page holds each level as JSON wherever the text shown is not the level itself, and leaves out
what it could not write without loss.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from autotype.errors import KnownTypesError, UnwritableTypesError
from autotype.types.codec.json_values import as_unicode, encode
from autotype.types.column_type import ColumnType
from autotype.types.decisions.known_file import statement_as_json
from autotype.types.decisions.questions import Question, find_questions
from autotype.types.decisions.revise import collect_decisions
from autotype.types.nan_equality import nan_key

if TYPE_CHECKING:
    from autotype.types.column_types import ColumnTypes

_LONGEST = 2000  # characters of a name or level that the page can write to a file


def make_correction(column: ColumnType, *, shown_name: str) -> dict[str, Any]:
    """Return what the script of the page needs to write a decision on a column.

    Parameters
    ----------
    column : ColumnType
    shown_name : str
        Its name on the page.

    Returns
    -------
    dict
        ``key``, its name in a file of decisions if that is not the shown one; ``fixed``, whether
        the name is too long for the page to write it; ``stated``, the decision that the report
        holds already, as JSON; ``note``; ``provenance``.
    """
    key = as_unicode(column.name)
    is_long = len(key) > _LONGEST
    try:
        decisions = collect_decisions([column], stated=True)
        stated = [statement_as_json(statement) for statement in decisions.values()]
    except (KnownTypesError, UnwritableTypesError):
        stated = []
    return {
        "key": None if key == shown_name or is_long else key,
        "fixed": is_long,
        "stated": stated[0] if stated and not is_long else None,
        "note": as_unicode(column.note),
        "provenance": column.provenance,
    }


def exact_level(level: Any, shown_level: str) -> str | None:
    """Return a level as JSON; None if it is the shown text, empty if the page cannot write it.

    Examples
    --------
    >>> exact_level("S", "S"), exact_level(3, "3"), exact_level(object(), "x")
    (None, '3', '')
    """
    if isinstance(level, str) and level == shown_level:
        return None
    try:
        text = json.dumps(encode(level), ensure_ascii=False, allow_nan=False)
    except UnwritableTypesError:
        return ""
    return text if len(text) <= _LONGEST else ""


def make_questions(report: ColumnTypes) -> list[dict[str, Any]]:
    """Return the content of the questions on top of the page."""
    places = {id(column): place for place, column in enumerate(report.columns, start=1)}
    by_name = {nan_key(column.name): places[id(column)] for column in reversed(report.columns)}
    return [
        {
            "asked": question,
            "positions": [by_name[nan_key(name)] for name in question.columns],
            "proposed": _answer(question, None),
            "ordered": None if question.order is None else _answer(question, "ordinal"),
        }
        for question in find_questions(report.columns)
        if all(len(str(text)) <= _LONGEST for text in (*question.columns, *question.levels))
    ]


def _answer(question: Question, statement: str | None) -> str | None:
    """Return what an answer states of each column, as JSON; None if a level cannot be written."""
    try:
        return statement_as_json(next(iter(question.answer(statement).values())))
    except UnwritableTypesError:
        return None
