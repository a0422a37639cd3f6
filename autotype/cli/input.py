"""What the commands read: tables, types, schemas, and what the user knows."""

from __future__ import annotations

import argparse
import difflib
import json
import tomllib
from collections.abc import Callable, Iterable
from numbers import Real
from pathlib import Path
from typing import Any, TypeVar

import pandas as pd

import autotype
from autotype.cli.failures import DataFailsError, WrongUseError, os_message
from autotype.errors import MissingExtraError
from autotype.files.table_file import (
    ReadOptions,
    UnknownFormatError,
    UnreadableTableError,
    read_table,
)

T = TypeVar("T")


def read_frame(
    options: argparse.Namespace, *, texts: Iterable[str] = (), numbers: Iterable[str] = ()
) -> pd.DataFrame:
    """Read the table that the command names.

    Parameters
    ----------
    options : Namespace
        Of `add_reading`.
    texts, numbers : iterable of str
        Columns that held texts or numbers before; CSV itself does not tell.
    """
    known = ReadOptions(
        delimiter=options.delimiter,
        encoding=options.encoding,
        missing=tuple(options.missing),
        texts=frozenset(texts),
        numbers=frozenset(numbers),
        sheet=options.sheet,
    )
    try:
        return read_table(options.file, known)
    except UnreadableTableError as problem:
        raise DataFailsError(problem) from problem
    except (UnknownFormatError, MissingExtraError) as problem:
        raise WrongUseError(problem) from problem
    except (FileNotFoundError, IsADirectoryError, NotADirectoryError, PermissionError) as problem:
        raise WrongUseError(os_message(problem)) from problem
    except OSError as problem:
        raise DataFailsError(os_message(problem)) from problem


def text_columns(types: autotype.TypeReport) -> list[str]:
    """Name the columns that held texts: digits alone must not make them numbers now."""
    return [
        str(column.name)
        for column in types.columns
        if column.semantic_type == "text" or _all_levels(column, str)
    ]


def number_columns(types: autotype.TypeReport) -> list[str]:
    """Name the columns whose levels were numbers: one text must not make texts of them all."""
    return [str(column.name) for column in types.columns if _all_levels(column, Real)]


def _all_levels(column: autotype.ColumnType, kind: type) -> bool:
    return bool(column.levels) and all(isinstance(level, kind) for level in column.levels)


def infer_from(frame: pd.DataFrame, options: argparse.Namespace) -> autotype.TypeReport:
    """Type the columns as the command's options say."""
    columns = _columns(options.columns, frame.columns) if options.columns else None
    known = _read_known(options.known, frame.columns) if options.known else None
    sample = {} if options.sample is None else {"max_rows": options.sample}
    try:
        return autotype.infer_types(
            frame,
            columns,
            known=known,
            max_levels=options.max_levels,
            n_jobs=options.jobs,
            random_state=options.seed,
            progress=False if options.quiet else None,
            **sample,
        )
    except ValueError as problem:
        if known is None or "known[" not in str(problem):
            raise
        raise WrongUseError(f"--known {options.known}: {problem}") from problem


def read_types(path: str) -> autotype.TypeReport:
    """Read the JSON of `autotype infer --json`."""
    return read_beside("--types", path, autotype.TypeReport.from_json)


def read_beside(option: str, path: str, read: Callable[[Path], T]) -> T:
    """Read a file that an option names; what is wrong with it is wrong use."""
    try:
        return read(Path(path))
    except OSError as problem:
        raise WrongUseError(f"{option} {os_message(problem)}") from problem
    except MissingExtraError as problem:
        raise WrongUseError(problem) from problem
    except ValueError as problem:  # not UTF-8, not JSON, not YAML, or not what was expected
        said = str(problem).removeprefix(f"{path}: ").removeprefix(f"{path} ")
        raise WrongUseError(f"{option} {path}: {said}") from problem


def _read_known(path: str, names: Iterable[object]) -> dict[Any, Any]:
    """Read what the user knows, by the columns' own names."""
    told = read_beside("--known", path, _parse_known)
    if not isinstance(told, dict):
        raise WrongUseError(f"--known {path}: expected column names with a type or levels each")
    for name, statement in told.items():
        if not isinstance(statement, (str, list)):
            raise WrongUseError(
                f"--known {path}: {name!r} has {statement!r}, expected a type or a list of levels"
            )
    columns = _columns(list(told), names, option=f"--known {path}")
    return dict(zip(columns, told.values(), strict=True))


def _parse_known(path: Path) -> Any:
    text = path.read_text(encoding="utf-8")
    if path.suffix.lower() == ".toml":
        return tomllib.loads(text)
    try:
        return json.loads(text)
    except json.JSONDecodeError as problem:
        raise ValueError(f"is not JSON ({problem}); TOML needs the name .toml") from problem


def _columns(asked: list[str], names: Iterable[object], option: str = "--columns") -> list[object]:
    """Give the names of columns as the frame has them."""
    by_text = {str(name): name for name in names}
    for name in asked:
        if name not in by_text:
            close = difflib.get_close_matches(name, by_text, n=1)
            hint = f"; did you mean {close[0]!r}?" if close else ""
            raise WrongUseError(
                f"{option}: the file holds no column {name!r} among its {len(by_text)}{hint}"
            )
    return [by_text[name] for name in asked]
