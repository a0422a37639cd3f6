"""The readability of a text word by word, in plain Python.

The twin of `autotype.tables.text.encoding`, which computes all words at once.
"""

from __future__ import annotations

import math
import re
import unicodedata
from itertools import pairwise

from autotype.lexicon.letters import (
    IDEOGRAPHIC,
    LATIN,
    ideographs,
    letter_pairs,
    scripts,
    small_letters,
)
from autotype.tables.text import encoding as fast


def readability(text: str) -> float:
    """Return the logarithm of the probability of words, one per line."""
    text = unicodedata.normalize("NFC", text)
    text = "".join(c if ord(c) < 0xFFFF else "\uffff" for c in text)
    total, words = 0.0, {}
    for letters, word in split(text):
        if not letters:
            total += float(fast._costs()[ord(word)])
            continue
        beyond = [int(scripts()[ord(c)]) for c in word if ord(c) > 127]
        words.setdefault(max(beyond, default=LATIN), []).append(word)
    for before, sign, after in zip(text, text[1:], text[2:], strict=False):
        if ord(sign) > 127 and is_letter(before) and not is_letter(sign) and is_letter(after):
            total += 0.0 if sign in fast._JOINING else fast._BETWEEN_LETTERS
    for script, own in words.items():
        total += mixture([probabilities(word, script) for word in own])
    return total + case_cost(text)


def is_letter(character: str) -> bool:
    return bool(scripts()[ord(character)])


def split(text: str) -> list[tuple[bool, str]]:
    """Return the words and the single other characters, each with whether it is a word."""
    marks = "".join("L" if is_letter(c) else "-" for c in text)
    return [
        (match[0][0] == "L", text[match.start() : match.end()])
        for match in re.finditer("L+|-", marks)
    ]


def probabilities(word: str, script: int) -> list[float]:
    """Return the log-probability of a word in each language of its script."""
    if script == IDEOGRAPHIC:
        return [sum(ideograph(table, c) for c in word) for table in ideographs()]
    index, log_probability = letter_pairs(script)
    found = []
    for table in log_probability:
        before, total = 0, 0.0
        for c in word:
            row = int(index[ord(c)])
            total += table[before, row] if scripts()[ord(c)] == script else fast._FOREIGN
            before = row
        found.append(total + table[before, 0])
    return found


def ideograph(table, character: str) -> float:
    if scripts()[ord(character)] == LATIN:
        return fast._LATIN_AMONG_IDEOGRAPHS
    return float(table[ord(character)])


def mixture(words: list[list[float]]) -> float:
    n = len(words[0])
    weights = [1 / n] * n
    for _ in range(fast._ROUNDS):
        sums = [fast._PRIOR_WORDS] * n
        for word in words:
            parts = [w * math.exp(p - max(word)) for w, p in zip(weights, word, strict=True)]
            sums = [a + part / sum(parts) for a, part in zip(sums, parts, strict=True)]
        weights = [one / (len(words) + fast._PRIOR_WORDS * n) for one in sums]
    return sum(
        max(word)
        + math.log(sum(w * math.exp(p - max(word)) for w, p in zip(weights, word, strict=True)))
        for word in words
    )


def is_capital(character: str) -> bool:
    return small_letters()[ord(character)] != ord(character)


def case_cost(text: str) -> float:
    total = 0.0
    for a, b in pairwise(text):
        if bool(fast._small()[ord(a)]) and is_capital(b) and not (a + b).isascii():
            total += fast._CAPITAL_AFTER_SMALL
    for a, b, c in zip(text, text[1:], text[2:], strict=False):
        if is_capital(a) and is_capital(b) and fast._small()[ord(c)]:
            total += 0.0 if (a + b + c).isascii() else fast._SMALL_AFTER_CAPITALS
    return total
