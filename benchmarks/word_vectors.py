"""Measure what static word vectors add to the verdict: AUC with and without, held out by family.

usage: pip install wordllama; python benchmarks/word_vectors.py [DATA] [--n-jobs N]

A logistic model of the vectors of a column's levels is fitted on the text columns of the labelled
corpora. Its log odds, held out by family, go to the verdict's model in two ways: as one more of its
features, and in a second logistic model beside the verdict's own log odds. The vectors are those in
the wheel of wordllama: 32,000 tokens, 256 numbers each, 16 MB. The penalty is chosen without
`wild`. Intervals come from 1,000 bootstrap samples of the frames of `wild`.
"""

from __future__ import annotations

import argparse
import importlib.util
import sys
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path

import numpy as np
import pandas as pd
from fit_text_model import TextColumn, balanced, corpus_columns
from fit_verdict import choose_penalty, design, held_out, held_out_scores, once
from labelled_columns import LabelledColumn, data_folder, gather
from scipy.special import logit
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import GroupKFold

CORPUS = "wild"
PENALTIES = (3.0, 10.0, 30.0)
SEEDS = (0, 1, 2)  # of the folds
N_FOLDS = 10
N_AXES = 9  # directions from the low levels to the high ones
ENDS_SCALE = 0.5  # of the difference of the end levels beside a mean of norm 1
SHAPE_SCALE = 0.2  # of a standardised number beside a mean of norm 1
N_SAMPLES = 1000


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", nargs="?", default="../shared/data")
    parser.add_argument("--n-jobs", type=int, default=2)
    options = parser.parse_args(argv)
    folder = data_folder(options.data)
    vectors = word_vectors()
    labelled = [c for c in gather(folder, n_jobs=options.n_jobs) if c.evidence is not None]
    texts = corpus_columns(folder)
    orders = {key_of(c): c.true_order for c in labelled if c.form == "plain" and c.ordinal}

    def scores(penalty: float, seed: int) -> np.ndarray:
        return vector_scores(texts, orders, vectors, penalty=penalty, seed=seed)

    ordinal = np.array([column.ordinal for column in texts])
    others = np.array([column.corpus != CORPUS for column in texts])
    auc = {c: roc_auc_score(ordinal[others], scores(c, 0)[others]) for c in PENALTIES}
    penalty = max(auc, key=lambda c: auc[c])
    alone = roc_auc_score(ordinal[~others], scores(penalty, 0)[~others])
    print(f"vectors alone, C = {penalty}: AUC {auc[penalty]:.3f}, on {CORPUS} {alone:.3f}")
    keys = [(c.corpus, c.family, frozenset(c.labels)) for c in texts]
    scored = held_out_scores(folder)
    text = np.array([scored[key] for key in keys])
    print(f"text score alone: on {CORPUS} {roc_auc_score(ordinal[~others], text[~others]):.3f}")
    by_seed = [dict(zip(keys, scores(penalty, seed), strict=True)) for seed in SEEDS]
    print(compare(labelled, design(labelled, scored), by_seed).to_string())
    return 0


def word_vectors() -> Callable[[str], np.ndarray]:
    """Return the function from a text to its vector of norm 1: the mean of those of its tokens."""
    found = importlib.util.find_spec("wordllama")
    if found is None or not found.submodule_search_locations:
        sys.exit("the vectors are missing: pip install wordllama")
    from safetensors.numpy import load_file
    from tokenizers import Tokenizer

    package = Path(found.submodule_search_locations[0])
    (table,) = load_file(package / "weights" / "l2_supercat_256.safetensors").values()
    tokenizer = Tokenizer.from_file(str(package / "tokenizers/l2_supercat_tokenizer_config.json"))
    tokenizer.no_padding()

    @cache
    def vector(text: str) -> np.ndarray:
        tokens = tokenizer.encode(text, add_special_tokens=False).ids
        if not tokens:
            return np.zeros(table.shape[1])
        mean = table[tokens].astype(float).mean(axis=0)
        return mean / max(np.linalg.norm(mean), 1e-9)

    return vector


def key_of(column: LabelledColumn) -> tuple:
    return column.corpus, column.family, frozenset(map(str, column.evidence.known_levels))


def vector_scores(
    columns: Sequence[TextColumn],
    orders: dict[tuple, tuple],
    vector: Callable[[str], np.ndarray],
    *,
    penalty: float,
    seed: int,
) -> np.ndarray:
    """Log odds of each column by a model of the vectors that never saw its family."""
    ordinal = np.array([column.ordinal for column in columns])
    score = np.zeros(len(columns))
    folds = GroupKFold(N_FOLDS, shuffle=True, random_state=seed)
    for train, test in folds.split(columns, groups=[column.family for column in columns]):
        known = [columns[k] for k in train]
        axes = directions(known, orders, vector)
        raw, shape = features(columns, axes, vector)
        center, scale = shape[train].mean(axis=0), shape[train].std(axis=0) + 1e-9
        X = np.hstack([raw, np.clip((shape - center) / scale, -3, 3) * SHAPE_SCALE])
        model = LogisticRegression(C=penalty, max_iter=2000)
        model.fit(X[train], ordinal[train], sample_weight=balanced(known))
        score[test] = model.decision_function(X[test])
    return score


