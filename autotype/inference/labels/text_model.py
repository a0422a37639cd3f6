"""The learned scores of strings: of the levels of a column, and of its name.

Logistic models over hashed character n-grams, for the levels together with the numbers of their
shape, written by ``benchmarks/fit_text_model.py``. They need no vocabulary, so they also cover
words and languages that no rule reads.

The shape compares the labels of a column without knowing a word. Labels of a scale repeat words and
stems, hold digits and range signs and are of like form; names have capitals inside, share a first
word, or differ in length. These hold in any language.
"""

from __future__ import annotations

import base64
import json
import math
import re
import unicodedata
import zlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from itertools import combinations

import numpy as np

from autotype.lexicon.tokens import n_alike

N_BUCKETS = 1 << 15
SHORTEST, LONGEST = 2, 4  # characters of an n-gram, a blank at either end of a word included
_MAX_WORDS = 12  # of a label; longer strings are sentences
_MAX_DEVIATIONS = 3.0  # standard deviations at which a shape feature is cut

MAX_LABELS = 40  # labels that are compared with each other; more add nothing new
_WORD = re.compile(r"[^\W_]+")
_RANGE = re.compile(r"\d\s*[-–~～—]\s*\d|[<>≤≥+]|\d\s*%")
_LEAD = re.compile(r"\d{1,2}(?=\D|$)")
_STEM = 4  # letters that two inflections of a word share

SHAPE_FEATURES: tuple[str, ...] = (
    "word_overlap", "trigram_overlap", "contained", "shared_word", "commonest_word", "digit",
    "leading_digit", "range_sign", "inner_capital", "words", "length", "length_spread",
    "inverse_levels", "common_prefix", "common_suffix", "columns_alike", "initial_capital",
    "all_capitals", "short_code", "listing", "nested_words", "shared_stem", "single_word",
    "words_spread", "medoid", "leading_run",
)  # fmt: skip


@dataclass(frozen=True)
class TextModel:
    """A logistic model of n-grams, and of shape where it is one of levels.

    Attributes
    ----------
    intercept : float
        Log odds of an ordinal column whose features are all at their mean.
    ngrams : ndarray of shape (N_BUCKETS,)
        Weight of each bucket of n-grams.
    shape, means, scales : ndarray of shape (len(SHAPE_FEATURES),)
        Weights of the standardised shape features, and their standardisation; none of names.
    """

    intercept: float
    ngrams: np.ndarray
    shape: np.ndarray = field(default_factory=lambda: np.empty(0))
    means: np.ndarray = field(default_factory=lambda: np.empty(0))
    scales: np.ndarray = field(default_factory=lambda: np.empty(0))

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

    def log_odds_of_name(self, name: str) -> float:
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
def shipped_text_models() -> tuple[TextModel, TextModel]:
    """Load the models that come with the package: of the levels' strings, and of the names."""
    source = resources.files("autotype.inference.labels").joinpath("text_model.json")
    return from_stored(json.loads(source.read_text(encoding="utf-8")))


def _unpacked(stored: Mapping) -> np.ndarray:
    codes = np.frombuffer(zlib.decompress(base64.b64decode(stored["ngrams"])), dtype=np.int8)
    return codes.astype(np.float64) * float(stored["ngram_unit"])


def from_stored(stored: Mapping) -> tuple[TextModel, TextModel]:
    """Read the models as ``benchmarks/text_model_file.py`` writes them."""
    levels, names = stored["levels"], stored["names"]
    shape, means, scales = (np.array(levels[key]) for key in ("weights", "means", "scales"))
    return (
        TextModel(levels["intercept"], _unpacked(levels), shape, means, scales),
        TextModel(names["intercept"], _unpacked(names)),
    )


def fold(text: str) -> str:
    """Return a string without case, accents and outer blanks.

    Examples
    --------
    >>> fold(" Très GROß ")
    'tres gross'
    """
    text = unicodedata.normalize("NFKD", text.strip())
    return "".join(c for c in text if not unicodedata.combining(c)).casefold()


def words_of(text: str) -> list[str]:
    """Split a string into runs of letters and digits.

    Examples
    --------
    >>> words_of("not_at-all 1")
    ['not', 'at', 'all', '1']
    """
    return _WORD.findall(text)


