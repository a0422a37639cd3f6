"""Write the index page of a job: its tables, their types, and links to their report pages."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from autotype.report.html import render
from autotype.types.column_type import SEMANTIC_TYPES


def as_index_page(summary: Mapping[str, Any]) -> str:
    """Write the summary of a job as a self-contained HTML page.

    Parameters
    ----------
    summary : mapping
        ``autotype_version`` and ``tables``: for each the keys ``table``, ``status``, ``rows``,
        ``columns``, ``types`` (counts), ``error`` and ``page``, the name of its report page.

    Returns
    -------
    str
        The page. Every name and error is escaped.

    Raises
    ------
    MissingExtraError
        If Jinja2 is not installed.

    Examples
    --------
    >>> table = {"table": "<a>.csv", "status": "done", "rows": 9, "columns": 1, "error": None}
    >>> table |= {"types": {"ordinal": 1}, "page": "a.html"}
    >>> page = as_index_page({"autotype_version": "0.1.0", "tables": [table]})
    >>> "&lt;a&gt;.csv" in page, "<a>" in page
    (True, False)
    """
    tables = summary["tables"]
    statuses = Counter(table["status"] for table in tables)
    return render(
        "index.html",
        rows=tables,
        counted=("ordinal", "categorical", "undetermined"),
        all_types=SEMANTIC_TYPES,
        n_columns=sum(table["columns"] or 0 for table in tables),
        n_failed=statuses["failed"],
        n_pending=statuses["pending"],
        version=summary["autotype_version"],
    )
