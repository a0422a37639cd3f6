"""Read and write files of decisions: column name -> statement, as TOML or JSON.

The file is what persons edit, review and keep beside their code, so it has to be short, with a line
per column. Levels are not always strings: TOML holds numbers, booleans and dates as they are, and
every other level is written as the JSON that `encode` makes of it, so that it is read back exactly.
"""

from __future__ import annotations

import datetime
import json
import math
import os
import re
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, MutableMapping
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any

from autotype.errors import (
    KnownTypesError,
    UnknownColumnError,
    UnknownFormatError,
    UnreadableTypesError,
    UnwritableTypesError,
)
from autotype.types.atomic_file import as_json, write_text
from autotype.types.codec.json_values import (
    as_unicode,
    decode_hashable,
    encode,
    finite_number,
    is_unicode,
    plain_json,
    read_json,
)
from autotype.types.decisions.decision import KEYS, Statement
from autotype.types.nan_equality import nan_key
from autotype.wording import did_you_mean, format_value, shorten

_TOML, _JSON = ".toml", ".json"
_HEADER = "# Types of columns, lowest level first; for infer_types(known=...) and infer --known.\n"
_MAX_SHOWN = 200
_DATES = (datetime.date, datetime.datetime, datetime.time)  # with a literal in TOML
_ENCODED = {"type", "value"}  # the keys of a level that JSON does not have, see `encode`
_AS_JSON = "json"  # the key of a level that TOML does not have
_PART = r"""(?:[\w-]+|"[^"\n]*"|'[^'\n]*')"""
_LONG_KEY = re.compile(rf"(?:^|[\[{{,])[ \t]*(?:{_PART}[ \t]*\.[ \t]*){{100}}", re.M)


class KnownFile(dict[Any, Statement]):
    """Statements of a file, by the strings of the columns' names, or by the names.

    Attributes
    ----------
    path : str
        The file, for messages.
    """

    def __init__(self, path: str, statements: Mapping[Any, Statement]) -> None:
        super().__init__(statements)
        self.path = path


@contextmanager
def naming_file(statements: Mapping[Hashable, Any]) -> Iterator[None]:
    """Add the file of statements, if they are of one, to what is wrong with one of them."""
    try:
        yield
    except KnownTypesError as problem:
        if not isinstance(statements, KnownFile):
            raise
        raise type(problem)(f"{statements.path}: {problem}") from None


def write_known(
    path: str | os.PathLike[str],
    statements: Mapping[Hashable, Statement],
    names: Iterable[Hashable] = (),
) -> None:
    """Write statements on columns to a TOML file, or to a JSON file if the name ends in ``.json``.

    Parameters
    ----------
    path : path
        Its name ends in ``.toml`` or ``.json``.
    statements : mapping
        Column name -> a form that `read_statement` reads. Names are written as strings.
    names : iterable of hashable
        Those of all columns.

    Raises
    ------
    UnknownFormatError
        For any other ending.
    UnwritableTypesError
        If two names have the same text, or a level is None or of a class that cannot be read back.
    OSError
        If the file cannot be written.
    """
    by_text = _by_text(statements, names)
    if check_known_name(path) == _TOML:
        write_toml(path, known_as_toml(by_text))
        return
    plain = {name: _with_levels(part, encode) for name, part in by_text.items()}
    as_json(plain, path)


def write_toml(path: str | os.PathLike[str], text: str) -> None:
    """Write a TOML file; comments of the one that it replaces stay.

    Raises
    ------
    OSError
        If the file cannot be written.

    Notes
    -----
    They are lost where the tables of one section stand apart, and one of them is removed.
    """
    import tomllib

    import tomlkit

    with suppress(Exception):  # nothing to keep, or tables in an order that tomlkit fails on
        before = tomlkit.parse(Path(path).read_text(encoding="utf-8"))
        _update(before, tomlkit.parse(text))
        if tomllib.loads(tomlkit.dumps(before)) == tomllib.loads(text):
            text = tomlkit.dumps(before)
    write_text(path, text)


def _update(table: MutableMapping[str, Any], new: Mapping[str, Any]) -> None:
    """Change what differs in a table of TOML."""
    from tomlkit.items import Table

    for key in [key for key in table if key not in new]:
        del table[key]
    for key, value in new.items():
        if isinstance(value, Mapping) and isinstance(table.get(key), Mapping):
            _update(table[key], value)
        elif key in table and table[key] != value:
            table[key] = value
        elif key not in table:
            body = table.value.body if isinstance(table, Table) else []
            end = next((k for k in range(len(body), 0, -1) if body[k - 1][0]), 0)
            of_next, body[end:] = body[end:], []  # a comment at the end is about the next table
            table[key] = value
            body.extend(of_next)


