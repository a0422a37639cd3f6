"""The examples in the docstrings run, on the package that is installed."""

from __future__ import annotations

import doctest
import importlib
import pkgutil

import pytest

import autotype

MODULES = sorted(
    module.name
    for module in pkgutil.walk_packages(autotype.__path__, "autotype.")
    if not module.name.endswith("__main__")
)
FLAGS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS


def test_the_modules_are_found() -> None:
    assert {"autotype.types.column_type", "autotype.report.text"} <= set(MODULES)


@pytest.mark.parametrize("name", ["autotype", *MODULES])
def test_docstrings(name: str) -> None:
    module = importlib.import_module(name)
    assert doctest.testmod(module, optionflags=FLAGS).failed == 0
