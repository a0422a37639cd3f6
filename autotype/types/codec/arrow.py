"""Keep the types of columns in the metadata of Arrow tables, and so of Parquet."""

from __future__ import annotations

import json
import math
from collections.abc import Hashable
from contextlib import suppress

import pandas as pd

from autotype.errors import UnreadableTypesError, UnwritableTableError, UnwritableTypesError
from autotype.lazy_names import import_library
from autotype.types.arrow_array import to_arrow_array, with_plain_missing
from autotype.types.codec.json_values import is_unicode, read_json
from autotype.types.codec.plain_column import as_plain, from_plain
from autotype.types.column_mapping import ColumnMapping, match_by_name
from autotype.types.column_type import ColumnType
from autotype.types.decisions.decision import Decision, decided_fields

with suppress(ImportError):  # pandas imports it where it is installed
    import pyarrow as pa

_NEEDED = "Arrow tables need pyarrow"
# Key of an Arrow field's metadata for the column's type.
_KEY = b"autotype"
# What a report has besides: a reader of the table has the rows that this is about.
_LEFT_OUT = ("evidence", "profile")
# Key under which polars stores the levels of an Enum: each as its length in bytes, and itself.
_POLARS_ENUM = b"_PL_ENUM_VALUES2"


def as_arrow(typed: pd.DataFrame, types: ColumnMapping[ColumnType]) -> pa.Table:
    """Return a frame whose types have been applied as an Arrow table that keeps levels and order.

    Parameters
    ----------
    typed : pandas.DataFrame
        As `apply_types` returns it.
    types : mapping of ColumnType
        Its types.

    Returns
    -------
    pyarrow.Table
        Columns with levels are dictionaries, ordered for ordinal columns; durations stay plain,
        since Parquet would lose their unit. The metadata of each field hold its type, which
        `columns_from_arrow` reads.

    Raises
    ------
    MissingExtraError
        If pyarrow is not installed.
    UnwritableTableError
        If Arrow cannot hold a column, for instance one of mixed objects or of integers
        beyond 64 bits, or its name; the message names it. It is a ValueError.
    """
    import_library("pyarrow", _NEEDED, extra="parquet")
    labels = typed.columns
    names = [_field_name(label) for label in labels]
    # Arrow accepts strings only, and pandas' metadata unique ones.
    plain = typed.set_axis(pd.RangeIndex(len(labels)), axis="columns")
    arrays = [_array(plain.iloc[:, j], label) for j, label in enumerate(labels)]
    table = pa.Table.from_arrays(arrays, names=names)
    if labels.is_unique and all(isinstance(label, str) for label in labels):
        kept = typed.copy(deep=False)  # of attrs that JSON cannot hold in full, Arrow keeps none
        kept.attrs = json.loads(json.dumps(typed.attrs, default=lambda _: None, skipkeys=True))
        table = table.replace_schema_metadata(
            pa.Schema.from_pandas(kept, preserve_index=False).metadata
        )
    matches, _ = match_by_name(labels, types.columns)
    fields = [
        field.with_metadata(_metadata(with_plain_missing(typed.iloc[:, j]), column))
        if column is not None
        else field
        for j, (field, column) in enumerate(zip(table.schema, matches, strict=True))
    ]
    return table.cast(pa.schema(fields, metadata=table.schema.metadata))


def _field_name(label: Hashable) -> str:
    name = str(label)
    if not is_unicode(name):
        raise UnwritableTableError(
            f"Arrow cannot hold the name of a column as it is: {label!r} holds half of a character "
            "(a lone surrogate); rename the column"
        )
    return name


def _array(values: pd.Series, label: Hashable) -> pa.Array:
    try:
        array = to_arrow_array(values)
    except (pa.ArrowException, ArithmeticError, TypeError, ValueError) as problem:
        raise UnwritableTableError(
            f"Arrow cannot hold a column as it is: {label!r}: {problem}; cast it, for instance to "
            "strings"
        ) from problem
    is_dictionary = pa.types.is_dictionary(array.type)
    if is_dictionary and pa.types.is_duration(array.type.value_type):
        return array.dictionary_decode()  # a dictionary of them is numbers in Parquet
    return array


def columns_from_arrow(source: pa.Table | pa.Schema) -> tuple[list[ColumnType], int]:
    """Read the types that `as_arrow` stored, or else those that the dictionaries state.

    Parameters
    ----------
    source : pyarrow.Table or pyarrow.Schema
        From ``pyarrow.parquet.read_table``, or ``read_schema`` if the metadata suffice.

    Returns
    -------
    columns : list of ColumnType
        One for each field with metadata of `as_arrow`, or, in a table, with a dictionary: ordered
        ones are ordinal, others categorical.
    n_rows : int
        Rows of the table; 0 for a schema.

    Raises
    ------
    TypeError
        If `source` is neither.
    UnreadableTypesError
        If the metadata of a field are damaged.
    """
    import_library("pyarrow", _NEEDED, extra="parquet")
    if not isinstance(source, (pa.Table, pa.Schema)):
        raise TypeError(
            f"expected a pyarrow Table or Schema, got {type(source).__qualname__}; "
            "pyarrow.parquet.read_table(path) reads one"
        )
    table = source if isinstance(source, pa.Table) else None
    schema = source.schema if table is not None else source
    columns = [_read(field, table, j) for j, field in enumerate(schema)]
    n_rows = 0 if table is None else table.num_rows
    return [column for column in columns if column is not None], n_rows


def _metadata(values: pd.Series, column: ColumnType) -> dict[bytes, bytes]:
    try:
        note = as_plain(column, without=_LEFT_OUT)
    except UnwritableTypesError as problem:
        raise UnwritableTableError(
            f"Arrow's metadata cannot hold the type of {problem}"
        ) from problem
    metadata = {_KEY: json.dumps(note).encode()}
    if isinstance(values.dtype, pd.CategoricalDtype) and values.cat.ordered:
        levels = values.cat.categories.tolist()
        if all(isinstance(level, str) for level in levels):
            lengths = (f"{len(level.encode())};{level}" for level in levels)
            metadata[_POLARS_ENUM] = "".join(lengths).encode()
    return metadata


def _read(field: pa.Field, table: pa.Table | None, j: int) -> ColumnType | None:
    note = (field.metadata or {}).get(_KEY)
    if note is not None:
        try:
            return from_plain(read_json(note.decode()), without=_LEFT_OUT)
        except ValueError as problem:
            raise UnreadableTypesError(
                f"the metadata {_KEY.decode()!r} of the field {field.name!r} are damaged: "
                f"{problem}; remove them, or write the table again"
            ) from problem
    if table is None or not pa.types.is_dictionary(field.type):
        return None
    values = table.column(j).combine_chunks().to_pandas()
    levels = values.cat.categories.tolist()
    is_ordered = field.type.ordered
    decision = Decision(
        "ordinal" if is_ordered else "categorical",
        tuple(levels) if is_ordered else None,
        order_probability=math.nan,
    )
    return ColumnType(
        field.name,
        **decided_fields(decision, values.value_counts(sort=False).to_dict()),
        n_levels=len(levels),
        reasons=("Stated by its Arrow type.",),
        provenance="known",
    )
