"""Query the user's label judge: a language model, an ontology, or any other callable."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Any

from autotype.inference.learned import load_learned

LabelJudge = Callable[[Hashable, tuple], tuple[float, Sequence[Any] | None] | None]


@dataclass(frozen=True)
class JudgeVerdict:
    """The label judge's answer on one column.

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
        """Its contribution to the log odds that the column is ordinal, capped."""
        p = min(max(self.probability, 1e-6), 1.0 - 1e-6)
        cap = load_learned().constants.judge_max_log_odds  # stated confidence is not calibrated
        return max(min(math.log(p / (1.0 - p)), cap), -cap)


def check_judge(judge: LabelJudge | None) -> None:
    """Check that the judge can be called.

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


def query_judge(judge: LabelJudge | None, name: Hashable, levels: tuple) -> JudgeVerdict | None:
    """Query the judge about one column.

    Parameters
    ----------
    judge : callable or None
        Takes the column's name and levels, returns (probability, order), or None where it cannot
        judge; order may be None.
    name : hashable
        The column's name.
    levels : tuple
        Its levels.

    Returns
    -------
    JudgeVerdict or None

    Raises
    ------
    ValueError
        If the answer is no such pair, the probability is outside [0, 1] or the order does not
        hold the column's levels.

    Examples
    --------
    >>> query_judge(lambda name, levels: (0.9, sorted(levels)), "grade", ("b", "a")).order
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
            f"label_judge returned {answer!r} for column {name!r}; "
            "expected (probability, order) or None"
        ) from None
    if not 0.0 <= probability <= 1.0:
        raise ValueError(
            f"label_judge returned probability {probability} for column {name!r}, not within [0, 1]"
        )
    if order is not None and (len(order) != len(levels) or set(order) != set(levels)):
        raise ValueError(
            f"label_judge returned the order {list(order)!r} for column {name!r}, "
            f"which does not hold each of its levels once: {list(levels)!r}"
        )
    return JudgeVerdict(probability, None if order is None else tuple(order))
