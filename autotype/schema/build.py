"""Make a pandera schema of a typed frame: levels with their order, nulls, ranges, uniqueness.

The columns are observed from their rows, or from an engine's counts. A large table stays in its
engine, which counts levels, missing and repeated values, and finds the extremes of numbers. Some
drawn rows show the rest: how strings are written, and how frequent the most frequent value is.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Hashable, Iterator
from typing import Any

import pandas as pd
from pandera.pandas import Column, DataFrameSchema

from autotype.errors import UnknownColumnError
from autotype.inference.frames.apply_types import cast_levels, match_columns
from autotype.inference.frames.as_pandas import as_pandas, engine_of, is_small
from autotype.inference.frames.engines.engine import Engine
from autotype.schema.batches.engine_batch import MAX_LEVELS, draw
from autotype.schema.checks.column_rules import COLUMN_RULES
from autotype.schema.checks.column_views import Observed, Witnesses
from autotype.schema.checks.table import CHECKS, register_checks
from autotype.schema.notes import METADATA_KEY, make_note
from autotype.types.column_mapping import check_report, match_by_name
from autotype.types.column_names import plain_name
from autotype.types.column_type import DISCRETE, NUMBERS, ColumnType
from autotype.types.column_types import ColumnTypes

_DRAWN = 10_000  # rows
_COUNTED = {*DISCRETE, "constant"}


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
        The frame that was typed, with or without its types applied, of any library that
        `autotype.infer_types` takes. It is not changed. Large lazy tables are not loaded.
    types : TypeReport
        Its types. Columns absent from the report are not in the schema.
    name : str, optional
        The schema's name, for messages.
    margin : float or None
        Numbers may lie outside the observed range by this proportion of its width, >= 0; in columns
        without a negative number none may be negative. None sets no range.
    share_tolerance : float, optional
        By how much the proportion of each level of a discrete column may differ from that in this
        frame, in [0, 1]; three standard errors of a difference between two samples are allowed
        besides. By default proportions are not checked.
    max_strays : float, optional
        Proportion of the rows, in [0, 1], that may hold other strings in columns of dates and
        amounts that are strings, such as "on request" among prices. By default twice that in this
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
        no levels, or objects without equality. Every other column keeps its dtype. Strings that are
        dates must exist (``is_date``), and those that are amounts must be numbers of the same unit
        in a range (``is_amount``). Missing values are allowed in columns that have some; constant
        columns must keep their value, and others must not become constant (``varies``);
        identifiers are unique if they are in the frame.

    Raises
    ------
    TypeError
        If it is no frame.
    UnknownColumnError
        If the frame holds none of the report's columns.
    ValueError
        If `margin` is negative, a proportion is not in [0, 1], or the frame holds a level that the
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
    if margin is not None and not 0 <= margin < math.inf:
        raise ValueError(f"margin must be None or a number from 0 up, got {margin!r}")
    allowed = {"share_tolerance": share_tolerance, "max_strays": max_strays}
    for option, proportion in allowed.items():
        if proportion is not None and not 0 <= proportion <= 1:
            raise ValueError(f"{option} must be None or from 0 to 1, got {proportion!r}")
    check_report(types)
    register_checks()
    columns: dict[Hashable, Any] = {}
    notes: list[dict[str, Any]] = []
    for values, observed in observe(frame, types, margin=margin, **allowed):
        column = observed.column
        if not _can_be_named(column.name):
            warnings.warn(
                f"column {column.name!r} is not in the schema: its name is a missing value; "
                "rename it",
                UserWarning,
                stacklevel=2,
            )
            continue
        rule, key = _rule(observed, coerce=coerce), plain_name(column.name)
        if key in columns:
            rule = _common_rule(columns[key], rule)
        else:
            notes.append(make_note(column, values))
        columns[key] = rule
    if types.columns and not columns:
        raise UnknownColumnError("the frame holds none of the report's columns under a usable name")
    return DataFrameSchema(columns, name=name, strict=strict, metadata={METADATA_KEY: notes})


def _can_be_named(name: Hashable) -> bool:
    parts = name if isinstance(name, tuple) else (name,)
    return not any(pd.api.types.is_scalar(part) and pd.isna(part) for part in parts)


def _rule(observed: Observed, *, coerce: bool) -> Column:
    options: dict[str, Any] = {}
    for rule in COLUMN_RULES:
        options |= rule.options(observed)
    coerce = coerce and observed.is_categorical and options["dtype"] is not None
    checks = [made for check in CHECKS if (made := check.make(observed)) is not None]
    return Column(checks=checks, coerce=coerce, **options)


def _common_rule(first: Column, second: Column) -> Column:
    """Return the common part of two columns' rules: a schema holds one rule a name."""
    same_dtype = first.dtype is not None and first.dtype == second.dtype
    of_second = set(map(str, second.checks))
    return Column(
        first.dtype if same_dtype else None,
        [check for check in first.checks if same_dtype and str(check) in of_second],
        nullable=first.nullable or second.nullable,
        unique=first.unique and second.unique,
        coerce=first.coerce and second.coerce,
    )


