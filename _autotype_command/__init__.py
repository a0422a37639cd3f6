"""The command ``autotype``, outside the package, whose import alone takes most of a second.

Ctrl-C in that second ends the command like later: without a traceback, with exit code 130.
"""

from __future__ import annotations

import gc
import importlib.util
import os
import signal
import sys
from argparse import Namespace

from _autotype_command.parser import run

# SciPy imports all public modules of NumPy. These two are not used, and take an eighth of the time
# of a small file.
_UNUSED = ("numpy.f2py", "numpy.testing")


def main() -> int:
    """Parse the arguments of the process, and run the command that they name."""
    return run(None, _load_and_run)


def _load_and_run(options: Namespace) -> int:
    """Load the package and run the command."""
    before = signal.getsignal(signal.SIGINT)
    if before is signal.default_int_handler:  # not ignored, as in the background of a shell
        signal.signal(signal.SIGINT, lambda *_: os._exit(130))
    # Modules stay until the end: the garbage collector need not look at them, now or later, which
    # takes an eighth of the time of a small file.
    gc.disable()
    try:
        _defer(_UNUSED)
        from autotype.cli import program
    except ImportError as problem:  # a broken installation: not exit code 1, "the data fails"
        print(f"autotype: error: the installation is broken: {problem}", file=sys.stderr)
        return 3
    except MemoryError:
        print("autotype: error: there is not enough memory to start", file=sys.stderr)
        return 3
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)
    gc.enable()
    signal.signal(signal.SIGINT, before)
    return program.run_command(options)


def _defer(modules: tuple[str, ...]) -> None:
    """Import modules when an attribute of theirs is first used."""
    for name in modules:
        spec = importlib.util.find_spec(name)
        if name in sys.modules or spec is None or spec.loader is None:
            continue
        spec.loader = importlib.util.LazyLoader(spec.loader)
        module = importlib.util.module_from_spec(spec)
        sys.modules[name] = module
        spec.loader.exec_module(module)
        package, _, attribute = name.rpartition(".")
        setattr(sys.modules[package], attribute, module)
