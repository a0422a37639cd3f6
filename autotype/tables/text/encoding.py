"""In which encoding a text file is written.

Nearly all files are UTF-8, which a pass of decoding proves. Of the others the words with bytes
beyond ASCII are gathered over the whole file, and the encoding is the one that makes them most
readable. What tells it from the others is how readable a decoded text is.

The same bytes are a word in one encoding and a jumble in the others: letters that no language
joins, capitals within a word, signs between letters, control characters. All of it is one number,
the logarithm of the probability of the text; that of each word is a mixture over the languages of
its script.
"""

from __future__ import annotations

import codecs
import io
import math
import re
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache

import numpy as np

from autotype.lexicon import letters
from autotype.lexicon.toml_files import read_toml
from autotype.tables.table import Opener
from autotype.wording import join_first, shorten

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

# Logarithms of probabilities, from how often such characters stand in tables.
_FOREIGN = -15.0  # a letter of another script within a word
_LATIN_AMONG_IDEOGRAPHS = -7.0
_BETWEEN_LETTERS = -5.0
_CAPITAL_AFTER_SMALL = -4.0
_SMALL_AFTER_CAPITALS = -2.5
_JOINING = "’‘·–\u00ad\u00a0\u200b\u200c\u200d・"  # signs that stand between letters
_ROUNDS = 8  # of the mixture's weights, which settle fast
_PRIOR_WORDS = 0.3  # so many words of each language are thought to have been seen


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
    found = CodePage(_codec_name(best), score, readable=score > _READABLE * len(own) - _SLACK)
    for rival in ranked[1:]:
        if scores[rival] < scores[best] - _CLEAR_LEAD:
            break
        if rival == _KIN.get(best):
            continue
        for word in words:
            differs = word.decode(best, "replace"), word.decode(rival, "replace")
            if differs[0] != differs[1]:
                return replace(found, rival=_codec_name(rival), differs=differs)
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


def _codec_name(name: str) -> str:
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


def readability(text: str) -> float:
    r"""Return the logarithm of the probability of words.

    Parameters
    ----------
    text : str
        Words of letters and signs, one per line.

    Examples
    --------
    >>> data = "Größe\nStraße\nhübsch".encode("cp1252")
    >>> readability(data.decode("cp1252")) > readability(data.decode("cp1251"))
    True
    """
    text = unicodedata.normalize("NFC", text)  # some encodings have accents as marks of their own
    characters = np.frombuffer(text.encode("utf-32-le", "replace"), np.uint32)
    characters = np.concatenate(([10], np.minimum(characters, letters.N_CHARACTERS - 1), [10]))
    script = letters.scripts()[characters]
    is_letter = script > 0
    total = float(_costs()[characters[~is_letter]].sum())
    inside = is_letter[:-2] & ~is_letter[1:-1] & is_letter[2:] & (characters[1:-1] > 127)
    inside &= np.isin(characters[1:-1], [*map(ord, _JOINING)], invert=True)
    total += _BETWEEN_LETTERS * float(inside.sum())
    total += _case_cost(characters)
    starts = np.flatnonzero(is_letter[1:] & ~is_letter[:-1]) + 1
    if not len(starts):
        return total
    ends = np.flatnonzero(~is_letter[1:] & is_letter[:-1]) + 1
    # The script of a word is that of its letters beyond ASCII.
    own = np.maximum.reduceat(np.where(characters > 127, script, 0), starts)
    own = np.maximum(own, letters.LATIN)
    for one in np.unique(own):
        of_words = np.flatnonzero(own == one)
        total += _mixture(_log_probability(one, characters, starts[of_words], ends[of_words]))
    return total


