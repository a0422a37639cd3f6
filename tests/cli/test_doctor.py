"""What `autotype doctor` prints of an installation."""

from __future__ import annotations

from importlib import metadata

import pytest

from _autotype_command.doctor import DISTRIBUTION
from autotype import errors


def test_a_whole_installation(run) -> None:
    child = run("doctor")
    assert (child.returncode, child.stderr) == (0, "")
    lines = child.stdout.splitlines()
    assert lines[0].startswith(f"autotype {metadata.version(DISTRIBUTION)}, CPython 3.")
    assert f"pandas {metadata.version('pandas')}" in lines[2]
    (parquet,) = (line for line in lines if line.startswith("  parquet "))
    assert parquet.endswith(f"pyarrow {metadata.version('pyarrow')}")
    assert lines[-1].startswith("autotype ")
    assert "missing" not in lines[-1]


def test_what_is_missing(call, monkeypatch) -> None:
    needs = ["pandas>=99", "none-such>=1", 'none-too; extra == "extra"']
    monkeypatch.setattr(metadata, "requires", lambda _: needs)
    child = call("doctor")
    assert child.returncode == 3
    lines = child.stdout.splitlines()
    assert f"  MISSING pandas>=99 (found {metadata.version('pandas')})" in lines
    assert "  MISSING none-such>=1" in lines
    assert lines[-1].endswith("none-such>=1")


def test_modules_that_are_not_compiled(tmp_path, run, child_environment) -> None:
    package = tmp_path / "autotype"
    package.mkdir()
    (package / "__init__.py").write_text("raise ImportError('not compiled')\n")
    search = f"{tmp_path}:{child_environment['PYTHONPATH']}"
    child = run("doctor", env={**child_environment, "PYTHONPATH": search})
    assert child.returncode in (0, 3)  # an editable installation finds its own package first
    assert child.stderr == ""


@pytest.mark.parametrize("arguments", [["doctor", "file.csv"], ["doctor", "--columns", "a"]])
def test_takes_no_table(call, arguments) -> None:
    assert call(*arguments).returncode == 2


def test_the_name_of_the_distribution() -> None:
    assert errors.DISTRIBUTION == DISTRIBUTION
