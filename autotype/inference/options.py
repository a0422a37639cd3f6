"""Checks of what the caller of `infer_types` passes."""

from __future__ import annotations

import numbers
from collections.abc import Hashable, Sequence
from typing import Any

import pandas as pd

from autotype.column_type import name_key, name_list
from autotype.errors import UnknownColumnError
from autotype.wording import did_you_mean, format_some


def check_options(*, max_levels: Any, max_rows: Any, n_jobs: Any, random_state: Any) -> None:
    """Refuse options of a wrong type or out of range.

    Raises
    ------
    TypeError, ValueError
        Naming the option, what was expected and what was got.
    """
    _check_integer("max_levels", max_levels, least=3)
    _check_integer("max_rows", max_rows, least=1)
    _check_integer("random_state", random_state, least=0)
    if n_jobs == 0:
        raise ValueError("n_jobs must be 1 or more, or -1 for all cores, or None; got 0")


def check_choice(name: str, value: Any, choices: Sequence[str]) -> None:
    """Refuse a value that is none of the choices.

    Raises
    ------
    ValueError
        Naming the option, the choices and what was got.
    """
    if value not in choices:
        raise ValueError(f"{name} must be one of {', '.join(map(repr, choices))}, got {value!r}")


def _check_integer(name: str, value: Any, *, least: int) -> None:
    if isinstance(value, bool) or not isinstance(value, numbers.Integral):
        raise TypeError(f"{name} must be an integer, got {value!r} ({type(value).__name__})")
    if value < least:
        raise ValueError(f"{name} must be at least {least}, got {value}")


def positions_of(names: pd.Index, asked: Any, *, option: str) -> list[int]:
    """Positions of the columns asked for, in the frame's order; all where `asked` is None.

    Parameters
    ----------
    names : pandas.Index
        The frame's column names, which may repeat.
    asked : column name, or iterable of column names, or None
        A name that occurs more than once stands for all its columns.
    option : str
        The option's name, for the message.

    Raises
    ------
    UnknownColumnError
        If a name is not in the frame.
    """
    by_name: dict[Hashable, list[int]] = {}
    for j, name in enumerate(names):
        by_name.setdefault(name_key(name), []).append(j)
    if asked is None:
        return list(range(len(names)))
    wanted = [name_key(name) for name in name_list(asked, by_name)]
    unknown = [name for name in wanted if not isinstance(name, Hashable) or name not in by_name]
    if unknown:
        raise UnknownColumnError(_unknown_message(unknown, list(by_name), option))
    return sorted({j for name in wanted for j in by_name[name]})


def _unknown_message(unknown: Sequence[Any], every: Sequence[Hashable], option: str) -> str:
    hint = did_you_mean(unknown[0], every)
    return f"{option} names {format_some(unknown)}, not in the frame's {len(every)} columns{hint}"
