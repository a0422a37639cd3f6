r"""Find how the lines of a text are split into cells: by a character, by blanks or by position.

Files as published put prose above and below their rows, so that neither the first line nor the
majority of all lines shows how the rows are written. Each way is tried on the head of the text; the
one wins that splits a long stretch of lines into equally many cells, whose contents look like
numbers, dates or plain words rather than like further cells.
"""

from __future__ import annotations

import csv
import io
import itertools
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from autotype.tables.layout.grid import CellKind, Row, is_ruler, kind_of
from autotype.tables.text.csv_rows import fields_of_any_size

# Never occurs in text: the separator of files with a single column.
NO_SEPARATOR = "\x1f"
# Runs of blanks and tabs between cells; the name by which pandas knows them.
BLANKS = r"\s+"
# How much a separator is worth: others are found within cells.
_CANDIDATES = {",": 1.0, ";": 1.0, "\t": 1.05, "|": 1.0, ":": 0.7}
_COMMENT_SIGNS = ("#", "%", "//", "!", "*", ";", "@")
_N_LINES = 500
_N_SAMPLED = 60  # rows whose cells are looked at
_N_COLUMNS = 60  # cells of a row that are looked at
_LOWEST = 0.3  # score of the separator of a file with several columns
_STATED = re.compile(r"\ufeff?sep=(.)\s*$")
_TIME = re.compile(r"\d:\d\d|://")
_APART = re.compile(r"(?<!\d),|,(?!\d)")  # a comma that is no part of a number
_TWO_NUMBERS = re.compile(r"\d\s+(?!\d{3}(?!\d))[-\d]|\d\s{2,}\d")
_WORD_OR_NUMBER = re.compile(r"[,;|\t](?=[^\s,;|])")


@dataclass(frozen=True)
class Dialect:
    """How the lines of a text are split into cells, and how numbers are written in them.

    Attributes
    ----------
    delimiter : str
        A character; `BLANKS` for runs of blanks, or if the columns stand at `positions`;
        `NO_SEPARATOR` for a single column.
    quote : str
        The character around cells that hold the delimiter; empty if there are no quotes.
    escape : str
        The character before a quote within quotes; empty if quotes are doubled.
    positions : tuple of (int, int or None)
        Begin and end of each column of fixed width, in characters; the last one has no end.
    decimal : str
        The decimal sign.
    comment : str
        The sign with which comment lines begin; empty if there are none.
    is_framed : bool
        Whether delimiters stand around the rows, too, as the edges of a drawn table.
    agreement : float
        Proportion of the lines of the table that have the same number of cells.
    width : int
        That number; 1 for a single column.
    """

    delimiter: str
    quote: str = '"'
    escape: str = ""
    positions: tuple[tuple[int, int | None], ...] = ()
    decimal: str = "."
    comment: str = ""
    is_framed: bool = False
    agreement: float = 1.0
    width: int = 1


@fields_of_any_size()
def find_dialect(head: str, *, delimiter: str | None = None) -> Dialect:
    r"""Find the dialect of a text.

    Parameters
    ----------
    head : str
        The first lines, whole ones.
    delimiter : str, optional
        The character between cells, if it is given; `BLANKS` for runs of blanks.

    Returns
    -------
    Dialect

    Examples
    --------
    >>> find_dialect("Prices of nuts, bolts\n\nname;price\nnut;1,50\nbolt;2,25\n").delimiter
    ';'
    >>> dialect = find_dialect("x   y\n1   2.5\n10  3.5\n")
    >>> [row.cells for row in split_rows("x   y\n1   2.5\n", dialect)]
    [['x', 'y'], ['1', '2.5']]
    """
    lines = list(itertools.islice(io.StringIO(head, newline=""), _N_LINES))
    if delimiter is None and lines and (stated := _STATED.match(lines[0])):
        delimiter = stated[1]  # a line that Excel reads
    comment = _comment_sign(lines)
    if comment:
        found = _find(_without(lines, comment), delimiter)
        commented = [line for line in lines if _is_comment(line, comment)]
        if not _are_rows(commented, found):
            return replace(found, comment=comment)
    return _find(_without(lines, ""), delimiter)


