"""The method of 2014 through the front door."""

import numpy as np
import pandas as pd
import pytest

import autotype

RNG = np.random.default_rng(2)
LATENT = RNG.normal(size=150)
FRAME = pd.DataFrame(
    {
        "x": LATENT + 0.1 * RNG.normal(size=150),
        "z": RNG.normal(size=150),
        "graded": np.array(["b", "d", "a", "c"])[np.digitize(LATENT, [-0.7, 0.0, 0.7])],
    }
)


@pytest.mark.parametrize("kernel", ["linear", "rbf"])
def test_orders_a_graded_column_by_data_alone(kernel):
    column = autotype.infer_types(FRAME, columns="graded", method="paper", kernel=kernel)["graded"]
    assert column.best_order in {("b", "d", "a", "c"), ("c", "a", "d", "b")}
    better = column.evidence["tll_ordinal"] > column.evidence["tll_multiclass"]
    assert (column.semantic_type == "ordinal") == better == (column.probability == 1.0)
    assert column.evidence["log_evidence_ordinal"] > column.evidence["log_evidence_multiclass"]
    assert "held-out third" in column.reason


def test_without_predictors_or_rows_it_says_so():
    lone = autotype.infer_types(FRAME[["graded"]], method="paper")["graded"]
    assert lone.semantic_type == "undetermined"
    assert "needs predictors" in lone.reason


def test_misuse():
    with pytest.raises(ValueError, match="method must be one of 'fast', 'paper', got 'slow'"):
        autotype.infer_types(FRAME, method="slow")
    with pytest.raises(ValueError, match="kernel must be one of 'linear', 'rbf', got 'poly'"):
        autotype.infer_types(FRAME, method="paper", kernel="poly")
