"""Write a report as a self-contained HTML page: summary -> page content -> Jinja templates.

The page can correct columns, and ask about them. A person corrects types on the page, which has no
server: its script writes the file of decisions. So the page holds each level as JSON wherever the
text shown is not the level itself, and leaves out what it could not write without loss.
"""

from __future__ import annotations

import base64
import datetime
import hashlib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from autotype.errors import KnownTypesError, UnwritableTypesError
from autotype.lazy_names import import_library
from autotype.report import card
from autotype.report.blocks import blocks_of, causes_of
from autotype.report.figures.latent_scale import REACH, bell_curve
from autotype.report.page_text import LONGEST, finite, percent, probability, sentence, shown, signed
from autotype.report.text import count_types
from autotype.report.text_cells import format_note
from autotype.types import column_type
from autotype.types.codec.json_values import as_unicode, plain_json, simplify
from autotype.types.codec.report_json import summarise
from autotype.types.column_types import ColumnTypes
from autotype.types.decisions.known_file import statement_as_json
from autotype.types.decisions.questions import Question, find_questions
from autotype.types.decisions.revise import collect_decisions
from autotype.types.nan_equality import nan_key
from autotype.wording import format_count, format_pairs

if TYPE_CHECKING:
    from jinja2 import Environment


_SHOWN_QUESTIONS = 6
_MAX_LEVELS = 7  # of an order in the overview; the card has all
_LEVEL_ROOM, _LONGEST_REASON = 40, 200  # characters there
_LONG_NAME = 30  # characters, from which the names of columns get more room


def as_page(
    report: ColumnTypes, *, table: str | None = None, save: Mapping[str, str] | None = None
) -> str:
    """Write a report as a self-contained HTML page.

    Style, script and pictures are inside; the page loads nothing, and its content security policy
    allows no script but its own. Every name, level and reason
    is escaped.

    Parameters
    ----------
    report : TypeReport
    table : str, optional
        The name of the table, for the title and the name of the file of decisions.
    save : mapping, optional
        Where decisions are saved as they are made: "address" to which the page posts them, or
        "notebook" for the window around it, and "place", which the reader is told. By default the
        reader downloads them.

    Returns
    -------
    str
        The page; about 5 kB for a discrete column, 2 kB for another one.

    Raises
    ------
    MissingExtraError
        If Jinja2 is not installed.

    Examples
    --------
    >>> from autotype import ColumnType, TypeReport
    >>> page = as_page(TypeReport([ColumnType("<mine>", "text")], n_rows=3))
    >>> page.startswith("<!doctype html>"), "<mine>" in page, "&lt;mine&gt;" in page
    (True, False, True)
    """
    load_templates()  # raises now rather than later
    summary = summarise(report)
    columns = list(zip(summary["columns"], report.columns, strict=True))
    rows = [_row(k, cells, column) for k, (cells, column) in enumerate(columns, start=1)]
    cards = [
        row
        | card.make_card(cells, column, n_rows=report.n_rows)
        | make_correction(column, shown_name=row["name"])
        for row, (cells, column) in zip(rows, columns, strict=True)
    ]
    blocks = [
        card.make_block_card(block, number, [cards[place - 1] for place in block.places])
        for number, block in enumerate(blocks_of(report.columns), start=1)
    ]
    order = sorted(blocks, key=_is_sure) if save else blocks  # first what is to be reviewed
    script = text_of("page.js") + text_of("correct.js")
    return render(
        "page.html",
        types=[{"name": t, "count": n} for t, n in count_types(report.columns).items()],
        rows=rows,
        blocks=blocks,
        reviewed=order,
        questions=make_questions(report),
        shown_questions=_SHOWN_QUESTIONS,
        all_types=column_type.SEMANTIC_TYPES,
        with_odds=column_type.WITH_ODDS,
        most_levels=card.MOST_LEVELS,
        save=save,
        long_names=any(len(row["name"]) > _LONG_NAME for row in rows),
        table=None if table is None else shown(table),
        date=datetime.date.today().isoformat(),
        n_rows=summary["n_rows"],
        sample=summary.get("sample", ""),
        reading=report.reading.unusual() if report.reading else "",
        causes=causes_of(report.warnings),
        version=summary["autotype_version"],
        categorical_up_to=column_type.CATEGORICAL_UP_TO,
        ordinal_from=column_type.ORDINAL_FROM,
        reach=REACH,
        bell=bell_curve(),
        script=script,
        script_hash=base64.b64encode(hashlib.sha256(script.encode()).digest()).decode(),
    )


