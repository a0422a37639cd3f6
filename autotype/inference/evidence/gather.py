"""Gather the evidence on all candidates in parallel, within a time limit, failures included."""

from __future__ import annotations

import signal
import threading
import time
import warnings
from collections import deque
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, nullcontext, suppress
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from threadpoolctl import ThreadpoolController

from autotype.inference.evidence.column_evidence import ColumnEvidence, gather_evidence
from autotype.inference.evidence.predictors import FramePredictors
from autotype.inference.judges.label_judge import JudgeVerdict
from autotype.inference.labels.evidence import LabelEvidence
from autotype.inference.progress import track
from autotype.inference.sampling.sampled_column import SampledColumn
from autotype.inference.workers import needs_joblib

if TYPE_CHECKING:
    from joblib import Parallel


_MOST_IN_BATCH = 16  # columns that a worker receives at once


@dataclass(frozen=True)
class Candidate:
    """A column whose evidence is to be gathered, with the arguments of `gather_evidence`."""

    column: SampledColumn
    excluded: Sequence[int]
    labels: LabelEvidence | None
    judged: JudgeVerdict | None
    n_alike: int


@dataclass(frozen=True)
class Outcome:
    """The result for one candidate.

    Attributes
    ----------
    evidence : ColumnEvidence or None
        None if it could not be computed.
    error : str
        Why not: class and message of the exception.
    is_late : bool
        Whether the time limit had passed, so that the other columns were not examined.
    """

    evidence: ColumnEvidence | None
    error: str = ""
    is_late: bool = False


def gather_all(
    candidates: Sequence[Candidate],
    offered: FramePredictors,
    *,
    n_jobs: int | None = None,
    deadline: float | None = None,
    progress: bool | None = None,
) -> list[Outcome]:
    """Gather the evidence on each candidate.

    Parameters
    ----------
    candidates : sequence of Candidate
        The columns.
    offered : FramePredictors
        Predictors of the whole frame.
    n_jobs : int, optional
        Workers, as in joblib.
    deadline : float, optional
        Time, as of `time.time`, after which only labels are examined. Columns with few levels,
        which cost least, come first.
    progress : bool, optional
        As of `track`.

    Returns
    -------
    list of Outcome
        One for each candidate, in their order. A column that fails is tried twice, also where its
        worker died.

    Warns
    -----
    UserWarning
        If the evidence on a column could not be computed.
    """
    # The most levels first, so that no worker begins a long one when the others are done.
    turns = sorted(
        range(len(candidates)),
        key=lambda k: candidates[k].column.n_distinct,
        reverse=deadline is None,
    )
    found = _outcomes(candidates, offered, turns=turns, n_jobs=n_jobs, deadline=deadline)
    tracked = track(found, total=len(candidates), progress=progress)
    with closing(found):  # after Ctrl-C the workers end here, not when the traceback is dropped
        outcomes = dict(tracked)
    for k, candidate in enumerate(candidates):
        if outcomes[k].error:
            warnings.warn(
                f"the evidence on column {candidate.column.name!r} could not be computed: "
                f"{outcomes[k].error}",
                UserWarning,
                stacklevel=3,
            )
    return [outcomes[k] for k in range(len(candidates))]


