"""The suite runs in Great Expectations where it is installed."""

import json

import pytest

from tests.schema.exports.schemas import DAY_1, FAILING, REPORT, changed

SUITE = REPORT.to_great_expectations("shop")


def test_expectations():
    assert json.loads(json.dumps(SUITE)) == SUITE
    assert SUITE["name"] == "shop"
    of_size = [e for e in SUITE["expectations"] if e["kwargs"]["column"] == "size"]
    levels = ["S", "M", 'it\'s "L"']
    assert of_size == [
        {"type": "expect_column_to_exist", "kwargs": {"column": "size"}},
        {
            "type": "expect_column_values_to_be_in_set",
            "kwargs": {"column": "size", "value_set": levels},
            "meta": {"order": levels},
        },
    ]
    kinds = [e["type"] for e in SUITE["expectations"] if e["kwargs"]["column"] == "price"]
    assert kinds == ["expect_column_to_exist", "expect_column_values_to_be_between"]


@pytest.fixture(scope="module")
def failing_columns():
    """Validate a frame and return the columns of the expectations that fail."""
    pytest.importorskip("great_expectations", exc_type=ImportError)
    import great_expectations as gx

    context = gx.get_context(mode="ephemeral")
    context.variables.progress_bars = {"globally": False}
    asset = context.data_sources.add_pandas("pandas").add_dataframe_asset("shop")
    definition = asset.add_batch_definition_whole_dataframe("whole")
    suite = gx.ExpectationSuite(**SUITE)

    def validate(frame):
        results = definition.get_batch({"dataframe": frame}).validate(suite).results
        return {r.expectation_config.kwargs["column"] for r in results if not r.success}

    return validate


@pytest.mark.filterwarnings("ignore")
def test_it_takes_what_the_schema_takes(failing_columns):
    assert failing_columns(DAY_1) == set()
    for name, value in FAILING.items():
        assert failing_columns(changed(name, value)) == {name}
    assert failing_columns(DAY_1.drop(columns="ok")) == {"ok"}
    assert failing_columns(changed("town", None)) == {"town"}
