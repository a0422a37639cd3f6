"""The report page in a notebook, whose decisions change a report in Python at once.

It is the page itself in a frame: one editor for the browser, the notebook and `autotype review`.
Imported where anywidget is needed anyhow.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from pathlib import Path
from typing import Any

import anywidget
import traitlets

from autotype.errors import AutotypeError
from autotype.report.html import as_page, text_of
from autotype.types.decisions.known_file import by_column, read_known_text

_NOTEBOOK = {"address": "notebook", "place": "the widget's types"}


class ReviewWidget(anywidget.AnyWidget):
    """The page of a report, which revises the report as decisions are made.

    Parameters
    ----------
    report : TypeReport

    Attributes
    ----------
    types : TypeReport
        The report with all decisions.
    code : str
        Python code that repeats them.
    problem : str
        The error of the last decision, or empty.
    """

    _esm = text_of("widget.js")
    page = traitlets.Unicode().tag(sync=True)
    decisions = traitlets.Unicode().tag(sync=True)
    code = traitlets.Unicode().tag(sync=True)
    problem = traitlets.Unicode().tag(sync=True)
    types = traitlets.Any()

    def __init__(self, report: Any) -> None:
        self._report = report
        super().__init__(page=as_page(report, save=_NOTEBOOK), types=report)
        self.observe(self._revise, "decisions")
        self.on_msg(self._show_again)

    def _revise(self, change: dict[str, Any]) -> None:
        try:
            held = read_known_text(change["new"], Path("decisions"))
            decided = by_column(held, self._report, where="decisions")
            self.types = self._report.revise(decided)
        except AutotypeError as problem:
            self.problem = str(problem)
            return
        self.code = _code(decided)
        self.problem = ""

    def _show_again(self, *_: Any) -> None:
        """Send the page as it is now, for a further view."""
        self.send({"page": as_page(self.types, save=_NOTEBOOK)})


def _code(decided: Mapping[Hashable, Any]) -> str:
    """Return Python code that repeats decisions, each once for all the columns that share it."""
    columns: dict[str, list[Hashable]] = {}
    for name, statement in decided.items():
        columns.setdefault(repr(statement), []).append(name)
    lines = [
        f"**dict.fromkeys({names!r}, {statement})" if names[1:] else f"{names[0]!r}: {statement}"
        for statement, names in columns.items()
    ]
    listed = "".join(f"    {line},\n" for line in lines)
    return f"types = types.revise({{\n{listed}}})" if lines else ""
