"""Codebook: what is written about the columns of a table besides their values."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class CodebookEntry:
    """What is written about one column.

    Attributes
    ----------
    label : str
        A title or question; empty if there is none.
    unit : str
        The unit of its numbers; empty if there is none.
    values : mapping
        Stored value -> its label.
    """

    label: str = ""
    unit: str = ""
    values: Mapping[Any, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Codebook:
    """What is written about the columns of a table besides their values.

    Attributes
    ----------
    columns : mapping
        Column name -> `CodebookEntry`; columns of which nothing is known may be absent.
    """

    columns: Mapping[Hashable, CodebookEntry] = field(default_factory=dict)
