"""Levels as values that JSON and YAML of any tool can hold."""

from __future__ import annotations

import datetime
from collections.abc import Iterable
from typing import Any

from autotype.types.codec.json_values import as_unicode


def plain_levels(levels: Iterable[Any]) -> list[Any]:
    """Return levels as texts, numbers and truth values; dates become texts of ISO 8601.

    Examples
    --------
    >>> plain_levels(["S", 3, datetime.date(2024, 2, 29)])
    ['S', 3, '2024-02-29']
    """
    return [
        level.isoformat()
        if isinstance(level, datetime.date)
        else as_unicode(level)
        if isinstance(level, str)
        else level
        for level in levels
    ]
