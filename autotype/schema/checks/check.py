"""SchemaCheck: all that the package knows of one check of a schema.

A check is made from a frame, written to files, decided by pandas or by the counts of an engine, put
into a sentence if a batch fails it, and handed to other tools. Each of these tasks loops over the
table of checks and asks every check for its part. So a new check is one class and one line of
``table.py``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import pandas as pd
from pandera.pandas import Check

from autotype.schema.checks.column_views import Observed, Witnesses
from autotype.types.column_type import ColumnType
from autotype.wording import and_more, format_count

# The arguments of a check, and those of all checks of a column by the names of the checks.
Arguments = Mapping[str, Any]
Stated = Mapping[str, Arguments]
Need = Literal["levels", "extremes", "counts"]
# What a tool calls a check, or None if it does not know it.
Term = dict[str, Any] | None

# Where a failure is that is not about one column.
WHOLE_BATCH = "the batch"
_MAX_NAMED = 5


class SchemaCheck:
    """A check of one column; by default one of pandera's, or of a user, that single values decide.

    Attributes
    ----------
    name : str
        As pandera knows it, and as results name it.
    function : callable or None
        The check itself, if pandera has to learn it; its name is `name`.
    statistics : tuple of str
        The function's arguments as a schema's file holds them; the main one first.
    needs : {"levels", "extremes", "counts"}
        What decides the check of a column that does not come to Python: all of its levels, its
        smallest and largest value, or the numbers of rows alone.
    follows_from : tuple of str
        Checks after whose failure that of this one says nothing new.
    sql, dbt, expected, step : str
        What SQL, dbt, Great Expectations and pointblank call it, if it has no arguments; empty if
        they do not know it.
    """

    name: str = ""
    function: Any = None
    statistics: tuple[str, ...] = ()
    needs: Need = "levels"
    follows_from: tuple[str, ...] = ()
    sql = dbt = expected = step = ""

    def __init__(self, name: str = "") -> None:
        self.name = name or self.name

    # When it is part of a schema.

    def observe(self, observed: Observed) -> Arguments | None:
        """Return the arguments that a column of the schema's frame implies, or None."""
        return None

    def expectation(self, arguments: Arguments) -> str:
        """Return what a check of these arguments expects; empty for pandera's own words."""
        return ""

    def make(self, observed: Observed) -> Any | None:
        """Make pandera's check of a column of the schema's frame, or None."""
        arguments = self.observe(observed)
        if arguments is None:
            return None
        error = self.expectation(arguments)
        return getattr(Check, self.name)(**arguments, **({"error": error} if error else {}))

    def of_type(self, column: ColumnType) -> Arguments | None:
        """Return the arguments that follow from a column's type without its rows, or None."""
        return None

    def of_rule(self, rule: Any) -> Arguments | None:
        """Return the arguments that a rule of a schema states, or None if it lacks the check."""
        found = [check.statistics for check in rule.checks if check.name == self.name]
        return dict(found[-1]) if found else None

    # How a batch fails it.

    def decided(self, check: Any, witnesses: Witnesses) -> Any:
        """Return pandera's check as it applies to values of a column that an engine counted."""
        return check

    def failure_cases(self, error: Any, values: pd.Series | None) -> Any:
        """Return what fails, given pandera's error: rows, or what the whole column holds."""
        return error.failure_cases

    def sentence(self, where: str, error: Any, values: pd.Series | None) -> str:
        """Describe a failure, with the remedy.

        Parameters
        ----------
        where : str
            The column, such as "column 'size'".
        error : pandera.errors.SchemaError
            Its `failure_cases` are those of the method.
        values : pandas.Series or None
            The column of the batch.
        """
        if isinstance(error.failure_cases, pd.DataFrame):
            return f"{where} fails {stated_error(error)}: {list_cases(error.failure_cases)}"
        return str(error) if where == WHOLE_BATCH else f"{where}: {error}"

    # What other tools call it.

    def as_sql(self, name: str, stated: Stated) -> str | None:
        """Return the constraint of a column, whose name has been quoted."""
        return self.sql or None

    def as_dbt(self, stated: Stated) -> str | Term:
        """Return the generic test."""
        return self.dbt or None

    def as_expectation(self, stated: Stated) -> Term:
        """Return type, arguments and meta data of Great Expectations, without the column."""
        return {"type": self.expected, "kwargs": {}} if self.expected else None

    def as_pointblank(self, name: str, stated: Stated) -> Term:
        """Return the step."""
        return {self.step: {"columns": [name]}} if self.step else None


class RowCount(int):
    """The rows of a failure case of a table that an engine counted, whose numbers are unknown.

    It is 0 if they were not counted.
    """


def stated_error(error: Any) -> str:
    """Return what a check expects, as it states it itself."""
    return str(getattr(error.check, "error", None) or error.check)


def list_cases(cases: pd.DataFrame) -> str:
    """List the first values that fail, each with its row."""
    shown = cases.head(_MAX_NAMED)
    rows = zip(shown["failure_case"].tolist(), shown["index"].tolist(), strict=True)
    text = ", ".join(f"{case!r}{_at([row])}" for case, row in rows)
    return text + and_more(len(cases) - _MAX_NAMED)


def list_values(cases: pd.DataFrame, noun: str = "") -> str:
    """List different values that fail, each with its first row and its number of rows."""
    groups: dict[str, list[Any]] = {}
    for level, row in zip(cases["failure_case"].tolist(), cases["index"].tolist(), strict=True):
        groups.setdefault(repr(level), []).append(row)
    named = [f"{noun}{value}{_at(rows)}" for value, rows in list(groups.items())[:_MAX_NAMED]]
    more = [f"{len(groups) - _MAX_NAMED} more"] if len(groups) > _MAX_NAMED else []
    return " and ".join([*named, *more])


def locate(cases: Any) -> str:
    """Return the first row that fails and the number of such rows, if rows do."""
    return _at(cases["index"].tolist()) if isinstance(cases, pd.DataFrame) else ""


def _at(rows: Sequence[Any]) -> str:
    if isinstance(rows[0], RowCount):
        return f" in {format_count(sum(rows), 'row')}" if sum(rows) else ""
    count = f" ({len(rows)} rows)" if len(rows) > 1 else ""
    return f" at row {rows[0]!r}{count}"
