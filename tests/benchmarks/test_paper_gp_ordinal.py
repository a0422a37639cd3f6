"""Tables 2-4 of the paper on Gaussian processes: the choice of the SVM, marks and stored runs."""

from __future__ import annotations

from itertools import product

import numpy as np
import pandas as pd
import paper_gp_ordinal as paper
import pytest
from scipy.spatial.distance import cdist
from sklearn.model_selection import StratifiedKFold, cross_val_predict

from autotype.models import SVOR


def test_the_node_is_that_of_cross_validation_node_by_node():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(40, 2))
    y = np.digitize(X[:, 0] + 0.3 * rng.normal(size=40), [-0.5, 0.5])
    folds = StratifiedKFold(3, shuffle=True, random_state=0)
    costs, kappas = np.array([-2.0, 0.0, 1.0]), np.array([-2.0, 0.0, 2.0])

    def errors(node):
        model = SVOR(10.0 ** node[0], constraints="explicit", gamma=0.5 * 10.0 ** node[1], tol=1e-2)
        off = np.abs(cross_val_predict(model, X, y, cv=folds) - y)
        return off.mean(), np.mean(off > 0)

    slow = min(product(costs, kappas), key=errors)
    square = cdist(X, X, "sqeuclidean")
    assert paper.best_node(square, y, list(folds.split(X, y)), costs, kappas) == slow
    assert slow not in {(costs[0], kappas[0]), (costs[0], kappas[-1])}  # no tie of trivial models


@pytest.mark.parametrize(
    ("shift", "spread", "marks"),
    [
        (0.0, 0.0, ""),
        (0.5, 1.0, " †"),  # the same way on each partition, and less than these differ
        (9.0, 1.0, " ⋆†"),
        (-0.5, 1.0, ""),
    ],
)
def test_marks_are_those_of_the_rank_sum_and_the_signed_rank_test(shift, spread, marks):
    best = np.arange(12.0)
    own = best + shift + 0.01 * spread * np.sin(best)
    text = paper.marked(own, best)
    assert text == f"{own.mean():.3f} ± {own.std(ddof=1):.3f}{marks}"


def test_the_lowest_mean_is_bold_and_missing_models_get_a_dash():
    runs = pd.DataFrame(
        [
            {"set": "a-5", "partition": part, "model": model, "zero-one": error, "mae": error}
            for part in range(3)
            for model, error in (("SVM", 0.3), ("MAP", 0.1 + part), ("EP", 0.2))
        ]
    )
    assert paper.rows_of("a-5", runs)[0] == (
        "| a-5 | 3 | zero-one | - | 0.300 ± 0.000 | 1.100 ± 1.000 | **0.200 ± 0.000** |"
    )


def test_stored_partitions_are_not_fitted_again(tmp_path, monkeypatch):
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(6, 2)), np.array([0, 1, 0, 1, 0, 1])
    fitted = []

    def constant(X, y, test_X):
        fitted.append(len(X))
        return np.zeros(len(test_X), dtype=int), None

    monkeypatch.setattr(paper, "partitions", lambda *args: [(X, y, X, y, 2)] * args[2])
    monkeypatch.setattr(paper, "models_of", lambda *, large: {"SVM": constant, "EP": constant})
    file = tmp_path / "runs.csv"
    paper.runs_of(tmp_path, "a-5", 2, file)
    assert len(fitted) == 4
    runs = paper.runs_of(tmp_path, "a-5", 3, file)
    assert len(fitted) == 6
    pd.testing.assert_frame_equal(runs, pd.read_csv(file), check_dtype=False)
    assert runs[["partition", "model"]].to_numpy().tolist() == [
        [part, model] for part in range(3) for model in ("SVM", "EP")
    ]
    assert len(paper.runs_of(tmp_path, "a-5", 1, file)) == 2
