"""Write a typed table as Parquet, CSV or JSON lines, atomically."""

from __future__ import annotations

import gzip
import json
import warnings
from typing import TYPE_CHECKING, Any

import pandas as pd

from autotype.errors import MissingExtraError, UnknownFormatError, UnwritableTableError
from autotype.files.atomic_file import atomic_path
from autotype.files.table_file import FORMATS, format_of_name
from autotype.wording import format_some

if TYPE_CHECKING:
    from autotype.type_report import TypeReport

WRITABLE = tuple(kind for kind in FORMATS if kind != "excel")


def check_output_name(path: str) -> str:
    """Return the format to write by a file's name; CSV for standard output, ``"-"``.

    Raises
    ------
    UnknownFormatError
        If the name does not end in that of a format that can be written.

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
    """Write a typed frame to a file in the format of its name.

    Parameters
    ----------
    frame : pandas.DataFrame
        As `apply_types` returns it.
    types : TypeReport
        Its types, which Parquet keeps as metadata.
    path : str
        Written under a temporary name and renamed, so that no reader sees half of it.

    Raises
    ------
    UnknownFormatError
        If the name does not end in that of a format that can be written.
    UnwritableTableError
        If the format cannot hold a column.
    MissingExtraError
        If pyarrow, which Parquet needs, is not installed.
    OSError
        If the file cannot be written.

    Warns
    -----
    UserWarning
        If readers do not see the levels' order: in text formats, and in Parquet if levels are not
        texts.
    """
    kind = check_output_name(path)
    _warn_of_lost_orders(frame, path, kind)
    with atomic_path(path) as part:
        if kind == "parquet":
            _write_parquet(frame, types, path, part)
        elif kind == "csv":
            tabs = path.lower().endswith((".tsv", ".tsv.gz"))
            frame.to_csv(
                part,
                index=False,
                sep="\t" if tabs else ",",
                compression="gzip" if path.lower().endswith(".gz") else None,
            )
        else:
            _write_jsonl(frame, path, part)


def table_as_csv(frame: pd.DataFrame) -> str:
    """Return a frame as CSV text, for standard output.

    Warns
    -----
    UserWarning
        If dtypes are lost.
    """
    _warn_of_lost_orders(frame, "standard output", "csv")
    return frame.to_csv(index=False)


def _write_parquet(frame: pd.DataFrame, types: TypeReport, path: str, part: str) -> None:
    try:
        from pyarrow import ArrowException, parquet
    except ImportError:
        raise MissingExtraError(f"{path}: writing Parquet needs pyarrow", extra="parquet") from None
    from autotype.export.arrow import to_arrow

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # unseen levels: `apply_types` has warned
            table = to_arrow(frame, types)
        parquet.write_table(table, part)
    except (ArrowException, ValueError, TypeError) as problem:
        where = _first_unsupported_column(frame)
        raise UnwritableTableError(f"{path}: {where}{problem}; or write .jsonl") from problem


def _first_unsupported_column(frame: pd.DataFrame) -> str:
    import pyarrow

    for j, name in enumerate(frame.columns):
        try:
            pyarrow.Array.from_pandas(frame.iloc[:, j])
        except (pyarrow.ArrowException, ValueError, TypeError):
            return f"column {name!r}: "
    return ""


def _write_jsonl(frame: pd.DataFrame, path: str, part: str) -> None:
    if not frame.columns.is_unique:
        repeated = frame.columns[frame.columns.duplicated()][0]
        raise UnwritableTableError(
            f"{path}: a JSON object cannot have two keys {repeated!r}; rename one"
        )
    plain = frame.astype(object).where(frame.notna(), None)
    opened = gzip.open if path.lower().endswith(".gz") else open
    with opened(part, "wt", encoding="utf-8") as file:
        for row in plain.to_dict("records"):
            file.write(json.dumps(row, ensure_ascii=False, default=_as_text) + "\n")


def _as_text(value: Any) -> Any:
    """Convert what JSON cannot hold: dates to ISO 8601, anything else to its text."""
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
    listed = format_some([str(name) for name in lost])
    if kind == "parquet":
        loss = f"the levels of {listed} are not texts: readers see plain values; the order"
        loss += " is in the file's metadata only"
    else:
        loss = f"{listed} keep their values, but neither dtype nor order; Parquet keeps them"
    warnings.warn(f"{path}: {loss}", UserWarning, stacklevel=3)
