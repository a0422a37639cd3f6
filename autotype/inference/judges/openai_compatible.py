"""A label judge that asks a language model on a server.

Each column is a question. The answers are kept on disk, one file each: a number and positions, and
no text of the data.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
import warnings
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from importlib import resources
from numbers import Real
from pathlib import Path
from typing import Any

from autotype.inference.judges.chat_server import ApiKey, ChatServer, ServerError, checked_url
from autotype.inference.judges.label_judge import JudgeVerdict
from autotype.inference.options import check_number
from autotype.types.atomic_file import write_text
from autotype.types.codec.json_values import is_unicode
from autotype.wording import format_count, format_level, format_some

_MAX_SIZE = 10_000  # bytes of a file; an answer about 100 levels has some 400

# Part of the key of cached answers: to be changed with question.json and the strings below.
PROMPT_VERSION = 1

# Longer names and levels are no labels but contents; they are not sent.
_MAX_CHARACTERS = 300
# Characters of a request's names and levels, some 3,000 tokens.
_MAX_BATCH_CHARACTERS = 12_000


class OpenAICompatible:
    """A label judge: a language model on a server with the interface of OpenAI's chat completions.

    Such are OpenAI's own and those of many providers, and on your own computer those of llama.cpp,
    Ollama, vLLM and LM Studio.

    Parameters
    ----------
    url : str
        The server's base address, such as ``http://localhost:11434/v1``.
    model : str
        The model's name there.
    api_key : str, optional
        By default that of the environment: ``AUTOTYPE_JUDGE_KEY``, or for https://api.openai.com
        ``OPENAI_API_KEY``. "" sends none.
    cache : bool or path
        Folder in which answers are kept, so that none is asked for twice. True is one in the user's
        cache folder, False keeps nothing.
    batch_size : int
        Most columns of a request, >= 1.
    timeout : float
        Seconds for the answers to one batch of columns, > 0: one limit for name resolution,
        connection, repetitions, waits and an answer that comes in drops.
    max_retries : int
        Repetitions of a request after status 429 or 5xx or a lost connection, >= 0, as far as
        `timeout` leaves room.
    backoff : float
        Seconds before the first repetition, >= 0; they double each time. A server that asks for a
        longer wait, by ``Retry-After``, gets it.

    Raises
    ------
    TypeError, ValueError
        If a parameter has the wrong type or is out of range.

    Warns
    -----
    UserWarning
        When called: if the server cannot be reached, answers with an error, or gives no usable
        answer about some columns. Inference goes on without its opinion on these.

    Notes
    -----
    Each request holds names of columns and strings of their levels, and no rows and no counts.
    Levels are values of your data. Columns with a name or level of more than 300 characters, or
    with two levels of the same text, are not sent.

    Neither ``repr`` nor a pickle nor the cache holds the key; an unpickled judge takes that of the
    environment. The cache holds probabilities and positions under hashes, and no text of the data.

    Examples
    --------
    >>> judge = OpenAICompatible("http://localhost:11434/v1", "qwen3:8b", cache=False)
    >>> judge
    OpenAICompatible('http://localhost:11434/v1', 'qwen3:8b', cache=False)

    With a frame: ``frame.ordinal.infer_types(label_judge=judge)``.
    """

    def __init__(
        self,
        url: str,
        model: str,
        *,
        api_key: str | None = None,
        cache: bool | str | os.PathLike = True,
        batch_size: int = 20,
        timeout: float = 120.0,
        max_retries: int = 3,
        backoff: float = 1.0,
    ) -> None:
        checked_url(url)
        if not isinstance(model, str) or not model.strip():
            raise ValueError(f"model must be the name of a model of the server, got {model!r}")
        if not isinstance(cache, bool | str | os.PathLike) or cache == "":
            raise TypeError(f"cache must be True, False or a folder, got {cache!r}")
        check_number("batch_size", batch_size, least=1)
        check_number("timeout", timeout, least=0.001, kind=Real)
        check_number("max_retries", max_retries, least=0)
        check_number("backoff", backoff, least=0, kind=Real)
        self.url = url
        self.model = model
        self.api_key = ApiKey(api_key)
        self.api_key.find(url)  # one of the environment that cannot be sent is an error now
        self.cache = cache
        self.batch_size = batch_size
        self.timeout = timeout
        self.max_retries = max_retries
        self.backoff = backoff

    def __repr__(self) -> str:
        return f"OpenAICompatible({self.url!r}, {self.model!r}, cache={self.cache!r})"

    def __call__(self, name: Hashable, levels: Sequence[Any]) -> tuple[float, list | None] | None:
        """Return the answer about one column.

        Parameters
        ----------
        name : hashable
            Its name.
        levels : sequence
            Its levels.

        Returns
        -------
        (float, list or None) or None
            P(ordinal) and the levels, lowest first; None without a usable answer.
        """
        (answer,) = self.judge_all([(name, levels)])
        return answer

    def judge_all(
        self, columns: Iterable[tuple[Hashable, Sequence[Any]]]
    ) -> Iterator[tuple[float, list | None] | None]:
        """Yield the answers about many columns, from the cache or in requests of many each.

        Parameters
        ----------
        columns : iterable of (name, levels)

        Yields
        ------
        (float, list or None) or None
            As of a call, in the order of the columns.
        """
        columns = list(columns)
        questions = [question_about(name, levels) for name, levels in columns]
        run = _Run(self)
        found = run.answers([question for question in questions if question is not None])
        for (_, levels), question in zip(columns, questions, strict=True):
            yield None if question is None else _verdict(next(found), question, levels)
        run.warn(n_columns=len(columns))


class _Run:
    """One call of a judge: its server, its cache, and what went wrong.

    After a failure of the server it is not asked again, and after one of the cache nothing is
    written.
    """

    def __init__(self, judge: OpenAICompatible) -> None:
        self._source = f"label judge {judge.model!r} at {judge.url}"
        self._batch_size = judge.batch_size
        self._failure = ""
        self._cache_failure = ""
        self._unanswered: list[str] = []
        url = checked_url(judge.url)
        folder = self._folder(judge.cache)
        self._cache = None if folder is None else AnswerCache(folder, url=url, model=judge.model)
        self._server = ChatServer(
            url,
            judge.model,
            key=judge.api_key.find(url),
            timeout=judge.timeout,
            max_retries=judge.max_retries,
            backoff=judge.backoff,
        )

    def _folder(self, cache: bool | str | os.PathLike) -> str | os.PathLike | None:
        if not isinstance(cache, bool):
            return cache
        try:
            return user_cache_folder() if cache else None
        except RuntimeError as problem:  # no home folder
            self._cache_failure = str(problem)
            return None

    def answers(self, questions: Sequence[Question]) -> Iterator[JudgeVerdict | None]:
        """Yield the answers in the order of the questions, those of a request together."""
        cache = self._cache
        answers = {question: cache.read(question) if cache else None for question in questions}
        pending = [question for question, answer in answers.items() if answer is None]
        requests = batches(pending, self._batch_size)
        not_asked = set(pending)
        for question in questions:
            if question in not_asked:  # the first of the next request, as these are in order
                batch = next(requests)
                answers.update(zip(batch, self._ask(batch), strict=True))
                not_asked.difference_update(batch)
            yield answers[question]

    def _ask(self, batch: list[Question]) -> list[JudgeVerdict | None]:
        answers: list[JudgeVerdict | None] = [None] * len(batch)
        if not self._failure:
            try:
                schema = _stored()["answer_schema"]
                answers = read_answers(self._server.complete(messages_of(batch), schema), batch)
            except ServerError as problem:
                self._failure = str(problem)
        for question, answer in zip(batch, answers, strict=True):
            if answer is None:
                self._unanswered.append(question.name)
            elif self._cache and not self._cache_failure:
                try:
                    self._cache.write(question, answer)
                except OSError as problem:
                    self._cache_failure = str(problem)
        return answers

    def warn(self, *, n_columns: int) -> None:
        """Warn of what went wrong, once for all columns."""
        found = []
        if self._unanswered:
            finding = f"the server {self._failure}" if self._failure else "no usable answer"
            of_all = f"{len(self._unanswered)} of {format_count(n_columns, 'column')}"
            named = format_some(self._unanswered)
            found.append(f"{finding}; {of_all} are typed without it: {named}")
        if self._cache_failure:
            remedy = "pass another folder as cache=, or False"
            found.append(f"answers cannot be kept ({self._cache_failure}); {remedy}")
        for finding in found:
            warnings.warn(f"{self._source}: {finding}", UserWarning, stacklevel=3)


def _verdict(
    answer: JudgeVerdict | None, question: Question, levels: Sequence[Any]
) -> tuple[float, list | None] | None:
    """Return an answer with the column's own levels for the strings that were sent."""
    if answer is None:
        return None
    if answer.order is None:
        return answer.probability, None
    level_of = {format_level(level): level for level in levels}
    return answer.probability, [level_of[question.levels[k]] for k in answer.order]


