"""The state of a job in a file, from which the next run resumes."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from autotype._version import __version__
from autotype.cli.failures import WrongUseError, os_message
from autotype.cli.tables import RequestedTable, safe_name
from autotype.types.atomic_file import write_text

FORMAT_VERSION = 1


class JobState:
    """The tables that a job has done, in the file ``state.json``.

    Parameters
    ----------
    path : str
        The file; it is read if it exists.

    Raises
    ------
    WrongUseError
        If the file exists and is not a state, or cannot be read.
    """

    def __init__(self, path: str) -> None:
        self._path = path
        content = _read(path)
        self._tables: dict[str, dict[str, Any]] = content["tables"]
        self._was_finished = content["is_finished"]
        self._is_finished = False

    def names(self, tables: Sequence[RequestedTable], reserved: Collection[str]) -> dict[str, str]:
        """Return the name of each table's results: unique, safe in files, the same in each run.

        Parameters
        ----------
        tables : sequence of RequestedTable
        reserved : collection of str
            Names that none may have, in lower case.
        """
        names = {key: entry["name"] for key, entry in self._tables.items()}
        taken = {*reserved, *(name.casefold() for name in names.values())}
        for table in tables:
            if table.key not in names:
                name = stem = safe_name(table.name)
                number = 1
                while name.casefold() in taken:
                    number += 1
                    name = f"{stem}-{number}"
                names[table.key] = name
                taken.add(name.casefold())
        return {table.key: names[table.key] for table in tables}

    def result(self, table: RequestedTable, signature: Mapping[str, Any]) -> dict[str, Any] | None:
        """Return the result of a table that is done and unchanged, else None.

        Whether a table of a database has changed is unknown: it is done only if the run before
        was interrupted.
        """
        entry = self._tables.get(table.key)
        if entry is None or entry["signature"] != signature or entry["result"]["error"] is not None:
            return None
        return None if table.path is None and self._was_finished else entry["result"]

    def record(
        self,
        table: RequestedTable,
        *,
        name: str,
        signature: Mapping[str, Any],
        result: Mapping[str, Any],
    ) -> None:
        """Add the result of a table, and write the file."""
        entry = {"name": name, "signature": dict(signature), "result": dict(result)}
        self._tables[table.key] = entry
        self.write()

    def finish(self) -> None:
        """Record that all tables were examined."""
        self._is_finished = True
        self.write()

    def write(self) -> None:
        """Write the file, completely or not at all."""
        content = {
            "format_version": FORMAT_VERSION,
            "is_finished": self._is_finished,
            "tables": self._tables,
        }
        write_text(self._path, json.dumps(content, indent=2) + "\n")


def signature_of(table: RequestedTable, options: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a table's result depends on: the file's size and time, options and version.

    Parameters
    ----------
    table : RequestedTable
    options : mapping
        Values that JSON holds, or that have a string.
    """
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


def _read(path: str) -> dict[str, Any]:
    try:
        with open(path, encoding="utf-8") as file:
            content = json.load(file)
    except FileNotFoundError:
        return {"tables": {}, "is_finished": False}
    except OSError as problem:
        raise WrongUseError(os_message(problem)) from problem
    except (ValueError, RecursionError):
        content = None
    if not _is_state(content):
        raise WrongUseError(
            f"{path}: is not the state of a job of this version of autotype; delete it to infer "
            "all tables again, or give another --folder"
        )
    return content


def _is_state(content: Any) -> bool:
    try:
        is_known = content["format_version"] == FORMAT_VERSION
        return (
            is_known
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
