from __future__ import annotations

import subprocess
import sys
import tomllib

import pytest

import autotype

HEAVY = ["sklearn", "scipy", "pandera", "matplotlib", "jinja2", "joblib", "tqdm", "pyarrow"]


@pytest.mark.parametrize("name", autotype.__all__)
def test_public_names_resolve(name: str) -> None:
    assert getattr(autotype, name) is not None
    assert name in dir(autotype)


def test_all_is_sorted_and_without_repetition() -> None:
    assert autotype.__all__ == sorted(set(autotype.__all__))


def test_unknown_name() -> None:
    with pytest.raises(AttributeError, match="'autotype' has no attribute 'nothing'"):
        autotype.nothing  # noqa: B018


def test_import_loads_nothing_heavy_that_pandas_does_not(child_environment) -> None:
    program = "import sys, pandas; before = set(sys.modules); import autotype\n"
    program += f"print(*(set({HEAVY}) & (set(sys.modules) - before)))"
    child = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        check=True,
        env=child_environment,
    )
    assert child.stdout.split() == []


def test_the_version_is_the_same_everywhere(repository) -> None:
    project = tomllib.loads((repository / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    build = (repository / "meson.build").read_text(encoding="utf-8")
    assert project["version"] == autotype.__version__
    assert f"version: '{autotype.__version__}'" in build


def test_import_registers_the_accessor() -> None:
    import pandas as pd

    assert hasattr(pd.DataFrame, "ordinal")
