"""What the names of columns say: their own part, their battery, and that the header is blank."""

from __future__ import annotations

import re
from collections.abc import Hashable

# As pandas names a column whose header is blank; of lines of a header, and repeated.
_UNNAMED = re.compile(r"Unnamed: (\d+)(?:_level_\d+)?(?:\.\d+)?")


def own_name(name: Hashable) -> str:
    """Return a name as a string; of a tuple, one of a MultiIndex, its last part.

    Examples
    --------
    >>> own_name(("wave", "q7")), own_name(7)
    ('q7', '7')
    """
    return str(name[-1] if isinstance(name, tuple) and name else name)


def unnamed(place: int) -> str:
    """Return the name of a column whose header is blank, as pandas has it."""
    return f"Unnamed: {place}"


def unnamed_place(name: Hashable) -> int | None:
    """Return the place of a column whose header is blank; None of one that has a name.

    Examples
    --------
    >>> unnamed_place("Unnamed: 3"), unnamed_place(("a", "Unnamed: 0_level_1")), unnamed_place("a")
    (3, 0, None)
    """
    found = _UNNAMED.fullmatch(own_name(name).strip())
    return int(found[1]) if found else None


def stem(name: Hashable) -> str:
    """Strip the number or letter in which the columns of a battery differ.

    Examples
    --------
    >>> stem("ST25Q01"), stem("mood_3b"), stem("q_a"), stem("age")
    ('st25q', 'mood', 'q', 'age')
    """
    text = own_name(name)
    match = re.fullmatch(r"(.*?\D)[\W_]*\d+[a-z]?", text) or re.fullmatch(
        r"(.+)[\W_][a-zA-Z]", text
    )
    return (match.group(1).rstrip("_-. ") if match else text).lower()
