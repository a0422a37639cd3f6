"""What all tests share.

No window is opened, child processes find the package under test, and no generated example fails
since the machine was slow.
"""

from __future__ import annotations

import os
import tomllib
from pathlib import Path

import hypothesis
import pytest

import autotype

os.environ.setdefault("MPLBACKEND", "Agg")
hypothesis.settings.register_profile("autotype", hypothesis.settings(), deadline=None)
hypothesis.settings.load_profile("autotype")

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="session")
def repository() -> Path:
    """The folder that holds the README, the examples and these tests."""
    return ROOT


@pytest.fixture(scope="session")
def standard_scales(repository) -> list[dict]:
    """The scales of standards, in their file, which an installed package does not hold."""
    file = repository / "autotype" / "lexicon" / "words" / "standard_scales.toml"
    return tomllib.loads(file.read_text(encoding="utf-8"))["scale"]


@pytest.fixture(scope="session")
def child_environment() -> dict[str, str]:
    """Environment of a child process: it imports the package that this process imports."""
    package_folder = str(Path(autotype.__file__).resolve().parent.parent)
    inherited = os.environ.get("PYTHONPATH")
    search = os.pathsep.join([package_folder, *([inherited] if inherited else [])])
    return {**os.environ, "PYTHONPATH": search}
