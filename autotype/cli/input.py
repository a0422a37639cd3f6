"""Read the inputs of the commands: tables, types, schemas and known types."""

from __future__ import annotations

import argparse
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from numbers import Real
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import pandas as pd

from _autotype_command.arguments import ALL_SHEETS, NO_CACHE
from autotype.cli.failures import DataFailsError, WrongUseError, os_errors_as_wrong_use, os_message
from autotype.errors import KnownTypesError, UnknownColumnError, WeightsError
from autotype.tables.codebooks.beside import with_codebook_beside
from autotype.tables.engines import engine_errors
from autotype.tables.table import MAX_COLUMNS, Table, names_of
from autotype.tables.table_file import LARGE, ReadOptions, open_file, read_file
from autotype.type_report import TypeReport, infer_types
from autotype.types.codebook import Codebook
from autotype.types.column_type import ColumnType
from autotype.types.decisions.known_file import by_column, of_columns, parse_tables
from autotype.types.decisions.scales_file import read_scales
from autotype.wording import did_you_mean, first_line

if TYPE_CHECKING:
    from autotype.judges import OpenAICompatible

T = TypeVar("T")
_PROJECT = "pyproject.toml"
_AS_STATED = (
    *("delimiter", "encoding", "decimal", "header", "footer", "ragged", "sheet", "catalog"),
    "max_size",
)
_PASSED_ON = ("max_levels", "max_rows", "max_seconds", "n_jobs", "random_state")
_FILES_READ = ("known", "codebook", "catalog", "types")


def read_typed(
    path: str,
    options: argparse.Namespace,
    types: TypeReport,
    *,
    texts: Iterable[str] = (),
    numbers: Iterable[str] = (),
    output: str | None = None,
) -> Table:
    """Read a file, its columns as they were when they were typed.

    Parameters
    ----------
    path : str
    options : Namespace
        Those of `add_reading`.
    types : TypeReport
        The types of an earlier table: columns of strings are read as strings even if they hold
        digits only, and columns of numbers as numbers despite a stray string.
    texts, numbers : iterable of str
        More columns of strings and of numbers.
    output : str, optional
        The file to write its rows to. CSV gets the cells as they stand in the file; for others a
        warning says which do not.
    """
    strings = [
        column.name
        for column in types.columns
        if column.semantic_type == "text" or _all_levels(column, str)
    ]
    numeric = [column.name for column in types.columns if _all_levels(column, Real)]
    reading = _reading(
        options, texts=map(str, (*strings, *texts)), numbers=map(str, (*numeric, *numbers))
    )
    if output is not None:
        reading = replace(reading, keep_strings=True)
    return _table(path, lambda: read_file(path, reading), options)


def _all_levels(column: ColumnType, kind: type) -> bool:
    return bool(column.levels) and all(isinstance(level, kind) for level in column.levels)


class OpenTable(NamedTuple):
    """A table that is ready for inference.

    Attributes
    ----------
    frame : frame
        Of any library.
    label : str
        Its name for messages.
    table : Table or None
        How the file was read; None of a database.
    """

    frame: Any
    label: str
    table: Table | None = None


def open_input(path: str, options: argparse.Namespace) -> OpenTable:
    """Open a file as a frame, or as a lazy table if it is large.

    Parameters
    ----------
    path : str
        The file; ``"-"`` is standard input.
    options : Namespace
        Those of `add_reading` and `add_inference`.
    """
    reading, large = _reading(options), options.large or LARGE
    table = _table(path, lambda: open_file(path, reading, large=large), options)
    return OpenTable(table.frame, path, table)


def _table(path: str, read: Callable[[], Table], options: argparse.Namespace) -> Table:
    """Read a file, with the codebook beside it unless --codebook names one.

    What is unusual about it is printed in one line, without what the options state.
    """
    with _system_errors():
        table = read()
        if not getattr(options, "codebook", None):
            table = with_codebook_beside(path, table, names_of(table.frame))
    reading = table.reading
    reading = replace(
        reading,
        encoding=None if options.encoding else reading.encoding,
        header=reading.header if options.header is None else (1,),
        title=() if options.header else reading.title,
        footer=() if options.footer else reading.footer,
        delimiter="," if options.delimiter else reading.delimiter,
    )
    if said := reading.unusual():
        warnings.warn(f"{path}: {said}", stacklevel=2)
    return table


def _reading(
    options: argparse.Namespace, *, texts: Iterable[str] = (), numbers: Iterable[str] = ()
) -> ReadOptions:
    if options.sheet == ALL_SHEETS:
        raise WrongUseError("--sheet all is for infer with --folder OUT: one report per sheet")
    return ReadOptions(
        **{name: getattr(options, name) for name in _AS_STATED},
        missing=tuple(options.missing),
        texts=frozenset(texts),
        numbers=frozenset(numbers),
        max_columns=options.max_columns or MAX_COLUMNS,
        n_rows=options.nrows,
    )


@contextmanager
def _system_errors() -> Iterator[None]:
    """Raise errors of the system as `WrongUseError` or `DataFailsError`."""
    try:
        yield
    except (FileNotFoundError, IsADirectoryError, NotADirectoryError, PermissionError) as problem:
        raise WrongUseError(os_message(problem)) from problem
    except OSError as problem:
        raise DataFailsError(os_message(problem)) from problem


