"""What the names of columns say: their own part, their battery, and that the header is blank."""

from __future__ import annotations

import re
from collections.abc import Hashable

import numpy as np
import pandas as pd

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


def plain_name(name: Hashable) -> Hashable:
    """Return a name; in place of a number of NumPy the one of Python that is equal to it.

    pandas finds names of NumPy not beside tuples, and YAML does not hold them.
    """
    return name.item() if isinstance(name, np.number) else name


def plain_names(names: pd.Index) -> pd.Index:
    """Return names with the numbers of Python in place of those of NumPy."""
    if names.dtype != object or not any(isinstance(name, np.number) for name in names):
        return names
    plain = list(map(plain_name, names))
    return pd.Index(plain, dtype=object, name=names.name, tupleize_cols=False)


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
    # From the end, where no run of signs is looked through again and again.
    end = re.match(r"[a-z]?\d+[\W_]*(?=\D)|[a-zA-Z][\W_](?=.)", text[::-1], re.S)
    return (text[: -end.end()].rstrip("_-. ") if end else text).lower()
