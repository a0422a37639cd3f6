"""autotype's own answers: from labels and data, from labels alone, and a judge's."""

from __future__ import annotations

from collections.abc import Callable

from answers import Answer
from labelled_frames import LabelledFrame, as_text

import autotype


def labels_and_data(frame: LabelledFrame) -> dict[str, Answer]:
    """Type the whole frame, as a user would."""
    return _typed(frame)


def labels_only(frame: LabelledFrame) -> dict[str, Answer]:
    """Type the frame without the other columns as predictors."""
    return _typed(frame, features=[])


def with_judge(judge) -> Callable[[LabelledFrame], dict[str, Answer]]:
    """Return the tool that adds a label judge to labels and data."""
    return lambda frame: _typed(frame, label_judge=judge)


def judge_alone(judge) -> Callable[[LabelledFrame], dict[str, Answer]]:
    """Return the tool that asks the judge alone, by names and levels; undecided around 1/2."""

    def answers(frame: LabelledFrame) -> dict[str, Answer]:
        names = list(frame.labels["column"])
        levels = [tuple(frame.data[name].dropna().unique()) for name in names]
        replies = judge.judge_all(list(zip(names, levels, strict=True)))
        return {name: _judged(reply) for name, reply in zip(names, replies, strict=True)}

    return answers


def _judged(reply) -> Answer:
    if reply is None:
        return Answer(None)
    probability, order = reply
    decided = "ordinal" if probability >= 2 / 3 else "categorical"
    said = "undetermined" if 1 / 3 < probability < 2 / 3 else decided
    return Answer(said, probability, None if order is None else tuple(map(as_text, order)))


def _typed(frame: LabelledFrame, **options) -> dict[str, Answer]:
    types = autotype.infer_types(frame.data, n_jobs=1, progress=False, **options)
    return {name: _answer(types[name]) for name in frame.labels["column"]}


def _answer(column) -> Answer:
    order = column.best_order
    return Answer(
        column.semantic_type,
        column.probability,
        None if order is None else tuple(as_text(level) for level in order),
    )
