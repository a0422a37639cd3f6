"""Turn pandera's errors on a batch into one error with an actionable sentence for each."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd
from pandera.errors import SchemaError, SchemaErrorReason

from autotype.errors import BatchError
from autotype.schema.checks.level_checks import CATEGORICAL, ORDINAL, format_levels
from autotype.schema.checks.rule_levels import level_statistics, levels_of
from autotype.schema.checks.share_checks import (
    FINDING,
    SHARES,
    VARIES,
    shares_beyond,
    shares_finding,
    value_counts,
    variety_finding,
)
from autotype.schema.checks.text_checks import AMOUNT, DATE
from autotype.wording import and_more, format_count

_MAX_NAMED = 5
_MAX_LISTED = 12
_OF_DTYPE = (SchemaErrorReason.WRONG_DATATYPE, SchemaErrorReason.DATATYPE_COERCION)
_REASONS = {
    SchemaErrorReason.COLUMN_NOT_IN_DATAFRAME: "present",
    SchemaErrorReason.WRONG_DATATYPE: "dtype",
    SchemaErrorReason.DATATYPE_COERCION: "dtype",
    SchemaErrorReason.SERIES_CONTAINS_NULLS: "not_null",
    SchemaErrorReason.SERIES_CONTAINS_DUPLICATES: "unique",
    SchemaErrorReason.COLUMN_NOT_IN_SCHEMA: "in_schema",
}
_OF_NAMES = (
    SchemaErrorReason.COLUMN_NOT_IN_DATAFRAME,
    SchemaErrorReason.COLUMN_NOT_IN_SCHEMA,
)
_NEW_LEVEL = "correct the value, or infer the types of a frame that holds it and write a new schema"
_REMEDIES = {
    VARIES: "correct its source, or remove the check from the schema",
    SHARES: "look for the cause, or write a new schema",
}


@dataclass(frozen=True)
class RowCount:
    """The rows of a failure case of a table that an engine counted, whose numbers are unknown.

    Attributes
    ----------
    n_rows : int
        Rows that hold the value; 0 if they were not counted.
    """

    n_rows: int


def batch_error(schema: Any, schema_errors: Sequence[SchemaError], data: Any) -> BatchError:
    """Return the error of a batch that fails a schema: a sentence and a row for each failure.

    Parameters
    ----------
    schema : pandera DataFrameSchema
        The schema.
    schema_errors : sequence of pandera.errors.SchemaError
        pandera's errors, one for each check that failed.
    data : pandas.DataFrame
        The batch; of a table that an engine counted, an empty frame of its dtypes.
    """
    errors = _without_duplicates(schema_errors)
    for error in errors:
        if _is_of_levels(error) and not isinstance(error.failure_cases, pd.DataFrame):
            error.failure_cases = _levels_of_batch(error, data)
        elif _check_name(error) in _REMEDIES:
            error.failure_cases = _finding(error, data)
    failed = BatchError(schema, errors, data)
    failed.problems = [_sentence(error, data) for error in errors]
    expected = {column_of(error): _expected(error) for error in errors}
    cases = failed.failure_cases.sort_index()
    missing = cases["check"] == "column_in_dataframe"
    cases["column"] = cases["column"].where(~missing, cases["failure_case"])
    cases["expected"] = [expected.get(name, "") for name in cases["column"]]
    counted = cases["index"].map(lambda row: isinstance(row, RowCount)).to_numpy(dtype=bool)
    if counted.any():
        numbers = [row.n_rows or None for row in cases["index"][counted]]
        cases["n_rows"] = pd.Series(numbers, index=cases.index[counted], dtype="Int64")
        cases["index"] = cases["index"].where(~counted, None)
    failed.failure_cases = cases
    return failed


def _without_duplicates(errors: Sequence[SchemaError]) -> list[SchemaError]:
    """Drop errors that follow from another one of the same column.

    Those about the dtype follow from that of the levels, and other shares from a single value.
    """
    checked = {column_of(error) for error in errors if _is_of_levels(error)}
    stuck = {column_of(error) for error in errors if _check_name(error) == VARIES}
    return [
        error
        for error in errors
        if not (error.reason_code in _OF_DTYPE and column_of(error) in checked)
        and not (_check_name(error) == SHARES and column_of(error) in stuck)
    ]


def _is_of_levels(error: SchemaError) -> bool:
    return _check_name(error) in (ORDINAL, CATEGORICAL)


def _check_name(error: SchemaError) -> str | None:
    return getattr(error.check, "name", None)


def _finding(error: SchemaError, data: Any) -> str:
    """Describe what a check of a whole column found."""
    statistics, values = error.check.statistics, _values(error, data)
    if FINDING in statistics:
        return str(statistics[FINDING])
    counts = {} if values is None else value_counts(values)
    if not counts:  # the check itself failed
        return str(error.check.error)
    if _check_name(error) == VARIES:
        return variety_finding(next(iter(counts)), sum(counts.values()), **statistics)
    return shares_finding(shares_beyond(counts, **statistics), statistics["tolerance"])


def check_of(error: SchemaError) -> str:
    """Return the name of the check that an error is about, or of another demand."""
    return _REASONS.get(error.reason_code) or _check_name(error) or str(error.check)


def column_of(error: SchemaError) -> Hashable:
    """Return the name of the column that an error is about."""
    if error.reason_code in _OF_NAMES:
        return error.failure_cases
    name = getattr(error, "column_name", None)
    return error.schema.name if name is None else name


def _values(error: SchemaError, data: Any) -> pd.Series | None:
    """Return the column that an error is about, the first of a repeated name."""
    if not isinstance(data, pd.DataFrame) or column_of(error) not in data.columns:
        return None
    values = data[column_of(error)]
    return values.iloc[:, 0] if isinstance(values, pd.DataFrame) else values


def _expected(error: SchemaError) -> str:
    """Format what the schema expects of a column: its levels, those off the scale apart."""
    rule = error.schema
    dtype = getattr(rule, "dtype", None)
    if not hasattr(rule, "regex"):  # the error is not about one column
        return ""
    for name, statistics in level_statistics(rule):
        if name == ORDINAL:
            return format_levels(statistics["order"], statistics["off_scale"], ordered=True)
    stated = levels_of(rule)
    if stated is not None:
        return format_levels(stated[0], ordered=stated[1])
    return "" if dtype is None else str(dtype)


def _levels_of_batch(error: SchemaError, data: Any) -> str:
    """Format the levels of the batch in the same way as the expected ones."""
    values = _values(error, data)
    if values is None:
        return ""
    if not isinstance(values.dtype, pd.CategoricalDtype):
        return f"{values.dtype} without levels"
    levels = values.cat.categories.tolist()
    order = "" if values.cat.ordered else " (without order)"
    return format_levels(levels, ordered=bool(values.cat.ordered)) + order


def _sentence(error: SchemaError, data: Any) -> str:
    name, reason = column_of(error), error.reason_code
    if reason is SchemaErrorReason.COLUMN_NOT_IN_DATAFRAME:
        return f"column {name!r} is missing; add it, or remove it from the schema"
    where = f"column {name!r}"
    if reason is SchemaErrorReason.COLUMN_NOT_IN_SCHEMA:
        return f"{where} is not in the schema; remove it, or add it to the schema"
    cases = error.failure_cases
    if _is_of_levels(error):
        if isinstance(cases, pd.DataFrame):
            found = _values_at(cases, "level ")
            return f"{where} holds {found}, not among {_expected(error)}; {_NEW_LEVEL}"
        return (
            f"{where} has the levels {cases}, expected {_expected(error)}; "
            f"set them with {_remedy(error)}"
        )
    if reason is SchemaErrorReason.WRONG_DATATYPE:
        values = _values(error, data)
        got = cases if values is None else values.dtype
        return f"{where} has the dtype {got}, expected {error.schema.dtype}; cast or correct it"
    if reason is SchemaErrorReason.SERIES_CONTAINS_NULLS:
        return f"{where} has missing values{_rows(cases)}; fill them in, or allow them (nullable)"
    if reason is SchemaErrorReason.SERIES_CONTAINS_DUPLICATES:
        return f"{where} repeats values: {_cases(cases) or 'missing ones'}"
    name_of_check = _check_name(error)
    if name_of_check in _REMEDIES:
        return f"{where} {cases}; {_REMEDIES[name_of_check]}"
    if isinstance(cases, pd.DataFrame) and name_of_check in (DATE, AMOUNT):
        return f"{where} holds {_values_at(cases)}: {_name(error)}; correct them"
    if isinstance(cases, pd.DataFrame):
        return f"{where} fails {_name(error)}: {_cases(cases)}"
    return f"{where}: {error}" if name is not None else str(error)


def _remedy(error: SchemaError) -> str:
    levels, ordered = levels_of(error.schema) or ([], True)
    listed = repr(levels) if len(levels) <= _MAX_LISTED else "levels"
    return f".cat.set_categories({listed}, ordered={ordered})"


def _name(error: SchemaError) -> str:
    return str(getattr(error.check, "error", None) or error.check)


def _values_at(cases: pd.DataFrame, noun: str = "") -> str:
    """List values, each with its first row and its number of rows."""
    groups: dict[str, list[Any]] = {}
    for level, row in zip(cases["failure_case"].tolist(), cases["index"].tolist(), strict=True):
        groups.setdefault(repr(level), []).append(row)
    named = [f"{noun}{value}{_at(rows)}" for value, rows in list(groups.items())[:_MAX_NAMED]]
    more = [f"{len(groups) - _MAX_NAMED} more"] if len(groups) > _MAX_NAMED else []
    return " and ".join([*named, *more])


def _cases(cases: pd.DataFrame) -> str:
    shown = cases.head(_MAX_NAMED)
    text = ", ".join(
        f"{case!r}{_at([row])}"
        for case, row in zip(shown["failure_case"].tolist(), shown["index"].tolist(), strict=True)
    )
    return text + and_more(len(cases) - _MAX_NAMED)


def _rows(cases: Any) -> str:
    if not isinstance(cases, pd.DataFrame):
        return ""
    return _at(cases["index"].tolist())


def _at(rows: Sequence[Any]) -> str:
    """Name the first of some rows and their number, or only the number if that is known only."""
    if isinstance(rows[0], RowCount):
        n_rows = sum(row.n_rows for row in rows)
        return f" in {format_count(n_rows, 'row')}" if n_rows else ""
    count = f" ({len(rows)} rows)" if len(rows) > 1 else ""
    return f" at row {rows[0]!r}{count}"
