"""Format levels, orders, probabilities, counts, values and long lists for messages."""

from __future__ import annotations

import difflib
import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

_MAX_LISTED = 5
_LONGEST = 60  # characters of a value in a message
# Characters that XML 1.0 cannot hold, not even escaped.
NOT_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


def format_level(level: Any) -> str:
    """Format a level; a float with a whole value is written as an integer.

    Examples
    --------
    >>> format_level(3.0), format_level(2.5), format_level("3.0")
    ('3', '2.5', '3.0')
    """
    if isinstance(level, float) and level.is_integer() and abs(level) < 1e15:
        return str(int(level))
    return str(level) if isinstance(level, str) else _text(level, str)


def _text(value: Any, convert: Callable[[Any], str]) -> str:
    """Convert a value to text, or describe one that Python does not convert."""
    try:
        return convert(value)
    except RecursionError:
        return f"a {type(value).__name__} nested too deeply to be shown"
    except ValueError:  # more than 4,300 digits
        if isinstance(value, int):
            return f"the integer of {value.bit_length()} bits"
        return f"a {type(value).__name__} too long to be shown"


def printable(value: object) -> str:
    r"""Format any value on one line, with controls of terminals, and of directions, escaped.

    Examples
    --------
    >>> print(printable("two\nlines"), printable(("a", 1)))
    two\nlines ('a', 1)
    """
    text = str(value)
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in text)


def labelled(level: Any, labels: Mapping[Any, str]) -> Any:
    """Return a level for people: with its label, if it has one.

    Examples
    --------
    >>> labelled(1, {1: "bad"}), labelled(2, {1: "bad"})
    ('1 "bad"', 2)
    """
    label = labels.get(level, "").strip()
    return f'{format_level(level)} "{label}"' if label and label != str(level) else level


def format_order(order: Sequence, direction_known: bool) -> str:
    """Format an order of levels, lowest first.

    Examples
    --------
    >>> format_order(("low", "mid", "high"), direction_known=True)
    'low < mid < high'
    >>> format_order(("low", "mid", "high"), direction_known=False)
    'low - mid - high (or the reverse)'
    """
    if direction_known:
        return " < ".join(map(format_level, order))
    return " - ".join(map(format_level, order)) + " (or the reverse)"


def format_pairs(pairs: Sequence[Sequence], direction_known: bool) -> str:
    """Format pairs of a lower and a higher level: as one order where they are all of its pairs.

    Examples
    --------
    >>> format_pairs([("low", "mid"), ("low", "high"), ("mid", "high")], direction_known=True)
    'low < mid < high'
    >>> format_pairs([("low", "high"), ("mid", "high")], direction_known=True)
    'low < high, mid < high'
    """
    texts = [tuple(map(format_level, pair)) for pair in pairs]  # a level may have no hash
    n_below = dict.fromkeys((text for pair in texts for text in pair), 0)
    for _, high in texts:
        n_below[high] += 1
    if 2 * len(texts) == len(n_below) * (len(n_below) - 1):
        return format_order(sorted(n_below, key=lambda text: n_below[text]), direction_known)
    return ", ".join(format_order(pair, direction_known) for pair in texts)


def format_probability(probability: float) -> str:
    """Format a probability with two digits, and never as certain.

    Examples
    --------
    >>> [format_probability(p) for p in (0.0001, 0.5, 0.9999, math.nan)]
    ['<0.01', '0.50', '>0.99', '']
    """
    if math.isnan(probability):
        return ""
    if probability < 0.005:
        return "<0.01"
    return ">0.99" if probability >= 0.995 else f"{probability:.2f}"


def format_some(values: Sequence, limit: int = _MAX_LISTED) -> str:
    """List the first few of many values, and count the others.

    Examples
    --------
    >>> format_some(["S", 3])
    "'S', 3"
    >>> format_some(range(9))
    '0, 1, 2, 3, 4 and 4 more'
    """
    return join_first([format_value(value) for value in values], limit)


def join_first(texts: Sequence[str], limit: int = _MAX_LISTED, separator: str = ", ") -> str:
    """Join the first few of many strings, and count the others.

    Examples
    --------
    >>> join_first(["S", "M", "L"]), join_first(["S", "M", "L"], limit=1)
    ('S, M, L', 'S and 2 more')
    """
    return separator.join(texts[:limit]) + and_more(len(texts) - limit)


def and_more(n_others: int) -> str:
    """Return " and 3 more" for three that are not listed, and nothing for none.

    Examples
    --------
    >>> and_more(3), and_more(0), and_more(-2)
    (' and 3 more', '', '')
    """
    return f" and {n_others} more" if n_others > 0 else ""


def shorten(text: str, longest: int = _LONGEST) -> str:
    """Cut a string that is too long for a message.

    Examples
    --------
    >>> shorten("abcdef", 3), shorten("abc", 3)
    ('abc...', 'abc')
    """
    return text if len(text) <= longest else f"{text[:longest]}..."


def format_value(value: Any, longest: int = _LONGEST) -> str:
    """Format any value for a message, as Python writes it and cut if it is long.

    Examples
    --------
    >>> format_value([1, "a"]), format_value("abcdef", 3)
    ("[1, 'a']", "'ab...")
    """
    return shorten(_text(value, repr), longest)


def did_you_mean(name: Any, names: Iterable) -> str:
    """Return "; did you mean 'x'?" for the closest of the names, or "" if none is close.

    Examples
    --------
    >>> did_you_mean("sise", ["size", "age"]), did_you_mean("colour", ["size", "age"])
    ("; did you mean 'size'?", '')
    """
    close = difflib.get_close_matches(str(name), [str(other) for other in names], n=1)
    return f"; did you mean {close[0]!r}?" if close else ""


def format_count(count: int, noun: str) -> str:
    """Format a number with its noun, in the plural unless the number is one.

    Examples
    --------
    >>> format_count(1, "row"), format_count(2000, "row")
    ('1 row', '2,000 rows')
    """
    return f"{count:,} {noun}" + ("" if count == 1 else "s")


def first_line(problem: BaseException) -> str:
    r"""Return the first line of an error's message, or its class if it has none.

    Examples
    --------
    >>> first_line(ValueError("bad magic number.\n  at byte 0")), first_line(EOFError())
    ('bad magic number', 'EOFError')
    """
    text = str(problem).strip()
    return (text.splitlines()[0] if text else type(problem).__name__).rstrip(".")
