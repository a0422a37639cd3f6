"""The options of a label judge: a language model on a server."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

import autotype
from autotype.cli.failures import WrongUseError

if TYPE_CHECKING:
    from autotype.judges import OpenAICompatible

_NO_CACHE = "off"


def add_judge(command: argparse.ArgumentParser) -> None:
    """Declare the options."""
    group = command.add_argument_group(
        "second opinion",
        "The names and levels of discrete columns, and no rows, are sent to a server. Its key is "
        "AUTOTYPE_JUDGE_KEY, else OPENAI_API_KEY, of the environment.",
    )
    group.add_argument(
        "--judge",
        metavar="URL",
        help="base address of a server with the interface of OpenAI's chat completions, such as "
        "http://localhost:11434/v1",
    )
    group.add_argument("--judge-model", metavar="NAME", help="the language model to ask there")
    group.add_argument(
        "--judge-cache",
        metavar="FOLDER",
        help=f"where answers are kept, {_NO_CACHE} for nowhere (default: the user's cache folder)",
    )


def judge_from(options: argparse.Namespace) -> OpenAICompatible | None:
    """Return the judge of the options of `add_judge`, or None without one.

    Raises
    ------
    WrongUseError
        If the options do not go together, or are not valid.
    """
    if options.judge is None:
        for option in ("judge_model", "judge_cache"):
            if getattr(options, option) is not None:
                raise WrongUseError(f"--{option.replace('_', '-')} needs --judge URL")
        return None
    if options.judge_model is None:
        raise WrongUseError("--judge needs --judge-model NAME, the language model to ask there")
    cache = {None: True, _NO_CACHE: False}.get(options.judge_cache, options.judge_cache)
    try:
        return autotype.judges.OpenAICompatible(options.judge, options.judge_model, cache=cache)
    except (TypeError, ValueError) as problem:
        raise WrongUseError(f"--judge: {problem}") from problem
