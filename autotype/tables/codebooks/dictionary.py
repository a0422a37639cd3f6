"""Read data dictionaries that are tables: a row for each column, or for each of its values.

A cell may hold a list of values with their labels.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

from autotype.lexicon.tokens import plain_words
from autotype.lexicon.toml_files import read_toml
from autotype.types.codebook import Codebook, CodebookEntry, measure_of
from autotype.wording import format_level

_CODE = r"-?\d+(?:[.,]\d+)?|\.[a-z]|[^\W_]{1,4}"
_QUOTED = r"""["'“‘]?"""
# Where an item begins: a code with a sign behind it, at the start or after a separator.
_ITEM = re.compile(
    rf"(?:^|[|;,\n\r\t/]|\s{{2,}})\s*[(\[{{]?\s*{_QUOTED}(?P<code>{_CODE}){_QUOTED}\s*[)\]]?"
    r"\s*(?:=>|[=:→]|[)]\s|[-–—]\s)\s*(?=\S)",
    re.I,
)
_SPACED = re.compile(rf"(?:^|[|;\n])\s*(?P<code>{_CODE})(?:\s*,\s*|\.\s+|\s+)(?P<label>[^|;\n]+)")
# {'White': 1, 'Asian': 2}: the label first.
_REVERSED = re.compile(r"""["']([^"']+)["']?\s*[:,]\s*["']?(-?\d+)["']?\s*(?=[,}])""")
# bad=1; fair=2 and bad (1), fair (2).
_LABEL_FIRST = re.compile(
    r"(?:^|[|;,\n])\s*(?P<label>[^|;,\n=()]*[^\W\d][^|;,\n=()]*?)\s*(?:=\s*(?P<code>-?\d+)"
    r"|\((?P<other>-?\d+)\))\s*(?=[|;,\n]|$)"
)
_BRACKETED = re.compile(r"(?<!\S)\(?(?P<code>-?\d+)\)\s*(?P<label>\S.*?)\s*(?=\(?-?\d+\)|$)", re.S)
_CIRCLED = re.compile("[①-⑳]")
_BEFORE_CIRCLED = 0x245F  # the sign before ①
# Signs and digits of Chinese, Japanese and Arabic as those of Latin.
_SIGNS = str.maketrans("：；，｜＝、،؛\u3000０１２３４５６７８９", ":;,|=,,;\n0123456789")
_TAG = re.compile(r"</?(?:(?P<inline>b|i|u|em|strong|span|font|a)\b|[a-zA-Z])[^<>]*>")
_ENDS = {"lo": "-inf", "lowest": "-inf", "hi": "inf", "highest": "inf"}
_END = r"(lo(?:west)?|hi(?:ghest)?|-?\d+(?:\.\d+)?)"
_RANGE = re.compile(rf"{_END}\s*(?:thru|through|to|\.\.)\s*{_END}", re.I)
_EDGE = " \t\r\n|;,}]{[\"'“”’"


def read_value_list(text: str) -> dict[Any, str]:
    """Return value -> label of a list in one cell; empty if it is none.

    Numbers are numbers. A list has two items or more, or a single one of an end of a scale.

    Examples
    --------
    >>> read_value_list("1=Male; 2=Female"), read_value_list("0, Latino | 1, Other, or none")
    ({1: 'Male', 2: 'Female'}, {0: 'Latino', 1: 'Other, or none'})
    >>> read_value_list("{'White':1, 'Asian':2}"), read_value_list("no scale")
    ({1: 'White', 2: 'Asian'}, {})
    """
    text = text.strip()
    if text.startswith("{") and (pairs := _REVERSED.findall(text)):
        return {as_value(code): label.strip() for label, code in pairs}
    text = _CIRCLED.sub(lambda sign: f"\n{ord(sign[0]) - _BEFORE_CIRCLED}=", text).strip()
    marks = list(_LABEL_FIRST.finditer(text))
    if len(marks) > 1 and sum(len(mark[0]) for mark in marks) == len(text):
        return {as_value(mark["code"] or mark["other"]): mark["label"] for mark in marks}
    marks = list(_BRACKETED.finditer(text))
    found = [(mark["code"], mark["label"]) for mark in marks]
    found = found if len(found) > 1 and marks[0].start() == 0 else _items(text)
    if len(found) < 2:
        matches = [(m["code"], m["label"]) for m in _SPACED.finditer(text)]
        is_whole = len(matches) >= 2 and len(matches) == len(
            re.split(r"[|;\n]+", text.strip("|;\n"))
        )
        found = matches if is_whole else []
    labels = {as_value(code): label.strip(_EDGE) for code, label in found}
    return labels if len(labels) == len(found) >= 2 else {}


def _items(text: str) -> list[tuple[str, str]]:
    marks = list(_ITEM.finditer(text.translate(_SIGNS)))  # of the same length
    ends = [mark.start() for mark in marks[1:]] + [len(text)]
    starts_whole = bool(marks) and not text[: marks[0].start()].strip()
    pairs = [(mark["code"], text[mark.end() : end]) for mark, end in zip(marks, ends, strict=False)]
    return pairs if starts_whole else []


def as_value(text: str) -> Any:
    """Return a stored value as a number if it is written as one.

    Examples
    --------
    >>> as_value(" 1 "), as_value("2.5"), as_value("01"), as_value("A1")
    (1, 2.5, '01', 'A1')
    """
    text = text.strip()
    if re.fullmatch(r"-?(?:0|[1-9]\d{0,14})", text):
        return int(text)
    if re.fullmatch(r"-?\d+\.\d+", text):
        number = float(text)
        return int(number) if number.is_integer() else number
    return text


def read_values(text: str) -> tuple[Any, ...]:
    """Return the values of a list such as "-9, 99; NA".

    Examples
    --------
    >>> read_values("-9, 99; NA"), read_values("")
    ((-9, 99, 'NA'), ())
    """
    parts = re.split(r"[|;,\n]+", text.translate(_SIGNS))
    return tuple(as_value(part.strip(_EDGE)) for part in parts if part.strip(_EDGE))


def read_missing(text: str) -> tuple[tuple[Any, ...], tuple[tuple[float, float], ...]]:
    """Return the values and the ranges of a list such as "9; LO thru -1".

    Examples
    --------
    >>> read_missing("9; LO thru -1")
    ((9,), ((-inf, -1.0),))
    """
    values = read_values(text)
    found = {v: _RANGE.fullmatch(v) if isinstance(v, str) else None for v in values}
    ranges = tuple((end_of_range(m[1]), end_of_range(m[2])) for m in found.values() if m)
    return tuple(v for v, match in found.items() if not match), ranges


def end_of_range(text: str) -> float:
    """Return an end of a range as SPSS has it: a number, LO or HI."""
    return float(_ENDS.get(text.lower(), text))


def format_range(low: float, high: float) -> str:
    """Return a range as `read_missing` reads it.

    Examples
    --------
    >>> format_range(-math.inf, -1)
    'LO thru -1'
    """
    ends = "LO" if low == -math.inf else low, "HI" if high == math.inf else high
    return " thru ".join(map(format_level, ends))


def read_choice_list(text: str) -> dict[Any, str]:
    """Return value -> label of choices of REDCap, where a comma ends the value.

    Examples
    --------
    >>> read_choice_list("white, White, or other | -1, <b>Refused</b>")
    {'white': 'White, or other', -1: 'Refused'}
    """
    pairs = [part.partition(",") for part in re.split(r"[|\n]+", text) if "," in part]
    return {as_value(value): without_tags(label) for value, _, label in pairs}


def without_tags(text: str) -> str:
    """Return a string without the tags of HTML, in one line where it has any.

    Examples
    --------
    >>> without_tags("<p>Race, or <b>origin</b>?</p>"), without_tags("1 < 2")
    ('Race, or origin?', '1 < 2')
    """
    bare = _TAG.sub(lambda tag: "" if tag["inline"] else " ", text)
    return text.strip() if bare == text else " ".join(bare.split())


_MOST_ABOVE = 15  # rows of titles above the header
_MIN_LISTS = 2  # cells with lists of values in a dictionary without a header
_YES_NO = {"yesno": {1: "Yes", 0: "No"}, "truefalse": {1: "True", 0: "False"}}  # of REDCap
_CHOICES = dict.fromkeys(("radio", "dropdown", "checkbox"), read_choice_list)
_VALUE_HEADER = re.compile(r"(?P<stem>\D*?)[\s_.#]*(?P<value>-?\d{1,3})")
_OF_VALUES = ("value", "values", "value_label")
_SHORTEST = 4  # letters of a word before it
_CHECKED = {0: "Unchecked", 1: "Checked"}

Rows = Sequence[Sequence[str]]
Lists = Mapping[str, Mapping[Any, str]]


def read_dictionary(rows: Rows, lists: Lists | None = None) -> Codebook | None:
    """Read a data dictionary.

    Parameters
    ----------
    rows : sequence of sequence of str
        All cells; rows above the header are skipped.
    lists : mapping, optional
        The choices of an XLSForm, to which its questions refer.

    Returns
    -------
    Codebook or None
        None if the rows are no dictionary: no row names a column of names and another one that
        describes them, and no cells hold lists of values.

    Examples
    --------
    >>> rows = [["Variable", "Question", "Values"], ["q1", "Sex?", "1=m; 2=f"], ["q2", "Age?", ""]]
    >>> read_dictionary(rows).columns["q1"]
    CodebookEntry(label='Sex?', unit='', values={1: 'm', 2: 'f'}, missing=(), missing_ranges=(), \
measure='', group='')
    """
    for at, row in enumerate(rows[:_MOST_ABOVE]):
        coded = _columns_of_values(row)
        row = ["" if j in coded else cell for j, cell in enumerate(row)]
        roles = _in_long_form(roles_of(row), row, rows[at + 1 :])
        if "list_name" in map(str.casefold, row):
            return None
        if "name" in roles and len(roles) + len(coded) > 1:
            return _by_roles(rows[at + 1 :], roles, lists or {}, coded, first_line=at + 2)
    return _without_header(rows) or _names_above_titles(rows)


def read_choices(rows: Rows) -> dict[str, dict[Any, str]]:
    """Read the choices of an XLSForm: name of a list -> value -> label; empty if they are none.

    Examples
    --------
    >>> read_choices([["list_name", "name", "label::English"], ["yn", "1", "Yes"]])
    {'yn': {1: 'Yes'}}
    """
    header = [cell.casefold().strip() for cell in rows[0]] if rows else []
    if not {"list_name", "name"} <= set(header):
        return {}
    name, value = header.index("list_name"), header.index("name")
    label = next((j for j, cell in enumerate(header) if cell.startswith("label")), value)
    lists: dict[str, dict[Any, str]] = {}
    for row in rows[1:]:
        if row[name].strip() and row[value].strip():
            choices = lists.setdefault(row[name].strip(), {})
            choices[as_value(row[value])] = row[label].strip() or row[value].strip()
    return lists


def roles_of(header: Sequence[str]) -> dict[str, int]:
    """Return what the columns of a dictionary hold: role -> position, by their headers."""
    keys = ["".join(plain_words(cell)) for cell in header]
    roles: dict[str, int] = {}
    for is_match in (str.__eq__, str.startswith):
        for role, words in _headers().items():
            free = [at for at, key in enumerate(keys) if len(key) > 1 and at not in roles.values()]
            found = (at for word in words for at in free if is_match(keys[at], word))
            if role not in roles and (first := next(found, None)) is not None:
                roles[role] = first
    return roles


def _columns_of_values(header: Sequence[str]) -> dict[int, int]:
    """Return position -> value of the columns that hold the label of one value each.

    Examples
    --------
    >>> _columns_of_values(["name", "1", "2", "9"]), _columns_of_values(["name", "2019", "2020"])
    ({1: 1, 2: 2, 3: 9}, {})
    >>> _columns_of_values(["Field", "Option 1", "Option 2", "Wave 1", "Wave 2"])
    {1: 1, 2: 2}
    """
    matches = {j: _VALUE_HEADER.fullmatch(cell.strip()) for j, cell in enumerate(header)}
    found = {
        j: int(match["value"])
        for j, match in matches.items()
        if match and _heads_values("".join(plain_words(match["stem"])))
    }
    starts_low = bool(found) and min(map(abs, found.values())) <= 1
    return found if starts_low and len(set(found.values())) == len(found) > 1 else {}


def _heads_values(stem: str) -> bool:
    """Check for nothing, or a word such as "option", before the number of a value."""
    known = (word for role in _OF_VALUES for word in _headers()[role])
    return not stem or (len(stem) >= _SHORTEST and any(word.startswith(stem) for word in known))


def _in_long_form(roles: dict[str, int], header: Sequence[str], rows: Rows) -> dict[str, int]:
    """Return the roles of a dictionary with a row for each value, which has a label of its own."""
    value, label = roles.get("value"), roles.get("label")
    if value == 0 and "name" not in roles and len(header) > 2 and not header[1]:
        return _in_long_form(roles | {"name": 0, "value": 1}, header, rows)  # as SPSS prints it
    if value is None or "name" not in roles or "value_label" in roles:
        return roles
    if roles.get("values") == value + 1:
        return {k: at for k, at in roles.items() if k != "values"} | {"value_label": value + 1}
    others = [at for at, cell in enumerate(header) if at != label and "label" in roles_of([cell])]
    if label == value + 1 and others:
        return roles | {"label": others[0], "value_label": label}
    beside = value + 1 if value + 1 in others else label
    if beside is None:
        return roles
    texts: dict[str, list[str]] = {}
    name = ""
    for row in rows:
        name = row[roles["name"]].strip() or name
        if row[value].strip():
            texts.setdefault(name, []).append(row[beside].strip())
    repeated = [held for held in texts.values() if len(held) > 1]
    if not repeated or any(len(set(held)) < len(held) for held in repeated):
        return roles
    return {k: at for k, at in roles.items() if at != beside} | {"value_label": beside}


@cache
def _headers() -> dict[str, tuple[str, ...]]:
    table = read_toml("codebook_columns")
    return {role: tuple("".join(plain_words(w)) for w in words) for role, words in table.items()}


def _by_roles(
    rows: Rows,
    roles: Mapping[str, int],
    lists: Lists,
    coded: Mapping[int, int] | None = None,
    *,
    first_line: int,
) -> Codebook:
    """Read rows whose columns are known; a row without a name continues the one above."""
    columns: dict[str, CodebookEntry] = {}
    doubts: list[str] = []
    name = ""
    for line, row in enumerate(rows, first_line):
        cells = {role: row[at].strip() if at < len(row) else "" for role, at in roles.items()}
        if not any(cells.values()):
            continue
        name = cells["name"] or name
        if not name:
            doubts.append(f"line {line}: describes a column without a name")
            continue
        entry = _entry(cells)
        asked, _, rest = cells.get("measure", "").partition(" ")
        if asked in ("select_one", "select_multiple") and rest.strip() in lists:
            entry = replace(entry, values=lists[rest.strip()])
        texts = {v: row[j].strip() for j, v in (coded or {}).items() if j < len(row) and row[j]}
        if not entry.values and len(set(texts.values())) == len(texts) > 1:  # no marks such as "x"
            entry = replace(entry, values=texts)
        listed = cells.get("values", "")
        if not entry.values and "=" in listed and any(map(str.isdigit, listed)):
            doubts.append(f"line {line}: the values of {name!r} are not read: {listed!r}")
        if cells.get("kind", "").casefold() == "checkbox" and entry.values:
            for value, text in entry.values.items():
                columns[f"{name}___{str(value).replace('-', '_').lower()}"] = CodebookEntry(
                    f"{entry.label}: {text}" if entry.label else text, values=_CHECKED, group=name
                )
            continue
        first = columns.get(name, CodebookEntry())
        columns[name] = replace(
            first.over(entry),
            values={**first.values, **entry.values},
            missing=tuple(dict.fromkeys((*first.missing, *entry.missing))),
        )
    return Codebook(columns, tuple(doubts))


def _entry(cells: Mapping[str, str]) -> CodebookEntry:
    """Return what one row states."""
    kind = cells.get("kind", "").casefold()
    values = _YES_NO.get(kind) or _CHOICES.get(kind, read_value_list)(cells.get("values", ""))
    if not values and cells.get("value") and not kind:
        text = cells.get("value_label") or (cells.get("label", "") if not cells["name"] else "")
        listed = read_value_list(cells["value"])
        values = listed or ({as_value(cells["value"]): text} if text else {})
    missing, ranges = read_missing(cells.get("missing", ""))
    ranges += read_missing(cells.get("missing_ranges", ""))[1]
    if missing == ("yes",) and cells.get("value"):  # marks the value of its row
        missing = (as_value(cells["value"]),)
    label = cells.get("label", "")
    label = without_tags(label) if kind else label  # of an editor for questions
    is_value = bool(values) and not cells["name"] and "value_label" not in cells
    return CodebookEntry(
        label="" if is_value else label,
        unit=cells.get("unit", ""),
        values=values,
        missing=missing,
        missing_ranges=ranges,
        measure=measure_of(cells.get("measure")),
        group=cells.get("group", ""),
    )


def _without_header(rows: Rows) -> Codebook | None:
    """Read names, titles and lists of values that no header names, by what the cells hold."""
    width = max(map(len, rows), default=0)
    filled = [[*row, *[""] * (width - len(row))] for row in rows]
    lists = [sum(len(read_value_list(row[j])) > 1 for row in filled) for j in range(width)]
    if not lists or max(lists) < _MIN_LISTS or max(lists[1:], default=0) == 0:
        return None
    values = max(range(1, width), key=lists.__getitem__)
    others = [j for j in range(1, width) if j != values]
    label = max(others, key=lambda j: sum(len(row[j]) for row in filled), default=None)
    roles = {"name": 0, "values": values} | ({} if label is None else {"label": label})
    return _by_roles(filled, roles, {}, first_line=1)


def _names_above_titles(rows: Rows) -> Codebook | None:
    """Read a row of names and one of question texts."""
    if len(rows) != 2 or len(rows[0]) < 2 or len(set(rows[0])) < len(rows[0]):
        return None
    pairs = zip(rows[0], rows[1], strict=False)
    return Codebook({name: CodebookEntry(label) for name, label in pairs})
