"""The checks of levels in any schema or model, and when pandera learns of them."""

import subprocess
import sys

import numpy as np
import pandas as pd
import pandera.pandas as pa
import pytest
from pandera.engines.pandas_engine import Engine
from pandera.errors import SchemaError
from pandera.typing import Series

import autotype.pandera_checks  # noqa: F401 - registers the checks
from autotype.schema.checks.level_checks import is_categorical, is_ordinal
from autotype.schema.checks.table import register_checks
from autotype.schema.levels import as_schema, category_dtype, format_levels, membership
from autotype.types.levels import LevelSet

NOTE = {"owner": "shop"}
SIZES = pd.CategoricalDtype(["S", "M", "L"], ordered=True)


class Shirts(pa.DataFrameModel):
    size: Series[pd.CategoricalDtype] = pa.Field(is_ordinal=["S", "M", "L"], nullable=True)
    mood: Series[pd.CategoricalDtype] = pa.Field(
        is_ordinal={"order": ["low", "high"], "off_scale": ["?"]}
    )
    town: Series[pd.CategoricalDtype] = pa.Field(is_categorical=["Ulm", "Rom"])


MOODS = pd.CategoricalDtype(["?", "low", "high"], ordered=True)
TOWNS = pd.CategoricalDtype(["Rom", "Ulm"])


def shirts(**changes):
    frame = pd.DataFrame({"size": ["S", None], "mood": ["low", "?"], "town": ["Ulm", "Rom"]})
    return frame.astype({"size": SIZES, "mood": MOODS, "town": TOWNS} | changes)


def test_in_a_model():
    Shirts.validate(shirts())
    for changes in (
        {"size": "category"},
        {"size": pd.CategoricalDtype(["M", "S", "L"], ordered=True)},
        {"size": pd.CategoricalDtype(["S", "M", "L", "XL"], ordered=True)},
        {"mood": pd.CategoricalDtype(["low", "?", "high"], ordered=True)},
        {"town": pd.CategoricalDtype(["Rom", "Ulm"], ordered=True)},
        {"town": pd.CategoricalDtype(["Rom", "Ulm", "Bern"])},
    ):
        with pytest.raises(SchemaError):
            Shirts.validate(shirts(**changes))


def test_in_a_schema_and_alone():
    check = pa.Check.is_ordinal(["S", "M", "L"])
    schema = pa.DataFrameSchema({"size": pa.Column(checks=check)})
    schema.validate(pd.DataFrame({"size": pd.Series(["S"], dtype=SIZES)}))
    result = check(pd.Series(["S", "XL", "M"]))
    assert result.failure_cases.tolist() == ["XL"]
    assert not check(pd.Series(["S", "M"])).check_passed


def test_levels_of_odd_kinds():
    dates = pd.to_datetime(["2024-01-01", "2024-02-01"])
    values = pd.Series(pd.Categorical(dates, ordered=True))
    assert is_ordinal(values, order=list(dates)) is True
    flags = pd.Series(pd.Categorical([True, False], categories=[False, True], ordered=True))
    assert is_ordinal(flags, order=[False, True]) is True
    assert is_ordinal(flags, order=[0, 1]).tolist() == [False, False]
    assert is_ordinal(pd.Series([[1], None]), order=[1]).tolist() == [False, True]
    assert is_categorical(pd.Series([1, 2], dtype="category"), levels=[2, 1]) is True
    assert membership([1])(1.0)
    assert not membership(["1"])(1)
    assert is_ordinal(pd.Series([np.nan]), order=[1]) is False


def test_many_levels_are_shortened():
    assert format_levels(LevelSet(tuple(range(30)))).endswith("10, ..., 29")


def test_registered_once():
    register_checks()
    register_checks()
    assert "is_ordinal" in pa.Check


def test_import_autotype_changes_no_import(child_environment):
    program = "import sys; before = list(sys.meta_path); import autotype\n"
    program += "assert sys.meta_path == before and 'pandera' not in sys.modules"
    subprocess.run([sys.executable, "-c", program], env=child_environment, check=True)


@pytest.mark.parametrize(
    "imports",
    [
        "import autotype.pandera_checks, pandera.pandas as pa",
        "import pandera.pandas as pa, autotype.pandera_checks",
        "import autotype, pandas, pandera.pandas as pa\n"
        "frame = pandas.DataFrame({'a': [1.5]})\n"
        "autotype.to_schema(frame, autotype.infer_types(frame))",
        "import autotype, pandas, pandera.pandas as pa\n"
        "autotype.validate(pandas.DataFrame({'a': [1.5]}), pa.DataFrameSchema())",
    ],
)
def test_pandera_knows_them_after_an_import_or_a_schema(imports, child_environment):
    program = f"{imports}\nprint(pa.Check.is_ordinal(order=[1, 2]))"
    child = subprocess.run(
        [sys.executable, "-W", "error", "-c", program],
        env=child_environment,
        capture_output=True,
        text=True,
    )
    assert child.stdout.startswith("<Check is_ordinal"), child.stderr


@pytest.mark.parametrize(
    ("levels", "ordered", "fits"),
    [
        (["S", "M", "L"], True, True),
        (["S", "M", "L"], False, False),
        (["M", "S", "L"], True, False),
        (["S", "M"], True, False),
    ],
)
def test_a_dtype_of_levels_is_one_of_the_same_order(levels, ordered, fits):
    dtype = Engine.dtype(pd.CategoricalDtype(levels, ordered=ordered))
    assert category_dtype(["S", "M", "L"], ordered=True).check(dtype) == fits
    is_same_set = sorted(levels) == ["L", "M", "S"] and not ordered
    assert category_dtype(["S", "M", "L"], ordered=False).check(dtype) == is_same_set


def test_the_metadata_of_a_model_is_that_of_its_schema():
    class Noted(Shirts):
        class Config:
            metadata = NOTE

    assert as_schema(Noted).metadata == NOTE
