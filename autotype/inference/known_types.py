"""Collect the types that need no inference: those of ordered dtypes, and those of `known`."""

from __future__ import annotations

import os
import warnings
from collections.abc import Hashable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import pandas as pd

from autotype.errors import KnownTypesError
from autotype.inference.options import positions_of
from autotype.inference.sampling.sampled_column import FrameSample, SampledColumn
from autotype.types.column_type import ColumnType, Provenance
from autotype.types.decisions.decision import (
    Decision,
    LevelsLeftOutError,
    decided_fields,
    place_levels,
    read_statement,
)
from autotype.types.decisions.revise import as_statements

_REASONS = {
    "dtype": "Its dtype is an ordered Categorical.",
    "known": "Stated by the user (known=).",
    "kept": "Inferred earlier, and kept (known=).",
}


@dataclass(frozen=True)
class KnownType:
    """A type that needs no inference.

    Attributes
    ----------
    decision : Decision
        Its levels are those of the column; an ordinal one has an order.
    provenance : str
        ``"dtype"``, ``"known"``, or ``"kept"`` if the decision is an earlier verdict.
    """

    decision: Decision
    provenance: Provenance

    @property
    def reason(self) -> str:
        """Where it is known from, in one sentence."""
        return _REASONS[self.provenance]


def read_known(
    sample: FrameSample, known: Mapping[Hashable, Any] | str | os.PathLike | None
) -> dict[int, KnownType]:
    """Collect the types that dtypes and the user state; the user's take precedence.

    Parameters
    ----------
    sample : FrameSample
    known : mapping, path or None
        Statements on columns, or a file of them.

    Returns
    -------
    dict
        Position of a column -> its type.

    Warns
    -----
    UserWarning
        If an earlier verdict leaves out a level that the column now holds: its type is then
        inferred again.

    Raises
    ------
    TypeError
        If `known` is neither a mapping nor a path, or a statement is none.
    UnknownColumnError
        If `known` names a column that the frame does not hold.
    KnownTypesError
        If a type is unknown, or an order omits a level or names one twice.
    """
    stated = {
        j: KnownType(Decision("ordinal", tuple(column.values.cat.categories)), "dtype")
        for j, column in enumerate(sample.columns)
        if isinstance(column.values.dtype, pd.CategoricalDtype)
        and column.values.cat.ordered
        and len(column.values.cat.categories)
    }
    statements = {} if known is None else as_statements(known, sample.names, option="known")
    for name, statement in statements.items():
        for j in positions_of(sample.names, [name], option="known"):
            column = sample.columns[j]
            decision = read_statement(statement, where=f"known[{column.name!r}]")
            try:
                placed = _placed(decision, column, stated.get(j))
                stated[j] = KnownType(placed, "kept" if placed.is_verdict else "known")
            except LevelsLeftOutError as problem:
                if not decision.is_verdict:
                    raise
                warnings.warn(f"{problem}; its type is inferred again", UserWarning, stacklevel=3)
    return stated


def _placed(decision: Decision, column: SampledColumn, by_dtype: KnownType | None) -> Decision:
    """Return a decision on the levels that the column holds."""
    where = f"known[{column.name!r}]"
    if decision.semantic_type is None:
        raise KnownTypesError(f"{where} has a note only; give a type or an order too")
    if decision.semantic_type != "ordinal":
        return decision
    if decision.order is None:
        if by_dtype is None:
            raise KnownTypesError(
                f"{where} is ordinal without an order; give the levels instead, lowest first"
            )
        return replace(decision, order=by_dtype.decision.order)
    if not column.known_levels:
        raise KnownTypesError(
            f"the order in {where} cannot be used: the column has {column.n_distinct_text} "
            "levels; raise max_levels"
        )
    return place_levels(decision, column.known_levels, where=where)


def type_from_known(column: SampledColumn, known: KnownType) -> ColumnType:
    """Return the type of a column that needs no inference."""
    return ColumnType(
        name=column.name,
        **decided_fields(known.decision, column.known_levels),
        n_levels=column.n_distinct,
        n_rows_used=column.n_rows - column.n_missing,
        reasons=(known.reason,),
        provenance=known.provenance,
    )
