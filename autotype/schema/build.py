"""Make a pandera schema of a typed frame: levels with their order, nulls, ranges, uniqueness."""

from __future__ import annotations

import copy
import math
import warnings
from collections.abc import Hashable
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from autotype.column_type import ColumnType
from autotype.errors import UnknownColumnError, UnwritableTypesError
from autotype.export.categoricals import apply_types, match_columns
from autotype.export.json_values import encode
from autotype.export.level_codes import codes_of
from autotype.frames.as_pandas import as_pandas
from autotype.schema.level_checks import (
    categorical_check,
    membership,
    ordinal_check,
    register_checks,
    same_level,
)
from autotype.schema.notes import METADATA_KEY, make_note
from autotype.schema.rule_levels import category_dtype

if TYPE_CHECKING:
    from pandera.pandas import Column, DataFrameSchema

    from autotype.type_report import TypeReport


def to_schema(
    frame: Any,
    types: TypeReport,
    *,
    name: str | None = None,
    margin: float | None = 2.0,
    coerce: bool = False,
    strict: bool = False,
) -> DataFrameSchema:
    """Make a pandera schema that accepts this frame, once typed, and others like it.

    Parameters
    ----------
    frame : frame
        The frame that was typed, with or without its types applied, in memory: of pandas, polars,
        pyarrow, or another library that narwhals reads. It is not changed.
    types : TypeReport
        Its types. Columns absent from the report are not in the schema.
    name : str, optional
        The schema's name, for messages.
    margin : float or None
        Numbers may lie outside the observed range by this share of its width, >= 0; in columns
        without a negative number none may be negative. None sets no range.
    coerce : bool
        Whether pandera itself casts to the categories. `validate` casts plain values in any case
        and leaves a Categorical as it is; pandera's own coercion also reorders Categoricals.
    strict : bool
        Whether the schema rejects columns that it does not hold.

    Returns
    -------
    pandera.pandas.DataFrameSchema
        Ordinal columns have the dtype ``Category(levels, ordered=True)``, levels off the scale
        first, and the check ``is_ordinal``; categorical, undetermined and text-valued binary ones
        ``Category(levels)`` and ``is_categorical``, or a bare ``Category`` if the report lists
        no levels, or objects without equality. Every other column keeps its dtype. Missing values
        are allowed in columns that have some; constant columns must keep their value; identifiers
        are unique if they are in the frame.

    Raises
    ------
    TypeError
        If the frame is lazy, or no frame.
    UnknownColumnError
        If the frame holds none of the report's columns.
    ValueError
        If `margin` is negative, or the frame holds a level that the report does not.

    Warns
    -----
    UserWarning
        For columns whose name pandera cannot hold (a missing value); they are omitted.

    Examples
    --------
    >>> import pandas as pd, autotype
    >>> frame = pd.DataFrame({"size": ["M", "S", "L"] * 5, "price": [1.0, 2.5, 4.0] * 5})
    >>> schema = to_schema(frame, autotype.infer_types(frame))
    >>> schema.columns["size"].dtype.categories, schema.columns["size"].dtype.ordered
    (('S', 'M', 'L'), True)
    >>> schema.columns["price"].checks
    [<Check in_range: in_range(0.0, 10.0)>]
    """
    from pandera.pandas import DataFrameSchema

    if margin is not None and not 0 <= margin < math.inf:
        raise ValueError(f"margin must be None or a number from 0 up, got {margin!r}")
    register_checks()
    frame = as_pandas(frame, "to_schema")
    typed = apply_types(frame, types, unseen="raise")
    columns: dict[Hashable, Any] = {}
    notes: list[dict[str, Any]] = []
    for j, (values, column) in enumerate(match_columns(typed, types)):
        if column is None:
            continue
        if not _can_be_named(column.name):
            warnings.warn(
                f"column {column.name!r} is not in the schema: its name is a missing value; "
                "rename it",
                UserWarning,
                stacklevel=3,
            )
            continue
        rule = _rule(values, column, margin=margin, coerce=coerce)
        if column.name in columns:
            rule = _common_rule(columns[column.name], rule)
        else:
            notes.append(make_note(column, frame.iloc[:, j]))
        columns[column.name] = rule
    if types.columns and not columns:
        raise UnknownColumnError("the frame holds none of the report's columns under a usable name")
    return DataFrameSchema(columns, name=name, strict=strict, metadata={METADATA_KEY: notes})


def _can_be_named(name: Hashable) -> bool:
    parts = name if isinstance(name, tuple) else (name,)
    return not any(pd.api.types.is_scalar(part) and pd.isna(part) for part in parts)


def _rule(values: pd.Series, column: ColumnType, *, margin: float | None, coerce: bool) -> Column:
    from pandera.pandas import Column

    nullable = bool(values.isna().any())
    if isinstance(values.dtype, pd.CategoricalDtype):
        dtype, checks = _levels_rule(values, column)
        return Column(dtype, checks, nullable=nullable, coerce=coerce and dtype is not None)
    if not values.notna().any():
        return Column(None, nullable=True)  # a dtype without values means nothing
    return Column(
        engine_dtype(values),
        _value_checks(values, column, margin),
        nullable=nullable,
        unique=column.semantic_type == "identifier" and _is_unique(values),
    )


