"""The command ``autotype``, outside the package, whose import alone takes most of a second.

Ctrl-C in that second ends the command like later: without a traceback, with exit code 130.
"""

from __future__ import annotations

import gc
import importlib.util
import mmap
import os
import signal
import sys
from argparse import Namespace

from _autotype_command.parser import run

# SciPy imports all public modules of NumPy. These two are not used, and take an eighth of the time
# of a small file.
_UNUSED = ("numpy.f2py", "numpy.testing")
_NO_ROOM = "failed to map segment"  # of a library, where memory is limited
_ROOM = 1 << 28  # bytes, for libraries and their buffers


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
        is_limited = _limit_threads()
        _defer(_UNUSED)
        from autotype.cli import program

        if is_limited:
            _reserve_buffers()
    except (ImportError, OSError, MemoryError) as problem:  # not exit code 1, "the data fails"
        reason = f"the installation is broken: {problem}"
        if not isinstance(problem, ImportError) or _NO_ROOM in str(problem):
            reason = "there is not enough memory to start"
        print(f"autotype: error: {reason}", file=sys.stderr)
        return 3
    gc.freeze()
    gc.enable()
    signal.signal(signal.SIGINT, before)
    return program.run_command(options)


def _limit_threads() -> bool:
    """Return whether the memory of the process is limited; one thread needs the least of it."""
    try:
        import resource
    except ImportError:  # Windows
        return False
    if resource.getrlimit(resource.RLIMIT_AS)[0] == resource.RLIM_INFINITY:
        return False
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    return True


def _reserve_buffers() -> None:
    """Make OpenBLAS allocate its buffers: where it cannot later, it ends the process with 1."""
    mmap.mmap(-1, _ROOM).close()
    import numpy as np
    from scipy.linalg import blas

    matrix = np.ones((32, 32))
    blas.dgemm(1.0, matrix @ matrix, matrix)


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
