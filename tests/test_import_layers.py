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
    "_version": layer(),
    "_source_folder": layer(),
    # Re-exports BatchError, a subclass of pandera's error, on first use.
    "errors": layer(lazy="schema.batches.failures"),
    "wording": layer(),
    "progress": layer(lazy="tqdm"),
    "metrics": layer("estimators", "numpy pandas scipy sklearn"),
    "nan_equality": layer(),
    "data_warning": layer(),
    "batteries": layer(),
    "column_profile": layer(),
    "column_type": layer("column_profile nan_equality wording"),
    "column_mapping": layer("errors column_type nan_equality wording"),
    # The display and export of a report load on first use.
    "type_report": layer(
        "files.atomic_file column_mapping column_type data_warning nan_equality",
        "pandas",
        lazy="report export decisions fitting schema drift sklearn matplotlib pandera pyarrow",
    ),
    "parsing": layer(third_party="numpy pandas", lazy="pyarrow"),
    # Reading targets, weights and kernels, the same for every family of estimators.
    "estimators": layer("errors wording", "numpy scipy pandas sklearn"),
    # A family: estimators, and inside it the solvers, which take and give arrays.
    "gaussian_process": layer(
        "errors estimators wording gaussian_process.solvers gaussian_process.weight_space",
        "numpy scipy pandas sklearn",
    ),
    "gaussian_process.solvers": layer("_source_folder errors", "numpy scipy"),
    "gaussian_process.weight_space": layer(
        "_source_folder errors gaussian_process.solvers", "numpy scipy"
    ),
    "svm": layer("errors estimators wording svm.solvers", "numpy scipy pandas sklearn"),
    "svm.solvers": layer("_source_folder errors", "numpy scipy"),
    "preferences": layer(
        "errors estimators wording preferences.solvers", "numpy scipy pandas sklearn"
    ),
    "preferences.solvers": layer("errors", "numpy scipy"),
    # Frames of any engine: columns in memory, or counts and rows of a table that stays there.
    "frames": layer(
        "errors parsing",
        "numpy pandas",
        lazy="narwhals polars duckdb pyspark dask ibis pyarrow",
    ),
    # Statements on columns: read, written, applied to a report, asked for.
    "decisions": layer(
        "batteries errors column_type export files.atomic_file nan_equality wording",
        lazy="type_report",
    ),
    # The steps of inference, each from those before it: sample, clean, triage, gather evidence,
    # decide. The flow of all of them is the pipeline's.
    "inference": layer(
        "column_profile decisions errors frames column_type data_warning nan_equality parsing "
        "progress type_report wording inference.labels inference.sampling inference.cleaning "
        "inference.triage inference.learned inference.label_judge inference.evidence "
        "inference.verdict inference.workers",
        "numpy scipy pandas sklearn",
    ),
    "inference.sampling": layer(
        "_source_folder frames parsing inference.labels", "numpy pandas scipy"
    ),
    "inference.cleaning": layer(
        "column_type data_warning parsing wording inference.labels inference.sampling",
        "numpy pandas",
    ),
    "inference.triage": layer(
        "column_type parsing inference.labels inference.sampling", "numpy pandas"
    ),
    "inference.learned": layer("inference.labels", "numpy"),
    "inference.workers": layer(lazy="joblib"),
    "inference.label_judge": layer("progress wording inference.learned"),
    "inference.evidence": layer(
        "_source_folder batteries parsing progress gaussian_process.solvers "
        "gaussian_process.weight_space inference.labels inference.learned inference.label_judge "
        "inference.sampling inference.triage inference.workers",
        "numpy scipy pandas sklearn joblib threadpoolctl",
    ),
    "inference.verdict": layer(
        "batteries column_type wording inference.labels inference.learned inference.sampling "
        "inference.triage inference.evidence",
        "numpy scipy pandas",
    ),
    "inference.labels": layer("wording", "numpy"),
    # Second opinions by servers on the network.
    "judges": layer("_version files.atomic_file wording"),
    # The method of Hernandez-Lobato et al. (2014), for comparison.
    "paper2014": layer(
        "errors column_type type_report progress inference inference.sampling inference.triage "
        "inference.evidence inference.verdict gaussian_process.solvers "
        "gaussian_process.weight_space",
        "numpy scipy pandas joblib",
    ),
    # A column's model, and features encoded by the report's types.
    "fitting": layer(
        "errors metrics gaussian_process svm preferences estimators column_mapping column_type "
        "type_report export frames wording parsing nan_equality",
        "numpy pandas sklearn",
        lazy="inference",
    ),
    "files": layer(
        "data_warning errors parsing wording files.atomic_file",
        "numpy pandas",
        lazy="type_report export pyarrow openpyxl narwhals duckdb polars ibis",
    ),
    "files.atomic_file": layer(),
    "export": layer(
        "_version errors column_mapping column_profile column_type data_warning files.atomic_file "
        "frames "
        "nan_equality parsing wording",
        "numpy pandas",
        lazy="type_report pyarrow polars pyspark ibis yaml",
    ),
    # Checks; batches of any library against them; on top, schemas as objects and files.
    "schema": layer(
        "_version errors column_type export files.atomic_file frames nan_equality parsing wording "
        "schema.notes schema.checks schema.batches",
        "numpy pandas",
        lazy="type_report schema.batches.failures pandera yaml narwhals",
    ),
    "schema.notes": layer("column_type errors export wording", "pandas", lazy="pandera"),
    "schema.checks": layer(
        "errors column_type export nan_equality parsing wording",
        "numpy pandas",
        lazy="schema.checks.level_dtype pandera pyarrow",
    ),
    "schema.batches": layer(
        "errors export frames parsing wording schema.notes schema.checks",
        "numpy pandas",
        lazy="schema.batches.failures pandera narwhals pyarrow",
    ),
    # Imported inside functions that need pandera anyhow.
    "schema.checks.level_dtype": layer("schema.checks", "pandas pandera"),
    "schema.batches.failures": layer(
        "errors column_type schema.batches schema.checks wording", "numpy pandas pandera"
    ),
    # A schema or report in the terms of other tools.
    "constraints": layer(
        "_version errors export",
        lazy="type_report schema schema.checks pandera",
    ),
    "drift": layer(
        "errors column_mapping column_type nan_equality wording",
        "numpy pandas scipy",
        lazy="_version type_report export report files.atomic_file",
    ),
    "report": layer(
        "errors column_type decisions export nan_equality files.atomic_file wording",
        "numpy pandas",
        lazy="type_report jinja2 matplotlib",
    ),
    "plots": layer("report", lazy="inference type_report matplotlib"),
    "pandera_checks": layer("schema.checks"),
    "accessor": layer(
        "",
        "pandas",
        lazy="type_report decisions inference inference.label_judge schema export plots fitting "
        "preferences matplotlib pandera pyarrow",
    ),
    # Of inference only one `__init__`, which checks that there are compiled modules.
    "__init__": layer(
        "_version accessor column_type data_warning inference.evidence type_report",
        lazy="inference gaussian_process svm preferences schema constraints export fitting errors "
        "judges metrics plots",
    ),
    "polars": layer("accessor", "polars"),
    "cli": layer(
        "__init__ data_warning decisions errors files files.atomic_file report wording",
        "pandas",
        lazy="column_type drift judges schema",
    ),
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


