"""Read a table from JSON lines: one object per row, whose keys are the columns."""

from __future__ import annotations

import io
import json
import re
from collections import Counter
from collections.abc import Callable
from typing import IO, Any

import pandas as pd

from autotype.errors import UnreadableTableError
from autotype.tables.columns import column_of_objects
from autotype.tables.limits import Limits
from autotype.wording import first_line

_HALF_A_PAIR = re.compile(r"\\u[dD][89a-fA-F]")  # may be half of a surrogate pair


def read_json_lines(
    opened: Callable[[], IO[bytes]], limits: Limits, *, encoding: str | None = None
) -> pd.DataFrame:
    """Read JSON lines as a frame.

    Parameters
    ----------
    opened : callable
        Opens the content from its start.
    limits : Limits
        Name in error messages, and the number of cells that the table may have.
    encoding : str, optional
        By default UTF-8, with or without its mark.

    Returns
    -------
    pandas.DataFrame
        Null and what a row lacks are missing. Integers stay whole (Int64 if some are missing).

    Raises
    ------
    UnreadableTableError
        If a line is not a JSON object, repeats a key or is no text, or beyond the limits.
    LookupError
        If there is no such encoding.
    """
    rows: list[dict[str, Any]] = []
    names: dict[str, None] = {}
    with opened() as file:
        lines = io.TextIOWrapper(file, encoding=encoding or "utf-8-sig")
        try:
            for number, line in enumerate(lines, start=1):
                if line.strip():
                    rows.append(_object(line, f"{limits.path}: line {number}"))
                    names.update(dict.fromkeys(rows[-1]))
                    limits.check_cells(len(rows), len(names))
        except UnicodeError as problem:
            raise UnreadableTableError(f"{limits.path}: {problem}; give its encoding") from problem
    if not rows:
        raise UnreadableTableError(f"{limits.path}: is empty, it holds no JSON object")
    columns = [column_of_objects([row.get(name) for row in rows]) for name in names]
    frame = pd.DataFrame(dict(enumerate(columns)), index=pd.RangeIndex(len(rows)))
    frame.columns = pd.Index(list(names))
    return frame


def _object(line: str, where: str) -> dict[str, Any]:
    try:
        row = json.loads(line.strip(), object_pairs_hook=_without_repetition)
        if _HALF_A_PAIR.search(line):
            json.dumps(row, ensure_ascii=False).encode()
    except json.JSONDecodeError as problem:
        reason = f"{problem.msg} at column {problem.colno}"
        raise UnreadableTableError(f"{where} is not a JSON object ({reason})") from problem
    except UnicodeEncodeError as problem:
        raise UnreadableTableError(
            f"{where} holds half of a surrogate pair, which is no character; correct it"
        ) from problem
    except (ValueError, RecursionError) as problem:  # too many digits or nested brackets
        raise UnreadableTableError(f"{where} cannot be read ({first_line(problem)})") from problem
    if not isinstance(row, dict):
        raise UnreadableTableError(
            f"{where} holds a JSON {type(row).__name__}, not an object: expected one row per line"
        )
    return row


def _without_repetition(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    row = dict(pairs)
    if len(row) < len(pairs):
        repeated = next(name for name, count in Counter(k for k, _ in pairs).items() if count > 1)
        raise ValueError(f"the key {repeated!r} occurs twice")
    return row
