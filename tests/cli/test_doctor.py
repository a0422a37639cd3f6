"""What `autotype doctor` prints of an installation."""

from __future__ import annotations

import subprocess
import sys
from importlib import metadata

import pytest

from _autotype_command.doctor import COMPILED, DISTRIBUTION
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


# The command as it is installed, where the compiled modules cannot be imported.
_NOT_COMPILED = """
import sys

class NotCompiled:
    @staticmethod
    def find_spec(name, *_):
        if name.endswith("_fast"):
            raise ImportError(f"{name} is not compiled")

sys.meta_path.insert(0, NotCompiled)
from _autotype_command import main
sys.exit(main())
"""


def test_modules_that_are_not_compiled(child_environment) -> None:
    command = [sys.executable, "-c", _NOT_COMPILED, "doctor"]
    child = subprocess.run(
        command, capture_output=True, text=True, env=child_environment, timeout=120
    )
    assert (child.returncode, child.stderr) == (3, "")
    missing = [line for line in child.stdout.splitlines() if line.startswith("  MISSING ")]
    assert [line.split()[1] for line in missing] == [f"autotype.{name}" for name in COMPILED]
    assert all(line.endswith("_fast is not compiled)") for line in missing)


@pytest.mark.parametrize("arguments", [["doctor", "file.csv"], ["doctor", "--columns", "a"]])
def test_takes_no_table(call, arguments) -> None:
    assert call(*arguments).returncode == 2


def test_the_name_of_the_distribution() -> None:
    assert errors.DISTRIBUTION == DISTRIBUTION
