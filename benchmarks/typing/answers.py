"""What a tool answers about a column, and how its own types are read."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from labelled_frames import LabelledFrame, as_text


@dataclass(frozen=True)
class Answer:
    """The answer about one column.

    Attributes
    ----------
    said : str or None
        ``"ordinal"``, ``"categorical"``, another type, or None where the tool types nothing.
    probability : float
        P(ordinal); 1, 0 or 0.5 where a tool states none.
    order : tuple of str or None
        The levels as text, lowest first.
    """

    said: str | None
    probability: float = 0.5
    order: tuple[str, ...] | None = None


# From a frame with its labels to the answers, by column name.
Tool = Callable[[LabelledFrame], dict[str, Answer]]

# Other tools' types: a number has the order of its values, a category none.
_READINGS = {"number": "ordinal", "ordered": "ordinal", "category": "categorical"}


def answer_of(kind: str, values: pd.Series) -> Answer:
    """Read the type of a tool that does not ask for an order, to its advantage.

    Parameters
    ----------
    kind : {"number", "ordered", "category", "text"}
        A number counts as ordinal, in the order of its values; an ordered category as well, in its
        order; a category as categorical; text as undecided.
    values : Series
        The column.
    """
    said = _READINGS.get(kind, kind)
    probability = {"ordinal": 1.0, "categorical": 0.0}.get(said, 0.5)
    order = in_order(values) if said == "ordinal" else None
    return Answer(said, probability, order)


def in_order(values: pd.Series) -> tuple[str, ...]:
    """Return the levels sorted: by their dtype's order, as numbers, or else as text."""
    if isinstance(values.dtype, pd.CategoricalDtype) and values.dtype.ordered:
        return tuple(as_text(level) for level in values.dtype.categories)
    levels = pd.unique(values.dropna().astype(object))
    try:
        return tuple(as_text(level) for level in sorted(levels))
    except TypeError:
        return tuple(as_text(level) for level in sorted(levels, key=str))


def sorted_by(levels: Sequence, position: np.ndarray) -> tuple[str, ...]:
    """Return the levels as text in the order of a position each."""
    return tuple(as_text(levels[k]) for k in np.argsort(position, kind="stable"))


def is_number(values: pd.Series) -> bool:
    """Return whether a column holds numbers and no truth values."""
    kind = values.dtype
    return pd.api.types.is_numeric_dtype(kind) and not pd.api.types.is_bool_dtype(kind)
