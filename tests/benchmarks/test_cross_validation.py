from __future__ import annotations

from dataclasses import replace

import cross_validation
import fit_text_model
import labelled_columns
import pandas as pd
import pytest
from cross_validation import FoldModels
from labelled_frames import LabelledFrame

import autotype
from autotype.inference.labels.text_model import shipped_text_models
from autotype.inference.learned import load_learned

MINIATURE = "miniature"


@pytest.fixture(scope="module")
def frames(request) -> list[LabelledFrame]:
    folder = request.path.parents[1] / "data"
    labels = labelled_columns.read_labels_table(folder, (MINIATURE,))
    return [
        LabelledFrame(
            file,
            labelled_columns.read_frame(folder, MINIATURE, file),
            rows.assign(order=[()] * len(rows), frame=file).reset_index(drop=True),
        )
        for file, rows in labels.groupby("file")
    ]


def test_models_are_replaced_within_the_block_only() -> None:
    frame = pd.DataFrame({"quality": ["poor", "good", "fair", "excellent"] * 5})
    before = autotype.infer_types(frame)["quality"].probability
    shipped = load_learned()
    model = replace(shipped.type_model, intercept=shipped.type_model.intercept - 20.0)
    models = FoldModels(replace(shipped, type_model=model), shipped_text_models())
    with cross_validation.replaced(models):
        assert autotype.infer_types(frame)["quality"].probability < 0.5 < before
    assert autotype.infer_types(frame)["quality"].probability == before


def test_a_family_is_typed_by_models_without_it(frames, monkeypatch) -> None:
    seen = []
    fit = fit_text_model.fit

    def watched(columns, drawn):
        seen.append({column.family for column in columns})
        return fit(columns, drawn)

    drawn = fit_text_model.vocabulary_columns()[::40]
    monkeypatch.setattr(fit_text_model, "vocabulary_columns", lambda: drawn)
    monkeypatch.setattr(cross_validation.fit_verdict, "held_out_scores", scores_of_zero)
    monkeypatch.setattr(fit_text_model, "fit", watched)
    models = cross_validation.models_by_family(frames)
    families = {frame.labels["family"].iloc[0] for frame in frames}
    assert set(models) == families
    folds = {id(fold): fold for fold in models.values()}
    assert len(folds) == len(seen) == cross_validation.N_FOLDS
    for fold, kept in zip(folds.values(), seen, strict=True):
        left_out = {family for family, own in models.items() if own is fold}
        assert left_out
        assert kept <= families - left_out


def scores_of_zero(folder, corpora) -> dict:
    columns = fit_text_model.corpus_columns(folder, corpora)
    names = fit_text_model.corpus_names(folder, corpora)
    return {(c.corpus, c.family, frozenset(c.labels)): 0.0 for c in [*columns, *names]}
