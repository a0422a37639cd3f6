"""What is known of the rows of a grid before it is known which of them are data.

The body of a table is recognised without its borders: most cells belong to it. So the rows as full
as that of the median cell are its sample, and every other row is compared with their columns.

Rows have cells with kinds of contents, which are what a layout is found by.
"""

from __future__ import annotations

import datetime
import re
from collections import Counter
from collections.abc import Sequence
from decimal import Decimal
from enum import IntEnum
from functools import cache, cached_property, lru_cache
from itertools import pairwise
from typing import Any, NamedTuple

from autotype.lexicon.missing import missing_marks, missing_phrases
from autotype.lexicon.numbers import CURRENCY_AT_HOME, CURRENCY_SIGN
from autotype.wording import format_level

_SIGN = r"[-+−–]?\s*"
# Other codes stand in headers, too: "1 THB", "100 JPY".
_UNIT = rf"(?:%|‰|°C?|{CURRENCY_SIGN}|USD|EUR|GBP|Ft|{CURRENCY_AT_HOME})"
_DIGITS = r"(?:\d[\d.,'’ \u00a0\u202f]*|[.,]\d+)"
_NUMBER = re.compile(
    rf"\(?{_SIGN}{_UNIT}?\s*{_SIGN}{_DIGITS}(?:[eE][-+]?\d+)?\s*{_UNIT}?\)?-?\s*[*#†‡]*"
)
_DAY = r"\d{1,4}([-/. ])\d{1,2}(?:\1\d{1,4})?\.?"
_CLOCK = (
    r"\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?(?:\s*[aApP]\.?[mM]\.?)?(?:\s*(?:Z|UTC|[+-]\d\d:?\d\d))?"
)
_DATE = re.compile(
    rf"{_DAY}(?:[ T,]+{_CLOCK})?|{_CLOCK}"
    r"|\d{4}[年년](?:\s*\d{1,2}[月월](?:\s*\d{1,2}[日일])?)?"
    r"|\d{1,2}[-. ](?!bis |und |and |tot |til |por )[^\W\d_]{3,10}\.?[-, ]+\d{2,4}"
    r"|(?:[^\W\d_]{3,9},? )?[^\W\d_]{3,9}\.? \d{1,2},? \d{4}(?:[ ,]+" + _CLOCK + ")?"
    r"|\d{4}[-/ ]?[QKT]\d"
)
_RULER = re.compile(r"[-=_+:|\s]+")
_LINE = re.compile(r"-{3}|={3}|_{3}|:-|-:")


class CellKind(IntEnum):
    """What the content of a cell looks like."""

    EMPTY = 0
    MISSING = 1
    NUMBER = 2
    DATE = 3
    TEXT = 4


class Row(NamedTuple):
    """One row of cells: strings of a text file, or typed cells of a workbook.

    Attributes
    ----------
    line : int
        1-based physical line on which the row begins, or row of the sheet.
    cells : sequence
        Fewer than the table's columns if the row ends early; none in a blank line.
    """

    line: int
    cells: Sequence[Any]


def is_empty(cell: Any) -> bool:
    """Check whether a cell holds nothing, or white space only.

    Examples
    --------
    >>> [is_empty(cell) for cell in (None, " ", float("nan"), 0)]
    [True, True, True, False]
    """
    if isinstance(cell, str):
        return not cell or cell.isspace()
    return cell is None or cell != cell


def text_of(cell: Any) -> str:
    """Return a cell as a string: integers without a decimal point, dates as ISO.

    Examples
    --------
    >>> [text_of(cell) for cell in (2013.0, " a ", None)]
    ['2013', ' a ', '']
    """
    return "" if is_empty(cell) else format_level(cell)


def kind_of(cell: Any) -> CellKind:
    """Return the kind of one cell.

    Examples
    --------
    >>> [kind_of(cell).name for cell in ("1.234,5 %", "2020-01-31", "n/a", "Berlin", "", 3)]
    ['NUMBER', 'DATE', 'MISSING', 'TEXT', 'EMPTY', 'NUMBER']
    """
    if isinstance(cell, str):
        return _kind_of_string(cell.strip())
    if is_empty(cell):
        return CellKind.EMPTY
    if isinstance(cell, bool | int | float | Decimal):
        return CellKind.NUMBER
    if isinstance(cell, datetime.date | datetime.time | datetime.timedelta):
        return CellKind.DATE
    return CellKind.TEXT


@lru_cache(1 << 15)
def _kind_of_string(text: str) -> CellKind:
    if not text:
        return CellKind.EMPTY
    if len(text) > 40:
        return CellKind.TEXT
    if text.casefold() in _missing():
        return CellKind.MISSING
    if not any(map(str.isdigit, text)):
        return CellKind.TEXT
    if _DATE.fullmatch(text) and not re.fullmatch(r"\d+[. ]\d+", text):
        return CellKind.DATE
    return CellKind.NUMBER if _NUMBER.fullmatch(text) else CellKind.TEXT


