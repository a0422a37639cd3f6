"""Sphinx extension: of each class, document the members that autotype itself defines."""

from __future__ import annotations

from typing import Any

from sphinx.application import Sphinx


def skip_foreign(
    app: Sphinx, what: str, name: str, member: Any, skip: bool, options: Any
) -> bool | None:
    """Skip what classes inherit from other packages, whose docstrings link to pages of theirs."""
    function = getattr(member, "fget", member)
    module = getattr(function, "__module__", None) or "autotype"
    return True if not module.startswith("autotype") else None


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the extension."""
    app.connect("autodoc-skip-member", skip_foreign)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
