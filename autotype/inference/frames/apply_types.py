"""Cast a frame's discrete columns to the dtypes of their levels, in any library.

Which columns are cast, and what becomes of levels that the report does not hold, is decided here,
once. How a library casts a column to given levels is in `autotype.inference.frames.casts`.

Values that mean a missing one are blanked before. A column of numbers of which some cells say "n/a"
is one of strings until these are blanked. Which columns that concerns is decided here, once; pandas
and the other libraries differ in the statements only, which narwhals writes for all but pandas.
"""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Literal

import numpy as np
import pandas as pd

from autotype.errors import UnknownColumnError, UnseenLevelError
from autotype.inference.frames.casts import Unseen, cast_frame, castable_names
from autotype.types.arrow_array import with_plain_missing
from autotype.types.column_mapping import check_report, match_by_name
from autotype.types.column_type import DISCRETE, NUMBERS, ColumnType
from autotype.types.column_types import ColumnTypes
from autotype.types.dtype_marks import WRITTEN_CELLS, WRITTEN_DATES, mark_columns
from autotype.types.levels import LevelSet, join_columns
from autotype.types.nan_equality import nan_key
from autotype.wording import format_level, format_some

# Numbers that every library converts as they are.
_NUMBER = r"^[-+]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]{1,2})?$"


def apply_types(
    frame: pd.DataFrame,
    types: ColumnTypes,
    *,
    unseen: Literal["keep", "raise"] = "keep",
    blank_markers: bool = False,
    labels: bool = False,
) -> pd.DataFrame:
    """Cast discrete columns to ordered and unordered Categoricals; nothing is lost.

    Parameters
    ----------
    frame : frame
        The frame that was typed, or another with columns of the same names. It is not changed.
    types : TypeReport
        Its types. Columns absent from the report stay as they are.
    unseen : {"keep", "raise"}
        What to do with levels absent from the report: keep them as levels, with a warning that
        lists them, or raise an error.
    blank_markers : bool
        Whether to make the missing markers of all columns missing. By default only those that
        numbers cannot be: a column of numbers that "n/a" makes one of strings becomes floats.
    labels : bool
        Whether the levels are the labels of stored values in place of these, where a codebook has
        labels; only of a pandas frame. A label of two values has the value behind it, and a level
        without a label is its own.

    Returns
    -------
    frame
        Of the same kind; lazy ones stay lazy. In pandas, ordinal columns as ordered Categoricals,
        lowest level first; categorical and undetermined columns, and binary ones of strings, as
        unordered ones; all others as they were, but for numbers beside missing markers. Missing
        values stay missing, ``Decimal("sNaN")`` among them. ``attrs["autotype"]`` of a pandas frame
        names the ordered columns, whose dtype `infer_types` then takes as it is. A column of True
        beside 1 stays as it is, since a Categorical keeps one of the two. If no marker is
        made missing, ``typed.astype(frame.dtypes)`` is the frame again.

    Raises
    ------
    TypeError
        If `types` is not a report.
    UnknownColumnError
        If the frame holds none of the report's columns.
    UnseenLevelError
        With ``unseen="raise"``, for a level absent from the report.
    ValueError
        If `unseen` is neither of the two, or the frame is not of pandas and `labels` is true.

    Warns
    -----
    UserWarning
        For levels absent from the report, and columns that become numbers.

    Notes
    -----
    In polars, ordinal columns become Enum and others Categorical; in Arrow and Dask, ordered and
    unordered dictionaries or Categoricals; in DuckDB, ENUM; in Spark and Ibis, a column of ranks is
    added, whose name ends in ``_rank``.

    Categories that neither a row nor the report holds are dropped: their place on the scale is not
    known. An ordered dtype has to place every level. Levels off the scale ("don't know") and unseen
    ones come first, below the lowest level, so that "at least fair" never selects them.

    Examples
    --------
    >>> import pandas as pd, autotype
    >>> frame = pd.DataFrame({"size": ["M", "S", "L", None] * 5})
    >>> typed = apply_types(frame, autotype.infer_types(frame))
    >>> typed["size"].cat.categories.tolist(), typed["size"].cat.ordered
    (['S', 'M', 'L'], True)
    """
    check_report(types)
    names = castable_names(frame)
    attrs = getattr(frame, "attrs", None) or {}
    written = {k: v for k, v in attrs.items() if k in (WRITTEN_CELLS, WRITTEN_DATES)}
    frame = without_markers(frame, names, types, everywhere=blank_markers)
    columns = types.columns
    if blank_markers:
        columns = tuple(column.without_markers() for column in columns)
    if labels and not isinstance(frame, pd.DataFrame):
        raise ValueError(f"labels=True needs a pandas frame, got one of {type(frame).__module__}")
    typed = cast_levels(frame, columns, unseen=unseen)
    if isinstance(typed, pd.DataFrame):
        labelled = _with_labels(typed, columns) if labels else typed
        labelled.attrs = {**labelled.attrs, **written}
        mark_columns(typed, columns, labelled)
        return labelled
    return typed


