"""Format a report as a small HTML table, for notebooks.

The table inherits the notebook's colours, light or dark. Long reports scroll.
"""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from autotype.report.text import (
    HEADER,
    fit_levels,
    format_note,
    plain_cells,
    printable,
    shorten,
    summary_line,
)
from autotype.types.column_type import ColumnType
from autotype.wording import format_level

if TYPE_CHECKING:
    from autotype.types.column_types import ColumnTypes

_NUMBER = ' style="text-align: right"'
_TEXT = ' style="text-align: left"'
_ALIGNMENT = (_TEXT, _TEXT, _NUMBER, _NUMBER, _TEXT)
_SCROLLED_FROM = 20  # columns of the frame
_NAME_ROOM, _ORDER_ROOM = 40, 70  # characters
_TIP_ROOM = 1000


def as_html(report: ColumnTypes) -> str:
    """Format a report as an HTML fragment: a table, with orders and reasons as tooltips.

    Parameters
    ----------
    report : TypeReport

    Returns
    -------
    str
        Every name, level and reason is escaped. A table of many columns scrolls, also by
        keyboard; long names and orders are shortened, but not in their tooltips.

    Examples
    --------
    >>> from autotype import ColumnType, TypeReport
    >>> "&lt;b&gt;" in as_html(TypeReport([ColumnType("<b>", "text")]))
    True
    """
    head = "".join(
        f'<th scope="col"{align}>{title}</th>'
        for title, align in zip(HEADER, _ALIGNMENT, strict=True)
    )
    body = "\n".join(_row(column) for column in report.columns)
    summary = escape(summary_line(report))
    table = (
        '<table class="autotype" style="font-variant-numeric: tabular-nums">\n'
        f"<thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody>\n</table>"
    )
    if len(report.columns) > _SCROLLED_FROM:
        table = (
            f'<div style="max-height: 30em; overflow: auto" tabindex="0" role="region" '
            f'aria-label="{summary}">\n{table}\n</div>'
        )
    sample = f"<br>{escape(report.sample)}" if report.sample else ""
    reading = report.reading.unusual() if report.reading else ""
    file = f"<br>The file: {_isolated(printable(reading))}." if reading else ""
    return f"{table}\n<p>{summary}{sample}{file}</p>{_findings(report)}"


def _findings(report: ColumnTypes) -> str:
    """Format the warnings as a list; empty if there are none."""
    if not report.warnings:
        return ""
    items = "\n".join(
        f"<li><b>{escape(printable(warning.kind))}</b>: "
        f"{_isolated(shorten(printable(str(warning)), _TIP_ROOM))}</li>"
        for warning in report.warnings
    )
    return f"\n<ul>\n{items}\n</ul>"


def _row(column: ColumnType) -> str:
    name, *plain = plain_cells(column)
    mark = "<" if column.direction_known else "–"
    levels = fit_levels(column, _ORDER_ROOM)
    whole = f" {mark} ".join(
        printable(format_level(column.named(level))) for level in column.order or ()
    )
    order = f" {escape(mark)} ".join(map(_isolated, levels))
    if column.order is None:
        whole = printable(column.known_order()) or format_note(column)
        levels, order = [whole], _isolated(shorten(whole, _ORDER_ROOM))
    cells = (
        (escape(shorten(name, _NAME_ROOM)), name if len(name) > _NAME_ROOM else ""),
        *((escape(cell), "") for cell in plain),
        (order, "" if f" {mark} ".join(levels) == whole else whole),
    )
    shown = "".join(
        f"<td{align}{_tip(tip)}>{cell}</td>"
        for (cell, tip), align in zip(cells, _ALIGNMENT, strict=True)
    )
    about = [f"{column.title} \N{EN DASH}"] if column.title else []
    return f"<tr{_tip(printable(' '.join([*about, *column.reasons])))}>{shown}</tr>"


def _isolated(level: str) -> str:
    """Escape a level; right-to-left text must not reorder its neighbours."""
    return escape(level) if level.isascii() else f"<bdi>{escape(level)}</bdi>"


def _tip(text: str) -> str:
    """Return the attribute of a tooltip; empty without a string."""
    return f' title="{escape(shorten(text, _TIP_ROOM), quote=True)}"' if text else ""
