"""Find what looks wrong in a table: rows without data, strings for missing cells, damage.

Each finding is one `DataWarning` with its remedy. None depends on the order of the rows.
"""

from __future__ import annotations

import datetime
import re
import shlex
from collections import Counter, defaultdict
from collections.abc import Callable, Container, Hashable, Iterable, Iterator, Sequence
from numbers import Real
from typing import Any, TypeVar

import numpy as np
import pandas as pd

from autotype.inference.column import Column
from autotype.inference.labels.numbers.mangled_ranges import mangled_ranges
from autotype.inference.profile.stray_levels import StrayRow
from autotype.inference.sampling.stray_texts import totals
from autotype.lexicon.tokens import plain_text
from autotype.lexicon.toml_files import read_toml
from autotype.types.codebook import spelling_key
from autotype.types.column_names import unnamed_place
from autotype.types.data_warning import DataWarning
from autotype.wording import format_some, join_first

_MAX_CELLS = 1000  # values of a column that are searched for garbled strings
_REPLACEMENT = "\N{REPLACEMENT CHARACTER}"
_MAX_CELLS_NAMED = 5
_NOT_ASCII = re.compile(r"[^\x00-\x7f]+")
_SHORTEST = 2  # characters; "m" and "M" are two codes

T = TypeVar("T", bound=Hashable)


def find_data_warnings(
    columns: Sequence[Column], rows: Sequence[StrayRow], requested: Sequence[Column]
) -> tuple[DataWarning, ...]:
    """Find what looks wrong in the columns of a table.

    Parameters
    ----------
    columns : sequence of Column
        All columns, whose stray levels were found and not yet set aside.
    rows : sequence of StrayRow
        The rows of which cells stand out.
    requested : sequence of Column
        The columns of the report; only findings about them, and about whole rows.

    Returns
    -------
    tuple of DataWarning
        Rows first; then one for each kind and finding, whatever the number of its columns.

    Examples
    --------
    >>> import pandas as pd
    >>> from autotype import infer_types
    >>> survey = {"a": ["Response", *["Yes", "No"] * 20], "kg": ["number", *range(40)]}
    >>> [warning.kind for warning in infer_types(pd.DataFrame(survey)).warnings]
    ['header row']
    """
    of_rows = list(_about_rows(columns, rows))
    explained = {cell for _, cells in of_rows for cell in cells}
    return (
        *(warning for warning, _ in of_rows),
        *_about_stray_levels(requested, explained),
        *_about_levels(requested),
        *_about_names(requested),
    )


def _about_rows(
    columns: Sequence[Column], rows: Sequence[StrayRow]
) -> Iterator[tuple[DataWarning, tuple[tuple[int, str], ...]]]:
    """Yield warnings on rows that are a second header or a total, with their cells."""
    for cells, is_header in rows:
        named = [f"{columns[j].name!r}: {text!r}" for j, text in cells]
        shown = join_first(named, _MAX_CELLS_NAMED)
        if is_header:
            message = f"one row looks like a second header row ({shown})"
            remedy = "remove the row, or read the file with its header in two rows"
            yield DataWarning("header row", message, remedy), cells
        elif any(text in totals() and text in columns[j].lone for j, text in cells):
            message = f"one row looks like a total ({shown})"
            remedy = "remove the row, so that it is not counted with the others"
            yield DataWarning("total row", message, remedy), cells


def _about_stray_levels(
    columns: Sequence[Column], explained: Container[tuple[int, str]]
) -> Iterator[DataWarning]:
    for column in columns:
        name, counts = column.name, column.known_levels
        spelled = Counter(_spelling(level) for level in counts if isinstance(level, str))
        for level in column.lone:
            if (column.position, level) in explained or spelled[_spelling(level)] > 1:
                continue  # the row, or the spellings, are what looks wrong
            yield DataWarning(
                "stray level",
                f"a single row of {name!r} holds {level!r}, which was set aside",
                "correct that row, or state with known= that it is a level",
                name,
            )


def _about_levels(columns: Sequence[Column]) -> Iterator[DataWarning]:
    """Yield one finding for each set of things that are wrong in the levels of columns."""
    for name, find in _FINDERS.items():
        said = read_toml("data_warnings")[name]
        for found, holders in _holders(columns, find):
            verb = "holds" if len(holders) == 1 else "hold"
            message = f"{_named(holders)} {verb} {said['finding'].format(_listed(found))}"
            noun = "text" if all(isinstance(value, str) for value in found) else "value"
            option = _missing_option([str(value).strip() for value in found])
            remedy = said["remedy"].format(option=option, noun=noun)
            yield DataWarning(said["kind"], message, remedy, _only(holders))


def _listed(found: Sequence[Any]) -> str:
    """List levels, or groups of levels."""
    if isinstance(found[0], tuple):
        return join_first([format_some(group) for group in found], 3, separator="; ")
    return format_some(found)


def _unexplained_markers(column: Column) -> list[Any]:
    """Return the values for a missing one of which no codebook, nor the user, states that."""
    found = [] if column.entry is not None else sorted(column.markers, key=str)
    return [value for value in found if spelling_key(value) not in column.declared]