@cache
def _missing() -> frozenset[str]:
    """Return what marks a missing value, in lower case: marks, phrases, signs of statistics."""
    marks = missing_marks() | missing_phrases() | {"*", "**", ":", "/", "x", "nd", "n.d.", "----"}
    return frozenset(mark.casefold() for mark in marks)


def is_ruler(cells: Sequence[Any]) -> bool:
    """Check whether a row is a line drawn under or between others.

    Examples
    --------
    >>> is_ruler(["---", "-----", "-"]), is_ruler(["---", "1.5"]), is_ruler(["-", "-"])
    (True, False, False)
    """
    present = [cell for cell in cells if cell]
    if not all(isinstance(cell, str) and _RULER.fullmatch(cell) for cell in present):
        return False
    return 2 * sum(_LINE.search(cell) is not None for cell in present) >= len(present) > 0


_N_SAMPLED = 100  # rows of the sample
_N_OF_BLOCK = 11
_N_COLUMNS = 120  # columns that are compared
_VALUES = (CellKind.NUMBER, CellKind.DATE)
_N_BEYOND = 2  # columns that a header may name beyond the rows of the sample
_YEARS = range(1500, 2200)


class GridRow:
    """One row that is not blank.

    Attributes
    ----------
    line : int
    cells : sequence
    after_gap : bool
        Whether blank lines, comments or rulers stand above it.
    filled : list of int
        The positions of its filled cells.
    fill, width : int
        The number of filled cells, and of all up to the last of them.
    """

    def __init__(self, row: Row, *, after_gap: bool) -> None:
        self.line = row.line
        self.cells = row.cells
        self.after_gap = after_gap
        self.filled = [j for j, cell in enumerate(row.cells) if not is_empty(cell)]
        self.fill = len(self.filled)
        self.width = self.filled[-1] + 1 if self.filled else 0

    def text(self, j: int) -> str:
        """Return the text of a cell, without white space around it; empty beyond the end."""
        return text_of(self.cells[j]).strip() if j < len(self.cells) else ""

    def kind(self, j: int) -> CellKind:
        """Return the kind of a cell."""
        return kind_of(self.cells[j]) if j < len(self.cells) else CellKind.EMPTY

    @cached_property
    def n_names(self) -> int:
        """Number of filled cells, those that repeat the one before as one: merged ones."""
        return sum(text != before for before, text in pairwise(["", *map(self.text, self.filled)]))

    @cached_property
    def is_label(self) -> bool:
        """Whether one cell is filled, with text."""
        return self.fill == 1 and self.kind(self.filled[0]) == CellKind.TEXT

    @cached_property
    def is_sequence(self) -> bool:
        """Whether its numbers are years in order, once or for each group, or at equal steps."""
        numbers = []
        for j in self.filled:
            if self.kind(j) not in _VALUES:
                continue
            match = re.fullmatch(r"(\d{1,4})[年년]?", self.text(j))
            if match is None:
                return False
            numbers.append(int(match[1]))
        if len(set(numbers)) > 1 and all(n in _YEARS for n in numbers):
            run = numbers[: numbers.index(numbers[0], 1)] if numbers.count(numbers[0]) > 1 else []
            numbers = (
                run if len(run) > 1 and numbers == run * (len(numbers) // len(run)) else numbers
            )
        steps = {b - a for a, b in pairwise(numbers)}
        if len(numbers) < 2 or (len(numbers) == 2 and not steps <= {-1, 1}):
            return False
        if all(n in _YEARS for n in numbers):
            return all(s > 0 for s in steps) or all(s < 0 for s in steps)
        return (len(numbers) > 2 and steps == {1}) or (
            len(numbers) > 4 and len(steps) == 1 and 0 not in steps
        )


def split_kinds(
    rows: Sequence[Row], comment: str = ""
) -> tuple[list[GridRow], list[Row], list[int]]:
    """Return the rows that are neither blank nor comments nor rulers, the comments, the rulers."""
    found: list[GridRow] = []
    comments: list[Row] = []
    rulers: list[int] = []
    gap = False
    for row in rows:
        first = next((cell for cell in row.cells if not is_empty(cell)), None)
        if first is None:
            gap = True
        elif comment and isinstance(first, str) and first.lstrip().startswith(comment):
            comments.append(row)
            gap = True
        elif isinstance(first, str) and not first[:1].isalnum() and is_ruler(row.cells):
            rulers.append(row.line)
        else:
            found.append(GridRow(row, after_gap=gap))
            gap = False
    return found, comments, rulers


class Grid:
    """The rows of a text or of a sheet that are not blank, and what their columns hold.

    Attributes
    ----------
    rows : list of GridRow
        Without blank lines, comments and rulers.
    comments : list of Row
        Comment lines, which begin with the comment sign.
    rulers : list of int
        Lines drawn between rows.
    width, n_cells : int
        Columns up to the last filled one, of nearly all rows of the sample; and cells of most.
    fill : int
        Filled cells of the row to which the median cell belongs.
    """

    def __init__(self, rows: Sequence[Row], comment: str = "") -> None:
        self.rows, self.comments, self.rulers = split_kinds(rows, comment)
        cells = sorted(row.fill for row in self.rows)
        half, total = sum(cells) / 2, 0
        self.fill = next((n for n in cells if (total := total + n) >= half), 0)
        self._profile(self._sample())

    def _sample(self) -> list[GridRow]:
        """Return rows of the body: of the largest block between gaps, if it is not small."""
        blocks: list[list[GridRow]] = [[]]
        for row in self.rows:
            if row.after_gap:
                blocks.append([])
            if row.fill >= max(1, self.fill / 2):
                blocks[-1].append(row)
        largest = max(blocks, key=lambda block: sum(row.fill for row in block))
        full = largest if len(largest) > _N_OF_BLOCK else [row for b in blocks for row in b]
        full = full[min(3, len(full) // 2) :]
        return full[:: max(1, len(full) // _N_SAMPLED)]

    def _profile(self, sample: Sequence[GridRow]) -> None:
        """Find the columns that hold numbers or dates, and those that are always filled."""
        self.sample = sample
        widths = sorted(row.width for row in sample)
        self.width = widths[int(0.95 * (len(widths) - 1))] if widths else 0
        self.n_cells = (
            Counter(len(row.cells) for row in sample).most_common(1)[0][0] if sample else 0
        )
        step = max(1, self.width // _N_COLUMNS)
        self.columns = range(0, self.width, step)
        self.majority: dict[int, CellKind] = {}
        self.always: set[int] = set()
        for j in self.columns:
            counts = Counter(row.kind(j) for row in sample)
            present = len(sample) - counts[CellKind.EMPTY]
            if present == len(sample):
                self.always.add(j)
            valued = present - counts[CellKind.MISSING]
            values = counts[CellKind.NUMBER] + counts[CellKind.DATE]
            if valued and values >= 0.8 * valued:
                self.majority[j] = max(_VALUES, key=lambda kind: counts[kind])
        n_sequences = sum(row.is_sequence for row in sample)
        self.has_sequences = n_sequences > 0.2 * len(sample)

    def evidence(self, row: GridRow) -> tuple[int, int]:
        """Return how many cells of a row speak for a header, and how many for data."""
        against = agreeing = n_years = 0
        is_sequence = not self.has_sequences and row.is_sequence and not self._are_years(row)
        for j, kind in self.majority.items():
            found = row.kind(j)
            if found == CellKind.TEXT:
                against += 1
            elif found in _VALUES:
                if is_sequence or (found == CellKind.DATE and kind == CellKind.NUMBER):
                    against += 1
                elif found == kind:
                    agreeing += 1
                    n_years += self._is_odd_year(row, j)
        if against and n_years == agreeing:  # years among names
            return against + agreeing, 0
        return against, agreeing

    def _is_odd_year(self, row: GridRow, j: int) -> bool:
        """Check whether a cell is a year in a column that holds other numbers."""
        text = row.text(j)
        return bool(text) and _is_year(text) and not all(_is_year(r.text(j)) for r in self.sample)

    def _are_years(self, row: GridRow) -> bool:
        """Check whether most columns in which a row has numbers hold years anyway."""
        columns = [j for j in row.filled if j in self.majority and row.kind(j) in _VALUES]
        years = [j for j in columns if all(map(_is_year, (r.text(j) for r in self.sample[:20])))]
        return 2 * len(years) > len(columns)

    def is_data_like(self, row: GridRow) -> bool:
        """Check whether more numbers stand where the sample has numbers than other cells do."""
        against, agreeing = self.evidence(row)
        return agreeing > against

    def is_header_like(self, row: GridRow) -> bool:
        """Check whether names stand where the sample has numbers."""
        against, agreeing = self.evidence(row)
        return against > agreeing

    def is_full(self, row: GridRow, least: float = 0.4) -> bool:
        """Check whether a row is about as full as the sample."""
        return row.fill >= least * self.fill

    def is_too_wide(self, row: GridRow) -> bool:
        """Check whether a row has more cells than a header could name."""
        return row.width > self.width + _N_BEYOND and len(row.cells) != self.n_cells

    def occurs(self, row: GridRow, j: int) -> bool:
        """Check whether the text of a cell occurs in the sample of its column, not by chance."""
        text = row.text(j)
        n = sum(other.text(j) == text for other in self.sample if other is not row)
        return n > max(1, 0.03 * len(self.sample))


def _is_year(text: str) -> bool:
    return not text or (text.isdecimal() and int(text) in _YEARS)