def directions(
    columns: Sequence[TextColumn],
    orders: dict[tuple, tuple],
    vector: Callable[[str], np.ndarray],
) -> np.ndarray:
    """Find the directions from low to high levels of ordinal columns: their mean, and others."""
    found = []
    for column in columns:
        order = orders.get((column.corpus, column.family, frozenset(column.labels)), ())
        levels = [level for level in order if level in column.labels]
        if len(levels) >= 3:
            rank = np.linspace(-1, 1, len(levels))
            found.append(rank @ np.array([vector(level) for level in levels]))
    slopes = np.array(found) / np.linalg.norm(found, axis=1, keepdims=True)
    mean = slopes.mean(axis=0)
    principal = np.linalg.svd(slopes, full_matrices=False)[2]
    return np.vstack([mean / np.linalg.norm(mean), principal[: N_AXES - 1]])


def features(
    columns: Sequence[TextColumn], axes: np.ndarray, vector: Callable[[str], np.ndarray]
) -> tuple[np.ndarray, np.ndarray]:
    """Return vectors of each column, and numbers of the shape of its cloud of levels."""
    vectors, shapes = [], []
    for column in columns:
        levels = np.array([vector(label) for label in column.labels])
        mean = levels.mean(axis=0)
        centred = levels - mean
        spread = (centred**2).sum() + 1e-9
        _, singular, principal = np.linalg.svd(centred, full_matrices=False)
        place = centred @ principal[0]
        ends = levels[place.argmax()] - levels[place.argmin()]
        cosines = (levels @ levels.T)[np.triu_indices(len(levels), 1)]
        share = np.append(singular**2, 0.0)[:2] / spread * (len(levels) - 1)
        vectors.append([*mean, *np.abs(ends) / (np.linalg.norm(ends) + 1e-9) * ENDS_SCALE])
        shapes.append(
            [
                *(1 / len(levels), spread / len(levels), *share),
                *(cosines.mean(), cosines.std(), cosines.min(), cosines.max()),
                *((centred @ axes.T) ** 2).sum(axis=0) / spread,
            ]
        )
    return np.array(vectors), np.array(shapes)


def compare(
    columns: Sequence[LabelledColumn], designed: tuple, by_seed: Sequence[dict[tuple, float]]
) -> pd.DataFrame:
    """Tabulate the AUC on plain columns of the corpus without the vectors, and what they add."""
    X, truth, weight, families = designed
    plain = np.array([column.form == "plain" for column in columns])
    penalty = choose_penalty(X, truth, weight, families)
    models = ("without", "as a feature", "beside", "neither", "for the text score")
    found: dict[str, list[np.ndarray]] = {model: [] for model in models}
    unscored = X.drop(columns="label_text")
    for seed, scored in enumerate(by_seed):
        score = np.array([scored.get(key_of(c), np.nan) for c in columns])
        score[~plain] = np.nan

        def predict(X, rows=slice(None), penalty=penalty, seed=seed) -> np.ndarray:
            part = truth[rows], weight[rows], families[rows]
            return held_out(X[rows], *part, penalty=penalty, seed=seed)

        p = predict(X)
        both = pd.DataFrame({"verdict": logit(np.clip(p, 1e-6, 1 - 1e-6)), "vectors": score})
        beside = p.copy()
        beside[plain] = predict(both.fillna(0.0), plain, penalty=1.0)
        found["without"].append(p)
        found["as a feature"].append(predict(X.assign(vectors=score)))
        found["neither"].append(predict(unscored))
        found["for the text score"].append(predict(unscored.assign(vectors=score)))
        found["beside"].append(beside)
    in_corpus = plain & np.array([column.corpus == CORPUS for column in columns])
    unread = np.array([not c.evidence.reading.order and c.coding == "text" for c in columns])
    rows = {}
    for name, part in ((CORPUS, in_corpus), ("no order read", in_corpus & unread)):
        for model, p in found.items():
            rows[name, model] = gains(columns, truth, part, base=found["without"], p=p)
    return pd.DataFrame(rows).T


def gains(
    columns: Sequence[LabelledColumn],
    truth: np.ndarray,
    part: np.ndarray,
    *,
    base: list[np.ndarray],
    p: list[np.ndarray],
) -> dict[str, str]:
    """Compute the mean AUC over the folds, and the gain over the base with its interval."""
    weight = once(columns)
    rng = np.random.default_rng(0)

    def auc(predicted: list[np.ndarray], rows: np.ndarray) -> float:
        return float(
            np.mean(
                [roc_auc_score(truth[rows], q[rows], sample_weight=weight[rows]) for q in predicted]
            )
        )

    rows = np.flatnonzero(part)
    frames = pd.Series(rows).groupby([columns[k].dataset for k in rows]).apply(np.array).tolist()
    drawn = []
    for _ in range(N_SAMPLES):
        sample = np.concatenate([frames[k] for k in rng.integers(0, len(frames), len(frames))])
        if 0 < truth[sample].mean() < 1:
            drawn.append(auc(p, sample) - auc(base, sample))
    low, high = np.percentile(drawn, [2.5, 97.5])
    return {
        "n": str(len(rows)),
        "frames": str(len(frames)),
        "auc": f"{auc(p, rows):.4f}",
        "gain": f"{auc(p, rows) - auc(base, rows):+.4f}",
        "95%": f"{low:+.4f} to {high:+.4f}",
    }


if __name__ == "__main__":
    sys.exit(main())
