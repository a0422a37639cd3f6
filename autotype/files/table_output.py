"""Write a typed table as Parquet, CSV or JSON lines, whole or not at all."""

from __future__ import annotations

import gzip
import json
import warnings
from typing import Any

import pandas as pd

from autotype.errors import AutotypeError, MissingExtraError
from autotype.files.atomic_file import written_whole
from autotype.files.table_file import FORMATS, UnknownFormatError, format_of_name
from autotype.type_report import TypeReport
from autotype.wording import format_some

WRITABLE = tuple(kind for kind in FORMATS if kind != "excel")


class UnwritableTableError(AutotypeError, ValueError):
    """A format cannot hold what a table holds."""


def check_output_name(path: str) -> str:
    """Tell the format to write by a file's name; standard output, ``"-"``, takes CSV.

    Raises
    ------
    UnknownFormatError
        If the name tells none that can be written.

    Examples
    --------
    >>> check_output_name("typed.parquet"), check_output_name("-")
    ('parquet', 'csv')
    """
    kind = "csv" if path == "-" else format_of_name(path)
    if kind not in WRITABLE:
        known = ", ".join(ending for kind in WRITABLE for ending in FORMATS[kind])
        raise UnknownFormatError(f"{path}: the name must end in one of {known}")
    return str(kind)


def write_table(frame: pd.DataFrame, types: TypeReport, path: str) -> None:
    """Write a typed frame to a file in the format that its name tells.

    Parameters
    ----------
    frame : pandas.DataFrame
        As `apply_types` gives it.
    types : TypeReport
        Its types, which Parquet keeps beside the columns.
    path : str
        Written beside its place and then renamed, so that no reader sees half of it.

    Raises
    ------
    UnknownFormatError
        If the name tells no format that can be written.
    UnwritableTableError
        If the format cannot hold a column.
    MissingExtraError
        If Parquet is to be written and pyarrow is not installed.
    OSError
        If the file cannot be written.

    Warns
    -----
    UserWarning
        Where readers do not see the levels' order: in text formats, and in Parquet where levels
        are not texts.
    """
    kind = check_output_name(path)
    _warn_of_lost_orders(frame, path, kind)
    with written_whole(path) as beside:
        if kind == "parquet":
            _write_parquet(frame, types, path, beside)
        elif kind == "csv":
            tabs = path.lower().endswith((".tsv", ".tsv.gz"))
            frame.to_csv(
                beside,
                index=False,
                sep="\t" if tabs else ",",
                compression="gzip" if path.lower().endswith(".gz") else None,
            )
        else:
            _write_jsonl(frame, path, beside)


def table_as_csv(frame: pd.DataFrame) -> str:
    """Give a frame as CSV text, for standard output.

    Warns
    -----
    UserWarning
        Where dtypes are lost.
    """
    _warn_of_lost_orders(frame, "standard output", "csv")
    return frame.to_csv(index=False)


def _write_parquet(frame: pd.DataFrame, types: TypeReport, path: str, beside: str) -> None:
    try:
        from pyarrow import ArrowException, parquet
    except ImportError:
        raise MissingExtraError(
            f'{path}: writing Parquet needs pyarrow; type pip install "autotype[parquet]"'
        ) from None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # levels never seen: told of already
            table = frame.ordinal.to_arrow(types)
        parquet.write_table(table, beside)
    except (ArrowException, ValueError, TypeError) as problem:
        where = _first_that_arrow_refuses(frame)
        raise UnwritableTableError(f"{path}: {where}{problem}; or write .jsonl") from problem


def _first_that_arrow_refuses(frame: pd.DataFrame) -> str:
    import pyarrow

    for j, name in enumerate(frame.columns):
        try:
            pyarrow.Array.from_pandas(frame.iloc[:, j])
        except (pyarrow.ArrowException, ValueError, TypeError):
            return f"column {name!r}: "
    return ""


def _write_jsonl(frame: pd.DataFrame, path: str, beside: str) -> None:
    if not frame.columns.is_unique:
        twice = frame.columns[frame.columns.duplicated()][0]
        raise UnwritableTableError(f"{path}: a JSON object has no two keys {twice!r}; rename one")
    plain = frame.astype(object).where(frame.notna(), None)
    opened = gzip.open if path.lower().endswith(".gz") else open
    with opened(beside, "wt", encoding="utf-8") as file:
        for row in plain.to_dict("records"):
            file.write(json.dumps(row, ensure_ascii=False, default=_as_text) + "\n")


def _as_text(value: Any) -> Any:
    """Write what JSON does not know: dates in ISO 8601, all else as its text."""
    return value.isoformat() if hasattr(value, "isoformat") else str(value)


def _warn_of_lost_orders(frame: pd.DataFrame, path: str, kind: str) -> None:
    ordered = [
        (name, dtype.categories)
        for name, dtype in zip(frame.columns, frame.dtypes, strict=True)
        if isinstance(dtype, pd.CategoricalDtype) and dtype.ordered
    ]
    lost = [
        name
        for name, levels in ordered
        if kind != "parquet" or not all(isinstance(level, str) for level in levels)
    ]
    if not lost:
        return
    named = format_some([str(name) for name in lost])
    if kind == "parquet":
        said = f"the levels of {named} are no texts: readers see plain values; the order"
        said += " stands in the file's metadata alone"
    else:
        said = f"{named} keep their values, but neither dtype nor order; Parquet keeps them"
    warnings.warn(f"{path}: {said}", UserWarning, stacklevel=3)
