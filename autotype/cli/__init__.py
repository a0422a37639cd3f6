"""The command line: ``autotype infer | validate | compare | apply | report``."""

from __future__ import annotations

from collections.abc import Sequence


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command, see `autotype.cli.program.main`; load what it needs only now."""
    try:
        from autotype.cli import program
    except KeyboardInterrupt:
        return 130
    return program.main(argv)