def _with_labels(typed: pd.DataFrame, types: Sequence[ColumnType]) -> pd.DataFrame:
    """Return a typed frame with labels in place of the stored values that have some."""
    matches, _ = match_by_name(typed.columns, types)
    parts = [typed.iloc[:, j] for j in range(typed.shape[1])]
    for j, column in enumerate(matches):
        if column is None or not column.labels or column.semantic_type not in DISCRETE:
            continue
        values = parts[j]
        if not isinstance(values.dtype, pd.CategoricalDtype):
            values = values.astype("category")
        levels = values.cat.categories
        texts = [column.labels.get(level, "").strip() or format_level(level) for level in levels]
        shared = Counter(texts)
        parts[j] = values.cat.rename_categories(
            [
                f"{text} ({format_level(level)})" if shared[text] > 1 else text
                for level, text in zip(levels, texts, strict=True)
            ]
        )
    labelled = join_columns(parts, typed.columns) if parts else typed
    labelled.attrs = typed.attrs
    return labelled


def cast_levels(
    frame: pd.DataFrame, types: Sequence[ColumnType], *, unseen: Literal["keep", "raise"] = "keep"
) -> pd.DataFrame:
    """Cast discrete columns as `apply_types` does, and leave all values as they are.

    Parameters
    ----------
    frame, unseen
        As of `apply_types`.
    types : sequence of ColumnType
    """
    if unseen not in ("keep", "raise"):
        raise ValueError(f"unseen must be 'keep' or 'raise', got {unseen!r}")
    names = castable_names(frame)
    matches, _ = match_by_name(names, types)
    if types and not any(matches):
        raise UnknownColumnError(
            f"the frame holds none of the report's {len(types)} columns; "
            f"its own are {format_some(names)}"
        )
    columns = {j: column for j, column in enumerate(matches) if column and _may_be_cast(column)}
    return cast_frame(frame, list(columns), partial(_levels, columns, unseen))


def match_columns(
    frame: pd.DataFrame, types: ColumnTypes
) -> Iterator[tuple[pd.Series, ColumnType | None]]:
    """Yield the frame's columns with their types; the n-th of a name matches the n-th type."""
    matches, _ = match_by_name(frame.columns, types.columns)
    for j, column in enumerate(matches):
        yield with_plain_missing(frame.iloc[:, j]), column


def _may_be_cast(column: ColumnType) -> bool:
    """Check whether a column is cast; the rows decide if the report lists no levels."""
    levels = column.level_set
    return levels is not None and (not levels.categories or column.is_cast(levels.categories))


def _levels(
    columns: Mapping[int, ColumnType],
    unseen: str,
    position: int,
    find_unseen: Unseen,
    first_row: Callable[[Any], str],
) -> LevelSet | None:
    """Return the levels to which a column is cast, those that only its rows hold included."""
    column = columns[position]
    levels = column.level_set or LevelSet(())
    known = levels.categories
    keys = set(map(nan_key, known))
    new = find_unseen(lambda level: nan_key(level) in keys)
    if new is None:
        finding = f"column {column.name!r} holds cells that are no levels, such as lists"
        _report_unseen(finding, unseen, "; it stays as it is")
        return None
    if new and known:
        finding = f"column {column.name!r} holds levels not in the report: {format_some(new)}"
        _report_unseen(finding + first_row(new[0]), unseen, "; kept as levels")
    return levels.with_new(new) if column.is_cast(known or new) else None


def _report_unseen(finding: str, unseen: str, otherwise: str) -> None:
    if unseen == "raise":
        remedy = "correct them, infer the types of this frame, or pass unseen='keep'"
        raise UnseenLevelError(finding, remedy)
    warnings.warn(finding + otherwise, UserWarning, stacklevel=6)


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
    counts = [
        (~values.str.contains(_NUMBER)).fill_null(False).cast(nw.Int64).sum().alias(name)
        for name, values in zip(names, blanked, strict=True)
    ]
    wrong = table.lazy().select(counts).collect()
    return {name for name in names if not wrong[name][0]}
