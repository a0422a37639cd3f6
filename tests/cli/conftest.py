"""What the tests of the command line share: a child process, or the same call in this one."""

from __future__ import annotations

import subprocess
import sys
import warnings
from types import SimpleNamespace

import pytest

import autotype
from autotype.cli import main
from autotype.type_report import TypeReport
from autotype.types.column_type import ColumnType

CSV = "size,price\n" + "S,1.5\nM,2.5\nL,3.5\n" * 12


@pytest.fixture
def survey(tmp_path):
    path = tmp_path / "survey.csv"
    path.write_text(CSV)
    return path


@pytest.fixture
def run(child_environment, tmp_path):
    """Run the command line as a child process in the test's own folder."""

    def run_command(*arguments, **options) -> subprocess.CompletedProcess:
        command = [sys.executable, "-m", "autotype", *map(str, arguments)]
        settings = {"capture_output": True, "text": True, "env": child_environment, **options}
        return subprocess.run(command, cwd=tmp_path, timeout=120, **settings)

    return run_command


@pytest.fixture
def call(tmp_path, monkeypatch, capsys):
    """Call the command line in this process, which costs no start, in the test's own folder."""
    monkeypatch.chdir(tmp_path)

    def call_main(*arguments) -> SimpleNamespace:
        capsys.readouterr()
        with warnings.catch_warnings():
            warnings.filterwarnings("default", category=UserWarning)
            code = main([str(argument) for argument in arguments])
        output, error = capsys.readouterr()
        return SimpleNamespace(returncode=code, stdout=output, stderr=error)

    return call_main


@pytest.fixture
def inferred(monkeypatch):
    """Replace inference by a record of its calls, so that the command line is tested alone."""
    calls = []

    def infer_types(source, columns=None, **options):
        frame = source.frame if isinstance(source, autotype.Table) else source
        calls.append((frame, columns, options))
        names = list(frame.columns) if columns is None else columns
        return TypeReport([ColumnType(name, "text") for name in names], n_rows=len(frame))

    monkeypatch.setattr("autotype.cli.input.infer_types", infer_types)
    return calls
