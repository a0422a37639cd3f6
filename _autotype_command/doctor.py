"""``autotype doctor``: print what is installed, what is missing, and one line for a report.

It has to answer where the package cannot be imported, so it looks at the distribution only.
"""

from __future__ import annotations

import argparse
import importlib
import platform
from collections.abc import Iterator
from importlib import metadata

DISTRIBUTION = "autotype-ordinal"
COMPILED = (
    "models.svm.solvers",
    "models.gaussian_process.solvers",
    "models.gaussian_process.weight_space",
    "inference.evidence",
)
_OF_DEVELOPERS = ("all", "bench", "docs", "test")


def doctor(options: argparse.Namespace) -> int:
    """Print the state of the installation; return 3 if what every call needs is missing."""
    required, *extras = ["", *sorted(_extras())]
    found, faults = _examine(required)
    faults += list(_missing_modules()) if not faults else []
    version = metadata.version(DISTRIBUTION)
    system = (
        f"{platform.python_implementation()} {platform.python_version()}, {platform.platform()}"
    )
    lines = [f"autotype {version}, {system}", "", f"packages    {', '.join(found)}"]
    lines += [f"  MISSING {fault}" for fault in faults]
    for extra in extras:
        present, missing = _examine(extra)
        state = ", ".join(present) if not missing else f"missing {', '.join(missing)}"
        remedy = f'; pip install "{DISTRIBUTION}[{extra}]"' if missing else ""
        lines.append(f"  {extra:<12}{state}{remedy}")
    if not faults:
        lines.append(f"fonts       {_fonts()}")
    fault = f"; missing: {', '.join(faults)}" if faults else ""
    lines += ["", "With a report of a problem, send this line:"]
    lines += [f"autotype {version}; {system}; {', '.join(found)}{fault}"]
    if not options.quiet:
        print("\n".join(lines))
    return 3 if faults else 0


def _extras() -> Iterator[str]:
    """Yield the names of the extras for users."""
    for extra in metadata.metadata(DISTRIBUTION).get_all("Provides-Extra") or ():
        if extra not in _OF_DEVELOPERS:
            yield extra


def _examine(extra: str) -> tuple[list[str], list[str]]:
    """Return the packages of an extra with their versions, and what is missing or too old."""
    from packaging.requirements import Requirement

    found, missing = [], []
    for text in metadata.requires(DISTRIBUTION) or ():
        required = Requirement(text)
        marker = required.marker
        if marker is not None and (not extra or not marker.evaluate({"extra": extra})):
            continue
        if marker is None and extra:
            continue
        try:
            version = metadata.version(required.name)
        except metadata.PackageNotFoundError:
            missing.append(f"{required.name}{required.specifier}")
            continue
        if required.specifier.contains(version, prereleases=True):
            found.append(f"{required.name} {version}")
        else:
            missing.append(f"{required.name}{required.specifier} (found {version})")
    return found, missing


def _missing_modules() -> Iterator[str]:
    """Yield the packages whose compiled modules are missing or of another version."""
    for package in COMPILED:
        try:
            importlib.import_module(f"autotype.{package}")
        except ImportError as problem:
            yield f"autotype.{package} ({problem})"


def _fonts() -> str:
    """Return which scripts plots can draw."""
    try:
        from autotype.report.figures.fonts import scripts_without_font
    except ImportError:
        return "unknown without matplotlib"
    absent = scripts_without_font()
    return f"none for {', '.join(absent)}: plots show numbers with a key" if absent else "for all"
