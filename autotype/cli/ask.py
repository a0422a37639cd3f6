"""Ask the questions of a report in a terminal; the answers revise it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence

from autotype.cli.failures import WrongUseError
from autotype.errors import KnownTypesError
from autotype.type_report import TypeReport
from autotype.types.decisions.decision import Statement
from autotype.types.decisions.questions import Question
from autotype.wording import did_you_mean, format_count, format_level, format_order, printable

HELP = (
    "Enter accepts the proposal; c: no order; o: the best order found; r: that order reversed; "
    "an order such as 'low < mid < high', levels off the scale behind '|'; s: skip; q: stop asking"
)
_LEVELS_SHOWN = 100


class _StopError(Exception):
    """The user ends the questions."""


def check_terminal() -> None:
    """Raise unless questions can be asked, before the work rather than after.

    Raises
    ------
    WrongUseError
        If standard input or the standard error stream is no terminal.
    """
    for stream, name in ((sys.stdin, "standard input"), (sys.stderr, "the standard error stream")):
        if stream is None or stream.closed or not stream.isatty():
            raise WrongUseError(
                f"--ask needs a terminal, and {name} is none; without one, answer on the page of "
                "--html and pass the file that it downloads to --known"
            )


def ask(
    report: TypeReport, read_line: Callable[[], str], write: Callable[[str], object]
) -> TypeReport:
    """Ask the questions of a report, and return it with the answers.

    Parameters
    ----------
    report : TypeReport
    read_line : callable
        Returns the next line with its line break, and an empty text at the end of the input.
    write : callable
        Prints a line.

    Returns
    -------
    TypeReport
        With the answers that were given before the user stopped.
    """
    questions = report.questions()
    if not questions:
        write("No questions: every verdict is certain enough.")
        return report
    n_open = sum(question.n_open for question in questions)
    columns = format_count(n_open, "column")
    write(f"{format_count(len(questions), 'question')} on {columns}. {HELP}.")
    try:
        for number, question in enumerate(questions, start=1):
            write(f"\n{number}/{len(questions)} {printable(question.text)}")
            if question.order is not None and question.semantic_type != "ordinal":
                best = format_order(question.named(question.order), direction_known=True)
                write(f"Best order found: {printable(best)}")
            report = _ask_one(report, question, read_line, write)
    except _StopError:
        write("")
    return report


def _ask_one(
    report: TypeReport,
    question: Question,
    read_line: Callable[[], str],
    write: Callable[[str], object],
) -> TypeReport:
    """Ask until the answer fits; an answer to skip leaves the report as it is."""
    while True:
        line = read_line()
        text = line.strip()
        if not line or text == "q":
            raise _StopError
        if text == "s":
            return report
        try:
            if text == "?":
                write(f"{HELP}.")
                write(f"Levels: {_listed(question.named(question.levels))}")
                continue
            revised = report.revise(question.answer(parse_answer(text, question)))
        except (KnownTypesError, ValueError) as problem:
            write(f"{printable(problem)}; ? for help")
            continue
        names = format_count(len(question.columns), "column")
        column = revised[question.columns[0]]
        order = column.order and format_order(column.order, direction_known=True)
        write(f"{names}: {printable(order or column.semantic_type)}")
        return revised


def parse_answer(text: str, question: Question) -> Statement | None:
    """Parse what the user has typed; None is the proposal.

    Raises
    ------
    ValueError
        If it is no answer.

    Examples
    --------
    >>> from autotype.types.decisions.questions import Question
    >>> question = Question(("a",), 1, 1.0, (1, 2, 3), "ordinal", (1, 2, 3), (), 0.6)
    >>> parse_answer("c", question), parse_answer("r", question)
    ('categorical', [3, 2, 1])
    >>> parse_answer("1 < 3 | 2", question)
    {'order': ['1', '3'], 'off_scale': ['2']}
    """
    if not text:
        return None
    if text == "c":
        return "categorical"
    if text in ("o", "r"):
        if question.order is None:
            raise ValueError("no order was found; type the levels, lowest first, with '<' between")
        order = list(question.order)
        return _statement(order if text == "o" else order[::-1], list(question.off_scale))
    if "<" not in text:
        hint = did_you_mean(text, question.levels)
        raise ValueError(f"{text!r} is no answer{hint}")
    order_text, _, off_text = text.partition("|")
    off_scale = off_text.split(",") if off_text.strip() else []
    return _statement(_stripped(order_text.split("<")), _stripped(off_scale))


def _stripped(parts: Sequence[str]) -> list[str]:
    return [part.strip() for part in parts]


def _statement(order: list, off_scale: list) -> Statement:
    return {"order": order, "off_scale": off_scale} if off_scale else order


def _listed(levels: Sequence[object]) -> str:
    shown = ", ".join(printable(format_level(level)) for level in levels[:_LEVELS_SHOWN])
    return f"{shown}, ..." if len(levels) > _LEVELS_SHOWN else shown


def ask_in_terminal(report: TypeReport) -> TypeReport:
    """Ask the questions of a report; they are printed to the standard error stream."""
    return ask(report, sys.stdin.readline, lambda line: print(line, file=sys.stderr, flush=True))
