"""Find the header lines above the data, and name the columns by them.

A survey platform that wrote a table is recognised by the columns that it adds to the answers.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache

from autotype.lexicon.toml_files import read_toml
from autotype.tables.layout.grid import Grid, GridRow, text_of

_N_ABOVE = 300  # rows above the data that may be title lines
_IMPORT_ID = re.compile(r"\{\s*'?\"?ImportId\W")

# "10^6 km", "1 000", "in %", "per day", "kg/ha", "m²", and the "5s" of hydrologists' RDB
_UNIT = re.compile(
    r"(?:10\^?\d+|1[ .,]?000|in|per|mill?\.?|mio\.?)\b.{0,16}"
    r"|.{1,8}/.{1,8}|\w{1,5}[²³]|\d{1,3}[sdn]"
)

_SURE, _USUAL = 2, 1  # points of a column
_ENOUGH = 3
_FEWEST_QUESTIONS = 2
_WORDS_OF_QUESTION = 4
_UNSPACED = re.compile(r"[\u0e00-\u0e7f\u2e80-\ud7ff]{8}")  # scripts without blanks between words
_NO_LETTERS = re.compile(r"[\W_]+")


def find_header(grid: Grid) -> tuple[list[int], int]:
    """Return the indices of the header rows, and that of the first data row.

    Parameters
    ----------
    grid : Grid
        The first rows.

    Notes
    -----
    Rows above the first one that agrees with the columns of the sample are titles, header lines or
    sparse data. The lowest with names where the sample has numbers ends the header; without numbers
    the first row that is as full as the others is the header.
    """
    begin = 0
    while True:
        header, first = _find_from(grid, begin)
        later = _later_table(grid, begin, first)
        if later is None:
            return header, first
        begin = later


def _find_from(grid: Grid, begin: int) -> tuple[list[int], int]:
    rows = grid.rows
    top = range(begin, min(len(rows), begin + _N_ABOVE))
    full = (i for i in top if grid.is_data_like(rows[i]) and grid.is_full(rows[i]))
    dense = next(full, top.stop)
    wide = [i for i in range(begin, dense) if _is_wide(grid, rows[i])]
    if not wide:  # a header shorter than the rows
        wide = [i for i in range(begin, dense) if _is_wide(grid, rows[i], short=0.5)]
    if dense == begin and begin == 0:
        return [], 0
    # Names and values above a table of words: pairs, where the rows have more cells.
    while len(wide) > 1 and rows[wide[0]].filled == [0, 1] and grid.fill > 3:
        del wide[0]
    certain = (i for i in range(dense - 1, begin - 1, -1) if _is_certain(grid, i, wide))
    lowest = next(certain, wide[0] if wide else None)
    if lowest is None:
        if not grid.majority:
            return [begin], begin + 1
        while dense > begin and _is_sparse_data(grid, rows[dense - 1], rows[dense]):
            dense -= 1
        return [], dense
    if lowest + 1 < len(rows) and _names_groups(grid, rows[lowest], rows[lowest + 1]):
        lowest += 1
    first = _uppermost(grid, lowest, begin)
    return [*range(first, lowest + 1)], lowest + 1


def _is_sparse_data(grid: Grid, row: GridRow, below: GridRow) -> bool:
    """Check whether a row above the first that agrees with the sample is data, too."""
    is_row = len(row.cells) >= min(grid.n_cells, len(below.cells)) and grid.is_full(row, 0.75)
    return is_row and not below.after_gap


def _is_wide(grid: Grid, row: GridRow, short: float = 0.75) -> bool:
    if grid.fill < 2:
        return True
    least = 0.5 if len(row.cells) >= grid.n_cells else short
    return row.fill >= max(2, least * grid.fill) and not grid.is_too_wide(row)


def _is_certain(grid: Grid, i: int, wide: Sequence[int]) -> bool:
    """Check whether a row is a header line by its contents, not only by its place."""
    row = grid.rows[i]
    if sum(_IMPORT_ID.match(row.text(j)) is not None for j in row.filled) > row.fill / 2:
        return True
    against, agreeing = grid.evidence(row)
    is_top = not wide or i <= wide[0]
    if is_top:
        return against > agreeing and (i in wide or (not wide and row.filled[0] > 0))
    if sum(map(grid.is_data_like, grid.rows[i + 1 : i + 20])) < 2:
        return False
    above = grid.rows[i - 1]
    if i == wide[0] + 1 and _asks(row) and not any(grid.occurs(row, j) for j in row.filled):
        return True
    if _counts_columns(row):
        return any(row.text(j) and j not in grid.majority for j in grid.columns)
    is_fuller = above.fill < row.fill >= grid.fill and i == wide[0] + 1  # the words of a title
    if agreeing or (row.after_gap and not is_fuller):
        return False
    named_first = [j for j in row.filled if not above.text(j)]
    lacking = [j for j in grid.always if j in grid.majority and not row.text(j) and above.text(j)]
    if named_first and len(lacking) > 1:
        return True
    if row.is_sequence:
        return against > 1 and bool(named_first)
    n_seen = sum(grid.occurs(row, j) for j in row.filled)
    if against == 0 or n_seen > 0.3 * against:
        return False
    if _is_units(row):
        return True
    return against > 1 and against >= 0.5 * len(grid.majority)


def _asks(row: GridRow) -> bool:
    """Check whether most cells of a row are questions, as survey platforms write below names."""
    return 2 * sum(row.text(j).endswith(("?", "？", "؟")) for j in row.filled) > row.fill > 1


def _names_groups(grid: Grid, row: GridRow, below: GridRow) -> bool:
    """Check whether a row names groups of the columns that the row below it names one by one."""
    if below.after_gap or grid.evidence(below)[1] or row.fill > 0.6 * below.fill:
        return False
    texts = {below.text(j) for j in below.filled}
    is_naming = len(texts) == below.fill >= 0.95 * grid.n_cells
    return is_naming and not any(grid.occurs(below, j) for j in below.filled)


def _counts_columns(row: GridRow) -> bool:
    """Check whether a row numbers the columns from 1."""
    texts = [row.text(j).strip("()") for j in row.filled]
    return len(texts) > 3 and texts == [str(k) for k in range(1, len(texts) + 1)]


def _is_units(row: GridRow) -> bool:
    """Check whether most cells of a row are units."""
    texts = [row.text(j) for j in row.filled]
    n = sum(_is_unit(text) for text in texts)
    return n >= max(1, 0.6 * len(texts))


def _is_unit(text: str) -> bool:
    plain = text.casefold().strip("()[] ")
    if plain in _words("units", "words"):
        return True
    if re.fullmatch(r"\[.*\]|\(.*\)", text.strip()):
        return True
    return len(plain) < 25 and _UNIT.fullmatch(plain) is not None


def _uppermost(grid: Grid, lowest: int, begin: int) -> int:
    """Return the first of the header lines that end with this one."""
    first = lowest
    while first > begin and not grid.rows[first].after_gap:
        if not _is_group_line(grid, first - 1, begin, grid.rows[first]):
            break
        first -= 1
    return first


def _is_group_line(grid: Grid, i: int, begin: int, below: GridRow) -> bool:
    """Check whether a row above a header line belongs to the header, and is no title."""
    row = grid.rows[i]
    against, agreeing = grid.evidence(row)
    if i == begin == 0 and row.fill == below.fill and agreeing <= against:
        return True
    if 5 * agreeing > against or len(row.cells) < 0.5 * grid.width or grid.is_too_wide(row):
        return False
    if row.fill == 1:
        return row.filled[0] > 0 and grid.width > 2 and below.fill > 1
    if row.text(0) and not below.text(0) and (below.fill > 1 or _is_units(below)):
        return True
    if grid.width == 2 or row.filled == [0, 1]:
        return row.fill == below.fill and against > 0 and not row.text(0).endswith((":", "="))
    return row.width > grid.width / 2 or against >= 0.5 * len(grid.majority) > 0


def _later_table(grid: Grid, begin: int, first: int) -> int | None:
    """Return where a larger table begins below a small one or poor lines, if there is one."""
    for i in range(first + 1, min(len(grid.rows), first + 30)):
        row = grid.rows[i]
        against, agreeing = grid.evidence(row)
        is_header = against > agreeing and against >= 0.5 * len(grid.majority)
        if not is_header or not _is_wide(grid, row):
            continue
        are_poor = all(r.fill <= 0.6 * grid.fill for r in grid.rows[begin:i])
        if not row.after_gap and not are_poor:
            continue
        n_data = sum(grid.is_data_like(r) and grid.is_full(r) for r in grid.rows[i + 1 :])
        if n_data >= (i - first) * (1 if are_poor else 5):
            return i
    return None


def name_columns(
    rows: Sequence[GridRow], width: int
) -> tuple[list[str], dict[int, str], dict[int, str]]:
    """Name the columns by header lines.

    Parameters
    ----------
    rows : sequence of GridRow
        Header lines from the top; none if there is no header.
    width : int
        Number of columns.

    Returns
    -------
    names : list of str
        One per column; empty where there is none.
    labels : dict of int to str
        Texts of other header lines, such as the question, by the position of the column.
    units : dict of int to str
        Units by the position of the column.
    """
    if not rows:
        return [""] * width, {}, {}
    if len(rows) == 1:
        row = rows[0]
        return [text_of(row.cells[j]) if j < len(row.cells) else "" for j in range(width)], {}, {}
    lines = [[row.text(j) for j in range(width)] for row in rows]
    kept = [k for k, row in enumerate(rows) if not _is_aside(row, k, lines)] or [0]
    name_line = _name_line(rows, lines, kept)
    names = list(lines[name_line])
    spans = {k: _spread(lines[k], lines[name_line]) for k in kept if k < name_line}
    labels: dict[int, list[str]] = {}
    above = [k for k in kept if k < name_line][::-1]
    names = _told_apart(names, [spans[k] for k in above])
    units: dict[int, str] = {}
    for k in range(len(rows)):
        if k == name_line or k in spans:
            continue
        for j, text in enumerate(lines[k]):
            if not text or _IMPORT_ID.match(text):
                continue
            if not names[j]:
                names[j] = text
            elif _is_units(rows[k]) and len(rows[k].cells) >= 0.9 * width:
                units[j] = text
            elif not _counts_columns(rows[k]) and text != names[j]:
                labels.setdefault(j, []).append(text)
    for spread in spans.values():
        for j, text in enumerate(spread):
            if text and text not in names[j]:
                labels.setdefault(j, []).append(text)
    return names, {j: " / ".join(texts) for j, texts in labels.items()}, units


def _is_aside(row: GridRow, k: int, lines: Sequence[Sequence[str]]) -> bool:
    """Check whether a header line holds units, numbers of columns or aggregations, not names."""
    texts = [text for text in lines[k] if text]
    if _counts_columns(row) or sum(bool(_IMPORT_ID.match(t)) for t in texts) > len(texts) / 2:
        return True
    others = [j for j, line in enumerate(lines) if j < k and _is_naming(line)]
    if not others:
        return False
    return _is_units(row) or all(
        text.casefold() in _words("units", "aggregations") for text in texts
    )


def _is_naming(line: Sequence[str]) -> bool:
    """Check whether a line names the columns one by one."""
    present = [text for text in line if text]
    return len(present) > 0.7 * len(line) and len(set(present)) > 0.8 * len(present)


def _name_line(rows: Sequence[GridRow], lines: Sequence[Sequence[str]], kept: Sequence[int]) -> int:
    """Return the index of the line that names the columns."""
    top = kept[0]
    n_platform = sum(text.casefold() in _words("survey", "columns") for text in lines[top])
    if n_platform > 1 or (
        len(kept) < len(rows) and any(_IMPORT_ID.match(text) for line in lines for text in line)
    ):
        return top
    if len(kept) > 1 and _is_naming(lines[top]):
        below = [text for text in lines[kept[-1]] if text]
        n_questions = sum("?" in text or len(text) > 40 for text in below)
        if n_questions > len(below) / 2:
            return top
    if not _is_naming(lines[kept[-1]]):  # one aggregation or unit for several columns
        for k in kept[-2::-1]:
            if all(lines[k]) and len(set(lines[k])) == len(lines[k]):
                return k
    return kept[-1]


def _spread(group: Sequence[str], below: Sequence[str]) -> list[str]:
    """Fill the names of groups to the right, over the columns that belong to them."""
    filled: list[str] = []
    current = ""
    for text, name in zip(group, below, strict=True):
        current = text or (current if name else "")
        filled.append(current)
    return filled


def _told_apart(names: list[str], groups: Sequence[Sequence[str]]) -> list[str]:
    """Join the names of groups in front of names that do not tell columns apart, lowest first."""
    are_units = [bool(name) and _is_unit(name) for name in names]
    for group in groups:
        counts = Counter(names)
        joined = []
        for j, (name, text) in enumerate(zip(names, group, strict=True)):
            is_told = name and counts[name] < 2 and not are_units[j]
            if is_told or not text or text == name:
                joined.append(name)
            else:
                joined.append(f"{text} / {name}" if name else text)
                are_units[j] = False
        names = joined
    return names


@cache
def _words(section: str, key: str) -> frozenset[str]:
    return frozenset(read_toml("table_lines")[section][key])


def find_platform(names: Sequence[str], labels: Iterable[str] = ()) -> str:
    """Return the survey platform whose export has these columns; empty if there is none.

    Parameters
    ----------
    names : sequence of str
        The column names.
    labels : iterable of str
        The texts of other header lines, which some platforms write in place of the names.

    Examples
    --------
    >>> find_platform(["StartDate", "EndDate", "ResponseId", "Q1"])
    'Qualtrics'
    >>> find_platform(["Timestamp", "How old are you?", "Where do you live?"])
    'Google Forms'
    >>> find_platform(["id", "status", "price"])
    ''
    """
    listed = read_toml("platforms")
    folded = [_fold(name) for name in names]
    texts = [*names, *labels]
    held = set(map(_fold, texts))
    scores = {}
    for platform, words in listed.items():
        patterns = [re.compile(pattern) for pattern in words.get("patterns", ())]
        n_matched = sum(any(p.fullmatch(text.strip()) for text in texts) for p in patterns)
        n_sure = len(held.intersection(words.get("sure", ()))) + n_matched
        n_usual = len(held.intersection(words.get("usual", ())))
        scores[platform] = (_SURE * n_sure + _USUAL * n_usual) if n_sure else n_usual / 2
        if folded and folded[0] in words.get("first", ()) and _are_questions(folded[1:]):
            scores[platform] = _ENOUGH
    best = max(scores, key=lambda platform: scores[platform])
    return best if scores[best] >= _ENOUGH else ""


def _fold(name: str) -> str:
    return _NO_LETTERS.sub(" ", name).strip().casefold()


def _are_questions(folded: Sequence[str]) -> bool:
    """Check whether many names are questions or statements of several words.

    Columns that were computed from the answers have short names.
    """
    n_questions = sum(
        len(name.split()) >= _WORDS_OF_QUESTION or bool(_UNSPACED.search(name)) for name in folded
    )
    return n_questions >= max(_FEWEST_QUESTIONS, len(folded) / 4)
