"""A report as a small HTML table, for notebooks.

No colour is set: the table inherits the notebook's own, light or dark.
"""

from __future__ import annotations

from html import escape

from autotype.column_types import ColumnType, TypeReport, format_level, format_probability
from autotype.report.text import printable, summary_line

_HEADER = ("column", "type", "P(ordinal)", "levels", "order")
_NUMBER = ' style="text-align: right"'
_TEXT = ' style="text-align: left"'
_ALIGNMENT = (_TEXT, _TEXT, _NUMBER, _NUMBER, _TEXT)


def as_html(report: TypeReport) -> str:
    """Write a report as an HTML fragment: a table, with the reasons as tooltips.

    Parameters
    ----------
    report : TypeReport

    Returns
    -------
    str
        Every name, level and reason is escaped.

    Examples
    --------
    >>> from autotype.column_types import ColumnType, TypeReport
    >>> "<td>" in as_html(TypeReport([ColumnType("<td>", "text")]))
    False
    """
    head = "".join(
        f"<th{align}>{title}</th>" for title, align in zip(_HEADER, _ALIGNMENT, strict=True)
    )
    body = "\n".join(_row(column) for column in report.columns)
    return (
        '<table class="autotype">\n'
        f"<thead><tr>{head}</tr></thead>\n"
        f"<tbody>\n{body}\n</tbody>\n"
        f"</table>\n<p>{escape(summary_line(report))}</p>"
    )


def _row(column: ColumnType) -> str:
    mark = " &lt; " if column.direction_known else " &ndash; "
    order = mark.join(escape(printable(format_level(level))) for level in column.order or ())
    cells = (
        escape(printable(column.name)),
        escape(column.semantic_type),
        escape(format_probability(column.probability)),
        f"{column.n_levels:,}",
        order,
    )
    tooltip = escape(" ".join(column.reasons), quote=True)
    row = "".join(f"<td{align}>{c}</td>" for c, align in zip(cells, _ALIGNMENT, strict=True))
    return f'<tr title="{tooltip}">{row}</tr>'
