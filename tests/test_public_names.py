from __future__ import annotations

import importlib
import pickle
import subprocess
import sys
import tomllib

import pandas as pd
import pandera.pandas as pa
import pytest

import autotype

HEAVY = ["sklearn", "scipy", "pandera", "matplotlib", "jinja2", "joblib", "tqdm", "pyarrow"]


PUBLIC = [
    "Codebook",
    "ColumnType",
    "DataWarning",
    "OrdinalFrameEncoder",
    "OrdinalTyper",
    "Table",
    "TypeReport",
    "apply_types",
    "errors",
    "fit",
    "infer_types",
    "judges",
    "metrics",
    "models",
    "plot",
    "plots",
    "read_schema",
    "read_table",
    "to_schema",
    "validate",
    "write_schema",
    "write_table",
]
ERRORS = [
    "AutotypeError",
    "BatchError",
    "KnownTypesError",
    "MissingExtraError",
    "UnknownColumnError",
    "UnknownFormatError",
    "UnreadableTableError",
    "UnreadableTypesError",
    "UnseenLevelError",
    "UnwritableTableError",
    "UnwritableTypesError",
    "WeightsError",
]
PLOTS = [
    "plot",
    "plot_column",
    "plot_drift",
    "plot_likert",
    "plot_report",
]
MODELS = [
    "CalibratedOrdinalClassifier",
    "GPMulticlassClassifier",
    "GPOrdinalClassifier",
    "LinearNPSVOR",
    "LinearNPSVORCV",
    "LinearRedSVM",
    "LowRankCompletion",
    "NPSVOR",
    "OrderPreferenceRegressor",
    "OrderPreferenceRegressorCV",
    "OrdinalBoosting",
    "OrdinalEnsemble",
    "Preferences",
    "SVOR",
    "pearson_kernel",
]
MODULES = ["errors", "judges", "metrics", "models", "plots", "pandera_checks"]


def test_the_public_names_are_these() -> None:
    """Everything else may change; README.md says so."""
    assert autotype.__all__ == PUBLIC
    assert dir(autotype) == sorted([*PUBLIC, "__version__"])
    assert dir(autotype.errors) == autotype.errors.__all__ == ERRORS
    assert dir(autotype.models) == sorted(autotype.models.__all__) == MODELS
    assert dir(autotype.plots) == autotype.plots.__all__ == PLOTS


def test_the_readme_states_what_is_public(repository) -> None:
    text = " ".join((repository / "README.md").read_text(encoding="utf-8").split())
    (sentence,) = [part for part in text.split(". ") if part.startswith("Public are the names")]
    assert all(f"`autotype.{name}`" in sentence for name in ["__all__", *MODULES])
    assert sentence.endswith("everything else may change")


@pytest.mark.parametrize("name", MODULES)
def test_public_modules_are_imported_by_name(name) -> None:
    module = importlib.import_module(f"autotype.{name}")
    assert all(hasattr(module, public) for public in module.__all__)


@pytest.mark.parametrize("name", ERRORS)
def test_errors_have_one_public_place(name) -> None:
    error = getattr(autotype.errors, name)
    assert issubclass(error, autotype.errors.AutotypeError)
    assert error.__module__ == "autotype.errors"
    assert getattr(importlib.import_module("autotype.errors"), name) is error


def test_batch_error_is_the_one_that_is_raised() -> None:
    from autotype.errors import BatchError

    schema = pa.DataFrameSchema({"size": pa.Column(str)})
    with pytest.raises(autotype.errors.AutotypeError, match="fails the schema in 1 way") as caught:
        autotype.validate(pd.DataFrame({"size": [1, 2]}), schema)
    assert type(caught.value) is BatchError


def test_a_missing_extra_is_installed_under_the_distributions_name(repository) -> None:
    error = autotype.errors.MissingExtraError("plots need matplotlib", extra="report")
    project = tomllib.loads((repository / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert isinstance(error, ImportError)
    assert error.extra in project["optional-dependencies"]
    assert f'pip install "{project["name"]}[report]"' in str(error)
    assert str(pickle.loads(pickle.dumps(error))) == str(error)


@pytest.mark.parametrize("name", autotype.__all__)
def test_public_names_resolve(name: str) -> None:
    assert getattr(autotype, name) is not None
    assert name in dir(autotype)


def test_all_is_sorted_and_without_repetition() -> None:
    assert autotype.__all__ == sorted(set(autotype.__all__))


def test_unknown_name() -> None:
    with pytest.raises(AttributeError, match="'autotype' has no attribute 'nothing'"):
        autotype.nothing  # noqa: B018


def printed(program, environment) -> list[str]:
    """Return the words that a program prints in a process of its own."""
    child = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        check=True,
        env=environment,
    )
    return child.stdout.split()


def test_import_loads_nothing_heavy_that_pandas_does_not(child_environment) -> None:
    program = "import sys, pandas; before = set(sys.modules); import autotype\n"
    program += f"print(*(set({HEAVY}) & (set(sys.modules) - before)))"
    assert printed(program, child_environment) == []


def test_the_version_is_the_same_everywhere(repository) -> None:
    project = tomllib.loads((repository / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    build = (repository / "meson.build").read_text(encoding="utf-8")
    assert project["version"] == autotype.__version__
    assert f"version: '{autotype.__version__}'" in build


def test_import_registers_the_accessor() -> None:
    import pandas as pd

    assert hasattr(pd.DataFrame, "ordinal")


def test_import_reads_no_vocabulary(child_environment) -> None:
    program = "import autotype; from autotype.lexicon.toml_files import _built_places, read_toml\n"
    program += "print(read_toml.cache_info().currsize, _built_places.cache_info().currsize)"
    assert printed(program, child_environment) == ["0", "0"]
