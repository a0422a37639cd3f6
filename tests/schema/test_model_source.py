"""Generated models: the source runs, and the model validates as the schema does."""

import ast

import numpy as np
import pandas as pd
import pandera.pandas as pa
import pytest
from pandera.errors import SchemaErrors

import autotype
from autotype.schema.model_source import to_model_source
from autotype.type_report import TypeReport
from autotype.types.column_type import ColumnType


def model(schema, name="Batch"):
    names: dict = {}
    exec(compile(to_model_source(schema, name), "model", "exec"), names)
    return names[name]


FRAME = pd.DataFrame(
    {
        "mood": ["low", "high", None, "?", "mid", "high"],
        "score": [0.5, 1.0, 1.5, 0.5, 1.0, 1.5],
        "town": ["Ulm", "Rom", "Ulm", "Bern", "Rom", "Rom"],
        "flag": [True, False, True, True, False, False],
        "x": [1.0, 2.0, 3.0, 4.0, 5.0, np.nan],
        "n": pd.array([3, 0, 10, None, 7, 1], dtype="Int64"),
        "id": ["a1", "a2", "a3", "a4", "a5", "a6"],
        "python": pd.Series(list("uvwxyz"), dtype="string[python]"),
        "since": pd.date_range("2024-01-01", periods=6),
        "zoned": pd.date_range("2024-01-01", periods=6, tz="Europe/Berlin"),
        "euro": ["EUR"] * 6,
        "none": [None] * 6,
        "class": list("uvwxyz"),
        "pa": [1, 2, 3, 4, 5, 6],
        "validate": list("uvwxyz"),
        "two words": [1.5, 2.5, 3.5, 4.5, 5.5, 6.5],
        "naïve": list("uvwxyz"),
        7: list("uvwxyz"),
    }
)
TYPES = TypeReport(
    [
        ColumnType("mood", "ordinal", 0.9, order=("low", "mid", "high"), off_scale=("?",)),
        ColumnType("score", "ordinal", 0.9, order=(0.5, 1.0, 1.5)),
        ColumnType("town", "categorical", 0.1, levels={"Ulm": 2, "Rom": 3, "Bern": 1}),
        ColumnType("flag", "binary", levels={True: 3, False: 3}),
        ColumnType("x", "continuous"),
        ColumnType("n", "count"),
        ColumnType("id", "identifier"),
        *(ColumnType(name, "text") for name in FRAME.columns[7:]),
    ]
)
TYPED = FRAME.ordinal.apply_types(TYPES)
HOSTILE = (
    "__import__('os').system('touch hit')", '"""\nimport os\n"""',
    "x): pass\nimport os\nclass B(", "\\", "'", '"', "\n", "#", "{0}", "%s", "{{x}}",
    "\u2028import os", "\x00", "\x0c", "\u202eabc", "lambda",
)  # fmt: skip
SCHEMA = FRAME.ordinal.to_schema(TYPES, name='pan"el\n', strict=True)


def test_the_model_says_what_the_schema_says():
    schema = model(SCHEMA).to_schema()
    assert schema.name == SCHEMA.name
    assert schema.strict
    assert TypeReport.from_schema(model(SCHEMA)) == TypeReport.from_schema(SCHEMA)
    assert list(schema.columns) == list(SCHEMA.columns)
    for name, column in SCHEMA.columns.items():
        again = schema.columns[name]
        assert (again.nullable, again.unique) == (column.nullable, column.unique)
        assert sorted(map(str, again.checks)) == sorted(map(str, column.checks))
        if name not in ("mood", "score", "town"):
            assert again.dtype == column.dtype, name
    assert schema.columns["mood"].dtype.type == SCHEMA.columns["mood"].dtype.type


def test_the_model_accepts_and_refuses_the_same():
    checked = model(SCHEMA, "Panel")
    checked.validate(TYPED)
    pd.testing.assert_frame_equal(FRAME.ordinal.validate(checked), TYPED)
    for changed in (
        TYPED.assign(mood=TYPED["mood"].cat.as_unordered()),
        TYPED.assign(score=TYPED["score"].cat.set_categories([1.5, 1.0, 0.5], ordered=True)),
        TYPED.assign(town=TYPED["town"].cat.add_categories("Oslo")),
        TYPED.assign(x=1e9),
        TYPED.drop(columns="two words"),
        TYPED.assign(extra=1),
    ):
        with pytest.raises(SchemaErrors):
            checked.validate(changed, lazy=True)


def test_an_inferred_schema():
    frame = pd.DataFrame(
        {"size": ["S", "M", "L"] * 5, "when": ["2024-01-01", "2024-01-02", "x"] * 5}
    )
    types = autotype.infer_types(frame)
    model(frame.ordinal.to_schema(types)).validate(frame.ordinal.apply_types(types))


@pytest.mark.parametrize("hostile", HOSTILE)
def test_names_and_levels_are_literals(hostile: str) -> None:
    """The source calls nothing but `pa.Field`, whatever stands in the data."""
    frame = pd.DataFrame({hostile: ["a", hostile, "b"] * 9, "x": [1.5, 2.5, 3.5] * 9})
    schema = frame.ordinal.to_schema(frame.ordinal.infer_types(), name=hostile)
    tree = ast.parse(to_model_source(schema))
    calls = {ast.unparse(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}
    assert calls == {"pa.Field"}
    assert [type(node).__name__ for node in tree.body][-1] == "ClassDef"
    assert len([node for node in tree.body if isinstance(node, ast.ClassDef)]) == 1


def test_misuse():
    with pytest.raises(ValueError, match="class_name must be an identifier, got 'my model'"):
        to_model_source(SCHEMA, "my model")
    whole = pa.DataFrameSchema(checks=pa.Check(lambda frame: True))
    with pytest.raises(ValueError, match="checks of the whole frame"):
        to_model_source(whole)
    unnamed = pa.DataFrameSchema({"a": pa.Column(int, pa.Check(lambda values: values > 0))})
    with pytest.raises(ValueError, match=r"column 'a': the check .* is not registered"):
        to_model_source(unnamed)
    moment = pa.Column(None, pa.Check.gt(pd.Timestamp("2024-01-01")))
    with pytest.raises(ValueError, match="which has no literal"):
        to_model_source(pa.DataFrameSchema({"a": moment}))
    with pytest.raises(ValueError, match=r"column 'a': the dtype interval.* has no source"):
        to_model_source(pa.DataFrameSchema({"a": pa.Column(pd.IntervalDtype("int64", "left"))}))
