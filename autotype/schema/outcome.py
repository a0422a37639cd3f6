"""The outcome of a validation: a result for each check of a schema, with the rows that fail it.

A column of a batch that the schema does not know may be a missing one renamed.
"""

from __future__ import annotations

import difflib
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import pandas as pd
from pandera import dtypes
from pandera.pandas import Column, DataFrameSchema

from autotype._version import __version__
from autotype.errors import BatchError
from autotype.schema.batches.failures import column_of
from autotype.schema.batches.pandas_batch import expand_rules
from autotype.schema.checks.column_rules import COLUMN_RULES
from autotype.schema.checks.table import check_of_error, find_check
from autotype.schema.checks.text_checks import StringCheck
from autotype.schema.read_types import columns_from_schema
from autotype.schema.validate import validate
from autotype.types.codec.json_values import as_unicode, simplify
from autotype.wording import and_more, format_count, format_some

FORMAT_VERSION = 1
PASSED, FAILED, TOLERATED, SKIPPED = "passed", "failed", "tolerated", "skipped"
_MAX_LISTED = 5
_MAX_VALUES = 20

_MAX_COMPARED = 1000  # different values of a new column that are compared with levels
_HELD = 0.8  # proportion of a new column's values that are levels of the missing one
_SEEN = 0.5  # proportion of the missing column's levels that the new one holds


@dataclass(frozen=True)
class CheckResult:
    """The result of one check of a schema.

    Attributes
    ----------
    column : hashable
        The column's name; None if the check is of the whole batch.
    check : str
        ``"present"``, ``"dtype"``, ``"not_null"``, ``"unique"``, ``"min_rows"``, ``"expected"`` of
        a new column, the name of a check such as ``"is_ordinal"``, or ``"readable"`` if nothing
        could be checked.
    status : str
        ``"passed"``, ``"failed"``, ``"tolerated"``, or ``"skipped"`` if the column is missing.
    message : str
        What is wrong, in a sentence; empty if nothing is.
    rows : tuple of int or None
        Rows that fail, numbered from 0; None if the column as a whole does.
    values : tuple
        The values in these rows.
    """

    column: Hashable
    check: str
    status: str = PASSED
    message: str = ""
    rows: tuple[int, ...] | None = None
    values: tuple = field(default=(), repr=False)


@dataclass(frozen=True)
class Outcome:
    """The results of all checks of a schema on a batch.

    Attributes
    ----------
    results : tuple of CheckResult
        In the order of the schema's columns.
    n_rows : int
        Rows of the batch.
    notes : tuple of str
        Sentences on columns that no check is for.
    """

    results: tuple[CheckResult, ...]
    n_rows: int
    notes: tuple[str, ...] = ()

    def of_status(self, status: str) -> list[CheckResult]:
        """Return the results with a status."""
        return [result for result in self.results if result.status == status]

    def failed_rows(self) -> dict[int, list[str]]:
        """Return the rows that fail a check, ascending, with the checks that each one fails."""
        rows: dict[int, list[str]] = {}
        for result in self.results:
            for row in dict.fromkeys(result.rows or ()):
                rows.setdefault(row, []).append(f"{result.column}: {result.check}")
        return dict(sorted(rows.items()))

    def to_dict(self) -> dict[str, Any]:
        """Return the outcome as plain Python values, ready for JSON."""
        statuses = (PASSED, FAILED, TOLERATED, SKIPPED)
        return {
            "format_version": FORMAT_VERSION,
            "autotype_version": __version__,
            "success": not self.of_status(FAILED),
            "n_rows": self.n_rows,
            "counts": {status: len(self.of_status(status)) for status in statuses},
            "checks": [_plain(result, self.n_rows) for result in self.results],
            "notes": [as_unicode(note) for note in self.notes],
        }


def _plain(result: CheckResult, n_rows: int) -> dict[str, Any]:
    n_failed = None if result.rows is None else len(set(result.rows))
    return {
        "column": simplify(result.column),
        "check": result.check,
        "status": result.status,
        "message": as_unicode(result.message),
        "n_failed": n_failed,
        "share_failed": n_failed / n_rows if n_failed and n_rows else None,
        "values": _plain_values(result),
    }


def _plain_values(result: CheckResult) -> list[dict[str, Any]]:
    """Return the first few different values that fail, with their number of rows and the first."""
    groups: dict[str, dict[str, Any]] = {}
    for row, value in zip(result.rows or (), result.values, strict=True):
        group = groups.setdefault(repr(value), {"value": simplify(value), "n_rows": 0, "row": row})
        group["n_rows"] += 1
    return list(groups.values())[:_MAX_VALUES]


