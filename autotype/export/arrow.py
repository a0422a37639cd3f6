"""Typed frames as Arrow tables, and so as Parquet: order kept for pyarrow, pandas and polars."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import pandas as pd

from autotype.column_type import ColumnType
from autotype.errors import MissingExtraError
from autotype.export.categoricals import apply_types, match_columns
from autotype.export.json_values import decode, encode
from autotype.type_report import TypeReport

if TYPE_CHECKING:
    import pyarrow

# Under this key an Arrow field's metadata hold the column's type.
_KEY = b"autotype"
# Under this one polars looks for the levels of an Enum: each as its length in bytes, and itself.
_POLARS_ENUM = b"_PL_ENUM_VALUES2"


def to_arrow(frame: pd.DataFrame, types: TypeReport) -> pyarrow.Table:
    """Give a frame, with its types applied, as an Arrow table that keeps levels and order.

    Parameters
    ----------
    frame : pandas.DataFrame
        The frame that was typed, or another with columns of the same names. It is not changed.
    types : TypeReport
        Its types.

    Returns
    -------
    pyarrow.Table
        Columns with levels are dictionaries, ordered for ordinal columns. The metadata of each
        field hold its type, which `types_from_arrow` reads. ``pyarrow.parquet.write_table``
        writes it all; polars reads ordinal columns of texts as ``Enum``.

    Raises
    ------
    MissingExtraError
        If pyarrow is not installed.
    ValueError, TypeError
        If Arrow cannot hold a column, for instance one of mixed objects.

    Notes
    -----
    Parquet itself keeps dictionaries of texts only: an ordinal column of numbers comes back as
    numbers, and an empty one without levels. ``frame.ordinal.apply_types(types_from_arrow(table))``
    restores both from the metadata.

    Examples
    --------
    >>> import pandas as pd, autotype
    >>> frame = pd.DataFrame({"size": ["M", "S", "L"] * 5})
    >>> to_arrow(frame, autotype.infer_types(frame)).schema.field("size").type.ordered
    True
    """
    pa = _pyarrow()
    typed = apply_types(frame, types)
    labels = typed.columns
    typed.columns = pd.RangeIndex(len(labels))  # Arrow wants texts, pandas' metadata unique ones
    try:
        arrays = [pa.Array.from_pandas(typed.iloc[:, j]) for j in range(len(labels))]
    except (pa.ArrowInvalid, pa.ArrowTypeError, pa.ArrowNotImplementedError) as problem:
        raise ValueError(
            f"Arrow cannot hold a column as it is: {problem}; cast it, for instance to texts"
        ) from problem
    typed.columns = labels
    names = [str(label) for label in labels]
    table = pa.Table.from_arrays(arrays, names=names)
    if labels.is_unique and all(isinstance(label, str) for label in labels):
        table = table.replace_schema_metadata(
            pa.Schema.from_pandas(typed, preserve_index=False).metadata
        )
    matched = list(match_columns(typed, types))
    fields = [
        field.with_metadata(_metadata(values, column)) if column is not None else field
        for field, (values, column) in zip(table.schema, matched, strict=True)
    ]
    return table.cast(pa.schema(fields, metadata=table.schema.metadata))


def types_from_arrow(source: pyarrow.Table | pyarrow.Schema) -> TypeReport:
    """Give the types that `to_arrow` noted, or else those that the dictionaries state.

    Parameters
    ----------
    source : pyarrow.Table or pyarrow.Schema
        Of ``pyarrow.parquet.read_table``, or ``read_schema`` where the notes are enough.

    Returns
    -------
    TypeReport
        One column for each field with a note, or, in a table, with a dictionary: ordered ones are
        ordinal, others categorical.

    Raises
    ------
    TypeError
        If `source` is neither.
    """
    pa = _pyarrow()
    if not isinstance(source, (pa.Table, pa.Schema)):
        raise TypeError(
            f"expected a pyarrow Table or Schema, got {type(source).__qualname__}; "
            "pyarrow.parquet.read_table(path) reads one"
        )
    table = source if isinstance(source, pa.Table) else None
    schema = source.schema if table is not None else source
    found = [_read(field, table, j) for j, field in enumerate(schema)]
    return TypeReport(
        [column for column in found if column is not None],
        n_rows=0 if table is None else table.num_rows,
    )


def _pyarrow() -> Any:
    try:
        import pyarrow
    except ImportError:
        raise MissingExtraError(
            'Arrow tables need pyarrow; type pip install "autotype[parquet]"'
        ) from None
    return pyarrow


def _metadata(values: pd.Series, column: ColumnType) -> dict[bytes, bytes]:
    note: dict[str, Any] = {
        "name": encode(column.name),
        "semantic_type": column.semantic_type,
        "probability": encode(column.probability),
    }
    if not isinstance(values.dtype, pd.CategoricalDtype):
        return {_KEY: json.dumps(note).encode()}
    levels = values.cat.categories.tolist()
    if values.cat.ordered:
        note["order"] = [encode(level) for level in levels if level not in column.off_scale]
        note["off_scale"] = [encode(level) for level in levels if level in column.off_scale]
        note["direction_known"] = column.direction_known
    counts = values.value_counts(sort=False)
    note["levels"] = [[encode(level), int(counts[level])] for level in levels]
    metadata = {_KEY: json.dumps(note).encode()}
    if values.cat.ordered and all(isinstance(level, str) for level in levels):
        lengths = (f"{len(level.encode())};{level}" for level in levels)
        metadata[_POLARS_ENUM] = "".join(lengths).encode()
    return metadata


def _read(field: pyarrow.Field, table: pyarrow.Table | None, j: int) -> ColumnType | None:
    note = (field.metadata or {}).get(_KEY)
    if note is not None:
        return _column(json.loads(note))
    if table is None or not _pyarrow().types.is_dictionary(field.type):
        return None
    values = table.column(j).combine_chunks().to_pandas()
    levels = values.cat.categories.tolist()
    return ColumnType(
        name=field.name,
        semantic_type="ordinal" if field.type.ordered else "categorical",
        probability=1.0 if field.type.ordered else math.nan,
        order=tuple(levels) if field.type.ordered else None,
        best_order=tuple(levels) if field.type.ordered else None,
        direction_known=bool(field.type.ordered),
        levels=values.value_counts(sort=False).to_dict(),
        n_levels=len(levels),
        reasons=("Its Arrow type says so.",),
    )


def _column(note: Mapping[str, Any]) -> ColumnType:
    order = tuple(map(decode, note["order"])) if "order" in note else None
    levels = {decode(level): count for level, count in note.get("levels", ())}
    return ColumnType(
        name=decode(note["name"]),
        semantic_type=note["semantic_type"],
        probability=decode(note["probability"]),
        order=order,
        best_order=order,
        direction_known=note.get("direction_known", False),
        levels=levels,
        n_levels=len(levels),
        off_scale=tuple(map(decode, note.get("off_scale", ()))),
        reasons=("Its Arrow metadata say so.",),
    )
