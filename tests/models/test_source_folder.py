"""Compiled modules are found from a folder that holds the source alone."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import autotype

PACKAGE = Path(autotype.__file__).resolve().parent
not_editable = pytest.mark.skipif(
    "editable" in type(autotype.__loader__).__module__,
    reason="an editable install imports its own source from everywhere",
)


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


@not_editable
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


@not_editable
def test_typed_in_the_folder_by_any_way_of_starting_python(
    source_folder, child_environment
) -> None:
    """Workers too: they are told to import the same files."""
    script = source_folder / "script.py"
    script.write_text(CODE.replace("infer_types()", "infer_types(n_jobs=2)"), encoding="utf-8")
    for arguments in (["script.py"], ["-i", "-q"]):
        child = subprocess.run(
            [sys.executable, *arguments],
            cwd=source_folder,
            env=child_environment,
            input=CODE,
            capture_output=True,
            text=True,
            timeout=120,
        )
        assert child.returncode == 0, child.stderr
        assert f"{source_folder / 'autotype' / '__init__.py'} ('S', 'M', 'L')" in child.stdout


def test_each_package_of_compiled_modules_finds_them() -> None:
    for kernel in PACKAGE.rglob("_*_fast.pyx"):
        package = kernel.with_name("__init__.py")
        assert "find_compiled(__name__)" in package.read_text(encoding="utf-8"), kernel


def failure(folder: Path, environment: dict[str, str]) -> str:
    """The last line of what `import autotype` prints in a folder, in an empty environment."""
    child = subprocess.run(
        [sys.executable, "-S", "-c", "import autotype"],
        cwd=folder,
        env={**environment, "PYTHONPATH": environment.get("PYTHONPATH", "")},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert child.returncode == 1
    return child.stderr.splitlines()[-1]


class TestRemedy:
    def test_nothing_is_installed(self, source_folder) -> None:
        (source_folder / "pyproject.toml").touch()
        error = failure(source_folder, {"SYSTEMROOT": os.environ.get("SYSTEMROOT", "")})
        assert re.fullmatch(
            r"ImportError: the compiled modules of autotype\.inference\.evidence for cpython-3\d+ "
            r"are missing: .*evidence holds its source only; type pip install \""
            + re.escape(str(source_folder))
            + '"',
            error,
        )

    def test_modules_of_another_python(self, source_folder) -> None:
        name = "_order_weights_fast.cpython-26-x86_64-linux-gnu.so"
        (source_folder / "autotype" / "inference" / "evidence" / name).touch()
        error = failure(source_folder, {"SYSTEMROOT": os.environ.get("SYSTEMROOT", "")})
        assert re.search(
            f"holds {name}, of another Python; install autotype again, for this", error
        )

    @not_editable
    def test_the_installed_version_is_another_one(self, source_folder, child_environment) -> None:
        kernel = source_folder / "autotype" / "inference" / "evidence" / "_order_weights_fast.pyx"
        kernel.write_text(kernel.read_text(encoding="utf-8") + "# changed\n", encoding="utf-8")
        error = failure(source_folder, child_environment)
        assert re.match(
            r"ImportError: the compiled modules of autotype\.inference\.evidence in .* are of "
            r"another version than the source in " + re.escape(str(kernel.parent)) + "; ",
            error,
        )
