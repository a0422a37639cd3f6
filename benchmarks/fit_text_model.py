"""Fit the learned score of level texts, and report it by cross-validation.

usage: python benchmarks/fit_text_model.py [DATA] [--write]

Two sources: the text columns of the labelled corpora (each scale of a frame once, a frame at most
four times, classes weighed to 40% ordinal), and columns drawn from the vocabulary of every language
(its scales and graded words against its lists of names, languages and classes weighed alike). The
figures come from folds that keep a family of frames together; the vocabulary is in every training
part. ``--write`` fits all of it and writes ``autotype/inference/labels/text_model.json``.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd
from labelled_columns import CORPORA, data_folder, language_of, read_frame, read_labels_table
from learned_file import provenance
from scipy import sparse
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import GroupKFold
from text_model_file import to_stored

from autotype.inference.labels import text_model
from autotype.inference.labels.column_name import plain_name
from autotype.inference.labels.text_model import (
    N_BUCKETS,
    SHAPE_FEATURES,
    TextModel,
    ngram_features,
    shape_features,
    standardise,
)
from autotype.lexicon.languages import codes, language
from autotype.lexicon.toml_files import read_toml

TARGET = Path(text_model.__file__).with_name("text_model.json")
N_FOLDS = 10
PENALTY = 10.0  # C of the logistic model; held-out AUC is flat from 3 to 30
SHAPE_SCALE = 0.2  # of a standardised shape feature beside n-grams of norm 1
ORDINAL_SHARE = 0.4
MOST_SCALES_A_FRAME = 4.0
NAME_PENALTY = 3.0
NAME_LANGUAGE_WEIGHT = 6.0  # of the words of names of one language
LANGUAGE_WEIGHT = 60.0  # of all columns drawn from one language
DRAWN = 150  # columns drawn from a language, of each class
MAX_LEVELS = 60


@dataclass(frozen=True)
class TextColumn:
    """The labels of one column: from a corpus, or drawn from a language's vocabulary."""

    labels: tuple[str, ...]
    ordinal: bool
    weight: float
    family: str
    language: str
    corpus: str
    n_columns: int = 1


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", nargs="?", default="../shared/data")
    parser.add_argument("--write", action="store_true", help="write the fitted model")
    options = parser.parse_args(argv)
    folder = data_folder(options.data)
    columns, drawn = corpus_columns(folder), vocabulary_columns()
    score = held_out(columns, drawn)
    print(f"{len(columns)} columns of corpora, {len(drawn)} drawn from vocabularies")
    print(summary(columns, score).to_string(float_format="{:.3f}".format))
    names, words = corpus_names(folder), vocabulary_names()
    score = held_out_names(names, words)
    print(f"{len(names)} names of columns, {len(words)} words of names from vocabularies")
    print(summary(names, score).to_string(float_format="{:.3f}".format))
    if options.write:
        stored = to_stored(
            fit(columns, drawn),
            fit_names(names, words),
            provenance(
                folder,
                CORPORA,
                command="python benchmarks/fit_text_model.py --write",
                penalty=PENALTY,
                n_columns=len(columns),
            ),
        )
        TARGET.write_text(json.dumps(stored, indent=1) + "\n", encoding="utf-8")
        print(f"wrote {TARGET.name}, {TARGET.stat().st_size / 1000:.0f} kB")
    return 0


def corpus_columns(folder: Path, corpora: tuple[str, ...] = CORPORA) -> list[TextColumn]:
    """Read the text columns of the corpora, each scale of a frame once."""
    found = []
    table = read_labels_table(folder, corpora)
    for (corpus, file), rows in table.groupby(["corpus", "file"], sort=True):
        frame = read_frame(folder, corpus, file)
        sets = Counter(_level_set(frame[name]) for name in frame.columns)
        texts = rows[rows.coding == "text"]
        seen = {(_level_set(frame[row.column]), row.truth): row for row in texts.itertuples()}
        weight = min(1.0, MOST_SCALES_A_FRAME / max(len(seen), 1))
        for (levels, truth), row in seen.items():
            found.append(
                TextColumn(
                    labels=tuple(sorted(levels)),
                    ordinal=truth == "ordinal",
                    weight=weight,
                    family=str(row.family),
                    language=language_of(row),
                    corpus=corpus,
                    n_columns=sets[levels],
                )
            )
    return found


def _level_set(values: pd.Series) -> frozenset[str]:
    levels = values.dropna().unique()
    return frozenset(map(str, levels)) if len(levels) <= MAX_LEVELS else frozenset()


