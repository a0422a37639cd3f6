"""Cast a frame's discrete columns to ordered and unordered Categoricals."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import pandas as pd

from autotype.column_mapping import check_report, match_by_name
from autotype.column_type import ColumnType
from autotype.errors import UnknownColumnError, UnseenLevelError
from autotype.wording import format_some

if TYPE_CHECKING:
    from autotype.type_report import TypeReport


def apply_types(
    frame: pd.DataFrame, types: TypeReport, *, unseen: Literal["keep", "raise"] = "keep"
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

    Returns
    -------
    frame
        Of the same kind; lazy ones stay lazy. In pandas, ordinal columns as ordered Categoricals,
        lowest level first; categorical, undetermined and text-valued binary columns as unordered
        ones; all others as they were. Missing values stay missing, and
        ``typed.astype(frame.dtypes)`` is the frame again.

    Raises
    ------
    TypeError
        If `types` is not a report.
    UnknownColumnError
        If the frame holds none of the report's columns.
    UnseenLevelError
        With ``unseen="raise"``, for a level absent from the report.
    ValueError
        If `unseen` is neither of the two.

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
    if unseen not in ("keep", "raise"):
        raise ValueError(f"unseen must be 'keep' or 'raise', got {unseen!r}")
    if not isinstance(frame, pd.DataFrame):
        from autotype.export.native_types import apply_native

        return apply_native(frame, types, unseen=unseen)
    check_report(types)
    matched = list(match_columns(frame, types))
    if types.columns and not any(column for _, column in matched):
        raise UnknownColumnError(
            f"the frame holds none of the report's {len(types.columns)} columns; "
            f"its own are {format_some(list(frame.columns))}"
        )
    cast = [_cast(values, column, unseen) for values, column in matched]
    if not cast:
        return frame.copy()
    typed = pd.concat(cast, axis=1)
    typed.columns = frame.columns
    return typed


def match_columns(
    frame: pd.DataFrame, types: TypeReport
) -> Iterator[tuple[pd.Series, ColumnType | None]]:
    """Yield the frame's columns with their types; the n-th of a name matches the n-th type."""
    matches, _ = match_by_name(frame.columns, types.columns)
    for j, column in enumerate(matches):
        yield frame.iloc[:, j], column


def _cast(values: pd.Series, column: ColumnType | None, unseen: str) -> pd.Series:
    if column is None or not _is_discrete(values, column):
        return values
    if column.semantic_type == "ordinal":
        known = [*column.off_scale, *(column.order or ())]
    else:
        known = list(column.levels)
    new = _unseen_levels(values, known)
    if new and known:
        _report_unseen(values, column, new, unseen)
    ordered = column.semantic_type == "ordinal"
    categories = [*new, *known] if ordered else [*known, *new]
    return cast_to_levels(values, categories, ordered=ordered)


def cast_to_levels(values: pd.Series, levels: list, *, ordered: bool) -> pd.Series:
    """Cast to a Categorical of any hashable levels, including tuples and lone surrogates."""
    if values.dtype == np.float16:
        values = values.astype(np.float32)  # pandas has no index of float16
    try:
        index = pd.Index(levels, tupleize_cols=False)
        return values.astype(pd.CategoricalDtype(index, ordered=ordered))
    except UnicodeEncodeError:  # lone surrogates, which Arrow's texts cannot hold
        index = pd.Index(levels, dtype=object, tupleize_cols=False)
    places = {level: k for k, level in enumerate(levels)}
    codes = [places.get(value, -1) for value in values]
    cast = pd.Categorical.from_codes(codes, dtype=pd.CategoricalDtype(index, ordered=ordered))
    return pd.Series(cast, index=values.index, name=values.name)


def _is_discrete(values: pd.Series, column: ColumnType) -> bool:
    if column.semantic_type == "ordinal":
        return column.order is not None
    if column.semantic_type == "binary":
        return not (pd.api.types.is_bool_dtype(values) or pd.api.types.is_numeric_dtype(values))
    if column.semantic_type == "undetermined" and not column.levels:
        return False  # cells that cannot be compared
    return column.semantic_type in ("categorical", "undetermined")


def _unseen_levels(values: pd.Series, known: list) -> list[Any]:
    """Return the unknown levels by first appearance, those of a Categorical by its categories."""
    if isinstance(values.dtype, pd.CategoricalDtype):
        used = set(values.cat.codes)
        present = [v for code, v in enumerate(values.cat.categories.tolist()) if code in used]
    else:
        present = present_levels(values)
    known_levels = set(known)
    return [level for level in present if level not in known_levels]


def present_levels(values: pd.Series) -> list[Any]:
    """Return the distinct values of a column, in order of first appearance."""
    distinct = values.dropna().unique()
    return pd.Index(distinct, dtype=object, tupleize_cols=False).tolist()


def _report_unseen(values: pd.Series, column: ColumnType, levels: list, unseen: str) -> None:
    first = values.index[values.isin(levels[:1])]
    where = f" (first at row {first.tolist()[0]!r})" if len(first) else ""
    finding = f"column {column.name!r} holds levels not in the report: {format_some(levels)}{where}"
    if unseen == "raise":
        remedy = "correct them, infer the types of this frame, or pass unseen='keep'"
        raise UnseenLevelError(finding, remedy)
    warnings.warn(f"{finding}; kept as levels", UserWarning, stacklevel=5)
