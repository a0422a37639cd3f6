from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import fit_verdict
import labelled_columns
import learned_file
import numpy as np
import pytest

from autotype.inference.learned import load_learned

DATA = Path(__file__).resolve().parents[1] / "data"


@pytest.fixture(scope="module")
def columns() -> list:
    found = labelled_columns.gather(DATA, corpora=("miniature",), forms=("plain",), n_jobs=1)
    return [column for column in found if column.evidence is not None]


def test_the_miniature_has_thirty_columns(columns) -> None:
    assert len(columns) == 30
    assert sum(column.ordinal for column in columns) == 15


def test_check_fits_and_loads_without_writing(capsys) -> None:
    before = learned_file.TARGET.read_bytes()
    argv = [str(DATA), "--corpora", "miniature", "--check", "--n-jobs", "1"]
    assert fit_verdict.main(argv) == 0
    printed = capsys.readouterr().out
    assert "15 families: the models can be loaded" in printed
    assert "Distance from the shipped model" in printed
    assert learned_file.TARGET.read_bytes() == before


def test_the_shipped_model_has_no_distance_from_itself(columns) -> None:
    X, _, _, _ = fit_verdict.design(columns)
    found = fit_verdict.distance(X, columns, load_learned().type_model).loc["plain"]
    assert found["probability"] == 0.0
    assert found["correlation"] == pytest.approx(1.0)
    assert found["same verdict"] == 1.0
    assert found["opposite"] == 0.0


def test_the_opposite_model_is_far(columns) -> None:
    X, y, weight, _ = fit_verdict.design(columns)
    model = fit_verdict.as_stored(fit_verdict.fit(X, ~y, weight, 0.3), list(X.columns))
    refitted = learned_file.with_models({"type": model}).type_model
    found = fit_verdict.distance(X, columns, refitted).loc["plain"]
    assert found["correlation"] < 0
    assert found["opposite"] > 0


def test_labels_without_a_language_are_english() -> None:
    assert labelled_columns.language_of(SimpleNamespace()) == "en"
    assert labelled_columns.language_of(SimpleNamespace(lang=np.nan)) == "en"
    assert labelled_columns.language_of(SimpleNamespace(lang="pl")) == "pl"
