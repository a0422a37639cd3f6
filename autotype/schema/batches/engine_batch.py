"""Check a large table by the counts of its engine, without its rows.

Of each column some witnesses come to Python: all of its levels, or its extremes, and its repeated
and missing values. They fail a rule's checks if and only if the column does.
"""

from __future__ import annotations

import copy
from collections.abc import Iterable, Iterator, Mapping, Sequence

import numpy as np
import pandas as pd
from pandera.errors import SchemaError, SchemaErrors
from pandera.pandas import Column, DataFrameSchema

from autotype.inference.frames.engines.engine import KEY_RANGE, Engine
from autotype.schema.batches.failures import batch_error
from autotype.schema.batches.pandas_batch import (
    cast_batch,
    check_batch,
    expand_rules,
    fits,
    plain_values,
)
from autotype.schema.checks.check import Need, RowCount
from autotype.schema.checks.column_views import Witnesses
from autotype.schema.checks.table import find_check, need_of
from autotype.schema.levels import levels_of

_DRAWN = 1000  # rows that are looked at first
# Levels of a column that come to Python, unless the drawn rows fail already.
MAX_LEVELS = 10_000
_MAX_REPEATED = 6  # repeated values that are named
_SECOND = -1  # stands for the rows of a value that has been counted at its first place


def check_by_engine(
    engine: Engine, schema: DataFrameSchema, *, states_levels: bool, lazy: bool
) -> None:
    """Check a table that stays in its engine.

    Parameters
    ----------
    engine : Engine
        Holds the table.
    schema : pandera.pandas.DataFrameSchema
        Whose dtypes hold the levels of its checks.
    states_levels : bool
        Whether a Categorical without order states its levels, rather than being stored strings.
    lazy : bool
        Whether to collect all failures before raising.

    Raises
    ------
    BatchError
        With ``lazy``: all failures, with the number of rows in place of the row.
    pandera.errors.SchemaError
        Without ``lazy``: the first one.
    ValueError
        If counts do not decide a check.
    """
    empty = pd.DataFrame(columns=pd.Index(engine.names, dtype=object))
    rules = expand_rules(empty, schema)
    places = {j: rules[name] for j, name in enumerate(engine.names) if name in rules}
    _refuse_undecidable(engine, schema, places.values())
    errors: list[SchemaError] = []
    try:
        check_batch(empty, _of_names(schema), lazy=lazy)
    except SchemaErrors as failures:
        errors += failures.schema_errors
    dtypes = {}
    for j, witnesses in _witnesses(engine, places, states_levels=states_levels):
        name = engine.names[j]
        batch = cast_batch(pd.DataFrame({name: witnesses.values}), schema)
        dtypes[name] = batch[name].iloc[:0]
        try:
            check_batch(batch, _of_column(schema, name, places[j], witnesses), lazy=lazy)
        except SchemaErrors as failures:
            errors += _counted(failures.schema_errors, witnesses.n_rows)
    if errors:
        raise batch_error(schema, errors, pd.DataFrame(dtypes))


def _refuse_undecidable(engine: Engine, schema: DataFrameSchema, rules: Iterable[Column]) -> None:
    found = [
        *(["checks of several columns"] if schema.checks else []),
        *(["an index"] if schema.index is not None else []),
        *(["rows that are unique in several columns"] if schema.unique else []),
        *(["a dtype of all columns"] if schema.dtype is not None else []),
        *(
            f"the check {check.name or check.error!r} of column {rule.name!r}"
            for rule in rules
            for check in rule.checks
            if find_check(check) is None or check.groupby is not None
        ),
    ]
    if found:
        raise ValueError(
            f"the schema requires {', '.join(found)}, which the counts of {engine.title} do not "
            "decide; validate a part of the table in memory, or leave that out of the schema"
        )


def _of_names(schema: DataFrameSchema) -> DataFrameSchema:
    """Return what a schema requires of the columns' names."""
    columns = {
        name: Column(None, nullable=True, required=rule.required, regex=rule.regex)
        for name, rule in schema.columns.items()
    }
    return DataFrameSchema(columns, name=schema.name, strict=schema.strict, ordered=schema.ordered)


def _of_column(
    schema: DataFrameSchema, name: str, rule: Column, witnesses: Witnesses
) -> DataFrameSchema:
    """Return what a schema requires of one column, with its checks of counts decided."""
    own = copy.copy(rule)
    own.regex = False
    known = [(check, find_check(check)) for check in rule.checks]
    own.checks = [of.decided(check, witnesses) if of else check for check, of in known]
    return DataFrameSchema({name: own.set_name(name)}, name=schema.name, coerce=schema.coerce)


