"""Sphinx extension: a link to a folder of the project, which has no page, becomes its text.

In the files such a link opens the folder. That it exists is checked by `tests/test_links.py`.
"""

from __future__ import annotations

import re
from pathlib import Path

from sphinx.application import Sphinx

_FENCED = re.compile(r"(^```.*?^```$)", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"\[([^\[\]]*)\]\(([^)\s#:]+)\)")


def without_folders(text: str, folder: Path) -> str:
    """Return a page of `folder` whose links to folders are their strings; code stays as it is."""

    def shown(link: re.Match) -> str:
        return str(link[1] if (folder / link[2]).is_dir() else link[0])

    parts = _FENCED.split(text)
    parts[::2] = [_LINK.sub(shown, prose) for prose in parts[::2]]
    return "".join(parts)


def _read(app: Sphinx, docname: str, content: list[str]) -> None:
    content[0] = without_folders(content[0], Path(app.env.doc2path(docname)).parent)


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the extension."""
    app.connect("source-read", _read)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
