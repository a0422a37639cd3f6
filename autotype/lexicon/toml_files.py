"""Read the TOML files of the vocabulary, parsed when the package was built."""

from __future__ import annotations

import json
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable


@cache
def read_toml(stem: str) -> dict[str, Any]:
    """Read one file of the vocabulary, such as ``"numbers"`` or ``"languages/de"``."""
    built = read_built(stem)
    if built is not None:
        return built
    import tomllib  # in the folder of the source only

    return tomllib.loads(_lexicon().joinpath(f"{stem}.toml").read_text(encoding="utf-8"))


def read_built(stem: str) -> dict[str, Any] | None:
    """Read one table that a build has written; None in the folder of the source."""
    tables = _built_tables()
    return json.loads(tables[stem]) if tables else None


@cache
def toml_stems(folder: str) -> tuple[str, ...]:
    """Return the names of a folder's files of the vocabulary without their ending, sorted."""
    if _built_tables():
        stems = [stem.rpartition("/") for stem in _built_tables()]
        return tuple(sorted(name for place, _, name in stems if place == folder))
    files = [file.name for file in _lexicon().joinpath(folder).iterdir()]
    return tuple(sorted(name.removesuffix(".toml") for name in files if name.endswith(".toml")))


@cache
def _built_tables() -> dict[str, bytes]:
    """Stem -> JSON of its tables, see ``build_backend/vocabulary_tables.py``.

    Empty in the folder of the source, whose TOML files may have changed since a build.
    """
    file = _lexicon().joinpath("vocabulary.json")
    if not file.is_file():
        return {}
    stems, *tables = file.read_bytes().split(b"\n")
    return dict(zip(json.loads(stems), tables, strict=True))


def _lexicon() -> Traversable:
    return resources.files("autotype.lexicon").joinpath("words")
