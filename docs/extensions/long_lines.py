"""Sphinx extension: output with lines longer than the page is wrapped; tables of text are not."""

from __future__ import annotations

from docutils import nodes
from sphinx.application import Sphinx

LONGEST = 110  # characters; the tables that autotype prints are narrower


def _mark(app: Sphinx, doctree: nodes.document) -> None:
    for block in doctree.findall(nodes.literal_block):
        if max(map(len, block.astext().splitlines()), default=0) > LONGEST:
            block["classes"].append("long-lines")


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the extension."""
    app.connect("doctree-read", _mark)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
