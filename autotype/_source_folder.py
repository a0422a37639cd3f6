"""Find the compiled modules of the installed package from a folder that holds the source.

Python imports a package from the current folder first. In the project's own folder that is the
source, without the compiled modules, which lie beside the installed copy of the package.
"""

from __future__ import annotations

import sys
from pathlib import Path

_COMPILED = ("_*_fast*.so", "_*_fast*.pyd")


def find_compiled(package: str, path: list[str]) -> None:
    """Add the folder of a package's compiled modules to its path, unless they are in its own.

    Parameters
    ----------
    package : str
        The package's name.
    path : list of str
        Its ``__path__``, which is extended.

    Raises
    ------
    ImportError
        If no folder of ``sys.path`` has them; the message names the remedy.
    """
    if any(_holds_compiled(Path(folder)) for folder in path):
        return
    for entry in sys.path:
        folder = Path(entry, *package.split("."))
        if _holds_compiled(folder):
            path.append(str(folder))
            return
    raise ImportError(
        f"the compiled modules of {package} are missing: {path[0]} holds its source only; "
        "install autotype with pip install .",
        name=package,
    )


def _holds_compiled(folder: Path) -> bool:
    return any(any(folder.glob(pattern)) for pattern in _COMPILED)