def check_outcome(
    batch: pd.DataFrame,
    schema: DataFrameSchema,
    *,
    min_rows: int,
    max_failures: tuple[float, bool],
    strict: bool = False,
) -> Outcome:
    """Validate a batch from a file, whose columns of numbers may hold strings.

    Parameters
    ----------
    batch : pandas.DataFrame
        Its rows are numbered from 0.
    schema : pandera.pandas.DataFrameSchema
    min_rows : int
        Rows that the batch has to have.
    max_failures : (float, bool)
        How many rows may fail each check, and whether that is a proportion of the rows.
    strict : bool
        Whether a column that the schema does not know is a failure; else it is a note.

    Returns
    -------
    Outcome
    """
    renamed = find_renamed(batch, schema)
    unknown = _unknown_columns(batch, schema, renamed)
    checks = dict.fromkeys(_checks(batch, schema))
    found = [] if len(batch) >= min_rows else [_too_few_rows(len(batch), min_rows)]
    batch, schema, not_numbers = _with_numbers(batch, schema)
    found += not_numbers
    try:
        validate(batch, schema)
    except BatchError as failures:
        found += _results(failures, renamed)
    if strict:
        found += unknown
    limit, is_proportion = max_failures
    most = limit * (len(batch) if is_proportion else 1)
    results = [_judged(result, most) for result in found]
    failed = {(result.column, result.check) for result in results}
    missing = {column for column, check in failed if check == "present"}
    results += [
        CheckResult(*check, status=SKIPPED if check[0] in missing else PASSED)
        for check in checks
        if check not in failed
    ]
    places = {check: place for place, check in enumerate(checks)}
    results.sort(key=lambda result: places.get((result.column, result.check), -1))
    notes = () if strict else _notes(unknown, renamed)
    return Outcome(tuple(results), len(batch), notes)


def _notes(unknown: Sequence[CheckResult], renamed: Mapping[Hashable, Hashable]) -> tuple[str, ...]:
    """Return a sentence on each new column that seems to be renamed, and one on all others."""
    known = set(renamed.values())
    named = tuple(result.message for result in unknown if result.column in known)
    others = [result.column for result in unknown if result.column not in known]
    if len(others) < 2:
        return tuple(result.message for result in unknown)
    listed = format_some(others)
    return (*named, f"{len(others)} columns are new, and the schema has no check of them: {listed}")


def _unknown_columns(
    batch: pd.DataFrame, schema: DataFrameSchema, renamed: Mapping[Hashable, Hashable]
) -> list[CheckResult]:
    """Return a failure for each column that a schema does not know."""
    before = {new: old for old, new in renamed.items()}
    results = []
    for name in new_columns(batch, schema):
        hint = f"; it may be {before[name]!r}, renamed" if name in before else ""
        message = f"column {name!r} is new, and the schema has no check of it{hint}"
        results.append(CheckResult(name, "expected", FAILED, message))
    return results


def _checks(batch: pd.DataFrame, schema: DataFrameSchema) -> Iterator[tuple[Hashable, str]]:
    """Yield column and check of all that a schema requires."""
    yield None, "min_rows"
    for name, rule in expand_rules(batch, schema).items():
        if rule.required or name in batch.columns:
            yield from ((name, of.name) for of in COLUMN_RULES if of.of_rule(rule) is not None)
            yield from ((name, str(check.name)) for check in rule.checks)


def _too_few_rows(n_rows: int, min_rows: int) -> CheckResult:
    return CheckResult(
        None,
        "min_rows",
        FAILED,
        f"the batch has {format_count(n_rows, 'row')}, expected at least {min_rows:,}; check its "
        "source, or allow fewer (min-rows)",
    )


def _with_numbers(
    batch: pd.DataFrame, schema: DataFrameSchema
) -> tuple[pd.DataFrame, DataFrameSchema, list[CheckResult]]:
    """Convert columns of strings to the numbers that a schema requires; other cells fail."""
    found = []
    for name, rule in schema.columns.items():
        if not is_numeric(rule) or name not in batch.columns:
            continue
        values = batch[name]
        if isinstance(values, pd.DataFrame) or pd.api.types.is_numeric_dtype(values):
            continue
        numbers = pd.to_numeric(values, errors="coerce")
        wrong = values[values.notna() & numbers.isna()]
        if not wrong.empty:
            found.append(_not_numbers(wrong))
        batch = batch.copy(deep=False)  # no keyword arguments: a column may be called "self"
        batch[name] = numbers
        schema = schema.update_column(name, nullable=True, dtype=None)  # already reported
    return batch, schema, found


