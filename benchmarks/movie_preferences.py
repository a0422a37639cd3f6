"""Movie reviews and the preferences that a classifier of snippets states about them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pandas as pd
from preference_trials import Trial
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.preprocessing import normalize
from sklearn.svm import LinearSVC

from autotype import Preferences

LABELLED = [30, 60, 120]
UNLABELLED = 500
N_PREFERENCES = 500
MARGIN = 0.25


def movie_trials(
    folder: Path, n_trials: int, lambda1: float
) -> Iterator[tuple[str, int, list[tuple[Trial, Preferences]]]]:
    """Yield each author and labelled size with its trials and their preferences."""
    reviews = pd.read_csv(folder / "linear_npsvor" / "movie_scale.csv.gz")
    snippets = pd.read_csv(folder / "order_preferences" / "movie_snippets.csv.gz")
    vectorizer = CountVectorizer(binary=True, token_pattern=r"\S+")
    words = normalize(vectorizer.fit_transform(reviews["text"]).astype(float), norm="l1")
    margins = snippet_margins(snippets, reviews["text"])
    for author in reviews["author"].unique():
        own = np.flatnonzero(reviews["author"] == author)
        for n_labelled in LABELLED:
            trials = []
            for seed in range(n_trials):
                order = np.random.default_rng(seed).permutation(own)
                rows, test = order[: n_labelled + UNLABELLED], order[n_labelled + UNLABELLED :]
                y = reviews["rating"].to_numpy(dtype=float)
                trial = Trial(
                    rows, y[rows], n_labelled, words[rows], words[test], y[test], seed, lambda1
                )
                trials.append((trial, by_margin(margins[rows], n_labelled, seed)))
            yield author, n_labelled, trials


def snippet_margins(snippets: pd.DataFrame, texts: pd.Series) -> np.ndarray:
    """Train a linear SVM on snippets and apply it to reviews; C as SVM light sets it."""
    vectorizer = CountVectorizer(binary=True, token_pattern=r"\S+")
    X = normalize(vectorizer.fit_transform(snippets["text"]).astype(float), norm="l1")
    C = 1 / X.multiply(X).sum(axis=1).mean()
    classifier = LinearSVC(C=C, loss="hinge", max_iter=100_000, random_state=0)
    classifier.fit(X, snippets["positive"])
    reviews = normalize(vectorizer.transform(texts).astype(float), norm="l1")
    return classifier.decision_function(reviews)


def by_margin(margins: np.ndarray, n_labelled: int, seed: int) -> Preferences:
    """Draw random pairs of unlabelled rows whose margins differ by more than `MARGIN`."""
    rng = np.random.default_rng([seed, 2])
    pairs = rng.integers(n_labelled, len(margins), size=(500_000, 2))
    apart = margins[pairs[:, 0]] - margins[pairs[:, 1]] > MARGIN
    return Preferences(pairs[apart][:N_PREFERENCES])
