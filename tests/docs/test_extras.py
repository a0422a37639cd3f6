"""A page whose code needs an extra says how to install it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
_CODE = re.compile(r"^```(?:python|sh)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
# What code holds that needs an extra.
NEEDS = {
    "duckdb": r"import duckdb",
    "excel": r"\.xlsx",
    "parquet": r"import pyarrow|\.parquet",
    "polars": r"import polars",
    "report": r"\.plot\(|savefig|to_html|--html|--folder",
}


def missing_extras(text: str) -> list[str]:
    code = "".join(_CODE.findall(text))
    needed = [extra for extra, pattern in NEEDS.items() if re.search(pattern, code)]
    return [extra for extra in needed if not re.search(rf"\[[\w,]*\b{extra}\b[\w,]*\]", text)]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_a_page_names_the_extras_it_needs(page) -> None:
    assert missing_extras(page.read_text(encoding="utf-8")) == []


def test_a_missing_extra_is_seen() -> None:
    page = '```python\nimport polars\nax.plot()\n```\n`pip install ".[report]"`\n'
    assert missing_extras(page) == ["polars"]
