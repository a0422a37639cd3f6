"""In which encoding a text file is written.

Nearly all files are UTF-8, which a pass of decoding proves. Of the others the words with bytes
beyond ASCII are gathered over the whole file, and the encoding is the one that makes them most
readable.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import IO

from autotype.tables.text.code_pages import CodePage, find_code_page, sample_words, utf8_score
from autotype.wording import join_first, shorten

REPLACED = "replace"  # the error handler: U+FFFD for each byte that is not in the encoding
_OVERRIDE = "encoding= (--encoding) sets another encoding"
_BLOCK = 1 << 20
_HEAD = 1 << 16
_MARKS = (  # the marks of UTF-32 begin like that of UTF-16
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
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


def detect_encoding(opened: Callable[[], IO[bytes]], *, given: str | None = None) -> Encoding:
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
    marked = next((name for mark, name in _MARKS if head.startswith(mark)), None)
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


def _by_chardet(head: bytes, kinds: tuple[str, ...]) -> str | None:
    """Return the encoding that chardet finds, if it is of one of these kinds."""
    import chardet  # most files are UTF-8 and need none

    name = chardet.detect(head, compat_names=False)["encoding"]
    return codecs.lookup(name).name if name and name.lower().startswith(kinds) else None


def _is_utf8(opened: Callable[[], IO[bytes]]) -> bool:
    decoder = codecs.getincrementaldecoder("utf-8")()
    pending = False
    try:
        with opened() as file:
            while block := file.read(_BLOCK):
                if pending or not block.isascii():
                    decoder.decode(block)
                    pending = bool(decoder.getstate()[0])
            decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        return False
    return True


def _legacy_encoding(opened: Callable[[], IO[bytes]]) -> Encoding:
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


def _gather_words(opened: Callable[[], IO[bytes]]) -> tuple[list[bytes], list[bytes]]:
    """Return different words with bytes beyond ASCII, from all over the file, and plain ones."""
    words: dict[bytes, None] = {}
    plain: dict[bytes, None] = {}
    with opened() as file:
        for at, block in enumerate(_blocks(file)):
            if at >= _WHOLE_BLOCKS and (at % _WHOLE_BLOCKS or len(words) >= _ENOUGH_WORDS):
                continue
            parts = dict.fromkeys(_BETWEEN_WORDS.split(block))
            words.update((word, None) for word in parts if not word.isascii())
            if len(plain) < _ENOUGH_WORDS:
                plain.update((word, None) for word in parts if _PLAIN_WORD.fullmatch(word))
    return sample_words(list(words)), list(plain)


def _blocks(file: IO[bytes]) -> Iterator[bytes]:
    """Yield blocks that end with a line, unless lines are very long."""
    while block := file.read(_BLOCK):
        yield block + file.readline(_HEAD)


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


def _mixed_encoding(opened: Callable[[], IO[bytes]], rest: CodePage) -> Encoding:
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


def _with_bad_lines(
    opened: Callable[[], IO[bytes]], name: str, doubts: Sequence[str] = ()
) -> Encoding:
    """Return an encoding with the lines that are not in it."""
    lines = _bad_lines(opened, name)
    if not lines:
        return Encoding(name, tuple(doubts))
    doubt = (
        f"bytes in {_named(lines)} are not {name.removesuffix('-sig')} and are read as "
        f"'\ufffd'; {_OVERRIDE}"
    )
    return Encoding(name, (*doubts, doubt), lines, REPLACED)


def _bad_lines(opened: Callable[[], IO[bytes]], name: str) -> tuple[int, ...]:
    """Return the lines with bytes that are not in an encoding."""
    decoder = codecs.getincrementaldecoder(name)(_NOTE)
    lines: list[int] = []
    n_ends, end = 0, ""
    with opened() as file:
        final = False
        while not final:
            block = file.read(_BLOCK)
            final = not block
            text = decoder.decode(block, final)
            end = end or next((sign for sign in "\n\r" if sign in text), "")
            if _NOTED in text:
                parts = text.split(end) if end else [text]
                lines += [n_ends + at for at, part in enumerate(parts, 1) if _NOTED in part]
            n_ends += text.count(end) if end else 0
    return tuple(dict.fromkeys(lines))


def _named(lines: Sequence[int]) -> str:
    return ("line " if len(lines) == 1 else "lines ") + join_first([*map(str, lines)])


def _note(problem: UnicodeError) -> tuple[str, int]:
    if not isinstance(problem, UnicodeDecodeError):
        raise problem
    return _NOTED, problem.end


codecs.register_error(_NOTE, _note)
