"""Read a codebook of any kind from a file."""

from __future__ import annotations

import html
import io
import json
import re
import warnings
from pathlib import Path

from autotype.errors import UnreadableTableError
from autotype.lexicon.toml_files import read_toml
from autotype.tables.codebooks.dictionary import Rows, read_choices, read_dictionary, without_tags
from autotype.tables.codebooks.json_codebook import read_json_codebook
from autotype.tables.codebooks.syntax import read_sas_syntax, read_spss_syntax, read_stata_syntax
from autotype.tables.codebooks.xml_codebook import read_xml_codebook
from autotype.tables.content import HEAD, LABELLED_FORMATS, format_of
from autotype.tables.layout.grid import text_of
from autotype.tables.table_file import ReadOptions, read_file
from autotype.tables.text.encoding import detect_encoding
from autotype.types.codebook import Codebook

_MOST_BYTES = 1 << 26
_PAGES = (".md", ".html", ".htm")
_BREAK = re.compile(r"(?i)<br\b[^>]*>|</(?:p|li)>(?=.*\w)")
MARKED = "off scale"  # the header of a column that marks values off the scale


def read_codebook(path: str) -> Codebook:
    """Read a codebook.

    Parameters
    ----------
    path : str
        A data dictionary (CSV, Excel; of REDCap too), JSON (of `to_codebook`, Table Schema, a data
        package, a mapping of columns), XML (DDI 2.5, LimeSurvey), syntax of SPSS, Stata or SAS, or
        a labelled data file. Its content decides which it is.

    Returns
    -------
    Codebook
        With a doubt for each line that was not understood.

    Raises
    ------
    FileNotFoundError, PermissionError
        If there is no such file, or no permission to read it.
    UnreadableTableError
        If it is none of these.
    """
    with open(path, "rb") as file:
        content = file.read(_MOST_BYTES + 1)
    if len(content) > _MOST_BYTES:
        raise UnreadableTableError(f"{path}: is too large for a codebook: over 64 MB")
    readable = read_toml("files")["codebooks"]["readable"]
    try:
        found = _read(content, path)
    except UnreadableTableError as problem:
        raise UnreadableTableError(f"{problem}. {readable}") from problem
    if found is None or not (found.columns or found.lists):
        raise UnreadableTableError(
            f"{path}: describes no columns. {readable}. A dictionary has a column with their "
            "names, such as 'variable', and one that describes them, such as 'label' or 'values'"
        )
    return found


def _read(content: bytes, path: str) -> Codebook | None:
    start = content.removeprefix(b"\xef\xbb\xbf").lstrip()
    found: Codebook | None = None
    if path.lower().endswith(_PAGES):
        found = read_dictionary(read_rows(path))
    elif start.startswith(b"<"):
        found = read_xml_codebook(content, path)
    elif format_of(content[:HEAD], path) in LABELLED_FORMATS:
        found = read_file(path, ReadOptions(n_rows=0)).codebook
    elif content[:4] != b"PK\x03\x04":
        found = _of_text(_decoded(content), path)
    return _of_tables(path) if found is None else found


def _decoded(content: bytes) -> str:
    encoding = detect_encoding(lambda: io.BytesIO(content))
    return content.decode(encoding.name, "replace").removeprefix("\ufeff")


def _of_text(text: str, path: str) -> Codebook | None:
    """Read JSON or syntax; None for anything else."""
    if text.lstrip().startswith(("{", "[")) and not path.lower().endswith((".csv", ".do", ".sps")):
        try:
            return read_json_codebook(json.loads(text))
        except (ValueError, RecursionError) as problem:
            raise UnreadableTableError(f"{path}: not a readable JSON document: {problem}") from None
    if path.lower().endswith((".csv", ".tsv")):
        return None
    if (of_sas := read_sas_syntax(text)) is not None:
        return of_sas
    books = (read_spss_syntax(text), read_stata_syntax(text))
    return next((book for book in books if book.columns), None)


def _of_tables(path: str) -> Codebook | None:
    """Read the dictionaries in all sheets; the first that describes a column wins."""
    first, sheets = _rows(path, None)
    tables = [first, *(_rows(path, sheet)[0] for sheet in sheets[1:])]
    lists = {name: list_ for rows in tables for name, list_ in read_choices(rows).items()}
    found = Codebook(lists=lists)
    for rows in tables:
        book = read_dictionary(rows, lists)
        if book is not None:
            found = found.over(book)
    return found


def read_rows(path: str) -> Rows:
    """Return the cells of the first table of a file: CSV, Excel, Markdown or HTML.

    Raises
    ------
    Exception
        As `read_codebook`.
    """
    if not path.lower().endswith(_PAGES):
        return _rows(path, None)[0]
    return rows_of_page(_decoded(Path(path).read_bytes()), path)


def rows_of_page(text: str, path: str) -> Rows:
    """Return the cells of a table of Markdown or HTML, without the blanks around them."""
    if path.lower().endswith(".md"):
        lines = [line.strip()[1:-1] for line in text.splitlines() if line.strip().startswith("|")]
        rows = [re.findall(r"((?:\\.|[^|\\])*)(?:\||$)", line)[:-1] for line in lines]
        cells = [[re.sub(r"\\(.)", r"\1", cell.strip()) for cell in row] for row in rows]
        return [row for row in cells if not all(set(cell) <= set("-:") and cell for cell in row)]
    found = re.findall(r"(?is)<tr\b.*?(?=<tr\b|</table|$)", text)
    rows = [re.findall(r"(?is)<t[dh]\b[^>]*>(.*?)(?=</t[dhr]|<t[dh]\b|$)", row) for row in found]
    return [
        [
            "\n".join(html.unescape(without_tags(line)) for line in _BREAK.split(cell))
            for cell in row
        ]
        for row in rows
    ]


def _rows(path: str, sheet: str | None) -> tuple[Rows, tuple[str, ...]]:
    """Return the cells of a table as strings, the header among them, and the sheets of its file."""
    options = ReadOptions(header=(), footer=0, ragged="pad", sheet=sheet)
    with warnings.catch_warnings(action="ignore"):
        table = read_file(path, options)
    cells = table.frame.astype(object).where(table.frame.notna(), None)
    rows = [list(map(text_of, row)) for row in cells.itertuples(index=False, name=None)]
    return rows, table.reading.sheets
