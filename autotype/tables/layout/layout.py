"""Find which rows of a text or a sheet are the table: titles, header lines, data, footer.

Files as published carry prose, units, groups of columns, totals and notes around their rows. One
model serves text files and workbooks: the columns of the fullest rows are a sample, and each row is
data or not by how it agrees with them. A plain table, with names in its first row and data in all
others, has to come out unchanged, so that only evidence takes a row away.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

from autotype.tables.columns import distinct_names
from autotype.tables.layout.footer import find_end
from autotype.tables.layout.grid import Grid, GridRow, split_kinds
from autotype.tables.layout.header import find_header, name_columns
from autotype.tables.layout.rows import CellKind, Row, text_of

_OVERRIDE = "header= (--header) states its line, 0 for none"
_SIGNS = ("#", "%", "//")  # of comments


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
