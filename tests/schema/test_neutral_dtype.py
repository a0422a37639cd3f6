"""Schemas on disk name no dtype that needs a certain library."""

import subprocess
import sys

import pandas as pd
import pandera.pandas as pa
import pytest
from pandera.errors import SchemaErrors

import autotype
from autotype.schema.yaml_io import neutral_dtype, schema_from_yaml, schema_to_yaml
from autotype.type_report import TypeReport
from autotype.types.column_type import ColumnType

TYPES = TypeReport(
    [ColumnType("note", "text"), ColumnType("n", "count"), ColumnType("day", "datetime")]
)
FRAME = pd.DataFrame(
    {
        "note": pd.Series(["a", "b", "c"], dtype=pd.StringDtype("python")),  # objects in pandas 2
        "n": [1, 2, 3],
        "day": pd.date_range("2024-01-01", periods=3),
    }
)
WITHOUT_PYARROW = """
import sys

class NoArrow:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] == "pyarrow":
            raise ImportError("pyarrow is not installed")

sys.meta_path.insert(0, NoArrow())
from autotype.cli import main

sys.exit(main(sys.argv[1:]))
"""


@pytest.mark.parametrize(
    ("name", "nullable", "neutral"),
    [
        ("string[pyarrow]", False, "str"),
        ("string[python]", False, "str"),
        ("large_string[pyarrow]", True, "str"),
        ("arrow_string", False, "str"),
        ("uint16[pyarrow]", False, "uint16"),
        ("uint16[pyarrow]", True, "UInt16"),
        ("double[pyarrow]", True, "float64"),
        ("bool[pyarrow]", True, "boolean"),
        ("timestamp[ns][pyarrow]", False, "datetime64[ns]"),
        ("duration[s][pyarrow]", False, "timedelta64[s]"),
        ("date32[day][pyarrow]", False, None),
        ("decimal128(10, 2)[pyarrow]", False, None),
        ("list<item: int64>[pyarrow]", False, None),
        ("datetime64[us, UTC]", False, "datetime64[us, UTC]"),
        ("object", True, "object"),
    ],
)
def test_names(name, nullable, neutral):
    assert neutral_dtype(name, nullable=nullable) == neutral


def test_a_frame_of_arrow_makes_the_same_file_as_one_of_numpy():
    pytest.importorskip("pyarrow")
    plain = FRAME[["note", "n"]]
    arrow = plain.convert_dtypes(dtype_backend="pyarrow")
    text = schema_to_yaml(arrow.ordinal.to_schema(TYPES))
    assert "pyarrow" not in text
    assert text == schema_to_yaml(plain.ordinal.to_schema(TYPES))
    schema = schema_from_yaml(text)
    for frame in (plain, arrow):
        assert autotype.validate(frame, schema)["note"].tolist() == ["a", "b", "c"]


def test_a_file_of_an_earlier_version_names_arrow():
    text = schema_to_yaml(FRAME.ordinal.to_schema(TYPES))
    assert "dtype: str\n" in text
    again = schema_from_yaml(text.replace("dtype: str\n", "dtype: string[pyarrow]\n"))
    assert schema_to_yaml(again) == text


@pytest.mark.parametrize("dtype", ["str", "string[pyarrow]"])
def test_a_schema_is_read_where_pyarrow_is_not_installed(tmp_path, child_environment, dtype):
    text = schema_to_yaml(FRAME.ordinal.to_schema(TYPES))
    (tmp_path / "schema.yaml").write_text(text.replace("dtype: str\n", f"dtype: {dtype}\n"))
    FRAME.to_csv(tmp_path / "day2.csv", index=False)
    child = subprocess.run(
        [sys.executable, "-c", WITHOUT_PYARROW, "validate", "day2.csv", "--schema", "schema.yaml"],
        cwd=tmp_path,
        env=child_environment,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert (child.returncode, child.stderr) == (0, "")


@pytest.mark.parametrize("missing", [False, True])
def test_columns_of_arrow_pass_the_schema_of_their_own_file(missing):
    pytest.importorskip("pyarrow")
    frame = pd.DataFrame(
        {
            "holds": pd.Series([True, False, None if missing else True], dtype="bool[pyarrow]"),
            "spent": pd.Series([1, 2, None if missing else 3], dtype="duration[us][pyarrow]"),
            "at": pd.Series([1, 2, None if missing else 3], dtype="timestamp[us][pyarrow]"),
            "n": pd.Series([1, 2, None if missing else 3], dtype="int16[pyarrow]"),
        }
    )
    types = TypeReport(
        [
            ColumnType("holds", "binary"),
            ColumnType("spent", "datetime"),
            ColumnType("at", "datetime"),
            ColumnType("n", "count"),
        ]
    )
    schema = schema_from_yaml(schema_to_yaml(frame.ordinal.to_schema(types)))
    checked = autotype.validate(frame, schema)
    assert checked["holds"].dtype == ("boolean" if missing else "bool")
    pd.testing.assert_frame_equal(checked.isna(), frame.isna())


@pytest.mark.parametrize(
    ("values", "dtype"), [([True, False], "int64"), ([1, 0], "bool"), ([1, 2], "timedelta64[s]")]
)
def test_truth_values_are_no_numbers(values, dtype):
    schema = pa.DataFrameSchema({"x": pa.Column(dtype)})
    with pytest.raises(SchemaErrors, match="dtype"):
        autotype.validate(pd.DataFrame({"x": values}), schema)
