"""Find the columns that are the choices of one question, of which several may be ticked.

Platforms write a column for each choice. What shows the question is the name of the columns, or
their question text, or that each column holds the text of its own choice.

Several answers may also stand in one cell: "Bus; Train", as questions with check boxes have. Such a
column has up to 2^k levels, which are no categories. What gives it away is that the same items
recur in different cells, in changing company and at changing places.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import TypeVar

import numpy as np
import pandas as pd

from autotype.inference.profile.type_model import load_type_model
from autotype.types.column_names import unnamed_place
from autotype.types.column_type import ColumnType

T = TypeVar("T")

# What choices have in common, as platforms write it.
_WITH_CHOICE = (
    re.compile(r"(.+?)\s*\(choice=.*\)", re.S),  # REDCap with labels
    re.compile(r"(.+?)___-?\w+"),  # REDCap
    re.compile(r"(.*\w.*?)\s*\[[^\[\]]*\](?:\.\d+)?", re.S),  # LimeSurvey, Google Forms
    re.compile(r"(.+)/[^/]+", re.S),  # KoBo, ODK
)
_WITH_PARENT = re.compile(r"(.+)\.[^.\s]+")  # the same through R, beside the column of the lists
_NUMBERED = re.compile(r"(.*\D)(\d{1,3})")
_FEWEST_NUMBERED = 3  # columns whose names count up, or that are blank together
_LONGEST_SECTION = 3  # words
_MOST_OTHERS = 1  # the text of "other", beside the choices

_SEPARATORS = ("\n", ";", "|", ", ", ",", " / ", "/", " ")
_SURE = ("\n", ";", "|", ",")  # where an item of its own was never chosen alone
_CLOSING = ";"  # of each item, as Microsoft Forms writes them
_FEWEST_CELLS = 4  # different ones
_MIN_SEVERAL = 0.25  # of the different cells: those of several items
_MIN_RECURRING = 0.8  # of the items of all different cells: those of other cells, or chosen alone
_MIN_MEAN = 2.0  # cells per item
_MIN_MOVING = 0.3  # of the items that recur: those at different places
_MAX_REPEATING = 0.05  # of the cells: those that hold an item twice
_LONGEST = 400  # characters of a cell
_CODE = re.compile(r"[a-z0-9_.\-]+", re.I)
_NUMBER = re.compile(r"\d+")


def question_keys(
    columns: Sequence[ColumnType], rows: Sequence[pd.Series] | None = None
) -> list[str]:
    """Return for each column the question of which it is a choice; empty where it is none.

    Parameters
    ----------
    columns : sequence of ColumnType
        In the frame's order. A choice is binary, or its one level stands beside missing values.
    rows : sequence of Series, optional
        Their values in the same rows, which show what is blank together.

    Examples
    --------
    >>> names = ("id", "race___1", "race___2", "Q1", "Q2", "Q3")
    >>> level = {"No": 5, "Yes": 4}
    >>> columns = [ColumnType(name, "binary", levels=level, n_levels=2) for name in names]
    >>> question_keys(columns)
    ['', 'race', 'race', 'Q', 'Q', 'Q']
    """
    keys = [column.group for column in columns]
    names = [str(column.name).strip() for column in columns]
    # A column without a name in its file is a choice of no question.
    are_choices = [_may_be_choice(c) and unnamed_place(c.name) is None for c in columns]
    groups = (*_by_name(names), *_by_own_text(columns), *_by_title(columns), *_by_number(names))
    for key, members, least in groups:
        chosen = [k for k in members if are_choices[k] and not keys[k]]
        n_others = len(members) - len(chosen)
        if len(chosen) >= least and n_others <= min(_MOST_OTHERS, len(chosen) - 1):
            answers = {_answers(columns[k]) for k in chosen} - {frozenset()}
            n_held = sum(bool(columns[k].levels) for k in chosen)
            if len(answers) < 2 <= n_held and not _are_blank_together(columns, chosen, rows):
                for k in chosen:
                    keys[k] = key
    return keys


def with_questions(
    columns: Sequence[ColumnType], rows: Sequence[pd.Series] | None = None
) -> list[ColumnType]:
    """Return the columns with the questions of which they are choices, see `question_keys`.

    A choice that is blank unless ticked is binary: both answers are in it. A codebook may group
    other columns, too, such as those of a section.
    """
    keys = question_keys(columns, rows)
    found = [replace(column, group=key) for column, key in zip(columns, keys, strict=True)]
    of_key: dict[str, list[int]] = {}
    for k, column in enumerate(found):
        of_key.setdefault(column.group, []).append(k)
    of_key.pop("", None)
    for members in of_key.values():
        chosen = [k for k in members if _may_be_choice(found[k])]
        n_others = len(members) - len(chosen)
        are_few = n_others <= _MOST_OTHERS and len(chosen) > max(n_others, 1)
        if are_few and not _are_blank_together(found, chosen, rows):
            for k in chosen:
                found[k] = _as_binary(found[k])
    return found


def _as_binary(column: ColumnType) -> ColumnType:
    is_ticked = column.semantic_type == "constant" and column.n_levels == 1
    if not is_ticked or column.provenance != "inferred":
        return column
    return replace(
        column,
        semantic_type="binary",
        type_probabilities=load_type_model().of_fact("binary"),
        reasons=("It is ticked or blank: a choice of a question with several answers.",),
    )


_Group = tuple[str, list[int], int]  # the question, positions of columns, and the fewest choices


def _may_be_choice(column: ColumnType) -> bool:
    """Check whether a column is binary, or holds one level and missing values, or no value."""
    if column.semantic_type == "constant":
        return column.n_levels == 0 or bool(column.profile and column.profile.n_missing)
    return column.semantic_type == "binary"


def _answers(column: ColumnType) -> frozenset[str]:
    """Return the two answers of a column, in lower case; none of a column with one level."""
    levels = [v for v in column.levels if v not in column.missing_markers]
    return frozenset(str(v).casefold() for v in levels) if len(levels) > 1 else frozenset()


def _are_blank_together(
    columns: Sequence[ColumnType], chosen: Sequence[int], rows: Sequence[pd.Series] | None
) -> bool:
    """Check for three columns of one level and more that hold it in the same rows: no answers.

    Where the rows are not at hand, as many of them have to do.
    """
    counts = {sum(columns[k].levels.values()) for k in chosen}
    are_single = all(columns[k].n_levels == 1 for k in chosen)
    if not are_single or len(chosen) < _FEWEST_NUMBERED or len(counts) > 1 or rows is None:
        return are_single and len(chosen) >= _FEWEST_NUMBERED and len(counts) == 1
    held = [rows[k].notna().to_numpy() for k in chosen]
    return all(np.array_equal(held[0], other) for other in held[1:])


def _by_name(names: Sequence[str]) -> Iterator[_Group]:
    """Yield the columns whose names hold a question and a choice."""
    held = set(names)
    for pattern in (*_WITH_CHOICE, _WITH_PARENT):
        stems: dict[str, list[int]] = {}
        for k, name in enumerate(names):
            found = pattern.fullmatch(name)
            if found and (pattern is not _WITH_PARENT or found[1] in held):
                stems.setdefault(found[1].strip(), []).append(k)
        yield from ((stem, members, 2) for stem, members in stems.items())


def _by_title(columns: Sequence[ColumnType]) -> Iterator[_Group]:
    """Yield neighbours with one question text; a word or two are the title of a section."""

    def continues(column: ColumnType, other: ColumnType) -> bool:
        return column.title == other.title and len(column.title.split()) > _LONGEST_SECTION

    for members in _runs(columns, continues):
        yield columns[members[0]].title, members, 2


def _by_own_text(columns: Sequence[ColumnType]) -> Iterator[_Group]:
    """Yield neighbours that hold the text of their choice alone, below the name of the question."""

    def continues(column: ColumnType, other: ColumnType) -> bool:
        return _holds_own(column) and _holds_own(other) and _own_text(other) == str(other.name)

    for members in _runs(columns, continues):
        first = columns[members[0]]
        own = _own_text(first)
        names_question = own != str(first.name).strip()
        yield str(first.name).strip() if names_question else f"{own} ...", members, 2


def _own_text(column: ColumnType) -> str:
    levels = list(column.levels)
    return str(levels[0]).strip() if len(levels) == 1 else ""


def _holds_own(column: ColumnType) -> bool:
    """Check whether the only level of a column is its name or its title."""
    text = _own_text(column)
    is_word = any(c.isalpha() for c in text)
    return is_word and text in (str(column.name).strip(), column.title.strip())


def _by_number(names: Sequence[str]) -> Iterator[_Group]:
    """Yield neighbours whose names count up from one stem."""
    found = [_NUMBERED.fullmatch(name) for name in names]

    def continues(one: re.Match[str] | None, other: re.Match[str] | None) -> bool:
        return (
            one is not None
            and other is not None
            and one[1] == other[1]
            and int(one[2]) + 1 == int(other[2])
        )

    for members in _runs(found, continues):
        stem = found[members[0]][1]  # type: ignore[index]
        yield stem.rstrip("_-. ") or stem, members, _FEWEST_NUMBERED


def _runs(items: Sequence[T], continues: Callable[[T, T], bool]) -> Iterator[list[int]]:
    """Yield the runs of two neighbours and more of which each continues the one before."""
    starts = [k for k in range(len(items)) if k == 0 or not continues(items[k - 1], items[k])]
    for start, end in pairwise([*starts, len(items)]):
        if end - start > 1:
            yield list(range(start, end))


def find_list(cells: Sequence[str]) -> tuple[str, tuple[str, ...]] | None:
    """Find the separator and the items of cells that hold several answers.

    Parameters
    ----------
    cells : sequence of str
        Different cells.

    Returns
    -------
    (separator, items) or None
        The items by how many cells hold them.

    Examples
    --------
    >>> find_list(["Bus", "Train", "Bus; Train", "Bike; Bus", "Bike; Bus; Train"])
    (';', ('Bus', 'Train', 'Bike'))
    >>> find_list(["Smith, John", "Miller, Ann", "Jones, Eve", "Doe"]) is None
    True
    """
    if len(cells) > 1 and all(cell.rstrip().endswith(_CLOSING) for cell in cells):
        counts = Counter(item for cell in cells for item in set(_split(cell, _CLOSING)))
        if any(len(_split(cell, _CLOSING)) > 1 for cell in cells):
            return _CLOSING, _by_frequency(counts)
    if len(cells) < _FEWEST_CELLS:
        return _find_pair(cells)
    for separator in _SEPARATORS:
        n_several = sum(separator in cell for cell in cells)
        if n_several < max(2, _MIN_SEVERAL * len(cells)):
            continue
        items = _items(cells, separator)
        if items is not None:
            return separator, items
    return None


def is_combination(cell: str, cells: Iterable[str]) -> bool:
    """Check whether a cell consists of several others, with a separator between them.

    Examples
    --------
    >>> is_combination("Bus; Train", ["Bus", "Train", "Bike"]), is_combination("Bus", ["Bus"])
    (True, False)
    """
    others = {other.strip() for other in cells} - {cell.strip()}
    for separator in _SEPARATORS:
        if separator in cell:
            items = set(_split(cell, separator))
            known = items & others
            is_sure = separator in _SURE and 2 * len(known) > len(items) > 1
            if is_sure or len(known) == len(items) > 1:
                return True
    return False


def _find_pair(cells: Sequence[str]) -> tuple[str, tuple[str, ...]] | None:
    """Find the separator of three cells that are two answers, and both of them."""
    for cell in cells:
        for separator in _SURE:
            items = _split(cell, separator)
            if len(cells) == _FEWEST_CELLS - 1 and len(items) == 2:
                is_pair = {*items, cell.strip()} == {other.strip() for other in cells}
                if is_pair and not any(map(_NUMBER.fullmatch, items)):
                    return separator, tuple(sorted(items))
    return None


def _split(cell: str, separator: str) -> list[str]:
    """Return the items of a cell."""
    return [item for part in cell[:_LONGEST].split(separator) if (item := part.strip())]


def _by_frequency(counts: Mapping[str, int]) -> tuple[str, ...]:
    return tuple(sorted(counts, key=lambda item: (-counts[item], item)))


def _items(cells: Sequence[str], separator: str) -> tuple[str, ...] | None:
    """Return the items of cells with one separator, by frequency; None if they are no lists."""
    split = [items for cell in cells if (items := _split(cell, separator))]
    counts = Counter(item for items in split for item in set(items))
    n_items = sum(counts.values())
    recurring = {item for item, n in counts.items() if n > 1}
    if len(recurring) < 2 or n_items < _MIN_MEAN * len(counts):
        return None
    alone = {items[0] for items in split if len(items) == 1}
    known = recurring | alone
    if sum(counts[item] for item in known) < _MIN_RECURRING * n_items:
        return None
    sizes = {len(items) for items in split}
    if len(sizes) < 2 or (1 not in sizes and len(sizes) < 3):
        return None
    if sum(len(set(items)) < len(items) for items in split) > _MAX_REPEATING * len(split):
        return None
    places: dict[str, set[int]] = {}
    for items in split:
        for place, item in enumerate(items):
            places.setdefault(item, set()).add(place)
    if separator == " " and any(places[item] == {0} and item not in alone for item in recurring):
        return None  # adverbs: "very", "not"
    n_moving = sum(len(places[item]) > 1 for item in recurring)
    if n_moving < _MIN_MOVING * len(recurring) or not _may_be_items(list(counts), sizes, separator):
        return None
    return _by_frequency(counts)


def _may_be_items(items: Sequence[str], sizes: set[int], separator: str) -> bool:
    """Check that items are neither words of sentences nor digits of numbers."""
    if separator in (" ", "/"):
        return all(map(_CODE.fullmatch, items)) and not any(item.istitle() for item in items)
    if all(map(_NUMBER.fullmatch, items)):
        return max(sizes) > 2 or separator in (";", "|", "\n")
    return True
