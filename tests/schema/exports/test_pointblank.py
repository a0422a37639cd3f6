"""The plan runs in pointblank where it is installed."""

import pandera.pandas as pa
import pytest
import yaml

from autotype.type_report import TypeReport
from tests.schema.exports.schemas import DAY_1, FAILING, REPORT, changed

PLAN = REPORT.to_pointblank()


def test_plan():
    plan = yaml.safe_load(PLAN)
    assert plan["tbl"] is None
    assert yaml.safe_load(REPORT.to_pointblank("shop.csv"))["tbl"] == "shop.csv"
    assert plan["steps"][:2] == [
        {"col_exists": {"columns": ["size"]}},
        {"col_vals_in_set": {"columns": ["size"], "set": ["S", "M", 'it\'s "L"', None]}},
    ]
    assert {"rows_distinct": {"columns_subset": ["id"]}} in plan["steps"]


def test_limits_on_one_side():
    schema = pa.DataFrameSchema(
        {"a": pa.Column(int, pa.Check.ge(0)), "b": pa.Column(float, pa.Check.ge(0.5))}
    )
    steps = yaml.safe_load(TypeReport.from_schema(schema).to_pointblank())["steps"]
    assert {"col_vals_ge": {"columns": ["a"], "na_pass": False, "value": 0}} in steps


@pytest.mark.parametrize("library", ["pandas", "polars"])
@pytest.mark.filterwarnings("ignore")
def test_it_takes_what_the_schema_takes(library):
    pointblank = pytest.importorskip("pointblank", exc_type=ImportError)
    polars = pytest.importorskip("polars")
    convert = polars.from_pandas if library == "polars" else lambda frame: frame

    def failing(frame):
        done = pointblank.yaml_interrogate(PLAN, set_tbl=convert(frame))
        found = [step for step in done.validation_info if not step.all_passed]
        return {c for s in found for c in ([s.column] if isinstance(s.column, str) else s.column)}

    assert failing(DAY_1) == set()
    for name, value in FAILING.items():
        assert failing(changed(name, value)) == {name}
    assert failing(changed("town", None)) == {"town"}
