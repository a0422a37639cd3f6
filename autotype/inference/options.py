"""Check and read the options of `infer_types`, with what is known before any inference."""

from __future__ import annotations

import numbers
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, get_args

import pandas as pd

from autotype.column_type import ColumnType, SemanticType, name_list
from autotype.errors import KnownTypesError, UnknownColumnError
from autotype.inference.sampled_column import FrameSample, SampledColumn
from autotype.nan_equality import nan_key
from autotype.wording import did_you_mean, format_some


def check_options(
    *, max_levels: Any, max_rows: Any, n_jobs: Any, random_state: Any, max_seconds: Any = None
) -> None:
    """Check the types and ranges of options.

    Raises
    ------
    TypeError, ValueError
        Naming the option, what was expected and what was got.
    """
    _check_integer("max_levels", max_levels, least=3)
    if max_rows is not None:
        _check_integer("max_rows", max_rows, least=1)
    _check_integer("random_state", random_state, least=0)
    is_number = isinstance(max_seconds, numbers.Real) and not isinstance(max_seconds, bool)
    if max_seconds is not None and not (is_number and 0 < float(max_seconds) < float("inf")):
        raise ValueError(f"max_seconds must be None or a number above 0, got {max_seconds!r}")
    if n_jobs == 0:
        raise ValueError("n_jobs must be 1 or more, or -1 for all cores, or None; got 0")


def _check_integer(name: str, value: Any, *, least: int) -> None:
    if isinstance(value, bool) or not isinstance(value, numbers.Integral):
        raise TypeError(f"{name} must be an integer, got {value!r} ({type(value).__name__})")
    if value < least:
        raise ValueError(f"{name} must be at least {least}, got {value}")


def positions_of(names: pd.Index, requested: Any, *, option: str) -> list[int]:
    """Return the positions of the requested columns, in the frame's order; None means all.

    Parameters
    ----------
    names : pandas.Index
        The frame's column names, which may repeat.
    requested : column name, or iterable of column names, or None
        A name that occurs more than once means all its columns.
    option : str
        The option's name, for the message.

    Raises
    ------
    UnknownColumnError
        If a name is not in the frame.
    """
    by_name: dict[Hashable, list[int]] = {}
    for j, name in enumerate(names):
        by_name.setdefault(nan_key(name), []).append(j)
    if requested is None:
        return list(range(len(names)))
    wanted = name_list(requested, by_name)
    unknown = [name for name in wanted if not _is_hashable(name) or nan_key(name) not in by_name]
    if unknown:
        every = [names[held[0]] for held in by_name.values()]
        raise UnknownColumnError(_unknown_message(unknown, every, option))
    return sorted({j for name in wanted for j in by_name[nan_key(name)]})


def _is_hashable(name: Any) -> bool:
    try:
        hash(name)
    except TypeError:
        return False
    return True


def _unknown_message(unknown: Sequence[Any], every: Sequence[Hashable], option: str) -> str:
    hint = did_you_mean(unknown[0], every)
    return f"{option} names {format_some(unknown)}, not in the frame's {len(every)} columns{hint}"


_BY_DTYPE = "Its dtype is an ordered Categorical."
_BY_USER = "Stated by the user (known=)."


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
        Where it is known from, in one sentence.
    """

    semantic_type: SemanticType
    order: tuple | None
    reason: str


def read_known(
    sample: FrameSample, known: Mapping[Hashable, str | Sequence[Any]] | None
) -> dict[int, Known]:
    """Collect the types that dtypes and the user state; the user's take precedence.

    Raises
    ------
    TypeError
        If `known` is not a mapping.
    UnknownColumnError
        If `known` names a column that the frame does not hold.
    KnownTypesError
        If a type is unknown, or an order omits a level or names one twice.
    """
    stated = {
        j: Known("ordinal", tuple(column.values.cat.categories), _BY_DTYPE)
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
            stated[j] = _read_statement(sample.columns[j], statement, stated.get(j))
    return stated


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
                f"known[{column.name!r}] is ordinal without an order; "
                "give the levels instead, lowest first"
            )
        order = by_dtype.order if by_dtype and statement == "ordinal" else None
        return Known(statement, order, _BY_USER)  # type: ignore[arg-type]
    if not isinstance(statement, Iterable):
        raise TypeError(
            f"known[{column.name!r}] is {statement!r}, neither a type nor a list of levels, "
            "lowest first"
        )
    order = tuple(statement)
    no_level = [level for level in order if not _has_hash(level)]
    if no_level:
        raise KnownTypesError(
            f"the order in known[{column.name!r}] names {no_level[0]!r}, which no column can hold "
            "as a level; name the levels themselves, lowest first"
        )
    counts = Counter(order)
    twice = [level for level in counts if counts[level] > 1]
    omitted = [level for level in column.known_levels if level not in counts]
    if twice or omitted or not column.known_levels:
        raise KnownTypesError(_order_message(column, twice, omitted))
    return Known("ordinal", order, _BY_USER)


def _has_hash(level: Any) -> bool:
    try:
        hash(level)
    except TypeError:  # also of a tuple that holds a list
        return False
    return True


def _order_message(column: SampledColumn, twice: list, omitted: list) -> str:
    start = f"the order in known[{column.name!r}]"
    if twice:
        return f"{start} names level {twice[0]!r} twice"
    if not column.known_levels:
        count = column.n_distinct_text
        return f"{start} cannot be used: the column has {count} levels; raise max_levels"
    named = format_some(omitted)
    return f"{start} leaves out {named}; name every level that the column holds, lowest first"


def type_from_known(column: SampledColumn, known: Known) -> ColumnType:
    """Return the type of a column that needs no inference."""
    counts = dict(column.known_levels)
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
