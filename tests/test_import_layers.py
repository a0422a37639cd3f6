"""A room of the package imports only the rooms below it, and no circle of imports exists."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

import autotype

PACKAGE = Path(autotype.__file__).resolve().parent


class Room(NamedTuple):
    """What the modules of a room may import: `lazy` only in functions and for type checks.

    pyarrow, which pandas imports where it is installed, may also be imported at the top where
    nothing is raised if it is missing.
    """

    own: str = ""
    third_party: str = ""
    lazy: str = ""


_ENGINES = "narwhals polars duckdb pyspark dask ibis pyarrow"

# By dotted prefix below `autotype`, from the bottom up; the longest prefix that fits a module is
# its room. Who may import a room may import the rooms in it, too; each room may import itself, the
# rooms in it, and those of the bottom floor: `_FREE`.
_FREE = "errors wording _version lazy_names"
ROOMS = {
    "_version": Room(),
    "wording": Room(),
    "lazy_names": Room(),
    "errors": Room(lazy="pandera"),  # the base class of BatchError
    # Estimators know no columns, and could be a distribution of their own.
    "models": Room("", "numpy scipy pandas sklearn joblib threadpoolctl"),
    "models.gaussian_process.solvers": Room("models.source_folder", "numpy scipy"),
    "models.gaussian_process.weight_space": Room(
        "models.source_folder models.gaussian_process.solvers", "numpy scipy"
    ),
    "models.svm.solvers": Room("models.source_folder", "numpy scipy"),
    "models.preferences.solvers": Room("", "numpy scipy"),
    "models.source_folder": Room(),
    # Strings in, meaning out; nothing of columns.
    "lexicon": Room("", "numpy pandas", lazy="pyarrow"),
    # What is known of a column, as plain data.
    "types": Room("lexicon", "numpy pandas", lazy="scipy pyarrow pandera tomlkit"),
    "types.drift": Room("types lexicon", "numpy pandas scipy"),
    "inference": Room(
        "models types lexicon",
        "numpy scipy pandas sklearn joblib threadpoolctl",
        lazy="tqdm",
    ),
    "inference.labels": Room("lexicon", "numpy"),
    "inference.frames": Room("types lexicon", "numpy pandas", lazy=_ENGINES),
    # Each is imported where its engine holds the table.
    **{
        f"inference.frames.engines.{engine}_engine": Room(
            "inference.frames types", f"numpy pandas pyarrow {library}"
        )
        for engine, library in (
            ("query", "narwhals"),
            ("ibis", "ibis"),
            ("polars", "polars"),
            ("spark", "narwhals pyspark"),
        )
    },
    "inference.judges": Room("types inference", "numpy"),
    "tables": Room(
        "types lexicon",
        "numpy pandas",
        lazy=_ENGINES + " openpyxl pyreadstat rdata python_calamine xlrd fsspec fastavro chardet",
    ),
    # Imported where narwhals is needed anyhow.
    "tables.text.large_csv": Room("tables types lexicon", "narwhals", lazy="polars"),
    "metrics": Room("models", "numpy pandas scipy sklearn"),
    "fitting": Room(
        "models types lexicon inference metrics",
        "numpy pandas sklearn",
        lazy=_ENGINES + " report matplotlib",
    ),
    "schema": Room(
        "types lexicon inference",
        "numpy pandas pandera yaml",
        lazy=_ENGINES,
    ),
    "report": Room("types lexicon", "numpy pandas", lazy="jinja2 matplotlib"),
    # Imported where anywidget is needed anyhow.
    "report.widget": Room("report types", "anywidget traitlets"),
    # The door: what users import. Rooms load when they are used.
    "type_report": Room(
        "types",
        "",
        lazy="report fitting inference inference.judges schema tables matplotlib pandera pyarrow",
    ),
    "accessor": Room(
        "",
        "pandas",
        lazy="type_report fitting inference schema plots",
    ),
    "plots": Room("report", lazy="types inference matplotlib"),
    "judges": Room("inference.judges"),
    "pandera_checks": Room("schema"),
    "polars": Room("accessor", "polars"),
    # One package with compiled modules is imported, which says what to do where there are none.
    "__init__": Room(
        "accessor type_report types inference polars",
        lazy="fitting models schema tables metrics plots judges",
    ),
    # Above the door.
    "cli": Room(
        "type_report types tables report",
        "_autotype_command filelock pandas",
        lazy="inference judges schema",
    ),
    "paper2014": Room(
        "types inference models",
        "numpy scipy pandas joblib sklearn",
        lazy="type_report",
    ),
    "__main__": Room("", "_autotype_command"),
}


class Import(NamedTuple):
    """One imported name: `autotype.x.y` or a third party's first name."""

    name: str
    line: int
    in_function: bool
    for_types: bool


