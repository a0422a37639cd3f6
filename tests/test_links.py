"""Links between the README, the guides and the pages about algorithms lead somewhere."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PAGES = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md"))]
_FENCED = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"\]\(([^)\s]+)\)")
_HEADING = re.compile(r"^#+ +(.+)$", re.MULTILINE)


def test_tests_that_pages_name_exist() -> None:
    named = {name for page in PAGES for name in re.findall(r"\btests/[\w/]+\.py", prose(page))}
    assert len(named) > 10
    assert [name for name in sorted(named) if not (ROOT / name).exists()] == []


def prose(page: Path) -> str:
    return _FENCED.sub("", page.read_text(encoding="utf-8"))


def links(page: Path) -> list[str]:
    """Links to other places of this tree."""
    return [link for link in _LINK.findall(prose(page)) if not re.match(r"\w+:", link)]


def anchors(page: Path) -> set[str]:
    """Names by which a page's headings can be linked to."""
    kept = (re.sub(r"[^\w\- ]", "", heading.lower()) for heading in _HEADING.findall(prose(page)))
    return {heading.replace(" ", "-") for heading in kept}


def broken(page: Path) -> list[str]:
    found = []
    for link in links(page):
        name, _, anchor = link.partition("#")
        target = (page.parent / name).resolve() if name else page
        if not target.exists() or (anchor and anchor not in anchors(target)):
            found.append(link)
    return found


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_links_lead_somewhere(page) -> None:
    assert broken(page) == []


def test_the_index_leads_to_every_guide_algorithm_and_paper() -> None:
    index = ROOT / "docs" / "index.md"
    linked = {(index.parent / link).resolve() for link in links(index)}
    guides = [page for page in PAGES if page.parent.name in ("how-to", "algorithms", "papers")]
    assert [page.name for page in guides if page.resolve() not in linked] == []


def test_a_broken_link_is_seen(tmp_path) -> None:
    page = tmp_path / "page.md"
    page.write_text("# One heading\n[a](none.md) [b](#one-heading) [c](#two)\n", encoding="utf-8")
    assert broken(page) == ["none.md", "#two"]
