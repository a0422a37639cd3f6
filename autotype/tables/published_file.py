"""Read a file as it was published, with the codebook beside it."""

from __future__ import annotations

import os
import warnings
from collections.abc import Sequence

from autotype.tables.codebooks.beside import with_codebook_beside
from autotype.tables.table import Table
from autotype.tables.table_file import ReadOptions, read_file
from autotype.tables.text.csv_text import WORDS

_RAGGED = ("error", "pad", "drop")


def read_table(
    path: str | os.PathLike[str],
    *,
    encoding: str | None = None,
    delimiter: str | None = None,
    decimal: str | None = None,
    header: int | Sequence[int] | None = None,
    footer: int | None = None,
    sheet: str | None = None,
    ragged: str = "error",
    missing: Sequence[str] = (),
    nrows: int | None = None,
    catalog: str | os.PathLike[str] | None = None,
) -> Table:
    r"""Read a file as it was published: find its encoding, its delimiter and where its table is.

    Parameters
    ----------
    path : str or path
        A file; its content decides on the format, not its name.
    encoding : str, optional
        Of text; detected by default.
    delimiter : str, optional
        The character between the fields of text, or "tab", "blanks" for runs of blanks, or "none"
        for a single column; detected by default.
    decimal : {".", ","}, optional
        The decimal sign of text; detected by default.
    header : int or sequence of int, optional
        The lines, counted from 1, that name the columns; 0 if there is none. Found by default.
    footer : int, optional
        Lines below the data to leave out; found by default.
    sheet : str, optional
        Of a workbook; by default the first visible one that holds a table.
    ragged : {"error", "pad", "drop"}, default="error"
        What to do with rows that are longer or shorter than the header: raise where their meaning
        is in doubt, fill short rows and cut long ones, or leave both out.
    missing : sequence of str
        Strings that mean a missing value, besides the empty cell.
    nrows : int, optional
        Rows to read, >= 1; all by default.
    catalog : str or path, optional
        The .sas7bcat file with the value labels of a .sas7bdat file; by default the one of the same
        stem beside it.

    Returns
    -------
    Table
        ``frame``, a pandas DataFrame; ``codebook``, labels and units of the columns that the file
        states, or a codebook beside it: ``survey_codebook.csv`` beside ``survey.csv``; and
        ``reading``, how the file was read: ``encoding``, ``delimiter``, ``decimal``, the lines of
        ``header``, ``title`` and ``footer``, ``sheet``, what was ``dropped``, and ``doubts``.

    Raises
    ------
    FileNotFoundError, IsADirectoryError, PermissionError
        If there is no such file, or no permission to read it.
    UnreadableTableError
        If the content is empty, cut off or ragged, or holds no table.
    MissingExtraError
        If the format needs a library that is not installed.
    LookupError
        If there is no encoding of this name.
    ValueError
        If an argument is out of its range.

    Warns
    -----
    UserWarning
        If something that was found is in doubt: what, and the argument that states it.

    Examples
    --------
    >>> import autotype, pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "grades.csv")
    ...     _ = path.write_text("name;grade\nAda;1,5\nBob;2,0\n")
    ...     table = autotype.read_table(path)
    >>> table.frame["grade"].tolist(), table.reading.delimiter, table.reading.decimal
    ([1.5, 2.0], ';', ',')
    """
    lines = (header,) if isinstance(header, int) else None if header is None else tuple(header)
    options = ReadOptions(
        delimiter=delimiter,
        encoding=encoding,
        decimal=decimal,
        header=() if lines == (0,) else lines,
        footer=footer,
        sheet=sheet,
        ragged=ragged,
        missing=tuple(missing),
        n_rows=nrows,
        catalog=None if catalog is None else os.fspath(catalog),
    )
    path = os.fspath(path)
    table = read_file(path, _checked(options))
    table = with_codebook_beside(path, table, list(table.frame.columns))
    if table.reading.doubts:
        warnings.warn(f"{path}: {'; '.join(table.reading.doubts)}", stacklevel=2)
    return table


def _checked(options: ReadOptions) -> ReadOptions:
    """Raise if an option is out of its range.

    Raises
    ------
    ValueError
    """
    delimiter, header = options.delimiter, options.header
    if delimiter is not None and delimiter not in WORDS and len(delimiter) != 1:
        words = ", ".join(map(repr, WORDS))
        raise ValueError(f"delimiter: expected one character, or {words}, got {delimiter!r}")
    if options.decimal not in (None, ".", ","):
        raise ValueError(f"decimal: expected '.' or ',', got {options.decimal!r}")
    if header is not None and (list(header) != sorted(set(header)) or min(header, default=1) < 1):
        raise ValueError(
            f"header: expected 0, or lines from 1 up in their order, got {list(header)}"
        )
    if options.footer is not None and options.footer < 0:
        raise ValueError(f"footer: expected a number of lines, got {options.footer}")
    if options.ragged not in _RAGGED:
        raise ValueError(f"ragged: expected one of {', '.join(_RAGGED)}, got {options.ragged!r}")
    if options.n_rows is not None and options.n_rows < 1:
        raise ValueError(f"nrows: expected a number of rows from 1 up, got {options.n_rows}")
    return options