def _log_probability(
    script: int, characters: np.ndarray, starts: np.ndarray, ends: np.ndarray
) -> np.ndarray:
    """Return the log-probability of each word in each language of its script."""
    lengths = ends - starts + 1  # with the edge after it
    first = np.cumsum(lengths) - lengths
    at = np.arange(lengths.sum()) - np.repeat(first - starts, lengths)
    if script == letters.IDEOGRAPHIC:
        values = np.where(characters[at] > 127, letters.ideographs()[:, characters[at]], 0.0)
        values[:, letters.scripts()[characters[at]] == letters.LATIN] = _LATIN_AMONG_IDEOGRAPHS
        values[:, first + lengths - 1] = 0.0
    else:
        index, log_probability = letters.letter_pairs(script)
        rows = index[characters]
        rows[letters.scripts()[characters] == 0] = 0
        values = log_probability[:, rows[at - 1], rows[at]]
        of_script = letters.scripts()[characters[at]]
        values[:, (of_script != script) & (of_script > 0)] = _FOREIGN
    return np.add.reduceat(values, first, axis=1)


def _mixture(log_probability: np.ndarray) -> float:
    """Return the log-probability of words in a mixture of languages, its weights estimated."""
    n_languages, n_words = log_probability.shape
    largest = log_probability.max(axis=0)
    probability = np.exp(log_probability - largest)
    weights = np.full(n_languages, 1 / n_languages)
    for _ in range(_ROUNDS):  # expectation-maximisation
        parts = probability * weights[:, None]
        parts /= parts.sum(axis=0)
        weights = (parts.sum(axis=1) + _PRIOR_WORDS) / (n_words + _PRIOR_WORDS * n_languages)
    return float((np.log(weights @ probability) + largest).sum())


def _case_cost(characters: np.ndarray) -> float:
    """Return the cost of capitals within words, ASCII aside, which is the same in all encodings."""
    is_capital = letters.small_letters()[characters] != characters
    is_small = _small()[characters]
    beyond = characters > 127
    pairs = is_small[:-1] & is_capital[1:] & (beyond[:-1] | beyond[1:])
    threes = is_capital[:-2] & is_capital[1:-1] & is_small[2:]
    threes &= beyond[:-2] | beyond[1:-1] | beyond[2:]
    return float(_CAPITAL_AFTER_SMALL * pairs.sum() + _SMALL_AFTER_CAPITALS * threes.sum())


@cache
def _small() -> np.ndarray:
    """Return which characters are the small letters of capitals."""
    table = np.zeros(letters.N_CHARACTERS, dtype=bool)
    capitals = letters.small_letters() != np.arange(letters.N_CHARACTERS)
    table[letters.small_letters()[capitals]] = True
    return table


@cache
def _costs() -> np.ndarray:
    """Return the log-probability of each character that is no letter."""
    known = read_toml("encodings")["signs"]
    table = np.full(letters.N_CHARACTERS, known["rare"])
    for first, last, cost in known["ranges"]:
        table[first : last + 1] = cost
    table[[ord(sign) for signs in known["usual"] for sign in signs]] = known["usual_sign"]
    return table


REPLACED = "replace"  # the error handler: U+FFFD for each byte that is not in the encoding
_OVERRIDE = "encoding= (--encoding) sets another encoding"
_BLOCK = 1 << 20
_HEAD = 1 << 16
_MARKS: dict[str, bytes | tuple[bytes, ...]] = {  # the marks of UTF-32 begin like that of UTF-16
    "utf-8-sig": codecs.BOM_UTF8,
    "utf-32": (codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE),
    "utf-16": (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE),
}
_WIDE_HEAD = 1 << 13
# Second bytes of East Asian characters are at least 0x40, so that these bytes never split one.
_BETWEEN_WORDS = re.compile(rb"[\x00-\x3f]+")
_PLAIN_WORD = re.compile(rb"[A-Za-z]{2,20}")
_ENOUGH_WORDS = 5000
_WHOLE_BLOCKS = 8  # blocks whose words are gathered in any case; then each eighth one
_MIXED_LEAD = 5.0  # so much less common is a file in two encodings
_MIN_MIXED = 3  # words that are not UTF-8; fewer are damaged
_NOTED = "\ufdd0"  # no character, by Unicode's promise, so that it stands in no text
_NOTE = "autotype-noted"
_MIXED = "autotype-mixed-"


