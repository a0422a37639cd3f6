"""Schemas on disk: levels, order and dtypes survive, in a fresh process too."""

import subprocess
import sys

import pandas as pd
import pandera.io.pandas_io
import pandera.pandas as pa
import pytest
from pandera.errors import SchemaErrors

import autotype
from autotype.schema.yaml_io import schema_from_yaml, schema_to_yaml

FRAME = pd.DataFrame(
    {
        "mood": pd.Categorical(["low", "high"], categories=["low", "mid", "high"], ordered=True),
        "answer": pd.Categorical(["yes", "null"], categories=["no", "null", "yes"], ordered=True),
        "town": pd.Categorical(["Ulm", "Rom"]),
        "age": [31, 47],
    }
)
TYPES = autotype.infer_types(FRAME, known={"town": "categorical", "age": "count"})
SCHEMA = FRAME.ordinal.to_schema(TYPES, name="panel")


def test_the_schema_read_back_is_the_same(tmp_path):
    autotype.write_schema(SCHEMA, tmp_path / "schema.yaml")
    again = autotype.read_schema(tmp_path / "schema.yaml")
    assert again.name == "panel"
    assert again.metadata == SCHEMA.metadata
    for name, column in SCHEMA.columns.items():
        assert again.columns[name].dtype == column.dtype
        assert list(map(str, again.columns[name].checks)) == list(map(str, column.checks))
    assert schema_to_yaml(again) == schema_to_yaml(SCHEMA)
    assert again.validate(FRAME).equals(FRAME)


def test_types_are_no_schema(tmp_path):
    with pytest.raises(TypeError, match=r"got TypeReport; autotype\.to_schema\(frame, types\)"):
        autotype.write_schema(TYPES, tmp_path / "schema.yaml")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "read", [pa.DataFrameSchema.from_yaml, pandera.io.pandas_io.from_yaml, schema_from_yaml]
)
@pytest.mark.parametrize("write", [schema_to_yaml, lambda schema: schema.to_yaml()])
def test_pandera_reads_and_writes_it_too(read, write):
    schema = read(write(SCHEMA))
    schema.validate(FRAME)
    raw = FRAME.astype({"mood": str, "answer": str, "town": str})
    pd.testing.assert_frame_equal(raw.ordinal.validate(schema), FRAME)
    for values in (
        FRAME["mood"].cat.as_unordered(),
        FRAME["mood"].cat.reorder_categories(["mid", "low", "high"]),
        FRAME["mood"].cat.rename_categories({"low": "Low"}),
    ):
        with pytest.raises(SchemaErrors):
            schema.validate(FRAME.assign(mood=values), lazy=True)


def test_coercion_survives_even_panderas_own_reading():
    schema = FRAME.ordinal.to_schema(TYPES, coerce=True)
    raw = FRAME.astype({"mood": str, "answer": str, "town": str})
    for again in (
        schema_from_yaml(schema_to_yaml(schema)),
        pa.DataFrameSchema.from_yaml(schema.to_yaml()),
    ):
        pd.testing.assert_frame_equal(raw.ordinal.validate(again), FRAME)
        pd.testing.assert_frame_equal(FRAME.ordinal.validate(again), FRAME)


def run(program, tmp_path, environment):
    return subprocess.run(
        [sys.executable, "-W", "error", "-c", program],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
    )


BATCH = """
import pandas as pd
batch = pd.DataFrame({
    "mood": pd.Categorical(["low"], categories=["mid", "low", "high"], ordered=True),
    "answer": pd.Categorical(["yes"], categories=["no", "null", "yes"], ordered=True),
    "town": pd.Categorical(["Ulm"], categories=["Rom", "Ulm"]),
    "age": [30],
})
good = batch.assign(mood=batch["mood"].cat.reorder_categories(["low", "mid", "high"]))
schema.validate(good)
try:
    schema.validate(batch)
except Exception as error:
    print(type(error).__name__)
"""


@pytest.mark.parametrize(
    "read",
    [
        "import autotype; schema = autotype.read_schema('schema.yaml')",
        "import autotype.pandera_checks; from pandera.io.pandas_io import from_yaml\n"
        "schema = from_yaml('schema.yaml')",
        "import pandera.pandas as pa, autotype.pandera_checks\n"
        "schema = pa.DataFrameSchema.from_yaml('schema.yaml')",
    ],
)
def test_in_a_fresh_process(read, tmp_path, child_environment):
    autotype.write_schema(SCHEMA, tmp_path / "schema.yaml")
    child = run(f"{read}\n{BATCH}", tmp_path, child_environment)
    assert child.returncode == 0, child.stderr
    assert child.stdout.split() == ["SchemaError"]


def test_without_autotype_the_file_is_refused_rather_than_half_read(tmp_path, child_environment):
    autotype.write_schema(SCHEMA, tmp_path / "schema.yaml")
    program = "import pandera.io.pandas_io; pandera.io.pandas_io.from_yaml('schema.yaml')"
    child = run(program, tmp_path, child_environment)
    assert child.returncode == 1
    assert "is_ordinal" in child.stderr


def test_files_that_are_not_schemas(tmp_path):
    path = tmp_path / "schema.yaml"
    with pytest.raises(FileNotFoundError):
        autotype.read_schema(path)
    for text, message in (
        ("a: [1", "schema.yaml: not YAML"),
        ("just text", "no 'schema_type: dataframe'"),
        ("schema_type: dataframe\napi: polars", "a schema for polars, not for pandas frames"),
        ("schema_type: dataframe\ncolumns: {a: {dtype: nonsense}}", "pandera can read: .*nonsense"),
    ):
        path.write_text(text)
        with pytest.raises(ValueError, match=message):
            autotype.read_schema(path)


def test_names_that_yaml_cannot_hold():
    schema = pa.DataFrameSchema({pd.Timestamp("2024-01-01"): pa.Column(int)})
    with pytest.raises(ValueError, match=r"what YAML cannot: .*rename the column"):
        schema_to_yaml(schema)


def test_names_that_are_nested_tuples():
    frame = pd.DataFrame({"a": ["x", "y", "z"] * 5, "b": range(15)})
    frame.columns = pd.Index([("a", ("b", 2)), ("c", 1)], tupleize_cols=False)
    schema = frame.ordinal.to_schema(frame.ordinal.infer_types())
    again = schema_from_yaml(schema_to_yaml(schema))
    assert list(again.columns) == [("a", ("b", 2)), ("c", 1)]
    assert len(autotype.validate(frame, again)) == 15