def _without(lines: Sequence[str], comment: str) -> list[str]:
    """Return the lines that are neither blank nor comments."""
    return [x for x in lines if x.strip() and not (comment and _is_comment(x, comment))]


def _are_rows(commented: Sequence[str], dialect: Dialect) -> bool:
    """Check whether lines that begin with a comment sign are rows of the table like others."""
    rows = [row.cells for row in split_rows(commented, dialect)]
    fills = [sum(map(bool, row)) for row in rows]
    n_full = sum(0.75 * dialect.width <= fill <= dialect.width for fill in fills)
    return dialect.width > 1 and n_full > max(1, len(rows) / 2)


def _find(body: Sequence[str], delimiter: str | None) -> Dialect:
    """Find the dialect of lines that are neither blank nor comments."""
    if delimiter is not None:
        found = _with_quotes(body, delimiter)
        _, agreement, width = _score(body, found)
        return _with_numbers(replace(found, agreement=agreement, width=width), body)
    scored = []
    for candidate, worth in _CANDIDATES.items():
        if candidate == ":" and sum(map(bool, map(_TIME.search, body))) > len(body) / 4:
            continue
        if any(candidate in line for line in body):
            dialect = _with_quotes(body, candidate)
            score, agreement, width = _score(body, dialect)
            dialect = replace(dialect, agreement=agreement, width=width)
            scored.append((score * worth, width, dialect))
    score, _, best = max(scored, key=lambda item: item[:2], default=(0.0, 0, Dialect(NO_SEPARATOR)))
    is_regular = score > (0.2 if best.delimiter == "\t" else 0.5)
    aligned = _ruled_positions(body)
    if aligned is None and best.delimiter == "," and _are_in_numbers(body, best.width):
        aligned = _by_blanks(body, 0.0)
    elif aligned is None and not is_regular:
        aligned = _by_blanks(body, score)
    if aligned is not None:
        best = aligned
    elif score < _LOWEST or (best.delimiter == ":" and best.agreement < 0.95):
        best = Dialect(NO_SEPARATOR)
    return _with_numbers(best, body)


def _are_in_numbers(lines: Sequence[str], width: int) -> bool:
    """Check whether commas are parts of numbers between blanks: no line of names has them."""
    held = [line for line in lines if "," in line]
    apart = [line for line in held if _APART.search(line)]
    is_header = any(line.count(",") + 1 == width for line in apart)
    return len(held) < len(lines) and len(apart) < 0.3 * len(held) and not is_header


def split_rows(text: str | Iterable[str], dialect: Dialect, first_line: int = 1) -> Iterator[Row]:
    r"""Split a text into rows of cells.

    Parameters
    ----------
    text : str or iterable of str
        The text, or its lines with their ends.
    dialect : Dialect
        How to split it.
    first_line : int
        Number of the first line.

    Yields
    ------
    Row
        A row of no cells for a blank line.

    Raises
    ------
    csv.Error
        If a cell has more characters than `csv.field_size_limit` allows.

    Examples
    --------
    >>> [*split_rows('a,b\n1,"x\ny"\n', Dialect(","))]
    [Row(line=1, cells=['a', 'b']), Row(line=2, cells=['1', 'x\ny'])]
    """
    lines = io.StringIO(text, newline="") if isinstance(text, str) else text
    if dialect.positions or dialect.delimiter == BLANKS:
        for number, line in enumerate(lines, start=first_line):
            yield Row(number, _split_aligned(line.rstrip("\r\n"), dialect))
        return
    reader = csv.reader(
        _plain_lines(lines, dialect),
        delimiter=dialect.delimiter,
        quotechar=dialect.quote or None,
        quoting=csv.QUOTE_MINIMAL if dialect.quote else csv.QUOTE_NONE,
        escapechar=dialect.escape or None,
        doublequote=not dialect.escape,
    )
    strip = dialect.delimiter == "|"
    number = first_line
    for cells in reader:
        if dialect.is_framed and len(cells) > 2 and not (cells[0].strip() or cells[-1].strip()):
            cells = cells[1:-1]
        yield Row(number, [cell.strip() for cell in cells] if strip else cells)
        number = first_line + reader.line_num


