"""Rows of cells with the kinds of their contents, which are what a layout is found by."""

from __future__ import annotations

import datetime
import re
from collections.abc import Sequence
from decimal import Decimal
from enum import IntEnum
from functools import cache, lru_cache
from typing import Any, NamedTuple

from autotype.lexicon.missing import missing_marks, missing_phrases

_SIGN = r"[-+−–]?\s*"
_UNIT = r"(?:%|‰|°C?|[$€£¥₩₽₹₺]|(?:USD|EUR|GBP|kr|zł|Kč|Ft|р\.|руб\.?))"
_DIGITS = r"(?:\d[\d.,'’ \u00a0\u202f]*|[.,]\d+)"
_NUMBER = re.compile(
    rf"\(?{_SIGN}{_UNIT}?\s*{_SIGN}{_DIGITS}(?:[eE][-+]?\d+)?\s*{_UNIT}?\)?-?\s*[*#†‡]*"
)
_DAY = r"\d{1,4}([-/. ])\d{1,2}(?:\1\d{1,4})?\.?"
_CLOCK = (
    r"\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?(?:\s*[aApP]\.?[mM]\.?)?(?:\s*(?:Z|UTC|[+-]\d\d:?\d\d))?"
)
_DATE = re.compile(
    rf"{_DAY}(?:[ T,]+{_CLOCK})?|{_CLOCK}"
    r"|\d{4}[年년](?:\s*\d{1,2}[月월](?:\s*\d{1,2}[日일])?)?"
    r"|\d{1,2}[-. ](?!bis |und |and |tot |til |por )[^\W\d_]{3,10}\.?[-, ]+\d{2,4}"
    r"|(?:[^\W\d_]{3,9},? )?[^\W\d_]{3,9}\.? \d{1,2},? \d{4}(?:[ ,]+" + _CLOCK + ")?"
    r"|\d{4}[-/ ]?[QKT]\d"
)
_RULER = re.compile(r"[-=_+:|\s]+")
_LINE = re.compile(r"-{3}|={3}|_{3}|:-|-:")


class CellKind(IntEnum):
    """What the content of a cell looks like."""

    EMPTY = 0
    MISSING = 1
    NUMBER = 2
    DATE = 3
    TEXT = 4


class Row(NamedTuple):
    """One row of cells: strings of a text file, or typed cells of a workbook.

    Attributes
    ----------
    line : int
        1-based physical line on which the row begins, or row of the sheet.
    cells : sequence
        Fewer than the table's columns if the row ends early; none in a blank line.
    """

    line: int
    cells: Sequence[Any]


def is_empty(cell: Any) -> bool:
    """Check whether a cell holds nothing, or white space only.

    Examples
    --------
    >>> [is_empty(cell) for cell in (None, " ", float("nan"), 0)]
    [True, True, True, False]
    """
    if isinstance(cell, str):
        return not cell or cell.isspace()
    return cell is None or cell != cell


def text_of(cell: Any) -> str:
    """Return a cell as a string: integers without a decimal point, dates as ISO.

    Examples
    --------
    >>> [text_of(cell) for cell in (2013.0, " a ", None)]
    ['2013', ' a ', '']
    """
    if is_empty(cell):
        return ""
    if isinstance(cell, float) and cell.is_integer() and abs(cell) < 1e15:
        return str(int(cell))
    return str(cell)


def kind_of(cell: Any) -> CellKind:
    """Return the kind of one cell.

    Examples
    --------
    >>> [kind_of(cell).name for cell in ("1.234,5 %", "2020-01-31", "n/a", "Berlin", "", 3)]
    ['NUMBER', 'DATE', 'MISSING', 'TEXT', 'EMPTY', 'NUMBER']
    """
    if isinstance(cell, str):
        return _kind_of_string(cell.strip())
    if is_empty(cell):
        return CellKind.EMPTY
    if isinstance(cell, bool | int | float | Decimal):
        return CellKind.NUMBER
    if isinstance(cell, datetime.date | datetime.time | datetime.timedelta):
        return CellKind.DATE
    return CellKind.TEXT


@lru_cache(1 << 15)
def _kind_of_string(text: str) -> CellKind:
    if not text:
        return CellKind.EMPTY
    if len(text) > 40:
        return CellKind.TEXT
    if text.casefold() in _missing():
        return CellKind.MISSING
    if not any(map(str.isdigit, text)):
        return CellKind.TEXT
    if _DATE.fullmatch(text) and not re.fullmatch(r"\d+[. ]\d+", text):
        return CellKind.DATE
    return CellKind.NUMBER if _NUMBER.fullmatch(text) else CellKind.TEXT


@cache
def _missing() -> frozenset[str]:
    """Return what marks a missing value, in lower case: marks, phrases, signs of statistics."""
    marks = missing_marks() | missing_phrases() | {"*", "**", ":", "/", "x", "nd", "n.d.", "----"}
    return frozenset(mark.casefold() for mark in marks)


def is_ruler(cells: Sequence[Any]) -> bool:
    """Check whether a row is a line drawn under or between others.

    Examples
    --------
    >>> is_ruler(["---", "-----", "-"]), is_ruler(["---", "1.5"]), is_ruler(["-", "-"])
    (True, False, False)
    """
    present = [cell for cell in cells if cell]
    if not all(isinstance(cell, str) and _RULER.fullmatch(cell) for cell in present):
        return False
    return 2 * sum(_LINE.search(cell) is not None for cell in present) >= len(present) > 0
