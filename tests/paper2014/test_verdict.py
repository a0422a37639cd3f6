"""The method of 2014 through its public function."""

import numpy as np
import pandas as pd
import pytest

from autotype.errors import UnknownColumnError
from autotype.paper2014 import infer_types_2014

RNG = np.random.default_rng(2)
LATENT = RNG.normal(size=150)
FRAME = pd.DataFrame(
    {
        "x": LATENT + 0.1 * RNG.normal(size=150),
        "z": RNG.normal(size=150),
        "graded": np.array(["b", "d", "a", "c"])[np.digitize(LATENT, [-0.7, 0.0, 0.7])],
    }
)


@pytest.mark.parametrize("kernel", ["linear", "linear-bias", "rbf"])
def test_orders_a_graded_column_by_data_alone(kernel):
    column = infer_types_2014(FRAME, "graded", kernel=kernel)["graded"]
    assert column.best_order in {("b", "d", "a", "c"), ("c", "a", "d", "b")}
    better = column.evidence["tll_ordinal"] > column.evidence["tll_multiclass"]
    assert (column.semantic_type == "ordinal") == better == (column.probability == 1.0)
    assert column.evidence["log_evidence_ordinal"] > column.evidence["log_evidence_multiclass"]
    assert "held-out third" in column.reason


def test_without_predictors_or_rows_it_is_undetermined():
    lone = infer_types_2014(FRAME[["graded"]])["graded"]
    assert lone.semantic_type == "undetermined"
    assert "needs predictors" in lone.reason


def test_columns_that_are_not_discrete_are_typed_too():
    report = infer_types_2014(FRAME[["x", "z"]])
    assert list(report) == ["x", "z"]
    assert {column.semantic_type for column in report.columns} == {"continuous"}


def test_misuse():
    with pytest.raises(
        ValueError, match="kernel must be one of 'linear', 'linear-bias', 'rbf', got"
    ):
        infer_types_2014(FRAME, kernel="poly")
    with pytest.raises(UnknownColumnError, match="columns names 'grade'"):
        infer_types_2014(FRAME, "grade")
