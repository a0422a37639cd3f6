"""Cast a frame's discrete columns to ordered and unordered Categoricals."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import pandas as pd

from autotype.errors import UnknownColumnError, UnseenLevelError
from autotype.lexicon.missing import with_plain_missing
from autotype.types.column_mapping import check_report, match_by_name
from autotype.types.column_type import ColumnType
from autotype.types.level_codes import LevelCodes, codes_of
from autotype.types.nan_equality import nan_key
from autotype.wording import format_some

if TYPE_CHECKING:
    from autotype.types.column_types import ColumnTypes


def apply_types(
    frame: pd.DataFrame, types: ColumnTypes, *, unseen: Literal["keep", "raise"] = "keep"
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
        ones; all others as they were. Missing values stay missing, ``Decimal("sNaN")`` among them,
        and ``typed.astype(frame.dtypes)`` is the frame again.

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
        from autotype.fitting.native_types import apply_native

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
    return join_columns(cast, frame.columns)


def join_columns(columns: list[pd.Series], names: pd.Index) -> pd.DataFrame:
    """Join columns of one index, at least one, to a frame with any names."""
    # Keys, as pandas fails to make an index of texts of names that hold lone surrogates.
    joined = pd.concat(columns, axis=1, keys=range(len(columns)))
    joined.columns = names
    return joined


def match_columns(
    frame: pd.DataFrame, types: ColumnTypes
) -> Iterator[tuple[pd.Series, ColumnType | None]]:
    """Yield the frame's columns with their types; the n-th of a name matches the n-th type."""
    matches, _ = match_by_name(frame.columns, types.columns)
    for j, column in enumerate(matches):
        yield with_plain_missing(frame.iloc[:, j]), column


def _cast(values: pd.Series, column: ColumnType | None, unseen: str) -> pd.Series:
    if column is None or not _is_discrete(values, column):
        return values
    if column.semantic_type == "ordinal":
        known = [*column.off_scale, *(column.order or ())]
    else:
        known = list(column.levels)
    known = list({nan_key(level): level for level in known}.values())  # a report may repeat one
    read = codes_of(values)
    known_keys = set(map(nan_key, known))
    new = read.unseen(lambda level: nan_key(level) in known_keys)
    if new and known:
        _report_unseen(values, read, column, new, unseen)
    ordered = column.semantic_type == "ordinal"
    categories = [*new, *known] if ordered else [*known, *new]
    return cast_to_levels(values, categories, ordered=ordered, read=read)


def cast_to_levels(
    values: pd.Series, levels: list, *, ordered: bool, read: LevelCodes | None = None
) -> pd.Series:
    """Cast to a Categorical of any hashable levels, including tuples and lone surrogates.

    Values are matched to levels by Python's equality, not by the dtype that pandas finds for the
    levels; a value that is not among them becomes missing. A column of this dtype is returned as
    it is.

    Parameters
    ----------
    values : pandas.Series
    levels : list
    ordered : bool
    read : LevelCodes, optional
        Of `values`, if they have been read before.
    """
    dtype = pd.CategoricalDtype(_level_index(levels), ordered=ordered)
    if not levels:  # also cells without hash
        cast = pd.Categorical.from_codes(np.full(len(values), -1), dtype=dtype)
        return pd.Series(cast, index=values.index, name=values.name)
    if _is_dtype(values.dtype, dtype):
        return values
    codes, present = codes_of(values) if read is None else read
    places = {nan_key(level): k for k, level in enumerate(levels)}
    places_of_present = [places.get(nan_key(level), -1) for level in present]
    # As few bytes a row as the Categorical will have.
    place_of = np.array([*places_of_present, -1], dtype=np.min_scalar_type(-len(levels) - 1))
    cast = pd.Categorical.from_codes(place_of[codes], dtype=dtype)
    return pd.Series(cast, index=values.index, name=values.name)


def _is_dtype(dtype: Any, expected: pd.CategoricalDtype) -> bool:
    """Check that a dtype is the expected one, also in the order and the classes of its levels."""
    if not isinstance(dtype, pd.CategoricalDtype) or bool(dtype.ordered) != bool(expected.ordered):
        return False
    levels, wanted = dtype.categories, expected.categories
    if levels.dtype != wanted.dtype or not levels.equals(wanted):
        return False
    return levels.dtype != object or list(map(type, levels)) == list(map(type, wanted))


def _level_index(levels: list) -> pd.Index:
    try:
        index = pd.Index(levels, tupleize_cols=False)
        if index.is_unique and all(map(_same, index.tolist(), levels)):
            return index
    except (TypeError, ValueError, OverflowError):  # lone surrogates, which Arrow cannot hold
        pass
    return pd.Index(levels, dtype=object, tupleize_cols=False)


def _same(first: Any, second: Any) -> bool:
    return first is second or bool(first == second)


def _is_discrete(values: pd.Series, column: ColumnType) -> bool:
    if column.semantic_type == "ordinal":
        return column.order is not None
    if column.semantic_type == "binary":
        return not (pd.api.types.is_bool_dtype(values) or pd.api.types.is_numeric_dtype(values))
    if column.semantic_type == "undetermined" and not column.levels:
        return False  # cells that cannot be compared
    return column.semantic_type in ("categorical", "undetermined")


def _report_unseen(
    values: pd.Series, read: LevelCodes, column: ColumnType, levels: list, unseen: str
) -> None:
    at = int(np.argmax(read.codes == read.levels.index(levels[0])))
    finding = (
        f"column {column.name!r} holds levels not in the report: {format_some(levels)} "
        f"(first at row {values.index[[at]].tolist()[0]!r})"
    )
    if unseen == "raise":
        remedy = "correct them, infer the types of this frame, or pass unseen='keep'"
        raise UnseenLevelError(finding, remedy)
    warnings.warn(f"{finding}; kept as levels", UserWarning, stacklevel=5)