@dataclass(frozen=True)
class Encoding:
    """How the bytes of a file become text.

    Attributes
    ----------
    name : str
        Of the codec; ``"utf-8-sig"`` for UTF-8 that begins with a byte order mark.
    doubts : tuple of str
        Sentences about what may be wrong, each with the option that overrides it.
    bad : tuple of int
        The lines, counted from 1, with bytes that are not in the encoding.
    errors : str
        The error handler to decode with; ``"strict"`` if no byte is bad. One that is named
        ``"autotype-mixed-..."`` reads what is not UTF-8 in a second encoding; this module
        registers it.
    """

    name: str
    doubts: tuple[str, ...] = ()
    bad: tuple[int, ...] = ()
    errors: str = "strict"


def detect_encoding(opened: Opener, *, given: str | None = None) -> Encoding:
    r"""Detect the encoding of a text file.

    Parameters
    ----------
    opened : callable
        Opens the content from its start; called once for each pass.
    given : str, optional
        The encoding, where it is known; the content is not examined then, but for its mark.

    Raises
    ------
    LookupError
        If there is no such encoding as the one given.

    Notes
    -----
    ASCII and UTF-8 cost one pass of decoding, other encodings two more and the examination of a
    bounded number of words. Where few words do not determine the encoding, the doubt is stated.

    Examples
    --------
    >>> import io
    >>> data = "ville;pays\nOrléans;France\nLódź;Pologne\n"
    >>> detect_encoding(lambda: io.BytesIO(data.encode("utf-8"))).name
    'utf-8'
    >>> detect_encoding(lambda: io.BytesIO("Größe\nGrün\n".encode("cp1252"))).name
    'cp1252'
    """
    with opened() as file:
        head = file.read(_HEAD)
    marked = marked_encoding(head)
    if given is not None:
        name = codecs.lookup(given).name
        return Encoding("utf-8-sig" if name == "utf-8" and marked == "utf-8-sig" else name)
    if marked is None and b"\0" in head:
        marked = _by_chardet(head[:_WIDE_HEAD], ("utf-16", "utf-32"))
    if marked is not None:
        return _with_bad_lines(opened, marked)
    if _is_utf8(opened):
        has_escapes = head.isascii() and b"\x1b$" in head
        return Encoding((has_escapes and _by_chardet(head, ("iso2022",))) or "utf-8")
    return _legacy_encoding(opened)


def marked_encoding(head: bytes) -> str | None:
    """Return the encoding that a byte order mark states."""
    return next((name for name, marks in _MARKS.items() if head.startswith(marks)), None)


def _by_chardet(head: bytes, kinds: tuple[str, ...]) -> str | None:
    """Return the encoding that chardet finds, if it is of one of these kinds."""
    import chardet  # most files are UTF-8 and need none

    name = chardet.detect(head, compat_names=False)["encoding"]
    return codecs.lookup(name).name if name and name.lower().startswith(kinds) else None


def _is_utf8(opened: Opener) -> bool:
    try:
        with opened() as file:
            blocks = iter(lambda: file.read(_BLOCK), b"")
            return all(True for _ in codecs.iterdecode(blocks, "utf-8"))
    except UnicodeDecodeError:
        return False


def _legacy_encoding(opened: Opener) -> Encoding:
    """Return the encoding of a text of which some bytes are not UTF-8."""
    words, context = _gather_words(opened)
    valid = [word for word in words if _is_valid(word)]
    others = [word for word in words if not _is_valid(word)]
    if not others:  # beyond the words that were gathered, or in its last byte
        return _with_bad_lines(opened, "utf-8")
    page = find_code_page(words, context)
    if valid:
        damaged = utf8_score(words)
        rest = find_code_page(others, context)
        mixed = utf8_score(valid) + rest.score - _MIXED_LEAD
        if len(others) >= _MIN_MIXED and mixed > max(page.score, damaged):
            return _mixed_encoding(opened, rest)
        if damaged > page.score or (mixed > page.score and len(others) < _MIN_MIXED):
            return _with_bad_lines(opened, "utf-8")
    return _with_bad_lines(opened, page.name, _doubts(page))


