"""Format a report as aligned text, for terminals and logs."""

from __future__ import annotations

import os
import re
import shutil
import sys
import textwrap
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import chain
from typing import TextIO

from autotype.report.blocks import Block, blocks_of, causes_of
from autotype.report.text_cells import display_width, fit_order, shorten
from autotype.types.column_type import SEMANTIC_TYPES, WITH_ODDS, ColumnType
from autotype.types.column_types import ColumnTypes
from autotype.wording import format_count, format_probability, printable

WIDTH = 100
NARROWEST = 60
NAME_WIDTH = 28
_LEAST_ORDER = 9
_LONGEST_FINDING = 600  # characters
_GAP = "  "
_GLUE = "\N{NO-BREAK SPACE}"
HEADER = ("column", "type", "P(ordinal)", "levels", "order")
_RIGHT_ALIGNED = {2, 3}
_TYPE = 1  # position of the type among the cells

# Colours that every terminal has, so that they suit its background.
_BOLD, _DIM, _RESET = "\x1b[1m", "\x1b[2m", "\x1b[0m"
_COLORS = {
    "ordinal": "\x1b[1;36m",
    "categorical": "\x1b[33m",
    "undetermined": "\x1b[35m",
    "binary": "\x1b[32m",
}


def as_text(report: ColumnTypes, *, width: int = WIDTH, color: bool = False) -> str:
    """Format a report as a table of at most 100 columns of text, a summary line, and its warnings.

    Parameters
    ----------
    report : TypeReport
    width : int
        Maximal number of columns of text, >= 60.
    color : bool
        Whether to colour the types, for a terminal.

    Returns
    -------
    str
        One row for each column of the frame, and one for the columns of a scale or of another
        block, with their number, the lowest P(ordinal) and, below, their names as far as needed.
        Orders are written with ``<`` if their low end is known, with ``-`` if they are known only
        up to reversal. Columns without one have their format and missing markers in its place, and
        the probability of a type that is in doubt. Warnings of one cause are one paragraph.

    Examples
    --------
    >>> from autotype import ColumnType, TypeReport
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
    blocks = blocks_of(report.columns)
    rows = [plain_cells(block) for block in blocks]
    fixed = [max(display_width(row[j]) for row in [HEADER, *rows]) for j in range(4)]
    room = width - sum(fixed[1:]) - len(_GAP) * len(fixed)  # for names and orders
    fixed[0] = min(fixed[0], NAME_WIDTH, room - _LEAST_ORDER)
    room -= fixed[0]
    orders = [fit_order(block.described, room) for block in blocks]
    widths = [*fixed, max(map(display_width, ["order", *orders]))]
    header = _line(HEADER, widths)
    rule = _line(["-" * width for width in widths], widths)
    table = [_styled(header, _BOLD), _styled(rule, _DIM)] if color else [header, rule]
    for block, (_, *row), order in zip(blocks, rows, orders, strict=True):
        cells = (fit_name(block, fixed[0]), *row, order)
        style = _COLORS.get(block.columns[0].semantic_type, _DIM) if color else ""
        table.append(_line(cells, widths, type_style=style))
        for text in _more(block, cells):
            room = width if display_width(text) == len(text) else width // 2  # letters fill two
            folded = textwrap.wrap(text, room, initial_indent="  ", subsequent_indent="    ")
            table += [_styled(line, _DIM) if color else line for line in folded]
    # No line break between a number and its noun.
    reading = report.reading.unusual() if report.reading else ""
    file = [f"The file: {reading}."] if reading else []
    lines = [summary_line(report), *map(printable, filter(None, [report.sample, *file]))]
    wrapped = [textwrap.wrap(_glued(line), width, subsequent_indent="  ") for line in lines]
    summary = [line.replace(_GLUE, " ") for line in chain.from_iterable(wrapped)]
    return "\n".join([*table, "", *summary] if rows else summary) + _findings(report, width, color)


def fit_name(block: Block, room: int) -> str:
    """Format the name of a column, or those of a block with their number, in `room` cells."""
    number = "" if block.is_single else f" ({len(block.columns)})"
    return shorten(", ".join(block.names), room - len(number)) + number


def _more(block: Block, cells: Sequence[str]) -> list[str]:
    """Return what the cells of a block do not show: what was cut, and reversed columns."""
    if block.is_single:
        return []
    names, order = ", ".join(block.names), fit_order(block.described, _LONGEST_FINDING)
    texts = [text for text, cell in ((order, cells[-1]), (names, cells[0])) if text not in cell]
    if block.reversed:
        texts.append(f"reversed: {', '.join(block.reversed)}")
    return [shorten(text, _LONGEST_FINDING) for text in texts]


def _findings(report: ColumnTypes, width: int, color: bool) -> str:
    """Format the warnings as folded paragraphs, one for each cause; empty if there are none."""
    paragraphs = []
    for cause in causes_of(report.warnings):
        head = f"{cause.title}: "
        text = printable(f"{head}{cause.text(_LONGEST_FINDING)}")
        lines = textwrap.wrap(text, width, subsequent_indent="  ")
        if color:
            lines[0] = _styled(head, _BOLD) + lines[0].removeprefix(head)
        paragraphs.append("\n".join(lines))
    return "".join(f"\n\n{paragraph}" for paragraph in paragraphs)


def plain_cells(block: Block) -> tuple[str, str, str, str]:
    """Return the cells of a block below the first four names of `HEADER`; its names are whole."""
    kind = block.columns[0].semantic_type
    # The probability of being ordinal, rather than of the type that is named.
    probability = format_probability(block.probability) if kind in WITH_ODDS else ""
    n_levels = sorted({column.n_levels for column in block.columns})
    levels = "-".join(f"{n:,}" for n in n_levels[:: max(len(n_levels) - 1, 1)])
    return fit_name(block, sys.maxsize), kind, probability, levels


def _line(cells: Sequence[str], widths: Sequence[int], *, type_style: str = "") -> str:
    padded = []
    for j, (cell, width) in enumerate(zip(cells, widths, strict=True)):
        space = " " * (width - display_width(cell))
        shown = _styled(cell, type_style) if j == _TYPE and type_style else cell
        padded.append(space + shown if j in _RIGHT_ALIGNED else shown + space)
    return _GAP.join(padded).rstrip()


def _styled(text: str, style: str) -> str:
    return f"{style}{text}{_RESET}"


def summary_line(report: ColumnTypes) -> str:
    """Summarise a report in one line: columns, rows, and the number of columns of each type."""
    by_type = ", ".join(f"{n} {t}" for t, n in count_types(report.columns).items())
    columns, rows = len(report.columns), report.n_rows
    head = f"{format_count(columns, 'column')}, {format_count(rows, 'row')}"
    return f"{head}: {by_type}" if by_type else head


def count_types(columns: Iterable[ColumnType]) -> dict[str, int]:
    """Count the columns of each type that occurs, in the order of the types.

    Examples
    --------
    >>> from autotype import ColumnType
    >>> count_types([ColumnType("a", "text"), ColumnType("b", "ordinal"), ColumnType("c", "text")])
    {'ordinal': 1, 'text': 2}
    """
    counts = Counter[str](column.semantic_type for column in columns)
    return {t: counts[t] for t in SEMANTIC_TYPES if t in counts}


def _glued(text: str) -> str:
    return re.sub(r"(?<=\d) ", _GLUE, text)


def wants_color(stream: TextIO | None) -> bool:
    """Check whether a stream should get colour.

    A terminal does, unless ``TERM`` is "dumb". ``FORCE_COLOR`` turns colour on anywhere,
    ``NO_COLOR`` turns it off and wins; both count if they are set and not empty.

    Examples
    --------
    >>> import io
    >>> wants_color(io.StringIO())
    False
    """
    if os.environ.get("NO_COLOR"):
        return False
    if forced := os.environ.get("FORCE_COLOR"):
        return forced != "0"
    return _is_terminal(stream) and os.environ.get("TERM") != "dumb"


def table_width(stream: TextIO | None) -> int:
    """Return the columns of text for a table: those of a narrow terminal, else 100.

    Examples
    --------
    >>> import io
    >>> table_width(io.StringIO())
    100
    """
    if not _is_terminal(stream):
        return WIDTH
    return min(max(shutil.get_terminal_size((WIDTH, 24)).columns, NARROWEST), WIDTH)


def _is_terminal(stream: TextIO | None) -> bool:
    """Check whether a stream is a terminal; closed and missing streams are not."""
    try:
        return stream is not None and stream.isatty()
    except ValueError:  # closed
        return False
