"""Turn pandera's errors on a batch into one error with an actionable sentence for each."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

import pandas as pd
from pandera.errors import SchemaError

from autotype.errors import BatchError
from autotype.schema.checks.check import WHOLE_BATCH, RowCount
from autotype.schema.checks.table import check_of_error
from autotype.schema.levels import format_levels, levels_of

_OF_NAMES = ("COLUMN_NOT_IN_DATAFRAME", "COLUMN_NOT_IN_SCHEMA")


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
    errors = _without_consequences(schema_errors)
    for error in errors:
        error.failure_cases = check_of_error(error).failure_cases(error, _values(error, data))
    failed = BatchError(schema, errors, data)
    failed.problems = [_sentence(error, data) for error in errors]
    expected = {column_of(error): _expected(error) for error in errors}
    cases = failed.failure_cases.sort_index()
    missing = cases["check"] == "column_in_dataframe"
    cases["column"] = cases["column"].where(~missing, cases["failure_case"])
    cases["expected"] = [expected.get(name, "") for name in cases["column"]]
    counted = cases["index"].map(lambda row: isinstance(row, RowCount)).to_numpy(dtype=bool)
    if counted.any():
        numbers = [int(row) or None for row in cases["index"][counted]]
        cases["n_rows"] = pd.Series(numbers, index=cases.index[counted], dtype="Int64")
        cases["index"] = cases["index"].where(~counted, None)
    failed.failure_cases = cases
    return failed


def _without_consequences(errors: Sequence[SchemaError]) -> list[SchemaError]:
    """Drop errors that follow from another one of the same column."""
    failed = {(column_of(error), check_of_error(error).name) for error in errors}
    kept = [
        error
        for error in errors
        if not failed & {(column_of(error), n) for n in check_of_error(error).follows_from}
    ]
    other_dtype = {column_of(error) for error in kept if check_of_error(error).name == "dtype"}
    return [error for error in kept if not (_is_raised(error) and column_of(error) in other_dtype)]


def _is_raised(error: SchemaError) -> bool:
    """Check whether a check could not be computed."""
    return getattr(error.reason_code, "name", "") == "CHECK_ERROR"


def column_of(error: SchemaError) -> Hashable:
    """Return the name of the column that an error is about."""
    if getattr(error.reason_code, "name", "") in _OF_NAMES:
        return error.failure_cases
    name = getattr(error, "column_name", None)
    return error.schema.name if name is None else name


def _values(error: SchemaError, data: Any) -> pd.Series | None:
    """Return the column that an error is about, the first of a repeated name."""
    if not isinstance(data, pd.DataFrame) or column_of(error) not in data.columns:
        return None
    values = data[column_of(error)]
    return values.iloc[:, 0] if isinstance(values, pd.DataFrame) else values


def _sentence(error: SchemaError, data: Any) -> str:
    name = column_of(error)
    where = WHOLE_BATCH if name is None else f"column {name!r}"
    return check_of_error(error).sentence(where, error, _values(error, data))


def _expected(error: SchemaError) -> str:
    """Format what the schema expects of a column: its levels, those off the scale apart."""
    rule = error.schema
    if not hasattr(rule, "regex"):  # the error is not about one column
        return ""
    stated = levels_of(rule)
    if stated is not None:
        return format_levels(stated)
    return "" if rule.dtype is None else str(rule.dtype)
