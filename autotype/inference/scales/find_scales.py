"""Find the scales of a frame: sets of columns that answer in the same levels.

The items of a real questionnaire hardly ever hold equal sets of levels. Nobody ticked the top level
of one, another has a stray answer, or "don't know", or capitals. So sets that differ by little are
one scale, the more so the more alike the names of their columns are.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from typing import Any

from autotype.inference.column import Column, SharedScale
from autotype.inference.labels.evidence import NOMINAL
from autotype.inference.labels.off_scale import codes_beside_run
from autotype.inference.profile.stray_levels import off_scale_of_codebook
from autotype.inference.profile.triage import is_temporal
from autotype.lexicon.missing import missing_marks, missing_phrases
from autotype.types.codebook import spelling_key, value_key
from autotype.types.column_names import own_name, stem
from autotype.types.levels import hold_word

_MIN_LEVELS = 3  # two levels are no scale by themselves, but may be what was ticked of one
_MIN_COLUMNS = 2
_MIN_WORDLESS = 3  # columns whose levels hold no word
_MOST_MISSED = 2  # levels without words that a column of a scale may lack
# Rows that may be expected of a level that a set of columns lacks, at its rarest elsewhere.
MOST_EXPECTED = 5.0
# What comes before the part in which questions of a grid differ: "Rate [food]", "Rate: food".
_HEAD = re.compile(r"(.*?\w)\s*(?:[\[|]|:\s|\s[-–—]\s).+", re.S)


@dataclass
class _Group:
    """Columns with equal levels, or a scale that grows by such groups.

    Attributes
    ----------
    bucket : str
        What the names of its columns share; "" where the levels hold words.
    levels : dict
        Key of a level -> its smallest proportion in a column that holds it.
    columns : list of Column
    stems : set of str
        What the names of its columns share.
    aside : set
        Keys of the codes that their labels set aside, in the first column of each group.
    """

    bucket: str
    levels: dict[Any, float]
    columns: list[Column] = field(default_factory=list)
    stems: set[str] = field(default_factory=set)
    aside: set[Any] = field(default_factory=set)

    @property
    def n_rows(self) -> int:
        return sum(column.n_present for column in self.columns)

    def add(self, other: _Group) -> None:
        self.columns += other.columns
        self.stems |= other.stems
        self.aside |= other.aside
        for key, rate in other.levels.items():
            self.levels[key] = min(rate, self.levels.get(key, 1.0))


def level_key(column: Column, level: Any) -> Hashable:
    """Return what the spellings of one level in several columns share.

    Examples
    --------
    >>> column = Column("a")
    >>> [level_key(column, level) for level in ("Very  often", "very often", 1, "1.0", "m")]
    ['very often', 'very often', 1.0, 1.0, 'm']
    """
    text = column.texts.get(level)
    return spelling_key(level) if text is None else (value_key(level), spelling_key(text))


def find_scales(columns: Sequence[Column], lone: Sequence[Sequence[str]]) -> list[SharedScale]:
    """Find the scales that columns share.

    Parameters
    ----------
    columns : sequence of Column
        All columns of a frame, with all their levels; they receive their `shared`. Columns whose
        type is stated share nothing. Where words of levels may not be used, all names have to be
        alike.
    lone : sequence of sequence of str
        The levels of each that one row holds, where these are exceptions.

    Returns
    -------
    list of SharedScale
        Of two columns or more; of three where no level holds a word, and the names have to be
        alike, too. A column is in one scale at most.

    Notes
    -----
    Columns with equal sets of levels, without those that mean a missing value, are a group. Groups
    of many columns come first. Each joins the scale that it has most levels in common with, if it
    has some of its levels only, or all but one, and one of its own; columns with words whose names
    are not alike and that are not neighbours have to hold more than half of the levels. A group
    that lacks several levels, or of several columns, may lack only levels so rare that five rows of
    it are not expected to hold them. Codes that their labels set aside do not count. Costs
    O(levels) per column, and O(groups) per group.

    Examples
    --------
    >>> often = {"never": 9, "sometimes": 9, "often": 9, "always": 9}
    >>> fewer = {level: 9 for level in often if level != "always"}
    >>> columns = [Column("a", levels=often, n_rows=36), Column("b", levels=fewer, n_rows=27)]
    >>> [[column.name for column in scale.columns] for scale in find_scales(columns, [(), ()])]
    [['a', 'b']]
    """
    groups = sorted(_equal_groups(columns, lone), key=_size)
    scales: list[_Group] = []
    by_key: dict[tuple[str, Any], list[int]] = defaultdict(list)
    for group in groups:
        near = {k for key in group.levels for k in by_key[group.bucket, key]}
        fits = [(fit, -k) for k in near if (fit := _fit(scales[k], group))]
        if fits:
            found = -max(fits)[1]
            scales[found].add(group)
        elif len(group.levels) >= _MIN_LEVELS:
            found = len(scales)
            scales.append(group)
        else:
            continue
        for key in scales[found].levels:
            if found not in by_key[group.bucket, key]:
                by_key[group.bucket, key].append(found)
    shared = [_shared(scale) for scale in scales if _is_shared(scale)]
    return sorted(shared, key=lambda scale: scale.columns[0].position)


def _equal_groups(columns: Sequence[Column], lone: Sequence[Sequence[str]]) -> list[_Group]:
    """Return the columns by their levels, and by their names where no level holds a word."""
    groups: dict[tuple[str, frozenset], _Group] = {}
    for column, alone in zip(columns, lone, strict=True):
        if not _may_share(column):
            continue
        counts = _counts(column, alone)
        if len(counts) < (2 if column.label_text else _MIN_LEVELS):
            continue
        name = _bucket(column)
        bucket = "" if column.label_text and hold_word(map(str, counts)) else name
        own = groups.setdefault((bucket, frozenset(counts)), _Group(bucket, {}))
        n_rows = max(column.n_present, 1)
        own.add(_Group(bucket, {k: n / n_rows for k, n in counts.items()}, [column], {name}))
    for group in groups.values():
        first = group.columns[0]
        if first.texts and first.entry:
            codes = off_scale_of_codebook(first, first.entry)
            group.aside = {level_key(first, code) for code in codes}
    return list(groups.values())


def _may_share(column: Column) -> bool:
    is_open = column.decision is None and column.stated_labels is None
    is_open = is_open and column.hashable and bool(column.known_levels)
    return is_open and not column.is_ordered_dtype and not is_temporal(column.values.dtype)


def _counts(column: Column, alone: Sequence[str]) -> dict[Hashable, int]:
    """Return key -> count of the levels of a column that are neither alone nor missing."""
    counts: dict[Hashable, int] = {}
    for level, n in column.known_levels.items():
        text = level.strip() if isinstance(level, str) else None
        if text in alone or text in missing_marks() or text in missing_phrases():
            continue
        key = level_key(column, level)
        if key not in column.declared:
            counts[key] = counts.get(key, 0) + n
    codes = codes_beside_run(key for key in counts if isinstance(key, float))
    return {key: n for key, n in counts.items() if key not in codes}


def _bucket(column: Column) -> str:
    """Return what the names of the columns of one question share."""
    if column.entry is not None and column.entry.group:
        return column.entry.group
    head = _HEAD.fullmatch(own_name(column.name))
    return head[1].casefold() if head else stem(column.name)


def _size(group: _Group) -> tuple:
    """Return the place of a group among others: by columns, levels, and the levels themselves."""
    return -len(group.columns), -len(group.levels), sorted(map(str, group.levels)), group.bucket


def _fit(scale: _Group, group: _Group) -> tuple[float, float] | None:
    """Return how well a group fits to a scale, the larger the better; None if it does not."""
    common = len(scale.levels.keys() & group.levels.keys())
    missed, added = (a.levels.keys() - b.levels.keys() for a, b in ((scale, group), (group, scale)))
    if common >= _MIN_LEVELS and (missed or added) and not group.bucket:
        # Some questions offer "not applicable" and others do not.
        aside = scale.aside | group.aside
        missed, added = missed - aside, added - aside
    n_levels = common + len(missed) + len(added)
    alike = bool(scale.stems & group.stems)
    near = alike or _are_neighbours(scale, group)
    if not group.bucket:
        fits = 2 * common > n_levels or (near and common >= 2 and not added)
        fits = fits and (common >= _MIN_LEVELS or near)
    else:
        fits = common >= _MIN_LEVELS and len(missed) + len(added) <= _MOST_MISSED
    if not fits or (missed and added and not (alike and len(missed) == len(added) == 1)):
        return None
    if len(group.levels) < _MIN_LEVELS and (added or not alike or _are_names(group)):
        return None
    lacks = _expected(scale, group, missed, is_open=len(group.columns) == 1 and len(missed) == 1)
    is_stray = bool(len(group.columns) == 1 and len(added) == 1 and not group.bucket)
    brings = _expected(group, scale, added, is_open=is_stray)
    if max(lacks, brings) > MOST_EXPECTED:
        return None
    return common / n_levels, float(near)


def _expected(held: _Group, lacking: _Group, levels: Any, *, is_open: bool) -> float:
    """Return the rows expected of the levels that a group lacks, by their rarest proportion."""
    if is_open or not levels:
        return 0.0
    return max(held.levels[key] for key in levels) * lacking.n_rows


def _are_neighbours(scale: _Group, group: _Group) -> bool:
    places = {column.position for column in scale.columns}
    return any({c.position - 1, c.position + 1} & places for c in group.columns)


def _are_names(group: _Group) -> bool:
    """Check for two levels that are all answers to a question, such as yes and no."""
    return any(column.labels.rule == NOMINAL for column in group.columns)


def _is_shared(scale: _Group) -> bool:
    full = [column for column in scale.columns if len(column.known_levels) >= _MIN_LEVELS]
    return len(full) >= (_MIN_WORDLESS if scale.bucket else _MIN_COLUMNS)


def _shared(scale: _Group) -> SharedScale:
    by_place = sorted(scale.columns, key=lambda column: column.position)
    shared = SharedScale(tuple(by_place))
    for column in by_place:
        column.shared = shared
    return shared