def _plain_lines(lines: Iterable[str], dialect: Dialect) -> Iterator[str]:
    """Yield the lines; quotes in comments mean nothing, and csv rejects NUL characters."""
    for line in lines:
        plain = line.replace("\0", "")
        is_comment = dialect.comment and _is_comment(line, dialect.comment)
        yield plain.replace(dialect.quote, "") if is_comment and dialect.quote else plain


def _split_aligned(line: str, dialect: Dialect) -> list[str]:
    """Split a line at blanks or positions; names of a header may not stand at the positions."""
    words = _words(line)
    if not dialect.positions:
        # Names of several words may stand further apart than their words.
        names = [] if len(words) <= dialect.width else re.split(r"\s{2,}|\t", line.strip())
        return names if len(names) == dialect.width else words
    line = line.expandtabs()
    cells = [line[begin:end].strip() for begin, end in dialect.positions]
    ends = [end for _, end in dialect.positions if end is not None and end < len(line)]
    n_cut = sum(not any(map(str.isspace, line[end - 1 : end + 1])) for end in ends)
    if n_cut and len(words) == len(cells):
        return words
    return [line.strip()] if 2 * n_cut > len(ends) else cells


def _words(line: str) -> list[str]:
    plain = line.replace("\t", " ").strip()
    if '"' not in plain:
        return plain.split()
    return list(next(csv.reader([plain], delimiter=" ", skipinitialspace=True), []))


def _comment_sign(lines: Sequence[str]) -> str:
    """Return the sign of comment lines: the first line begins with it, and most others do not."""
    present = [line.lstrip('\ufeff \t"') for line in lines if line.strip()]
    for sign in _COMMENT_SIGNS:
        if present and present[0].startswith(sign):
            begin_so = [line.startswith(sign) for line in present]
            n_leading, n_all = [*begin_so, False].index(False), sum(begin_so)
            # A single one at the top may be the header: "#,name" or "# id,name".
            if n_leading < len(present) and n_all > 1:
                return sign
    n_hash = sum(line.startswith("# ") for line in present)
    return "#" if 0 < n_hash < len(present) / 2 else ""


def _is_comment(line: str, sign: str) -> bool:
    return line.lstrip('\ufeff \t"').startswith(sign)


def _with_quotes(lines: Sequence[str], delimiter: str) -> Dialect:
    """Return a dialect of this delimiter with the quotes and escapes that the lines use."""
    text = "".join(lines)
    around = re.escape(delimiter) if delimiter != BLANKS else r"\s"
    begins = {q: len(re.findall(rf"(?:^|{around}) *{q}", text, re.M)) for q in "\"'"}
    ends = {q: len(re.findall(rf"{q} *(?:$|{around}|\r)", text, re.M)) for q in "\"'"}
    alone = len(re.findall(rf"(?:^|{around}) *' *(?=$|{around}|\r)", text, re.M))
    n_begin, n_end = begins["'"] - alone, ends["'"] - alone
    quote = '"'
    if not begins['"'] and n_begin > len(lines) / 2 and n_end >= n_begin * 0.9:
        quote = "'"
    is_escaped = re.search(rf"[^{around}\\\n]\\{quote}(?!{around}|\s*$|{quote})", text, re.M)
    edges = [line.strip() for line in lines if "|" in line] if delimiter == "|" else []
    n_framed = sum(line[0] == line[-1] == "|" for line in edges)
    return Dialect(
        delimiter,
        quote,
        "\\" if is_escaped else "",
        is_framed=n_framed > max(1, 0.9 * len(edges)),
    )


