"""Group the columns of a report for a reader: scales, and blocks of columns that are alike.

A questionnaire of two hundred columns has a dozen scales. A page, a table or a notebook that lists
each column for itself hides that, so all of them show the blocks of this module.
"""

from __future__ import annotations

import math
import re
from collections.abc import Hashable, Iterable, Sequence
from itertools import groupby
from typing import NamedTuple

from autotype.report.text_cells import format_note, shorten
from autotype.types.column_names import own_name, stem
from autotype.types.column_type import DISCRETE, WITH_ODDS, ColumnType
from autotype.types.data_warning import DataWarning
from autotype.types.levels import hold_word
from autotype.wording import format_level, printable

_FEWEST = 3  # columns of a run of names, and of a block of other types than these
_PAIRED = DISCRETE | {"constant"}


class Block(NamedTuple):
    """Columns that one line or card shows; often a single one.

    Attributes
    ----------
    columns : tuple of ColumnType
        In the frame's order.
    places : tuple of int
        Their places in the frame, from 1.
    """

    columns: tuple[ColumnType, ...]
    places: tuple[int, ...]

    @property
    def described(self) -> ColumnType:
        """The column whose order or note holds for all; without a note if theirs differ."""
        first = self.columns[0]
        if first.semantic_type in WITH_ODDS or len(set(map(format_note, self.columns))) == 1:
            return first
        return ColumnType("", first.semantic_type)

    @property
    def probability(self) -> float:
        """The lowest P(ordinal) of its columns; NaN if none has one."""
        known = [c.probability for c in self.columns if not math.isnan(c.probability)]
        return min(known, default=math.nan)

    @property
    def is_single(self) -> bool:
        """Whether it is one column."""
        return len(self.columns) == 1

    @property
    def is_scale(self) -> bool:
        """Whether its columns share levels that may have an order."""
        return not self.is_single and self.columns[0].semantic_type in WITH_ODDS

    @property
    def names(self) -> list[str]:
        """The names of its columns, with runs such as "q1 … q9" in one."""
        return name_runs(self.columns, self.places)

    @property
    def reversed(self) -> list[str]:
        """The names of the columns that fall where the others of the scale rise."""
        return [printable(column.name) for column in self.columns if column.reversed]


def blocks_of(columns: Iterable[ColumnType]) -> list[Block]:
    """Group columns, in the order of the first column of each block.

    Columns with levels are together if they have the same type, order and scale, or the same
    levels with the same labels; of other types if they have the same type, format and question, or
    names that differ in a number; constants always are.

    Examples
    --------
    >>> from autotype import ColumnType
    >>> names = ("id", "x1", "x2", "x3")
    >>> [block.names for block in blocks_of(ColumnType(n, "continuous") for n in names)]
    [['id'], ['x1 … x3']]
    """
    held: dict[Hashable, list[tuple[int, ColumnType]]] = {}
    for place, column in enumerate(columns, start=1):
        held.setdefault(_key(column) or place, []).append((place, column))
    parts: list[list[tuple[int, ColumnType]]] = []
    for members in held.values():
        is_small = len(members) < _FEWEST and members[0][1].semantic_type not in _PAIRED
        parts += [[member] for member in members] if is_small else [members]
    blocks = [Block(tuple(c for _, c in part), tuple(k for k, _ in part)) for part in parts]
    return sorted(blocks, key=lambda block: block.places)


def _key(column: ColumnType) -> Hashable:
    """Return what the columns of a block have in common; None for a column that stands alone."""
    kind = column.semantic_type
    if kind == "constant":
        return (kind,)
    if kind not in DISCRETE:
        return kind, column.group or _template(column.name), format_note(column)
    if not column.levels:
        return None
    texts = [column.labels.get(level, format_level(level)) for level in column.levels]
    levels = frozenset(zip(map(format_level, column.levels), texts, strict=True))
    scale = column.scale or (levels, "" if hold_word(texts) else _template(column.name))
    order = tuple(format_level(level).casefold().strip() for level in column.order or ())
    return kind, column.group, scale, order


def _template(name: Hashable) -> str:
    """Return what a name shares with those that differ in numbers, wherever these stand."""
    return stem(re.sub(r"\d+", "0", own_name(name)))


def name_runs(columns: Sequence[ColumnType], places: Sequence[int]) -> list[str]:
    """Return the names of columns, with each run of neighbours whose names are alike in one.

    Examples
    --------
    >>> from autotype import ColumnType
    >>> names = ("q1_rating", "q2_rating", "q3_rating", "age")
    >>> name_runs([ColumnType(n, "text") for n in names], (1, 2, 3, 4))
    ['q1_rating … q3_rating', 'age']
    """
    numbered = enumerate(zip(columns, places, strict=True))
    runs = groupby(numbered, key=lambda item: (_template(item[1][0].name), item[1][1] - item[0]))
    texts = []
    for _, run in runs:
        names = [printable(column.name) for _, (column, _) in run]
        texts += names if len(names) < _FEWEST else [f"{names[0]} … {names[-1]}"]
    return texts


class Cause(NamedTuple):
    """What looks wrong for one reason, in any number of places.

    Attributes
    ----------
    kind, remedy : str
        As those of a `DataWarning`.
    findings : list of DataWarning
    """

    kind: str
    remedy: str
    findings: list[DataWarning]

    @property
    def title(self) -> str:
        """Its kind, with the number of places if they are several."""
        n = len(self.findings)
        return self.kind if n == 1 else f"{self.kind} ({n})"

    def text(self, longest: int) -> str:
        """Return the first finding, the columns of the others, and the remedy, in a sentence.

        Examples
        --------
        >>> found = [DataWarning("blanks", f"{n!r} holds ' x'", "strip it", n) for n in "abc"]
        >>> causes_of(found)[0].text(80)
        "'a' holds ' x'; likewise 'b', 'c'; strip it."
        """
        first, *others = self.findings
        found = first.message
        if others and all(finding.column is not None for finding in others):
            names = dict.fromkeys(repr(finding.column) for finding in others)
            found = f"{found}; likewise {', '.join(names)}"
        elif others:
            found = "; ".join(finding.message for finding in self.findings)
        found = shorten(found, max(longest - len(self.remedy), longest // 2))
        return shorten(f"{found}; {self.remedy}.", longest + 3)


def causes_of(warnings: Iterable[DataWarning]) -> list[Cause]:
    """Group warnings that have one cause and one remedy.

    Examples
    --------
    >>> found = [DataWarning("blanks", f"{n!r} holds ' x'", "strip it", n) for n in "ab"]
    >>> [cause.title for cause in causes_of(found)]
    ['blanks (2)']
    """
    held: dict[tuple[str, str], list[DataWarning]] = {}
    for warning in warnings:
        held.setdefault((warning.kind, warning.remedy), []).append(warning)
    return [Cause(kind, remedy, found) for (kind, remedy), found in held.items()]
