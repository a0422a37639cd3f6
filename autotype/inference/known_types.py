"""Collect the types that need no inference: those of ordered dtypes, and those of `known`."""

from __future__ import annotations

import warnings
from collections.abc import Container, Hashable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any

import pandas as pd

from autotype.errors import KnownTypesError
from autotype.inference.column import Column, FrameSample, without
from autotype.inference.labels.evidence import NO_RULE, NOMINAL
from autotype.inference.labels.rules import read_labels
from autotype.inference.options import positions_of
from autotype.inference.scales.user_scales import state_scales
from autotype.types.column_type import ColumnType
from autotype.types.data_warning import DataWarning
from autotype.types.decisions.decision import (
    Decision,
    LevelsLeftOutError,
    decided_fields,
    place_levels,
    read_statement,
)
from autotype.types.decisions.known_file import naming_file
from autotype.types.decisions.scales_file import UserScales
from autotype.wording import format_level, format_value

_MIN_ALIKE = 3  # ordered categoricals of a frame that one reader of files may have made
_REMEDY = "state the order by known=, or make the dtype unordered"
_REASONS = {
    "dtype": "Its dtype is an ordered Categorical.",
    "known": "Stated by the user (known=).",
    "kept": "Inferred earlier, and kept (known=).",
}


def read_known(
    sample: FrameSample,
    known: Mapping[Hashable, Any],
    *,
    marked: Mapping[str, Container[str]] = MappingProxyType({}),
    scales: UserScales | None = None,
) -> tuple[DataWarning, ...]:
    """Set the types that dtypes and the user state; the user's take precedence.

    Parameters
    ----------
    sample : FrameSample
        Its columns receive their `decision` and `provenance`. Labels speak against an ordered
        dtype where they may be used.
    known : mapping
        Column name -> what the user states of it, see `as_statements`.
    marked : mapping of container of str
        Columns whose ordered dtype was made by `apply_types`: name -> its levels off the scale.
    scales : UserScales, optional
        The user's own vocabulary, which an ordered dtype outranks only where it is marked.

    Returns
    -------
    tuple of DataWarning
        On each ordered dtype that is not taken for a scale, whose column is inferred, and on each
        column with a level that its scale in `scales` lacks.

    Warns
    -----
    UserWarning
        If an earlier verdict leaves out a level that the column now holds: its type is then
        inferred again.

    Raises
    ------
    TypeError
        If a statement is none.
    UnknownColumnError
        If `known` names a column that the frame does not hold.
    KnownTypesError
        If a type is unknown, or an order omits a level or names one twice.
    """
    dtypes = [column.values.dtype for column in sample.columns]
    ordered = [d.ordered for d in dtypes if isinstance(d, pd.CategoricalDtype)]
    all_ordered = len(ordered) >= _MIN_ALIKE and all(ordered)
    doubts, warned = {}, list[tuple[Column, DataWarning]]()
    for j, column in enumerate(sample.columns):
        if column.is_ordered_dtype and len(column.values.cat.categories):
            is_open = column.label_text and str(column.name) not in marked
            if is_open and (why := _doubt(column, all_ordered=all_ordered)):
                doubts[j] = DataWarning("ordered dtype", why, _REMEDY, column.name)
                continue
            off = marked.get(str(column.name), ())
            levels = tuple(column.values.cat.categories)
            aside = tuple(level for level in levels if format_level(level) in off)
            if is_open and all_ordered:
                aside = _no_answers(levels)
            order = without(levels, aside)
            column.decision = Decision("ordinal", order or levels, off_scale=aside if order else ())
            column.provenance = "dtype"
    if scales is not None:
        free = [c for c in sample.columns if str(c.name) not in marked or not c.is_ordered_dtype]
        warned = state_scales(free, scales)
    for name, statement in known.items():
        for j in positions_of(sample.names, [name], option="known"):
            column = sample.columns[j]
            where = f"known[{format_value(column.name)}]"
            with naming_file(known):
                decision = read_statement(statement, where=where)
                try:
                    column.decision = _placed(decision, column, where)
                    column.provenance = "kept" if decision.is_verdict else "known"
                    column.stated_scale = ""
                except LevelsLeftOutError as problem:
                    if not decision.is_verdict:
                        raise
                    again = f"{problem}; its type is inferred again"
                    warnings.warn(again, UserWarning, stacklevel=3)
    found = (*((sample.columns[j], w) for j, w in doubts.items()), *warned)
    return tuple(warning for column, warning in found if column.decision is None)


def _doubt(column: Column, *, all_ordered: bool) -> str:
    """Return why an ordered dtype may be no scale; empty if nothing speaks against it.

    Readers of files order the categories by their codes or the alphabet, whatever they mean.
    """
    order = list(column.values.cat.categories)
    read = read_labels(order)
    if read.rule not in (NOMINAL, NO_RULE) or not all(isinstance(level, str) for level in order):
        return ""
    # Of two levels in use, no order is wrong.
    if read.rule == NOMINAL and column.n_distinct > 2 and order == sorted(order):
        why = "its levels are names in alphabetical order"
    elif all_ordered:
        why = "its levels are read as no scale, and all categoricals of the frame are ordered"
    else:
        return ""
    return f"the dtype is ordered, but {why}; its type is inferred"


def _no_answers(levels: tuple) -> tuple:
    """Return the levels at the ends of an order whose labels are off any scale: "Don't know".

    Readers of files take the codes of refusals for ranks above or below all others.
    """
    off = set(read_labels(list(levels)).off_scale)
    held = [k for k, level in enumerate(levels) if level not in off]
    if len(held) < 2:
        return ()
    return (*levels[: held[0]], *levels[held[-1] + 1 :])


def _placed(decision: Decision, column: Column, where: str) -> Decision:
    """Return a decision on the levels that the column holds."""
    if decision.semantic_type is None:
        raise KnownTypesError(f"{where} has a note only; give a type or an order too")
    if decision.semantic_type != "ordinal":
        return decision
    if decision.order is None:
        if column.decision is None or column.decision.order is None:
            raise KnownTypesError(
                f"{where} is ordinal without an order; give the levels instead, lowest first"
            )
        return replace(decision, order=column.decision.order)
    if not column.known_levels and column.n_present:
        raise KnownTypesError(
            f"the order in {where} cannot be used: the column has {column.n_distinct_text} "
            "levels; raise max_levels"
        )
    return place_levels(decision, column.known_levels, where=where)


def type_from_known(column: Column) -> ColumnType:
    """Return the type of a column that needs no inference."""
    if column.decision is None:
        raise ValueError(f"nothing states the type of column {column.name!r}")
    return ColumnType(
        name=column.name,
        **decided_fields(column.decision, column.known_levels),
        n_levels=column.n_distinct,
        n_rows_used=column.n_present,
        reasons=(_REASONS.get(column.provenance, column.stated_by),),
        provenance=column.provenance,
    )
