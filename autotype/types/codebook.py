"""Codebook: what is written about the columns of a table besides their values."""

from __future__ import annotations

import json
import math
import unicodedata
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property, lru_cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from autotype.lexicon.toml_files import read_toml
from autotype.types.codec.plain_column import check
from autotype.types.column_type import ColumnType
from autotype.types.data_warning import DataWarning
from autotype.wording import format_some

_MOST_KEPT = 64  # characters of a level whose key is kept
_FEWEST_LISTED = 2  # values of a column that may have a list of choices


@cache
def _of_pyreadstat() -> dict[str, Any]:
    """Read what the metadata of pyreadstat hold, as a JSON Schema."""
    return json.loads(Path(__file__).with_name("pyreadstat.schema.json").read_text("utf-8"))


@dataclass(frozen=True)
class CodebookEntry:
    """What is written about one column.

    Attributes
    ----------
    label : str
        A title or question; empty if there is none.
    unit : str
        The unit of its numbers; empty if there is none.
    values : mapping
        Stored value -> its label, in the order of the codebook. A label may stand twice.
    missing : tuple
        Stored values that are declared to mean a missing one.
    missing_ranges : tuple of (low, high)
        Closed ranges of numbers that are declared so; the ends may be infinite.
    measure : str
        ``"nominal"``, ``"ordinal"`` or ``"scale"``; empty if none is stated.
    group : str
        A key that the columns of one question share: a multiple-response set or a grid.

    Examples
    --------
    >>> entry = CodebookEntry(values={1.0: "no", 2.0: "yes"}, missing_ranges=((-99, -1),))
    >>> entry.texts([1, "2", 3]), entry.is_missing(-9)
    ({1: 'no', '2': 'yes'}, True)
    """

    label: str = ""
    unit: str = ""
    values: Mapping[Any, str] = field(default_factory=dict)
    missing: tuple[Any, ...] = ()
    missing_ranges: tuple[tuple[float, float], ...] = ()
    measure: str = ""
    group: str = ""

    def over(self, other: CodebookEntry) -> CodebookEntry:
        """Return both entries as one; what this one states wins."""
        return CodebookEntry(**{key: v or getattr(other, key) for key, v in vars(self).items()})

    def texts(self, levels: Iterable[Any]) -> dict[Any, str]:
        """Return level -> its label, of the levels that have one, in the order of the codes.

        1, 1.0 and "1" are one value. Where no level is a stored value, but some are labels, as in
        an export of labels in place of codes, a label is its own.
        """
        by_key = {value_key(value): text for value, text in self.values.items()}
        if all(isinstance(key, float) for key in by_key):
            by_key = dict(sorted(by_key.items()))
        held = list(levels)
        found = {value_key(level): level for level in held}
        if by_key.keys().isdisjoint(found):
            by_key = {text.strip(): text for text in by_key.values()}
            found = {level.strip(): level for level in held if isinstance(level, str)}
        return {found[key]: text for key, text in by_key.items() if key in found}

    def labels(self, levels: Iterable[Any]) -> dict[Any, str]:
        """Return all value labels: of levels that occur by these, then the others."""
        held = self.texts(levels)
        keys = set(map(value_key, held))
        return held | {v: text for v, text in self.values.items() if value_key(v) not in keys}

    def is_missing(self, value: Any) -> bool:
        """Check whether a stored value is declared to mean a missing one."""
        key = value_key(value)
        if any(value_key(other) == key for other in self.missing):
            return True
        number = key if isinstance(key, float) else math.nan
        return any(low <= number <= high for low, high in self.missing_ranges)


def entry_of_type(column: ColumnType) -> CodebookEntry:
    """Return what a type holds of a codebook; values without a place are declared missing."""
    ranges = CodebookEntry(missing_ranges=column.missing_ranges)
    codes = (*column.off_scale, *column.missing_markers)
    missing = tuple(v for v in codes if not ranges.is_missing(v))
    return replace(ranges, label=column.title, values=column.labels, missing=missing)


def tags_of(values: Iterable[Any]) -> tuple[str, ...]:
    """Return the tagged missing values of Stata and SAS among some, such as ".a"."""
    return tuple(v for v in values if isinstance(v, str) and v.startswith("."))


