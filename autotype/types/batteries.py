"""What makes columns a battery, such as the items of a questionnaire: levels, and names alike."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable

# Three letters and more, or a sign of a script that sets no blanks between words.
_WORD = re.compile(r"(?<![^\W_])[^\W\d_]{3,}(?![^\W_])|[\u2e80-\ud7ff]")


def hold_word(levels: Iterable[object]) -> bool:
    """Check whether a level holds a word; levels such as 1 to 5 are no scale by themselves.

    Examples
    --------
    >>> hold_word(["low", "1"]), hold_word([1, 2, "C3"])
    (True, False)
    """
    return any(_WORD.search(str(level)) for level in levels)


def stem(name: Hashable) -> str:
    """Strip the number or letter in which the columns of a battery differ.

    Examples
    --------
    >>> stem("ST25Q01"), stem("mood_3b"), stem("q_a"), stem("age")
    ('st25q', 'mood', 'q', 'age')
    """
    text = str(name[-1] if isinstance(name, tuple) and name else name)
    match = re.fullmatch(r"(.*?\D)[\W_]*\d+[a-z]?", text) or re.fullmatch(
        r"(.+)[\W_][a-zA-Z]", text
    )
    return (match.group(1).rstrip("_-. ") if match else text).lower()
