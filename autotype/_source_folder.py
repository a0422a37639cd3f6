"""Find the compiled modules of the installed package from a folder that holds the source.

Python imports a package from the current folder first. In the project's own folder that is the
source, without the compiled modules, which lie beside the installed copy of the package.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path
from types import ModuleType

_PACKAGE = __name__.partition(".")[0]


class InstalledKernels:
    """A finder of compiled modules, asked after all others.

    Modules called ``_..._fast`` are searched in every folder of ``sys.path``.
    """

    @classmethod
    def find_spec(
        cls, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Find a compiled module of this package in its installed copy.

        Raises
        ------
        ModuleNotFoundError
            If there is none; the message names the remedy.
        """
        package, *folders, module = name.split(".") if "." in name else ("", name)
        if package != _PACKAGE or not module.endswith("_fast"):
            return None
        places = [str(Path(entry, package, *folders)) for entry in sys.path]
        spec = PathFinder.find_spec(name, places)
        if spec is None:
            raise ModuleNotFoundError(
                f"the compiled module {name} is missing: {Path(__file__).parent} holds the source "
                "of autotype only; install it with pip install .",
                name=name,
            )
        return spec


def find_installed_kernels() -> None:
    """Register the finder, once."""
    if InstalledKernels not in sys.meta_path:
        sys.meta_path.append(InstalledKernels)
