"""Format a report as a small HTML table, for notebooks.

The table inherits the notebook's colours, light or dark. A long one scrolls in JupyterLab, and is
whole in what is exported or printed.
"""

from __future__ import annotations

from html import escape

from autotype.report.blocks import Block, blocks_of, causes_of
from autotype.report.text import HEADER, count_types, fit_name, plain_cells, summary_line
from autotype.report.text_cells import fit_levels, format_note, is_doubtful, shorten
from autotype.types.column_types import ColumnTypes
from autotype.wording import format_level, printable

_NUMBER = ' style="text-align: right"'
_TEXT = ' style="text-align: left"'
_ALIGNMENT = (_TEXT, _TEXT, _NUMBER, _NUMBER, _TEXT)
_SCROLLED_FROM = 20  # rows
_NAME_ROOM, _ORDER_ROOM = 40, 70  # characters
_TIP_ROOM = 1000
# Nothing else scrolls: exports to HTML and PDF show all rows.
_STYLE = "<style>.jp-NotebookPanel .autotype-box { max-height: 30em; overflow: auto }</style>"


def as_html(report: ColumnTypes) -> str:
    """Format a report as an HTML fragment: a table, with orders and reasons as tooltips.

    Parameters
    ----------
    report : TypeReport

    Returns
    -------
    str
        One row for each column, or for a scale or another block of columns. Every name, level and
        reason is escaped. A table of many rows starts with the ordinal and the doubtful columns,
        says what is below, and scrolls in JupyterLab, also by keyboard; long names and orders are
        shortened, but not in their tooltips.

    Examples
    --------
    >>> from autotype import ColumnType, TypeReport
    >>> "&lt;b&gt;" in as_html(TypeReport([ColumnType("<b>", "text")]))
    True
    """
    blocks = blocks_of(report.columns)
    summary, before = escape(summary_line(report)), ""
    is_long = len(blocks) > _SCROLLED_FROM
    if is_long:
        first = [block for block in blocks if _comes_first(block)]
        blocks = [*first, *(block for block in blocks if not _comes_first(block))]
        below = count_types(c for block in blocks[len(first) :] for c in block.columns)
        listed = ", ".join(f"{n} {kind}" for kind, n in below.items())
        before = f"<p>Ordinal and doubtful columns come first; below them: {listed or 'none'}.</p>"
    head = "".join(
        f'<th scope="col"{align}>{title}</th>'
        for title, align in zip(HEADER, _ALIGNMENT, strict=True)
    )
    table = (
        '<table class="autotype" style="font-variant-numeric: tabular-nums">\n'
        f"<thead><tr>{head}</tr></thead>\n<tbody>\n"
        + "\n".join(map(_row, blocks))
        + "\n</tbody>\n</table>"
    )
    if is_long:
        table = (
            f'{_STYLE}{before}<div class="autotype-box" tabindex="0" role="region" '
            f'aria-label="{summary}">\n{table}\n</div>'
        )
    sample = f"<br>{escape(report.sample)}" if report.sample else ""
    reading = report.reading.unusual() if report.reading else ""
    file = f"<br>The file: {_isolated(printable(reading))}." if reading else ""
    return f"{table}\n<p>{summary}{sample}{file}</p>{_findings(report)}"


def _comes_first(block: Block) -> bool:
    kind = block.columns[0].semantic_type
    return kind == "ordinal" or any(map(is_doubtful, block.columns))


def _findings(report: ColumnTypes) -> str:
    """Format the warnings as a list of their causes; empty if there are none."""
    items = [
        f"<li><b>{escape(printable(cause.title))}</b>: "
        f"{_isolated(printable(cause.text(_TIP_ROOM)))}</li>"
        for cause in causes_of(report.warnings)
    ]
    return "\n<ul>\n" + "\n".join(items) + "\n</ul>" if items else ""


def _row(block: Block) -> str:
    _, *plain = plain_cells(block)
    column, name = block.described, fit_name(block, _NAME_ROOM)
    names = ", ".join(block.names)
    mark = "<" if column.direction_known else "–"
    levels = fit_levels(column, _ORDER_ROOM)
    whole = f" {mark} ".join(
        printable(format_level(column.named(level))) for level in column.order or ()
    )
    order = f" {escape(mark)} ".join(map(_isolated, levels))
    if column.order is None:
        whole = printable(column.known_order()) or format_note(column)
        levels, order = [whole], _isolated(shorten(whole, _ORDER_ROOM))
    if block.reversed:
        order += f"<br><small>reversed: {escape(', '.join(block.reversed))}</small>"
    cells = (
        (escape(name), "" if names in name else names),
        *((escape(cell), "") for cell in plain),
        (order, "" if f" {mark} ".join(levels) == whole else whole),
    )
    shown = "".join(
        f"<td{align}{_tip(tip)}>{cell}</td>"
        for (cell, tip), align in zip(cells, _ALIGNMENT, strict=True)
    )
    about = [f"{column.title} \N{EN DASH}"] if column.title else []
    reasons = [*about, *column.reasons] if block.is_single else []
    return f"<tr{_tip(printable(' '.join(reasons)))}>{shown}</tr>"


def _isolated(level: str) -> str:
    """Escape a level; right-to-left text must not reorder its neighbours."""
    return escape(level) if level.isascii() else f"<bdi>{escape(level)}</bdi>"


def _tip(text: str) -> str:
    """Return the attribute of a tooltip; empty without a string."""
    return f' title="{escape(shorten(text, _TIP_ROOM), quote=True)}"' if text else ""
