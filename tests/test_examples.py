"""Every example runs, in a copy, with warnings as errors."""

from __future__ import annotations

import csv
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

EXAMPLES = Path(__file__).resolve().parent.parent / "examples"


@pytest.fixture
def copy(tmp_path) -> Path:
    """A copy of the examples, so that what they write leaves the tree clean."""
    return Path(shutil.copytree(EXAMPLES, tmp_path / "examples"))


def run(script: Path, environment: dict[str, str]) -> str:
    child = subprocess.run(
        [sys.executable, "-W", "error", script.name],
        cwd=script.parent,
        env=environment,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert child.returncode == 0, child.stderr
    assert child.stderr == ""
    return child.stdout


@pytest.mark.parametrize("name", sorted(path.name for path in EXAMPLES.glob("*.py")))
def test_runs(copy, child_environment, name) -> None:
    run(copy / name, child_environment)


def test_the_survey_is_what_its_script_writes(copy, child_environment) -> None:
    with (EXAMPLES / "survey.csv").open(newline="", encoding="utf-8") as file:
        committed = list(csv.reader(file))
    (copy / "survey.csv").unlink()
    run(copy / "make_survey.py", child_environment)
    with (copy / "survey.csv").open(newline="", encoding="utf-8") as file:
        written = list(csv.reader(file))
    # Random streams may change with NumPy; the shape of the survey may not.
    assert written[0] == committed[0]
    assert len(written) == len(committed) == 1001