def _outcomes(
    candidates: Sequence[Candidate],
    offered: FramePredictors,
    *,
    turns: Sequence[int],
    n_jobs: int | None,
    deadline: float | None,
) -> Generator[tuple[int, Outcome], None, None]:
    """Yield the outcomes as they come; after the death of a worker, one column at a time.

    Workers take longer to start than many a frame takes, so this process works until they have.
    """

    def attempt(k: int) -> Outcome:
        return _attempt(candidates[k], offered, deadline)

    if not needs_joblib(n_jobs):
        for k in turns:
            yield k, attempt(k)
        return
    from joblib import Parallel, delayed, effective_n_jobs

    def task(batch: Sequence[int]) -> Any:
        return delayed(_attempt_all)([candidates[k] for k in batch], offered, deadline)

    _ = offered.squares  # computed here, and not once more by each task
    waiting = deque(turns)
    given: list[list[int]] = []  # to workers, in this order
    left = dict.fromkeys(turns)
    found: Iterable[list[Outcome]] = ()
    try:
        workers = _parallel(n_jobs)
        # Of this process; its workers inherit that, and it ends them. A list takes until all are
        # done.
        n_workers = effective_n_jobs(n_jobs)
        starts_workers = workers.return_generator and n_workers > 1
        with _interrupts_deferred() if starts_workers else nullcontext():
            _blas()  # threadpoolctl before 3.7 loses a Ctrl-C that comes while it is made
            found = workers(map(task, _batches(waiting, given, n_workers=n_workers)))
        if starts_workers:
            while waiting and not workers.n_completed_tasks:
                with suppress(IndexError):  # joblib's threads take from it too
                    k = waiting.popleft()
                    yield k, attempt(k)
                    del left[k]
        for outcomes, batch in zip(found, given, strict=False):  # joblib's threads add to it
            for outcome, k in zip(outcomes, batch, strict=True):
                yield k, outcome
                del left[k]
        return
    except Exception as problem:  # of the pool: a column's own exceptions are outcomes
        first = problem
    finally:
        _stop(found)
    for k in left:
        try:
            yield k, Parallel(n_jobs=n_jobs)([task([k])])[0][0]
        except Exception as problem:
            message = str(problem) or str(first)
            yield k, Outcome(None, f"{type(problem).__name__}: {message}")


def _batches(waiting: deque[int], given: list[list[int]], *, n_workers: int) -> Iterator[list[int]]:
    """Yield batches from a queue that several threads take from, and log them.

    A message to a worker costs as much as a tenth of a column. Batches become smaller, two thirds
    of a worker's share of what is left, so that none has a long one when the others are done.
    """
    while waiting:
        share = 2 * len(waiting) // (3 * n_workers) if len(given) >= n_workers else 1
        size = min(max(share, 1), _MOST_IN_BATCH)
        batch = []
        with suppress(IndexError):
            for _ in range(size):
                batch.append(waiting.popleft())
        if batch:
            given.append(batch)
            yield batch


def _stop(found: Iterable[list[Outcome]]) -> None:
    """End the workers whose results are not needed any more, without what joblib prints of it."""
    if not isinstance(found, Generator):
        return
    before = threading.excepthook
    threading.excepthook = lambda _: None  # joblib's threads may miss the tasks that it withdraws
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found.close()
    finally:
        threading.excepthook = before


def _attempt_all(
    candidates: Sequence[Candidate], offered: FramePredictors, deadline: float | None
) -> list[Outcome]:
    return [_attempt(candidate, offered, deadline) for candidate in candidates]


def _attempt(candidate: Candidate, offered: FramePredictors, deadline: float | None) -> Outcome:
    """Gather the evidence on one column, at most twice, with a single BLAS thread.

    The matrices are too small to be shared by threads.
    """
    is_late = deadline is not None and time.time() > deadline
    excluded = offered.source.tolist() if is_late else candidate.excluded
    error = ""
    for _ in range(2):
        try:
            with _blas().limit(limits=1):
                evidence = gather_evidence(
                    candidate.column,
                    offered,
                    excluded=excluded,
                    labels=candidate.labels,
                    judged=candidate.judged,
                    n_alike=candidate.n_alike,
                )
            return Outcome(evidence, is_late=is_late)
        except Exception as problem:  # whatever it is, the other columns are delivered
            error = f"{type(problem).__name__}: {problem}"
    return Outcome(None, error)


def _parallel(n_jobs: int | None) -> Parallel:
    """Return workers whose results come one by one, or at once if joblib's backend cannot do so."""
    from joblib import Parallel

    try:
        return Parallel(n_jobs=n_jobs, return_as="generator")
    except ValueError:  # the backend "multiprocessing"
        return Parallel(n_jobs=n_jobs)


@contextmanager
def _interrupts_deferred() -> Iterator[None]:
    """Defer Ctrl-C, also in processes started meanwhile: each would print a traceback of its own.

    A terminal sends it to all processes; this one raises KeyboardInterrupt and ends its workers.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    from multiprocessing import resource_tracker

    from joblib.externals.loky.backend import resource_tracker as tracker_of_loky

    # They unblock Ctrl-C when they start, with joblib before 1.6: before, not in between.
    for tracker in (resource_tracker, tracker_of_loky):
        tracker.ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@cache
def _blas() -> ThreadpoolController:
    return ThreadpoolController()