def is_numeric(rule: Column) -> bool:
    """Check whether a rule requires numbers."""
    plain = getattr(rule.dtype, "type", None)
    types = pd.api.types
    return plain is not None and types.is_numeric_dtype(plain) and not types.is_bool_dtype(plain)


def is_text(rule: Column) -> bool:
    """Check whether a rule requires strings, which in pandas 2 are objects."""
    is_written = any(isinstance(find_check(check), StringCheck) for check in rule.checks)
    return is_written or isinstance(rule.dtype, dtypes.String)


def _not_numbers(wrong: pd.Series) -> CheckResult:
    listed = ", ".join(f"{cell!r} at row {row}" for row, cell in wrong.head(_MAX_LISTED).items())
    listed += and_more(len(wrong) - _MAX_LISTED)
    return CheckResult(
        wrong.name,
        "dtype",
        FAILED,
        f"column {wrong.name!r} holds {listed}, where numbers are expected; correct them",
        tuple(wrong.index.tolist()),
        tuple(wrong.tolist()),
    )


def _results(failures: BatchError, renamed: Mapping[Hashable, Hashable]) -> Iterator[CheckResult]:
    """Yield the failures; of a missing column with the new one that it may have become."""
    for error, problem in zip(failures.schema_errors, failures.problems, strict=True):
        name, check, cases = column_of(error), check_of_error(error).name, error.failure_cases
        rows, values = None, ()
        if isinstance(cases, pd.DataFrame) and cases["index"].notna().all():
            rows, values = tuple(map(int, cases["index"])), tuple(cases["failure_case"].tolist())
        message = problem.splitlines()[0]
        if check == "present" and name in renamed:
            message += f"; it may have been renamed: {renamed[name]!r} is new"
        yield CheckResult(name, check, FAILED, message, rows, values)


def _judged(result: CheckResult, most: float) -> CheckResult:
    if result.rows is None or len(set(result.rows)) > most:
        return result
    return replace(result, status=TOLERATED)


def new_columns(batch: pd.DataFrame, schema: DataFrameSchema) -> list[Hashable]:
    """Return the columns of a batch that no rule of a schema is for."""
    known = expand_rules(batch, schema)
    return [name for name in dict.fromkeys(batch.columns) if name not in known]


def find_renamed(batch: pd.DataFrame, schema: DataFrameSchema) -> dict[Hashable, Hashable]:
    """Return missing column -> the new column that seems to be it, by its levels or its name.

    Parameters
    ----------
    batch : pandas.DataFrame
    schema : pandera.pandas.DataFrameSchema

    Examples
    --------
    >>> import pandas as pd
    >>> import pandera.pandas as pa
    >>> sizes = pa.Column(pa.Category(["S", "M", "L"], ordered=True))
    >>> schema = pa.DataFrameSchema({"size": sizes, "price": pa.Column(float)})
    >>> find_renamed(pd.DataFrame({"format": ["S", "L"], "prices": [1.5, 2]}), schema)
    {'size': 'format', 'price': 'prices'}
    """
    new = new_columns(batch, schema)
    missing = [c for c in columns_from_schema(schema) if new and c.name not in batch.columns]
    found: dict[Hashable, Hashable] = {}
    for column in missing:
        scores = {name: _likeness(batch[name], column.levels) for name in new}
        best = max(scores, key=scores.__getitem__, default=None)
        if best is not None and scores[best] > 0:
            found[column.name] = best
            new.remove(best)
    for column in missing:
        if column.name not in found:
            texts = {str(name): name for name in new}
            for close in difflib.get_close_matches(str(column.name), texts, n=1):
                found[column.name] = texts[close]
                new.remove(texts[close])
    return found


def _likeness(values: Any, levels: Mapping[Any, int]) -> float:
    """Return the proportion of a column's values that are levels, 0 if they are too few."""
    if getattr(values, "ndim", 1) != 1 or not levels:
        return 0.0
    held = {
        value for value in values.dropna().unique()[:_MAX_COMPARED] if isinstance(value, Hashable)
    }
    common = len(held & set(levels))
    is_same = common >= _HELD * len(held) and common >= _SEEN * len(levels)
    return common / len(held) if held and is_same else 0.0