def check_known_name(path: str | os.PathLike[str]) -> str:
    """Return the ending of the name of a file of decisions, in lower case.

    Raises
    ------
    UnknownFormatError
        If it is neither ``.toml`` nor ``.json``.

    Examples
    --------
    >>> check_known_name("known.TOML")
    '.toml'
    """
    suffix = Path(path).suffix.lower()
    if suffix not in (_TOML, _JSON):
        raise UnknownFormatError(f"{path}: the name must end in {_TOML} or {_JSON}")
    return suffix


def known_as_toml(statements: Mapping[Any, Statement]) -> str:
    r"""Return statements on columns as TOML, a line each.

    Examples
    --------
    >>> print(known_as_toml({"plan": ["free", "paid"], "a b": {"type": "text", "note": '"x"'}}))
    # Types of columns, lowest level first; for infer_types(known=...) and infer --known.
    plan = ["free", "paid"]
    "a b" = {type = "text", note = "\"x\""}
    <BLANKLINE>
    """
    return _HEADER + as_toml({name: inline(part) for name, part in _by_text(statements).items()})


def as_toml(tables: Mapping[str, Any]) -> str:
    """Return tables as TOML."""
    import tomlkit

    return tomlkit.dumps(tables)


def statement_as_json(statement: Statement) -> str:
    """Return a statement as the JSON text that a file of decisions holds for its column.

    Raises
    ------
    UnwritableTypesError
        If a level is of a class that cannot be read back.

    Examples
    --------
    >>> statement_as_json(["S", 2])
    '["S", 2]'
    """
    return plain_json(_with_levels(statement, encode))


def _by_text(statements: Mapping[Any, Any], names: Iterable[Any] = ()) -> dict[str, Statement]:
    by_text: dict[str, Statement] = {}
    n_names = Counter({nan_key(name): as_unicode(name) for name in (*statements, *names)}.values())
    for name, statement in statements.items():
        if n_names[text := as_unicode(name)] > 1:
            raise UnwritableTypesError(
                f"two columns have the name {text!r} as text; rename one of them"
            )
        by_text[text] = checked = _with_levels(statement, partial(_not_none, column=text))
        if isinstance(checked, dict) and "note" in checked:
            checked["note"] = as_unicode(checked["note"])
    return by_text


def _not_none(level: Any, *, column: str) -> Any:
    if level is None:
        raise UnwritableTypesError(
            f"column {column!r}: the level None, a missing value, cannot be written and read back"
        )
    return level


def _with_levels(statement: Statement, convert: Callable[[Any], Any]) -> Any:
    """Return a statement with each of its levels converted."""
    if isinstance(statement, str):
        return statement
    if not isinstance(statement, Mapping):
        return [convert(level) for level in statement]

    def converted(part: Any) -> Any:
        return list(map(convert, part)) if isinstance(part, (list, tuple)) else part

    return {
        key: list(map(converted, part)) if key == "partial_order" else converted(part)
        for key, part in statement.items()
    }


def inline(part: Any) -> Any:
    """Return a statement, levels or a level as TOML holds them in one line."""
    if isinstance(part, Mapping):
        import tomlkit

        table = tomlkit.inline_table()
        table.update({key: inline(held) for key, held in part.items()})
        return table
    return list(map(inline, part)) if isinstance(part, list) else _toml_level(part)


def _toml_level(level: Any) -> Any:
    """Return a level as TOML has it, else by way of JSON."""
    if isinstance(level, str) and is_unicode(level):
        return str.__str__(level)
    if type(level) in (bool, int) or (type(level) is float and math.isfinite(level)):
        return level
    if type(level) in _DATES and getattr(level, "tzinfo", None) is None:
        return level
    plain = encode(level)
    if isinstance(plain, str | int | float):  # a scalar of NumPy
        return _toml_level(plain)
    return inline({_AS_JSON: json.dumps(plain)})


def read_known_file(path: str | os.PathLike[str]) -> dict[str, Statement]:
    """Read statements on columns from a file.

    Parameters
    ----------
    path : path
        TOML if its name ends in ``.toml``, else JSON: from `write_known`, from a report page, or
        written by hand.

    Returns
    -------
    dict
        Column name, as text -> a form that `read_statement` reads.

    Raises
    ------
    OSError
        If the file cannot be read.
    UnreadableTypesError
        If it is no such file.
    """
    path = Path(path)
    return _as_statements(parse_tables(path), path)


def read_known_text(text: str, path: Path) -> dict[str, Statement]:
    """Return the statements of the text of a file, see `read_known_file`."""
    return _as_statements(parse_tables(path, text), path)


