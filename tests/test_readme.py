"""The README and the guides keep their word: their Python and their commands run."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks(page: Path) -> list[tuple[str, str]]:
    """(language, text) of each fenced block."""
    return BLOCK.findall(page.read_text(encoding="utf-8"))


def commands(text: str) -> list[str]:
    """The `autotype` commands of a shell block, chained ones apart; pip and pytest are set-up."""
    lines = text.replace("\\\n", " ").splitlines()
    parts = [part.strip() for line in lines for part in line.split("&&")]
    return [part for part in parts if part.startswith("autotype ")]


def without_figures(text: str) -> list[str]:
    """Lines whose decimals and spacing do not count: a recalibration may move a probability."""
    text = re.sub(r"\d+\.\d+", "#", text.replace("-", " "))
    return [" ".join(line.split()) for line in text.strip().splitlines() if line.strip()]


@pytest.fixture
def workplace(tmp_path, monkeypatch) -> Path:
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def expectations(page: Path) -> list[tuple[str, str, str | None]]:
    """(language, text, output or None): a `text` block holds the output of the block before it."""
    found = blocks(page)
    following = [*found[1:], ("", "")]
    return [
        (language, text, after[1] if after[0] == "text" else None)
        for (language, text), after in zip(found, following, strict=True)
    ]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_python_blocks_run(page, workplace, capsys) -> None:
    names: dict[str, object] = {}
    for language, text, output in expectations(page):
        if language == "python":
            exec(compile(text, page.name, "exec"), names)
            printed = capsys.readouterr().out
            if output is not None:
                assert without_figures(printed) == without_figures(output)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_commands_run(page, workplace, child_environment) -> None:
    environment = {**child_environment, "COLUMNS": "100", "PYTHONUTF8": "1"}
    for language, text, output in expectations(page):
        if language not in ("sh", "shell", "bash"):
            continue
        printed = ""
        for command in commands(text):
            child = subprocess.run(
                [sys.executable, "-m", *shlex.split(command)],
                env=environment,
                cwd=os.getcwd(),
                capture_output=True,
                text=True,
                timeout=300,
            )
            assert child.returncode == 0, f"{command}: {child.stderr}"
            printed += child.stdout
        if output is not None:
            assert without_figures(printed) == without_figures(output)


def test_the_readme_has_something_to_run() -> None:
    found = blocks(ROOT / "README.md")
    assert any(language == "python" for language, _ in found)
    assert any(commands(text) for language, text in found if language == "sh")
