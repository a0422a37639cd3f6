"""Run the Python and the commands of the README and the guides, and write down what they print.

A `text` block after a block of code holds that code's output. The suite compares the two; after a
change of what is printed, write the new output with

    python docs/outputs.py
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from autotype.cli import main as autotype

ROOT = Path(__file__).resolve().parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
_OF_SHELL = re.compile(r"[|<>$]")  # files named by a pattern in quotes are not its part
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


class Run(NamedTuple):
    """A block that was run: what it printed, and what the page claims that it prints."""

    code: str
    printed: str
    claimed: str | None


def run_page(text: str, folder: Path, environment: Mapping[str, str]) -> list[Run]:
    """Run the blocks of a page in a folder that holds a copy of the examples.

    Python blocks share their names. Of a shell block only the `autotype` commands run; pip and
    pytest are the reader's set-up.

    Raises
    ------
    RuntimeError
        If a command fails.
    """
    shutil.copytree(ROOT / "examples", folder / "examples")
    found = [match.groups() for match in BLOCK.finditer(text)]
    following = [*found, ("", "")][1:]
    names: dict[str, object] = {}
    runs = []
    for (language, code), (next_language, next_text) in zip(found, following, strict=True):
        if language == "python":
            printed = _run_python(code, names, folder)
        elif language == "sh":
            printed = "".join(_run_command(c, folder, environment) for c in commands(code))
        else:
            continue
        runs.append(Run(code, printed, next_text if next_language == "text" else None))
    return runs


def commands(code: str) -> list[str]:
    """Return the `autotype` commands of a shell block, chained ones apart."""
    parts = [part.strip() for line in code.splitlines() for part in line.split("&&")]
    return [part for part in parts if part.startswith("autotype ")]


def _run_python(code: str, names: dict[str, object], folder: Path) -> str:
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed), contextlib.chdir(folder):
        exec(compile(code, "page", "exec"), names)
    return printed.getvalue()


def _run_command(command: str, folder: Path, environment: Mapping[str, str]) -> str:
    """Run a command of a page: in this process, or by the shell if the shell has a part in it."""
    if not _OF_SHELL.search(command):
        return _run_here(command, folder)
    child = subprocess.run(
        ["sh", "-c", f'autotype() {{ "$0" -m autotype "$@"; }}\n{command}', sys.executable],
        cwd=folder,
        env={**environment, "PYTHONUTF8": "1"},
        capture_output=True,
        text=True,
    )
    if child.returncode != 0:
        raise RuntimeError(f"{command} exits with {child.returncode}: {child.stderr}")
    return child.stdout


def _run_here(command: str, folder: Path) -> str:
    """Run a command without the start of a process, which takes longer than most commands."""
    printed, error = io.StringIO(), io.StringIO()
    with (
        contextlib.redirect_stdout(printed),
        contextlib.redirect_stderr(error),
        contextlib.chdir(folder),
        warnings.catch_warnings(),
    ):
        warnings.simplefilter("default")
        code = autotype(shlex.split(command, comments=True)[1:])
    if code != 0:
        raise RuntimeError(f"{command} exits with {code}: {error.getvalue()}")
    return printed.getvalue()


def main() -> None:
    """Write the output of every block that is followed by one."""
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        with tempfile.TemporaryDirectory() as folder:
            runs = run_page(text, Path(folder), os.environ)
        for run in runs:
            if run.claimed is not None:
                old = f"{run.code}```\n\n```text\n{run.claimed}```"
                text = text.replace(old, f"{run.code}```\n\n```text\n{run.printed}```")
        page.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
