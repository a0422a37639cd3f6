"""Format a report as aligned text, for terminals and logs."""

from __future__ import annotations

import os
import re
import shutil
import textwrap
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import chain
from typing import TYPE_CHECKING, TextIO

from autotype.types.column_type import SEMANTIC_TYPES, WITH_ODDS, ColumnType
from autotype.wording import format_count, format_level, format_probability

if TYPE_CHECKING:
    from autotype.types.column_types import ColumnTypes

WIDTH = 100
NARROWEST = 60
NAME_WIDTH = 28
_LEAST_ORDER = 9
_SURE = 0.85  # probability of a type from which it is not shown
_LONGEST_FINDING = 600  # characters
_SCALES = 3  # that are listed
ELLIPSIS = "…"
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
        One row for each column of the frame. Orders are written with ``<`` if their low end
        is known, with ``-`` if they are known only up to reversal. Columns without one have their
        format and missing markers in its place, and the probability of a type that is in doubt.

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
    rows = [plain_cells(column) for column in report.columns]
    fixed = [max(display_width(row[j]) for row in [HEADER, *rows]) for j in range(4)]
    room = width - sum(fixed[1:]) - len(_GAP) * len(fixed)  # for names and orders
    fixed[0] = min(fixed[0], NAME_WIDTH, room - _LEAST_ORDER)
    room -= fixed[0]
    orders = [fit_order(column, room) for column in report.columns]
    widths = [*fixed, max(map(display_width, ["order", *orders]))]
    styles = [_COLORS.get(c.semantic_type, _DIM) if color else "" for c in report.columns]
    header = _line(HEADER, widths)
    rule = _line(["-" * width for width in widths], widths)
    table = [_styled(header, _BOLD), _styled(rule, _DIM)] if color else [header, rule]
    for (name, *row), order, style in zip(rows, orders, styles, strict=True):
        cells = (shorten(name, fixed[0]), *row, order)
        table.append(_line(cells, widths, type_style=style))
    # No line break between a number and its noun.
    reading = report.reading.unusual() if report.reading else ""
    file = [f"The file: {reading}."] if reading else []
    notes = [*_scales(report), report.sample, *file]
    lines = [summary_line(report), *map(printable, filter(None, notes))]
    wrapped = [textwrap.wrap(_glued(line), width, subsequent_indent="  ") for line in lines]
    summary = [line.replace(_GLUE, " ") for line in chain.from_iterable(wrapped)]
    return "\n".join([*table, "", *summary] if rows else summary) + _findings(report, width, color)


def _scales(report: ColumnTypes) -> list[str]:
    """Write the first scales that columns share, in a sentence each."""
    scales = report.scales
    rest = format_count(len(scales) - _SCALES, "more scale")
    texts = [shorten(f"{scale.text}.", _LONGEST_FINDING) for scale in scales[:_SCALES]]
    return [*texts, f"And {rest}."] if len(scales) > _SCALES else texts


def _findings(report: ColumnTypes, width: int, color: bool) -> str:
    """Format the warnings as folded paragraphs; empty if there are none."""
    paragraphs = []
    for warning in report.warnings:
        head = f"{warning.kind}: "
        text = shorten(printable(f"{head}{warning}."), _LONGEST_FINDING)
        lines = textwrap.wrap(text, width, subsequent_indent="  ")
        if color:
            lines[0] = _styled(head, _BOLD) + lines[0].removeprefix(head)
        paragraphs.append("\n".join(lines))
    return "".join(f"\n\n{paragraph}" for paragraph in paragraphs)


def fit_order(column: ColumnType, room: int) -> str:
    """Format a column's order in at most `room` columns of text, omitting inner levels.

    Examples
    --------
    >>> from autotype import ColumnType
    >>> score = ColumnType("score", "ordinal", order=tuple(range(10)), direction_known=True)
    >>> fit_order(score, 20)
    '0 < 1 < 2 < … < 9'
    >>> fit_order(ColumnType("kg", "continuous", missing_markers=("n/a", -9)), 20)
    'missing: n/a, -9'
    """
    if column.order is None:
        known = column.known_order()
        return shorten(f"known: {printable(known)}" if known else format_note(column), room)
    mark = " < " if column.direction_known else " - "
    return shorten(mark.join(fit_levels(column, room)), room)


def format_note(column: ColumnType) -> str:
    """Return what is said of a column in the place of an order that it lacks.

    The probability of a type whose column has no P(ordinal), if it is in doubt; its format, its
    missing markers and its question.

    Examples
    --------
    >>> from autotype import ColumnType
    >>> format_note(ColumnType("n", "count", 0.4, type_probabilities={"count": 0.7}))
    'P(count) 0.70'
    """
    notes = [] if column.format is None else [column.format]
    sure = column.type_probabilities.get(column.semantic_type, 1.0)
    if column.semantic_type not in WITH_ODDS and sure < _SURE:
        notes.insert(0, f"P({column.semantic_type}) {format_probability(sure)}")
    if column.missing_markers:
        markers = (printable(format_level(marker)) for marker in column.missing_markers)
        notes.append(f"missing: {', '.join(markers)}")
    if column.group:
        notes.append(f"question: {printable(column.group)}")
    return "; ".join(notes)


def fit_levels(column: ColumnType, room: int) -> list[str]:
    """Return the levels of a column's order, without inner ones if all do not fit in `room`.

    Levels have their labels, if they have any. Three characters between two levels are included.
    The two ends are returned even if they do not fit.

    Examples
    --------
    >>> from autotype import ColumnType
    >>> fit_levels(ColumnType("score", "ordinal", order=tuple(range(10))), 16)
    ['0', '1', '…', '9']
    >>> mood = ColumnType("mood", "ordinal", order=(1, 2), labels={1: "bad", 2: "good"})
    >>> fit_levels(mood, 40)
    ['1 "bad"', '2 "good"']
    """
    named = map(column.named, column.order or ())
    levels = [shorten(printable(format_level(level)), room) for level in named]
    fitting, n_shown = levels, len(levels) - 2
    while n_shown > 0 and sum(display_width(level) + 3 for level in fitting) - 3 > room:
        fitting = [*levels[:n_shown], ELLIPSIS, levels[-1]]
        n_shown -= 1
    return fitting


def printable(value: object) -> str:
    r"""Format any value on one line, with control characters escaped.

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
    """Count the terminal cells of a string: wide characters fill two, accents none.

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
    """Cut a string to at most `room` terminal cells, its end replaced by an ellipsis.

    Examples
    --------
    >>> shorten("satisfaction", 6), shorten("size", 6)
    ('satis…', 'size')
    """
    if display_width(text) <= room:
        return text
    width = 0
    for end, character in enumerate(text):
        width += display_width(character)
        if width >= room:
            return text[:end] + ELLIPSIS
    return text


def plain_cells(column: ColumnType) -> tuple[str, str, str, str]:
    """Return the cells of a column below the first four names of `HEADER`."""
    probability = format_probability(column.probability)
    if column.semantic_type not in WITH_ODDS:
        probability = ""  # of being ordinal, rather than of the type that is named
    return printable(column.name), column.semantic_type, probability, f"{column.n_levels:,}"


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