def sources() -> dict[str, str]:
    """Return the source of each module by its dotted name below the package."""
    found = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        name = ".".join(path.relative_to(PACKAGE).with_suffix("").parts)
        name = name.removesuffix(".__init__")
        found[name] = path.read_text(encoding="utf-8")
    return found


def imports_of(source: str, known: Iterable[str]) -> Iterator[Import]:
    """Yield all imports of a module except those of the standard library.

    A module of the package counts as imported, too, where its name stands in ``import_module``,
    and the accessor where one of its methods is called: ``frame.ordinal.method``.
    """
    pending: list[tuple[ast.AST, bool, bool]] = [(ast.parse(source), False, False)]
    while pending:
        node, inside, types = pending.pop()
        inside = inside or isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
        inside = inside or _is_optional(node)
        types = types or (isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test))
        pending += [(child, inside, types) for child in ast.iter_child_nodes(node)]
        for name in _names(node, known):
            if name.split(".")[0] not in sys.stdlib_module_names:
                yield Import(name, getattr(node, "lineno", 0), inside, types)


def _is_optional(node: ast.AST) -> bool:
    """Check for imports of pyarrow that may fail."""
    if not isinstance(node, ast.With) or "suppress(ImportError)" not in ast.unparse(node.items[0]):
        return False
    parts = [name for part in node.body for name in _names(part, ())]
    return {name.split(".")[0] for name in parts} == {"pyarrow"}


def _names(node: ast.AST, known: Iterable[str]) -> list[str]:
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if isinstance(node, ast.ImportFrom):
        if node.level:
            return ["." * node.level]
        whole = [f"{node.module}.{alias.name}" for alias in node.names]
        modules = {f"autotype.{name}" for name in known}
        return [name if name in modules else str(node.module) for name in whole]
    if isinstance(node, ast.Call) and ast.unparse(node.func).endswith("import_module"):
        strings = [part.value for part in ast.walk(node) if isinstance(part, ast.Constant)]
        return [text for text in strings if isinstance(text, str) and text.startswith("autotype.")]
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Attribute):
        owner = node.value
        is_parameter = isinstance(owner.value, ast.Name) and owner.value.id == "self"
        if owner.attr == "ordinal" and not is_parameter:
            return ["autotype.accessor"]
    return []


def below(name: str) -> str:
    """Return the dotted name below the package; ``__init__`` of the package itself."""
    return name.partition(".")[2] or "__init__"


def room_of(module: str) -> str | None:
    parts = module.split(".")
    prefixes = [".".join(parts[:n]) for n in range(len(parts), 0, -1)]
    return next((prefix for prefix in prefixes if prefix in ROOMS), None)


def offences(module: str, source: str, known: Iterable[str]) -> list[str]:
    """Return what a module imports that its room may not."""
    own = room_of(module or "__init__")
    if own is None:
        return [f"autotype.{module} is in no room: add its folder to ROOMS"]
    room = ROOMS[own]
    allowed = {own, *_FREE.split(), *room.own.split(), *room.third_party.split()}
    lazily = {*allowed, *room.lazy.split()}
    found = []
    for item in imports_of(source, known):
        is_own = item.name.startswith("autotype.") or item.name == "autotype"
        reached = (room_of(below(item.name)) or "") if is_own else item.name.split(".")[0]
        rooms = lazily if item.in_function or item.for_types else allowed
        if not any(reached == room or reached.startswith(f"{room}.") for room in rooms):
            where = "in a function" if item.in_function else "at the top"
            found.append(f"autotype.{module}:{item.line} imports {item.name} {where}")
    return found


