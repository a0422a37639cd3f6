"""Write a page of findings: of a validation against a schema, or of two reports compared."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from autotype._version import __version__
from autotype.report.html import render
from autotype.report.page_text import percent, sentence, shown
from autotype.wording import format_count

_MAX_LEVELS = 30


def as_validation_page(outcome: Mapping[str, Any], *, file: str, schema: str) -> str:
    """Write the outcome of a validation as a self-contained HTML page.

    Parameters
    ----------
    outcome : mapping
        The dictionary that ``autotype validate --json`` writes.
    file, schema : str
        Their names.

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
    >>> page = as_validation_page(outcome | {"checks": []}, file="<a>.csv", schema="s.yaml")
    >>> "&lt;a&gt;.csv" in page, "<a>.csv" in page
    (True, False)
    """
    counts = outcome["counts"]
    rows = [_check(check) for check in outcome["checks"] if check["status"] in _SHOWN]
    verdict = "The data fit" if outcome["success"] else "The data fail"
    return render(
        "findings.html",
        version=outcome["autotype_version"],
        title=f"{shown(file)} against {shown(schema)}",
        failed=not outcome["success"],
        verdict=verdict,
        lead=f"{format_count(outcome['n_rows'], 'row')}, "
        + ", ".join(f"{n:,} checks {status}" for status, n in counts.items() if n),
        header=("Column", "Status", "Finding"),
        rows=rows,
        others="" if rows else "Every check passes.",
    )


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


def as_comparison_page(comparison: Mapping[str, Any], *, before: str, after: str) -> str:
    """Write a comparison of two reports as a self-contained HTML page.

    Parameters
    ----------
    comparison : mapping
        The dictionary of `TypeComparison.to_dict`.
    before, after : str
        Names of the two.

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
    changed = [column for column in comparison["columns"] if column["changes"]]
    n_columns = len(comparison["columns"])
    return render(
        "findings.html",
        version=comparison["autotype_version"],
        title=f"{shown(after)} compared with {shown(before)}",
        failed=bool(changed),
        verdict=f"{format_count(len(changed), 'column')} changed" if changed else "Nothing changed",
        lead=f"{format_count(n_columns, 'column')} compared",
        header=("Column", "Changes", "Finding"),
        rows=[_changes(column) for column in changed],
        others="" if changed else "Types, orders, levels and shares are as before.",
    )


def _changes(column: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "column": shown(column["name"]),
        "status": "failed",
        "label": ", ".join(column["changes"]),
        "sentences": [sentence(column["explanation"])],
        "levels": _shares(column["levels"]),
    }


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
