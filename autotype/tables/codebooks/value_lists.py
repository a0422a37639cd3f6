"""Read lists of values with their labels as dictionaries write them in one cell."""

from __future__ import annotations

import math
import re
from typing import Any

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
