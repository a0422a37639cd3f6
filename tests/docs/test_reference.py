"""Every public name is on a page of the reference."""

from __future__ import annotations

import importlib
import inspect
import re
from pathlib import Path

import pytest

import autotype
from autotype.types.column_types import ColumnTypes

PAGES = Path(__file__).resolve().parents[2] / "docs" / "reference"
_DOCUMENTED = re.compile(r"^\.\. auto(?:function|class|data):: (\S+)", re.MULTILINE)
MODULES = ["errors", "judges", "metrics", "models", "pandera_checks", "plots"]


def documented() -> list[str]:
    """Names with a docstring on a page."""
    pages = sorted(PAGES.glob("*.md"))
    return [name for p in pages for name in _DOCUMENTED.findall(p.read_text(encoding="utf-8"))]


def find(name: str) -> object:
    """The object of a dotted name."""
    parts = name.split(".")
    for k in range(len(parts) - 1, 0, -1):
        try:
            found: object = importlib.import_module(".".join(parts[:k]))
        except ModuleNotFoundError:
            continue
        for part in parts[k:]:
            found = getattr(found, part)
        return found
    raise AssertionError(f"{name} is no name of a module")


def public() -> list[str]:
    own = [name for name in autotype.__all__ if not inspect.ismodule(getattr(autotype, name))]
    modules = {name: importlib.import_module(f"autotype.{name}") for name in MODULES}
    return own + [f"{name}.{inner}" for name, module in modules.items() for inner in module.__all__]


@pytest.mark.parametrize("name", public())
def test_a_public_name_is_on_a_page(name) -> None:
    objects = [find(shown) for shown in documented()]
    assert any(shown is find(f"autotype.{name}") for shown in objects), (
        f"autotype.{name} is on no page of docs/reference; add it where its users look for it"
    )


def test_no_name_is_documented_twice() -> None:
    assert len(documented()) == len(set(documented()))


def test_the_accessor_is_documented() -> None:
    assert "autotype.accessor.OrdinalAccessor" in documented()


def test_methods_that_pages_list_exist() -> None:
    listed = re.compile(r"^   (autotype\.\S+)$", re.MULTILINE)
    names = [n for p in PAGES.glob("*.md") for n in listed.findall(p.read_text(encoding="utf-8"))]
    assert "autotype.TypeReport.revise" in names
    assert all(callable(find(name)) for name in names)


def test_every_method_of_a_report_is_listed_by_role() -> None:
    bases = (autotype.TypeReport, ColumnTypes)
    methods = {n for base in bases for n, m in vars(base).items() if n[0] != "_" and callable(m)}
    methods |= {"from_json", "from_schema", "from_arrow"}
    text = "".join(page.read_text(encoding="utf-8") for page in PAGES.glob("*.md"))
    assert [m for m in sorted(methods) if f"   autotype.TypeReport.{m}\n" not in text] == []
