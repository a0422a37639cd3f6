"""The question about a column that is sent to a language model, and the reading of its answer."""

from __future__ import annotations

import json
import math
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from importlib import resources
from typing import Any

from autotype.inference.judges.label_judge import JudgeVerdict
from autotype.wording import format_level

# Part of the key of cached answers: to be changed with question.json and the strings below.
PROMPT_VERSION = 1

# Longer names and levels are no labels but contents; they are not sent.
_MAX_CHARACTERS = 300
# Characters of a request's names and levels, some 3,000 tokens.
_MAX_BATCH_CHARACTERS = 12_000


@cache
def _stored() -> dict[str, Any]:
    """Read the instructions, and the JSON schema of an answer: strict, so all is required."""
    source = resources.files("autotype.inference.judges").joinpath("question.json")
    return json.loads(source.read_text(encoding="utf-8"))


def answer_schema() -> dict[str, Any]:
    """Return the JSON schema of an answer."""
    return _stored()["answer_schema"]


@dataclass(frozen=True)
class Question:
    """What is sent of a column.

    Attributes
    ----------
    name : str
        Its name.
    levels : tuple of str
        Its levels as strings, sorted, so that the order of the rows does not show.
    """

    name: str
    levels: tuple[str, ...]

    @cached_property
    def n_characters(self) -> int:
        """The size of the question, about."""
        return len(self.name) + sum(len(level) + 4 for level in self.levels)


def question_about(name: Hashable, levels: Sequence[Any]) -> Question | None:
    """Return the question about a column, or None if it cannot be asked.

    It cannot if two levels have the same text, or if a string is long, empty or not Unicode.

    Examples
    --------
    >>> question_about("grade", ("C", "A", "B"))
    Question(name='grade', levels=('A', 'B', 'C'))
    >>> question_about("mixed", (1, "1", 2)) is None
    True
    """
    texts = [format_level(level) for level in levels]
    if len(set(texts)) < len(texts) or not all(map(_can_be_sent, texts)):
        return None
    return Question(str(name), tuple(sorted(texts))) if _can_be_sent(str(name)) else None


def _can_be_sent(text: str) -> bool:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:  # half characters
        return False
    return 0 < len(text) <= _MAX_CHARACTERS


def batches(questions: Sequence[Question], size: int) -> Iterator[list[Question]]:
    """Split questions into requests of at most `size`, and of a limited length.

    Examples
    --------
    >>> some = [Question(name, ("a", "b")) for name in ("x", "y", "z")]
    >>> [[question.name for question in batch] for batch in batches(some, 2)]
    [['x', 'y'], ['z']]
    """
    batch: list[Question] = []
    length = 0
    for question in questions:
        length += question.n_characters
        if batch and (len(batch) == size or length > _MAX_BATCH_CHARACTERS):
            yield batch
            batch, length = [], question.n_characters
        batch.append(question)
    if batch:
        yield batch


def messages_of(batch: Sequence[Question]) -> list[dict[str, str]]:
    """Return the messages of a request; the ids are the positions in the batch, from 1."""
    columns = [
        {"id": k, "name": question.name, "levels": question.levels}
        for k, question in enumerate(batch, start=1)
    ]
    return [
        {"role": "system", "content": "\n".join(_stored()["instructions"])},
        {"role": "user", "content": json.dumps({"columns": columns}, ensure_ascii=False)},
    ]


def read_answers(content: str, batch: Sequence[Question]) -> list[JudgeVerdict | None]:
    """Read a model's text about a batch of questions.

    Parameters
    ----------
    content : str
        JSON, perhaps between other text, such as the thoughts and the code fence of a model that
        does not keep to a schema.
    batch : sequence of Question
        What was asked.

    Returns
    -------
    list of JudgeVerdict or None
        One a question; None where the answer is missing, repeated or not valid.

    Examples
    --------
    >>> asked = [Question("grade", ("A", "B")), Question("town", ("Bonn", "Rome"))]
    >>> read_answers('{"columns": [{"id": 1, "probability": 0.9, "order": ["B", "A"]}]}', asked)
    [JudgeVerdict(probability=0.9, order=(1, 0)), None]
    """
    given: dict[int, list[Any]] = {}
    for item in _items(content):
        if isinstance(item, dict) and type(item.get("id")) is int:
            given.setdefault(item["id"], []).append(item)
    return [
        _read_answer(given[k][0], question) if len(given.get(k, ())) == 1 else None
        for k, question in enumerate(batch, start=1)
    ]


def _items(content: str) -> list[Any]:
    """Return the items under "columns" of the JSON object in a string."""
    content = content.rpartition("</think>")[2]
    start = content.find("{")
    try:
        found, _ = json.JSONDecoder().raw_decode(content, max(start, 0))
    except (ValueError, RecursionError):
        return []
    items = found.get("columns") if isinstance(found, dict) else None
    return items if isinstance(items, list) else []


def _read_answer(item: dict[str, Any], question: Question) -> JudgeVerdict | None:
    order = item.get("order")
    if order is None:
        return checked_answer(item.get("probability"), None, len(question.levels))
    position = {text: k for k, text in enumerate(question.levels)}
    if not isinstance(order, list) or not all(isinstance(text, str) for text in order):
        return None
    positions = [position.get(text, -1) for text in order]
    return checked_answer(item.get("probability"), positions, len(question.levels))


def checked_answer(probability: Any, order: Any, n_levels: int) -> JudgeVerdict | None:
    """Return an answer of values that were read from JSON, or None if they are none.

    Parameters
    ----------
    probability : object
        Valid is a number in [0, 1].
    order : object
        Valid is None, or a list of the positions 0 to n_levels - 1, each once.
    n_levels : int
        Number of levels of the column.

    Examples
    --------
    >>> checked_answer(0.5, [1, 0], 2), checked_answer(1.5, None, 2), checked_answer(0.5, [0, 0], 2)
    (JudgeVerdict(probability=0.5, order=(1, 0)), None, None)
    """
    if type(probability) not in (int, float) or math.isnan(probability):
        return None
    if not 0 <= probability <= 1:
        return None
    if order is None:
        return JudgeVerdict(float(probability), None)
    if not isinstance(order, list) or not all(type(k) is int for k in order):
        return None
    is_whole = sorted(order) == [*range(n_levels)]
    return JudgeVerdict(float(probability), tuple(order)) if is_whole else None
