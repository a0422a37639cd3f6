"""Names of columns whose header repeats names or leaves them empty."""

from __future__ import annotations

import itertools
import warnings
from collections import Counter
from collections.abc import Sequence

from autotype.wording import format_some


def distinct_names(header: Sequence[str]) -> list[str]:
    """Return a name for each column, as pandas calls those of CSV.

    Parameters
    ----------
    header : sequence of str
        Names in the file, empty where there is none.

    Examples
    --------
    >>> distinct_names(["a", "", "a", "a.1"])
    ['a', 'Unnamed: 1', 'a.2', 'a.1']
    """
    taken = set(header)
    names: list[str] = []
    used: set[str] = set()
    for j, name in enumerate(header):
        name = name or f"Unnamed: {j}"
        if name in used:
            others = (f"{name}.{k}" for k in itertools.count(1))
            name = next(other for other in others if other not in taken)
        taken.add(name)
        used.add(name)
        names.append(name)
    return names


def warn_of_names(header: Sequence[str], names: Sequence[str], path: str) -> None:
    """Warn of columns that are called other than in the file.

    Parameters
    ----------
    header : sequence of str
        Names in the file, empty where there is none.
    names : sequence of str
        Names in the frame.
    path : str
        Name in the warning.

    Warns
    -----
    UserWarning
        If the header repeats names or leaves some empty.
    """
    renamed = [(old, new) for old, new in zip(header, names, strict=True) if old != new]
    repeated = [name for name, count in Counter(header).items() if count > 1 and name]
    if repeated:
        later = [new for old, new in renamed if old]
        warnings.warn(
            f"{path}: the header repeats {format_some(repeated)}; the later columns are called "
            f"{format_some(later)}",
            UserWarning,
            stacklevel=5,
        )
    unnamed = [new for old, new in renamed if not old]
    if unnamed:
        warnings.warn(
            f"{path}: the header leaves names empty; these columns are called "
            f"{format_some(unnamed)}",
            UserWarning,
            stacklevel=5,
        )
