"""Write a page of findings: of a validation against a schema, or of two reports compared."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from autotype._version import __version__
from autotype.report.html import render
from autotype.report.page_text import percent, sentence, shown
from autotype.wording import format_count

_MAX_LEVELS = 30


def as_validation_page(outcomes: Sequence[Mapping[str, Any]]) -> str:
    """Write the outcomes of validations as a self-contained HTML page.

    Parameters
    ----------
    outcomes : sequence of mapping
        The dictionaries that ``autotype validate --json`` writes, one for each table.

    Returns
    -------
    str
        The page, with all failures, and the number of checks that pass. Every name and value is
        escaped.

    Raises
    ------
    MissingExtraError
        If Jinja2 is not installed.

    Examples
    --------
    >>> counts = {"passed": 3, "failed": 0, "tolerated": 0, "skipped": 0}
    >>> outcome = {"autotype_version": "1", "success": True, "n_rows": 9, "counts": counts}
    >>> names = {"file": "<a>.csv", "schema": "s.yaml", "checks": [], "notes": []}
    >>> page = as_validation_page([outcome | names])
    >>> "&lt;a&gt;.csv" in page, "<a>.csv" in page
    (True, False)
    """
    first, n = outcomes[0], len(outcomes)
    counts: Counter[str] = Counter()
    for outcome in outcomes:
        counts.update(outcome["counts"])
    rows = [row for outcome in outcomes for row in _rows(outcome, named=n > 1)]
    failed = sum(not outcome["success"] for outcome in outcomes)
    verdict = f"{failed:,} of {n:,} tables fail" if failed and n > 1 else "The data fail"
    title = f"{shown(first['file'])} against {shown(first['schema'])}"
    n_rows = sum(outcome["n_rows"] for outcome in outcomes)
    return render(
        "findings.html",
        version=first["autotype_version"],
        title=title if n == 1 else f"{n:,} tables against their schemas",
        failed=bool(failed),
        verdict=verdict if failed else "The data fit",
        lead=f"{format_count(n_rows, 'row')}, "
        + ", ".join(f"{n:,} checks {status}" for status, n in counts.items() if n),
        header=("Column", "Status", "Finding"),
        rows=rows,
        others="" if rows else "Every check passes.",
    )


def _rows(outcome: Mapping[str, Any], *, named: bool) -> list[dict[str, Any]]:
    """Return the findings of one table, with its name if there are several."""
    rows = [_check(check) for check in outcome["checks"] if check["status"] in _SHOWN]
    note = {"column": "the batch", "status": "tolerated", "label": "note", "levels": []}
    rows += [note | {"sentences": [sentence(text)]} for text in outcome["notes"]]
    if named:
        for row in rows:
            row["column"] = f"{shown(outcome['file'])}: {row['column']}"
    return rows


def as_failure_page(message: str, *, title: str) -> str:
    """Write a page that states why there is no report.

    Parameters
    ----------
    message, title : str
        The error, and what was to be reported.

    Returns
    -------
    str
        The page. Every name and value is escaped.

    Raises
    ------
    MissingExtraError
        If Jinja2 is not installed.

    Examples
    --------
    >>> "&lt;a&gt;.csv: is empty" in as_failure_page("<a>.csv: is empty", title="<a>.csv")
    True
    """
    row = {"column": "none", "status": "failed", "label": "failed", "levels": []}
    return render(
        "findings.html",
        version=__version__,
        title=shown(title),
        failed=True,
        verdict="There is no report",
        lead="earlier results were removed",
        header=("Column", "Status", "Finding"),
        rows=[row | {"sentences": [sentence(message)]}],
        others="",
    )


_SHOWN = ("failed", "tolerated")


def _check(check: Mapping[str, Any]) -> dict[str, Any]:
    share = check["share_failed"]
    of_rows = f"{check['check']}: {format_count(check['n_failed'] or 0, 'row')}"
    return {
        "column": "the batch" if check["column"] is None else shown(check["column"]),
        "status": check["status"],
        "label": check["status"],
        "sentences": [
            sentence(check["message"]),
            f"{of_rows}, {percent(share)}" if share else check["check"],
        ],
        "levels": [
            {
                "name": shown(value["value"]),
                "counts": f"{format_count(value['n_rows'], 'row')}, the first is {value['row']:,}",
            }
            for value in check["values"]
        ],
    }


def as_comparison_page(comparisons: Sequence[Mapping[str, Any]]) -> str:
    """Write comparisons of two reports each as a self-contained HTML page.

    Parameters
    ----------
    comparisons : sequence of mapping
        For each table the dictionary of `TypeComparison.to_dict`, or ``error``; with ``before`` and
        ``file``, the names of the two reports.

    Returns
    -------
    str
        The page, with the columns that changed and the proportions of their levels. Every name and
        value is escaped.

    Raises
    ------
    MissingExtraError
        If Jinja2 is not installed.
    """
    first, n = comparisons[0], len(comparisons)
    rows = [row for comparison in comparisons for row in _changes(comparison, named=n > 1)]
    n_columns = sum(len(comparison.get("columns", ())) for comparison in comparisons)
    title = f"{shown(first['file'])} compared with {shown(first['before'])}"
    changed = f"{format_count(len(rows), 'column')} changed"
    if n > 1:
        found = sum(comparison.get("changed", True) for comparison in comparisons)
        changed = f"{found:,} of {n:,} tables changed"
    return render(
        "findings.html",
        version=__version__,
        title=title if n == 1 else f"{n:,} tables compared with earlier ones",
        failed=bool(rows),
        verdict=changed if rows else "Nothing changed",
        lead=f"{format_count(n_columns, 'column')} compared",
        header=("Column", "Changes", "Finding"),
        rows=rows,
        others="" if rows else "Types, orders, levels and shares are as before.",
    )


def _changes(comparison: Mapping[str, Any], *, named: bool) -> list[dict[str, Any]]:
    """Return the columns of one table that changed, with its name if there are several."""
    aside = f"{shown(comparison['file'])}: " if named else ""
    if "error" in comparison:
        row = {"column": f"{aside}the table", "status": "failed", "label": "failed", "levels": []}
        return [row | {"sentences": [sentence(comparison["error"])]}]
    return [
        {
            "column": aside + shown(column["name"]),
            "status": "failed",
            "label": ", ".join(column["changes"]),
            "sentences": [sentence(column["explanation"])],
            "levels": _shares(column["levels"]),
        }
        for column in comparison["columns"]
        if column["changes"]
    ]


def _shares(levels: Sequence[Mapping[str, Any]]) -> list[dict[str, str]]:
    before, after = (sum(level[side] for level in levels) for side in ("before", "after"))
    if not before or not after:
        return []
    return [
        {
            "name": shown(level["level"]),
            "counts": f"{percent(level['before'] / before)} before, "
            f"{percent(level['after'] / after)} after",
        }
        for level in levels[:_MAX_LEVELS]
    ]
