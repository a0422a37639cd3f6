"""Read a large CSV text by DuckDB or polars, as a lazy table with the columns of `read_csv`.

The text is checked as for `read_csv`. The library then reads it as strings; up to three passes
count the cells by which `kinds_of` decides, and a projection converts them.
"""

from __future__ import annotations

import glob
from collections import Counter
from collections.abc import Sequence
from typing import Any

import narwhals as nw

from autotype.errors import AutotypeError
from autotype.lexicon.numbers import MISSING_NUMBERS
from autotype.tables.cells import DATES, WHITE, ZEROS, Counts, Forms, Kind, digits_of, kinds_of
from autotype.tables.columns import DistinctCells, warn_of_beyond, whole
from autotype.tables.engines import connect_duckdb, engine_errors
from autotype.tables.text.csv_text import CsvText
from autotype.wording import first_line, format_count

_HEAD_ROWS = 1000
_CLOCK = {"m": "%H:%M", "s": "%H:%M:%S", "ms": "%H:%M:%S%.f", "us": "%H:%M:%S%.f"}
_FORMATS = {"D": "%Y-%m-%d"} | {  # of dates, as polars reads them
    unit + sign.strip(): f"%Y-%m-%d{sign}{clock}" for unit, clock in _CLOCK.items() for sign in "T "
}


class OtherReaderError(AutotypeError):
    """DuckDB or polars may read the text otherwise than `read_csv`."""


def scan_csv(text: CsvText, path: str, *, library: str, missing: Sequence[str] = ()) -> Any:
    """Return a CSV file as a lazy table.

    Parameters
    ----------
    text : CsvText
        What `examine_csv` found for an engine.
    path : str
        Name in warnings.
    library : {"duckdb", "polars"}
        It is installed.
    missing : sequence of str
        Strings that mean a missing value in any column, besides the empty one.

    Returns
    -------
    duckdb.DuckDBPyRelation or polars.LazyFrame
        The columns of `read_csv`.

    Raises
    ------
    OtherReaderError
        If the library does not read each row as `read_csv` does, such as quotes within a field.

    Warns
    -----
    UserWarning
        If a number is beyond the range of floats.
    """
    names, n_rows = text.names, text.n_rows
    if library == "duckdb" and len({name.casefold() for name in names}) < len(names):
        raise OtherReaderError("names of columns differ in case only, which DuckDB cannot hold")
    keys = [f"c{j}" for j in range(len(names))]
    strings = _strings(text, keys, library=library, missing=missing)
    try:
        rows = strings.head(_HEAD_ROWS).collect("pyarrow")
        head = DistinctCells({key: rows[key].drop_nulls().unique().to_list() for key in keys})
        cells = _ScannedCells(strings, head)
        kinds = kinds_of(cells, keys, text.reading.decimal or ".")
    except engine_errors() as problem:
        raise OtherReaderError(f"{library} cannot read it ({first_line(problem)})") from problem
    if cells.n_rows != n_rows:
        found = format_count(cells.n_rows, "row")
        raise OtherReaderError(f"{library} finds {found}, not {n_rows:,}")
    columns = []
    for key, name in zip(keys, names, strict=True):
        warn_of_beyond(name, kinds[key], path)
        columns.append(_converted(key, kinds[key], library).alias(name))
    return strings.select(*columns).to_native()


def _strings(
    text: CsvText, keys: list[str], *, library: str, missing: Sequence[str]
) -> nw.LazyFrame[Any]:
    """Return the fields as strings, null where they are missing."""
    if library == "duckdb":
        return nw.from_native(
            connect_duckdb().read_csv(
                glob.escape(str(text.path)),
                auto_detect=False,
                columns=dict.fromkeys(keys, "VARCHAR"),
                header=True,
                hive_partitioning=False,
                delimiter=text.separator,
                quotechar='"',
                escapechar='"',
                na_values=["", *missing],
            )
        )
    import polars as pl

    return nw.from_native(
        pl.scan_csv(
            str(text.path),
            glob=False,
            infer_schema=False,
            separator=text.separator,
            null_values=["", *missing],
            with_column_names=lambda _: keys,
        )
    )


class _ScannedCells:
    """The cells of a lazy table, which its engine counts.

    Attributes
    ----------
    n_rows : int
        The rows that the last count found.
    """

    def __init__(self, strings: nw.LazyFrame[Any], head: DistinctCells) -> None:
        self.strings = strings
        self.head = head
        self.n_rows = 0

    def count(self, forms: Forms, *, head: bool = False) -> dict[str, Counts]:
        """Count the cells of each form in one pass; those of the head are read already."""
        if head:
            return self.head.count(forms)
        parts = [nw.len().alias("n")]
        for key, patterns in forms.items():
            parts.append(nw.col(key).count().alias(f"{key} present"))
            for name, pattern in patterns.items():
                matches = nw.col(key).str.contains(whole(pattern)).cast(nw.Int64)
                parts.append(matches.sum().alias(f"{key} {name}"))
        (answer,) = self.strings.select(*parts).collect("pyarrow").rows(named=True)
        self.n_rows = int(answer["n"])
        return {
            key: Counter({name: int(answer[f"{key} {name}"] or 0) for name in ("present", *names)})
            for key, names in forms.items()
        }

    def of_form(self, key: str, form: str) -> list[str]:
        """Return the distinct cells that match a regular expression."""
        cells = self.strings.select(key).filter(nw.col(key).str.contains(whole(form)))
        return cells.unique().collect("pyarrow")[key].to_list()


def _converted(key: str, kind: Kind, library: str) -> nw.Expr:
    """Return a column as its kind is stored."""
    cells = nw.col(key)
    if kind.has_absent:
        cells = nw.when(~cells.is_in(sorted(MISSING_NUMBERS))).then(cells)
    if kind.name == "text":
        return cells
    if kind.name == "boolean":
        return cells.str.to_lowercase() == "true"
    if kind.name in DATES and library == "polars":
        return cells.str.to_datetime(format=_FORMATS[kind.name])
    if kind.name in DATES:
        return cells.cast(nw.Datetime("us"))
    if not kind.is_plain:
        cells = cells.str.replace_all(f"[{WHITE}+]", "")
    if kind.name == "comma":
        cells = cells.str.replace_all(",", ".", literal=True)
    if kind.is_odd:
        for digit in range(10):
            cells = cells.str.replace_all(digits_of(digit, digit, ZEROS[1:]), str(digit))
    dtypes = {"empty": nw.Int64, "integer": nw.Int64, "unsigned": nw.UInt64}
    return cells.cast(dtypes.get(kind.name, nw.Float64))
