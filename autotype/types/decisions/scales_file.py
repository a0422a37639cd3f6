"""Read and write a user's own scales: what a company calls its levels, for all of its tables.

A file of decisions is about the columns of one table. This one is about levels, whichever column
holds them, so that a scale is stated once.
"""

from __future__ import annotations

import math
import os
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from functools import cached_property
from glob import escape
from pathlib import Path
from typing import Any, NoReturn

from autotype.errors import UnreadableTypesError
from autotype.types.atomic_file import as_json
from autotype.types.codebook import spelling_key
from autotype.types.codec.json_values import as_unicode, is_unicode
from autotype.types.column_type import ColumnType
from autotype.types.decisions import known_file
from autotype.types.decisions.decision import STATED
from autotype.wording import did_you_mean, format_value

_TABLES = ("scales", "sets", "columns")
_OF_SCALE = ("levels", "synonyms", "off_scale", "columns")
_OF_SET = ("levels", "columns")
_OF_COLUMNS = ("ids", "missing")
_HEADER = "# Scales of infer_types(scales=...) and infer --scales, lowest level first.\n"
_MAX_SHOWN = 200


@dataclass(frozen=True)
class UserScale:
    """A scale, or a set of names without an order, in the words of a user.

    Attributes
    ----------
    name : str
    levels : tuple
        Lowest first, if there is an order.
    synonyms : tuple of (level, tuple)
        Other spellings of levels.
    off_scale : tuple
        Levels that have no place on the scale.
    columns : tuple of str
        Patterns of the names of its columns; empty if any column may hold it.
    is_ordered : bool
        Whether it is a scale.
    """

    name: str
    levels: tuple[Any, ...]
    synonyms: tuple[tuple[Any, tuple[Any, ...]], ...] = ()
    off_scale: tuple[Any, ...] = ()
    columns: tuple[str, ...] = ()
    is_ordered: bool = True

    @cached_property
    def ranks(self) -> dict[Any, int]:
        """Key of each spelling of a level -> its place in `levels`."""
        others = dict(self.synonyms)
        return {
            spelling_key(spelling): rank
            for rank, level in enumerate(self.levels)
            for spelling in (level, *others.get(level, ()))
        }


@dataclass(frozen=True)
class UserScales:
    """The content of a file of scales.

    Attributes
    ----------
    where : str
        The file, for sentences.
    scales : tuple of UserScale
    ids : tuple of str
        Patterns of the names of columns that are identifiers.
    missing : tuple
        What means a missing value.
    """

    where: str
    scales: tuple[UserScale, ...] = ()
    ids: tuple[str, ...] = ()
    missing: tuple[Any, ...] = ()


def is_named(name: Hashable, patterns: Iterable[str]) -> bool:
    """Check whether a column's name matches one of some patterns, in any case of letters.

    Examples
    --------
    >>> is_named("Sev_2024", ["severity", "sev_*"]), is_named("several", ["sev_*"])
    (True, False)
    """
    text = str(name).casefold()
    return any(fnmatchcase(text, pattern.casefold()) for pattern in patterns)


def read_scales(source: Mapping[str, Any] | str | os.PathLike[str]) -> UserScales:
    """Read a user's scales.

    Parameters
    ----------
    source : path or mapping
        A TOML file, or a JSON file if its name ends in ``.json``; or the tables of one.

    Raises
    ------
    TypeError
        If it is neither.
    OSError
        If the file cannot be read.
    UnreadableTypesError
        If it is no such file: an unknown key, a value of another kind, or a level named twice.

    Examples
    --------
    >>> read_scales({"scales": {"size": {"levels": ["S", "M", "L"]}}}).scales[0].levels
    ('S', 'M', 'L')
    """
    if isinstance(source, Mapping):
        tables, where = source, "scales"
    elif isinstance(source, str | os.PathLike):
        tables, where = known_file.parse_tables(Path(source)), os.fspath(source)
    else:
        got = f"{source!r} ({type(source).__name__})"
        raise TypeError(f"scales must be a mapping or the path of a file, got {got}")
    _check_keys(f"{where}: ", _table(f"{where}: ", tables), _TABLES)
    parts = {name: _table(f"{where}: [{name}] ", tables.get(name, {})) for name in _TABLES}
    scales = [_scale(where, name, part) for name, part in parts["scales"].items()]
    for name, part in parts["sets"].items():
        table = part if isinstance(part, Mapping) else {"levels": part}
        scales.append(_scale(where, name, table, is_ordered=False))
    of_columns = f"{where}: [columns] "
    _check_keys(of_columns, parts["columns"], _OF_COLUMNS)
    ids, missing = (_listed(of_columns, parts["columns"], key) for key in _OF_COLUMNS)
    return UserScales(where, tuple(scales), tuple(map(str, ids)), tuple(missing))


