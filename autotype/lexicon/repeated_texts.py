"""Keep what was found of a few strings: the columns of a survey share their levels."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache, wraps
from typing import Any, TypeVar

_Found = TypeVar("_Found")

_MOST_TEXTS = 24
_MOST_CHARACTERS = 1000  # of all of them: what is kept stays small


def kept_for_few(function: Callable[..., _Found]) -> Callable[..., _Found]:
    """Keep the latest results of a function of strings, where these are few and short.

    Parameters
    ----------
    function : callable
        A pure function of a tuple of strings, and perhaps of more that has a hash. Its results are
        not changed by those who receive them.

    Examples
    --------
    >>> @kept_for_few
    ... def longest(texts):
    ...     print("looked for")
    ...     return max(texts, key=len)
    >>> longest(["low", "medium"]), longest(("low", "medium"))
    looked for
    ('medium', 'medium')
    """
    kept = lru_cache(maxsize=512)(function)

    @wraps(function)
    def found(texts: Sequence[str], *more: Any) -> _Found:
        few = len(texts) <= _MOST_TEXTS and sum(map(len, texts)) <= _MOST_CHARACTERS
        return (kept if few else function)(tuple(texts), *more)

    return found
