"""The tables that a command line names: files, patterns, folders, and tables of a database."""

from __future__ import annotations

import argparse
import glob
import os
import re
import warnings
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import pandas as pd

from _autotype_command.arguments import ALL_SHEETS
from autotype.cli.failures import (
    DATA_FAILS,
    FINE,
    DataFailsError,
    WrongUseError,
    describe_one_of_many,
    in_one_line,
    os_errors_as_wrong_use,
)
from autotype.cli.input import OpenTable, files_read, infer_from, open_input, read_types
from autotype.cli.output import (
    STANDARD_INPUT,
    Write,
    check_outputs,
    deliver_outputs,
    failure_delivered,
    requested_outputs,
)
from autotype.errors import AutotypeError, MissingExtraError, UnreadableTableError
from autotype.tables.content import format_of_name
from autotype.tables.database import open_database_table, without_secrets
from autotype.tables.table_file import visible_sheets
from autotype.type_report import TypeReport
from autotype.types.codec.json_values import as_unicode
from autotype.wording import format_count

# Of a job, beside its reports.
STATE, SUMMARY = JOB_FILES = ("state.json", "summary.json")
_LONGEST_NAME = 100
_KINDS = {".json": "report", ".yaml": "schema"}  # of what a table is held against
_ALL = "**"  # of a pattern: a folder with all of its subfolders
_DEVICE = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\.|$)", re.IGNORECASE)  # of Windows


@dataclass(frozen=True)
class RequestedTable:
    """A table that the command line names.

    Attributes
    ----------
    label : str
        Its name for messages: the path, or the URL without passwords and the table.
    path : str or None
        A file, or "-" for standard input.
    url : str or None
        A database, with its passwords.
    name : str
        The file's name without its endings, or the table's.
    sheet : str or None
        Of a workbook, one of all.
    """

    label: str
    path: str | None
    url: str | None
    name: str
    sheet: str | None = None

    @property
    def key(self) -> str:
        """Its identifier, the same in each run."""
        if self.path is None:
            return self.label
        path = os.path.abspath(self.path)
        return path if self.sheet is None else f"{path} {self.sheet}"

    @property
    def is_report(self) -> bool:
        """Whether its name is that of types, rather than of a table."""
        return self.path is not None and self.path.lower().endswith(".json")

    def options(self, options: argparse.Namespace) -> argparse.Namespace:
        """Return the options of a command, with this sheet where all are asked for."""
        if options.sheet != ALL_SHEETS:
            return options
        return argparse.Namespace(**(vars(options) | {"sheet": self.sheet}))

    @contextmanager
    def open(self, options: argparse.Namespace) -> Iterator[OpenTable]:
        """Open the table; a lazy one is open until the end.

        Raises
        ------
        WrongUseError, DataFailsError
        """
        if self.path is not None:
            yield open_input(self.path, self.options(options))
            return
        with ExitStack() as connection:
            try:
                table = connection.enter_context(open_database_table(str(self.url), self.name))
            except (UnreadableTableError, MissingExtraError) as problem:
                raise WrongUseError(f"--url {problem}") from None  # the cause may hold a password
            yield OpenTable(table, self.label)


def rows_of(opened: OpenTable) -> pd.DataFrame:
    """Return all rows of a table of a database."""
    from autotype.inference.frames.as_pandas import as_pandas, engine_of

    engine = engine_of(opened.frame)
    assert engine is not None
    return as_pandas(engine.collect(), "a table")


class TableResult(NamedTuple):
    """What was found of one table: the changes since a former one, or how it fits a schema.

    Attributes
    ----------
    label : str
        The table in messages.
    against : str
        The former table, or the schema.
    found : TypeComparison, Outcome or None
        None where the table could not be read.
    code : int
        Exit code.
    error : str
        Why it could not be read.
    """

    label: str
    against: str
    found: Any
    code: int
    error: str = ""

    def to_dict(self, against: str) -> dict[str, Any]:
        """Return the result as JSON has it, with a key for what the table was held against."""
        found = {"error": self.error} if self.found is None else self.found.to_dict()
        return {"file": as_unicode(self.label), against: as_unicode(self.against)} | found


