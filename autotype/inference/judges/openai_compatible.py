"""A label judge that asks a language model on a server."""

from __future__ import annotations

import os
import warnings
from collections.abc import Hashable, Iterable, Iterator, Sequence
from numbers import Real
from typing import Any

from autotype.inference.judges.answer_cache import AnswerCache, user_cache_folder
from autotype.inference.judges.api_key import ApiKey
from autotype.inference.judges.chat_server import ChatServer, ServerError, checked_url
from autotype.inference.judges.label_judge import JudgeVerdict
from autotype.inference.judges.questions import (
    Question,
    answer_schema,
    batches,
    messages_of,
    question_about,
    read_answers,
)
from autotype.inference.options import check_number
from autotype.wording import format_count, format_level, format_some


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
        self._cache = AnswerCache(self._folder(judge.cache), url=url, model=judge.model)
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
        answers = {question: self._cache.read(question) for question in questions}
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
                answers = read_answers(
                    self._server.complete(messages_of(batch), answer_schema()), batch
                )
            except ServerError as problem:
                self._failure = str(problem)
        for question, answer in zip(batch, answers, strict=True):
            if answer is None:
                self._unanswered.append(question.name)
            elif not self._cache_failure:
                self._keep(question, answer)
        return answers

    def _keep(self, question: Question, answer: JudgeVerdict) -> None:
        try:
            self._cache.write(question, answer)
        except OSError as problem:
            self._cache_failure = str(problem)

    def warn(self, *, n_columns: int) -> None:
        """Warn of what went wrong, once for all columns."""
        if self._unanswered:
            finding = f"the server {self._failure}" if self._failure else "no usable answer"
            warnings.warn(
                f"{self._source}: {finding}; {len(self._unanswered)} of "
                f"{format_count(n_columns, 'column')} are typed without it: "
                f"{format_some(self._unanswered)}",
                UserWarning,
                stacklevel=3,
            )
        if self._cache_failure:
            warnings.warn(
                f"{self._source}: answers cannot be kept ({self._cache_failure}); pass another "
                "folder as cache=, or False",
                UserWarning,
                stacklevel=3,
            )


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
