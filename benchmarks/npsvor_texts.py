"""The text sets of the NPSVOR paper that are public: features by TF-IDF, and splits."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import snowballstemmer
from scipy import sparse
from sklearn.datasets import load_svmlight_files
from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS, TfidfVectorizer
from sklearn.model_selection import train_test_split

Split = tuple[Any, np.ndarray, Any, np.ndarray]  # features and ranks to train on and to test on
WORD = re.compile(r"\b\w\w+\b")


def text_sets(folder: Path) -> dict[str, tuple[str, bool, Callable[[int], Split]]]:
    """Return each set's name in the paper, whether its splits are random, and its split by seed."""
    return {
        "Treebank, authors' split": ("Treebank", False, lambda _: given_treebank(folder)),
        "Treebank, random 80/20": ("Treebank", True, lambda seed: random_treebank(folder, seed)),
        "MovieReview": ("MovieReview", True, lambda seed: reviews(folder, "movie_scale", seed)),
        "TripAdvisor, 2,000 of others": (
            "TripAdvisor",
            True,
            lambda seed: reviews(folder, "tripadvisor", seed),
        ),
    }


def given_treebank(folder: Path) -> Split:
    """Read the authors' own split."""
    files = [str(folder / f"treebank_{part}.libsvm.gz") for part in ("train", "test")]
    X, y, X_test, y_test = load_svmlight_files(files)
    return short_indices(X), y.astype(int), short_indices(X_test), y_test.astype(int)


def random_treebank(folder: Path, seed: int) -> Split:
    """Split all sentences anew, stratified, in the authors' proportion."""
    X, y, X_test, y_test = given_treebank(folder)
    rows, ranks = sparse.vstack([X, X_test]).tocsr(), np.append(y, y_test)
    train, test = train_test_split(
        np.arange(len(ranks)), test_size=0.2, stratify=ranks, random_state=seed
    )
    return short_indices(rows[train]), ranks[train], short_indices(rows[test]), ranks[test]


def reviews(folder: Path, name: str, seed: int) -> Split:
    """Split reviews 70/30, stratified; the features are counted on the training part."""
    frame = pd.read_csv(folder / f"{name}.csv.gz")
    ranks = frame["class4" if "class4" in frame else "target"].to_numpy()
    train, test, y, y_test = train_test_split(
        stems(frame["text"]), ranks, test_size=0.3, stratify=ranks, random_state=seed
    )
    vectorizer = TfidfVectorizer(ngram_range=(1, 2), min_df=3, max_df=0.5, token_pattern=r"\S+")
    X = vectorizer.fit_transform(train)
    return short_indices(X), y, short_indices(vectorizer.transform(test)), y_test


def stems(texts: Sequence[str]) -> list[str]:
    """Strip words with Porter's rules, and drop stop words and single letters."""
    stemmer = snowballstemmer.stemmer("porter")
    words = [
        [word for word in WORD.findall(text.lower()) if word not in ENGLISH_STOP_WORDS]
        for text in texts
    ]
    stem = {word: stemmer.stemWord(word) for word in {word for text in words for word in text}}
    return [" ".join(stem[word] for word in text) for text in words]


def short_indices(X: Any) -> Any:
    """Return the matrix with indices of 32 bits: LinearSVC reads no others."""
    X.indices, X.indptr = X.indices.astype(np.int32), X.indptr.astype(np.int32)
    return X
