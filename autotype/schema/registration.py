"""Give pandera our checks as soon as pandera is imported, and not before.

Importing pandera takes about as long as importing pandas, so `import autotype` does not; a schema
that pandera itself reads from YAML needs the checks all the same.
"""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType


def register_with_pandera() -> None:
    """Register the checks now if pandera is imported, else right after it will be."""
    if "pandera" in sys.modules:
        _register()
    elif not any(isinstance(finder, _AfterPandera) for finder in sys.meta_path):
        sys.meta_path.insert(0, _AfterPandera())


class _AfterPandera(MetaPathFinder):
    """Finds nothing itself: adds the registration to the loader that the other finders find."""

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if name != "pandera":
            return None
        sys.meta_path.remove(self)
        try:
            spec = importlib.util.find_spec(name)
        finally:
            sys.meta_path.insert(0, self)  # whoever asks for the spec need not import it
        if spec is None or spec.loader is None:
            return spec
        execute = spec.loader.exec_module

        def execute_and_register(module: ModuleType) -> None:
            execute(module)
            if self in sys.meta_path:
                sys.meta_path.remove(self)
            _register()

        spec.loader.exec_module = execute_and_register  # type: ignore[method-assign]
        return spec


def _register() -> None:
    from autotype.schema.level_checks import register_checks

    register_checks()
