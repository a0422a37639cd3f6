"""Which legacy encoding the words of a file are in: the one that makes them most readable."""

from __future__ import annotations

import codecs
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from autotype.lexicon.toml_files import read_toml
from autotype.tables.text.readability import readability

_PROPOSED = -8.0  # an encoding that chardet alone proposes
_N_PROPOSED = 3
_CLEAR_LEAD = 4.0  # a candidate that is behind by less casts doubt
_KIN = {"shift_jis": "cp932", "big5": "cp950"}  # they differ in a few signs
_READABLE = -4.4  # per byte, the ends of words included; in known languages it is -2 to -4
_SLACK = 10.0  # as a few words may be odd
_N_CONTEXT = 200
_N_FIRST = 60  # words that leave few candidates
_HOPELESS = 60.0  # behind after them
_MOST_BYTES = 20_000
_LONGEST = 200


@dataclass(frozen=True)
class CodePage:
    """The encoding that fits words best.

    Attributes
    ----------
    name : str
        Of the codec.
    score : float
        Logarithm of the probability of the words and the encoding.
    rival : str or None
        The best one that reads another text, where it is hardly worse.
    differs : tuple of str
        A word as each of the two reads it; empty if there is no rival.
    readable : bool
        Whether the words are like those of a known language.
    """

    name: str
    score: float
    rival: str | None = None
    differs: tuple[str, ...] = ()
    readable: bool = True


def find_code_page(words: Sequence[bytes], context: Sequence[bytes] = ()) -> CodePage:
    """Find the legacy encoding of words.

    Parameters
    ----------
    words : sequence of bytes
        Different ones, each with bytes beyond ASCII.
    context : sequence of bytes
        Words in ASCII from the same file, which hint at its language.

    Examples
    --------
    >>> find_code_page(["Łódź".encode("cp1250"), "Gdańsk".encode("cp1250")]).name
    'cp1250'
    """
    own = b"\n".join(words)
    context = context[:: math.ceil(len(context) / _N_CONTEXT) or 1]
    first = b"\n".join([*words[:_N_FIRST], *context])
    text = b"\n".join([own, *context])
    listed = read_toml("encodings")["common"]
    common = listed | {name: _PROPOSED for name in _proposed(own) if name not in listed}
    scores = {name: _score(first, name, weight) for name, weight in common.items()}
    if len(words) > _N_FIRST:
        least = max(scores.values()) - _HOPELESS
        scores = {n: _score(text, n, common[n]) for n, score in scores.items() if score >= least}
    ranked = sorted(scores, key=lambda name: -scores[name])
    best = ranked[0]
    score = _score(own, best, common[best])
    found = CodePage(_named(best), score, readable=score > _READABLE * len(own) - _SLACK)
    for rival in ranked[1:]:
        if scores[rival] < scores[best] - _CLEAR_LEAD:
            break
        if rival == _KIN.get(best):
            continue
        for word in words:
            differs = word.decode(best, "replace"), word.decode(rival, "replace")
            if differs[0] != differs[1]:
                return replace(found, rival=_named(rival), differs=differs)
    return found


def utf8_score(words: Sequence[bytes]) -> float:
    """Return the score of UTF-8 as `find_code_page` computes that of an encoding."""
    return _score(b"\n".join(words), "utf-8", 0.0)


def sample_words(words: Sequence[bytes]) -> list[bytes]:
    """Return words spread over all of them, of a bounded number of bytes."""
    short = [word for word in words if len(word) <= _LONGEST]
    if sum(map(len, short)) < _MOST_BYTES // 10:  # else sentences without blanks
        short = [word[:_MOST_BYTES] for word in words]
    step = math.ceil(sum(map(len, short)) / _MOST_BYTES)
    return short[::step]


def _score(data: bytes, name: str, weight: float) -> float:
    return weight + readability(data.decode(name, "replace"))


def _named(name: str) -> str:
    return codecs.lookup(name).name


def _proposed(data: bytes) -> list[str]:
    """Return what chardet proposes, of the encodings that Python reads and ASCII is part of."""
    import chardet

    found = chardet.detect_all(data, ignore_threshold=True, compat_names=False)
    names = []
    for guess in found[:_N_PROPOSED]:
        try:
            name = codecs.lookup(guess["encoding"] or "ascii").name.replace("-", "_")
            if b"a,1".decode(name) == "a,1" and not name.startswith(("utf", "ascii")):
                names.append(name)
        except (LookupError, UnicodeError):
            continue
    return names
