"""Checks of what the caller of `infer_types` passes."""

from __future__ import annotations

import difflib
import math
import numbers
from collections.abc import Hashable, Iterable, Sequence
from typing import Any

import pandas as pd

from autotype.exceptions import UnknownColumnError


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
        by_name.setdefault(_comparable(name), []).append(j)
    if asked is None:
        return list(range(len(names)))
    wanted = [asked] if _is_single(asked, by_name) else list(asked)
    wanted = [_comparable(name) for name in wanted]
    unknown = [name for name in wanted if not isinstance(name, Hashable) or name not in by_name]
    if unknown:
        raise UnknownColumnError(_unknown_message(unknown, list(by_name), option))
    return sorted({j for name in wanted for j in by_name[name]})


def _comparable(name: Any) -> Any:
    """Give all NaN the same object, as only that makes them equal as keys."""
    return math.nan if isinstance(name, float) and math.isnan(name) else name


def _is_single(asked: Any, by_name: dict[Hashable, list[int]]) -> bool:
    """Whether a value is one name: text, a number, or a tuple that names a column."""
    if isinstance(asked, str) or not isinstance(asked, Iterable):
        return True
    return isinstance(asked, tuple) and asked in by_name


def _unknown_message(unknown: Sequence[Any], every: Sequence[Hashable], option: str) -> str:
    close = difflib.get_close_matches(str(unknown[0]), [str(name) for name in every], n=1)
    hint = f"; did you mean {close[0]!r}?" if close else ""
    named = ", ".join(map(repr, unknown[:5])) + (" ..." if len(unknown) > 5 else "")
    return f"{option} names {named}, not in the frame's {len(every)} columns{hint}"
