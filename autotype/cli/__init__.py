"""The command line: ``autotype infer | validate | compare | apply | report``."""

from __future__ import annotations

from collections.abc import Sequence

from _autotype_command.parser import run


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; load what it needs only now.

    Parameters
    ----------
    argv : sequence of str, optional
        Arguments without the program's name; those of the process by default.

    Returns
    -------
    int
        0 success, 1 the data fails, 2 wrong use, 3 our own failure, 130 interrupted, 143
        terminated.
    """
    try:
        from autotype.cli.program import run_command
    except KeyboardInterrupt:
        return 130
    return run(argv, run_command)
