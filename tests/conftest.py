"""What all tests share.

No window is opened, child processes find the package under test, and no generated example fails
since the machine was slow. The garbage collector leaves alone what is there before the first test:
it would look at twenty thousand tests again and again.
"""

from __future__ import annotations

import gc
import os
import tomllib
from collections.abc import Iterator
from pathlib import Path

import hypothesis
import pytest

import autotype

os.environ.setdefault("MPLBACKEND", "Agg")
hypothesis.settings.register_profile("autotype", hypothesis.settings(), deadline=None)
hypothesis.settings.load_profile("autotype")

ROOT = Path(__file__).resolve().parent.parent


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    gc.disable()
    yield
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)  # as the command does
    gc.enable()


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
