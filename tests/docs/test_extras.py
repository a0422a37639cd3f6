"""A page whose code needs an extra says how to install it, and one page lists all extras."""

from __future__ import annotations

import re
import tomllib
from importlib.metadata import metadata
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
# What `all` leaves out: clusters, servers, and what only development needs.
NOT_IN_ALL = {"all", "bench", "dask", "docs", "postgresql", "spark", "test"}
EXTRAS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"][
    "optional-dependencies"
]


def missing_extras(text: str) -> list[str]:
    code = "".join(_CODE.findall(text))
    needed = [extra for extra, pattern in NEEDS.items() if re.search(pattern, code)]
    stated = re.findall(r"\[([\w,]+)\]", text)
    named = {extra for list_of_extras in stated for extra in list_of_extras.split(",")}
    return [] if "all" in named else [extra for extra in needed if extra not in named]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_a_page_names_the_extras_it_needs(page) -> None:
    assert missing_extras(page.read_text(encoding="utf-8")) == []


def test_a_missing_extra_is_seen() -> None:
    page = '```python\nimport polars\nax.plot()\n```\n`pip install ".[report]"`\n'
    assert missing_extras(page) == ["polars"]
    assert missing_extras(page.replace("report", "duckdb,all")) == []


def test_all_holds_what_one_machine_needs() -> None:
    (requirement,) = EXTRAS["all"]
    name, _, extras = requirement.rstrip("]").partition("[")
    assert name == metadata("autotype-ordinal")["Name"]
    assert set(extras.split(",")) == EXTRAS.keys() - NOT_IN_ALL >= NEEDS.keys()


def test_each_extra_is_on_the_page_about_installing() -> None:
    page = (ROOT / "docs" / "install.md").read_text(encoding="utf-8")
    table = page[page.index("## Extras") : page.index("Several are separated")]
    rows = [line.split("|")[1] for line in table.splitlines() if line.startswith("| `")]
    named = {extra for row in rows[1:] for extra in re.findall(r"`(\w+)`", row)}
    assert named == EXTRAS.keys()
    (row_of_all,) = (line for line in table.splitlines() if line.startswith("| `all`"))
    assert set(re.findall(r"`(\w+)`", row_of_all)) == {"all", *EXTRAS.keys() - NOT_IN_ALL}
