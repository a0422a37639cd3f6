"""The learnt score of level texts: character n-grams and the shape of the labels.

A logistic model over hashed n-grams and the numbers of `shape`, written by
``benchmarks/fit_text_model.py``. It needs no vocabulary, so it also covers words and languages that
no rule reads.
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

from autotype.inference.labels.wording.shape import SHAPE_FEATURES, fold, shape_features, words_of

FORMAT = 1
N_BUCKETS = 1 << 15
SHORTEST, LONGEST = 2, 4  # characters of an n-gram, a blank at either end of a word included
_MAX_WORDS = 12  # of a label; longer texts are sentences
_DEFLATED = 3.0  # standard deviations at which a shape feature is cut


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
            Texts of the levels.
        n_columns : int
            Columns of the frame that hold the same levels.

        Returns
        -------
        float
            NaN where fewer than two labels hold a text.
        """
        shape = shape_features(labels, n_columns=n_columns)
        if np.isnan(shape).any():
            return math.nan
        buckets = ngram_features(labels)
        score = self.intercept + sum(self.ngrams[b] * value for b, value in buckets.items())
        return float(score + self.shape @ standardise(shape, self.means, self.scales))


def standardise(shape: np.ndarray, means: np.ndarray, scales: np.ndarray) -> np.ndarray:
    """Return shape features standardised and cut at three standard deviations."""
    return np.clip((shape - means) / scales, -_DEFLATED, _DEFLATED)


def ngram_features(labels: Sequence[str]) -> dict[int, float]:
    """Count the n-grams of a column's labels in buckets.

    Parameters
    ----------
    labels : sequence of str
        Texts of the levels, in any order.

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
        word = "".join("0" if c.isdigit() else c for c in word)
        padded = f" {word} "
        for size in range(SHORTEST, LONGEST + 1):
            grams.update(padded[k : k + size] for k in range(len(padded) - size + 1))
        if not word.isascii():
            grams.update(word)  # a single sign of Chinese or Japanese is a word
    return grams


@cache
def shipped_text_model() -> TextModel:
    """Load the model that comes with the package.

    Raises
    ------
    ValueError
        If the stored model is of another format or of other features.
    """
    source = resources.files("autotype.inference.labels.wording").joinpath("text_model.json")
    return from_stored(json.loads(source.read_text(encoding="utf-8")))


def to_stored(model: TextModel, fitted: Mapping[str, object]) -> dict:
    """Return a model as JSON holds it: n-gram weights as bytes, with one scale for all.

    Parameters
    ----------
    model : TextModel
        The model.
    fitted : mapping
        Where it comes from: command, date, data, penalty.
    """
    unit = float(np.abs(model.ngrams).max()) / 127 or 1.0
    codes = np.round(model.ngrams / unit).astype(np.int8)
    return {
        "format": FORMAT,
        "fitted": dict(fitted),
        "intercept": round(model.intercept, 6),
        "features": list(SHAPE_FEATURES),
        "weights": [round(float(w), 6) for w in model.shape],
        "means": [round(float(m), 6) for m in model.means],
        "scales": [round(float(s), 6) for s in model.scales],
        "ngram_unit": unit,
        "ngrams": base64.b64encode(zlib.compress(codes.tobytes(), 9)).decode(),
    }


def from_stored(stored: Mapping) -> TextModel:
    """Read a model as `to_stored` writes it.

    Raises
    ------
    ValueError
        If it is of another format or of other features.
    """
    if stored.get("format") != FORMAT:
        raise ValueError(
            f"text_model.json has format {stored.get('format')!r}, expected {FORMAT}; "
            "write it anew with benchmarks/fit_text_model.py --write"
        )
    if tuple(stored["features"]) != SHAPE_FEATURES:
        raise ValueError(
            f"text_model.json has features {stored['features']}, expected {list(SHAPE_FEATURES)}; "
            "write it anew with benchmarks/fit_text_model.py --write"
        )
    codes = np.frombuffer(zlib.decompress(base64.b64decode(stored["ngrams"])), dtype=np.int8)
    if codes.shape != (N_BUCKETS,):
        raise ValueError(f"text_model.json holds {len(codes)} n-gram weights, not {N_BUCKETS}")
    return TextModel(
        intercept=float(stored["intercept"]),
        ngrams=codes.astype(np.float64) * float(stored["ngram_unit"]),
        shape=np.array(stored["weights"], dtype=float),
        means=np.array(stored["means"], dtype=float),
        scales=np.array(stored["scales"], dtype=float),
    )