def _holders(
    columns: Sequence[Column], find: Callable[[Column], Sequence[T]]
) -> Iterable[tuple[tuple[T, ...], list[Column]]]:
    """Return each set of things that `find` finds in columns, with the columns that hold it."""
    held: dict[tuple[T, ...], list[Column]] = defaultdict(list)
    for column in columns:
        if found := find(column):
            held[tuple(found)].append(column)
    return held.items()


def _missing_option(texts: Sequence[str]) -> str:
    """Return the option of the command line that makes strings missing, as a shell takes it.

    Examples
    --------
    >>> print(_missing_option(["NA", "NaN"]), _missing_option(["-", "?"]))
    --missing NA,NaN --missing='-,?'
    """
    listed = ",".join(texts)
    quoted = shlex.quote(listed)
    is_plain = quoted == listed and not listed.startswith("-")
    return f"--missing {listed}" if is_plain else f"--missing={quoted}"


def _mangled(column: Column) -> list[str]:
    levels = column.known_levels
    return mangled_ranges([v for v in levels if isinstance(v, str | datetime.date)])


def _garbled(column: Column) -> list[str]:
    """Find strings, and a name, with replacement characters or with UTF-8 read as Windows-1252."""
    dtype = column.values.dtype
    texts: Iterable[object] = column.known_levels
    if not column.known_levels:
        is_text = pd.api.types.is_object_dtype(dtype) or isinstance(dtype, pd.StringDtype)
        texts = column.values.dropna().iloc[:_MAX_CELLS] if is_text and column.hashable else ()
    found = {v for v in texts if isinstance(v, str) and is_garbled(v)}
    if not column.known_levels:  # a finding quotes no cells, only the signs that are wrong
        found = {signs for text in found for signs in _NOT_ASCII.findall(text)}
    if isinstance(column.name, str) and is_garbled(column.name):
        found.add(column.name)
    return sorted(found)


def is_garbled(text: str) -> bool:
    """Check for a string that was read in another encoding than it was written in.

    Examples
    --------
    >>> is_garbled("CafÃ©"), is_garbled("itâ€™s"), is_garbled("Caf\N{REPLACEMENT CHARACTER}")
    (True, True, True)
    >>> is_garbled("Café"), is_garbled("plain")
    (False, False)
    """
    if text.isascii():
        return False
    if _REPLACEMENT in text:
        return True
    for encoding in ("cp1252", "latin-1"):
        try:
            return text.encode(encoding).decode("utf-8") != text
        except UnicodeError:
            continue
    return False


def _spelled_alike(column: Column) -> list[tuple[str, ...]]:
    """Find the levels of one spelling, at least two each."""
    groups: dict[str, list[str]] = defaultdict(list)
    for level in column.known_levels:
        if isinstance(level, str) and len(level.strip()) >= _SHORTEST:
            groups[_spelling(level)].append(level)
    return sorted(tuple(sorted(group)) for group in groups.values() if len(group) > 1)


def _equal_booleans(column: Column) -> list[tuple[Any, ...]]:
    """Find booleans beside numbers that equal them, such as False and 0, in groups."""
    if column.values.dtype != object or not {0, 1} & column.known_levels.keys():
        return []
    cells = [v for v in column.values if isinstance(v, np.bool_ | Real) and v in (0, 1)]
    groups = [{str(v): v for v in cells if v == number} for number in (0, 1)]
    return [
        tuple(group[text] for text in sorted(group))
        for group in groups
        if len(group) > 1 and {"False", "True"} & group.keys()
    ]


def _spelling(text: str) -> str:
    """Return a string without what spellings of one level differ in."""
    return "".join(plain_text(text).casefold().split())


def _with_blanks(column: Column) -> list[str]:
    """Find the levels, and the name, with blanks at an end, other than spellings of a level."""
    texts = {v for v in (column.name, *column.known_levels) if isinstance(v, str)}
    spelled = Counter(map(_spelling, texts))
    return sorted(v for v in texts if v != v.strip() and v.strip() and spelled[_spelling(v)] == 1)


def _about_names(columns: Sequence[Column]) -> Iterator[DataWarning]:
    """Yield the columns without a name, as merged cells of a header leave them."""
    unnamed = [c for c in columns if unnamed_place(c.name)]  # column 0 is an index that was written
    if unnamed:
        yield DataWarning(
            "column without a name",
            f"the header has no name for {_named(unnamed)}: its cells may have been merged, or "
            "another row is the header",
            "name each column in one header row",
            _only(unnamed),
        )


def _named(columns: Sequence[Column]) -> str:
    """Name columns for a sentence."""
    return format_some([column.name for column in columns])


def _only(columns: Sequence[Column]) -> Hashable:
    return columns[0].name if len(columns) == 1 else None


# What finds levels in a column, by its section of `data_warnings.toml`.
_FINDERS: dict[str, Callable[[Column], Sequence[Any]]] = {
    "markers": _unexplained_markers,
    "mangled": _mangled,
    "garbled": _garbled,
    "spellings": _spelled_alike,
    "booleans": _equal_booleans,
    "blanks": _with_blanks,
}
