"""Sphinx extension: `command-line` lists the commands and their options, from the parser itself."""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from _autotype_command.parser import make_parser


def commands(parser: argparse.ArgumentParser) -> dict[str, argparse.ArgumentParser]:
    """Return the parsers of the commands, by name."""
    (group,) = (a for a in parser._actions if isinstance(a, argparse._SubParsersAction))
    return dict(group.choices)


def options(parser: argparse.ArgumentParser) -> Iterator[tuple[str, list[tuple[str, str]]]]:
    """Yield the title of each group of options, and its options with what they do."""
    formatter = argparse.HelpFormatter(parser.prog)
    for group in parser._action_groups:
        listed = [a for a in group._group_actions if a.help != argparse.SUPPRESS]
        if listed:
            shown = [
                (formatter._format_action_invocation(a), _meaning(formatter, a)) for a in listed
            ]
            yield group.title or "", shown


def _meaning(formatter: argparse.HelpFormatter, action: argparse.Action) -> str:
    return formatter._expand_help(action) if action.help else ""


class CommandLine(SphinxDirective):
    """One section a command: its usage, what it does, and its options."""

    def run(self) -> list[nodes.Node]:
        """Return the sections."""
        parser = make_parser()
        found: list[nodes.Node] = [self._section(n, p) for n, p in commands(parser).items()]
        return found

    def _section(self, name: str, parser: argparse.ArgumentParser) -> nodes.section:
        section = nodes.section(ids=[f"autotype-{name}"], names=[f"autotype {name}"])
        section += nodes.title("", "", nodes.literal("", f"autotype {name}"))
        section += nodes.paragraph("", parser.description or "")
        usage = parser.format_usage().removeprefix("usage: ")
        section += nodes.literal_block("", usage, language="text")
        for title, listed in options(parser):
            section += nodes.rubric("", title.capitalize())
            section += nodes.definition_list("", *(_definition(*pair) for pair in listed))
        return section


def _definition(invocation: str, meaning: str) -> nodes.definition_list_item:
    return nodes.definition_list_item(
        "",
        nodes.term("", "", nodes.literal("", invocation)),
        nodes.definition("", nodes.paragraph("", meaning)),
    )


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the extension."""
    app.add_directive("command-line", CommandLine)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
