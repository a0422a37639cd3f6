"""Find which rows of a text or a sheet are the table: titles, header lines, data, footer.

Files as published carry prose, units, groups of columns, totals and notes around their rows. One
model serves text files and workbooks: the columns of the fullest rows are a sample, and each row is
data or not by how it agrees with them. A plain table, with names in its first row and data in all
others, has to come out unchanged, so that only evidence takes a row away.

The data end where notes, totals and further tables stand below them.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from autotype.lexicon.toml_files import read_toml
from autotype.tables.columns import distinct_names
from autotype.tables.layout.grid import CellKind, Grid, GridRow, Row, split_kinds, text_of
from autotype.tables.layout.header import find_header, name_columns
from autotype.types.codebook import Codebook, CodebookEntry

_OVERRIDE = "header= (--header) states its line, 0 for none"
_SIGNS = ("#", "%", "//")  # of comments

# The last one is Ctrl-Z, with which DOS ends files.
_MARK = re.compile(r"\s*(?:[*†‡#]+\s*\S|\(?[a-z\d]\)\s|\[\d+\]|[-_=~]{3,}|\x1a)", re.I)


@dataclass(frozen=True)
class Layout:
    """Where the table stands in a text or a sheet; lines count from 1.

    Attributes
    ----------
    header : tuple of int
        Header lines; none if the file has no names.
    titles : tuple of int
        Lines above the data with text that is not of the header.
    first : int or None
        The first line of data; None if there are none.
    end : int or None
        The first line below the data that is not blank; None if they reach to the end.
    footer : tuple of int
        Lines below the data that are not blank.
    skipped : tuple of int
        Lines within the data that are none: repeated headers, comments, rulers. Blank lines are
        not listed.
    names : tuple of str
        A name per column, none of them twice.
    given : tuple of str
        The names as the file has them: empty, or repeated.
    labels : dict of int to str
        Text of another header line, such as the question, by the position of a column.
    units : dict of int to str
        Unit of another header line, by the position of a column.
    columns : tuple of int
        Positions of the table's columns, without empty ones at the edges and tables beside it.
    doubts : tuple of str
        What is not certain, in plain words.
    """

    header: tuple[int, ...] = ()
    titles: tuple[int, ...] = ()
    first: int | None = None
    end: int | None = None
    footer: tuple[int, ...] = ()
    skipped: tuple[int, ...] = ()
    names: tuple[str, ...] = ()
    given: tuple[str, ...] = ()
    labels: dict[int, str] = field(default_factory=dict)
    units: dict[int, str] = field(default_factory=dict)
    columns: tuple[int, ...] = ()
    doubts: tuple[str, ...] = ()

    def lines(self) -> dict[str, Any]:
        """Return the lines that are no data, as `Reading` has them."""
        above = {"header": self.header, "title": self.titles}
        return above | {"footer": self.footer, "skipped": self.skipped}

    def codebook(self, names: Mapping[int, str]) -> Codebook:
        """Return the labels and units of columns, given their names by their positions."""
        entries = {
            name: CodebookEntry(self.labels.get(j, ""), self.units.get(j, ""))
            for j, name in names.items()
            if self.labels.get(j) or self.units.get(j)
        }
        return Codebook(entries)


def find_layout(
    head: Sequence[Row],
    tail: Sequence[Row] | None = None,
    *,
    header: Sequence[int] | None = None,
    footer: int | None = None,
    comment: str = "",
) -> Layout:
    """Find the layout of a table.

    Parameters
    ----------
    head : sequence of Row
        All rows, or the first some hundreds.
    tail : sequence of Row, optional
        The last rows, if `head` does not hold all of them.
    header : sequence of int, optional
        The header lines if they are given; empty if there is none.
    footer : int, optional
        Lines at the end that are no data, if their number is given.
    comment : str
        The sign with which comment lines begin.

    Returns
    -------
    Layout

    Examples
    --------
    >>> lines = [["Prices"], [], ["nut", "price"], ["hazel", "2.5"], ["wal", "3"], ["Source: me"]]
    >>> layout = find_layout([Row(i, cells) for i, cells in enumerate(lines, start=1)])
    >>> layout.header, layout.first, layout.footer, layout.names
    ((3,), 4, (6,), ('nut', 'price'))
    """
    after_head = head[-1].line if head else 0
    rest: Sequence[Row] = [row for row in tail or () if row.line > after_head]
    if footer:
        head, rest = _without_footer(head, rest, footer)
    grid = Grid(head, comment)
    if not grid.rows:
        return Layout()
    if header is None:
        chosen, start = find_header(grid)
    else:
        chosen = [i for i, row in enumerate(grid.rows) if row.line in header]
        start = chosen[-1] + 1 if chosen else 0
    header_rows = [grid.rows[i] for i in chosen]
    start_line = grid.rows[start].line if start < len(grid.rows) else None
    if not chosen and header is None and (named := _commented_header(grid, start_line, comment)):
        header_rows = [named]
    below, comments, rulers = split_kinds(rest, comment)
    data = grid.rows[start:] + below
    if footer is None:
        end, left_out = find_end(grid, data, header_rows, is_whole=tail is None)
    else:
        end, left_out = len(data), set()
    kept = [row for i, row in enumerate(data[:end]) if i not in left_out]
    header_rows = _without_sign(header_rows, max((len(row.cells) for row in kept), default=0))
    width = max((row.width for row in [*kept, *header_rows]), default=0)
    header_rows = _shifted(header_rows, kept, width)
    names, labels, units = name_columns(header_rows, width)
    first = kept[0].line if kept else None
    end_line = data[end].line if end < len(data) else None
    rows = {row.line for row in (*grid.rows, *below)}
    rows |= {row.line for row in (*grid.comments, *comments)}
    lines = {row.line for row in header_rows}
    apart = sorted((rows | {*grid.rulers, *rulers}) - lines - {row.line for row in kept})
    titles = [n for n in apart if n < (first or end_line or math.inf)]
    notes = [n for n in apart if end_line is not None and n >= end_line]
    return Layout(
        header=tuple(sorted(lines)),
        titles=tuple(titles),
        first=first,
        end=end_line,
        footer=tuple(notes),
        skipped=tuple(apart[len(titles) : len(apart) - len(notes)]),
        names=tuple(distinct_names(names)),
        given=tuple(names),
        labels=labels,
        units=units,
        columns=_columns(names, kept),
        doubts=_doubts(grid, header_rows, names, has_data=bool(kept)),
    )


def _without_footer(
    head: Sequence[Row], rest: Sequence[Row], footer: int
) -> tuple[Sequence[Row], Sequence[Row]]:
    """Leave out a given number of last lines."""
    n_rest = min(footer, len(rest))
    kept = rest[: len(rest) - n_rest]
    return head[: len(head) - (footer - n_rest)], kept


def _commented_header(grid: Grid, start: int | None, comment: str) -> GridRow | None:
    """Return the comment line above the data as a header, if it names as many columns."""
    above = [row for row in grid.comments if start is None or row.line < start]
    if not above:
        return None
    row = above[-1]
    cells = [text_of(cell).strip() for cell in row.cells]
    cells[0] = cells[0].lstrip().removeprefix(comment).lstrip(comment).strip()
    if not cells[0] and len(cells) == grid.width + 1:
        cells = cells[1:]
    found = GridRow(Row(row.line, cells), after_gap=False)
    if 0.8 * grid.width <= found.fill and grid.width > 1 and not grid.is_data_like(found):
        return found
    return None


def _without_sign(header: list[GridRow], width: int) -> list[GridRow]:
    """Leave out a comment sign that stands alone before the names of a header.

    The rows then have one cell less, where the last may be empty.
    """
    if width and len(header) == 1 and header[0].width == width + 1 and header[0].text(0) in _SIGNS:
        return [GridRow(Row(header[0].line, header[0].cells[1:]), after_gap=False)]
    return header


def _shifted(header: list[GridRow], data: Sequence[GridRow], width: int) -> list[GridRow]:
    """Move the names of a header to the right if the first column is an index without a name."""
    if len(header) != 1 or len(header[0].cells) != width - 1 or header[0].fill != width - 1:
        return header
    body = data[:200]
    if len(body) < 2 or any(row.width != width for row in body):
        return header
    first = [row.text(0) for row in body]
    is_counted = first[0].isdecimal() and first == [
        str(int(first[0]) + k) for k in range(len(first))
    ]
    others = [row.kind(j) for row in body for j in range(1, width)]
    n_numbers = sum(kind != CellKind.TEXT for kind in others)
    is_named = len(set(first)) == len(first) and n_numbers > 0.95 * len(others) and width > 2
    is_text = all(row.kind(0) == CellKind.TEXT for row in body)
    if (is_counted and header[0].kind(0) == CellKind.TEXT) or (is_named and is_text):
        row = Row(header[0].line, ["", *header[0].cells])
        return [GridRow(row, after_gap=header[0].after_gap)]
    return header


def _columns(names: Sequence[str], data: Sequence[GridRow]) -> tuple[int, ...]:
    """Return the columns from the first to the last with a name or a cell."""
    used = {j for row in data for j in row.filled} | {j for j, n in enumerate(names) if n}
    if not used:
        return ()
    return tuple(range(min(used), max(used) + 1))


def _doubts(
    grid: Grid, header: Sequence[GridRow], names: Sequence[str], *, has_data: bool
) -> tuple[str, ...]:
    """Return what is not certain about header and rows."""
    doubts = []
    if not header:
        doubts.append(f"no header was found; {_OVERRIDE}")
    elif not grid.majority and has_data and header[0].line > 1:
        doubts.append(
            f"the header is the first full row, since no column holds numbers; {_OVERRIDE}"
        )
    given = [name for name in names if name]
    if len(set(given)) < len(given):
        doubts.append("the header repeats names; the later ones are numbered")
    return tuple(doubts)


def find_end(
    grid: Grid, data: Sequence[GridRow], header: Sequence[GridRow], *, is_whole: bool
) -> tuple[int, set[int]]:
    """Return the number of rows up to the end of the data, and the indices of those left out.

    Parameters
    ----------
    grid : Grid
        Columns of the table.
    data : sequence of GridRow
        The rows below the header.
    header : sequence of GridRow
        Header lines.
    is_whole : bool
        Whether no rows are missing in between, so that totals can be checked.

    Notes
    -----
    Blocks between gaps belong to the table while most of their rows agree with its columns. Labels
    of groups alone in a block belong to it if data follow. From the end of the last block, notes
    and totals are taken away.
    """
    end, repeated = _first_table(grid, data, header)
    left_out = repeated | {i for i in range(end) if _is_spanning_label(grid, data, i)}
    always = _always_filled(data[:end]) if grid.fill > 1 else set()
    longest = max((len(row.text(0)) for row in grid.sample), default=0)
    n_labels = sum(row.is_label for row in data[: max(0, end - 3)])
    n_notes = 0
    while end > 1:
        row = data[end - 1]
        is_out = end - 1 in left_out
        is_note = _is_note(grid, row, longest, n_labels) or _is_left_over(
            grid, row, always, has_notes=n_notes > 0
        )
        is_total = _is_total(grid, data[:end], always, is_whole=is_whole, has_notes=n_notes > 0)
        n_notes += is_note
        if not (is_out or is_note or is_total):
            break
        end -= 1
    return end, {i for i in left_out if i < end}


def _first_table(
    grid: Grid, data: Sequence[GridRow], header: Sequence[GridRow]
) -> tuple[int, set[int]]:
    """Return the end of the last block that belongs to the table, and repeated header lines."""
    repeated: set[int] = set()
    starts = [0, *(i for i in range(1, len(data)) if data[i].after_gap)]
    end = 0
    for begin, stop in zip(starts, [*starts[1:], len(data)], strict=True):
        block = data[begin:stop]
        again = [begin + k for k, row in enumerate(block) if _repeats(row, header)]
        for i in again:
            # A label above a repeated header is the title of a further table.
            if i and data[i - 1].fill == 1 and grid.fill > 1 and i - 1 not in repeated:
                return (i - 1 if i - 1 >= begin else begin), repeated
        repeated.update(again)
        if begin == 0 or _belongs(grid, [row for row in block if not _repeats(row, header)]):
            end = stop
        elif len(block) > 2 or not all(row.fill == 1 for row in block):
            break
    return end, repeated


def _belongs(grid: Grid, block: Sequence[GridRow]) -> bool:
    """Check whether the rows below a gap are more of the same table."""
    if not block:
        return True
    full = [row for row in block if grid.is_full(row, 0.5)]
    if grid.majority:
        fitting = [row for row in full if grid.is_data_like(row)]
        against = [row for row in block if grid.is_header_like(row)]
        return len(fitting) > len(against) and len(fitting) >= 0.5 * len(block)
    return len(full) >= 0.5 * len(block)


def _repeats(row: GridRow, header: Sequence[GridRow]) -> bool:
    """Check whether a row repeats a header line."""
    for line in header:
        if row.fill < max(2, 0.8 * line.n_names) or not any(
            row.text(j) == line.text(j) for j in row.filled[:4]
        ):
            continue
        same = sum(row.text(j) == line.text(j) for j in row.filled)
        if same >= 0.8 * row.fill:
            return True
    return False


def _is_spanning_label(grid: Grid, data: Sequence[GridRow], i: int) -> bool:
    """Check whether a row holds one text over the numbers of all columns, beside no label."""
    row = data[i]
    return (
        row.is_label
        and 0 in grid.always
        and row.filled[0] in grid.majority
        and 0 not in grid.majority
        and len(grid.majority) > 1
        and grid.fill > 2
    )


def _always_filled(rows: Sequence[GridRow]) -> set[int]:
    """Return the columns that all rows but a few at the end fill, of at least eight rows."""
    body = rows[: max(0, len(rows) - 5)][-500:]
    if len(body) < 8:
        return set()
    counts = Counter(j for row in body for j in row.filled)
    return {j for j, n in counts.items() if n >= 0.99 * len(body)}


def _is_note(grid: Grid, row: GridRow, longest: int, n_labels: int) -> bool:
    """Check whether the last row is a note: prose in one cell of a table with several columns.

    The mark of a note may stand in a cell of its own, before the prose.
    """
    if 0 in row.filled and row.fill == 2 < grid.fill and row.kind(row.filled[1]) == CellKind.TEXT:
        return _notes().match(row.text(0)) is not None
    if not row.is_label or grid.fill < 2 or row.filled[0] > 1:
        return False
    text = row.text(row.filled[0])
    if _notes().match(text) or _MARK.match(text):
        return True
    is_short = len(row.cells) == 1
    is_prose = len(text) > max(20, 1.5 * longest) or len(text.split()) > 4
    if is_short or 0 in grid.majority:
        return is_prose or (is_short and (len(text) > 12 or "：" in text or " " in text))
    return is_prose and grid.fill > 2 and not n_labels


def _is_left_over(grid: Grid, row: GridRow, always: set[int], *, has_notes: bool) -> bool:
    """Check whether the last row is a sentence, or text above notes, where others are fuller."""
    n_lacking = sum(not row.text(j) for j in always)
    if not row.is_label or row.filled[0] > 0 or grid.fill < 3 or n_lacking < 2:
        return False
    return has_notes or len(row.text(0).split()) > 2 or ": " in row.text(0)


def _is_total(
    grid: Grid, data: Sequence[GridRow], always: set[int], *, is_whole: bool, has_notes: bool
) -> bool:
    """Check whether the last row is a total, by its word and by cells that all other rows fill."""
    row = data[-1]
    if len(data) < 3 or not any(row.kind(j) == CellKind.NUMBER for j in row.filled):
        return False
    first = _label(row)
    empty = {j for j in always if not row.text(j)}
    of_text = {j for j in always if j in grid.columns and j not in grid.majority}
    if 0 in empty and len(empty) > 1 and (not first or of_text <= empty):
        return True
    if len(of_text) > 2 and len(of_text - empty) < 2:
        return True
    if not first and 0 in empty and of_text == {0} and is_whole and _adds_up(grid, data):
        return True
    if _totals().search(first) and (has_notes or (empty and 2 * len(empty) >= len(of_text))):
        return True
    is_named = _totals().search(first) or first.casefold() in read_toml("stray")["totals"]["all"]
    return bool(is_named) and is_whole and _adds_up(grid, data)


def _label(row: GridRow) -> str:
    """Return the first text of a row."""
    return next((row.text(j) for j in row.filled if row.kind(j) == CellKind.TEXT), "")


def _adds_up(grid: Grid, data: Sequence[GridRow]) -> bool:
    """Check whether most numbers of the last row are sums or means of those above."""
    good = bad = 0
    above = [row for row in data[:-1] if not _totals().search(_label(row))]
    for j in grid.majority:
        total = _number(data[-1].text(j))
        values = [v for row in above if (v := _number(row.text(j))) is not None]
        if total is None or len(values) < 2:
            continue
        added = sum(values)  # may be infinite
        sums = (added, added / len(values))
        is_sum = any(math.isclose(total, s, rel_tol=0.002, abs_tol=0.01) for s in sums)
        good, bad = good + is_sum, bad + (not is_sum)
    return good > bad


def _number(text: str) -> float | None:
    plain = re.sub(r"[\s%’']", "", text)
    if re.search(r",\d{1,2}$", plain) or plain.count(".") > 1:
        plain = plain.replace(".", "").replace(",", ".")
    try:
        return float(plain.replace(",", ""))
    except ValueError:
        return None


@cache
def _totals() -> re.Pattern[str]:
    """Return what finds the word of a total or an average at either end of a label."""
    words = [*read_toml("stray")["totals"]["words"], *read_toml("table_lines")["averages"]["words"]]
    either = "|".join(map(re.escape, sorted(words, key=len, reverse=True)))
    return re.compile(rf"^\W*(?:{either})(?!\w)|(?<!\w)(?:{either})\W*$", re.I)


@cache
def _notes() -> re.Pattern[str]:
    """Return what matches the beginning of a note."""
    words = read_toml("table_lines")["notes"]["words"]
    either = "|".join(map(re.escape, sorted(words, key=len, reverse=True)))
    return re.compile(rf"\s*\W?(?:{either})\s*[:：\d)\]]", re.I)
