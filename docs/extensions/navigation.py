"""Sphinx extension: the table of contents, from the folders, so that new pages need no line in it.

The pages themselves stay plain Markdown: the index gets its toctrees while it is read.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sphinx.application import Sphinx

# Heading in the sidebar -> pages and patterns. A page belongs to the first pattern that holds it.
SECTIONS = {
    "Start": ["README.md", "docs/install.md", "docs/tutorial.md"],
    "How to": [
        "docs/how-to/first-report.md",
        "docs/how-to/correct-a-verdict.md",
        "docs/how-to/second-opinion.md",
        "docs/how-to/report-page.md",
        "docs/how-to/plots.md",
        "docs/how-to/files-as-published.md",
        "docs/how-to/messy-files.md",
        "docs/how-to/labelled-files.md",
        "docs/how-to/survey-exports.md",
        "docs/how-to/stata-and-r.md",
        "docs/how-to/apply-types.md",
        "docs/how-to/validate-batches.md",
        "docs/how-to/profile-nightly.md",
        "docs/how-to/compare-reports.md",
        "docs/how-to/choose-a-model.md",
        "docs/how-to/*.md",
    ],
    "Reference": ["docs/reference/index.md"],
    "Explanation": ["docs/explanation/*.md", "docs/comparison.md", "docs/*benchmark*.md"],
    "Algorithms": [
        "docs/algorithms/verdict.md",
        "docs/algorithms/labels.md",
        "docs/algorithms/*.md",
    ],
    "Gallery": ["docs/gallery.md"],
    "Papers": ["docs/papers/*.md"],
    "Project": ["docs/performance.md", "docs/decisions/index.md", "docs/**/*.md", "*.md"],
}
# Shorter than the heading of the page.
TITLES = {
    "README.md": "Overview",
    "docs/tutorial.md": "Tutorial",
    "docs/how-to/second-opinion.md": "State known types, add a judge",
    "docs/how-to/engines.md": "Tables of other libraries, of any size",
    "docs/explanation/verdicts.md": "What a verdict means",
    "docs/explanation/calibration.md": "How it was calibrated",
}
# Pages that hang from others, not from the index.
NESTED = {"docs/reference/index.md": ["docs/reference/*.md"]}


def sections(root: Path, patterns: dict[str, list[str]] = SECTIONS) -> dict[str, list[str]]:
    """Return the pages of each section, as names of files relative to `root`.

    Every page of the project is in one section, or nested under another page. A section without
    pages is left out.
    """
    seen = {"docs/index.md", *(p for nested in NESTED.values() for p in _matches(root, nested))}
    seen -= set(NESTED)
    found = {}
    for heading, wanted in patterns.items():
        pages = [page for page in _matches(root, wanted) if page not in seen]
        seen.update(pages)
        if pages:
            found[heading] = pages
    return found


def _matches(root: Path, patterns: list[str]) -> list[str]:
    """Return the pages that the patterns match, each once, in the order of the patterns."""
    pages = (p for pattern in patterns for p in sorted(root.glob(pattern)))
    return list(dict.fromkeys(page.relative_to(root).as_posix() for page in pages))


def _add_toctrees(app: Sphinx, docname: str, content: list[str]) -> None:
    root = Path(app.srcdir)
    if docname == app.config.root_doc:
        for heading, pages in sections(root).items():
            content[0] += _toctree(pages, heading)
    elif nested := NESTED.get(f"{docname}.md"):
        content[0] += _toctree([p for p in _matches(root, nested) if p != f"{docname}.md"])


def _outdated(app: Sphinx, *_: object) -> list[str]:
    """Read the pages with toctrees again in each build: there may be new pages."""
    return [app.config.root_doc, *(page.removesuffix(".md") for page in NESTED)]


def _toctree(pages: list[str], heading: str | None = None) -> str:
    lines = ["", "", "```{toctree}", ":hidden:"]
    lines += [f":caption: {heading}"] if heading else []
    return "\n".join([*lines, "", *map(_entry, pages), "```", ""])


def _entry(page: str) -> str:
    address = f"/{page.removesuffix('.md')}"
    return f"{TITLES[page]} <{address}>" if page in TITLES else address


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the extension."""
    app.connect("source-read", _add_toctrees)
    app.connect("env-get-outdated", _outdated)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
