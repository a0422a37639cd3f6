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
_LANGUAGES = {
    LATIN: "af ca cs da de en es et eu fi fr gl hr hu id is it lt lv ms nl no pl pt ro sk sl sq sr "
    "sv sw tl tr vi",
    GREEK: "el",
    CYRILLIC: "bg mk ru sr uk",
    HEBREW: "he",
    ARABIC: "ar fa ur",
    THAI: "th",
}
# First and last character; marks within words, such as vowels of Thai, count as letters.
_RANGES = (
    (LATIN, "AZ az ÀÖ Øö øɏ Ḁỿ"),
    (GREEK, "\u0386\u0386 \u0388\u03ff"),
    (CYRILLIC, "Ѐԯ"),
    (HEBREW, "\u05b0\u05ea"),
    (ARABIC, "\u0620\u065f \u066e\u06d3 \ufb50\ufdcf \ufe70\ufefc"),
    (THAI, "\u0e01\u0e3a \u0e40\u0e4e"),
    (IDEOGRAPHIC, "ᄀᇿ ぁヿ ㄅ㆏ 㐀鿿 가힣 豈\ufaff ｦﾟ"),
)
N_CHARACTERS = 1 << 16
OTHER_LETTER = 1  # index of a letter that no word of the script holds
_RARE = 1e-5  # its probability
_MORE_LETTER = 2  # index of a letter of languages that have no vocabulary
_UNCOUNTED = 1e-3  # its probability
_MORE_LETTERS = {  # of Icelandic, Catalan, Maltese, Welsh ... and of Kazakh, Macedonian ...
    LATIN: "áðéíóúýþæöïçċġħżŵŷĉĝĥĵŝŭəëñ",
    CYRILLIC: "ўіѓќѕјљњџәғқңөұүһ",
}
# Letters that the code pages of a language lack -> those that stand for them.
_CODE_PAGE_FORMS = {"ro": str.maketrans("șț", "şţ"), "fa": str.maketrans("ی", "ي")}
_OWN = 0.95  # weight of a language's own letters where a pair was not seen
_CASED = 0x2000  # no script above it that is read here has capitals
_UNSEEN = 3e-7  # of a character of Chinese, Japanese or Korean that no standard calls frequent
_HALF_WIDTH = 1e-3  # of each small kana of old programs
_COUNTED = 0.6  # weight of the counts of such characters in the vocabulary
# Of each language, a codec of two bytes, first and last lead bytes of its frequent characters, and
# the weight of the set: levels 1 of GB 2312, Big5 and JIS X 0208, kana, the syllables of KS X 1001.
_FREQUENT: tuple[tuple[str, tuple[tuple[str, int, int, float], ...]], ...] = (
    ("zh", (("gb2312", 0xB0, 0xD7, 0.3),)),
    ("zh", (("big5", 0xA4, 0xC6, 0.3),)),
    ("ja", (("euc_jp", 0xA4, 0xA5, 0.15), ("euc_jp", 0xB0, 0xCF, 0.2))),
    ("ko", (("euc_kr", 0xB0, 0xC8, 0.33),)),
)


@cache
def scripts() -> np.ndarray:
    """Return the script of each character, 0 for what is not a letter."""
    table = np.zeros(N_CHARACTERS, dtype=np.uint8)
    for script, ranges in _RANGES:
        for pair in ranges.split():
            table[ord(pair[0]) : ord(pair[1]) + 1] = script
    return table


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
    words = {code: _words(code, script) for code in _LANGUAGES[script].split()}
    if script == LATIN:
        words |= {code: set(text.split()) for code, text in read_toml("letters")["words"].items()}
    for code, forms in _CODE_PAGE_FORMS.items():
        if code in words:
            words[code] |= {word.translate(forms) for word in words[code]}
    letters = sorted({letter for own in words.values() for word in own for letter in word})
    rows = {letter: row for row, letter in enumerate(letters, start=_MORE_LETTER + 1)}
    size = len(rows) + _MORE_LETTER + 1
    probability = np.empty((len(words), size, size))
    for at, own in enumerate(words.values()):
        probability[at] = _smoothed(_pair_counts(own, rows, size))
    index = np.full(N_CHARACTERS, OTHER_LETTER)
    index[list(map(ord, _MORE_LETTERS.get(script, "")))] = _MORE_LETTER
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
    table = np.full((len(_FREQUENT), N_CHARACTERS), _UNSEEN)
    for row, (code, sets) in zip(table, _FREQUENT, strict=True):
        counts = Counter("".join(sorted(_words(code, IDEOGRAPHIC))))
        row[list(map(ord, counts))] += _COUNTED * np.array([*counts.values()]) / counts.total()
        for codec, first, last, weight in sets:
            pairs = (bytes((a, b)) for a in range(first, last + 1) for b in range(0x40, 0xFF))
            found = {text for pair in pairs if len(text := pair.decode(codec, "ignore")) == 1}
            row[[ord(text) for text in found if text > "\x7f"]] += weight / len(found)
        if code == "ja":
            row[ord("ｦ") : ord("ﾟ") + 1] += _HALF_WIDTH
    return np.log(table)


def _words(code: str, script: int) -> set[str]:
    """Return the words of a language that are wholly in a script, in small letters."""
    ranges = next(ranges for own, ranges in _RANGES if own == script)
    letters = "".join(f"{pair[0]}-{pair[1]}" for pair in ranges.split())
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
