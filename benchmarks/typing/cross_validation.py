"""autotype with models fitted anew, for each column without its family.

The models of the verdict and the scores of texts and names are fitted to the frames of the
benchmark alone, which are fewer columns than the shipped models have. Lexicon, rules, thresholds
and the constants of the order search stay as shipped. The text scores of the columns that a
fold's verdict is fitted to are held out of their own family, not of the family that is left out.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from unittest import mock

import numpy as np
from answers import Answer, Tool
from labelled_frames import LabelledFrame
from own import labels_and_data
from public_corpus import NAME, write_corpus
from sklearn.model_selection import GroupKFold

sys.path.append(str(Path(__file__).resolve().parent.parent))
import fit_text_model
import fit_verdict
from labelled_columns import gather
from learned_file import with_models

from autotype.inference.evidence import column_evidence as evidence
from autotype.inference.labels import text_model
from autotype.inference.labels.text_model import TextModel
from autotype.inference.learned import TYPE_FEATURES, Learned
from autotype.inference.verdict import column_verdict as verdict

N_FOLDS = 10


@dataclass(frozen=True)
class FoldModels:
    """The models of one fold."""

    learned: Learned
    texts: tuple[TextModel, TextModel]


def held_out(frames: Sequence[LabelledFrame]) -> Tool:
    """Fit the models of each fold; return the tool that types a frame by those without it."""
    models = models_by_family(frames)

    def answers(frame: LabelledFrame) -> dict[str, Answer]:
        with replaced(models[frame.labels["family"].iloc[0]]):
            return labels_and_data(frame)

    return answers


@contextmanager
def replaced(models: FoldModels) -> Iterator[None]:
    """Let inference use other models, in this process."""
    with (
        mock.patch.object(verdict, "load_learned", return_value=models.learned),
        mock.patch.object(evidence, "shipped_text_models", return_value=models.texts),
        mock.patch.object(text_model, "shipped_text_models", return_value=models.texts),
    ):
        yield


def models_by_family(frames: Sequence[LabelledFrame]) -> dict[str, FoldModels]:
    """Fit the models of each fold of families."""
    with tempfile.TemporaryDirectory() as folder:
        write_corpus(frames, Path(folder))
        corpora = (NAME,)
        columns = gather(Path(folder), corpora=corpora, n_jobs=1)
        columns = [column for column in columns if column.evidence is not None]
        texts = fit_text_model.corpus_columns(Path(folder), corpora)
        names = fit_text_model.corpus_names(Path(folder), corpora)
        scores = fit_verdict.held_out_scores(Path(folder), corpora)
    X, y, weight, families = fit_verdict.design(columns, scores)
    penalty = fit_verdict.choose_penalty(X, y, weight, families)
    drawn, words = fit_text_model.vocabulary_columns(), fit_text_model.vocabulary_names()
    every = np.array(sorted({frame.labels["family"].iloc[0] for frame in frames}))
    found = {}
    for _, test in GroupKFold(N_FOLDS, shuffle=True, random_state=0).split(every, groups=every):
        left_out = set(every[test])
        kept = np.array([family not in left_out for family in families])
        model = fit_verdict.fit(X[kept], y[kept], weight[kept], penalty)
        fold = FoldModels(
            with_models({"type": fit_verdict.as_stored(model, TYPE_FEATURES)}),
            (
                fit_text_model.fit([c for c in texts if c.family not in left_out], drawn),
                fit_text_model.fit_names([c for c in names if c.family not in left_out], words),
            ),
        )
        found |= dict.fromkeys(left_out, fold)
    return found
