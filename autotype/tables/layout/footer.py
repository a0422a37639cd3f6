"""Find where the data end: below them stand notes, totals and further tables."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from functools import cache

from autotype.lexicon.toml_files import read_toml
from autotype.tables.layout.grid import Grid, GridRow
from autotype.tables.layout.rows import CellKind

# The last one is Ctrl-Z, with which DOS ends files.
_MARK = re.compile(r"\s*(?:[*†‡#]+\s*\S|\(?[a-z\d]\)\s|\[\d+\]|[-_=~]{3,}|\x1a)", re.I)


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
    return len(full) >= 0.5 * len(block) and (grid.fill > 1 or len(block) > 0)


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
    counts: dict[int, int] = {}
    for row in body:
        for j in row.filled:
            counts[j] = counts.get(j, 0) + 1
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
        sums = (math.fsum(values), math.fsum(values) / len(values))
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