def _levels_rule(values: pd.Series, column: ColumnType) -> tuple[Any, list[Any]]:
    """Return dtype and checks of a column with levels."""
    from pandera.pandas import Category

    levels, ordered = values.cat.categories.tolist(), bool(values.cat.ordered)
    if (not ordered and not column.levels) or not _equal_their_copies(levels):
        return Category(), []
    if ordered:
        is_off_scale = membership(column.off_scale)
        off_scale = [level for level in levels if is_off_scale(level)]
        on_scale = [level for level in levels if not is_off_scale(level)]
        check = ordinal_check(on_scale, off_scale)
    else:
        check = categorical_check(levels)
    return category_dtype(levels, ordered=ordered), [check]


def _equal_their_copies(levels: list[Any]) -> bool:
    """Check whether levels are equal to their copies, as pandera copies the rules of a schema."""
    try:
        return all(map(same_level, copy.deepcopy(levels), levels))
    except Exception:  # whatever a class of the user raises
        return False


def engine_dtype(values: pd.Series) -> Any:
    """Return pandera's dtype of a column, or None if it does not survive YAML."""
    from pandera.engines.pandas_engine import Engine

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # pandera's, about dtypes it does not know
        try:
            dtype = Engine.dtype(values.dtype)
            again = Engine.dtype(str(dtype))
            fits = np.all(np.asarray(again.check(Engine.dtype(values.dtype), values)))
        except Exception:  # whatever a foreign dtype raises: the column goes without
            return None
    return again if fits else None


def _value_checks(values: pd.Series, column: ColumnType, margin: float | None) -> list[Any]:
    from pandera.pandas import Check

    if column.semantic_type in ("constant", "binary"):
        try:
            allowed = [encode(level) for level in codes_of(values).present()]
        except UnwritableTypesError:  # cells of a class that a schema's file cannot hold
            return []
        if len(allowed) <= 2 and not any(isinstance(level, (dict, list)) for level in allowed):
            return [Check.isin(sorted(allowed, key=str))] if _are_all_in(values, allowed) else []
        return []
    is_number = pd.api.types.is_numeric_dtype(values) and not pd.api.types.is_bool_dtype(values)
    if margin is None or not is_number or column.semantic_type not in ("continuous", "count"):
        return []
    return _range_checks(values, margin)


def _are_all_in(values: pd.Series, allowed: list[Any]) -> bool:
    """Check whether pandas finds a column's values; it fails at the largest ones of Arrow."""
    try:
        return bool(values.dropna().isin(allowed).all())
    except (OverflowError, TypeError, ValueError):
        return False


def _range_checks(values: pd.Series, margin: float) -> list[Any]:
    """Bound numbers by the observed range and a margin; an observed infinity is no bound."""
    from pandera.pandas import Check

    if pd.api.types.is_complex_dtype(values):
        return []
    low, high = values.min(), values.max()
    low, high = (int(low), int(high)) if _is_whole(values) else (float(low), float(high))
    if math.isinf(low) or math.isinf(high):
        return [] if low < 0 else [Check.ge(0)]
    slack = margin * (high - low)
    if isinstance(low, int) and math.isfinite(slack):
        slack = math.ceil(slack)
    bounds = low - slack, high + slack
    if low >= 0:
        bounds = max(type(low)(0), bounds[0]), bounds[1]
    if not all(map(math.isfinite, bounds)):
        return []
    return [Check.in_range(*_within_dtype(values, bounds))]


def _within_dtype(values: pd.Series, bounds: tuple[Any, Any]) -> tuple[Any, Any]:
    """Limit bounds to what NumPy and Arrow can compare a column with."""
    dtype = getattr(values.dtype, "numpy_dtype", values.dtype)
    kind = getattr(dtype, "kind", "")
    if kind == "f" and isinstance(dtype, np.dtype):
        largest = float(min(np.finfo(dtype).max, np.finfo(np.float64).max))
        least = -largest
    elif kind in ("i", "u"):
        limits = np.iinfo(f"{kind}8")
        least, largest = int(limits.min), int(limits.max)
    else:
        return bounds
    return max(bounds[0], least), min(bounds[1], largest)


def _is_whole(values: pd.Series) -> bool:
    return pd.api.types.is_integer_dtype(values.dtype)


def _is_unique(values: pd.Series) -> bool:
    try:
        return bool(values.is_unique)
    except TypeError:  # cells without hash
        return False


def _common_rule(first: Column, second: Column) -> Column:
    """Return the common part of two columns' rules: a schema holds one rule a name."""
    from pandera.pandas import Column

    same_dtype = first.dtype is not None and first.dtype == second.dtype
    same_checks = list(map(str, first.checks)) == list(map(str, second.checks))
    return Column(
        first.dtype if same_dtype else None,
        first.checks if same_dtype and same_checks else None,
        nullable=first.nullable or second.nullable,
        unique=first.unique and second.unique,
        coerce=first.coerce and second.coerce,
    )