def observe(frame: Any, types: ColumnTypes, **allowed: Any) -> Iterator[tuple[pd.Series, Observed]]:
    """Yield the columns of a frame that have a type, before and after it is applied.

    Parameters
    ----------
    frame : frame
        Of any library, lazy ones included.
    types : ColumnTypes
    **allowed
        How much later batches may differ, as of `Observed`.
    """
    engine = engine_of(frame)
    if engine is not None and not is_small(engine):
        for values, column, held in _by_engine(engine, types):
            typed = cast_levels(values.to_frame(), [column], unseen="raise").iloc[:, 0]
            yield values, Observed(typed, column, held=held, **allowed)
        return
    rows = as_pandas(frame if engine is None else engine.collect(), "to_schema")
    typed = cast_levels(rows, types.columns, unseen="raise")
    for j, (values, stated) in enumerate(match_columns(typed, types)):
        if stated is not None:
            yield rows.iloc[:, j], Observed(values, stated, **allowed)


def _by_engine(
    engine: Engine, types: ColumnTypes
) -> Iterator[tuple[pd.Series, ColumnType, Witnesses]]:
    """Yield values of each column that has a type, and what the engine has counted of it."""
    n_all, summaries = engine.summarise()
    drawn = draw(engine, _DRAWN, n_all)
    matches, _ = match_by_name(engine.names, types.columns)
    columns = {j: column for j, column in enumerate(matches) if column is not None}
    counted = [
        j
        for j, column in columns.items()
        if column.semantic_type in _COUNTED and 0 < summaries[j].n_distinct <= MAX_LEVELS
    ]
    levels = dict(zip(counted, engine.count_levels(counted), strict=True))
    numbers = [
        j
        for j, column in columns.items()
        if column.semantic_type in NUMBERS and pd.api.types.is_numeric_dtype(drawn[j].dtype)
    ]
    extremes = dict(zip(numbers, engine.ranges(numbers), strict=True))
    for j, column in columns.items():
        n_missing = summaries[j].n_missing
        n_present = n_all - n_missing
        n_distinct = len(levels[j]) if j in levels else summaries[j].n_distinct
        if column.semantic_type == "identifier" and summaries[j].hashable:
            n_distinct = n_present - bool(engine.repeated(j, 1))
        pairs = list(levels.get(j, {}).items())
        if not pairs:
            pairs = [(value, 0) for value in drawn[j].dropna().astype(object).tolist()]
        pairs += [(value, 0) for value in extremes.get(j, ()) if not pd.isna(value)]
        if n_missing:
            pairs.append((None, n_missing))
        held = Witnesses.of(pairs, drawn[j].dtype, n_distinct, n_present)
        yield held.values.rename(engine.names[j]), column, held