def vocabulary_columns() -> list[TextColumn]:
    """Draw columns from the vocabulary of every language."""
    drawn = []
    for code in codes():
        table = language(code).table | language(code).lists
        rng = random.Random(code)
        for ordinal, kind in ((True, _graded(table, rng)), (False, _named(table, rng))):
            columns = list(kind)
            rng.shuffle(columns)
            columns = columns[:DRAWN]
            drawn += [
                TextColumn(
                    labels=tuple(_cased(labels, rng)),
                    ordinal=ordinal,
                    weight=LANGUAGE_WEIGHT / 2 / len(columns),
                    family="",
                    language=code,
                    corpus="vocabulary",
                )
                for labels in columns
            ]
    return drawn


def _graded(table: dict, rng: random.Random) -> Iterator[list[str]]:
    """Draw scales of a language: whole ones, and words with degrees."""
    degrees = list(table.get("degree", {}).values())
    for scale in table.get("scale", ()):
        for _ in range(2):
            labels = [rng.choice(rank) for rank in scale["ranks"]]
            if len(labels) > 6:
                kept = sorted(rng.sample(range(len(labels)), rng.randint(3, 6)))
                labels = [labels[k] for k in kept]
            if len(labels) >= 3:
                yield labels
    for family in table.get("family", {}).values():
        for _ in range(2):
            if not family.get("high"):
                continue
            high = rng.choice(family["high"])
            labels = [f"{rng.choice(words)} {high}" for words in _some(degrees, rng, 2, 4)]
            if family.get("low") and rng.random() < 0.7:
                labels.append(rng.choice(family["low"]))
            if rng.random() < 0.5:
                labels.append(high)
            labels += [
                rng.choice(w) for w in family.get("fixed", {}).values() if rng.random() < 0.5
            ]
            labels = list(dict.fromkeys(labels))
            if 3 <= len(labels) <= 8:
                yield labels
    for word in table.get("gradable", ())[:12]:
        yield [word, *(f"{rng.choice(words)} {word}" for words in _some(degrees, rng, 3, 3))]


def _named(table: dict, rng: random.Random) -> Iterator[list[str]]:
    """Draw some names of each list of a language."""
    for names in table.get("names", ()):
        for _ in range(4):
            labels = _some(names["words"], rng, 3, 10)
            if len(labels) >= 3:
                yield labels


def _some(items: Sequence, rng: random.Random, least: int, most: int) -> list:
    return rng.sample(list(items), min(len(items), rng.randint(least, most)))


def _cased(labels: Sequence[str], rng: random.Random) -> list[str]:
    """Write labels as tables do: most with an initial capital, some in capitals."""
    draw = rng.random()
    if draw < 0.5:
        return [label[:1].upper() + label[1:] for label in labels]
    return [label.upper() for label in labels] if draw < 0.6 else list(labels)


def fit(columns: Sequence[TextColumn], drawn: Sequence[TextColumn]) -> TextModel:
    """Fit the model; shapes are learned from the corpora alone, as drawn columns have no shape."""
    shapes = shapes_of(columns)
    usable = ~np.isnan(shapes).any(axis=1)
    columns = [column for column, kept in zip(columns, usable, strict=True) if kept]
    shapes = shapes[usable]
    means, scales = shapes.mean(axis=0), np.maximum(shapes.std(axis=0), 1e-9)
    dense = np.zeros((len(columns) + len(drawn), len(SHAPE_FEATURES)))
    dense[: len(columns)] = standardise(shapes, means, scales) * SHAPE_SCALE
    every = [*columns, *drawn]
    X = sparse.hstack([ngram_matrix(every), sparse.csr_matrix(dense)]).tocsr()
    y = np.array([column.ordinal for column in every])
    weight = np.concatenate([balanced(columns), [column.weight for column in drawn]])
    logistic = LogisticRegression(C=PENALTY, max_iter=5000).fit(X, y, sample_weight=weight)
    coef = logistic.coef_[0]
    return TextModel(
        intercept=float(logistic.intercept_[0]),
        ngrams=coef[:N_BUCKETS],
        shape=coef[N_BUCKETS:] * SHAPE_SCALE,
        means=means,
        scales=scales,
    )


