"""Gather the evidence on all candidates in parallel, within a time limit, failures included."""

from __future__ import annotations

import signal
import sys
import time
import warnings
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from itertools import starmap
from typing import Any

from threadpoolctl import ThreadpoolController

from autotype.inference.column import Column
from autotype.inference.evidence.column_evidence import Begun, Weighed, begin_evidence, weigh_scale
from autotype.inference.evidence.predictors import FramePredictors
from autotype.inference.progress import track

# The evidence on one column, the error if there is none, and whether the time limit had passed.
_Outcome = tuple[Weighed | None, str, bool]
_USUAL_WORKERS = 64  # started for few columns, too: joblib keeps them for the next call


def gather_all(
    candidates: Sequence[Column],
    offered: FramePredictors,
    *,
    n_jobs: int | None = None,
    deadline: float | None = None,
    progress: bool | None = None,
) -> None:
    """Gather the evidence on each candidate.

    Parameters
    ----------
    candidates : sequence of Column
        The columns; each receives its `scale`, `rejected` and `data`, or else its `error`.
    offered : FramePredictors
        Predictors of the whole frame.
    n_jobs : int, optional
        Workers, as in joblib.
    deadline : float, optional
        Time, as of `time.time`, after which only labels are examined. Columns with few levels,
        which cost least, come first.
    progress : bool, optional
        As of `track`.

    Warns
    -----
    UserWarning
        If the evidence on a column could not be computed. It is tried twice, also where its worker
        died.
    """
    # The most levels first, so that no worker begins a long one when the others are done.
    turns = sorted(candidates, key=lambda c: c.n_distinct, reverse=deadline is None)
    # More workers would have nothing to do, and joblib starts them all, or cannot.
    n_jobs = n_jobs and min(n_jobs, max(len(turns), _USUAL_WORKERS))
    _ = offered.squares  # computed here, and not once more by each task
    tasks = ((begin_evidence(column), offered, deadline) for column in turns)
    found = starmap(_attempt, tasks) if _count(n_jobs) == 1 else _by_workers(list(tasks), n_jobs)
    tracked = track(found, total=len(turns), progress=progress)
    for column, (weighed, error, is_late) in zip(turns, tracked, strict=True):
        column.error, column.is_late = error, is_late
        if weighed is not None:
            column.scale, column.rejected, column.data = weighed
    for column in candidates:
        if column.error:
            warnings.warn(
                f"the evidence on column {column.name!r} could not be computed: {column.error}",
                UserWarning,
                stacklevel=3,
            )


def _count(n_jobs: int | None) -> int:
    """Return the number of workers; joblib decides on it, unless it is 1 or nothing loaded it."""
    if n_jobs == 1 or (n_jobs is None and "joblib" not in sys.modules):
        return 1
    from joblib import effective_n_jobs

    return effective_n_jobs(n_jobs)


def _by_workers(tasks: Sequence[tuple[Any, ...]], n_jobs: int | None) -> Iterator[_Outcome]:
    """Yield the outcomes in order; after the death of a worker, one column at a time."""
    from joblib import Parallel, delayed

    jobs = [delayed(_attempt)(*task) for task in tasks]
    found: Any = ()
    n_done = 0
    try:
        try:
            workers = Parallel(n_jobs=n_jobs, return_as="generator")
        except ValueError:  # the backend "multiprocessing" returns all outcomes at once
            found = Parallel(n_jobs=n_jobs)(jobs)
        else:
            with _interrupts_deferred():  # until the workers have been started
                found = workers(jobs)
        for outcome in found:
            n_done += 1
            yield outcome
        return
    except KeyboardInterrupt as stop:
        if isinstance(found, Generator):
            found.throw(stop)  # to joblib, which would warn of a generator that is dropped
        raise
    except Exception as problem:  # of the pool: a column's own exceptions are outcomes
        first = problem
    for job in jobs[n_done:]:
        try:
            yield Parallel(n_jobs=n_jobs)([job])[0]
        except Exception as problem:
            yield None, f"{type(problem).__name__}: {str(problem) or first}", False


@contextmanager
def _interrupts_deferred() -> Iterator[None]:
    """Defer Ctrl-C, also in processes started meanwhile.

    A terminal sends it to all of them. Python prints a traceback where it comes while a process
    starts, and joblib may then wait for that process forever.
    """
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    from multiprocessing import resource_tracker

    from joblib.externals.loky.backend import resource_tracker as tracker_of_loky

    # They unblock Ctrl-C when they start: before, not in between.
    for tracker in (resource_tracker, tracker_of_loky):
        tracker.ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _attempt(begun: Begun, offered: FramePredictors, deadline: float | None) -> _Outcome:
    """Weigh the other columns on one, at most twice, with a single BLAS thread.

    The matrices are too small to be shared by threads.
    """
    if deadline is not None and time.time() > deadline:
        return None, "", True
    error = ""
    for _ in range(2):
        try:
            with _blas().limit(limits=1):
                return weigh_scale(*begun, offered), "", False
        except Exception as problem:  # whatever it is, the other columns are delivered
            error = f"{type(problem).__name__}: {problem}"
    return None, error, False


@cache
def _blas() -> ThreadpoolController:
    return ThreadpoolController()