def infer_from(
    table: OpenTable, options: argparse.Namespace, *, is_one_of_many: bool = False
) -> TypeReport:
    """Infer the types of the columns with the options of `add_inference`.

    Parameters
    ----------
    table : OpenTable
    options : Namespace
        Those of `add_inference`.
    is_one_of_many : bool
        Whether the known types may be of other tables, too: of columns that this one lacks.
    """
    names = names_of(table.frame)
    columns = _columns(options.columns, names) if options.columns else None
    weights = _columns([options.weights], names, "--weights")[0] if options.weights else None
    known = _known_of(options.known, names, skip_others=is_one_of_many) if options.known else None
    lazy = () if isinstance(table.frame, pd.DataFrame) else engine_errors()
    try:
        report = infer_types(
            table.table or table.frame,
            columns,
            known=known,
            codebook=_codebook_of(options),
            scales=scales_file(options),
            weights=weights,
            label_judge=judge_from(options),
            **{name: getattr(options, name) for name in _PASSED_ON},
            progress=False if options.quiet else None,
        )
    except WeightsError as problem:
        raise WrongUseError(f"--{problem}") from problem
    except KnownTypesError as problem:
        raise WrongUseError(f"--known {options.known}: {problem}") from problem
    except lazy as problem:
        raise DataFailsError(f"{table.label}: {first_line(problem)}") from problem
    return report.without_values() if options.no_values else report


def _codebook_of(options: argparse.Namespace) -> Codebook | None:
    """Return what --codebook states about the columns."""
    if not options.codebook:
        return None
    from autotype.tables.codebooks.read import read_codebook

    with _system_errors():
        return read_codebook(options.codebook)


def files_named(options: argparse.Namespace) -> dict[str, str | None]:
    """Return the files of the command line, of which messages call the first FILE."""
    return {"FILE" if j == 0 else file: file for j, file in enumerate(options.files)}


def files_read(options: argparse.Namespace) -> dict[str, str | None]:
    """Return the file of each option that is read beside the tables, or None."""
    named = {f"--{name}": getattr(options, name, None) for name in _FILES_READ}
    return named | ({"--scales": scales_file(options)} if hasattr(options, "scales") else {})


def scales_file(options: argparse.Namespace) -> str | None:
    """Return the file of --scales, or the one that pyproject.toml of this folder names.

    Raises
    ------
    WrongUseError
        If there is no such file, or it holds no scales.
    """
    path, option = options.scales, "--scales"
    if path is None and Path(_PROJECT).is_file():
        option = f"{_PROJECT}: [tool.autotype] scales"
        tool = read_argument("[tool.autotype] of", _PROJECT, parse_tables).get("tool", {})
        path = tool.get("autotype", {}).get("scales")
        if not isinstance(path, str | None):
            raise WrongUseError(f"{option} is {path!r}, expected the path of a file")
    if path is not None:
        read_argument(option, path, read_scales)
    return path


def judge_from(options: argparse.Namespace) -> OpenAICompatible | None:
    """Return the label judge of the options of `add_inference`, or None without one.

    Raises
    ------
    WrongUseError
        If the options do not go together, or are not valid.
    """
    if options.judge is None:
        for option in ("judge_model", "judge_cache"):
            if getattr(options, option) is not None:
                raise WrongUseError(f"--{option.replace('_', '-')} needs --judge URL")
        return None
    if options.judge_model is None:
        raise WrongUseError("--judge needs --judge-model NAME, the language model to ask there")
    cache = {None: True, NO_CACHE: False}.get(options.judge_cache, options.judge_cache)
    from autotype.judges import OpenAICompatible

    try:
        return OpenAICompatible(options.judge, options.judge_model, cache=cache)
    except (TypeError, ValueError) as problem:
        raise WrongUseError(f"--judge: {problem}") from problem


def read_types(path: str, *, option: str = "--types") -> TypeReport:
    """Read the JSON that `autotype infer --json` writes."""
    return read_argument(option, path, TypeReport.from_json)


def read_argument(option: str, path: str, read: Callable[[Path], T]) -> T:
    """Read the file of an option; any failure is a `WrongUseError`."""
    try:
        with os_errors_as_wrong_use(f"{option} "):
            return read(Path(path))
    except RecursionError as problem:
        raise WrongUseError(f"{option} {path}: is nested too deeply") from problem
    except ValueError as problem:  # not UTF-8, not JSON, not YAML, or not what was expected
        reason = str(problem).removeprefix(f"{path}: ").removeprefix(f"{path} ")
        raise WrongUseError(f"{option} {path}: {reason}") from problem


def read_known(path: str) -> Mapping[str, Any]:
    """Read the types and orders of a --known file, by the strings of the columns' names."""
    from autotype.tables.codebooks.output import read_known as read

    return read_argument("--known", path, read)


def _known_of(path: str, names: Sequence[object], *, skip_others: bool) -> dict[Any, Any]:
    """Read a --known file, by the names of a table's columns."""
    known = read_known(path)
    if skip_others:
        known = of_columns(known, names)
    try:
        return by_column(known, names, where=f"--known {path}")
    except UnknownColumnError as problem:
        raise WrongUseError(problem) from problem


def _columns(
    requested: list[str], names: Iterable[object], option: str = "--columns"
) -> list[object]:
    """Return the frame's own names of the requested columns."""
    by_text = {str(name): name for name in names}
    for name in requested:
        if name not in by_text:
            hint = did_you_mean(name, by_text)
            raise WrongUseError(
                f"{option}: the file holds no column {name!r} among its {len(by_text)}{hint}"
            )
    return [by_text[name] for name in requested]
