"""How names, levels and numbers are written on the report page."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from autotype.report.text import ELLIPSIS, printable
from autotype.wording import format_level, format_probability

LONGEST = 160  # characters of a name or level; the JSON holds the rest
_MINUS = "\N{MINUS SIGN}"


def shown(value: Any, longest: int = LONGEST) -> str:
    """Write a plain value of the report's dictionary on one line, cut where it is very long.

    Examples
    --------
    >>> shown("low"), shown(3.0), shown(["house", "size"]), shown(" ")
    ('low', '3', 'house / size', "' '")
    >>> shown("x" * 5000, 4)
    'xxxx… (5,000 characters)'
    """
    if isinstance(value, (list, tuple)):
        return " / ".join(shown(part, longest) for part in value)
    text = format_level(value)
    if not text.strip():
        text = repr(text)  # an empty level has to be seen
    if len(text) > longest:
        text = f"{text[:longest]}{ELLIPSIS} ({len(text):,} characters)"
    return printable(text)


def sentence(text: Any, longest: int = 4 * LONGEST) -> str:
    """Write a reason on one line, cut where levels made it very long.

    Examples
    --------
    >>> sentence("Off the scale: 'n/a'.")
    "Off the scale: 'n/a'."
    """
    return shown(str(text), longest)


def number(values: Mapping[str, Any], key: str) -> float | None:
    """Take a finite number out of a dictionary; None where there is none.

    Examples
    --------
    >>> number({"gain": 1, "worst": "-inf"}, "gain"), number({"worst": "-inf"}, "worst")
    (1.0, None)
    """
    return finite(values.get(key))


def numbers(values: Mapping[str, Any], key: str) -> list[float] | None:
    """Take a list of finite numbers out of a dictionary; None where it is not one.

    Examples
    --------
    >>> numbers({"cuts": [1, 2.5]}, "cuts"), numbers({"cuts": [1, None]}, "cuts")
    ([1.0, 2.5], None)
    """
    found = values.get(key)
    if not isinstance(found, (list, tuple)):
        return None
    checked = [finite(value) for value in found]
    return None if None in checked else [value for value in checked if value is not None]


def finite(value: Any) -> float | None:
    """Give a value as a float where it is a finite number, else None."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    return float(value) if math.isfinite(value) else None


def signed(value: float, digits: int = 3) -> str:
    """Write a number with a true minus sign.

    Examples
    --------
    >>> signed(-0.5), signed(-0.0001)
    ('−0.500', '0.000')
    """
    text = f"{value:.{digits}f}"
    if float(text) == 0:
        text = text.lstrip("-")
    return text.replace("-", _MINUS)


def percent(share: float) -> str:
    """Write a share in [0, 1] in percent; no share but zero as zero, none but one as all.

    Examples
    --------
    >>> [percent(share) for share in (0.0, 0.0002, 0.123, 0.99999, 1.0)]
    ['0%', '<0.1%', '12.3%', '>99.9%', '100%']
    """
    if share in (0, 1):
        return f"{share:.0%}"
    if share < 0.0005:
        return "<0.1%"
    return ">99.9%" if share >= 0.9995 else f"{share:.1%}"


def probability(value: Any) -> str:
    """Write a probability that may be None; empty where it is."""
    return format_probability(math.nan if value is None else value)
