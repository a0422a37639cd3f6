"""Write the outcome of a validation as JUnit XML, which build servers read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from xml.etree import ElementTree

from autotype.wording import NOT_XML


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