def graph_of(texts: dict[str, str], *, lazy: bool, types: bool) -> dict[str, set[str]]:
    """Return the modules of the package that each module imports."""
    graph = {}
    for module, source in texts.items():
        reached = {
            below(item.name)
            for item in imports_of(source, texts)
            if item.name.partition(".")[0] == "autotype"
            and (lazy or not item.in_function)
            and (types or not item.for_types)
        }
        graph[module] = reached & set(texts) - {module}
    return graph


def circles(graph: dict[str, set[str]]) -> list[list[str]]:
    """Return the strongly connected components of more than one module."""

    def reach(start: str) -> set[str]:
        reached, pending = set(), [start]
        while pending:
            for name in graph[pending.pop()] - reached:
                reached.add(name)
                pending.append(name)
        return reached

    reached = {name: reach(name) for name in graph}
    components = {
        frozenset(other for other in reached[name] if name in reached[other]) for name in graph
    }
    return sorted(sorted(component) for component in components if component)


def test_rooms_import_only_rooms_below() -> None:
    texts = sources()
    assert {"__init__", "types.column_type", "cli.program"} <= set(texts)
    assert [line for module in texts for line in offences(module, texts[module], texts)] == []


def test_there_is_no_circle() -> None:
    """Neither at import time, nor with imports in functions, for type checks and by other ways."""
    texts = sources()
    assert circles(graph_of(texts, lazy=False, types=False)) == []
    assert circles(graph_of(texts, lazy=True, types=False)) == []
    assert circles(graph_of(texts, lazy=True, types=True)) == []


def test_circles_are_seen() -> None:
    by_function = {"a": "def f():\n    from autotype.b import x", "b": "import autotype.a"}
    by_types = {"a": "if TYPE_CHECKING:\n    from autotype import b", "b": "import autotype.a"}
    by_name = {"a": "x = import_module('autotype.b').x", "b": "from autotype.a import y"}
    by_accessor = {"accessor": "import autotype.b", "b": "def f(d):\n    d.ordinal.plot('a')"}
    for texts, modules in [
        (by_function, ["a", "b"]),
        (by_types, ["a", "b"]),
        (by_name, ["a", "b"]),
        (by_accessor, ["accessor", "b"]),
    ]:
        assert circles(graph_of(texts, lazy=True, types=True)) == [modules]
    assert circles(graph_of(by_function, lazy=False, types=True)) == []
    assert circles(graph_of(by_types, lazy=True, types=False)) == []


def test_offences_are_seen() -> None:
    texts = sources()
    for module, source in [
        ("models.svm.solvers.smo", "import pandas"),
        ("models.svm.solvers.smo", "def f():\n    from autotype.models.svm import x"),
        ("models.svm.solvers.smo", "import highspy"),
        ("models.svm.kernel_svm", "from autotype.inference.pipeline import infer_types"),
        ("models.svm.kernel_svm", "import autotype"),
        ("inference.pipeline", "from autotype import accessor"),
        ("inference.pipeline", "def f():\n    from autotype.type_report import TypeReport"),
        ("inference.pipeline", "import tqdm"),
        ("types.column_type", "def f():\n    from autotype.report.text import as_text"),
        ("type_report", "from autotype.report.text import as_text"),
        ("types.column_type", "if True:\n    import scipy"),
        ("report.text", "from autotype import infer_types"),
        ("fitting.typer", "def f(frame):\n    return frame.ordinal.infer_types()"),
        ("types.drift.compare", "from . import column_type"),
        ("utils", "import numpy"),
    ]:
        assert len(offences(module, source, texts)) == 1, (module, source)


def test_what_is_allowed_passes() -> None:
    texts = sources()
    for module, source in [
        ("models.svm.solvers.smo", "from autotype.models.svm.solvers import solution"),
        ("tables.table_file", "def f():\n    import openpyxl"),
        ("type_report", "def f():\n    from autotype.report.text import as_text"),
        ("accessor", "if TYPE_CHECKING:\n    from autotype.type_report import TypeReport"),
        ("types.codec.report_json", "from autotype._version import __version__"),
        ("cli.infer", "import argparse\nfrom autotype.type_report import infer_types"),
    ]:
        assert offences(module, source, texts) == [], (module, source)
