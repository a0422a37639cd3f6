"""Find the compiled modules of the installed package from a folder that holds the source.

Python imports a package from the current folder first. In the project's own folder that is the
source, without the compiled modules, which lie beside the installed copy of the package.
"""

from __future__ import annotations

import sys
from importlib.util import find_spec
from pathlib import Path


def find_compiled(package: str) -> None:
    """Add the folder of a package's compiled modules to its path, unless they are found anyway.

    Parameters
    ----------
    package : str
        The name of a package that is being imported, and whose ``__path__`` is extended.

    Raises
    ------
    ImportError
        If no folder of ``sys.path`` has them for this Python, or if those found were compiled from
        another source; the message names the remedy.
    """
    module = sys.modules[package]
    source = Path(str(module.__file__)).parent
    kernels = sorted(source.glob("_*_fast.pyx"))
    if _are_found(package, kernels):  # beside the source, or by the finder of an editable install
        return
    for entry in sys.path:
        folder = Path(entry, *package.split("."))
        if not folder.is_dir() or folder.samefile(source):
            continue
        module.__path__.append(str(folder))
        if _are_found(package, kernels):
            _check_same_source(package, kernels, folder)
            return
        module.__path__.pop()
    others = sorted(
        path.name for path in source.glob("_*_fast.*") if path.suffix in (".so", ".pyd")
    )
    held = f"holds {', '.join(others)}, of another Python" if others else "holds its source only"
    raise ImportError(
        f"the compiled modules of {package} for {sys.implementation.cache_tag} are missing: "
        f"{source} {held}; {_remedy(package, source)}",
        name=package,
    )


def _are_found(package: str, kernels: list[Path]) -> bool:
    return all(find_spec(f"{package}.{kernel.stem}") is not None for kernel in kernels)


def _check_same_source(package: str, kernels: list[Path], folder: Path) -> None:
    """Raise if the compiled modules of a folder are not those of this source."""
    for kernel in kernels:
        installed = folder / kernel.name
        if not installed.exists() or installed.read_bytes() != kernel.read_bytes():
            raise ImportError(
                f"the compiled modules of {package} in {folder} are of another version than the "
                f"source in {kernel.parent}; {_remedy(package, kernel.parent)}",
                name=package,
            )


def _remedy(package: str, source: Path) -> str:
    root = source.parents[package.count(".")]
    if (root / "pyproject.toml").exists():
        return f'type pip install "{root}"'
    return "install autotype again, for this Python"
