"""Write plain values as YAML that every reader takes for the same values."""

from __future__ import annotations

import datetime
from collections.abc import Iterable
from typing import Any

from autotype.export.json_values import as_unicode


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


def as_yaml(plain: Any) -> str:
    r"""Return plain values as YAML.

    Examples
    --------
    >>> as_yaml({"set": ["no", "1", 2]})
    "set:\n- 'no'\n- '1'\n- 2\n"
    """
    import yaml

    class Dumper(yaml.SafeDumper):
        """A dumper that repeats a list instead of writing an alias."""

        def ignore_aliases(self, data: Any) -> bool:
            return True

    return yaml.dump(plain, Dumper=Dumper, sort_keys=False, allow_unicode=True)
