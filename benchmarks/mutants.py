"""Mutants of the package: a sample of them, as cosmic-ray makes them.

Mutants that cannot change behaviour are passed over: those in annotations and under
`if TYPE_CHECKING`, those of `frozen`, `slots` and `kw_only` of a data class, of `lru_cache` and of
SciPy's `check_finite` and `overwrite_a`, those of the marks that make arguments be named, and those
that are no Python.
"""

from __future__ import annotations

import ast
import difflib
import random
from collections import defaultdict
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from cosmic_ray.ast import ast_nodes, get_ast
from cosmic_ray.mutating import mutate_code
from cosmic_ray.plugins import get_operator, operator_names

ROOT = Path(__file__).resolve().parent.parent
FAMILIES = {
    "inference": ["autotype/inference"],
    "solvers": [
        "autotype/models/gaussian_process/solvers",
        "autotype/models/gaussian_process/weight_space",
        "autotype/models/svm/solvers",
        "autotype/models/preferences/solvers",
    ],
    "schema": ["autotype/schema"],
    "types": ["autotype/types"],
    "tables": ["autotype/tables"],
}
DATACLASS_SAFEGUARDS = {"frozen", "slots", "kw_only"}
SAVE_TIME = {"check_finite", "overwrite_a", "overwrite_b", "overwrite_lu", "maxsize"}
CACHES = {"cache", "lru_cache"}


@dataclass
class Mutant:
    """One mutation of one file; `removed` and `added` are its lines before and after."""

    path: str
    line: int
    operator: str
    occurrence: int
    removed: str
    added: str
    status: str = ""
    tests: int = 0
    by: str = ""

    @property
    def key(self) -> tuple[str, str, str, str, int]:
        """What identifies the mutant while lines elsewhere in the file come and go."""
        return self.path, self.operator, self.removed, self.added, self.line


def families() -> dict[str, list[Path]]:
    """Return the source files of each family."""
    return {
        family: sorted(path for folder in folders for path in (ROOT / folder).rglob("*.py"))
        for family, folders in FAMILIES.items()
    }


@lru_cache
def mutations(source: str) -> dict[tuple[int, int], list[tuple[str, int]]]:
    """Return the operators, and their occurrences, at each place of a source text."""
    # No operator asks for names, strings and brackets, which are the most.
    nodes = [
        node
        for node in ast_nodes(get_ast(source))
        if node.type not in ("name", "string", "newline")
        and getattr(node, "value", None) not in ("(", ")", "[", "]", "{", "}", ",", ".", ":", "=")
    ]
    places = defaultdict(list)
    for name in sorted(operator_names()):
        operator_class = get_operator(name)
        if operator_class.arguments():  # replaces a variable that the user names
            continue
        operator = operator_class()
        starts = (start for node in nodes for start, _ in operator.mutation_positions(node))
        for occurrence, start in enumerate(starts):
            places[start].append((name, occurrence))
    return places


class Behaviour(ast.NodeTransformer):
    """Leave out what does not change how a module behaves."""

    def visit_If(self, node):
        """Leave out `if TYPE_CHECKING`, and its opposite, which imports what is there."""
        if "TYPE_CHECKING" in {name.id for name in ast.walk(node.test) if hasattr(name, "id")}:
            return None
        return self.generic_visit(node)

    def visit_AnnAssign(self, node):
        """Leave out the annotation."""
        node.annotation = ast.Constant(None)
        return self.generic_visit(node)

    def visit_FunctionDef(self, node):
        """Leave out the type returned, and the memory of its results."""
        node.returns = None
        called = [d.func if isinstance(d, ast.Call) else d for d in node.decorator_list]
        node.decorator_list = [
            decorator
            for decorator, name in zip(node.decorator_list, called, strict=True)
            if not (isinstance(name, ast.Name) and name.id in CACHES)
        ]
        return self.generic_visit(node)

    def visit_arguments(self, node):
        """Leave out which arguments must be named, and which must not."""
        kept = [d for d in node.kw_defaults if d is not None]
        node.args = [*node.posonlyargs, *node.args, *node.kwonlyargs]
        node.defaults = [*node.defaults, *kept]
        node.posonlyargs, node.kwonlyargs, node.kw_defaults = [], [], []
        return self.generic_visit(node)

    def visit_arg(self, node):
        """Leave out the annotation."""
        node.annotation = None
        return node

    def visit_Call(self, node):
        """Leave out what only guards a data class, or only saves time."""
        is_dataclass = isinstance(node.func, ast.Name) and node.func.id == "dataclass"
        without = DATACLASS_SAFEGUARDS if is_dataclass else SAVE_TIME
        node.keywords = [keyword for keyword in node.keywords if keyword.arg not in without]
        return self.generic_visit(node)


@lru_cache
def behaviour(source: str) -> str | None:
    """Return the syntax tree that decides how a module behaves, or None if it is no Python."""
    try:
        return ast.dump(Behaviour().visit(ast.parse(source)))
    except SyntaxError:
        return None


def mutated(path: Path, source: str, name: str, occurrence: int, line: int) -> Mutant | None:
    """Return the mutant of an operator, or None where it cannot behave differently."""
    try:
        text = mutate_code(source, get_operator(name)(), occurrence)
    except AttributeError:  # cosmic-ray cannot replace exceptions such as `module.Error`
        return None
    if text is None or behaviour(text) in (None, behaviour(source)):
        return None
    before, after = source.splitlines(), text.splitlines()
    changes = difflib.SequenceMatcher(None, before, after, autojunk=False).get_opcodes()
    _, first, last, start, stop = next(change for change in changes if change[0] != "equal")
    return Mutant(
        path=str(path.relative_to(ROOT)),
        line=line,
        operator=name.removeprefix("core/"),
        occurrence=occurrence,
        removed="\n".join(before[first:last]),
        added="\n".join(after[start:stop]),
    )


def draw(size: int, seed: int) -> list[Mutant]:
    """Draw a sample of mutants, each family in proportion to its lines."""
    files = families()
    sources = {path: path.read_text("utf-8") for paths in files.values() for path in paths}
    lines = {f: sum(sources[path].count("\n") for path in paths) for f, paths in files.items()}
    sample = []
    for family, paths in files.items():
        rng = random.Random(f"{seed} {family}")
        share = round(size * lines[family] / sum(lines.values()))
        places = [
            (path, place, operators)
            for path in paths
            for place, operators in sorted(mutations(sources[path]).items())
        ]
        rng.shuffle(places)
        drawn = []
        for path, (line, _), operators in places:
            if len(drawn) == share:
                break
            for name, occurrence in rng.sample(operators, len(operators)):
                if found := mutated(path, sources[path], name, occurrence, line):
                    drawn.append(found)
                    break
        sample += drawn
    return sample


def find_again(old: Mutant) -> Mutant | None:
    """Return a mutant of an earlier run as it is in the source of today, if it is there."""
    path = ROOT / old.path
    if not path.exists():
        return None
    source = path.read_text("utf-8")
    lines = source.splitlines()
    name = f"core/{old.operator}"
    here = [
        found
        for (line, _), operators in mutations(source).items()
        if lines[line - 1] in old.removed.splitlines()
        for other, occurrence in operators
        if other == name and (found := mutated(path, source, name, occurrence, line))
    ]
    same = [new for new in here if (new.removed, new.added) == (old.removed, old.added)]
    return min(same, key=lambda new: abs(new.line - old.line), default=None)