def _scale(file: str, name: str, table: Any, *, is_ordered: bool = True) -> UserScale:
    """Read the table of one scale, or of one set."""
    section = f"scales.{name}" if is_ordered else f"sets.{name}"
    where = f"{file}: [{section}] "
    _check_keys(where, _table(where, table), _OF_SCALE if is_ordered else _OF_SET)
    synonyms = _table(f"{file}: [{section}.synonyms] ", table.get("synonyms", {}))
    levels = _listed(where, table, "levels")
    found = UserScale(
        name,
        tuple(levels),
        tuple((_own(level, levels), tuple(_listed(where, synonyms, level))) for level in synonyms),
        tuple(_listed(where, table, "off_scale")),
        tuple(map(str, _listed(where, table, "columns"))),
        is_ordered,
    )
    if len(levels) < 2:
        _refuse(where, f"has {format_value(levels, _MAX_SHOWN)} as levels, expected two or more")
    for level, _ in found.synonyms:
        if level not in levels:
            hint = did_you_mean(level, levels)
            _refuse(where, f"has synonyms of {level!r}, which is none of its levels{hint}")
    taken: dict[Any, Any] = {}
    every = [*levels, *(s for _, some in found.synonyms for s in some), *found.off_scale]
    for spelling in every:
        key = spelling_key(spelling)
        if key in taken:
            _refuse(where, f"names {spelling!r} twice; a level has one place")
        taken[key] = spelling
    return found


def _own(key: str, levels: Sequence[Any]) -> Any:
    """Return the level that a key of a TOML table, which is a string, stands for."""
    return next((v for v in levels if not isinstance(v, str) and str(v) == key), key)


def _refuse(where: str, problem: str) -> NoReturn:
    raise UnreadableTypesError(f"{where}{problem}")


def _check_keys(where: str, table: Mapping[str, Any], known: Sequence[str]) -> None:
    for key in table:
        if key not in known:
            hint = did_you_mean(key, known)
            _refuse(where, f"has the key {key!r}, not one of {', '.join(known)}{hint}")


def _table(where: str, value: Any) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        _refuse(where, f"is {format_value(value, _MAX_SHOWN)}, expected a table")
    return value


def _listed(where: str, table: Mapping[str, Any], key: str) -> list[Any]:
    value = table.get(key, [])
    if not isinstance(value, list | tuple) or not all(map(_is_spelling, value)):
        shown = format_value(value, _MAX_SHOWN)
        _refuse(where, f"has {shown} as {key}, expected a list of strings and numbers")
    return list(value)


def _is_spelling(level: Any) -> bool:
    """Check for a level that a scale may have: a string, or a number that is finite."""
    if isinstance(level, str):
        return is_unicode(level)
    return isinstance(level, int | float) and abs(level) < math.inf


def write_scales(path: str | os.PathLike[str], tables: Mapping[str, Any]) -> None:
    """Write the tables of `corrected_scales` to a TOML file, or to a JSON file by its name.

    Comments of a TOML file that is there stay.

    Raises
    ------
    UnknownFormatError
        If the name ends in neither ``.toml`` nor ``.json``.
    OSError
        If the file cannot be written.
    """
    if known_file.check_known_name(path) == ".json":
        as_json(tables, path)
        return
    sections = {
        section: {
            key: dict(zip(part, map(known_file.inline, part.values()), strict=True))
            if isinstance(part, Mapping)
            else known_file.inline(part)
            for key, part in table.items()
        }
        for section, table in tables.items()
    }
    known_file.write_toml(path, f"{_HEADER}\n{known_file.as_toml(sections)}")