def _is_sure(block: Mapping[str, Any]) -> int:
    """Return 0 for a scale, 1 for doubtful columns, and 2 for others."""
    return 0 if block["is_scale"] else 1 if block["is_doubtful"] else 2


def _row(position: int, column: Mapping[str, Any], typed: column_type.ColumnType) -> dict[str, Any]:
    """Return the content of a column's row in the overview."""
    has_odds = column["semantic_type"] in column_type.WITH_ODDS
    chance = finite(column["probability"]) if has_odds else None
    note = "" if has_odds else format_note(typed)
    reasons = column["reasons"]
    return {
        "position": position,
        "name": shown(column["name"]),
        "title": shown(typed.title) if typed.title else "",
        "group": shown(typed.group) if typed.group not in ("", typed.title) else "",
        "type": column["semantic_type"],
        "reversed": typed.reversed,
        "discrete": column["semantic_type"] in column_type.DISCRETE,
        "chance": chance,
        "note": note,
        "n_levels": column["n_levels"],
        "short_levels": _levels(column, typed),
        "mark": "," if column["order"] is None else "<" if column["direction_known"] else "–",
        "reason": sentence(reasons[0], _LONGEST_REASON) if reasons else "",
    }


def _levels(column: Mapping[str, Any], typed: column_type.ColumnType) -> list[str | None]:
    """Format the order, or else the levels, with their labels; None marks the omitted ones."""
    levels, raw = column["order"], typed.order
    if levels is None and column["semantic_type"] in column_type.DISCRETE:
        levels, raw = [item["level"] for item in column["levels"]], tuple(typed.levels)
    texts: list[str | None] = [
        shown(typed.named(level) if card.label_of(typed, level) else plain, _LEVEL_ROOM)
        for plain, level in zip(levels or (), raw or (), strict=True)
    ]
    if len(texts) > _MAX_LEVELS:
        texts[_MAX_LEVELS - 2 : -1] = [None]
    return texts


@cache
def load_templates() -> Environment:
    """Return the templates of the pages.

    Raises
    ------
    MissingExtraError
        If Jinja2 is not installed.
    """
    jinja2 = import_library("jinja2", "the report page needs Jinja2", extra="report")
    environment: Environment = jinja2.Environment(
        loader=jinja2.FunctionLoader(text_of),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {f.__name__: f for f in (shown, sentence, percent, signed, probability)}
    environment.filters |= {
        "number": format_count,
        "bars": card.bars,
        "quote": quote,
        "pairs": format_pairs,
        "level": lambda value, longest=LONGEST: shown(simplify(value), longest),
    }
    return environment


def render(template: str, **content: Any) -> str:
    """Return a page: a template with its content, and the style of all pages."""
    return load_templates().get_template(template).render(style=text_of("page.css"), **content)


def text_of(name: str) -> str:
    """Return the text of a template, style or script of the pages."""
    return files("autotype.report").joinpath("templates", name).read_text(encoding="utf-8")


def make_correction(column: column_type.ColumnType, *, shown_name: str) -> dict[str, Any]:
    """Return what the script of the page needs to write a decision on a column.

    Parameters
    ----------
    column : ColumnType
    shown_name : str
        Its name on the page.

    Returns
    -------
    dict
        ``key``, its name in a file of decisions, as JSON, if that is not the shown one; ``fixed``,
        whether the name is too long for the page to write it; ``stated``, the decision that the
        report holds already, as JSON; ``note``; ``provenance``.
    """
    key = as_unicode(column.name)
    is_long = len(key) > card.LONGEST_WRITTEN
    try:
        decisions = collect_decisions([column], stated=True)
        stated = [statement_as_json(statement) for statement in decisions.values()]
    except (KnownTypesError, UnwritableTypesError):
        stated = []
    return {
        "key": None if key == shown_name or is_long else plain_json(key),
        "fixed": is_long,
        "stated": stated[0] if stated and not is_long else None,
        "note": as_unicode(column.note),
        "provenance": column.provenance,
    }


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
        if all(
            len(str(text)) <= card.LONGEST_WRITTEN for text in (*question.columns, *question.levels)
        )
    ]


def _answer(question: Question, statement: str | None) -> str | None:
    """Return what an answer states of each column, as JSON; None if a level cannot be written."""
    try:
        return statement_as_json(next(iter(question.answer(statement).values())))
    except UnwritableTypesError:
        return None
