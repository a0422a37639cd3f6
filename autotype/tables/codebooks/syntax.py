"""Read value labels from the syntax of SPSS and from do-files of Stata."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from autotype.tables.codebooks.value_lists import as_value
from autotype.types.codebook import Codebook, CodebookEntry

_SPSS = re.compile(
    r"(?im)^\s*(?:add\s+val(?:ue)?\s+lab|val(?:ue)?\s+lab|var(?:iable)?\s+(?:lab|lev)|miss(?:ing)?\s+val)"
)
_STATA = re.compile(r"(?im)^\s*(?:cap(?:ture)?\s+)?la(?:bel|be|b)?\s+(?:de|val|var)")
_TOKEN = re.compile(
    r"""(?P<string>`"(?:.*?)"'|"(?:[^"]|"")*"|'(?:[^']|'')*')|(?P<sign>[/(),=])|(?P<word>[^\s/(),='"]+)""",
    re.S,
)
_NUMBERED = re.compile(r"(.*?)(\d+)")
_MEASURES = {"nominal": "nominal", "ordinal": "ordinal", "scale": "scale"}

Token = tuple[str, str]  # its kind and its text


def is_spss_syntax(text: str) -> bool:
    """Check for commands of SPSS that describe variables."""
    return _SPSS.search(text) is not None


def is_stata_syntax(text: str) -> bool:
    """Check for commands of Stata that describe variables."""
    return _STATA.search(text) is not None


class _Book:
    """Entries in the making, and what was not understood."""

    def __init__(self) -> None:
        self.columns: dict[str, CodebookEntry] = {}
        self.doubts: list[str] = []

    def change(self, name: str, **parts: Any) -> None:
        self.columns[name] = replace(self.columns.get(name, CodebookEntry()), **parts)

    def names(self, words: Sequence[str]) -> list[str]:
        """Return the names of a list with "q1 TO q9" and "q1-q9" written out."""
        found: list[str] = []
        for k, word in enumerate(words):
            if word.lower() == "to":
                continue
            start, _, end = word.partition("-")
            if k >= 2 and words[k - 1].lower() == "to":
                found += self._between(found.pop(), word)
            elif end and _NUMBERED.fullmatch(start) and _NUMBERED.fullmatch(end):
                found += self._between(start, end)
            else:
                found.append(word)
        return found

    def _between(self, first: str, last: str) -> list[str]:
        held = list(self.columns)
        if first in held and last in held and held.index(first) <= held.index(last):
            return held[held.index(first) : held.index(last) + 1]
        one, other = _NUMBERED.fullmatch(first), _NUMBERED.fullmatch(last)
        if one and other and one[1].lower() == other[1].lower():
            width = len(one[2]) if one[2].startswith("0") else 0
            return [f"{one[1]}{k:0{width}d}" for k in range(int(one[2]), int(other[2]) + 1)]
        return [first, last]


def read_spss_syntax(text: str) -> Codebook:
    """Read VARIABLE LABELS, VALUE LABELS, MISSING VALUES and VARIABLE LEVEL; others are skipped.

    Examples
    --------
    >>> book = read_spss_syntax("VALUE LABELS q1 TO q2 1 'bad' 2 'good' /s 9 'none'.")
    >>> book.columns["q2"].values, list(book.columns)
    ({1: 'bad', 2: 'good'}, ['q1', 'q2', 's'])
    """
    book = _Book()
    for line, command in _spss_commands(text):
        tokens = _tokens(command)
        words = [token[1].lower()[:3] for token in tokens[:3] if token[0] == "word"]
        start = 1 if words[:1] == ["add"] else 0
        verb = tuple(words[start : start + 2])
        rest = tokens[start + 2 :]
        try:
            if verb == ("val", "lab"):
                for part in _split(rest, "/"):
                    _value_labels(book, part)
            elif verb == ("var", "lab"):
                _variable_labels(book, rest)
            elif verb == ("mis", "val"):
                for names, held in _in_brackets(rest):
                    single, ranges = _missing(held)
                    for name in book.names(names):
                        book.change(name, missing=single, missing_ranges=ranges)
            elif verb == ("var", "lev"):
                for names, held in _in_brackets(rest):
                    measure = _MEASURES.get(held[0][1].lower(), "") if held else ""
                    for name in book.names(names):
                        book.change(name, measure=measure)
        except (ValueError, IndexError):
            book.doubts.append(f"line {line}: not understood: {' '.join(command.split())[:60]!r}")
    return Codebook(book.columns, tuple(book.doubts))


def _spss_commands(text: str) -> Iterator[tuple[int, str]]:
    """Yield each command and its line; it ends at a full stop at a line's end or a blank line."""
    command: list[str] = []
    start = 1
    for number, line in enumerate([*text.removeprefix("\ufeff").splitlines(), ""], 1):
        if not command:
            start = number
        stripped = line.rstrip()
        if stripped.strip():
            command.append(stripped.removesuffix("."))
        if command and (stripped.endswith(".") or not stripped.strip()):
            whole = "\n".join(command)
            if not whole.lstrip().startswith("*"):
                yield start, whole
            command = []


def _tokens(text: str) -> list[Token]:
    return [(str(match.lastgroup), match.group()) for match in _TOKEN.finditer(text)]


def _split(tokens: Sequence[Token], sign: str) -> Iterator[list[Token]]:
    part: list[Token] = []
    for token in tokens:
        if token == ("sign", sign):
            yield part
            part = []
        else:
            part.append(token)
    yield part


def _string(token: Token) -> str:
    text = token[1]
    if text.startswith('`"'):
        return text[2:-2].strip()
    return text[1:-1].replace(text[0] * 2, text[0]).strip()


def _value_labels(book: _Book, tokens: Sequence[Token]) -> None:
    """Read names, then pairs of a value and a string."""
    first = next((k for k, token in enumerate(tokens) if token[0] == "string"), len(tokens))
    begin = first - 1 if first and _is_value(tokens[first - 1]) else first
    names = book.names([text for kind, text in tokens[:begin] if kind == "word"])
    values: dict[Any, str] = {}
    held = [token for token in tokens[begin:] if token[0] != "sign"]
    for value, label in zip(held[::2], held[1::2], strict=True):
        if label[0] != "string":
            raise ValueError(label[1])
        key = _string(value) if value[0] == "string" else as_value(value[1])
        values[key] = _string(label)
    for name in names:
        under = book.columns.get(name, CodebookEntry())
        book.change(name, values={**under.values, **values})


def _is_value(token: Token) -> bool:
    return token[0] == "word" and isinstance(as_value(token[1]), int | float)


def _variable_labels(book: _Book, tokens: Sequence[Token]) -> None:
    names: list[str] = []
    for token in tokens:
        if token[0] == "word":
            names.append(token[1])
        elif token[0] == "string":
            for name in names[-1:]:
                book.change(name, label=_string(token))
            names = []


def _in_brackets(tokens: Sequence[Token]) -> Iterator[tuple[list[str], list[Token]]]:
    """Yield the words before each pair of brackets, and what it holds."""
    words: list[str] = []
    held: list[Token] | None = None
    for token in tokens:
        if token == ("sign", "("):
            held = []
        elif token == ("sign", ")"):
            yield words, held or []
            words, held = [], None
        elif held is not None:
            held.append(token)
        elif token[0] == "word":
            words.append(token[1])


def _missing(tokens: Sequence[Token]) -> tuple[tuple[Any, ...], tuple[tuple[float, float], ...]]:
    """Return the values and ranges of "9, 99" and "LO THRU -1"."""
    parts = [token for token in tokens if token[0] != "sign"]
    single: list[Any] = []
    ranges: list[tuple[float, float]] = []
    k = 0
    while k < len(parts):
        if k + 2 < len(parts) and parts[k + 1][1].lower() == "thru":
            ranges.append((_end(parts[k][1]), _end(parts[k + 2][1])))
            k += 3
            continue
        kind, text = parts[k]
        single.append(_string(parts[k]) if kind == "string" else as_value(text))
        k += 1
    return tuple(single), tuple(ranges)


def _end(text: str) -> float:
    ends = {"lo": -float("inf"), "lowest": -float("inf")}
    ends |= {"hi": float("inf"), "highest": float("inf")}
    return ends.get(text.lower()) or float(text)


def read_stata_syntax(text: str) -> Codebook:
    r"""Read ``label define``, ``label values`` and ``label variable``; others are skipped.

    Examples
    --------
    >>> book = read_stata_syntax('label define yn 0 "no" 1 "yes"\nlabel values q1-q2 yn')
    >>> book.columns["q2"].values
    {0: 'no', 1: 'yes'}
    """
    book = _Book()
    sets: dict[str, dict[Any, str]] = {}
    used: list[tuple[int, str, list[str]]] = []
    for line, command in _stata_commands(text):
        tokens = _tokens(command)
        words = [t[1].lower() for t in tokens]
        tokens = tokens[1:] if words[0] in ("cap", "capture", "qui", "quietly") else tokens
        if len(tokens) < 4 or not "label".startswith(tokens[0][1]) or len(tokens[0][1]) < 2:
            continue
        verb, rest = tokens[1][1], tokens[2:]
        if "define".startswith(verb) and len(verb) > 1:
            pairs = [t for t in rest[1:] if t[0] != "sign"]
            found = sets.setdefault(rest[0][1], {})
            for value, label in zip(pairs[::2], pairs[1::2], strict=False):
                if label[0] == "string":
                    found[as_value(value[1])] = _string(label)
        elif "values".startswith(verb) and len(verb) > 2:
            names = [t[1] for t in rest if t[0] == "word" and t[1] != "nofix"]
            used.append((line, names[-1], names[:-1]))
        elif "variable".startswith(verb) and len(verb) > 2 and rest[-1][0] == "string":
            book.change(rest[0][1], label=_string(rest[-1]))
    for line, key, words in used:
        if key not in sets:
            book.doubts.append(f"line {line}: no label {key!r} is defined")
            continue
        missing = tuple(v for v in sets[key] if isinstance(v, str) and v.startswith("."))
        for name in book.names(words):
            if "*" in name or "?" in name:
                book.doubts.append(f"line {line}: {name!r} names columns that are not known here")
            else:
                book.change(name, values=sets[key], missing=missing)
    return Codebook(book.columns, tuple(book.doubts))


def _stata_commands(text: str) -> Iterator[tuple[int, str]]:
    """Yield each command and its line, without comments; "///" continues a line."""
    text = re.sub(r"/\*.*?\*/", lambda m: "\n" * m.group().count("\n"), text, flags=re.S)
    by_semicolon = False
    command: list[str] = []
    for number, line in enumerate([*text.removeprefix("\ufeff").splitlines(), ";"], 1):
        if match := re.match(r"\s*#d\w*\s*(;|cr)?", line):
            by_semicolon = match[1] == ";"
            continue
        if not command and line.lstrip().startswith("*"):
            continue
        continued = "///" in line
        bare = re.sub(r"(?<!\S)//.*$", "", line.split("///")[0])
        command.append(bare.removesuffix(";") if by_semicolon else bare)
        is_end = bare.rstrip().endswith(";") if by_semicolon else not continued
        if is_end:
            whole = " ".join(command).strip()
            if whole.strip(";"):
                yield number, whole
            command = []
