"""Every example runs, in a copy, with warnings as errors; in this process, which costs no start."""

from __future__ import annotations

import csv
import re
import runpy
import shutil
from pathlib import Path

import pytest
from matplotlib import pyplot

pytestmark = pytest.mark.slow

EXAMPLES = Path(__file__).resolve().parent.parent / "examples"


@pytest.fixture
def copy(tmp_path) -> Path:
    """A copy of the examples, so that what they write leaves the tree clean."""
    return Path(shutil.copytree(EXAMPLES, tmp_path / "examples"))


@pytest.fixture
def run(copy, monkeypatch, capsys):
    """Run a script of the copy, as if Python had started with it."""

    def run_script(name: str) -> None:
        monkeypatch.chdir(copy)
        monkeypatch.setattr("sys.argv", [name])
        monkeypatch.syspath_prepend(copy)
        runpy.run_path(name, run_name="__main__")
        assert capsys.readouterr().err == ""

    yield run_script
    pyplot.close("all")


@pytest.mark.parametrize("name", sorted(path.name for path in EXAMPLES.glob("*.py")))
def test_runs(run, name) -> None:
    run(name)


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.py")), ids=lambda path: path.name)
def test_imports_what_registers_the_accessor(path) -> None:
    text = path.read_text(encoding="utf-8")
    assert "autotype" not in text or re.search("^(import|from) autotype", text, re.MULTILINE)


def test_the_survey_is_what_its_script_writes(copy, run) -> None:
    with (EXAMPLES / "survey.csv").open(newline="", encoding="utf-8") as file:
        committed = list(csv.reader(file))
    (copy / "survey.csv").unlink()
    run("make_survey.py")
    with (copy / "survey.csv").open(newline="", encoding="utf-8") as file:
        written = list(csv.reader(file))
    # Random streams may change with NumPy; the shape of the survey may not.
    assert written[0] == committed[0]
    assert len(written) == len(committed) == 1001