def parse_tables(path: Path, text: str | None = None) -> Any:
    """Parse a file, or the text of one: TOML if its name ends in ``.toml``, else JSON.

    Raises
    ------
    OSError
        If the file cannot be read.
    UnreadableTypesError
        If it is neither.
    """
    import tomllib  # here: an inference without decisions reads none

    try:
        text = path.read_text(encoding="utf-8-sig") if text is None else text
        if path.suffix.lower() == _TOML and _LONG_KEY.search(text):  # tomllib squares its length
            raise UnreadableTypesError("nested deeper than the 100 keys that are read")
        if path.suffix.lower() != _TOML:
            return read_json(text)
        number = partial(finite_number, text)
        return tomllib.loads(text, parse_float=lambda x: float(x) if "n" in x else number(x))  # inf
    except RecursionError as problem:
        raise UnreadableTypesError(f"{path}: is nested too deeply") from problem
    except UnreadableTypesError as problem:
        hint = "" if path.suffix.lower() == _TOML else "; TOML needs the name .toml"
        raise UnreadableTypesError(f"{path}: is {problem}{hint}") from problem
    except ValueError as problem:  # not TOML, not UTF-8
        kind = "is not TOML: " if isinstance(problem, tomllib.TOMLDecodeError) else ""
        remedy = "; save it as UTF-8" if isinstance(problem, UnicodeDecodeError) else ""
        raise UnreadableTypesError(f"{path}: {kind}{problem}{remedy}") from problem


def _as_statements(plain: Any, path: Path) -> dict[str, Statement]:
    if not isinstance(plain, dict):
        raise UnreadableTypesError(f"{path}: expected column names with a type or levels each")
    if "format_version" in plain and isinstance(plain.get("columns"), list):
        raise UnreadableTypesError(
            f"{path}: is a report, not a file of decisions; TypeReport.to_known and "
            "infer --write-known write one"
        )
    return {name: _read_statement(name, part, path) for name, part in plain.items()}


def _read_statement(name: str, plain: Any, path: Path) -> Statement:
    """Return a statement with its levels decoded."""
    if isinstance(plain, str | list) or (isinstance(plain, dict) and set(plain) <= set(KEYS)):
        with suppress(ValueError):
            return _with_levels(plain, _level)
    raise UnreadableTypesError(
        f"{path}: {name!r} has {format_value(plain, _MAX_SHOWN)}, expected a type or a list of "
        f"levels, or a table of {', '.join(KEYS)}"
    )


def _level(plain: Any) -> Any:
    if isinstance(plain, dict) and set(plain) == {_AS_JSON} and isinstance(plain[_AS_JSON], str):
        plain = read_json(plain[_AS_JSON])
    if isinstance(plain, dict) and set(plain) == _ENCODED:
        return decode_hashable(plain)
    if isinstance(plain, str | int | float | datetime.date | datetime.time):
        return plain
    raise ValueError("neither a level nor an encoded one")


def of_columns(
    statements: Mapping[Any, Statement], names: Iterable[Hashable]
) -> dict[Any, Statement]:
    """Return the statements on columns that are there.

    Examples
    --------
    >>> of_columns({"x": "count", "y": "text"}, ["x", "z"])
    {'x': 'count'}
    """
    held = {as_unicode(name) for name in names}
    return {text: statement for text, statement in statements.items() if text in held}


def by_column(
    statements: Mapping[Any, Statement], names: Iterable[Hashable], *, where: str
) -> KnownFile:
    """Return statements of a file by the names that a frame or report has for its columns.

    Parameters
    ----------
    statements : mapping
        By the strings of names.
    names : iterable of hashable
        Of the columns.
    where : str
        The file, for the message.

    Raises
    ------
    UnknownColumnError
        If there is no such column, or several.
    """
    by_text: dict[str, dict[Hashable, Hashable]] = {}  # text -> the names of it, by their keys
    by_words: dict[str, list[str]] = {}  # a cell of a page may lose blanks
    for name in names:
        if (text := as_unicode(name)) not in by_text:
            by_words.setdefault(_words(text), []).append(text)
        by_text.setdefault(text, {})[nan_key(name)] = name
    found = KnownFile(where, {})
    for text, statement in ((as_unicode(name), part) for name, part in statements.items()):
        alike = [text] if text in by_text else by_words.get(_words(text), [])
        shown = f"column {format_value(text)} among the {len(by_text)}"
        held = by_text[alike[0]] if len(alike) == 1 else {}
        name = next(iter(held.values()), None)
        if len(held) != 1 or name in found:
            fault = f"there is no {shown}{did_you_mean(shorten(text), by_text)}"
            if len(held) > 1:
                fault = f"there is more than one {shown}; rename one, or state types in a mapping"
            elif held:
                fault = f"states the {shown} twice; keep one of the two"
            raise UnknownColumnError(f"{where}: {fault}")
        found[name] = statement
    return found


def _words(text: str) -> str:
    return " ".join(text.split())
