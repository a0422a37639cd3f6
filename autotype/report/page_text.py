"""Format names, levels and numbers for the report page."""

from __future__ import annotations

import math
from typing import Any

from autotype.report.text_cells import ELLIPSIS
from autotype.wording import format_level, format_probability, printable

LONGEST = 160  # characters of a name or level; the JSON has all
_MINUS = "\N{MINUS SIGN}"


def shown(value: Any, longest: int = LONGEST) -> str:
    """Format a plain value of the report's dictionary on one line, cut if it is very long.

    Examples
    --------
    >>> shown("low"), shown(3.0), shown(["house", "size"]), shown(" "), shown([])
    ('low', '3', 'house / size', "' '", '[]')
    >>> shown("x" * 5000, 4)
    'xxxx… (5,000 characters)'
    """
    if isinstance(value, (list, tuple)) and value:
        return " / ".join(shown(part, longest) for part in value)
    text = format_level(value)
    if not text.strip():
        text = repr(text)  # an empty level has to be visible
    if len(text) > longest:
        text = f"{text[:longest]}{ELLIPSIS} ({len(text):,} characters)"
    return printable(text)


def sentence(text: Any, longest: int = 4 * LONGEST) -> str:
    """Format a reason on one line, cut if it is very long.

    Examples
    --------
    >>> sentence("Off the scale: 'n/a'.")
    "Off the scale: 'n/a'."
    """
    return shown(str(text), longest)


def numbers(values: Any) -> list[float] | None:
    """Return a list of finite numbers as floats; None if it is not such a list.

    Examples
    --------
    >>> numbers([1, 2.5]), numbers([1, None])
    ([1.0, 2.5], None)
    """
    if not isinstance(values, (list, tuple)):
        return None
    checked = [finite(value) for value in values]
    return None if None in checked else [value for value in checked if value is not None]


def finite(value: Any) -> float | None:
    """Return a finite number as a float, and None for any other value.

    Examples
    --------
    >>> finite(1), finite("-inf")
    (1.0, None)
    """
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    return float(value) if math.isfinite(value) else None


def signed(value: float, digits: int = 3) -> str:
    """Format a number with a typographic minus sign.

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
    """Format a share in [0, 1] in percent; only zero as 0%, and only one as 100%.

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
    """Format a probability; None as an empty text."""
    return format_probability(math.nan if value is None else value)
