"""Infer the types of many tables: a report each, an index and a summary, and a state to resume.

The state of a job lies in a file, from which the next run resumes.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import time
import warnings
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import chain, count
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

from autotype._version import __version__
from autotype.cli import failures, output
from autotype.cli.input import files_read, infer_from, read_known, scales_file
from autotype.cli.tables import STATE, SUMMARY, RequestedTable, counterparts, safe_name
from autotype.report.findings import as_index_page
from autotype.tables.table import names_of
from autotype.type_report import TypeReport
from autotype.types.atomic_file import write_text
from autotype.types.decisions.known_file import of_columns
from autotype.wording import did_you_mean, format_count, format_some

_INDEX, _LOCK = "index.html", "job.lock"
_NO_RESULT: dict[str, Any] = {"rows": None, "columns": None, "types": {}, "error": None}
# Options that change no result.
_OUTPUTS = (
    "folder", "force", "log", "json", "html", "write_known", "ask", "judge_cache",
)  # fmt: skip
_STATED = {"known", "scales"}  # files of which the content counts
_IRRELEVANT = {"run", "files", "url", "table", "quiet", "debug", "n_jobs", *_STATED, *_OUTPUTS}

FORMAT_VERSION = 1


def run_job(tables: Sequence[RequestedTable], options: argparse.Namespace) -> int:
    """Infer the types of tables, one after the other, into a folder.

    Parameters
    ----------
    tables : sequence of RequestedTable
    options : Namespace
        Those of ``autotype infer``, with a folder.

    Returns
    -------
    int
        0 if all tables were done, 1 if one failed, 3 if one failed by a fault of autotype.

    Raises
    ------
    WrongUseError, MissingExtraError
        If results cannot be written, or another job is writing into the folder.
    """
    TypeReport([]).to_html()  # raises now rather than later if its library is missing
    schemas: dict[str, str] = {}
    if options.schema is not None:
        _make_folder("--schema", options.schema)
        schemas, _ = counterparts(tables, options.schema, ".yaml")
    _make_folder("--folder", options.folder)
    with folder_lock(options.folder):
        job = _Job(tables, options, schemas)
        try:
            for table in tables:
                job.examine(table)
            job.write_state(is_finished=True)
            job.warn_of_unused()
        finally:  # if interrupted, too
            job.write_overview()
    if not options.quiet and options.log == "text":
        failed = f", {job.n_failed} failed" if job.n_failed else ""
        counted = f"{format_count(len(tables), 'table')}{failed}"
        output.print_text(f"{failures.in_one_line(job.place(_INDEX))}: {counted}")
    return job.exit_code


@contextmanager
def folder_lock(folder: str | os.PathLike) -> Iterator[None]:
    """Hold the lock of a folder until the end of the context, so that two jobs do not mix results.

    The operating system holds it on the file ``job.lock``, and releases it when the process ends in
    whichever way. The file stays: whether it exists does not matter.

    Parameters
    ----------
    folder : path

    Raises
    ------
    WrongUseError
        If another job holds the lock, or the file cannot be written to.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder, folder_lock(folder):
    ...     with folder_lock(folder):
    ...         pass
    Traceback (most recent call last):
    ...
    autotype.cli.failures.WrongUseError: --folder ...: another job is writing there; wait for its end...
    """  # noqa: E501 - the last line is the message
    lock = FileLock(os.path.join(folder, _LOCK))
    try:
        lock.acquire(blocking=False)
    except Timeout:
        raise failures.WrongUseError(
            f"--folder {folder}: another job is writing there; wait for its end, or give another "
            "--folder"
        ) from None
    except OSError as problem:
        raise failures.WrongUseError(f"--folder {failures.os_message(problem)}") from problem
    try:
        yield
    finally:
        lock.release()


class _Job:
    """A running job."""

    def __init__(
        self,
        tables: Sequence[RequestedTable],
        options: argparse.Namespace,
        schemas: Mapping[str, str],
    ) -> None:
        self._options = options
        self._tables = tables
        self._schemas = schemas
        self._done, self._was_finished = _read(self.place(STATE))
        self._names = self._unique_names()
        self._stated = {k: v for k, v in vars(options).items() if k not in _IRRELEVANT}
        self._stated["known"] = _text_of(options.known)
        self._stated["scales"] = _text_of(scales_file(options))
        self._results: dict[str, Mapping[str, Any]] = {}
        self._opened_names: list[Any] = []  # of the columns of the tables that were opened
        self._n_unchanged = 0
        self.n_failed = 0
        self.exit_code = failures.FINE

    def place(self, name: str) -> str:
        return os.path.join(self._options.folder, name)

    def examine(self, table: RequestedTable) -> None:
        """Infer the types of a table, unless it is done; keep and print the result."""
        started = time.monotonic()
        entry: dict[str, Any] = {
            "name": self._names[table.key],
            "signature": _signature(table, self._stated),
        }
        is_unchanged = self._is_unchanged(table, entry)
        if not is_unchanged:
            self._done[table.key] = entry | {"result": self._infer(table, entry["name"])}
            self.write_state(is_finished=False)
        result = self._results[table.key] = self._done[table.key]["result"]
        self._n_unchanged += is_unchanged
        self._log(table, result, is_unchanged, round(time.monotonic() - started, 3))

    def _is_unchanged(self, table: RequestedTable, entry: Mapping[str, Any]) -> bool:
        """Check whether a table is done, and its results are as they would be now.

        Whether a table of a database has changed is unknown: it is done only if the run before
        was interrupted.
        """
        written = [self.place(entry["name"] + ending) for ending in (".json", ".html")]
        written += [self._schemas[table.key]] if self._schemas else []
        done = self._done.get(table.key)
        return (
            done is not None
            and done["signature"] == entry["signature"]
            and done["result"]["error"] is None
            and not (self._options.force or (table.path is None and self._was_finished))
            and all(map(os.path.exists, written))
        )

    def _unique_names(self) -> dict[str, str]:
        """Return the name of each table's results: unique, safe in files, the same in each run."""
        names = {key: entry["name"] for key, entry in self._done.items()}
        taken = {*_reserved(self._options), *map(str.casefold, names.values())}
        for table in self._tables:
            if table.key not in names:
                stem = safe_name(table.name)
                numbered = chain([stem], (f"{stem}-{number}" for number in count(2)))
                name = next(name for name in numbered if name.casefold() not in taken)
                names[table.key] = name
                taken.add(name.casefold())
        return {table.key: names[table.key] for table in self._tables}

    def _infer(self, table: RequestedTable, name: str) -> dict[str, Any]:
        """Write the report of a table; return its counts, or its error."""
        try:
            with table.open(self._options) as opened:
                self._opened_names += names_of(opened.frame)
                report = infer_from(opened, self._options, is_one_of_many=True)
                texts = {
                    self.place(f"{name}.json"): report.to_json(),
                    self.place(f"{name}.html"): report.to_html(table=table.label),
                }
                if self._schemas:
                    schema = output.schema_text(opened.frame, report, self._options)
                    texts[self._schemas[table.key]] = f"{schema}\n"
        except Exception as problem:  # even a fault of autotype stops no other table
            return self._failure(table, name, problem)
        for path, text in texts.items():
            _write(path, text)
        counts = Counter(column.semantic_type for column in report.columns)
        return {
            "rows": int(report.n_rows),
            "columns": len(report.columns),
            "types": dict(sorted(counts.items(), key=lambda item: (-item[1], item[0]))),
            "error": None,
        }

    def _failure(self, table: RequestedTable, name: str, problem: Exception) -> dict[str, Any]:
        """Write the error in place of a table's earlier report, and return it."""
        code, reason = failures.describe_one_of_many(
            problem, table.label, debug=self._options.debug
        )
        self.n_failed += 1
        self.exit_code = max(self.exit_code, code)
        ways = output.failure_ways(table.label)(f"{table.label}: {reason}")
        paths = {option: self.place(f"{name}.{option[2:]}") for option in ways}
        earlier = {o: path if os.path.exists(path) else None for o, path in paths.items()}
        output.deliver_outputs(earlier, ways)
        failures.print_error(f"error: {table.label}: {reason}")
        return _NO_RESULT | {"error": reason}

    def _log(
        self, table: RequestedTable, result: Mapping[str, Any], is_unchanged: bool, seconds: float
    ) -> None:
        if self._options.quiet:
            return
        status = "failed" if result["error"] else "unchanged" if is_unchanged else "done"
        if self._options.log == "json":
            line = self._entry(table, result) | {"status": status, "seconds": seconds}
            output.print_text(json.dumps(line))
        elif status != "failed":
            counts = ", ".join(f"{n} {kind}" for kind, n in result["types"].items())
            output.print_text(
                f"{failures.in_one_line(table.label)}: {format_count(result['rows'], 'row')}, "
                f"{format_count(result['columns'], 'column')}: {counts}"
                + (" (unchanged)" if is_unchanged else "")
            )

    def _entry(self, table: RequestedTable, result: Mapping[str, Any] | None) -> dict[str, Any]:
        """Return the entry of a table in the summary; without a result it is still to be done."""
        name = self._names[table.key]
        is_done = result is not None and result["error"] is None
        return {
            "table": table.label,
            "status": "pending" if result is None else "done" if is_done else "failed",
            **_NO_RESULT,
            **(result or {}),
            "report": f"{name}.json" if is_done else None,
            "page": f"{name}.html" if is_done else None,
        }

    def warn_of_unused(self) -> None:
        """Warn of columns of --known that no table has; unknown if not all were opened."""
        if self._options.known is None or self._n_unchanged or self.n_failed:
            return
        known = read_known(self._options.known)
        if unused := sorted(known.keys() - of_columns(known, self._opened_names).keys()):
            warnings.warn(
                f"--known {self._options.known}: no table has a column {format_some(unused)}"
                f"{did_you_mean(unused[0], self._opened_names)}",
                stacklevel=2,
            )

    def write_state(self, *, is_finished: bool) -> None:
        """Write the state, completely or not at all; a job is finished if it examined all tables.

        From it the next run resumes.
        """
        state = {
            "format_version": FORMAT_VERSION,
            "is_finished": is_finished,
            "tables": self._done,
        }
        write_text(self.place(STATE), json.dumps(state, indent=2) + "\n")

    def write_overview(self) -> None:
        """Write the summary and the index page."""
        entries = [self._entry(table, self._results.get(table.key)) for table in self._tables]
        summary = {"autotype_version": __version__, "tables": entries}
        text = json.dumps(summary, indent=2) + "\n"
        page = as_index_page(summary)
        _write(self.place(SUMMARY), text)
        _write(self.place(_INDEX), page)


