"""Sphinx extension: the site can be read without a network, or its build fails."""

from __future__ import annotations

import re
from pathlib import Path

from sphinx.application import Sphinx
from sphinx.errors import ExtensionError

_LOADED = re.compile(
    r"""<(?:script|link|img|iframe)\b[^>]*\b(?:src|href)=["']((?:https?:)?//[^"']+)"""
)


def loaded(page: str) -> list[str]:
    """Return the addresses outside the site that a page loads; links to follow are no such."""
    return _LOADED.findall(page)


def _check(app: Sphinx, failure: Exception | None) -> None:
    if failure is not None or app.builder.format != "html":
        return
    for path in sorted(Path(app.outdir).rglob("*.html")):
        if found := loaded(path.read_text(encoding="utf-8")):
            raise ExtensionError(f"{path.relative_to(app.outdir)} needs a network for {found}")


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the extension."""
    app.connect("build-finished", _check)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
