"""Write a schema as a suite of Great Expectations."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from autotype._version import __version__
from autotype.schema.tools.column_constraint import ColumnConstraint, read_constraints
from autotype.schema.tools.plain_levels import plain_levels

if TYPE_CHECKING:
    from pandera.pandas import DataFrameModel, DataFrameSchema

    from autotype.types.column_types import ColumnTypes


def to_great_expectations(
    source: ColumnTypes | DataFrameSchema | type[DataFrameModel], name: str = "batch"
) -> dict[str, Any]:
    """Return a schema as a suite of Great Expectations (1.0 and later).

    Parameters
    ----------
    source : pandera DataFrameSchema, DataFrameModel, or TypeReport
        A report holds levels only; a schema also missing values, ranges and uniqueness.
    name : str
        The suite's name.

    Returns
    -------
    dict
        ``great_expectations.ExpectationSuite(**suite)`` is the suite; as JSON it is the file of a
        suite. The order of levels is in the meta data of an expectation. Levels that are dates are
        not listed, since JSON holds none.

    Raises
    ------
    TypeError
        If `source` is none of these.
    UnwritableTypesError
        If a level is neither a text nor a number, truth value or date.

    Examples
    --------
    >>> from autotype import ColumnType, TypeReport
    >>> size = ColumnType("size", "ordinal", order=("S", "M"), levels={"S": 4, "M": 5})
    >>> to_great_expectations(TypeReport([size]))["expectations"][1]["kwargs"]
    {'column': 'size', 'value_set': ['S', 'M']}
    """
    return {
        "name": name,
        "expectations": [
            expectation
            for column in read_constraints(source)
            for expectation in _expectations(column)
        ],
        "meta": {"autotype_version": __version__},
    }


def _expectations(column: ColumnConstraint) -> Iterator[dict[str, Any]]:
    yield _expectation("expect_column_to_exist", column)
    if not column.nullable:
        yield _expectation("expect_column_values_to_not_be_null", column)
    if column.unique:
        yield _expectation("expect_column_values_to_be_unique", column)
    if column.levels is not None and column.kind != "datetime":  # JSON holds no dates
        levels = plain_levels(column.levels)
        kind = "expect_column_values_to_be_in_set"
        found = _expectation(kind, column, value_set=levels)
        yield found | ({"meta": {"order": levels}} if column.ordered else {})
    if column.low is not None or column.high is not None:
        kind = "expect_column_values_to_be_between"
        yield _expectation(kind, column, min_value=column.low, max_value=column.high)


def _expectation(kind: str, column: ColumnConstraint, **arguments: Any) -> dict[str, Any]:
    stated = {key: value for key, value in arguments.items() if value is not None}
    return {"type": kind, "kwargs": {"column": column.name, **stated}}
