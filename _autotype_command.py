"""The command ``autotype``, outside the package, whose import alone takes most of a second.

Ctrl-C in that second ends the command like later: without a traceback, with exit code 130.
"""

from __future__ import annotations

import gc
import os
import signal
import sys


def main() -> int:
    """Load the package and run the command."""
    before = signal.getsignal(signal.SIGINT)
    if before is signal.default_int_handler:  # not ignored, as in the background of a shell
        signal.signal(signal.SIGINT, lambda *_: os._exit(130))
    # Modules stay until the end: the garbage collector need not look at them, now or later, which
    # takes an eighth of the time of a small file.
    gc.disable()
    try:
        from autotype.cli import program
    except ImportError as problem:  # a broken installation: not exit code 1, "the data fails"
        print(f"autotype: error: the installation is broken: {problem}", file=sys.stderr)
        return 3
    gc.freeze()
    gc.enable()
    signal.signal(signal.SIGINT, before)
    return program.main()
