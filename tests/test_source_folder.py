"""Compiled modules are found from a folder that holds the source alone."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import autotype
from autotype._source_folder import find_compiled

PACKAGE = Path(autotype.__file__).resolve().parent


@pytest.fixture
def source_folder(tmp_path) -> Path:
    """A folder with the package, without its compiled modules."""
    without = shutil.ignore_patterns("*.so", "*.pyd", "__pycache__")
    shutil.copytree(PACKAGE, tmp_path / "autotype", ignore=without)
    return tmp_path


CODE = """
import pandas as pd, autotype
frame = pd.DataFrame({"size": ["S", "M", "L"] * 20, "weight": [1.0, 2.0, 3.0] * 20})
print(autotype.__file__, frame.ordinal.infer_types()["size"].order)
"""


def test_code_typed_in_the_folder_of_the_source_runs(source_folder, child_environment) -> None:
    child = subprocess.run(
        [sys.executable, "-c", CODE],
        cwd=source_folder,
        env=child_environment,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert child.returncode == 0, child.stderr
    assert child.stdout.startswith(str(source_folder))
    assert "('S', 'M', 'L')" in child.stdout


def test_each_package_of_compiled_modules_finds_them() -> None:
    for kernel in PACKAGE.rglob("_*_fast.pyx"):
        package = kernel.with_name("__init__.py")
        assert "find_compiled(__name__, __path__)" in package.read_text(encoding="utf-8"), kernel


def test_without_any_compiled_module_the_remedy_is_named(monkeypatch, tmp_path) -> None:
    monkeypatch.setattr(sys, "path", [])
    with pytest.raises(ImportError, match=r"holds its source only; install autotype with pip"):
        find_compiled("autotype.inference", [str(tmp_path)])