def runtime_imports(module: str, source: str, known: set[str]) -> set[str]:
    """Modules of the package that a module imports anywhere but for type checks."""

    class Collector(ast.NodeVisitor):
        def __init__(self) -> None:
            self.reached: set[str] = set()

        def visit_If(self, node: ast.If) -> None:
            if "TYPE_CHECKING" not in ast.unparse(node.test):
                self.generic_visit(node)

        def visit_Import(self, node: ast.Import) -> None:
            self.reached |= {alias.name for alias in node.names}

        def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
            for alias in node.names:
                whole = f"{node.module}.{alias.name}"
                is_module = whole.removeprefix("autotype.") in known
                self.reached.add(whole if is_module else str(node.module))

    collector = Collector()
    collector.visit(ast.parse(source))
    own = {name for name in collector.reached if name.partition(".")[0] == "autotype"}
    names = {name.partition(".")[2] or "__init__" for name in own}
    return {name for name in names if name in known and name != module}


def circles(imports: dict[str, set[str]]) -> list[list[str]]:
    """Strongly connected components of more than one module."""

    def reach(start: str) -> set[str]:
        reached, pending = set(), [start]
        while pending:
            for name in imports[pending.pop()] - reached:
                reached.add(name)
                pending.append(name)
        return reached

    reached = {name: reach(name) for name in imports}
    components = {
        frozenset(other for other in reached[name] if name in reached[other]) for name in imports
    }
    return sorted(sorted(component) for component in components if component)


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


def test_no_circles() -> None:
    sources = {
        module.removesuffix(".__init__"): PACKAGE.joinpath(*module.split(".")).with_suffix(".py")
        for module in modules()
    }
    imports = {
        module: runtime_imports(module, path.read_text(encoding="utf-8"), set(sources))
        for module, path in sources.items()
    }
    assert circles(imports) == []


def test_a_circle_is_seen() -> None:
    known = {"a", "b", "c"}
    imports = {
        "a": runtime_imports("a", "def f():\n    from autotype.b import x", known),
        "b": runtime_imports("b", "from autotype import a, c", known),
        "c": runtime_imports("c", "if TYPE_CHECKING:\n    import autotype.a", known),
    }
    assert circles(imports) == [["a", "b"]]


@pytest.mark.parametrize("module", modules())
def test_imports_only_layers_below(module: str) -> None:
    path = PACKAGE.joinpath(*module.split(".")).with_suffix(".py")
    module = module.removesuffix(".__init__")
    assert offences(module, path.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("svm.solvers.smo", "import pandas"),
        ("svm.solvers.smo", "def f():\n    from autotype.models.svm import x"),
        ("svm.solvers.smo", "import highspy"),
        ("svm.svor", "from autotype.inference.pipeline import infer_types"),
        ("svm.svor", "import autotype"),
        ("inference.pipeline", "from autotype import accessor"),
        ("inference.pipeline", "import tqdm"),
        ("column_type", "def f():\n    from autotype.report.text import as_text"),
        ("type_report", "from autotype.report.text import as_text"),
        ("column_type", "if True:\n    import numpy"),
        ("cli", "from autotype.inference.pipeline import infer_types"),
        ("report.text", "from autotype import infer_types"),
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
            "from scipy.linalg import cholesky\nfrom autotype.models.svm.solvers import x",
        ),
        ("files.table_file", "def f():\n    import openpyxl"),
        ("type_report", "def f():\n    from autotype.report.text import as_text"),
        ("accessor", "if TYPE_CHECKING:\n    from autotype.type_report import TypeReport"),
        ("export.json_write", "from autotype._version import __version__"),
        ("cli", "import autotype\nimport argparse"),
    ],
)
def test_what_is_allowed_passes(module: str, source: str) -> None:
    assert offences(module, source) == []
