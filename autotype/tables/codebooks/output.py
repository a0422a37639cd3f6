"""Write the types of columns as a codebook that people read and correct, and read it as known.

A row for each level has places for all that a person may correct, and no separators that a label
could hold; data dictionaries in one row per column have both problems.
"""

from __future__ import annotations

import csv
import html
import io
import os
import warnings
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from autotype.errors import UnknownFormatError, UnreadableTypesError
from autotype.tables.codebooks.dictionary import format_range
from autotype.tables.codebooks.read import MARKED, read_rows, rows_of_page
from autotype.tables.workbooks.excel_output import excel_bytes
from autotype.types.atomic_file import as_json, atomic_path, write_text
from autotype.types.codebook import measure_of_type
from autotype.types.codec.json_values import as_unicode
from autotype.types.column_type import ColumnType
from autotype.types.decisions.decision import Statement
from autotype.types.decisions.known_file import KnownFile, parse_tables, read_known_file
from autotype.wording import format_level

# The headers are among those that `read_dictionary` knows.
_HEADER = (
    "variable", "question", "type", "measure", "value", "category label", "count", MARKED,
    "missing ranges",
)  # fmt: skip
_ENDINGS = (".xlsx", ".csv", ".json", ".md", ".html")
_KEY = "codebook"


def write_codebook(columns: Sequence[ColumnType], path: str | os.PathLike[str]) -> None:
    """Write a codebook with a row for each column without levels, and for each level.

    Parameters
    ----------
    columns : sequence of ColumnType
    path : str or path
        Its name ends in ``.xlsx``, ``.csv``, ``.json``, ``.md`` or ``.html``.

    Raises
    ------
    UnknownFormatError
        If the name ends otherwise.
    UnwritableTableError, OSError
        If the file cannot be written.
    """
    path = os.fspath(path)
    ending = os.path.splitext(path)[1].lower()
    if ending not in _ENDINGS:
        raise UnknownFormatError(f"{path}: the name must end in one of {', '.join(_ENDINGS)}")
    described = [_described(column) for column in columns]
    if ending == ".json":
        as_json({_KEY: described}, path)
        return
    rows = [row for each in described for row in _rows(each)]
    header = _HEADER if any(row[-1] for row in rows) else _HEADER[:-1]  # few have ranges
    rows = [row[: len(header)] for row in rows]
    if ending == ".xlsx":
        frame = pd.DataFrame(rows, columns=list(header), dtype=object)
        with atomic_path(path) as part:
            Path(part).write_bytes(excel_bytes(frame, path, escape=True))
        return
    cells = [list(map(str, row)) for row in (header, *rows)]
    text = _as_text(cells, ending)
    if ending in (".md", ".html"):
        read = rows_of_page(text, path)
        lost = (row[4] for row, back in zip(cells, read, strict=False) if row[4] != back[4])
        if (cell := next(lost, None)) is not None:
            warnings.warn(
                f"{path}: {ending} cannot hold the blanks and line breaks of {cell!r}, which is "
                "read as another level; write .xlsx, .csv or .json",
                stacklevel=3,
            )
    write_text(path, text)


def _as_text(rows: Sequence[Sequence[str]], ending: str) -> str:
    if ending == ".md":
        lines = [" | ".join(map(_as_markdown, row)) for row in rows]
        lines.insert(1, " | ".join(["---"] * len(rows[0])))
        return "".join(f"| {line} |\n" for line in lines)
    if ending == ".html":
        cells = ["".join(f"<td>{html.escape(cell)}</td>" for cell in row) for row in rows]
        cells[0] = cells[0].replace("td>", "th>")
        page = Path(__file__).with_name("codebook.html").read_text("utf-8")
        return page.replace("{rows}", "\n".join(f"<tr>{line}</tr>" for line in cells))
    text = io.StringIO()
    # A cell in apostrophes alone would be read as quoted by them.
    has_marks = any(cell.startswith("'") for row in rows for cell in row)
    dialect = csv.unix_dialect if has_marks else csv.excel  # the first quotes all cells
    csv.writer(text, dialect, lineterminator="\n").writerows(rows)
    return text.getvalue()


def _as_markdown(cell: str) -> str:
    return " ".join(cell.replace("\\", "\\\\").replace("|", "\\|").splitlines())


