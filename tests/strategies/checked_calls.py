"""Call a function under the promises that hold for any input, and record what breaks them."""

from __future__ import annotations

import contextlib
import re
import signal
import traceback
import warnings
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pandas as pd

import autotype

PACKAGE = Path(autotype.__file__).resolve().parent
NO_ANSWER = object()  # of a call that raised

Expected = Sequence[tuple[type, str]]  # class, and pattern of the message


class TimeIsUp(BaseException):
    """A call took longer than its limit; no handler of `Exception` catches it."""


@dataclass(frozen=True)
class Fault:
    """A broken promise.

    Attributes
    ----------
    call : str
        The call that broke it.
    finding : str
        What it did, in one line.
    where : str
        The innermost line of autotype, where there was an error.
    """

    call: str
    finding: str
    where: str = ""

    def __str__(self) -> str:
        return f"{self.call}: {self.finding}" + (f" [{self.where}]" if self.where else "")


@dataclass
class CheckedCalls:
    """Calls on one input, and their faults.

    A call answers or raises a documented error, within a time limit; it emits documented warnings
    only, gives the same answer twice, and leaves its input as it was.

    Attributes
    ----------
    state : callable
        Returns the state of the input as text, which must not change.
    seconds : float or None
        Limit of one call, in seconds of the processor; None sets none.
    n_calls : int
        Calls so far; one that is repeated counts once.
    documented : Counter
        Documented errors, by call and class.
    faults : list of Fault
        The broken promises.
    """

    state: Callable[[], str]
    seconds: float | None = None
    n_calls: int = 0
    documented: Counter = field(default_factory=Counter)
    faults: list[Fault] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._before = self.state()

    def call(
        self,
        name: str,
        function: Callable[[], Any],
        *,
        errors: Expected = (),
        warns: Expected = (),
        show: Callable[[Any], str] = repr,
        twice: bool = True,
    ) -> Any:
        """Call a function and check what it does.

        Parameters
        ----------
        name : str
            For the record.
        function : callable
            Takes nothing.
        errors, warns : sequence of (class, pattern)
            The documented ones.
        show : callable
            Turns the answer into text, by which two answers are compared.
        twice : bool
            Whether to call it again.

        Returns
        -------
        object
            The answer, or `NO_ANSWER` after an error.
        """
        self.n_calls += 1
        answer, error = self._run(name, function, warns)
        if error is not None and not _is_expected(error, errors):
            self._record(name, f"{type(error).__name__}: {_one_line(error)}", _innermost(error))
        elif error is not None:
            self.documented[f"{name}: {type(error).__name__}"] += 1
        shown = _shown(answer, error, show)
        if twice and not isinstance(error, TimeIsUp):
            again = _shown(*self._run(name, function, warns), show)
            if again != shown:
                self._record(name, f"two answers: {_difference(shown, again)}")
        if self.state() != self._before:
            self._record(name, f"changed its input: {_difference(self._before, self.state())}")
            self._before = self.state()
        return answer

    def expect(self, name: str, holds: bool, finding: str) -> None:
        """Record a fault unless a statement about an answer holds."""
        if not holds:
            self._record(name, finding)

    def _run(self, name: str, function: Callable[[], Any], warns: Expected) -> tuple[Any, Any]:
        answer, error = NO_ANSWER, None
        with warnings.catch_warnings(record=True) as emitted:
            warnings.simplefilter("always")
            try:
                with _time_limit(self.seconds):
                    answer = function()
            except (Exception, TimeIsUp) as caught:
                error = caught
        for message in {str(w.message): w for w in emitted}.values():
            if not _is_expected(message.message, warns):
                text = f"warned {message.category.__name__}: {_one_line(message.message)}"
                self._record(name, text, f"{Path(message.filename).name}:{message.lineno}")
        return answer, error

    def _record(self, call: str, finding: str, where: str = "") -> None:
        fault = Fault(call, finding, where)
        if fault not in self.faults:
            self.faults.append(fault)


@contextlib.contextmanager
def _time_limit(seconds: float | None) -> Iterator[None]:
    """Raise `TimeIsUp` after some seconds of the processor, or six times as many of the clock."""
    if seconds is None:
        yield
        return

    def stop(*_: Any) -> None:
        raise TimeIsUp(f"no answer within {seconds:g} s")

    timers = ((signal.ITIMER_PROF, signal.SIGPROF, 1), (signal.ITIMER_REAL, signal.SIGALRM, 6))
    before = [signal.signal(number, stop) for _, number, _ in timers]
    for timer, _, factor in timers:
        signal.setitimer(timer, factor * seconds)
    try:
        yield
    finally:
        for timer, _, _ in timers:
            signal.setitimer(timer, 0)
        for (_, number, _), handler in zip(timers, before, strict=True):
            signal.signal(number, handler)


def _is_expected(problem: BaseException, expected: Expected) -> bool:
    return any(
        isinstance(problem, kind) and re.search(pattern, str(problem), re.DOTALL)
        for kind, pattern in expected
    )


def _shown(answer: Any, error: BaseException | None, show: Callable[[Any], str]) -> str:
    return show(answer) if error is None else f"{type(error).__name__}: {_one_line(error)}"


def _one_line(problem: BaseException, limit: int = 160) -> str:
    try:
        text = ascii(" ".join(str(problem).split()))[1:-1]
    except Exception as unreadable:  # a message that cannot be made is a finding too
        text = f"(its message fails with {type(unreadable).__name__})"
    return text if len(text) <= limit else f"{text[:limit]}..."


def _innermost(error: BaseException) -> str:
    """Return the innermost line of the package in a traceback."""
    ours = [
        entry
        for entry in traceback.extract_tb(error.__traceback__)
        if Path(entry.filename).is_relative_to(PACKAGE)
    ]
    if not ours:
        return ""
    return f"{Path(ours[-1].filename).relative_to(PACKAGE.parent)}:{ours[-1].lineno}"


def _difference(first: str, second: str) -> str:
    """Show where two strings begin to differ."""
    at = next(
        (k for k, (a, b) in enumerate(zip(first, second, strict=False)) if a != b),
        min(len(first), len(second)),
    )
    start = max(at - 20, 0)
    return f"{first[start : at + 40]!a} against {second[start : at + 40]!a}"


def frame_state(frame: pd.DataFrame) -> str:
    """Return all that a frame holds as text: names, index, dtypes and cells."""
    columns = [
        (repr(name), str(frame.dtypes.iloc[j]), list(map(repr, frame.iloc[:, j])))
        for j, name in enumerate(frame.columns)
    ]
    return f"{frame.columns.names} {list(frame.index)} {frame.attrs} {columns}"


def report_state(report: autotype.TypeReport) -> str:
    """Return all that a report holds as text."""
    columns = [sorted((key, repr(v)) for key, v in vars(c).items()) for c in report.columns]
    return f"{report.n_rows} {list(report.names)} {report.names.names} {columns}"
