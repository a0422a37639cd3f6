"""Ranges that a spreadsheet turned into dates."""

from __future__ import annotations

import datetime
import re
from collections.abc import Sequence

from autotype.lexicon.quantities import Quantity, parse_quantity
from autotype.lexicon.tokens import Label, read_label

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MANGLED = re.compile(
    rf"(?i)(?P<day>\d{{1,2}})-(?P<month>{'|'.join(_MONTHS)})|(?P<first>{'|'.join(_MONTHS)})-(?P<second>\d{{1,2}})"
)


def read_mangled(labels: Sequence[Label]) -> dict[int, Quantity]:
    """Read ranges that a spreadsheet turned into dates: "5-Jan" for 1-5, "Jan-05" as well.

    Only where another label states a range as such, since a column of dates is a calendar.
    """
    found = {}
    others = 0
    for i, label in enumerate(labels):
        match = _MANGLED.fullmatch(label.text)
        if match is None:
            quantity = parse_quantity(label.text) if label.number is None else None
            others += quantity is not None and quantity.kind == "range"
            continue
        month = _MONTHS.index((match["month"] or match["first"]).lower()) + 1
        day = int(match["day"] or match["second"])
        found[i] = Quantity(float(min(month, day)), float(max(month, day)), "range")
    return found if others else {}


def mangled_ranges(levels: Sequence[str | datetime.date]) -> list[str]:
    """Return the dates and strings that a spreadsheet seems to have made of ranges, next to such.

    Parameters
    ----------
    levels : sequence of str or date
        Strings, or dates as a spreadsheet stores them.

    Returns
    -------
    list of str
        Strings such as "5-Jan".

    Examples
    --------
    >>> mangled_ranges(["5-Jan", "10-Jun", "11-20", "20+"]), mangled_ranges(["5-Jan", "6-Jan"])
    (['5-Jan', '10-Jun'], [])
    """
    texts = [
        level if isinstance(level, str) else f"{level.day}-{_MONTHS[level.month - 1].capitalize()}"
        for level in levels
    ]
    return [texts[i] for i in read_mangled([read_label(text) for text in texts])]