def measure_of(text: Any) -> str:
    """Return the measure of SPSS that a word means, such as "Likert (5 points)"; empty if none.

    Examples
    --------
    >>> measure_of("Likert (5 points)"), measure_of("unknown"), measure_of(None)
    ('ordinal', '', '')
    """
    words = text.casefold().split() if isinstance(text, str) else []
    return read_toml("files")["measures"].get(words[0], "") if words else ""


def measure_of_type(semantic_type: str, default: str = "") -> str:
    """Return the measure that SPSS has for a semantic type, the default where it has none."""
    return read_toml("files")["measure_of_type"].get(semantic_type, default)


def value_key(value: Any) -> Any:
    """Return what two spellings of one stored value share: 1, 1.0, "1" and "01" are the number 1.

    Examples
    --------
    >>> value_key(1), value_key(" 01 "), value_key("a "), value_key(None)
    (1.0, 1.0, 'a', None)
    """
    if isinstance(value, bool):
        return value
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        return value.strip() if isinstance(value, str) else value
    return value.strip() if math.isnan(number) and isinstance(value, str) else number


def spelling_key(value: Any) -> Any:
    """Return what the spellings of one level share: also case, width and blanks.

    Single letters may be codes: "m" and "M" are two.

    Examples
    --------
    >>> [spelling_key(value) for value in ("Very  often", "1.0", "m", None)]
    ['very often', 1.0, 'm', None]
    """
    if not isinstance(value, str):
        return value_key(value)
    return _key_of_text(value) if len(value) <= _MOST_KEPT else _key_of_text.__wrapped__(value)


@lru_cache(maxsize=4096)  # the columns of a survey share their levels
def _key_of_text(text: str) -> Any:
    key = value_key(unicodedata.normalize("NFKC", text))
    plain = " ".join(key.split()) if isinstance(key, str) else key
    return plain.casefold() if isinstance(plain, str) and len(plain) > 1 else plain


