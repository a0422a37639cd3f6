"""What is known before any inference: ordered Categoricals, and what the user says."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, get_args

import pandas as pd

from autotype.column_type import ColumnType, SemanticType
from autotype.errors import KnownTypesError
from autotype.inference.options import positions_of
from autotype.inference.sample import FrameSample, SampledColumn
from autotype.wording import format_some


@dataclass(frozen=True)
class Known:
    """A type that needs no inference.

    Attributes
    ----------
    semantic_type : str
        The type.
    order : tuple or None
        All levels, lowest first, of an ordinal column.
    reason : str
        Who says so.
    """

    semantic_type: SemanticType
    order: tuple | None
    reason: str


def read_known(
    sample: FrameSample, known: Mapping[Hashable, str | Sequence[Any]] | None
) -> dict[int, Known]:
    """Collect what dtypes and the user say; the user wins.

    Raises
    ------
    TypeError
        If `known` is no mapping.
    UnknownColumnError
        If `known` names a column that the frame does not hold.
    KnownTypesError
        If a type is unknown, or an order leaves out a level or names one twice.
    """
    told = {
        j: Known("ordinal", tuple(column.values.cat.categories), "Its dtype says so: ordered.")
        for j, column in enumerate(sample.columns)
        if isinstance(column.values.dtype, pd.CategoricalDtype)
        and column.values.cat.ordered
        and len(column.values.cat.categories)
    }
    if known is not None and not isinstance(known, Mapping):
        raise TypeError(
            "known must map column names to a type, or to levels, lowest first; "
            f"got {known!r} ({type(known).__name__})"
        )
    for name, statement in (known or {}).items():
        for j in positions_of(sample.names, [name], option="known"):
            told[j] = _read_statement(sample.columns[j], statement, told.get(j))
    return told


def _read_statement(
    column: SampledColumn, statement: str | Sequence[Any], by_dtype: Known | None
) -> Known:
    types = get_args(SemanticType)
    if isinstance(statement, str):
        if statement not in types:
            raise KnownTypesError(
                f"known[{column.name!r}] is {statement!r}, not one of {', '.join(types)} "
                "nor a list of levels, lowest first"
            )
        if statement == "ordinal" and by_dtype is None:
            raise KnownTypesError(
                f"known[{column.name!r}] says ordinal but not in which order; "
                "give the levels instead, lowest first"
            )
        order = by_dtype.order if by_dtype and statement == "ordinal" else None
        return Known(statement, order, "You said so (known=).")  # type: ignore[arg-type]
    if not isinstance(statement, Iterable):
        raise TypeError(
            f"known[{column.name!r}] is {statement!r}, neither a type nor a list of levels, "
            "lowest first"
        )
    order = tuple(statement)
    twice = [level for k, level in enumerate(order) if level in order[:k]]
    left_out = [level for level in column.levels or () if level not in order]
    if twice or left_out or column.levels is None:
        raise KnownTypesError(_order_message(column, twice, left_out))
    return Known("ordinal", order, "You said so (known=).")


def _order_message(column: SampledColumn, twice: list, left_out: list) -> str:
    start = f"the order in known[{column.name!r}]"
    if twice:
        return f"{start} names level {twice[0]!r} twice"
    if column.levels is None:
        return (
            f"{start} cannot be used: the column has {column.n_distinct} levels; raise max_levels"
        )
    named = format_some(left_out)
    return f"{start} leaves out {named}; name every level that the column holds, lowest first"


def settle_known(column: SampledColumn, known: Known) -> ColumnType:
    """Make the type of a column that needs no inference."""
    counts = dict(column.levels or {})
    if known.order is not None:
        counts = {level: counts.get(level, 0) for level in known.order}
    return ColumnType(
        name=column.name,
        semantic_type=known.semantic_type,
        probability=1.0 if known.order is not None else float("nan"),
        order=known.order,
        best_order=known.order,
        order_probability=1.0 if known.order is not None else float("nan"),
        direction_known=known.order is not None,
        levels=counts,
        n_levels=column.n_distinct,
        n_rows_used=column.n_rows - column.n_missing,
        reasons=(known.reason,),
    )