def corpus_names(folder: Path, corpora: tuple[str, ...] = CORPORA) -> list[TextColumn]:
    """Read the names of all labelled columns, a frame counting at most four times."""
    found = []
    for (corpus, _), rows in read_labels_table(folder, corpora).groupby(["corpus", "file"]):
        for row in rows.itertuples():
            found.append(
                TextColumn(
                    labels=(plain_name(row.column),),
                    ordinal=row.truth == "ordinal",
                    weight=min(1.0, MOST_SCALES_A_FRAME / len(rows)),
                    family=str(row.family),
                    language=language_of(row),
                    corpus=corpus,
                )
            )
    return found


def vocabulary_names() -> list[TextColumn]:
    """List the words of names that the vocabulary holds, languages and classes weighed alike."""
    lists = read_toml("column_names")
    found = []
    for code, table in lists["languages"].items():
        for ordinal, words in ((True, table["ordinal"]), (False, table["nominal"])):
            weight = NAME_LANGUAGE_WEIGHT / 2 / len(words)
            found += [TextColumn((w,), ordinal, weight, "", code, "vocabulary") for w in words]
    return found


def fit_names(columns: Sequence[TextColumn], words: Sequence[TextColumn]) -> TextModel:
    """Fit the model of the names."""
    every = [*columns, *words]
    y = np.array([column.ordinal for column in every])
    weight = np.concatenate([balanced(columns), [column.weight for column in words]])
    logistic = LogisticRegression(C=NAME_PENALTY, max_iter=5000)
    logistic.fit(ngram_matrix(every), y, sample_weight=weight)
    return TextModel(float(logistic.intercept_[0]), logistic.coef_[0])


def held_out_names(columns: Sequence[TextColumn], words: Sequence[TextColumn]) -> np.ndarray:
    """Log odds of each name by a model that never saw its family."""
    score = np.zeros(len(columns))
    folds = GroupKFold(N_FOLDS, shuffle=True, random_state=0)
    for train, test in folds.split(columns, groups=[column.family for column in columns]):
        model = fit_names([columns[k] for k in train], words)
        score[test] = [model.log_odds_of_name(columns[k].labels[0]) for k in test]
    return score


def balanced(columns: Sequence[TextColumn]) -> np.ndarray:
    """Weights of the columns with ordinal ones at their stated share."""
    weight = np.array([column.weight for column in columns])
    ordinal = np.array([column.ordinal for column in columns])
    share = weight[ordinal].sum() / weight.sum()
    return weight * np.where(ordinal, ORDINAL_SHARE / share, (1 - ORDINAL_SHARE) / (1 - share))


def shapes_of(columns: Sequence[TextColumn]) -> np.ndarray:
    """Shape features, one column a row."""
    return np.array([shape_features(c.labels, n_columns=c.n_columns) for c in columns])


def ngram_matrix(columns: Sequence[TextColumn]) -> sparse.csr_matrix:
    """Hashed n-grams, one column a row."""
    found = [ngram_features(column.labels) for column in columns]
    rows = np.repeat(np.arange(len(found)), [len(buckets) for buckets in found])
    where = np.fromiter((b for buckets in found for b in buckets), dtype=np.intp)
    values = np.fromiter((v for buckets in found for v in buckets.values()), dtype=float)
    return sparse.csr_matrix((values, (rows, where)), shape=(len(found), N_BUCKETS))


def held_out(columns: Sequence[TextColumn], drawn: Sequence[TextColumn]) -> np.ndarray:
    """Log odds of each column by a model that never saw its family."""
    families = [column.family for column in columns]
    score = np.full(len(columns), np.nan)
    folds = GroupKFold(N_FOLDS, shuffle=True, random_state=0)
    for train, test in folds.split(columns, groups=families):
        model = fit([columns[k] for k in train], drawn)
        for k in test:
            score[k] = model.log_odds(columns[k].labels, n_columns=columns[k].n_columns)
    return score


def summary(columns: Sequence[TextColumn], score: np.ndarray) -> pd.DataFrame:
    """AUC by corpus and language."""
    table = pd.DataFrame(
        {
            "corpus": [c.corpus for c in columns],
            "language": ["en" if c.language == "en" else "other" for c in columns],
            "ordinal": [c.ordinal for c in columns],
            "score": np.nan_to_num(score),
        }
    )
    rows = {("all", "all"): table, **dict(iter(table.groupby(["corpus", "language"])))}
    return pd.DataFrame(
        {
            key: {"n": len(part), "auc": roc_auc_score(part["ordinal"], part["score"])}
            for key, part in rows.items()
        }
    ).T


if __name__ == "__main__":
    sys.exit(main())