def _witnesses(
    engine: Engine, rules: Mapping[int, Column], *, states_levels: bool
) -> Iterator[tuple[int, Witnesses]]:
    """Yield the witnesses of the columns that have a rule; a few passes over the table."""
    n_all, summaries = engine.summarise()
    drawn = draw(engine, _DRAWN, n_all)
    drawn = [values if states_levels else plain_values(values) for values in drawn]
    by_levels = [j for j, rule in rules.items() if _needs_levels(rule, drawn[j])]
    # Rules that fail on the drawn rows are not looked into further: levels may be many.
    counted = [
        j
        for j in by_levels
        if summaries[j].hashable
        and (summaries[j].n_distinct <= MAX_LEVELS or _passes(rules[j], drawn[j]))
    ]
    levels = dict(zip(counted, engine.count_levels(counted), strict=True))
    by_extremes = [
        j for j, rule in rules.items() if j not in by_levels and _needs(rule) and drawn[j].size
    ]
    extremes = dict(zip(by_extremes, engine.ranges(by_extremes), strict=True))
    for j, rule in rules.items():
        held = summaries[j]
        if j in levels:
            pairs = list(levels[j].items())
        elif j in extremes:
            pairs = [(value, 0) for value in extremes[j] if not pd.isna(value)]
        else:
            pairs = [(value, 0) for value in drawn[j].dropna().astype(object).tolist()]
        if rule.unique and held.hashable:
            repeated = engine.repeated(j, _MAX_REPEATED)
            pairs = [(value, n) for value, n in dict(pairs).items() if value not in repeated]
            pairs += [(value, n) for value, k in repeated.items() for n in (k, _SECOND)]
        if held.n_missing:
            pairs.append((None, held.n_missing))
        if rule.unique and held.n_missing > 1:
            pairs.append((None, _SECOND))
        n_distinct, n_present = held.n_distinct if held.hashable else 0, n_all - held.n_missing
        yield j, Witnesses.of(pairs, drawn[j].dtype, n_distinct, n_present)


def draw(engine: Engine, most: int, n_rows: int) -> list[pd.Series]:
    """Draw about `most` of the rows of a table, and return its columns."""
    threshold = max(int(KEY_RANGE * min(1.0, most / max(n_rows, 1))), 1)
    return engine.draw_rows(threshold, rare={}, held={}, seed=0)[0]


def _needs_levels(rule: Column, drawn: pd.Series) -> bool:
    """Check whether single values decide, rather than the extremes and the dtype."""
    if levels_of(rule) is not None or "levels" in _needs(rule):
        return True
    target = getattr(rule.dtype, "type", None)
    types, source = pd.api.types, drawn.dtype
    if target is None or fits(drawn, rule.dtype):
        has_extremes = types.is_numeric_dtype(source) or types.is_datetime64_any_dtype(source)
        return not has_extremes and bool(_needs(rule))
    if types.is_numeric_dtype(source) and types.is_numeric_dtype(target):
        return types.is_float_dtype(source) and types.is_integer_dtype(target)
    return types.is_string_dtype(source) and types.is_datetime64_any_dtype(target)


def _needs(rule: Column) -> set[Need]:
    """Return what the checks of a rule need besides the counts: levels, extremes, or nothing."""
    return {need_of(check) for check in rule.checks} - {"counts"}


def _passes(rule: Column, drawn: pd.Series) -> bool:
    """Check whether the drawn rows have the rule's levels, dtype and values."""
    own = copy.copy(rule)
    own.regex, own.nullable, own.unique = False, True, False
    own.checks = [check for check in rule.checks if need_of(check) != "counts"]
    schema = DataFrameSchema({"values": own.set_name("values")})
    try:
        check_batch(cast_batch(pd.DataFrame({"values": drawn}), schema), schema, lazy=False)
    except SchemaError:
        return False
    return True


def _counted(errors: Sequence[SchemaError], n_rows: Sequence[int]) -> list[SchemaError]:
    """Replace the witnesses' positions in failure cases by the numbers of their rows."""
    for error in errors:
        cases = error.failure_cases
        if isinstance(cases, pd.DataFrame):
            of_case = np.array([n_rows[position] for position in cases["index"]])
            cases = cases[of_case != _SECOND].copy()
            rows = [RowCount(int(n)) for n in of_case[of_case != _SECOND]]
            cases["index"] = pd.Series(rows, index=cases.index, dtype=object)
            error.failure_cases = cases
    return list(errors)
