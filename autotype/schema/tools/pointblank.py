"""Write a schema as a validation plan of pointblank."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from autotype.schema.tools.column_constraint import ColumnConstraint, read_constraints
from autotype.schema.tools.plain_levels import plain_levels
from autotype.schema.yaml_text import write_yaml

if TYPE_CHECKING:
    from pandera.pandas import DataFrameModel, DataFrameSchema

    from autotype.types.column_types import ColumnTypes


# pointblank does not find truth values, nor dates in YAML, among those of a column.
_NOT_COMPARED = ("boolean", "datetime")


def to_pointblank(
    source: ColumnTypes | DataFrameSchema | type[DataFrameModel], table: str | None = None
) -> str:
    """Write a schema as a plan of pointblank, in its YAML.

    Parameters
    ----------
    source : pandera DataFrameSchema, DataFrameModel, or TypeReport
        A report holds levels only; a schema also missing values, ranges and uniqueness.
    table : str, optional
        The table that the plan names: a file that exists, or what else pointblank reads. By default
        none: ``pointblank.yaml_interrogate(plan, set_tbl=frame)`` checks a frame.

    Returns
    -------
    str
        Missing values pass in columns that may have some. The order of levels is the order in
        which they are listed. Truth values and dates are not listed: pointblank finds none among
        those of a column.

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
    >>> print(to_pointblank(TypeReport([size]), "shop.csv"), end="")
    tbl: shop.csv
    steps:
    - col_exists:
        columns:
        - size
    - col_vals_in_set:
        columns:
        - size
        set:
        - S
        - M
        - null
    """
    steps = [step for column in read_constraints(source) for step in _steps(column)]
    return write_yaml({"tbl": table, "steps": steps})


def _steps(column: ColumnConstraint) -> Iterator[dict[str, Any]]:
    columns = [column.name]
    yield {"col_exists": {"columns": columns}}
    if not column.nullable:
        yield {"col_vals_not_null": {"columns": columns}}
    if column.unique:
        yield {"rows_distinct": {"columns_subset": columns}}
    if column.levels is not None and column.kind not in _NOT_COMPARED:
        missing = [None] if column.nullable else []
        levels = [*plain_levels(column.levels), *missing]
        yield {"col_vals_in_set": {"columns": columns, "set": levels}}
    missing_pass = {"columns": columns, "na_pass": column.nullable}
    if column.low is not None and column.high is not None:
        yield {"col_vals_between": missing_pass | {"left": column.low, "right": column.high}}
    elif column.low is not None:
        yield {"col_vals_ge": missing_pass | {"value": column.low}}
    elif column.high is not None:
        yield {"col_vals_le": missing_pass | {"value": column.high}}