def corrected_scales(columns: Iterable[ColumnType], before: UserScales) -> dict[str, Any]:
    """Return what persons stated of columns, as the tables of a file of scales.

    Parameters
    ----------
    columns : iterable of ColumnType
    before : UserScales
        What stays, unless a correction has the same levels.

    Returns
    -------
    dict
        Orders and sets of equal levels stand once, by the name of their first column. They hold
        for all columns, unless their levels are numbers, or are stated in another way, too.

    Examples
    --------
    >>> size = ColumnType("size", "ordinal", order=("S", "M"), levels={"S": 4, "M": 5})
    >>> stated = [replace(size, provenance="revised"), replace(size, name="box")]
    >>> corrected_scales(stated, UserScales(""))
    {'scales': {'size': {'levels': ['S', 'M']}}}
    """
    ids, found = list(before.ids), dict[Any, UserScale]()
    for column in columns:
        if column.provenance not in STATED:
            continue
        name = as_unicode(column.name)
        is_ordered, off_scale = column.semantic_type == "ordinal", column.off_scale
        levels = column.order or tuple(v for v in column.levels if v not in set(off_scale))
        if column.semantic_type == "identifier":
            ids.append(escape(name))
        elif column.semantic_type not in ("ordinal", "categorical"):
            continue
        elif len(levels) > 1 and all(map(_is_spelling, (*levels, *off_scale))):
            keys = map(spelling_key, levels)
            key = tuple(keys) if is_ordered else frozenset(keys)
            scale = UserScale(name, levels, (), off_scale, (), is_ordered)
            scale = found.setdefault(key, scale)
            found[key] = replace(scale, columns=(*scale.columns, name))
    sets = [frozenset(key) for key in found]
    scales = list(before.scales)
    for key, scale in found.items():
        alike = (k for k, held in enumerate(scales) if _replaces(scale, held))
        if (place := next(alike, None)) is not None:
            held = scales[place]
            aside = tuple(dict.fromkeys((*held.off_scale, *scale.off_scale)))
            held = replace(held, off_scale=aside, levels=scale.levels)
            scales[place] = replace(held, is_ordered=scale.is_ordered)
            continue
        is_bound = sets.count(frozenset(key)) > 1 or all(isinstance(k, float) for k in key)
        scales.append(replace(scale, columns=tuple(map(escape, scale.columns)) if is_bound else ()))
    tables: dict[str, dict[str, Any]] = {name: {} for name in _TABLES}
    for scale in scales:
        own, name = tables["scales" if scale.is_ordered else "sets"], scale.name
        while name in own:
            name = f"{name}_2"
        own[name] = _as_table(scale)
    of_columns = {"ids": list(dict.fromkeys(ids)), "missing": list(before.missing)}
    tables["columns"] = {key: part for key, part in of_columns.items() if part}
    return {name: table for name, table in tables.items() if table}


def _replaces(scale: UserScale, held: UserScale) -> bool:
    """Check whether a correction is one of a scale that is held: of its levels and columns."""
    own, other = (set(map(spelling_key, s.levels)) for s in (scale, held))
    return own == other and all(is_named(name, held.columns or ["*"]) for name in scale.columns)


def _as_table(scale: UserScale) -> Any:
    """Return the table of a scale; a list of a set for all columns."""
    every = {
        "levels": list(scale.levels),
        "synonyms": {str(level): list(others) for level, others in scale.synonyms},
        "off_scale": list(scale.off_scale),
        "columns": list(scale.columns),
    }
    known = _OF_SCALE if scale.is_ordered else _OF_SET
    table = {key: part for key, part in every.items() if part and key in known}
    return table if scale.is_ordered or "columns" in table else table["levels"]
