"""Query the user's label judge: a language model, an ontology, or any other callable."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from autotype.inference.learned import as_probability, load_learned
from autotype.inference.progress import track
from autotype.wording import format_count, format_value

# Of a column's name and levels. An object with a method `judge_all` gets all columns at once.
LabelJudge = Callable[[Hashable, tuple], tuple[float, Sequence[Any] | None] | None]

_STATED = 2.0  # scales that the stated probability counts for beside those that are compared
# What a judge states is P(ordinal), not how sure its order is: no more than this until measured.
# Of made-up judges of rates .97, .8 and .5 that are not measured .77 of 128 orders are right.
_MOST_STATED = 0.8


@dataclass(frozen=True)
class JudgeVerdict:
    """The label judge's answer on one column.

    Attributes
    ----------
    probability : float
        P(ordinal) in [0, 1].
    order : tuple or None
        All levels, lowest first; of the answer of a server, their positions in the question.
    n_compared, n_right : int
        Scales of the table whose order the labels give, and those of them whose order it gives.
    """

    probability: float
    order: tuple | None
    n_compared: int = field(default=0, repr=False)
    n_right: int = field(default=0, repr=False)

    @property
    def log_odds(self) -> float:
        """Its contribution to the log odds that the column is ordinal, capped."""
        p = min(max(self.probability, 1e-6), 1.0 - 1e-6)
        cap = load_learned().judge_max_log_odds  # stated confidence is not calibrated
        return max(min(math.log(p / (1.0 - p)), cap), -cap)

    @property
    def order_probability(self) -> float:
        """How probable its order is: as stated, by and by replaced by what was measured."""
        stated = min(as_probability(self.log_odds), _MOST_STATED)
        return (self.n_right + _STATED * stated) / (self.n_compared + _STATED)


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


def query_judge(
    judge: LabelJudge | None,
    columns: Sequence[tuple[Hashable, tuple]],
    *,
    progress: bool | None = False,
) -> list[JudgeVerdict | None]:
    """Query the judge about columns.

    Parameters
    ----------
    judge : callable or None
        Takes a column's name and levels, returns (probability, order), or None where it cannot
        judge; order may be None. If it has a method ``judge_all``, that is called instead, once,
        with all columns, and returns or yields their answers in the same order.
    columns : sequence of (name, levels)
    progress : bool, optional
        As of `autotype.inference.progress.track`.

    Returns
    -------
    list of JudgeVerdict or None
        One a column.

    Raises
    ------
    TypeError
        If ``judge_all`` returns no answers at all.
    ValueError
        If an answer is no such pair, the probability is outside [0, 1], the order does not hold
        the column's levels, or ``judge_all`` returns too few or too many answers.

    Examples
    --------
    >>> query_judge(lambda name, levels: (0.9, sorted(levels)), [("grade", ("b", "a"))])
    [JudgeVerdict(probability=0.9, order=('a', 'b'))]
    """
    if judge is None or not columns:
        return [None] * len(columns)
    answers: Iterable[Any]
    if callable(judge_all := getattr(judge, "judge_all", None)):
        answers = judge_all(list(columns))
    else:
        answers = (judge(name, levels) for name, levels in columns)
    if not isinstance(answers, Iterable):
        raise TypeError(
            "label_judge.judge_all must return or yield an answer for each column, "
            f"got {answers!r} ({type(answers).__name__})"
        )
    found = list(track(answers, total=len(columns), progress=progress))
    if len(found) != len(columns):
        raise ValueError(
            f"label_judge.judge_all returned {format_count(len(found), 'answer')} for "
            f"{format_count(len(columns), 'column')}; expected one a column, None where it "
            "cannot judge"
        )
    return [
        _checked(answer, name, levels)
        for answer, (name, levels) in zip(found, columns, strict=True)
    ]


def _checked(answer: Any, name: Hashable, levels: tuple) -> JudgeVerdict | None:
    if answer is None:
        return None
    try:
        probability, order = answer
        probability = float(probability)
        if isinstance(order, set | frozenset):  # states none, and is another one in each run
            raise TypeError
        order = None if order is None else tuple(order)
        is_whole = order is None or (len(order) == len(levels) and set(order) == set(levels))
    except (TypeError, ValueError, OverflowError):
        raise ValueError(
            f"label_judge returned {format_value(answer)} for column {name!r}; "
            "expected (probability, order) or None"
        ) from None
    if not 0.0 <= probability <= 1.0:
        raise ValueError(
            f"label_judge returned probability {probability} for column {name!r}, not within [0, 1]"
        )
    if order is not None and not is_whole:
        raise ValueError(
            f"label_judge returned the order {list(order)!r} for column {name!r}, "
            f"which does not hold each of its levels once: {list(levels)!r}"
        )
    return JudgeVerdict(probability, order)
