"""A report as aligned text, for terminals and logs."""

from __future__ import annotations

import re
import textwrap
import unicodedata
from collections import Counter
from collections.abc import Sequence

from autotype.column_types import (
    SEMANTIC_TYPES,
    ColumnType,
    TypeReport,
    format_level,
    format_probability,
)

WIDTH = 100
NAME_WIDTH = 28
ELLIPSIS = "…"
_GAP = "  "
_GLUE = "\N{NO-BREAK SPACE}"
_HEADER = ("column", "type", "P(ordinal)", "levels", "order")
_RIGHT_ALIGNED = {2, 3}


def as_text(report: TypeReport) -> str:
    """Write a report as a table of at most 100 columns of text, and a line that sums it up.

    Parameters
    ----------
    report : TypeReport

    Returns
    -------
    str
        One row for each column of the frame. Orders are written with ``<`` where their low end
        is known, with ``-`` where they may as well be read backwards.

    Examples
    --------
    >>> from autotype.column_types import ColumnType, TypeReport
    >>> size = ColumnType("size", "ordinal", 0.98, order=("S", "M", "L"), direction_known=True,
    ...                   n_levels=3)
    >>> print(as_text(TypeReport([size, ColumnType("id", "identifier", n_levels=9)], n_rows=9)))
    column  type        P(ordinal)  levels  order
    ------  ----------  ----------  ------  ---------
    size    ordinal           0.98       3  S < M < L
    id      identifier                   9
    <BLANKLINE>
    2 columns, 9 rows: 1 ordinal, 1 identifier
    """
    rows = [_cells(column) for column in report.columns]
    fixed = [max(display_width(row[j]) for row in [_HEADER, *rows]) for j in range(4)]
    room = WIDTH - sum(fixed) - len(_GAP) * len(fixed)
    orders = [fit_order(column, room) for column in report.columns]
    widths = [*fixed, max(map(display_width, ["order", *orders]))]
    rules = ["-" * width for width in widths]
    lines = [_HEADER, rules, *((*row, order) for row, order in zip(rows, orders, strict=True))]
    table = [_line(cells, widths) for cells in lines] if rows else []
    # Numbers stay beside their nouns.
    summary = textwrap.wrap(_glued(summary_line(report)), WIDTH, subsequent_indent="  ")
    summary = [line.replace(_GLUE, " ") for line in summary]
    return "\n".join([*table, "", *summary] if table else summary)


def fit_order(column: ColumnType, room: int) -> str:
    """Write a column's order in at most `room` columns of text, leaving out inner levels.

    Examples
    --------
    >>> from autotype.column_types import ColumnType
    >>> score = ColumnType("score", "ordinal", order=tuple(range(10)), direction_known=True)
    >>> fit_order(score, 20)
    '0 < 1 < 2 < … < 9'
    """
    if column.order is None:
        return ""
    mark = " < " if column.direction_known else " - "
    levels = [printable(format_level(level)) for level in column.order]
    text = mark.join(levels)
    n_shown = len(levels) - 2
    while display_width(text) > room and n_shown > 0:
        text = mark.join([*levels[:n_shown], ELLIPSIS, levels[-1]])
        n_shown -= 1
    return shorten(text, room)


def printable(value: object) -> str:
    r"""Write any value on one line, with control characters escaped.

    Examples
    --------
    >>> print(printable("two\nlines"), printable(("a", 1)))
    two\nlines ('a', 1)
    """
    text = str(value)
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in text)


def display_width(text: str) -> int:
    """Count the terminal cells that a text fills: wide characters take two, accents none.

    Examples
    --------
    >>> display_width("size"), display_width("大小")
    (4, 4)
    """
    if text.isascii():
        return len(text)
    return sum(
        0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1
        for c in text
    )


def shorten(text: str, room: int) -> str:
    """Cut a text to at most `room` terminal cells, its end replaced by an ellipsis.

    Examples
    --------
    >>> shorten("satisfaction", 6), shorten("size", 6)
    ('satis…', 'size')
    """
    if display_width(text) <= room:
        return text
    while text and display_width(text) >= room:
        text = text[:-1]
    return text + ELLIPSIS


def _cells(column: ColumnType) -> tuple[str, str, str, str]:
    probability = format_probability(column.probability)
    name = shorten(printable(column.name), NAME_WIDTH)
    return name, column.semantic_type, probability, f"{column.n_levels:,}"


def _line(cells: Sequence[str], widths: Sequence[int]) -> str:
    padded = []
    for j, (cell, width) in enumerate(zip(cells, widths, strict=True)):
        space = " " * (width - display_width(cell))
        padded.append(space + cell if j in _RIGHT_ALIGNED else cell + space)
    return _GAP.join(padded).rstrip()


def summary_line(report: TypeReport) -> str:
    """Sum a report up in one line: columns, rows, and how many columns of each type."""
    counts = Counter[str](column.semantic_type for column in report.columns)
    by_type = ", ".join(f"{counts[t]} {t}" for t in SEMANTIC_TYPES if t in counts)
    n_columns = len(report.columns)
    head = f"{_number(n_columns, 'column')}, {_number(report.n_rows, 'row')}"
    return f"{head}: {by_type}" if by_type else head


def _glued(text: str) -> str:
    return re.sub(r"(?<=\d) ", _GLUE, text)


def _number(count: int, noun: str) -> str:
    return f"{count:,} {noun}" + ("" if count == 1 else "s")