def shape_features(labels: Sequence[str], *, n_columns: int = 1) -> np.ndarray:
    """Compute the shape of a column's labels.

    Parameters
    ----------
    labels : sequence of str
        Strings of the levels, in any order.
    n_columns : int
        Columns of the frame that hold the same levels, this one included.

    Returns
    -------
    ndarray of shape (26,)
        One number for each of `SHAPE_FEATURES`; NaN where fewer than two labels hold a string.
        Shares of the labels lie in [0, 1], ``words``, ``length`` and ``columns_alike`` are
        logarithms.

    Notes
    -----
    Costs O(L^2) set comparisons for L labels.

    Examples
    --------
    >>> shape = dict(zip(SHAPE_FEATURES, shape_features(["low", "very low", "high"])))
    >>> round(float(shape["shared_word"]), 2), float(shape["digit"])
    (0.67, 0.0)
    """
    raw = sorted(text.strip() for text in labels if text.strip())[:MAX_LABELS]
    if len(raw) < 2:
        return np.full(len(SHAPE_FEATURES), np.nan)
    texts = [fold(text) for text in raw]
    words = [words_of(text) for text in texts]
    values = _overlaps(texts, words) | _forms(raw, texts, words)
    values["columns_alike"] = math.log(min(n_columns, 8))
    return np.array([values[name] for name in SHAPE_FEATURES])


def _overlaps(texts: Sequence[str], words: Sequence[list[str]]) -> dict[str, float]:
    """Compare the labels with each other: words, stems and trigrams in common."""
    n = len(texts)
    named = [{word for word in label if not word.isdigit()} for label in words]
    stems = [{word[:_STEM] for word in label if len(word) >= _STEM} for label in named]
    similarity = np.eye(n)
    grams = [_trigrams(text) for text in texts]
    shared = 0.0
    for i, j in combinations(range(n), 2):
        similarity[i, j] = similarity[j, i] = _jaccard(grams[i], grams[j])
        shared += _jaccard(named[i], named[j])
    n_pairs = n * (n - 1) / 2
    word_counts = Counter(word for label in named for word in label)
    stem_counts = Counter(stem for label in stems for stem in label)
    commonest = max(word_counts.values(), default=0)
    return {
        "word_overlap": shared / n_pairs,
        "trigram_overlap": (similarity.sum() - n) / 2 / n_pairs,
        "contained": _share(
            any(i != j and len(texts[j]) > 1 and texts[j] in texts[i] for j in range(n))
            for i in range(n)
        ),
        "nested_words": _share(
            any(i != j and named[j] and named[j] < named[i] for j in range(n)) for i in range(n)
        ),
        "shared_word": _share(any(word_counts[word] > 1 for word in label) for label in named),
        "shared_stem": _share(any(stem_counts[stem] > 1 for stem in label) for label in stems),
        "commonest_word": commonest / n if commonest > 1 else 0.0,
        "medoid": float(similarity.sum(axis=1).max()) / n,
    }


def _forms(
    raw: Sequence[str], texts: Sequence[str], words: Sequence[list[str]]
) -> dict[str, float]:
    """Describe the labels one by one: digits, capitals, lengths."""
    lengths = np.array([len(text) for text in texts], dtype=float)
    n_words = np.array([len(label) for label in words], dtype=float)
    mean_length = max(lengths.mean(), 1.0)
    leads = [int(match.group()) for match in map(_LEAD.match, texts) if match]
    distinct = len(leads) == len(texts) == len(set(leads))
    return {
        "digit": _share(any(c.isdigit() for c in text) for text in texts),
        "leading_digit": _share(text[:1].isdigit() for text in texts),
        "leading_run": float(distinct and max(leads) - min(leads) <= len(leads) + 1),
        "range_sign": _share(_RANGE.search(text) is not None for text in raw),
        "inner_capital": _share(
            any(word[:1].isupper() for word in words_of(text)[1:]) for text in raw
        ),
        "initial_capital": _share(text[:1].isupper() for text in raw),
        "all_capitals": _share(text.isupper() and len(text) > 1 for text in raw),
        "listing": _share(any(sign in text for sign in "/&,") for text in raw),
        "short_code": float(np.mean(lengths <= 3)),
        "words": math.log1p(n_words.mean()),
        "words_spread": float(n_words.std()),
        "single_word": float(np.mean(n_words == 1)),
        "length": math.log1p(lengths.mean()),
        "length_spread": float(lengths.std()) / mean_length,
        "inverse_levels": 1.0 / len(texts),
        "common_prefix": n_alike(texts) / mean_length,
        "common_suffix": n_alike([text[::-1] for text in texts]) / mean_length,
    }


def _share(values: Iterable[bool]) -> float:
    return float(np.mean([bool(value) for value in values]))


def _trigrams(text: str) -> set[str]:
    padded = f" {text} "
    return {padded[k : k + 3] for k in range(len(padded) - 2)} or {padded}


def _jaccard(one: set, other: set) -> float:
    if one.isdisjoint(other):  # most pairs
        return 0.0
    shared = len(one & other)
    return shared / (len(one) + len(other) - shared)
