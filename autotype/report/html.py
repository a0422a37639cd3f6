"""Write a report as a self-contained HTML page: summary -> page content -> Jinja templates."""

from __future__ import annotations

import base64
import datetime
import hashlib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from autotype.errors import MissingExtraError
from autotype.report.card import LONGEST_LEVEL, make_card
from autotype.report.correction import exact_level, make_correction, make_questions
from autotype.report.latent_scale import REACH, bell_curve
from autotype.report.overview import make_overview
from autotype.report.page_text import sentence, shown
from autotype.types.codec.report_json import summarise
from autotype.types.column_type import CATEGORICAL_UP_TO, ORDINAL_FROM, SEMANTIC_TYPES, ColumnType

if TYPE_CHECKING:
    from jinja2 import Environment

    from autotype.types.column_types import ColumnTypes


_SHOWN_QUESTIONS = 6
_LONG_NAME = 30  # characters, from which the names of columns get more room


def as_page(report: ColumnTypes, *, table: str | None = None) -> str:
    """Write a report as a self-contained HTML page.

    Style, script and pictures are inside; the page loads nothing, and its content security policy
    allows no script but its own. Every name, level and reason
    is escaped.

    Parameters
    ----------
    report : TypeReport
    table : str, optional
        The name of the table, for the title and the name of the file of decisions.

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
    templates = load_templates()
    summary = summarise(report)
    overview = make_overview(summary)
    cards = [
        row
        | make_card(cells, n_rows=report.n_rows, exact=_exact_levels(column, cells))
        | make_correction(column, shown_name=row["name"])
        for row, cells, column in zip(
            overview["rows"], summary["columns"], report.columns, strict=True
        )
    ]
    script = text_of("page.js") + text_of("correct.js")
    return templates.get_template("page.html").render(
        types=overview["types"],
        rows=overview["rows"],
        cards=cards,
        questions=make_questions(report),
        shown_questions=_SHOWN_QUESTIONS,
        all_types=SEMANTIC_TYPES,
        long_names=any(len(row["name"]) > _LONG_NAME for row in overview["rows"]),
        table=None if table is None else shown(table),
        date=datetime.date.today().isoformat(),
        n_rows=summary["n_rows"],
        sample=summary.get("sample", ""),
        warnings=[
            {key: sentence(warning[key]) for key in ("kind", "message", "remedy")}
            for warning in summary["warnings"]
        ],
        version=summary["autotype_version"],
        categorical_up_to=CATEGORICAL_UP_TO,
        ordinal_from=ORDINAL_FROM,
        reach=REACH,
        bell=bell_curve(),
        style=text_of("page.css"),
        script=script,
        script_hash=base64.b64encode(hashlib.sha256(script.encode()).digest()).decode(),
    )


def _exact_levels(column: ColumnType, cells: Mapping[str, Any]) -> list[str | None]:
    return [
        exact_level(level, shown(item["level"], LONGEST_LEVEL))
        for level, item in zip(column.levels, cells["levels"], strict=True)
    ]


@cache
def load_templates() -> Environment:
    """Return the templates of the pages.

    Raises
    ------
    MissingExtraError
        If Jinja2 is not installed.
    """
    try:
        from jinja2 import Environment, FunctionLoader, StrictUndefined
    except ImportError:
        raise MissingExtraError("the report page needs Jinja2", extra="report") from None
    return Environment(
        loader=FunctionLoader(text_of),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def text_of(name: str) -> str:
    """Return the text of a template, style or script of the pages."""
    return files("autotype.report").joinpath("templates", name).read_text(encoding="utf-8")
