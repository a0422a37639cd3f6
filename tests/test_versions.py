"""What several files state of versions agrees."""

from __future__ import annotations

import re
import tomllib

import pytest

import autotype


@pytest.fixture
def project(repository):
    return tomllib.loads((repository / "pyproject.toml").read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    ("file", "line"),
    [
        ("pyproject.toml", r'version = "(.*)"'),
        ("meson.build", r"  version: '(.*)',"),
        ("autotype/_version.py", r'__version__ = "(.*)"'),
        ("CITATION.cff", r"version: (.*)"),
    ],
)
def test_the_version(repository, file, line) -> None:
    text = (repository / file).read_text(encoding="utf-8")
    assert re.findall(f"^{line}$", text, re.MULTILINE) == [autotype.__version__]


def test_the_changelog_has_the_version(repository) -> None:
    text = (repository / "CHANGELOG.md").read_text(encoding="utf-8")
    assert re.search(rf"^## {re.escape(autotype.__version__)} \(", text, re.MULTILINE)


def test_the_oldest_python(project) -> None:
    """Of the declared ones `.ci/matrix` takes the first as the oldest."""
    pattern = r"Programming Language :: Python :: (3\.\d+)"
    declared = [
        found[1] for line in project["project"]["classifiers"] if (found := re.match(pattern, line))
    ]
    assert declared == sorted(declared, key=lambda version: int(version.partition(".")[2]))
    assert project["project"]["requires-python"] == f">={declared[0]}"
    assert project["tool"]["mypy"]["python_version"] == declared[0]
    assert project["tool"]["ruff"]["target-version"] == f"py{declared[0].replace('.', '')}"
    built = project["tool"]["cibuildwheel"]["build"]
    assert built == " ".join(f"cp{version.replace('.', '')}-*" for version in declared)


def test_each_requirement_has_a_lower_bound(project) -> None:
    """It is what `.ci/matrix oldest` installs."""
    lines = [*project["build-system"]["requires"], *project["project"]["dependencies"]]
    for extra in project["project"]["optional-dependencies"].values():
        lines += extra
    own = f"{project['project']['name']}["  # an extra made of others
    unbounded = {line for line in lines if ">=" not in line and not line.startswith(own)}
    assert unbounded <= {"ninja", "sqlglot<29"}


def test_the_files_that_continuous_integration_names_exist(repository) -> None:
    """They may have moved: pytest would stop at a path that is not there."""
    files = [*(repository / ".ci").iterdir(), repository / "pyproject.toml"]
    named = {
        path
        for file in files
        for path in re.findall(r"\btests/[\w/]+(?:\.py)?", file.read_text(encoding="utf-8"))
    }
    assert len(named) > 10
    assert [path for path in sorted(named) if not (repository / path).exists()] == []
