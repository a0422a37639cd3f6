"""A layer imports only layers under it: the table of the architecture, enforced on the source."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

import autotype

PACKAGE = Path(autotype.__file__).resolve().parent


@dataclass(frozen=True)
class Layer:
    """What the modules of a layer may import; `lazy` only inside functions, or for type checks."""

    own: frozenset[str] = frozenset()
    third_party: frozenset[str] = frozenset()
    lazy: frozenset[str] = frozenset()


def layer(own: str = "", third_party: str = "", lazy: str = "") -> Layer:
    return Layer(frozenset(own.split()), frozenset(third_party.split()), frozenset(lazy.split()))


# By dotted prefix below `autotype`; the longest prefix that fits a module is its layer. A layer
# may always import itself.
LAYERS = {
    "errors": layer(),
    "wording": layer(),
    "progress": layer(lazy="tqdm"),
    "metrics": layer(third_party="numpy pandas scipy sklearn"),
    "column_type": layer("wording"),
    # Reports show themselves: the display of a report loads when it is first shown.
    "type_report": layer(
        "errors files.atomic_file column_type wording",
        "pandas",
        lazy="report export fitting schema drift sklearn matplotlib pandera pyarrow",
    ),
    "parsing": layer(third_party="numpy pandas"),
    # Reading targets, weights and kernels, the same for every family of estimators.
    "estimators": layer("errors wording", "numpy scipy pandas sklearn"),
    # A family: estimators, and inside it the solvers, which take and give arrays.
    "gaussian_process": layer(
        "errors estimators wording gaussian_process.solvers gaussian_process.weight_space",
        "numpy scipy pandas sklearn",
    ),
    "gaussian_process.solvers": layer("errors", "numpy scipy"),
    "gaussian_process.weight_space": layer("errors gaussian_process.solvers", "numpy scipy"),
    "svm": layer("errors estimators wording svm.solvers", "numpy scipy pandas sklearn"),
    "svm.solvers": layer("errors", "numpy scipy"),
    "preferences": layer(
        "errors estimators wording preferences.solvers", "numpy scipy pandas sklearn"
    ),
    "preferences.solvers": layer("errors", "numpy scipy", lazy="highspy"),
    "inference": layer(
        "errors column_type type_report progress wording parsing inference.labels "
        "gaussian_process.solvers gaussian_process.weight_space",
        "numpy scipy pandas sklearn joblib threadpoolctl",
    ),
    "inference.labels": layer("wording", "numpy"),
    # The method of Hernandez-Lobato et al. (2014), for comparison.
    "paper2014": layer(
        "errors column_type inference gaussian_process gaussian_process.solvers "
        "gaussian_process.weight_space",
        "numpy scipy pandas joblib",
    ),
    # A column's model, and features encoded by the report's types.
    "fitting": layer(
        "errors metrics gaussian_process svm preferences estimators column_type type_report "
        "wording parsing",
        "numpy pandas sklearn",
        lazy="inference schema export",
    ),
    "files": layer(
        "errors wording type_report files.atomic_file", "pandas", lazy="pyarrow openpyxl"
    ),
    "files.atomic_file": layer(),
    "export": layer(
        "errors column_type type_report files.atomic_file wording",
        "numpy pandas",
        lazy="__init__ pyarrow",
    ),
    "schema": layer(
        "errors column_type type_report export files.atomic_file wording",
        "numpy pandas",
        lazy="schema.failures schema.level_dtype pandera yaml pyarrow",
    ),
    # Imported inside functions that need pandera anyhow.
    "schema.level_dtype": layer(third_party="pandera"),
    "schema.failures": layer("errors column_type schema", "numpy pandas pandera"),
    "drift": layer("errors column_type type_report wording", "numpy pandas scipy"),
    "report": layer(
        "errors column_type type_report export files.atomic_file wording",
        "numpy pandas",
        lazy="__init__ jinja2 matplotlib",
    ),
    # Knows pandera's name, no more: `import autotype` loads it.
    "schema.registration": layer(lazy="schema"),
    "accessor": layer(
        "",
        "pandas",
        lazy="type_report inference schema export report fitting preferences matplotlib pandera "
        "pyarrow",
    ),
    "__init__": layer(
        "accessor column_type type_report schema.registration",
        lazy="inference gaussian_process svm preferences schema fitting errors metrics",
    ),
    "cli": layer("__init__ errors files", "pandas", lazy="pandera"),
    "__main__": layer("cli"),
}


@dataclass(frozen=True)
class Import:
    """One imported module: `autotype.x.y` or a third party's first name."""

    module: str
    line: int
    lazy: bool


