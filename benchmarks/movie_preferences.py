"""Movie reviews and the preferences that a classifier of snippets states about them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pandas as pd
from preference_speed import printed_program
from preference_trials import Trial
from scipy.optimize import linprog
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.preprocessing import normalize
from sklearn.svm import LinearSVC

from autotype.models import Preferences
from autotype.models.preferences.solvers.path import PreferenceProblem

LABELLED = [30, 60, 120]
UNLABELLED = 500
N_PREFERENCES = 500
MARGIN = 0.25
LAMBDA1 = 1e-7
# Vectors of reviews and the lambda1: as the paper words them, and other readings.
READINGS = {
    "presence, sum 1 (as worded)": ({"binary": True}, "l1", LAMBDA1),
    "counts, sum 1": ({}, "l1", LAMBDA1),
    "presence": ({"binary": True}, None, LAMBDA1),
    "presence, length 1": ({"binary": True}, "l2", LAMBDA1),
    "presence of words of letters, sum 1": (
        {"binary": True, "token_pattern": "[a-z]+"},
        "l1",
        LAMBDA1,
    ),
    "presence without stop and rare words, sum 1": (
        {"binary": True, "token_pattern": r"\b\w\w+\b", "stop_words": "english", "min_df": 5},
        "l1",
        LAMBDA1,
    ),
    "presence, sum 1, lambda1 = 1e-5": ({"binary": True}, "l1", 1e-5),
    "presence, sum 1, lambda1 = 0": ({"binary": True}, "l1", 0.0),
}


def movie_trials(
    folder: Path, n_trials: int, reading: str
) -> Iterator[tuple[str, int, list[tuple[Trial, Preferences]]]]:
    """Yield each author and labelled size with its trials and their preferences."""
    reviews = pd.read_csv(folder / "linear_npsvor" / "movie_scale.csv.gz")
    snippets = pd.read_csv(folder / "order_preferences" / "movie_snippets.csv.gz")
    options, norm, lambda1 = READINGS[reading]
    vectorizer = CountVectorizer(**{"token_pattern": r"\S+", **options})
    words = vectorizer.fit_transform(reviews["text"]).astype(float)
    words = words if norm is None else normalize(words, norm=norm)
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


def error_by_highs(trial: Trial, preferences: Preferences, lambda2: float, method: str) -> float:
    """Mean absolute error of eq. (7) as printed, solved by HiGHS to a tolerance of 1e-6."""
    words = trial.X[: trial.n_labelled]
    problem = PreferenceProblem(
        K=(words @ words.T).toarray(),
        y=trial.y[: trial.n_labelled],
        costs=np.full(trial.n_labelled, 1 / trial.n_labelled),
        K_rows=(trial.X @ words.T).toarray(),
        above=preferences.above,
        below=preferences.below,
        difference=np.zeros(len(preferences)),
        weight=np.ones(len(preferences)),
    )
    tolerances = {f"{side}_feasibility_tolerance": 1e-6 for side in ("primal", "dual")}
    program = printed_program(problem, trial.lambda1, lambda2)
    found = linprog(**program, method=method, options=tolerances).x
    alpha, intercept = np.split(found[: trial.n_labelled + 1], [trial.n_labelled])
    predicted = (trial.X_test @ words.T) @ alpha + intercept
    return float(np.abs(predicted - trial.y_test).mean())