def requested_tables(options: argparse.Namespace, *, several: bool) -> list[RequestedTable]:
    """Return the tables that the command line names, each once.

    Parameters
    ----------
    options : Namespace
        ``files``, ``url``, ``table`` and ``sheet``, and ``folder`` of a command that takes many
        tables with it.
    several : bool
        Whether many may be named, by patterns and folders too.

    Raises
    ------
    WrongUseError
        If there is none, or several where one is expected.
    """
    remedy = "--folder OUT" if "folder" in options else ""
    if options.url is None and options.table:
        raise WrongUseError("--table needs --url, the database that holds it")
    if options.url is not None:
        if options.files:
            raise WrongUseError("give either FILE, or --url and --table")
        if options.nrows is not None:
            raise WrongUseError("--nrows is for files: the rows of a database have no order")
        if not options.table:
            raise WrongUseError("--url needs --table, the name of a table")
        shown = without_secrets(options.url, options.url)
        tables = [
            RequestedTable(f"{shown} {name}", None, options.url, name) for name in options.table
        ]
    elif not options.files:
        name = "NEW" if options.command == "compare" else "FILE"
        raise WrongUseError(f"no table is named: give {name}, or --url and --table")
    else:
        is_all = options.sheet == ALL_SHEETS
        if is_all and not several:
            raise WrongUseError("--sheet all needs --folder OUT of infer: one report per sheet")
        if several and STANDARD_INPUT in options.files and options.files != [STANDARD_INPUT]:
            raise WrongUseError("standard input (-) is a single table: name no other one")
        tables = [
            table
            for name in options.files
            for path in (_files(name) if several else [_file(name, remedy)])
            for table in (_of_sheets(path) if is_all else [table_of(path)])
        ]
        for folder in filter(os.path.isdir, options.files):
            _warn_of_subfolders(folder, [table.path for table in tables])
    first = {table.key: table for table in reversed(tables)}
    tables = [table for table in tables if first[table.key] is table]
    if not several and len(tables) > 1:
        for_all = f"; for a report of each give a folder: {remedy}" if remedy else ", expected one"
        raise WrongUseError(f"{len(tables)} tables are named{for_all}")
    return tables


def requested_table(options: argparse.Namespace) -> RequestedTable:
    """Return the one table that the command line names; see `requested_tables`."""
    (table,) = requested_tables(options, several=False)
    return table


def types_of(table: RequestedTable, options: argparse.Namespace) -> TypeReport:
    """Read types that were written, of the requested columns only, or infer those of a table."""
    if not table.is_report:
        with table.open(options) as opened:
            return infer_from(opened, options)
    report = read_types(str(table.path), option="types")
    if options.columns is None:
        return report
    wanted = [column for column in report.columns if str(column.name) in options.columns]
    return TypeReport(wanted, n_rows=report.n_rows, sample=report.sample)


def counterparts(
    tables: Sequence[RequestedTable], place: str, ending: str | None
) -> tuple[dict[str, str], list[str]]:
    """Return the file that belongs to each table: one for all, or of a folder by its name.

    Parameters
    ----------
    tables : sequence of RequestedTable
    place : str
        The file, or a folder whose files have the names of the tables.
    ending : str or None
        Of these files; None for that of the table itself.

    Returns
    -------
    of_tables : dict
        Key of a table -> file, which need not exist.
    others : list of str
        The files of the folder that belong to no table.

    Raises
    ------
    WrongUseError
        If one file of a folder would belong to two tables.
    """
    if not os.path.isdir(place):
        return {table.key: place for table in tables}, []
    named: dict[str, RequestedTable] = {}
    endings = set()
    for table in tables:
        own = os.path.basename(str(table.path)).removeprefix(table.name)
        endings.add(end := own if ending is None else ending)
        path = os.path.join(place, f"{table.name}{end}")
        if not os.path.exists(path):
            path = os.path.join(place, f"{safe_name(table.name)}{end}")
        other = named.setdefault(path, table)
        if other is not table:
            raise WrongUseError(
                f"{path} would be of {other.label} and of {table.label}; rename one, or name them "
                "in two commands"
            )
    with os_errors_as_wrong_use():
        found = sorted(os.listdir(place))
    paths = [os.path.join(place, name) for name in found if name not in JOB_FILES]
    others = [path for path in paths if path.endswith(tuple(endings)) and path not in named]
    return {table.key: path for path, table in named.items()}, others


