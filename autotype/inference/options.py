"""Check the options of `infer_types`."""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from numbers import Integral, Real
from typing import Any

import pandas as pd

from autotype.errors import UnknownColumnError
from autotype.types.column_type import name_list
from autotype.types.nan_equality import nan_key
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
    check_number("max_levels", max_levels, least=3)
    if max_rows is not None:
        check_number("max_rows", max_rows, least=1)
    check_number("random_state", random_state, least=0)
    is_number = isinstance(max_seconds, Real) and not isinstance(max_seconds, bool)
    if max_seconds is not None and not (is_number and 0 < float(max_seconds) < float("inf")):
        raise ValueError(f"max_seconds must be None or a number above 0, got {max_seconds!r}")
    check_number("n_jobs", 1 if n_jobs is None else n_jobs, least=-math.inf)
    if n_jobs == 0:
        raise ValueError("n_jobs must be 1 or more, or -1 for all cores, or None; got 0")


def check_number(name: str, value: Any, *, least: float, kind: Any = Integral) -> None:
    """Check that an option is an integer, or another `kind` of finite number, and large enough.

    Raises
    ------
    TypeError, ValueError
        Naming the option, what was expected and what was got.
    """
    if isinstance(value, bool) or not isinstance(value, kind):
        noun = "an integer" if kind is Integral else "a number"
        raise TypeError(f"{name} must be {noun}, got {value!r} ({type(value).__name__})")
    if not least <= value < math.inf:
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
    has_hash = pd.api.types.is_hashable
    unknown = [name for name in wanted if not has_hash(name) or nan_key(name) not in by_name]
    if unknown:
        every = [names[held[0]] for held in by_name.values()]
        raise UnknownColumnError(_unknown_message(unknown, every, option))
    return sorted({j for name in wanted for j in by_name[nan_key(name)]})


def _unknown_message(unknown: Sequence[Any], every: Sequence[Hashable], option: str) -> str:
    hint = did_you_mean(unknown[0], every)
    return f"{option} names {format_some(unknown)}, not in the frame's {len(every)} columns{hint}"
