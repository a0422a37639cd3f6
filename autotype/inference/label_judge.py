"""A second opinion on labels, from a callable of the user's: a language model, an ontology."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Any

LabelJudge = Callable[[Hashable, tuple], tuple[float, Sequence[Any] | None] | None]

# The most that an opinion may add to the log odds: one more piece of evidence, not a decree.
_MOST_LOG_ODDS = 3.0


@dataclass(frozen=True)
class Opinion:
    """What the judge says of one column.

    Attributes
    ----------
    probability : float
        P(ordinal) in [0, 1].
    order : tuple or None
        All levels, lowest first.
    """

    probability: float
    order: tuple | None

    @property
    def log_odds(self) -> float:
        """Its weight in the verdict."""
        p = min(max(self.probability, 1e-6), 1.0 - 1e-6)
        return max(min(math.log(p / (1.0 - p)), _MOST_LOG_ODDS), -_MOST_LOG_ODDS)


def check_judge(judge: LabelJudge | None) -> None:
    """Refuse a judge that cannot be asked.

    Raises
    ------
    TypeError
        If it is neither None nor callable.
    """
    if judge is not None and not callable(judge):
        raise TypeError(
            "label_judge must be a function of a column's name and levels, "
            f"got {judge!r} ({type(judge).__name__})"
        )


def ask(judge: LabelJudge | None, name: Hashable, levels: tuple) -> Opinion | None:
    """Ask the judge about one column.

    Parameters
    ----------
    judge : callable or None
        Takes the column's name and levels, gives (probability, order), or None where it has no
        opinion; order may be None.
    name : hashable
        The column's name.
    levels : tuple
        Its levels.

    Returns
    -------
    Opinion or None

    Raises
    ------
    ValueError
        If the answer is no such pair, the probability is outside [0, 1] or the order does not
        hold the column's levels.

    Examples
    --------
    >>> ask(lambda name, levels: (0.9, sorted(levels)), "grade", ("b", "a")).order
    ('a', 'b')
    """
    answer = None if judge is None else judge(name, levels)
    if answer is None:
        return None
    try:
        probability, order = answer
        probability = float(probability)
    except (TypeError, ValueError):
        raise ValueError(
            f"label_judge gave {answer!r} for column {name!r}; "
            "expected (probability, order) or None"
        ) from None
    if not 0.0 <= probability <= 1.0:
        raise ValueError(
            f"label_judge gave probability {probability} for column {name!r}, not within [0, 1]"
        )
    if order is not None and (len(order) != len(levels) or set(order) != set(levels)):
        raise ValueError(
            f"label_judge gave the order {list(order)!r} for column {name!r}, "
            f"which does not hold each of its levels once: {list(levels)!r}"
        )
    return Opinion(probability, None if order is None else tuple(order))
