"""Make a pandera schema of a typed frame: levels with their order, nulls, ranges, uniqueness."""

from __future__ import annotations

import copy
import math
import warnings
from collections.abc import Hashable
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from autotype.errors import UnknownColumnError
from autotype.fitting.apply_types import apply_types, match_columns
from autotype.inference.frames.as_pandas import as_pandas
from autotype.schema.checks.level_checks import (
    categorical_check,
    membership,
    ordinal_check,
    same_level,
)
from autotype.schema.checks.observed_checks import Demands, count_checks, value_checks
from autotype.schema.checks.registered_checks import register_checks
from autotype.schema.checks.rule_levels import category_dtype
from autotype.schema.notes import METADATA_KEY, make_note
from autotype.types.column_type import ColumnType

if TYPE_CHECKING:
    from pandera.pandas import Column, DataFrameSchema

    from autotype.types.column_types import ColumnTypes


def to_schema(
    frame: Any,
    types: ColumnTypes,
    *,
    name: str | None = None,
    margin: float | None = 2.0,
    share_tolerance: float | None = None,
    max_strays: float | None = None,
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
    share_tolerance : float, optional
        By how much the share of each level of a discrete column may differ from that in this
        frame, in [0, 1]; three standard errors of a difference between two samples are allowed
        besides. By default shares are not checked.
    max_strays : float, optional
        Share of the rows, in [0, 1], that may hold other texts in columns of dates and amounts
        that are texts, such as "on request" among prices. By default twice the share in this
        frame.
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
        no levels, or objects without equality. Every other column keeps its dtype. Texts that are
        dates must exist (``is_date``), and those that are amounts must be numbers of the same unit
        in a range (``is_amount``). Missing values are allowed in columns that have some; constant
        columns must keep their value, and others must not become constant (``varies``);
        identifiers are unique if they are in the frame.

    Raises
    ------
    TypeError
        If the frame is lazy, or no frame.
    UnknownColumnError
        If the frame holds none of the report's columns.
    ValueError
        If `margin` is negative, a share is not in [0, 1], or the frame holds a level that the
        report does not.

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
    [<Check varies: ...>, <Check in_range: in_range(0.0, 10.0)>]
    """
    from pandera.pandas import DataFrameSchema

    if margin is not None and not 0 <= margin < math.inf:
        raise ValueError(f"margin must be None or a number from 0 up, got {margin!r}")
    demands = Demands(margin, share_tolerance, max_strays)
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
        rule = _rule(values, column, demands, coerce=coerce)
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


def _rule(values: pd.Series, column: ColumnType, demands: Demands, *, coerce: bool) -> Column:
    from pandera.pandas import Column

    nullable = bool(values.isna().any())
    if isinstance(values.dtype, pd.CategoricalDtype):
        dtype, checks = _levels_rule(values, column)
        checks += count_checks(values, column, demands)
        return Column(dtype, checks, nullable=nullable, coerce=coerce and dtype is not None)
    if not values.notna().any():
        return Column(None, nullable=True)  # a dtype without values means nothing
    unique = column.semantic_type == "identifier" and _is_unique(values)
    checks = [] if unique else count_checks(values, column, demands)
    checks += value_checks(values, column, demands)
    return Column(engine_dtype(values), checks, nullable=nullable, unique=unique)


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


def _is_unique(values: pd.Series) -> bool:
    try:
        return bool(values.is_unique)
    except TypeError:  # cells without hash
        return False


def _common_rule(first: Column, second: Column) -> Column:
    """Return the common part of two columns' rules: a schema holds one rule a name."""
    from pandera.pandas import Column

    same_dtype = first.dtype is not None and first.dtype == second.dtype
    of_second = set(map(str, second.checks))
    return Column(
        first.dtype if same_dtype else None,
        [check for check in first.checks if same_dtype and str(check) in of_second],
        nullable=first.nullable or second.nullable,
        unique=first.unique and second.unique,
        coerce=first.coerce and second.coerce,
    )
