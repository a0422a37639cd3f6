"""Cast a frame's discrete columns to the dtypes that their types call for."""

from __future__ import annotations

import warnings
from collections import deque
from collections.abc import Hashable, Iterator
from typing import Any, Literal

import numpy as np
import pandas as pd

from autotype.column_type import ColumnType, name_key
from autotype.errors import UnknownColumnError
from autotype.type_report import TypeReport, check_report
from autotype.wording import format_some


def apply_types(
    frame: pd.DataFrame, types: TypeReport, *, unseen: Literal["keep", "raise"] = "keep"
) -> pd.DataFrame:
    """Cast discrete columns to ordered and unordered Categoricals; nothing is lost.

    Parameters
    ----------
    frame : pandas.DataFrame
        The frame that was typed, or another with columns of the same names. It is not changed.
    types : TypeReport
        Its types. Columns that the report does not hold stay as they are.
    unseen : {"keep", "raise"}
        What to do with levels that the report never saw: keep them as levels, with a warning that
        names them, or refuse them.

    Returns
    -------
    pandas.DataFrame
        Ordinal columns as ordered Categoricals, lowest level first; categorical, undetermined and
        text-valued binary columns as unordered ones; all others as they were. Missing values stay
        missing, and ``typed.astype(frame.dtypes)`` is the frame again.

    Raises
    ------
    TypeError
        If `types` is no report.
    UnknownColumnError
        If the frame holds none of the report's columns.
    ValueError
        If `unseen` is neither of the two, or with ``unseen="raise"`` for a level never seen.

    Notes
    -----
    Categories that neither a row nor the report holds are dropped: no scale has a place for them.
    An ordered dtype has to put every level somewhere. Levels off the scale ("don't know") and
    unseen ones come first, below the lowest level, so that "at least fair" never selects them.

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
    """Pair the frame's columns with their types: by name, repeated names by their turn."""
    turns: dict[Hashable, deque[ColumnType]] = {}
    for column in types.columns:
        turns.setdefault(name_key(column.name), deque()).append(column)
    for j, name in enumerate(frame.columns):
        left = turns.get(name_key(name))
        yield frame.iloc[:, j], left.popleft() if left else None


def _cast(values: pd.Series, column: ColumnType | None, unseen: str) -> pd.Series:
    if column is None or not _is_discrete(values, column):
        return values
    if column.semantic_type == "ordinal":
        known = [*column.off_scale, *(column.order or ())]
    else:
        known = list(column.levels)
    strangers = _strangers(values, known)
    if strangers and known:
        _report_unseen(values, column, strangers, unseen)
    ordered = column.semantic_type == "ordinal"
    categories = [*strangers, *known] if ordered else [*known, *strangers]
    return cast_to_levels(values, categories, ordered=ordered)


def cast_to_levels(values: pd.Series, levels: list, *, ordered: bool) -> pd.Series:
    """Cast to a Categorical of any hashable levels, tuples and odd texts among them."""
    if values.dtype == np.float16:
        values = values.astype(np.float32)  # pandas has no index of the shorter floats
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


def _strangers(values: pd.Series, known: list) -> list[Any]:
    """Levels that are not known, in order of first appearance; in the dtype's for Categoricals."""
    if isinstance(values.dtype, pd.CategoricalDtype):
        used = set(values.cat.codes)
        present = [v for code, v in enumerate(values.cat.categories.tolist()) if code in used]
    else:
        present = present_levels(values)
    taken = set(known)
    return [level for level in present if level not in taken]


def present_levels(values: pd.Series) -> list[Any]:
    """Give the values that a column holds, in order of first appearance."""
    found = values.dropna().unique()
    return pd.Index(found, dtype=object, tupleize_cols=False).tolist()


def _report_unseen(values: pd.Series, column: ColumnType, strangers: list, unseen: str) -> None:
    first = values.index[values.isin(strangers[:1])]
    where = f" (first at row {first.tolist()[0]!r})" if len(first) else ""
    named = format_some(strangers)
    message = f"column {column.name!r} holds levels never seen before: {named}{where}"
    if unseen == "raise":
        raise ValueError(f"{message}; correct them, type the frame anew, or pass unseen='keep'")
    warnings.warn(f"{message}; kept as levels", UserWarning, stacklevel=5)