def _score(lines: Sequence[str], dialect: Dialect) -> tuple[float, float, int]:
    """Return how well a dialect fits, the proportion of rows of the same width, and that width."""
    try:
        rows = [row.cells for row in split_rows(lines, dialect) if row.cells]
    except csv.Error:
        return 0.0, 0.0, 0
    rows = [row for row in rows if row[0][:1].isalnum() or not is_ruler(row)]
    if not rows:
        return 0.0, 0.0, 0
    widths = [*map(len, rows)]
    common = Counter(widths[len(widths) // 4 :]).most_common()
    width = max(common, key=lambda item: (item[1], item[0]))[0]
    if width < 2 and len(common) > 1:
        width = max(common[1:], key=lambda item: (item[1], item[0]))[0]
    alike = [_has_width(row, width) for row in rows]
    if width < 2 or not any(alike):
        return 0.0, 0.0, width
    first = alike.index(True)
    last = len(alike) - alike[::-1].index(True)
    inside = alike[first:last]
    # Rows of one cell in the midst speak against the separator more than ragged ones.
    n_single = sum(w < 2 for w in widths[first:last])
    agreement = sum(inside) / len(inside)
    n_below = len(rows) - first
    is_sparse = agreement < 0.9 and sum(w > 1 for w in widths[first:]) < n_below / 2
    if n_single > len(inside) / 2 or (sum(inside) < 2 and len(rows) > 2) or is_sparse:
        return 0.0, agreement, width
    if first == 1 and width == 2 and dialect.delimiter == "," and _are_decimals(rows[1:]):
        return 0.0, agreement, width
    good = [*itertools.compress(rows, alike)]
    good = good[:: max(1, len(good) // _N_SAMPLED)]
    cells = [cell for row in good for cell in row[:_N_COLUMNS]]
    plain = sum(map(_plainness, cells)) / len(cells)
    coverage = (len(inside) / len(rows)) ** 0.5
    return (1 - 0.5 * n_single / len(inside)) * agreement * plain * coverage, agreement, width


def _are_decimals(rows: Sequence[Sequence[str]]) -> bool:
    """Check whether all rows may be numbers with a decimal comma."""
    return all(len(row) < 3 and all(map(str.isdecimal, row)) for row in rows)


def _has_width(row: Sequence[str], width: int) -> bool:
    """Check whether a row has this many cells, or one less, or one more that is empty."""
    return 1 < len(row) <= width + 1 and (
        len(row) in (width, width - 1) or (len(row) > width and not row[-1])
    )


def _plainness(cell: str) -> float:
    """Return how much a cell looks like one cell, from 0 to 1."""
    kind = kind_of(cell)
    if kind != CellKind.TEXT:
        return 0.0 if kind == CellKind.NUMBER and _TWO_NUMBERS.search(cell) else 1.0
    if '"' in cell and cell.count('"') == 1:
        return 0.2
    return 0.4 if _WORD_OR_NUMBER.search(cell) else 0.8


def _by_blanks(lines: Sequence[str], score: float) -> Dialect | None:
    """Return the dialect of lines whose cells are separated by blanks or stand at positions."""
    body = [line.expandtabs() for line in lines if len(line.split()) > 1]
    if len(body) < max(2, 0.3 * len(lines)):
        return None
    dialect = Dialect(BLANKS)
    rows = [_words(line) for line in body]
    width, _n = Counter(map(len, rows[len(rows) // 4 :])).most_common(1)[0]
    half = len(rows) // 2
    wrong = [k for k, row in enumerate(rows[:half]) if len(row) != width]
    below = rows[wrong[-1] + 1 if wrong else 0 :]  # titles stand above
    alike = [row for row in below if len(row) == width]
    agreement = len(alike) / len(below)
    kinds = [Counter(kind_of(row[j]) for row in alike) for j in range(width)]
    n_alike = len(alike)
    numeric = sum(c[CellKind.NUMBER] + c[CellKind.MISSING] > 0.9 * (n_alike - 1) for c in kinds)
    gaps = sum(re.search(r"\S {2,}\S", line) is not None for line in body) / len(body)
    if agreement >= 0.97 and width > 1 and n_alike > 1 and agreement > score:
        is_table = (
            numeric == width
            or numeric >= 2
            or (numeric and gaps > 0.5)
            or (gaps > 0.9 and width > 2)
        )
        if is_table:
            return replace(dialect, agreement=agreement, width=width)
    if gaps > 0.5 and (positions := _blank_positions(body)):
        return replace(dialect, positions=positions, width=len(positions))
    return None


def _ruled_positions(lines: Sequence[str]) -> Dialect | None:
    """Return the columns that a line of dashes marks, if one does."""
    for line in lines[:60]:
        if re.fullmatch(r"\s*(?:[-=]{2,}\s+)+[-=]{2,}\s*", line):
            begins = [match.start() for match in re.finditer(r"[-=]+", line)]
            begins[0] = 0
            ends: list[int | None] = [*begins[1:], None]
            positions = tuple(zip(begins, ends, strict=True))
            return Dialect(BLANKS, positions=positions, width=len(positions))
    return None


def _blank_positions(lines: Sequence[str]) -> tuple[tuple[int, int | None], ...]:
    """Return the columns between positions at which all lines but a few are blank.

    Titles may stand in the first third. Lines of it that leave as many columns are rows like the
    others, and have their say where a column begins.
    """
    third = len(lines) // 3
    found = _common_blanks(lines[third:])
    for start in range(min(third, 10)):
        if found and len(wider := _common_blanks(lines[start:])) == len(found):
            return wider
    return found


def _common_blanks(lines: Sequence[str]) -> tuple[tuple[int, int | None], ...]:
    """Return the columns between positions at which all of these lines but a few are blank."""
    body = [line.rstrip() for line in lines]
    counts = Counter(k for line in body for k, sign in enumerate(line) if not sign.isspace())
    most = len(body) // 200
    marks = "".join("x" if counts[k] > most else " " for k in range(max(map(len, body))))
    runs = [match.span() for match in re.finditer(r"x+", marks)]
    merged = runs[:1]
    for begin, end in runs[1:]:
        # A single blank column is chance between words, and in few lines.
        is_wide = begin - merged[-1][1] > 1
        numeric = [_hold_numbers(body, *side) for side in (merged[-1], (begin, end))]
        if is_wide or (any(numeric) if len(body) >= 20 else all(numeric)):
            merged.append((begin, end))
        else:
            merged[-1] = (merged[-1][0], end)
    if len(merged) < 2:
        return ()
    ends = [end for _, end in merged]
    return tuple(zip([0, *ends[:-1]], [*ends[:-1], None], strict=True))


def _hold_numbers(lines: Sequence[str], begin: int, end: int) -> bool:
    """Check whether nearly all lines, or all but a header, hold a number or date there."""
    kinds = [kind_of(line[begin:end].strip()) for line in lines]
    n_held = sum(kind in (CellKind.NUMBER, CellKind.DATE) for kind in kinds)
    return n_held >= min(0.9 * len(kinds), len(kinds) - 1) > 0


_COMMA = re.compile(r"[-+]?(?:\d+|\d{1,3}(?:[. '’\u00a0\u202f]\d{3})+),(?:\d{1,2}|\d{4,})%?")
_POINT = re.compile(
    r"[-+]?(?:\d*|\d{1,3}(?:[, '’\u00a0\u202f]\d{3})+)\.(?:\d{1,2}|\d{4,})(?:[eE][-+]?\d+)?%?"
)
# Commas between groups of digits: two of them, or one before a decimal point.
_GROUPS = re.compile(r"[-+]?\d{1,3}(?:(?:,\d{3}){2,}|,\d{3}(?=\.))(?:\.\d+)?")


def _with_numbers(dialect: Dialect, lines: Sequence[str]) -> Dialect:
    """Add the decimal sign by the cells that show it without doubt."""
    n_comma = n_point = n_grouped = 0
    step = max(1, len(lines) // (4 * _N_SAMPLED))
    for row in itertools.islice(split_rows(lines, dialect), 0, None, step):
        for cell in row.cells[:_N_COLUMNS]:
            text = cell.strip()
            if len(text) > 24 or not any(map(str.isdigit, text)):
                continue
            n_comma += _COMMA.fullmatch(text) is not None
            n_point += _POINT.fullmatch(text) is not None
            n_grouped += _GROUPS.fullmatch(text) is not None
    decimal = "," if n_comma > n_point or (dialect.delimiter == ";" and not n_point) else "."
    if decimal == "," and n_comma == 0 and n_grouped:
        decimal = "."
    return replace(dialect, decimal=decimal)