@dataclass(frozen=True)
class Codebook:
    """What is written about the columns of a table besides their values.

    Attributes
    ----------
    columns : mapping
        Column name -> `CodebookEntry`; columns of which nothing is known may be absent.
    doubts : tuple of str
        Sentences about what could not be used, each with its line where there is one.
    lists : mapping
        Name of a list of choices -> stored value -> its label, of lists that the codebook assigns
        to no column. A column has the list that alone holds all of its values.

    Examples
    --------
    >>> mood = CodebookEntry(values={1: "bad", 2: "good"})
    >>> book = Codebook({"mood": mood, "age": CodebookEntry()})
    >>> book.misfits({"mood": [1, 2, 9]})
    ("the codebook describes columns that the table does not hold: 'age'",
     "column 'mood': values without an entry in the codebook: 9")
    """

    columns: Mapping[Any, CodebookEntry] = field(default_factory=dict)
    doubts: tuple[str, ...] = ()
    lists: Mapping[str, Mapping[Any, str]] = field(default_factory=dict)

    def entry_of(self, name: Hashable, levels: Sequence[Any] = ()) -> CodebookEntry | None:
        """Return the entry of a column.

        Parameters
        ----------
        name : hashable
            Its name; else an entry whose name differs only in case and blanks is taken.
        levels : sequence
            Its distinct values, by which it may have one of the `lists`.

        Examples
        --------
        >>> Codebook({"Q1 ": CodebookEntry("Sex")}).entry_of("q1").label
        'Sex'
        """
        if name in self.columns:
            return self.columns[name]
        found = self._by_folded.get(_folded(name))
        if found is not None or not self.lists or len(levels) < _FEWEST_LISTED:
            return found
        keys = set(map(value_key, levels))
        fitting = [v for v in self.lists.values() if keys <= set(map(value_key, v))]
        return CodebookEntry(values=fitting[0]) if len(fitting) == 1 else None

    @cached_property
    def _by_folded(self) -> dict[str, CodebookEntry]:
        counts = Counter(map(_folded, self.columns))
        found = {_folded(name): entry for name, entry in self.columns.items()}
        return {key: entry for key, entry in found.items() if counts[key] == 1}

    def misfits(self, levels: Mapping[Hashable, Sequence[Any]]) -> tuple[str, ...]:
        """Return a sentence on each thing in which codebook and table disagree.

        Parameters
        ----------
        levels : mapping
            Column name -> its distinct values, of all columns of the table; empty where they are
            too many to be listed.

        Returns
        -------
        tuple of str
            Columns that the table does not hold, and values without an entry in a column of which
            most values have one.
        """
        held = {_folded(name) for name in levels}
        unknown = [name for name in self.columns if _folded(name) not in held]
        sentences = []
        if unknown:
            said = "the codebook describes columns that the table does not hold"
            sentences.append(f"{said}: {format_some(unknown)}")
        for name, values in levels.items():
            entry = self.entry_of(name)
            if entry is None or not entry.values:
                continue
            texts = entry.texts(values)
            bare = [v for v in values if v not in texts and not entry.is_missing(v)]
            if bare and len(texts) > len(bare):
                said = f"column {name!r}: values without an entry in the codebook"
                sentences.append(f"{said}: {format_some(bare)}")
        return tuple(sentences)

    def over(self, other: Codebook) -> Codebook:
        """Return both codebooks as one; where both describe a column, this one's parts win."""
        none = CodebookEntry()
        own = {k: entry.over(other.entry_of(k) or none) for k, entry in self.columns.items()}
        lists = {**other.lists, **self.lists}
        return Codebook({**other.columns, **own}, (*self.doubts, *other.doubts), lists)

    @classmethod
    def from_attrs(cls, attrs: Mapping[Hashable, Any]) -> Codebook | None:
        """Return the codebook that `pandas.read_spss` leaves in ``frame.attrs``, if it is there.

        Examples
        --------
        >>> Codebook.from_attrs({}) is None
        True
        """
        held = {key: attrs[key] for key in _of_pyreadstat()["properties"] if key in attrs}
        try:
            check(held, _of_pyreadstat())
        except ValueError:  # pandas reads attrs of any form from Parquet
            return None
        return cls.from_pyreadstat(SimpleNamespace(**held))

    @classmethod
    def from_pyreadstat(cls, meta: Any) -> Codebook:
        """Return the codebook of a file that pyreadstat read.

        Parameters
        ----------
        meta : pyreadstat.metadata_container
            The second value of ``pyreadstat.read_sav`` and its like. With ``user_missing=True``
            it holds the missing values.
        """
        labels, measures = meta.column_names_to_labels, getattr(meta, "variable_measure", {})
        ranges = getattr(meta, "missing_ranges", None) or {}
        tagged = getattr(meta, "missing_user_values", None) or {}
        groups = {
            name: key
            for key, group in (getattr(meta, "mr_sets", None) or {}).items()
            for name in group.get("variable_list", ())
        }
        columns = {}
        for name in meta.column_names:
            single, wide = _split_ranges(ranges.get(name, ()))
            columns[name] = CodebookEntry(
                label=(labels.get(name) or "").strip(),
                values=meta.variable_value_labels.get(name) or {},
                missing=(*single, *(tagged.get(name) or ())),
                missing_ranges=wide,
                measure=measure_of(measures.get(name)),
                group=groups.get(name, ""),
            )
        return cls(columns)


def _folded(name: Hashable) -> str:
    return " ".join(str(name).casefold().split())


def _split_ranges(ranges: Iterable[Any]) -> tuple[tuple[Any, ...], tuple[tuple[float, float], ...]]:
    """Split missing ranges of SPSS into single values and ranges of numbers."""
    single, wide = [], []
    for part in ranges:
        low, high = (part["lo"], part["hi"]) if isinstance(part, Mapping) else (part, part)
        if low == high:
            single.append(low)
        elif isinstance(low, int | float) and isinstance(high, int | float):
            wide.append((float(low), float(high)))
    return tuple(single), tuple(wide)


def codebook_warnings(codebook: Codebook, columns: Sequence[ColumnType]) -> tuple[DataWarning, ...]:
    """Return a warning for each line that was not understood, and each thing that does not fit.

    Parameters
    ----------
    codebook : Codebook
        As the user gave it.
    columns : sequence of ColumnType
        The types of the table's columns.

    Examples
    --------
    >>> (warning,) = codebook_warnings(Codebook(doubts=("line 3: not understood",)), [])
    >>> print(warning)
    the codebook, line 3: not understood; correct the codebook; what fits was used
    """
    levels = {column.name: list(column.levels) for column in columns}
    sentences = [f"the codebook, {doubt}" for doubt in codebook.doubts]
    sentences += codebook.misfits(levels)
    remedy = "correct the codebook; what fits was used"
    return tuple(DataWarning("codebook", sentence, remedy) for sentence in sentences)
