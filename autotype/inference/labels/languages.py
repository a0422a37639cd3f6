"""Languages of labels: their words from one TOML file each, and which of them a column may be in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from autotype.inference.labels.toml_files import read_toml, toml_stems


@dataclass(frozen=True, eq=False)
class Language:
    """The words of one language.

    Attributes
    ----------
    code : str
        Its ISO 639-1 code, such as ``"de"``.
    table : mapping
        The raw tables of its file ``lexicon/languages/<code>.toml``.
    """

    code: str
    table: Mapping[str, Any]


@cache
def language(code: str) -> Language:
    """Load one language.

    Examples
    --------
    >>> language("en").code
    'en'
    """
    return Language(code, read_toml(f"languages/{code}"))


@cache
def codes() -> tuple[str, ...]:
    """Return the codes of all languages that have a file."""
    return toml_stems("", "languages")
