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
    if stem in _built_tables():
        return json.loads(_built_tables()[stem])
    import tomllib  # in the folder of the source only

    return tomllib.loads(_lexicon().joinpath(f"{stem}.toml").read_text(encoding="utf-8"))


@cache
def toml_stems(prefix: str, folder: str = "") -> tuple[str, ...]:
    """Return the stems of the vocabulary's files that begin with a prefix, in sorted order."""
    if _built_tables():
        stems = [stem.rpartition("/") for stem in _built_tables()]
        names = [name for place, _, name in stems if place == folder]
    else:
        place = _lexicon().joinpath(folder) if folder else _lexicon()
        names = [f.name.removesuffix(".toml") for f in place.iterdir() if f.name.endswith(".toml")]
    return tuple(sorted(name for name in names if name.startswith(prefix)))


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
