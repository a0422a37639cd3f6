"""Write findings: of a validation as a page and JUnit XML, of reports compared, an index of a job.

The index lists the tables of a job, their types, and links to their report pages.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any
from xml.etree import ElementTree

from autotype._version import __version__
from autotype.report.html import render
from autotype.report.page_text import shown
from autotype.types.column_type import SEMANTIC_TYPES
from autotype.wording import NOT_XML, format_count


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
        outcomes=outcomes,
        others="Every check passes.",
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
    return render(
        "findings.html",
        version=__version__,
        title=shown(title),
        failed=True,
        verdict="There is no report",
        lead="earlier results were removed",
        message=message,
    )


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
    columns = [column for comparison in comparisons for column in comparison.get("columns", ())]
    n_changed = sum(bool(column["changes"]) for column in columns)
    changed = f"{format_count(n_changed, 'column')} changed"
    found = sum(comparison.get("changed", True) for comparison in comparisons)
    if n > 1:
        changed = f"{found:,} of {n:,} tables changed"
    title = f"{shown(first['file'])} compared with {shown(first['before'])}"
    return render(
        "findings.html",
        version=__version__,
        title=title if n == 1 else f"{n:,} tables compared with earlier ones",
        failed=bool(found),
        verdict=changed if found else "Nothing changed",
        lead=f"{format_count(len(columns), 'column')} compared",
        comparisons=comparisons,
        others="Types, orders, levels and shares are as before.",
    )


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


def as_junit(outcomes: Sequence[Mapping[str, Any]]) -> str:
    r"""Write the outcomes of validations as JUnit XML: a suite for each, a case for each check.

    Parameters
    ----------
    outcomes : sequence of mapping
        The dictionaries that ``autotype validate --json`` writes; the schema names the suite.

    Returns
    -------
    str
        Tolerated failures pass, with the finding as output; checks of a missing column are
        skipped.

    Examples
    --------
    >>> counts = {"passed": 1, "failed": 0, "tolerated": 0, "skipped": 0}
    >>> check = {"column": "size", "check": "is_ordinal", "status": "passed", "message": ""}
    >>> names = {"file": "a.csv", "schema": "s.yaml"}
    >>> print(as_junit([{"counts": counts, "checks": [check], **names}]))
    <?xml version='1.0' encoding='utf-8'?>
    <testsuites>
      <testsuite name="s.yaml" tests="1" failures="0" errors="0" skipped="0">
        <testcase classname="a.csv" name="size: is_ordinal" />
      </testsuite>
    </testsuites>
    """
    root = ElementTree.Element("testsuites")
    for outcome in outcomes:
        _add_suite(root, outcome)
    ElementTree.indent(root)
    return ElementTree.tostring(root, encoding="utf-8", xml_declaration=True).decode("utf-8")


def _add_suite(root: ElementTree.Element, outcome: Mapping[str, Any]) -> None:
    counts = outcome["counts"]
    numbers = {"tests": sum(counts.values()), "failures": counts["failed"], "errors": 0}
    attributes = {"name": outcome["schema"]} | numbers | {"skipped": counts["skipped"]}
    suite = ElementTree.SubElement(root, "testsuite", _texts(attributes))
    for check in outcome["checks"]:
        column = "the batch" if check["column"] is None else check["column"]
        name = f"{column}: {check['check']}"
        case = ElementTree.SubElement(
            suite, "testcase", _texts({"classname": outcome["file"], "name": name})
        )
        message = _text(check["message"])
        if check["status"] == "failed":
            kind = {"message": message, "type": _text(check["check"])}
            ElementTree.SubElement(case, "failure", kind).text = message
        elif check["status"] == "skipped":
            ElementTree.SubElement(case, "skipped", {"message": "the column is missing"})
        elif check["status"] == "tolerated":
            ElementTree.SubElement(case, "system-out").text = f"tolerated: {message}"


def _texts(attributes: Mapping[str, Any]) -> dict[str, str]:
    return {key: _text(value) for key, value in attributes.items()}


def _text(value: Any) -> str:
    return NOT_XML.sub(lambda found: repr(found[0])[1:-1], str(value))
