"""Sphinx extension: `example SCRIPT` shows what a script draws and prints, and its source.

The script runs in a copy of its folder while the site is built, all scripts of a page at once.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from typing import NamedTuple

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

PICTURES = "docs/gallery-pictures"  # of a build folder


class Result(NamedTuple):
    """What a script printed, and the pictures that it wrote."""

    printed: str
    pictures: dict[str, bytes]


def run_script(script: Path) -> Result:
    """Run a script in a copy of its folder.

    Raises
    ------
    RuntimeError
        If the script fails or warns.
    """
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(shutil.copytree(script.parent, Path(folder) / "examples"))
        child = subprocess.run(
            [sys.executable, "-W", "error", script.name],
            cwd=copy,
            env={**os.environ, "PYTHONUTF8": "1", "MPLBACKEND": "Agg"},
            capture_output=True,
            text=True,
        )
        if child.returncode != 0:
            raise RuntimeError(f"{script.name} exits with {child.returncode}: {child.stderr}")
        pictures = {path.name: path.read_bytes() for path in sorted(copy.glob("*.png"))}
    return Result(child.stdout, pictures)


@cache
def run_all(folder: Path) -> dict[str, Result]:
    """Run all scripts of a folder, as many at once as there are processors."""
    scripts = sorted(folder.glob("*.py"))
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        return {s.name: r for s, r in zip(scripts, pool.map(run_script, scripts), strict=True)}


class Example(SphinxDirective):
    """Pictures, output and source of a script."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Return the pictures, and the output and the source to unfold."""
        _, path = self.env.relfn2path(self.arguments[0])
        script = Path(path)
        self.env.note_dependency(path)
        result = run_all(script.parent)[script.name]
        folder = Path(self.env.app.doctreedir) / "pictures"
        folder.mkdir(parents=True, exist_ok=True)
        found: list[nodes.Node] = []
        for name, picture in result.pictures.items():
            target = folder / f"{script.stem}-{name}"
            target.write_bytes(picture)
            uri = os.path.relpath(target, self.env.srcdir)
            found.append(nodes.image(uri=f"/{uri}", alt=f"What {script.name} draws: {name}"))
        if result.printed.strip():
            found += unfolded("Output", nodes.literal_block("", result.printed, language="text"))
        source = script.read_text(encoding="utf-8")
        return found + unfolded("Source", nodes.literal_block("", source, language="python"))


def unfolded(summary: str, content: nodes.Node) -> list[nodes.Node]:
    """Return content that a click unfolds."""
    opened = f"<details><summary>{summary}</summary>"
    return [
        nodes.raw("", opened, format="html"),
        content,
        nodes.raw("", "</details>", format="html"),
    ]


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the extension."""
    app.add_directive("example", Example)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