def modules() -> list[str]:
    paths = sorted(PACKAGE.rglob("*.py"))
    return [".".join(path.relative_to(PACKAGE).with_suffix("").parts) for path in paths]


def layer_of(module: str) -> str | None:
    parts = module.split(".")
    prefixes = [".".join(parts[:n]) for n in range(len(parts), 0, -1)]
    return next((prefix for prefix in prefixes if prefix in LAYERS), None)


def imports_of(tree: ast.Module) -> Iterator[Import]:
    """All imports of a module but those of the standard library."""
    pending: list[tuple[ast.AST, bool]] = [(node, False) for node in tree.body]
    while pending:
        node, lazy = pending.pop()
        inside = lazy or isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            inside = True
        pending += [(child, inside) for child in ast.iter_child_nodes(node)]
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            if node.level:
                yield Import("." * node.level, node.lineno, lazy)
            elif node.module == "autotype":
                names = [f"autotype.{alias.name}" for alias in node.names]
            else:
                names = [node.module or ""]
        for name in names:
            if name.split(".")[0] not in sys.stdlib_module_names:
                yield Import(name, node.lineno, lazy)


def target(imported: str) -> str:
    """The layer, or the third party's first name, that an import reaches."""
    first, _, rest = imported.partition(".")
    if first != "autotype":
        return first
    return layer_of(rest) or "__init__"  # a public name of the package itself


def offences(module: str, source: str) -> list[str]:
    own = layer_of(module)
    if own is None:
        return [f"autotype.{module} has no layer: give it one in LAYERS"]
    rules = LAYERS[own]
    found = []
    for item in imports_of(ast.parse(source)):
        if item.module.startswith("."):
            found.append(f"autotype.{module}:{item.line} imports relatively")
            continue
        reached = target(item.module)
        allowed = {own, *rules.own, *rules.third_party, *(rules.lazy if item.lazy else ())}
        if reached not in allowed:
            where = "inside a function" if item.lazy else "at the top"
            found.append(f"autotype.{module}:{item.line} imports {item.module} {where}")
    return found


def test_the_package_is_found() -> None:
    assert {"__init__", "column_type", "cli.program"} <= set(modules())


@pytest.mark.parametrize("module", modules())
def test_imports_only_layers_below(module: str) -> None:
    path = PACKAGE.joinpath(*module.split(".")).with_suffix(".py")
    module = module.removesuffix(".__init__")
    assert offences(module, path.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("svm.solvers.smo", "import pandas"),
        ("svm.solvers.smo", "def f():\n    from autotype.svm import x"),
        ("svm.solvers.smo", "import highspy"),
        ("svm.svor", "from autotype.inference.pipeline import infer_types"),
        ("svm.svor", "import autotype"),
        ("inference.pipeline", "from autotype import accessor"),
        ("inference.pipeline", "import tqdm"),
        ("column_type", "def f():\n    from autotype.report.text import as_text"),
        ("type_report", "from autotype.report.text import as_text"),
        ("column_type", "if True:\n    import numpy"),
        ("cli", "from autotype.inference.pipeline import infer_types"),
        ("report.text", "from autotype import __version__"),
        ("drift.compare", "from . import column_type"),
        ("utils", "import numpy"),
    ],
)
def test_offences_are_seen(module: str, source: str) -> None:
    assert len(offences(module, source)) == 1


@pytest.mark.parametrize(
    ("module", "source"),
    [
        (
            "svm.solvers.smo",
            "from scipy.linalg import cholesky\nfrom autotype.svm.solvers import x",
        ),
        ("preferences.solvers.highs", "def f():\n    import highspy"),
        ("type_report", "def f():\n    from autotype.report.text import as_text"),
        ("accessor", "if TYPE_CHECKING:\n    from autotype.type_report import TypeReport"),
        ("export.json_write", "def f():\n    from autotype import __version__"),
        ("cli", "import autotype\nimport argparse"),
    ],
)
def test_what_is_allowed_passes(module: str, source: str) -> None:
    assert offences(module, source) == []
