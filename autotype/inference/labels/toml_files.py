"""Read the TOML files of the vocabulary."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib import resources
from typing import Any


@cache
def read_toml(stem: str) -> dict[str, Any]:
    """Read one file of the vocabulary, such as ``"numbers"`` or ``"languages/de"``."""
    folder = resources.files("autotype.inference.labels").joinpath("lexicon")
    return tomllib.loads(folder.joinpath(f"{stem}.toml").read_text(encoding="utf-8"))


@cache
def toml_stems(prefix: str, folder: str = "") -> tuple[str, ...]:
    """Return the stems of the vocabulary's files that begin with a prefix, in sorted order."""
    place = resources.files("autotype.inference.labels").joinpath("lexicon")
    if folder:  # the resources of an editable install know no empty name
        place = place.joinpath(folder)
    names = [f.name.removesuffix(".toml") for f in place.iterdir() if f.name.endswith(".toml")]
    return tuple(sorted(name for name in names if name.startswith(prefix)))