class HeldAgainst(ABC):
    """A command that holds each of its tables against another thing, such as a schema.

    Parameters
    ----------
    options : Namespace
        With the ``outputs`` of the command, of which none may overwrite what is read.
    option, place : str
        The option that names what the tables are held against, and its value: one file for all
        tables, or a folder with a file for each.
    """

    words: tuple[str, str]  # of the summary, where some tables fail and where none does
    formats: ClassVar[Mapping[str, Callable[[str], object]]] = {}  # of `check_outputs`

    def __init__(self, options: argparse.Namespace, option: str, place: str) -> None:
        self.options, self.option, self.place = options, option, place

    @abstractmethod
    def ending(self, tables: Sequence[RequestedTable]) -> str | None:
        """Return the ending of the files of a folder, as `counterparts` takes it."""

    @abstractmethod
    def check(self, tables: Sequence[RequestedTable]) -> None:
        """Raise for options that do not go together."""

    @abstractmethod
    def find(self, table: RequestedTable, place: str) -> TableResult:
        """Hold one table against a file."""

    @abstractmethod
    def lines(self, result: TableResult) -> list[str]:
        """Return the lines that are printed of a table."""

    @abstractmethod
    def ways(self, results: Sequence[TableResult]) -> dict[str, Write]:
        """Return how each output is written."""

    @abstractmethod
    def failure_ways(self, label: str) -> Callable[[str], dict[str, Write]]:
        """Return how the outputs state that a table could not be read, as `failure_ways` does."""

    def run(self) -> int:
        """Print what was found of one or many tables, and write it to files."""
        outputs = requested_outputs(self.options)
        tables, of_tables, others = self._tables(outputs)
        self.check(tables)
        if len(tables) == 1 and not os.path.isdir(self.place):
            with failure_delivered(outputs, self.failure_ways(tables[0].label)):
                results = [self.find(tables[0], self.place)]
            printed = "\n".join(self.lines(results[0]))
        else:
            results = [self._result(table, of_tables[table.key]) for table in tables]
            results += [
                TableResult("no table", path, None, DATA_FAILS, f"there is no table for {path}")
                for path in ([] if getattr(self.options, "partial", False) else others)
            ]
            printed = self._summary(results)
        # A reader that closes the pipe, such as `head`, does not change the exit code.
        shown = None if self.options.quiet else lambda: printed
        deliver_outputs(outputs, self.ways(results), printed=shown)
        return max(result.code for result in results)

    def _tables(
        self, outputs: Mapping[str, str | None]
    ) -> tuple[list[RequestedTable], dict[str, str], list[str]]:
        """Return the tables, and what they are held against, as `counterparts` does."""
        options = self.options
        inputs = {self.option: self.place} | files_read(options)
        named = {file: file for file in options.files}
        check_outputs(outputs, inputs=inputs | named, formats=self.formats)
        # Today's files may be missing, all of them.
        with failure_delivered(outputs, self.failure_ways("no table")):
            tables = requested_tables(options, several=True)
        of_tables, others = counterparts(tables, self.place, self.ending(tables))
        inputs |= {table.label: table.path for table in tables}
        inputs |= {path: path for path in (*of_tables.values(), *others)}
        check_outputs(outputs, inputs=inputs)
        return tables, of_tables, others

    def _result(self, table: RequestedTable, place: str) -> TableResult:
        """Return the result of one of many tables; one that cannot be read stops no other."""
        try:
            if not os.path.exists(place):
                kind = _KINDS.get(os.path.splitext(place)[1], "table")
                raise DataFailsError(f"there is no {kind} {place}")
            return self.find(table, place)
        except Exception as problem:
            code, reason = describe_one_of_many(problem, table.label, debug=self.options.debug)
            return TableResult(table.label, place, None, code, reason)

    def _summary(self, results: Sequence[TableResult]) -> str:
        """Return the lines of all tables, each with the name of its table, and one for all."""
        lines = []
        for result in results:
            name = f"{result.label}: "
            lines += [
                line if line.startswith(name) else in_one_line(f"{name}{line}")
                for line in self.lines(result)
            ]
        n_failed = sum(result.code != FINE for result in results)
        failed, fine = self.words
        found = f"{n_failed:,} {failed}" if n_failed else fine
        return "\n".join([*lines, f"{format_count(len(results), 'table')}: {found}"])