def _gather_words(opened: Opener) -> tuple[list[bytes], list[bytes]]:
    """Return different words with bytes beyond ASCII, from all over the file, and plain ones."""
    words: dict[bytes, None] = {}
    plain: dict[bytes, None] = {}
    with opened() as file:
        for at, block in enumerate(iter(lambda: file.read(_BLOCK), b"")):
            end = file.readline(_HEAD)  # so that no word is cut, unless lines are very long
            if at >= _WHOLE_BLOCKS and (at % _WHOLE_BLOCKS or len(words) >= _ENOUGH_WORDS):
                continue
            parts = dict.fromkeys(_BETWEEN_WORDS.split(block + end))
            words.update((word, None) for word in parts if not word.isascii())
            if len(plain) < _ENOUGH_WORDS:
                plain.update((word, None) for word in parts if _PLAIN_WORD.fullmatch(word))
    return sample_words(list(words)), list(plain)


def _is_valid(word: bytes) -> bool:
    try:
        word.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _doubts(page: CodePage) -> tuple[str, ...]:
    if not page.readable:
        return (f"read as {page.name}, but its words are like those of no language; {_OVERRIDE}",)
    if page.rival is None:
        return ()
    ours, theirs = map(shorten, page.differs)
    return (
        f"read as {page.name}, but {page.rival} is hardly less likely "
        f"({ours!r} would be {theirs!r}); {_OVERRIDE}",
    )


def _mixed_encoding(opened: Opener, rest: CodePage) -> Encoding:
    """Return UTF-8 with a handler that reads the other bytes in another encoding."""
    errors = _MIXED + rest.name
    codecs.register_error(errors, _reader_of_others(rest.name))
    lines = _bad_lines(opened, "utf-8")
    doubt = (
        f"some lines are UTF-8 and others, such as {_named(lines)}, are not; "
        f"these are read as {rest.name}; {_OVERRIDE}"
    )
    return Encoding("utf-8", (doubt, *_doubts(rest)), lines, errors)


def _reader_of_others(name: str) -> Callable[[UnicodeError], tuple[str, int]]:
    def read(problem: UnicodeError) -> tuple[str, int]:
        if not isinstance(problem, UnicodeDecodeError):
            raise problem
        # All bytes beyond ASCII from here on that are not UTF-8: a character may have several.
        data, end = problem.object, problem.start + 1
        while end < len(data) and data[end] > 127 and not _begins_character(data[end : end + 4]):
            end += 1
        return data[problem.start : end].decode(name, REPLACED), end

    return read


def _begins_character(data: bytes) -> bool:
    """Check whether bytes begin with a character in UTF-8."""
    return any(_is_valid(data[:length]) for length in (2, 3, 4))


def _with_bad_lines(opened: Opener, name: str, doubts: Sequence[str] = ()) -> Encoding:
    """Return an encoding with the lines that are not in it."""
    lines = _bad_lines(opened, name)
    if not lines:
        return Encoding(name, tuple(doubts))
    doubt = (
        f"bytes in {_named(lines)} are not {name.removesuffix('-sig')} and are read as "
        f"'\ufffd'; {_OVERRIDE}"
    )
    return Encoding(name, (*doubts, doubt), lines, REPLACED)


def _bad_lines(opened: Opener, name: str) -> tuple[int, ...]:
    """Return the lines with bytes that are not in an encoding."""
    lines: list[int] = []
    number = 1
    with io.TextIOWrapper(opened(), name, _NOTE) as text:
        while block := text.read(_BLOCK):
            if _NOTED in block:
                parts = block.split("\n")
                lines += [number + k for k, part in enumerate(parts) if _NOTED in part]
            number += block.count("\n")
    return tuple(dict.fromkeys(lines))


def _named(lines: Sequence[int]) -> str:
    return ("line " if len(lines) == 1 else "lines ") + join_first([*map(str, lines)])


def _note(problem: UnicodeError) -> tuple[str, int]:
    if not isinstance(problem, UnicodeDecodeError):
        raise problem
    return _NOTED, problem.end


codecs.register_error(_NOTE, _note)