def _write(path: str, text: str) -> None:
    output.deliver((path, lambda file: write_text(str(file), text)))


def _make_folder(option: str, folder: str) -> None:
    if folder == output.STANDARD_OUTPUT or os.path.isfile(folder):
        kind = "standard output" if folder == output.STANDARD_OUTPUT else "a file"
        raise failures.WrongUseError(f"{option} {folder}: is {kind}, not a folder")
    with failures.os_errors_as_wrong_use(f"{option} "):
        os.makedirs(folder, exist_ok=True)
    output.check_outputs({option: os.path.join(folder, STATE)}, inputs={})


def _reserved(options: argparse.Namespace) -> set[str]:
    """Return the names that no result may have: those of the job, and of a file that it reads."""
    return {
        *(Path(name).stem for name in (STATE, SUMMARY, _INDEX)),
        *(Path(file).stem.casefold() for file in files_read(options).values() if file),
    }


def _text_of(path: str | None) -> str | None:
    try:
        return None if path is None else Path(path).read_text(encoding="utf-8", errors="replace")
    except OSError:
        return None  # reading it for the first table raises the error


def _signature(table: RequestedTable, options: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a table's result depends on: the file's size and time, options and version."""
    stated = json.dumps(options, sort_keys=True, default=str)
    signature: dict[str, Any] = {
        "autotype_version": __version__,
        "options": hashlib.sha256(stated.encode("utf-8", "surrogatepass")).hexdigest(),
    }
    if table.path is not None:
        try:
            status = os.stat(table.path)
        except OSError:  # opening it raises the error
            return signature
        signature |= {"size": status.st_size, "modified_ns": status.st_mtime_ns}
    return signature


def _read(path: str) -> tuple[dict[str, Any], bool]:
    """Read a state: the entries of the tables that are done, and whether the job was finished.

    Raises
    ------
    WrongUseError
        If the file exists and is not a state, or cannot be read.
    """
    try:
        with open(path, encoding="utf-8") as file:
            content = json.load(file)
    except FileNotFoundError:
        return {}, False
    except OSError as problem:
        raise failures.WrongUseError(failures.os_message(problem)) from problem
    except (ValueError, RecursionError):
        content = None
    if not _is_state(content):
        raise failures.WrongUseError(
            f"{path}: is not the state of a job of this version of autotype; delete it to infer "
            "all tables again, or give another --folder"
        )
    return content["tables"], content["is_finished"]


def _is_state(content: Any) -> bool:
    try:
        return (
            content["format_version"] == FORMAT_VERSION
            and isinstance(content["is_finished"], bool)
            and all(
                entry["name"] == safe_name(entry["name"])
                and isinstance(entry["signature"], dict)
                and isinstance(entry["result"], dict)
                and "error" in entry["result"]
                for entry in content["tables"].values()
            )
        )
    except (AttributeError, KeyError, TypeError):  # not of this form
        return False
