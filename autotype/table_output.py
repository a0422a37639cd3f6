"""Write a typed table as Parquet, CSV or JSON lines, whole or not at all."""

from __future__ import annotations

import warnings
from typing import Any

import pandas as pd

from autotype.atomic_file import written_whole
from autotype.exceptions import AutotypeError, MissingExtraError
from autotype.table_file import FORMATS, UnknownFormatError, format_of_name

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


def write_table(frame: pd.DataFrame, path: str) -> None:
    """Write a frame to a file in the format that its name tells.

    Parameters
    ----------
    frame : pandas.DataFrame
        Usually with ordered and unordered Categoricals.
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
        Where the levels' order is lost: in text formats always, in Parquet where levels are not
        texts.
    """
    kind = check_output_name(path)
    _warn_of_lost_orders(frame, path, kind)
    with written_whole(path) as beside:
        if kind == "parquet":
            _write_parquet(frame, path, beside)
        elif kind == "csv":
            tabs = path.lower().endswith((".tsv", ".tsv.gz"))
            frame.to_csv(
                beside, index=False, sep="\t" if tabs else ",", compression=_compression(path)
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


def _write_parquet(frame: pd.DataFrame, path: str, beside: str) -> None:
    try:
        import pyarrow
    except ImportError:
        raise MissingExtraError(
            f'{path}: writing Parquet needs pyarrow; type pip install "autotype[parquet]"'
        ) from None
    try:
        frame.to_parquet(beside, engine="pyarrow")
    except (pyarrow.ArrowException, ValueError, TypeError) as problem:
        raise UnwritableTableError(
            f"{path}: Parquet cannot hold this table ({' '.join(str(problem).split())}); "
            "write .csv or .jsonl instead"
        ) from problem


def _write_jsonl(frame: pd.DataFrame, path: str, beside: str) -> None:
    try:
        frame.to_json(
            beside,
            orient="records",
            lines=True,
            force_ascii=False,
            date_format="iso",
            double_precision=15,
            compression=_compression(path),
        )
    except (ValueError, TypeError, OverflowError) as problem:
        raise UnwritableTableError(f"{path}: JSON cannot hold this table ({problem})") from problem


def _compression(path: str) -> Any:
    return "gzip" if path.lower().endswith(".gz") else None


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
    named = ", ".join(repr(str(name)) for name in lost[:5])
    more = f" and {len(lost) - 5} more" if len(lost) > 5 else ""
    remedy = (
        "of levels that are texts alone does Parquet keep the order"
        if kind == "parquet"
        else "Parquet keeps them"
    )
    warnings.warn(
        f"{path}: dtypes and orders are lost of {named}{more}; {remedy}", UserWarning, stacklevel=3
    )