class AnswerCache:
    """The answers of one model of one server, in a folder.

    Parameters
    ----------
    folder : path
    url, model : str
        The server and its model, part of the key of each answer.
    """

    def __init__(self, folder: str | os.PathLike, *, url: str, model: str) -> None:
        self.folder = Path(folder)
        self._source = [url, model, PROMPT_VERSION]

    def path(self, question: Question) -> Path:
        """Return the file of an answer: its name is a hash of the question, model and server."""
        key = json.dumps([*self._source, question.name, question.levels])
        return self.folder / f"{_hash(key)}.json"

    def read(self, question: Question) -> JudgeVerdict | None:
        """Return the answer to a question, or None if there is none that can be read."""
        try:
            with open(self.path(question), "rb") as file:
                text, _, digest = file.read(_MAX_SIZE).decode().partition("\n")
            stored = json.loads(text)
        except (OSError, ValueError, RecursionError):
            return None
        if not isinstance(stored, dict) or digest.strip() != _hash(text):
            return None
        return checked_answer(stored.get("probability"), stored.get("order"), len(question.levels))

    def write(self, question: Question, answer: JudgeVerdict) -> None:
        """Write the answer to a question, atomically.

        Raises
        ------
        OSError
            If the folder cannot be written to.
        """
        os.makedirs(self.folder, exist_ok=True)
        stored = {"probability": answer.probability, "order": answer.order}
        text = json.dumps(stored)
        # With its hash, so that a damaged answer is asked for again.
        write_text(self.path(question), f"{text}\n{_hash(text)}\n")


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def user_cache_folder() -> Path:
    """Return the folder for answers in the user's cache folder of this operating system.

    Raises
    ------
    RuntimeError
        If the user has no home folder.
    """
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local"
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Caches"
    else:
        base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base, "autotype", "judges")


@cache
def _stored() -> dict[str, Any]:
    """Read the instructions, and the JSON schema of an answer: strict, so all is required."""
    source = resources.files("autotype.inference.judges").joinpath("question.json")
    return json.loads(source.read_text(encoding="utf-8"))


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
    return 0 < len(text) <= _MAX_CHARACTERS and is_unicode(text)


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
    if type(probability) not in (int, float) or not 0 <= probability <= 1:  # NaN is not, either
        return None
    if order is None:
        return JudgeVerdict(float(probability), None)
    if not isinstance(order, list) or not all(type(k) is int for k in order):
        return None
    is_whole = sorted(order) == [*range(n_levels)]
    return JudgeVerdict(float(probability), tuple(order)) if is_whole else None
