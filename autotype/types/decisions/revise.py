"""Revise a report by decisions, and collect the decisions that a report holds.

A person corrects some verdicts, and the corrections have to survive: the next batch of the table is
inferred with them. So a decision changes a column here, keeps what it replaced as a reason, and can
be read back from the report in the form in which it was stated.
"""

from __future__ import annotations

import os
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from autotype.errors import KnownTypesError, UnknownColumnError
from autotype.types.column_type import ColumnType
from autotype.types.column_types import Scale
from autotype.types.decisions.decision import (
    INFERRED,
    STATED,
    Decision,
    Statement,
    decided_fields,
    decision_of,
    place_levels,
    read_statement,
)
from autotype.types.decisions.known_file import KnownFile, by_column, naming_file, read_known_file
from autotype.types.nan_equality import nan_key
from autotype.wording import did_you_mean, format_count, format_probability, format_value

_BY_USER = "Stated by the user (revise)."
_KEPT = "Inferred earlier, and kept (revise)."


def as_statements(
    decisions: Mapping[Hashable, Any] | str | os.PathLike[str],
    names: Iterable[Hashable],
    *,
    option: str,
) -> Mapping[Hashable, Any]:
    """Return decisions by column name; those of a file are read.

    Parameters
    ----------
    decisions : mapping, or path of a file
        A `Scale` as a key stands for its columns.
    names : iterable of hashable
        The columns, by whose strings a file names them.
    option : str
        The name of the argument, for messages.

    Raises
    ------
    TypeError
        If it is neither.
    UnknownColumnError, UnreadableTypesError
        Of a file, see `read_known_file`.
    """
    if isinstance(decisions, (str, os.PathLike)):
        held = read_known_file(decisions)
        return by_column(held, names, where=os.fspath(decisions))
    if isinstance(decisions, KnownFile):
        return by_column(decisions, names, where=decisions.path)
    if not isinstance(decisions, Mapping):
        raise TypeError(
            f"{option} must map column names to a type, or to levels, lowest first, or be the path "
            f"of a file that does; got {decisions!r} ({type(decisions).__name__})"
        )
    return {
        name: statement
        for key, statement in decisions.items()
        for name in (key.columns if isinstance(key, Scale) else (key,))
    }


def revise_columns(
    columns: Sequence[ColumnType],
    decisions: Mapping[Hashable, Any] | str | os.PathLike[str] | None,
    stated: Mapping[str, Any],
) -> list[ColumnType]:
    """Return the columns of a report as decisions have them.

    Parameters
    ----------
    columns : sequence of ColumnType
        Of a repeated name, all are revised.
    decisions : mapping, path or None
        By column name.
    stated : mapping
        More of them; they win.

    Raises
    ------
    TypeError, UnknownColumnError, KnownTypesError, UnreadableTypesError
    """
    names = [column.name for column in columns]
    known = set(map(nan_key, names))
    by_name: dict[Hashable, tuple[Statement, Mapping[Any, Any]]] = {}
    for part in (as_statements(decisions or {}, names, option="decisions"), stated):
        for name, statement in part.items():
            if nan_key(name) not in known:
                hint = did_you_mean(name, names)
                raise UnknownColumnError(f"the report holds no column {name!r}{hint}")
            by_name[nan_key(name)] = statement, part
    keys = map(nan_key, names)
    return [
        _revised(column, *by_name[key]) if key in by_name else column
        for column, key in zip(columns, keys, strict=True)
    ]


def _revised(column: ColumnType, statement: Statement, statements: Mapping[Any, Any]) -> ColumnType:
    with naming_file(statements):
        return _as_stated(column, statement)


def _as_stated(column: ColumnType, statement: Statement) -> ColumnType:
    where = f"the revision of {format_value(column.name)}"
    decision = read_statement(statement, where=where)
    if decision.semantic_type is None:
        return replace(column, note=decision.note)
    held = [level for level, n in column.levels.items() if n] or column.levels
    decision = place_levels(_with_order(decision, column, where), held, where=where)
    fields = decided_fields(decision, column.levels)
    if decision.order is None:  # what inference found of the levels stays
        for key in ("best_order", "levels", "off_scale"):
            del fields[key]
    has_scale = decision.semantic_type in ("ordinal", "categorical")
    if decision.semantic_type == "categorical":
        found = [level for level in column.missing_markers if level not in column.off_scale]
        fields["off_scale"] = (*column.off_scale, *found)
        fields["n_levels"] = column.n_levels + len(found)
    return replace(
        column,
        **fields,
        missing_markers=() if has_scale else column.missing_markers,
        reasons=(_KEPT if decision.is_verdict else _BY_USER, *_before(column)),
        provenance="kept" if decision.is_verdict else "revised",
    )


def _with_order(decision: Decision, column: ColumnType, where: str) -> Decision:
    """Return an ordinal decision with an order: its own, or the best that the report holds."""
    if decision.semantic_type != "ordinal":
        return decision
    if not column.levels:
        raise KnownTypesError(
            f"the order in {where} cannot be checked: the report does not list its "
            f"{format_count(column.n_levels, 'level')}; state the order in known= of infer_types, "
            "with max_levels= high enough"
        )
    if decision.order is not None:
        return decision
    if column.best_order is None:
        raise KnownTypesError(
            f"{where} is ordinal without an order, and the report has none; "
            "give the levels instead, lowest first"
        )
    return decision.in_order(column.best_order, column.off_scale)


def _before(column: ColumnType) -> tuple[str, ...]:
    """Return the earlier verdict as a reason; the one of inference, if it was revised twice."""
    if column.provenance not in INFERRED:
        return column.reasons[1:2] if column.provenance == "revised" else ()
    sure = format_probability(column.probability)
    return (f"Inferred: {column.semantic_type}{f' (P(ordinal) {sure})' if sure else ''}.",)


def collect_decisions(columns: Iterable[ColumnType], *, stated: bool) -> dict[Hashable, Statement]:
    """Return the decisions that a report holds, by column name.

    Parameters
    ----------
    columns : iterable of ColumnType
    stated : bool
        Whether only what persons have stated counts, and not the verdicts of inference.

    Raises
    ------
    KnownTypesError
        If two columns of one name have different types.
    """
    found: dict[Hashable, tuple[Hashable, Decision]] = {}
    columns = list(columns)
    for column in columns:
        if _is_decided(column, stated=stated):
            found.setdefault(nan_key(column.name), (column.name, decision_of(column)))
    for column in columns:
        own = decision_of(column)
        _, decision = found.get(nan_key(column.name), (None, own))
        if _without_probability(decision) != _without_probability(own):
            raise KnownTypesError(
                f"the columns of the name {column.name!r} have different types, which a decision "
                "by name cannot state; rename one of them"
            )
    return {name: decision.statement() for name, decision in found.values()}


def _is_decided(column: ColumnType, *, stated: bool) -> bool:
    """Check for a statement of a person, or an ordinal or categorical verdict.

    Other types follow from rules that cost nothing to apply again, and an ordered dtype states its
    order again.
    """
    if column.provenance in STATED:
        return True
    is_verdict = column.semantic_type in ("ordinal", "categorical")
    return not stated and column.provenance in INFERRED and is_verdict


def _without_probability(decision: Decision) -> Decision:
    return replace(decision, probability=None, order_probability=None)