def _levels(column: ColumnType) -> Iterator[tuple[Any, str, int | None, bool]]:
    """Yield the levels in their order: value, label, count, and whether it is off the scale."""
    levels = column.level_set
    off = {*column.off_scale, *column.missing_markers}
    held = () if levels is None else (*levels.on_scale, *levels.off_scale)
    for level in dict.fromkeys((*held, *column.off_scale, *column.missing_markers)):
        label = column.labels.get(level, "").strip() or format_level(level)
        yield level, label, column.levels.get(level, 0 if column.levels else None), level in off
    for level, label in column.labels.items():
        if level not in {*off, *held}:  # occurs in no row: not among the levels
            yield level, label, None, False


def _described(column: ColumnType) -> dict[str, Any]:
    """Return what is written about a column, without what is empty."""
    values = [
        {"value": level if isinstance(level, int | str) else format_level(level), "label": label}
        | ({} if count is None else {"count": count})
        | ({MARKED: True} if is_off else {})
        for level, label, count, is_off in _levels(column)
    ]
    is_ordinal = column.semantic_type == "ordinal"
    about = {
        "name": as_unicode(column.name),
        "question": column.title,
        # A guess at an order would be read as stated, so that the type is left open.
        "type": "" if is_ordinal and column.order is None else column.semantic_type,
        "measure": measure_of_type(column.semantic_type),
        "values": values,
        "missing": [part["value"] for part in values if MARKED in part]
        + [list(map(str, ends)) for ends in column.missing_ranges],  # may be infinite
    }
    return {key: part for key, part in about.items() if part}


def _rows(described: Mapping[str, Any]) -> Iterator[list[Any]]:
    """Yield a row for each value of a described column, what is about the column in the first."""
    about = [str(described.get(key, "")) for key in ("name", "question", "type", "measure")]
    wide = [map(float, part) for part in described.get("missing", ()) if isinstance(part, list)]
    ranges = "; ".join(format_range(*ends) for ends in wide)
    for part in described.get("values") or [{}]:
        level = [str(part.get(key, "")) for key in ("value", "label")]
        yield [*about, *level, part.get("count", ""), "yes" if part.get(MARKED) else "", ranges]
        about[1:], ranges = [""] * 3, ""


def read_known(path: str | os.PathLike[str]) -> KnownFile:
    """Read statements on columns from a file of decisions, or from a codebook of `write_codebook`.

    Raises
    ------
    UnreadableTypesError
        If it is neither.
    Exception
        As `read_codebook` and `read_known_file`.
    """
    path = os.fspath(path)
    ending = os.path.splitext(path)[1].lower()
    rows: Sequence[Sequence[str]]
    if ending == ".json":
        content = Path(path).read_bytes()
        if content.lstrip()[:1] != b"{" or f'"{_KEY}"'.encode() not in content[:64]:
            return KnownFile(path, read_known_file(path))
        described = parse_tables(Path(path))[_KEY]
        try:
            rows = [_HEADER, *(list(map(str, row)) for each in described for row in _rows(each))]
        except (AttributeError, TypeError, ValueError) as problem:  # edited by hand
            raise UnreadableTypesError(f"{path}: is no codebook: {problem}") from problem
    elif ending in _ENDINGS:
        rows = read_rows(path)
    else:
        return KnownFile(path, read_known_file(path))
    header = list(rows[0]) if rows else []
    if not {"variable", "type", "value", "count", MARKED} <= set(header):
        raise UnreadableTypesError(
            f"{path}: is no codebook of TypeReport.to_codebook: expected the columns "
            f"{', '.join(_HEADER)}, got {', '.join(header[:9])}"
        )
    by_name: dict[str, list[Mapping[str, str]]] = {}
    for row in rows[1:]:
        cells = dict(zip(header, row, strict=False))
        by_name.setdefault(cells["variable"], []).append(cells)
    stated = {name: _statement(cells) for name, cells in by_name.items()}
    return KnownFile(path, {name: part for name, part in stated.items() if part})


def _statement(rows: Sequence[Mapping[str, str]]) -> Statement | None:
    """Return what the rows of one column state; None if its type is open."""
    stated = next((row["type"].strip() for row in rows if row["type"].strip()), "")
    if stated in ("", "undetermined"):
        return None
    order = [row["value"] for row in rows if row["count"].strip() and not row[MARKED].strip()]
    if stated != "ordinal" or not order:
        return stated
    off = [row["value"] for row in rows if row[MARKED].strip()]
    return {"order": order, "off_scale": off} if off else order
