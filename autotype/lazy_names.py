"""Load public names of a package, and optional libraries, when they are first used.

Most of the names need scikit-learn, pandera or more, which take longer to import than a small frame
to type. So a package lists where its names stand, and imports a module only for a name of it.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

from autotype.errors import MissingExtraError


def loader(package: str, places: Mapping[str, str]) -> Callable[[str], Any]:
    """Return the function ``__getattr__`` of a package.

    Parameters
    ----------
    package : str
        Its name.
    places : mapping
        Name -> the module below the package that holds it; a module that is itself public has its
        own name as its place.
    """

    def load(name: str) -> Any:
        if name not in places:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        found = import_module(f"{package}.{places[name]}")
        if places[name] != name:
            found = getattr(found, name)
        setattr(sys.modules[package], name, found)
        return found

    return load


def import_library(module: str, use: str, *, extra: str) -> Any:
    """Return a module that an optional dependency has.

    Parameters
    ----------
    module : str
    use : str
        What needs which library, for the message.
    extra : str
        The extra that installs it.

    Raises
    ------
    MissingExtraError
        If it is not installed.
    """
    try:
        return import_module(module)
    except ImportError:
        raise MissingExtraError(use, extra=extra) from None
