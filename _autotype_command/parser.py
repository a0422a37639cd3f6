"""The commands of ``autotype`` and their options, which the file ``options.toml`` lists.

Neither the package nor pandas is imported here, so that the answer to ``--help``, ``--version`` and
a wrong option takes no time.
"""

from __future__ import annotations

import argparse
import tomllib
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from textwrap import fill, indent
from typing import Any, NoReturn

from _autotype_command.arguments import PARSERS

_WRONG_USE = 2
_WIDTH = 78
# Of all commands.
_COMMON = {
    "--quiet": {"action": "store_true", "help": "print no results, warnings or progress"},
    "--debug": {"action": "store_true", "help": "print the traceback of an error"},
}


def run(argv: Sequence[str] | None, command: Callable[[argparse.Namespace], int]) -> int:
    """Parse arguments and run a command on them; return its exit code, or that of the parser."""
    try:
        parser = make_parser()
        options, unknown = parser.parse_known_args(argv)
        if unknown:  # of the command, whose help lists what it knows
            parser.prog = f"{parser.prog} {options.command}"
            parser.error(f"unrecognized arguments: {' '.join(unknown)}")
    except SystemExit as stop:  # argparse has printed its help or an error
        return int(stop.code or 0)
    if options.command == "doctor":  # which answers where the package cannot be loaded
        from _autotype_command.doctor import doctor

        return doctor(options)
    return command(options)


class _Parser(argparse.ArgumentParser):
    """An argument parser that reports errors in one line, without the usage."""

    def error(self, message: str) -> NoReturn:
        self.exit(_WRONG_USE, f"{self.prog}: error: {message}; see {self.prog} --help\n")


class _Version(argparse.Action):
    """Print the version of the installed distribution."""

    def __call__(self, parser: argparse.ArgumentParser, *_: Any) -> NoReturn:
        from importlib.metadata import version

        print("autotype", version("autotype-ordinal"))
        parser.exit()


def make_parser() -> argparse.ArgumentParser:
    """Return the parser of all commands, which the documentation lists too."""
    stated = tomllib.loads(Path(__file__).with_name("options.toml").read_text(encoding="utf-8"))
    epilog = stated["epilog"]
    parser = _Parser(
        prog="autotype",
        description=stated["description"],
        epilog=f"{stated['start']}\n{epilog}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action=_Version, nargs=0, help="print the version and exit")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for name, part in stated["commands"].items():
        command = commands.add_parser(
            name,
            help=part["summary"],
            usage=part["usage"],
            description=fill(part["description"], _WIDTH),
            epilog=f"examples:\n{indent(part['examples'], '  ')}\n\n{epilog}",
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
        )
        command.set_defaults(command=name)
        _add(command, _COMMON)
        for group in part["groups"]:
            _add_group(command, **stated["groups"][group])
    return parser


def _add_group(
    command: argparse.ArgumentParser,
    options: Mapping[str, Mapping[str, Any]],
    title: str = "",
    description: str | None = None,
) -> None:
    """Add a group of options; without a title, they are the command's own."""
    _add(command.add_argument_group(title, description) if title else command, options)
    if title.startswith("output"):
        outputs = (flag for flag, part in options.items() if part.get("type") == "output")
        command.set_defaults(outputs=tuple(outputs))


def _add(place: argparse._ActionsContainer, options: Mapping[str, Mapping[str, Any]]) -> None:
    """Add options to a command or to one of its groups."""
    for flags, stated in options.items():
        part = dict(stated)
        if "type" in part:
            part["type"] = PARSERS[part["type"]]
        if part.get("action") == "yes_or_no":
            part["action"] = argparse.BooleanOptionalAction
        place.add_argument(*flags.split(), **part)
