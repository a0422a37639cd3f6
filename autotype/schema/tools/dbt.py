"""Write a schema as the properties of a dbt model, with its generic tests."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from autotype.schema.tools.column_constraint import ColumnConstraint, read_constraints
from autotype.schema.tools.plain_levels import plain_levels
from autotype.schema.yaml_text import write_yaml

if TYPE_CHECKING:
    from pandera.pandas import DataFrameModel, DataFrameSchema

    from autotype.types.column_types import ColumnTypes


def to_dbt(
    source: ColumnTypes | DataFrameSchema | type[DataFrameModel], model: str = "batch"
) -> str:
    """Write a schema as the ``schema.yml`` of a dbt model (dbt 1.10.5 and later).

    Parameters
    ----------
    source : pandera DataFrameSchema, DataFrameModel, or TypeReport
        A report holds levels only; a schema also missing values and uniqueness.
    model : str
        The model's name.

    Returns
    -------
    str
        YAML with the tests ``accepted_values``, ``not_null`` and ``unique``, which dbt has by
        itself; ranges would need a package. The order of levels is in the column's description and
        in ``meta``, since dbt has no notion of it.

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
    >>> print(to_dbt(TypeReport([size]), "shop"), end="")
    version: 2
    models:
    - name: shop
      columns:
      - name: size
        description: 'Ordinal: S < M'
        config:
          meta:
            order:
            - S
            - M
        data_tests:
        - accepted_values:
            arguments:
              values:
              - S
              - M
    """
    columns = [_column(column) for column in read_constraints(source)]
    return write_yaml({"version": 2, "models": [{"name": model, "columns": columns}]})


def _column(column: ColumnConstraint) -> dict[str, Any]:
    properties: dict[str, Any] = {"name": column.name}
    tests: list[Any] = []
    if column.levels is not None:
        levels = plain_levels(column.levels)
        if column.ordered:
            properties["description"] = f"Ordinal: {' < '.join(map(str, levels))}"
            properties["config"] = {"meta": {"order": levels}}
        # dbt puts texts between single quotes as they are.
        quoted = [v.replace("'", "''") if isinstance(v, str) else v for v in levels]
        accepted: dict[str, Any] = {"values": quoted}
        if column.kind in ("integer", "number", "boolean"):
            accepted["quote"] = False
        tests.append({"accepted_values": {"arguments": accepted}})
    if not column.nullable:
        tests.append("not_null")
    if column.unique:
        tests.append("unique")
    return properties | ({"data_tests": tests} if tests else {})
