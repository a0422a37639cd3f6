"""A command loads what it needs, and nothing else."""

from __future__ import annotations

import argparse
import shlex
import subprocess
import sys
from importlib.metadata import version

import pandas as pd
import pytest

import autotype
from _autotype_command.arguments import SEPARATOR_WORDS
from _autotype_command.parser import make_parser
from autotype.tables.table import MAX_COLUMNS
from autotype.tables.table_file import LARGE
from autotype.tables.text.csv_text import WORDS

# What takes long to load, and a small CSV file does not need.
HEAVY = [
    "scipy.stats",
    "scipy.optimize",
    "scipy.sparse",
    "scipy.spatial",
    "numpy.f2py.f2py2e",
    "numpy.testing._private.utils",
    "sklearn",
    "joblib",
    "pandera",
    "yaml",
    "jinja2",
    "matplotlib",
    "narwhals",
    "duckdb",
    "polars",
    "ibis",
    "openpyxl",
    "tqdm",
    "multiprocessing",
    "asyncio",
    "autotype.report.html",
    "autotype.tables.text.large_csv",
    "autotype.tables.table_output",
    "autotype.cli.job",
    "autotype.schema",
    "autotype.fitting",
    "autotype.types.drift.compare",
    "autotype.inference.frames.apply_types",
]
# What only the outputs of `validate` need.
WRITERS = ["autotype.report", "xml.etree"]
# What the checks of `validate` need; pandera loads asyncio.
CHECKS = {"pandera", "yaml", "asyncio", "autotype.schema"}
# What only the models of a column need.
MODELS = ["scipy.special", "scipy.linalg", "autotype.inference.pipeline"]


def loaded(*arguments: str, folder, environment) -> set[str]:
    """Run a command, and return the modules that are loaded at its end."""
    program = (
        "import gc, sys; from _autotype_command import main; code = main(); assert gc.isenabled(); "
        "print('\\n', *sys.modules); sys.exit(code)"
    )
    return loaded_by(program, *arguments, folder=folder, environment=environment)


def loaded_by(program: str, *arguments: str, folder, environment) -> set[str]:
    """Run a program that prints its modules in the last line, and return them."""
    child = subprocess.run(
        [sys.executable, "-c", program, *arguments],
        capture_output=True,
        text=True,
        cwd=folder,
        env=environment,
        timeout=120,
    )
    assert child.returncode == 0, child.stderr
    return set(child.stdout.splitlines()[-1].split())


@pytest.fixture
def folder(tmp_path):
    rows = [f"{'SML'[k % 3]},{k % 3 * 10 + k % 7},{'ab'[k % 2]}{k % 5}" for k in range(60)]
    (tmp_path / "small.csv").write_text("\n".join(["size,price,code", *rows]) + "\n")
    return tmp_path


def test_infer_on_a_small_file(folder, child_environment) -> None:
    found = loaded("infer", "small.csv", folder=folder, environment=child_environment)
    program = "import sys, scipy.special; print(*sys.modules)"
    of_scipy = loaded_by(program, folder=folder, environment=child_environment)
    assert found & set(HEAVY) <= of_scipy & {"scipy.sparse"}  # which SciPy 1.15 itself loads
    assert found >= set(MODELS)  # the models were fitted


def test_validate_a_small_file(folder, child_environment) -> None:
    frame = pd.read_csv(folder / "small.csv")
    schema = autotype.to_schema(frame, autotype.infer_types(frame))
    autotype.write_schema(schema, folder / "schema.yaml")
    arguments = ["validate", "small.csv", "--schema", "schema.yaml"]
    found = loaded(*arguments, folder=folder, environment=child_environment)
    assert found & {*HEAVY, *MODELS, *WRITERS} == CHECKS


@pytest.mark.parametrize("arguments", [["--version"], ["--help"], ["infer", "--help"]])
def test_help_loads_nothing(folder, child_environment, arguments) -> None:
    found = loaded(*arguments, folder=folder, environment=child_environment)
    assert found & {*HEAVY, *MODELS, "numpy", "pandas", "autotype"} == set()


def test_the_parser_states_what_readers_use() -> None:
    assert tuple(WORDS) == SEPARATOR_WORDS
    (group,) = (a for a in make_parser()._actions if isinstance(a, argparse._SubParsersAction))
    texts = {a.dest: a.help for a in group.choices["infer"]._actions}
    assert f"(default: {LARGE >> 20}M)" in texts["large"]
    assert f"(default: {MAX_COLUMNS})" in texts["max_columns"]
    assert autotype.__version__ == version("autotype-ordinal")


def test_several_workers_need_joblib(folder, child_environment) -> None:
    arguments = ["infer", "small.csv", "--n-jobs", "2"]
    assert "joblib" in loaded(*arguments, folder=folder, environment=child_environment)


def test_deferred_modules_load_when_used(folder, child_environment) -> None:
    program = (
        "import sys; from _autotype_command import main; main(); import numpy; "
        "numpy.testing.assert_array_equal([1], [1]); from numpy import f2py; "
        "print(f2py.get_include())"
    )
    child = subprocess.run(
        [sys.executable, "-c", program, "--version"],
        capture_output=True,
        text=True,
        env=child_environment,
        timeout=120,
    )
    assert child.returncode == 0, child.stderr
    assert "f2py" in child.stdout.splitlines()[-1]


def test_the_module_starts_as_the_script_does(folder, child_environment) -> None:
    program = (
        "import runpy, sys\ntry:\n    runpy.run_module('autotype', run_name='__main__')\n"
        "except SystemExit:\n    print('\\n', *sys.modules)"
    )
    found = loaded_by(program, "infer", "small.csv", folder=folder, environment=child_environment)
    assert "autotype.inference.pipeline" in found
    assert "unittest" not in found  # of numpy.testing, which is deferred


@pytest.mark.parametrize("command", ["infer", "validate", "compare", "apply", "report", "review"])
def test_examples_of_the_help_are_commands(command) -> None:
    parser = make_parser()
    (group,) = (a for a in parser._actions if isinstance(a, argparse._SubParsersAction))
    listed = group.choices[command].epilog.partition("\n\n")[0].splitlines()[1:]
    assert listed
    for line in listed:
        program, *arguments = shlex.split(line)
        assert (program, parser.parse_args(arguments).command) == ("autotype", command)
