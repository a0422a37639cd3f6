"""Blank the values of columns that mean a missing one, in any library.

A column of numbers of which some cells say "n/a" is one of strings until these are blanked. Which
columns that concerns is decided here, once; pandas and the other libraries differ in the statements
only, which narwhals writes for all but pandas.
"""

from __future__ import annotations

import warnings
from collections.abc import Collection, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from autotype.types.column_mapping import match_by_name
from autotype.types.column_type import NUMBERS, ColumnType
from autotype.types.column_types import ColumnTypes
from autotype.types.levels import join_columns
from autotype.wording import format_some

# Numbers that every library converts as they are.
_NUMBER = r"^[-+]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]{1,2})?$"


def without_markers(
    frame: Any, names: Sequence[Any], types: ColumnTypes, *, everywhere: bool
) -> Any:
    """Return a frame in which values that mean a missing one are missing.

    Parameters
    ----------
    frame : frame
        Of pandas, or of another library whose columns can be cast. It is not changed.
    names : sequence
        Its columns.
    types : ColumnTypes
        Their `missing_markers` are blanked in columns of numbers that they make strings: those
        become floats.
    everywhere : bool
        Whether to blank them in all other columns as well, which keep their dtype.

    Returns
    -------
    frame
        Of the same kind; lazy ones stay lazy.

    Warns
    -----
    UserWarning
        Which columns have become numbers.
    """
    if not any(column.missing_markers for column in types.columns):
        return frame
    matches, _ = match_by_name(names, types.columns)
    marked = {j: column for j, column in enumerate(matches) if column and column.missing_markers}
    blank = _in_pandas if isinstance(frame, pd.DataFrame) else _in_others
    blanked, converted = blank(frame, marked, everywhere)
    if converted:
        named = format_some([column.name for column in converted])
        held = list(dict.fromkeys(m for column in converted for m in column.missing_markers))
        warnings.warn(
            f"the numbers of {named} are stored as such, with {format_some(held)} as missing",
            UserWarning,
            stacklevel=3,
        )
    return blanked


def _may_be_numbers(column: ColumnType) -> bool:
    """Check for a column of numbers that its markers make one of strings."""
    is_text = any(isinstance(marker, str) for marker in column.missing_markers)
    return is_text and column.semantic_type in NUMBERS


def _in_pandas(
    frame: pd.DataFrame, marked: Mapping[int, ColumnType], everywhere: bool
) -> tuple[pd.DataFrame, list[ColumnType]]:
    columns = [frame.iloc[:, j] for j in range(frame.shape[1])]
    converted = []
    for j, column in marked.items():
        is_marker = columns[j].isin(list(column.missing_markers))
        blanked = columns[j].mask(is_marker)
        numbers = _as_numbers(blanked) if _may_be_numbers(column) else None
        if numbers is not None:
            columns[j] = numbers
            converted.append(column)
        elif everywhere:
            columns[j] = blanked
    return join_columns(columns, frame.columns), converted


def _as_numbers(values: pd.Series) -> pd.Series | None:
    """Return strings of numbers as floats; None if one of them is none, or if they are numbers."""
    types = pd.api.types
    if types.is_numeric_dtype(values.dtype) or types.is_datetime64_any_dtype(values.dtype):
        return None
    cells = values.astype(object).where(values.notna(), None)
    texts = pd.Series([v if isinstance(v, str) else str(v) for v in cells.dropna()], dtype="str")
    if not texts.str.fullmatch(_NUMBER[1:-1]).all():
        return None
    numbers = np.array([np.nan if v is None else float(v) for v in cells], dtype=np.float64)
    return pd.Series(numbers, index=values.index, name=values.name)


def _in_others(
    frame: Any, marked: Mapping[int, ColumnType], everywhere: bool
) -> tuple[Any, list[ColumnType]]:
    import narwhals as nw

    table = nw.from_native(frame)
    schema = table.collect_schema()
    names = list(schema)
    strings = {j for j in marked if schema[names[j]] in (nw.String, nw.Categorical, nw.Enum)}
    blanked = {j: _blanked(nw, names[j], column, j in strings) for j, column in marked.items()}
    wanted = [j for j, column in marked.items() if j in strings and _may_be_numbers(column)]
    numeric = _all_numbers(nw, table, [names[j] for j in wanted], [blanked[j] for j in wanted])
    casts = {j: blanked[j].cast(nw.Float64).alias(names[j]) for j in wanted if names[j] in numeric}
    if everywhere:
        casts = {j: b.alias(names[j]) for j, b in blanked.items() if b is not None} | casts
    if not casts:
        return frame, []
    return nw.to_native(table.with_columns(*casts.values())), [
        marked[j] for j in wanted if names[j] in numeric
    ]


def _blanked(nw: Any, name: str, column: ColumnType, is_text: bool) -> Any:
    """Return the expression of a column without its markers; None if it can hold none of them."""
    markers = [m for m in column.missing_markers if isinstance(m, str) == is_text]
    if not markers:
        return None
    values = nw.col(name).cast(nw.String) if is_text else nw.col(name)
    return nw.when(~values.is_in(markers)).then(values)


def _all_numbers(
    nw: Any, table: Any, names: Sequence[str], blanked: Sequence[Any]
) -> Collection[str]:
    """Return the columns that hold strings of numbers only, apart from their markers."""
    if not names:
        return ()
    wrong = table.select(
        *(
            (~values.str.contains(_NUMBER)).fill_null(False).cast(nw.Int64).sum().alias(name)
            for name, values in zip(names, blanked, strict=True)
        )
    )
    if isinstance(wrong, nw.LazyFrame):
        wrong = wrong.collect()
    return {name for name in names if not wrong[name][0]}