def table_of(path: str) -> RequestedTable:
    """Return the table of a file."""
    return RequestedTable(path, path, None, _stem(path))


def _of_sheets(path: str) -> list[RequestedTable]:
    """Return a table for each sheet of a workbook; what is none, or unreadable, is a table."""
    try:
        sheets = visible_sheets(path)
    except (AutotypeError, OSError):  # opening it raises the error
        sheets = ()
    return [
        RequestedTable(f"{path} {sheet}", path, None, f"{_stem(path)}-{sheet}", sheet)
        for sheet in sheets
    ] or [table_of(path)]


def _file(name: str, remedy: str) -> str:
    """Return the name of one file; `remedy` is what to add to the command for many."""
    if os.path.isdir(name):
        problem, those = "is a folder, not a file", "in it"
    elif glob.has_magic(name) and not os.path.exists(name):
        problem, those = "there is no such file", "of a pattern"
    else:
        return name
    for_all = f"; for the files {those} add {remedy}" if remedy else ""
    raise WrongUseError(f"{name}: {problem}{for_all}")


def _files(name: str) -> list[str]:
    """Return the files that a name stands for: itself, those of a pattern, or of a folder."""
    if os.path.isdir(name):
        found = _of_folder(name)
        problem = (
            "holds no CSV, JSON lines, Parquet or Excel file; "
            f"for those in its subfolders give '{os.path.join(name, _ALL)}'"
        )
    elif glob.has_magic(name) and not os.path.exists(name):
        above, last = os.path.split(name)
        if last == _ALL:
            folders = filter(os.path.isdir, _glob(above or "."))
            found = [path for folder in folders for path in _of_folder(folder, deep=True)]
        else:
            found = list(filter(os.path.isfile, _glob(name)))
        problem = "no file fits this pattern"
    else:
        return [name]
    if not found:
        raise WrongUseError(f"{name}: {problem}")
    return found


def _glob(pattern: str) -> list[str]:
    """Return what fits a pattern, in the order of names."""
    return sorted(glob.glob(pattern, recursive=True))


def _of_folder(folder: str, *, deep: bool = False) -> list[str]:
    """Return the files of a folder whose names are of a known format.

    If deep, those of its subfolders as well, but for hidden ones and the reports of jobs.
    """

    def refuse(problem: OSError) -> None:
        raise problem

    found: list[str] = []
    with os_errors_as_wrong_use():
        for place, folders, names in os.walk(folder, onerror=refuse):
            folders[:] = sorted(name for name in folders if deep and not name.startswith("."))
            if {*JOB_FILES} <= {*names}:  # a folder of reports
                names = [name for name in names if name not in JOB_FILES and not deep]
            shown = sorted(name for name in names if not name.startswith((".", "~$")))
            paths = [os.path.join(place, name) for name in shown if format_of_name(name)]
            found += [path for path in paths if os.path.isfile(path)]
    return found


def _warn_of_subfolders(folder: str, named: Collection[str | None]) -> None:
    """Warn of the files in the subfolders of a folder that are not among the named ones."""
    with suppress(WrongUseError):  # a subfolder cannot be read
        n_left = len({*_of_folder(folder, deep=True)} - {*named})
        if n_left:
            left = f"{folder}: {format_count(n_left, 'file')} in its subfolders not read"
            text = f"{left}; to read all give '{os.path.join(folder, _ALL)}'"
            warnings.warn(text, stacklevel=2)


def _stem(path: str) -> str:
    """Return the name of a file without folder and endings."""
    name = os.path.basename(path)
    return os.path.splitext(name[:-3] if name.lower().endswith(".gz") else name)[0]


def safe_name(name: str) -> str:
    """Return a name that any file system and web server accepts."""
    safe = re.sub(r"[^\w.-]+", "_", name).strip("._-")[:_LONGEST_NAME] or "table"
    return f"table_{safe}" if _DEVICE.match(safe) else safe
