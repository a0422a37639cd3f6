"""Results do not depend on home, locale, clock or Python's optimization."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

CSV = "größe,n\n" + "S,1\nM,2\nŁ,3\n" * 8
# The clock goes back a minute with each look at it.
BACKWARDS = """
import itertools, sys, time
ticks = itertools.count(2_000_000_000, -60)
time.time = lambda: float(next(ticks))
time.time_ns = lambda: next(ticks) * 1_000_000_000
from autotype.cli import main
sys.exit(main(sys.argv[1:]))
"""
PLAIN = "import sys; from autotype.cli import main; sys.exit(main(sys.argv[1:]))"


def _infer(folder: Path, *arguments: str, code: str = PLAIN, **environment: str | None) -> str:
    folder.mkdir()
    (folder / "a.csv").write_text(CSV, encoding="utf-8")
    kept = {name: value for name, value in os.environ.items() if name not in environment}
    given = {name: value for name, value in environment.items() if value is not None}
    child = subprocess.run(
        [sys.executable, "-c", code, "infer", "a.csv", *arguments],
        cwd=folder,
        env=kept | given,
        capture_output=True,
        encoding="utf-8",
    )
    assert (child.returncode, child.stderr) == (0, "")
    return child.stdout


@pytest.mark.parametrize(
    "surroundings",
    [
        {"PYTHONOPTIMIZE": "2"},
        {"HOME": "/proc/no/home", "XDG_CACHE_HOME": None, "TMPDIR": None},
        {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "PYTHONIOENCODING": "utf-8"},
        {"code": BACKWARDS},
    ],
    ids=["optimized", "no home", "no locale", "clock"],
)
def test_the_same_report(surroundings, tmp_path) -> None:
    expected = _infer(tmp_path / "plain", "--json", "t.json")
    assert _infer(tmp_path / "odd", "--json", "t.json", **surroundings) == expected
    reports = [(tmp_path / name / "t.json").read_bytes() for name in ("plain", "odd")]
    assert reports[0] == reports[1]


def test_a_job_while_the_clock_goes_back(tmp_path) -> None:
    lines = _infer(tmp_path / "odd", "--folder", "out", code=BACKWARDS)
    assert "1 table" in lines
    assert (tmp_path / "odd" / "out" / "a.json").exists()
