"""Read codebooks in XML: DDI 2.5, and survey structures of LimeSurvey.

Declarations of entities are refused, with which a small file fills the memory or reads other files.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from autotype.errors import UnreadableTableError
from autotype.tables.codebooks.dictionary import as_value, without_tags
from autotype.types.codebook import Codebook, CodebookEntry, measure_of


def read_xml_codebook(content: bytes, path: str) -> Codebook | None:
    """Read a codebook in XML; None if the document is of another kind.

    Raises
    ------
    UnreadableTableError
        If it is no XML, or declares entities.
    """
    root = _parse(content, path)
    ddi = next(root.iter("codeBook"), None)  # a catalogue wraps it
    if ddi is not None:
        return _of_ddi(ddi)
    return _of_limesurvey(root) if root.find("LimeSurveyDocType") is not None else None


def _parse(content: bytes, path: str) -> Element:
    """Return the root of a document; the names of its elements are without name spaces."""
    try:
        if b"<!ENTITY" in content.replace(b"\0", b""):  # UTF-16 puts a NUL beside each letter
            raise UnreadableTableError(
                f"{path}: declares entities, which can fill the memory; remove its DOCTYPE"
            )
        root = ElementTree.fromstring(content)
    except (ElementTree.ParseError, LookupError, ValueError) as problem:  # or an unknown encoding
        raise UnreadableTableError(f"{path}: not a readable XML document: {problem}") from problem
    for node in root.iter():
        node.tag = node.tag.rpartition("}")[2]
    return root


def _of_ddi(root: Element) -> Codebook:
    columns = {}
    doubts: list[str] = []
    groups = {
        name: _text(group.find("labl")) or group.get("name", "") or group.get("ID", "")
        for group in root.iter("varGrp")
        for name in group.get("var", "").split()
    }
    for var in root.iter("var"):
        values, missing = {}, []
        for category in var.iter("catgry"):
            value = as_value(_text(category.find("catValu")))
            label = _text(category.find("labl"))
            if value != "" and label:
                values[value] = label
            if category.get("missing", "").upper() in ("Y", "TRUE"):
                missing.append(value)
        missing += [as_value(item.get("VALUE", "")) for item in var.iterfind("invalrng/item")]
        ranges = []
        for part in var.iterfind("invalrng/range"):
            low, high = part.get("min") or "-inf", part.get("max") or "inf"
            try:
                ranges.append((float(low), float(high)))
            except ValueError:
                name = var.get("name", "")
                doubts.append(f"column {name!r}: not a range of numbers: {low!r} to {high!r}")
        asked = _text(var.find("qstn/qstnLit"))
        columns[var.get("name", "")] = CodebookEntry(
            label=asked or _text(var.find("labl")),
            unit=var.get("measUnit", ""),
            values=values,
            missing=tuple(dict.fromkeys(missing)),
            missing_ranges=tuple(ranges),
            measure=measure_of(var.get("nature")),
            group=groups.get(var.get("ID", ""), ""),
        )
    columns.pop("", None)
    return Codebook(columns, tuple(doubts))


def _text(node: Element | None) -> str:
    """Return the text of a node in one line, without marks of HTML."""
    if node is None:
        return ""
    return " ".join(without_tags("".join(node.itertext())).split())


def _rows(root: Element, name: str) -> Iterator[dict[str, str]]:
    """Yield the rows of a table of LimeSurvey."""
    table = root.find(name)
    for row in table.iter("row") if table is not None else ():
        yield {cell.tag: _text(cell) for cell in row}


def _of_limesurvey(root: Element) -> Codebook:
    """Read questions, subquestions and answers; a grid's columns are its subquestions."""
    texts = {row["qid"]: row.get("question", "") for row in _rows(root, "question_l10ns")}
    answer_texts = {row["aid"]: row.get("answer", "") for row in _rows(root, "answer_l10ns")}
    answers: dict[str, dict[str, str]] = defaultdict(dict)
    in_order = sorted(
        _rows(root, "answers"), key=lambda row: (row["qid"], float(row.get("sortorder") or 0))
    )
    for row in in_order:
        text = row.get("answer") or answer_texts.get(row.get("aid", ""), "")
        answers[row["qid"]].setdefault(row.get("code", ""), text)
    questions = {row["qid"]: row for row in _rows(root, "questions")}
    parts = [*_rows(root, "subquestions")]
    parts += [row for row in questions.values() if row.get("parent_qid", "0") not in ("", "0")]
    columns: dict[str, CodebookEntry] = {}
    for qid, row in questions.items():
        if row.get("parent_qid", "0") in ("", "0"):
            label = row.get("question") or texts.get(qid, "")
            columns[row.get("title", qid)] = CodebookEntry(label, values=dict(answers[qid]))
    for row in parts:
        parent = questions.get(row.get("parent_qid", ""))
        if parent is None:
            continue
        title, own = parent.get("title", ""), row.get("question") or texts.get(row["qid"], "")
        values = dict(answers[parent["qid"]])
        asked = parent.get("question") or texts.get(parent["qid"], "")
        entry = CodebookEntry(f"{asked} [{own}]" if own else asked, values=values, group=title)
        for form in ("{}[{}]", "{}_{}", "{}{}"):  # as the exports name the column
            columns.setdefault(form.format(title, row.get("title", "")), entry)
    return Codebook(columns)
