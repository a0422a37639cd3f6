"""The learned scores of strings: of the levels of a column, and of its name.

Logistic models over hashed character n-grams, for the levels together with the numbers of `shape`,
written by ``benchmarks/fit_text_model.py``. They need no vocabulary, so they also cover words and
languages that no rule reads.
"""

from __future__ import annotations

import base64
import json
import math
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources

import numpy as np

from autotype.inference.labels.shape import SHAPE_FEATURES, fold, shape_features, words_of

FORMAT = 2
N_BUCKETS = 1 << 15
SHORTEST, LONGEST = 2, 4  # characters of an n-gram, a blank at either end of a word included
_MAX_WORDS = 12  # of a label; longer strings are sentences
_MAX_DEVIATIONS = 3.0  # standard deviations at which a shape feature is cut


@dataclass(frozen=True)
class TextModel:
    """A logistic model of n-grams and shape.

    Attributes
    ----------
    intercept : float
        Log odds of an ordinal column whose features are all at their mean.
    ngrams : ndarray of shape (N_BUCKETS,)
        Weight of each bucket of n-grams.
    shape, means, scales : ndarray of shape (len(SHAPE_FEATURES),)
        Weights of the standardised shape features, and their standardisation.
    """

    intercept: float
    ngrams: np.ndarray
    shape: np.ndarray
    means: np.ndarray
    scales: np.ndarray

    def log_odds(self, labels: Sequence[str], *, n_columns: int = 1) -> float:
        """Return the log odds that a column with these labels is ordinal.

        Parameters
        ----------
        labels : sequence of str
            Strings of the levels.
        n_columns : int
            Columns of the frame that hold the same levels.

        Returns
        -------
        float
            NaN where fewer than two labels hold a string.
        """
        shape = shape_features(labels, n_columns=n_columns)
        if np.isnan(shape).any():
            return math.nan
        score = self.intercept + _weigh_ngrams(self.ngrams, labels)
        return float(score + self.shape @ standardise(shape, self.means, self.scales))


@dataclass(frozen=True)
class NameModel:
    """A logistic model of the n-grams of a column's name.

    Attributes
    ----------
    intercept : float
        Log odds of an ordinal column without a name.
    ngrams : ndarray of shape (N_BUCKETS,)
        Weight of each bucket of n-grams.
    """

    intercept: float
    ngrams: np.ndarray

    def log_odds(self, name: str) -> float:
        """Return the log odds that a column of this name is ordinal; 0 for a name without words."""
        if not any(c.isalpha() for c in name):
            return 0.0
        return float(self.intercept + _weigh_ngrams(self.ngrams, [name]))


def _weigh_ngrams(weights: np.ndarray, texts: Sequence[str]) -> float:
    """Sum the weights of the n-grams of some strings."""
    return sum(weights[bucket] * value for bucket, value in ngram_features(texts).items())


def standardise(shape: np.ndarray, means: np.ndarray, scales: np.ndarray) -> np.ndarray:
    """Return shape features standardised and cut at three standard deviations."""
    return np.clip((shape - means) / scales, -_MAX_DEVIATIONS, _MAX_DEVIATIONS)


def ngram_features(labels: Sequence[str]) -> dict[int, float]:
    """Count the n-grams of a column's labels in buckets.

    Parameters
    ----------
    labels : sequence of str
        Strings of the levels, in any order.

    Returns
    -------
    dict
        Bucket -> 1 + log(number of labels that hold the n-gram), summed over the n-grams of the
        bucket and scaled to a Euclidean norm of 1. Digits count as zeros.
    """
    counts: dict[str, int] = {}
    for label in labels:
        for gram in _ngrams(label):
            counts[gram] = counts.get(gram, 0) + 1
    buckets: dict[int, float] = {}
    for gram in sorted(counts):  # a fixed order of the sums, so that their last digits are fixed
        bucket = zlib.crc32(gram.encode()) % N_BUCKETS
        buckets[bucket] = buckets.get(bucket, 0.0) + 1.0 + math.log(counts[gram])
    norm = math.sqrt(sum(value * value for value in buckets.values())) or 1.0
    return {bucket: value / norm for bucket, value in buckets.items()}


def _ngrams(label: str) -> set[str]:
    grams: set[str] = set()
    for word in words_of(fold(label))[:_MAX_WORDS]:
        if not word.isalpha():
            word = "".join("0" if c.isdigit() else c for c in word)
        padded = f" {word} "
        for size in range(SHORTEST, LONGEST + 1):
            grams.update(padded[k : k + size] for k in range(len(padded) - size + 1))
        if not word.isascii():
            grams.update(word)  # a single sign of Chinese or Japanese is a word
    return grams


@cache
def shipped_text_models() -> tuple[TextModel, NameModel]:
    """Load the models that come with the package: of the levels' strings, and of the names.

    Raises
    ------
    ValueError
        If the stored models are of another format or of other features.
    """
    source = resources.files("autotype.inference.labels").joinpath("text_model.json")
    return from_stored(json.loads(source.read_text(encoding="utf-8")))


def _unpacked(stored: Mapping) -> np.ndarray:
    codes = np.frombuffer(zlib.decompress(base64.b64decode(stored["ngrams"])), dtype=np.int8)
    if codes.shape != (N_BUCKETS,):
        raise ValueError(f"text_model.json holds {len(codes)} n-gram weights, not {N_BUCKETS}")
    return codes.astype(np.float64) * float(stored["ngram_unit"])


def from_stored(stored: Mapping) -> tuple[TextModel, NameModel]:
    """Read the models as ``benchmarks/text_model_file.py`` writes them.

    Raises
    ------
    ValueError
        If they are of another format or of other features.
    """
    levels, names = stored.get("levels", {}), stored.get("names", {})
    for what, found, expected in (
        ("format", stored.get("format"), FORMAT),
        ("features", levels.get("features"), [*SHAPE_FEATURES]),
    ):
        if found != expected:
            raise ValueError(
                f"text_model.json has {what} {found!r}, expected {expected!r}; "
                "write it again with benchmarks/fit_text_model.py --write"
            )
    return (
        TextModel(
            intercept=float(levels["intercept"]),
            ngrams=_unpacked(levels),
            shape=np.array(levels["weights"], dtype=float),
            means=np.array(levels["means"], dtype=float),
            scales=np.array(levels["scales"], dtype=float),
        ),
        NameModel(float(names["intercept"]), _unpacked(names)),
    )
