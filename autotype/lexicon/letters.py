"""Letters: how probable each one is after another, in the languages of the vocabulary.

Text that is decoded in a wrong encoding holds letters that no language joins in this way. The words
of the vocabulary are few, but they hold nearly all pairs of letters of a language; the characters
of Chinese, Japanese and Korean are counted one by one, with the sets of frequent characters that
their national standards define.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from functools import cache

import numpy as np

from autotype.lexicon.languages import phrases_of
from autotype.lexicon.toml_files import read_toml

LATIN, GREEK, CYRILLIC, HEBREW, ARABIC, THAI, IDEOGRAPHIC = range(1, 8)
N_CHARACTERS = 1 << 16
OTHER_LETTER = 1  # index of a letter that no word of the script holds
_RARE = 1e-5  # its probability
_MORE_LETTER = 2  # index of a letter of languages that have no vocabulary
_UNCOUNTED = 1e-3  # its probability
_OWN = 0.95  # weight of a language's own letters where a pair was not seen
_CASED = 0x2000  # no script above it that is read here has capitals
_UNSEEN = 3e-7  # of a character of Chinese, Japanese or Korean that no standard calls frequent
_HALF_WIDTH = 1e-3  # of each small kana of old programs
_COUNTED = 0.6  # weight of the counts of such characters in the vocabulary


@cache
def scripts() -> np.ndarray:
    """Return the script of each character, 0 for what is not a letter."""
    table = np.zeros(N_CHARACTERS, dtype=np.uint8)
    for script in range(LATIN, IDEOGRAPHIC + 1):
        for pair in _script(script)["ranges"].split():
            table[ord(pair[0]) : ord(pair[1]) + 1] = script
    return table


def _script(script: int) -> dict[str, str]:
    """Return the ranges of a script's letters, and its languages."""
    return read_toml("letters")["script"][script - LATIN]


@cache
def small_letters() -> np.ndarray:
    """Return the small letter of each character, itself where there is none."""
    table = np.arange(N_CHARACTERS)
    table[:_CASED] = [ord(chr(c).lower()[0]) for c in range(_CASED)]
    return table


@cache
def letter_pairs(script: int) -> tuple[np.ndarray, np.ndarray]:
    """Count the pairs of letters in the words of a script's languages.

    Returns
    -------
    index : array of shape (N_CHARACTERS,)
        Of each character, capitals as small letters: its row; `OTHER_LETTER` if no word holds it.
    log_probability : array of shape (n_languages, n_rows, n_rows)
        That a letter follows another one in a language; row 0 is the edge of a word.

    Examples
    --------
    >>> index, log_probability = letter_pairs(GREEK)
    >>> a, n, b = index[[ord("α"), ord("ν"), ord("b")]]
    >>> bool(log_probability[0, a, n] > log_probability[0, a, a])
    True
    >>> int(b) == OTHER_LETTER
    True
    """
    stated = read_toml("letters")
    words = {code: _words(code, script) for code in _script(script)["languages"].split()}
    if script == LATIN:
        words |= {code: set(text.split()) for code, text in stated["words"].items()}
    for code in words.keys() & stated["code_page_forms"]:
        forms = str.maketrans(*stated["code_page_forms"][code])
        words[code] |= {word.translate(forms) for word in words[code]}
    letters = sorted({letter for own in words.values() for word in own for letter in word})
    rows = {letter: row for row, letter in enumerate(letters, start=_MORE_LETTER + 1)}
    size = len(rows) + _MORE_LETTER + 1
    probability = np.empty((len(words), size, size))
    for at, own in enumerate(words.values()):
        probability[at] = _smoothed(_pair_counts(own, rows, size))
    index = np.full(N_CHARACTERS, OTHER_LETTER)
    index[list(map(ord, _script(script).get("more", "")))] = _MORE_LETTER
    index[list(map(ord, letters))] = list(rows.values())
    return index[small_letters()], np.log(probability)


@cache
def ideographs() -> np.ndarray:
    """Return log-probabilities of the characters of Chinese, Japanese and Korean.

    Returns
    -------
    array of shape (4, N_CHARACTERS)
        Simplified and traditional Chinese, Japanese and Korean.
    """
    frequent = read_toml("letters")["frequent"]
    table = np.full((len(frequent), N_CHARACTERS), _UNSEEN)
    for row, own in zip(table, frequent, strict=True):
        code = own["language"]
        counts = Counter("".join(sorted(_words(code, IDEOGRAPHIC))))
        row[list(map(ord, counts))] += _COUNTED * np.array([*counts.values()]) / counts.total()
        for codec, first, last, weight in own["sets"]:
            pairs = (bytes((a, b)) for a in range(first, last + 1) for b in range(0x40, 0xFF))
            found = {text for pair in pairs if len(text := pair.decode(codec, "ignore")) == 1}
            row[[ord(text) for text in found if text > "\x7f"]] += weight / len(found)
        if code == "ja":
            row[ord("ｦ") : ord("ﾟ") + 1] += _HALF_WIDTH
    return np.log(table)


def _words(code: str, script: int) -> set[str]:
    """Return the words of a language that are wholly in a script, in small letters."""
    letters = "".join(f"{pair[0]}-{pair[1]}" for pair in _script(script)["ranges"].split())
    text = " ".join(phrases_of(code)).replace("İ", "i").lower()
    return set(re.findall(rf"(?<!\w)[{letters}]+(?!\w)", text))


def _pair_counts(words: Iterable[str], rows: dict[str, int], size: int) -> np.ndarray:
    text = " ".join(sorted(words))
    at = np.array([0, *(rows.get(letter, 0) for letter in text), 0])
    return np.bincount(at[:-1] * size + at[1:], minlength=size * size).reshape(size, size)


def _smoothed(counts: np.ndarray) -> np.ndarray:
    """Return the probabilities of pairs; those not seen have part in their letters' frequencies."""
    size = len(counts)
    single = _OWN * counts.sum(axis=0) / counts.sum() + (1 - _OWN) / size
    # The more different letters follow one, the more are expected that were not seen.
    n_seen = (counts > 0).sum(axis=1, keepdims=True) + 1
    probability = (counts + n_seen * single) / (counts.sum(axis=1, keepdims=True) + n_seen)
    probability[:, OTHER_LETTER] = _RARE
    probability[:, _MORE_LETTER] = _UNCOUNTED
    return probability
