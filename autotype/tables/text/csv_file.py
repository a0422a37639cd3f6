"""Read a table from CSV text."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from importlib.util import find_spec

import pandas as pd

from autotype.errors import UnreadableTableError
from autotype.tables.columns import column_of_strings, frame_of_columns, warn_of_beyond
from autotype.tables.table import ReadOptions, Table
from autotype.tables.text.csv_text import CsvText
from autotype.tables.text.dialect import NO_SEPARATOR
from autotype.wording import first_line

_MANY = 10_000  # rows that pyarrow parses
_BLOCK = 1 << 24  # bytes


def table_of_text(text: CsvText, path: str, options: ReadOptions) -> Table:
    """Read a text of regular rows.

    Parameters
    ----------
    text : CsvText
    path : str
        Name in messages.
    options : ReadOptions
        Strings that mean a missing value, and columns of strings or numbers.

    Returns
    -------
    Table
        Strings such as "None" and "NA" stay strings, except in columns that otherwise hold numbers.
        Columns of integers of which one begins with 0, such as "01067", or has more digits
        than 64 bits hold, stay strings; other integers stay whole (Int64 if some are missing).
        Columns of dates that are all written alike, as ISO 8601 has them, are datetime64[us].

    Raises
    ------
    UnreadableTableError
        If pandas cannot read it.

    Warns
    -----
    UserWarning
        If a number is beyond the range of floats.
    """
    try:
        strings = _parse(text, options.missing)
    except pd.errors.ParserError as problem:
        reason = first_line(problem).removeprefix("Error tokenizing data. C error: ")
        raise UnreadableTableError(f"{path}: {reason}") from problem
    index, columns, written = strings.index, {}, {}
    strings = dict(strings.items())  # a frame takes long to drop a column of many
    for j, name in enumerate(text.names):
        column = strings.pop(j)
        if name not in options.texts:
            if options.keep_strings:
                written[name] = column
            decimal = text.reading.decimal or "."
            column, kind = column_of_strings(column, decimal, numbers=name in options.numbers)
            warn_of_beyond(name, kind, path)
        columns[name] = column
    frame = frame_of_columns(columns, index, written=written)
    return Table(frame, text.codebook, text.reading)


def _parse(text: CsvText, missing: Sequence[str]) -> pd.DataFrame:
    """Return the fields as strings, by the positions of their columns."""
    if len(text.names) > 1 and text.n_rows >= _MANY and find_spec("pyarrow") is not None:
        with contextlib.suppress(ValueError):  # ArrowInvalid: a field larger than a block
            return _parse_by_arrow(text, missing)
    positions = list(range(len(text.names)))
    is_single = text.separator == NO_SEPARATOR
    with text.opened() as file:
        return pd.read_csv(
            file,
            sep=text.separator,
            encoding="utf-8-sig",
            dtype=str,
            keep_default_na=False,
            na_values=["", *missing],
            low_memory=False,  # a column at once, not in chunks
            # In a single column, an empty line is a missing value.
            skip_blank_lines=not is_single,
            skiprows=text.n_blank if is_single else 0,
            index_col=False,  # further fields are empty, see RowLengths, and no index
            header=0,
            names=positions,
            usecols=positions,
        )


def _parse_by_arrow(text: CsvText, missing: Sequence[str]) -> pd.DataFrame:
    """Return the fields of a text that each parser splits alike, in a tenth of pandas' time."""
    import pyarrow
    from pyarrow import csv

    keys = [str(j) for j in range(len(text.names))]
    with text.opened() as file:
        for _ in range(text.n_blank + 1):
            file.readline()
        table = csv.read_csv(
            file,
            read_options=csv.ReadOptions(column_names=keys, block_size=_BLOCK),
            parse_options=csv.ParseOptions(
                delimiter=text.separator, newlines_in_values=text.has_quotes
            ),
            convert_options=csv.ConvertOptions(
                column_types=dict.fromkeys(keys, pyarrow.large_string()),
                null_values=["", *missing],
                strings_can_be_null=True,
            ),
        )
    dtype = pd.Series([], dtype=str).dtype
    is_string = isinstance(dtype, pd.StringDtype)  # before pandas 3, strings are objects
    frame = table.to_pandas(types_mapper=lambda _: dtype if is_string else None)
    frame.columns = pd.RangeIndex(len(keys))
    return frame
