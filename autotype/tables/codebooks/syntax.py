"""Read value labels from the syntax of SPSS, do-files of Stata and programs of SAS.

All are programs. Only the commands that describe variables are read, and loops over names are
written out; nothing is computed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice, pairwise
from typing import Any

from autotype.tables.codebooks.dictionary import as_value, end_of_range
from autotype.types.codebook import Codebook, CodebookEntry, measure_of, tags_of

_SPSS = re.compile(
    r"\s*(?:(?:add\s+)?(?P<verb>val|var|mis)(?:\w*)\s+(?P<noun>lab|lev|val)\w*|mrsets\b)", re.I
)
_SETS = re.compile(
    r"name\s*=\s*(\S+)[^/]*?variables\s*=\s*([^/=]*?)(?=\s+value\s*=|\s*/|\s*$)", re.I
)
_STATA = re.compile(
    r"\s*(?:(?:cap(?:ture)?|qui(?:etly)?)\s+)?(?:la(?:b|bel?)?\s+(?P<verb>de|val|var)\w*|mvdecode)\s"
)
# A comment of SPSS ends with its line; what is quoted is none.
_SPSS_COMMENT = re.compile(r"""("[^"\n]*"|'[^'\n]*')|/\*.*?(?:\*/|$)""", re.M)
_STATA_COMMENT = re.compile(r'("[^"\n]*")|(?<!\S)//(?!/).*')
_SAS = re.compile(r"\bproc\s+format\b", re.I)
_SAS_COMMENT = re.compile(r"""("[^"]*"|'[^']*')|/\*.*?\*/|(?:^|(?<=;))\s*\*[^;]*;""", re.S)
_SAS_COMMAND = re.compile(r"""(?:"[^"]*"|'[^']*'|[^;"'])+""")
_LOOP = re.compile(
    r"\s*(?:foreach\s+(?P<each>\w+)\s+(?:in|of\s+\w+)\s|forv\w*\s+(?P<number>\w+)\s*=)(?P<items>.*)\{"
)
_TOKEN = re.compile(
    r"""`"(?P<nested>.*?)"'|"(?P<double>(?:[^"]|"")*)"|'(?P<single>(?:[^']|'')*)'|"""
    r"""(?P<sign>[/(),=+])|(?P<word>[^\s/(),='"+]+)""",
    re.S,
)
_NUMBERED = re.compile(r"(.*?)(\d+)")
_DIGITS = 5  # of the last number in a range that is written out
_MOST_LINES = 100_000  # with loops written out

Token = tuple[str, str]  # "string", "sign" or "word", and its text


class _Book:
    """Entries in the making, and what was not understood."""

    def __init__(self) -> None:
        self.columns: dict[str, CodebookEntry] = {}
        self.doubts: list[str] = []

    def change(self, names: Iterable[str], **parts: Any) -> None:
        for name in names:
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
        if one and other and one[1].lower() == other[1].lower() and len(other[2]) <= _DIGITS:
            width = len(one[2]) if one[2].startswith("0") else 0
            return [f"{one[1]}{k:0{width}d}" for k in range(int(one[2]), int(other[2]) + 1)]
        return [first, last]


def _tokens(text: str) -> list[Token]:
    """Return the tokens of a command; strings without their quotes, and added strings as one."""
    found: list[Token] = []
    for match in _TOKEN.finditer(text):
        kind, held = str(match.lastgroup), match[str(match.lastgroup)]
        if kind in ("nested", "double", "single"):
            sign = {"double": '"', "single": "'"}.get(kind)
            kind, held = "string", held.replace(sign * 2, sign) if sign else held
            if found[-1:] == [("sign", "+")] and [part[0] for part in found[-2:-1]] == ["string"]:
                held = found[-2][1] + held
                del found[-2:]
        found.append((kind, held))
    return found


def _words(tokens: Iterable[Token]) -> list[str]:
    return [text for kind, text in tokens if kind == "word"]


def _value(token: Token) -> Any:
    return token[1].strip() if token[0] == "string" else as_value(token[1])


def _labels(tokens: Sequence[Token]) -> dict[Any, str]:
    """Return value -> label of tokens in pairs.

    Raises
    ------
    ValueError
        If they are not pairs of a value and a string.
    """
    held = [token for token in tokens if token[0] != "sign"]
    if len(held) % 2 or any(label[0] != "string" for label in held[1::2]):
        raise ValueError("not pairs of a value and a string")
    return {_value(v): text.strip() for v, (_, text) in zip(held[::2], held[1::2], strict=True)}


def read_spss_syntax(text: str) -> Codebook:
    """Read VARIABLE LABELS, VALUE LABELS, MISSING VALUES, VARIABLE LEVEL and MRSETS.

    Examples
    --------
    >>> book = read_spss_syntax("VALUE LABELS q1 TO q2 1 'bad' 2 'good' /s 9 'none'.")
    >>> book.columns["q2"].values, list(book.columns)
    ({1: 'bad', 2: 'good'}, ['q1', 'q2', 's'])
    """
    book = _Book()
    for line, command in _spss_commands(text):
        match = _SPSS.match(command)
        if match is None:
            continue
        kind = f"{match['verb']} {match['noun']}".lower()
        rest = command[match.end() :]
        try:
            if kind == "val lab":
                _value_labels(book, _tokens(rest))
            elif kind == "var lab":
                names: list[str] = []
                for token in _tokens(rest):
                    if token[0] == "string":
                        book.change(names[-1:], label=" ".join(token[1].split()))
                    names = [*names, token[1]] if token[0] == "word" else []
            elif kind in ("mis val", "var lev"):
                for before, held in re.findall(r"([^()]*)\(([^()]*)\)", rest):
                    named = book.names(_words(_tokens(before)))
                    of_level = {"measure": measure_of(held)}
                    book.change(named, **(_missing(held) if kind == "mis val" else of_level))
            elif not match["verb"]:
                for name, listed in _SETS.findall(rest):
                    book.change(book.names(listed.split()), group=name)
        except (ValueError, IndexError):
            book.doubts.append(f"line {line}: not understood: {' '.join(command.split())[:60]!r}")
    return Codebook(book.columns, tuple(book.doubts))


def _spss_commands(text: str) -> Iterator[tuple[int, str]]:
    """Yield each command and its line; it ends at a full stop at a line's end or a blank line."""
    command: list[str] = []
    start = 1
    text = _SPSS_COMMENT.sub(lambda match: match[1] or " ", text.removeprefix("\ufeff"))
    for number, line in enumerate([*text.splitlines(), ""], 1):
        start = start if command else number
        stripped = line.rstrip()
        if stripped:
            command.append(stripped.removesuffix("."))
        if command and (stripped.endswith(".") or not stripped):
            yield start, "\n".join(command)
            command = []


def _value_labels(book: _Book, tokens: Sequence[Token]) -> None:
    """Read names, then pairs of a value and a string, for each part between slashes."""
    ends = [k for k, token in enumerate(tokens) if token == ("sign", "/")]
    for begin, end in zip([0, *(k + 1 for k in ends)], [*ends, len(tokens)], strict=True):
        part = tokens[begin:end]
        first = next((k for k, token in enumerate(part) if token[0] == "string"), len(part))
        if first and part[first - 1][0] == "word" and not isinstance(_value(part[first - 1]), str):
            first -= 1
        values = _labels(part[first:])
        for name in book.names(_words(part[:first])):
            under = book.columns.get(name, CodebookEntry())
            book.change([name], values={**under.values, **values})


def _missing(text: str) -> dict[str, tuple]:
    """Return the values and ranges of "9, 99" and "LO THRU -1"."""
    parts = [token for token in _tokens(text) if token[0] != "sign"]
    places = [k for k, token in enumerate(parts) if token[1].lower() == "thru"]
    used = {k + step for k in places for step in (-1, 0, 1)}
    single = tuple(_value(part) for k, part in enumerate(parts) if k not in used)
    ends = ((parts[k - 1][1], parts[k + 1][1]) for k in places)
    ranges = tuple((end_of_range(low), end_of_range(high)) for low, high in ends)
    return {"missing": single, "missing_ranges": ranges}


def read_stata_syntax(text: str) -> Codebook:
    r"""Read ``label define``, ``label values``, ``label variable`` and ``mvdecode``.

    Examples
    --------
    >>> book = read_stata_syntax('label define yn 0 "no" 1 "yes"\nlabel values q1-q2 yn')
    >>> book.columns["q2"].values
    {0: 'no', 1: 'yes'}
    """
    book = _Book()
    sets: dict[str, dict[Any, str]] = {}
    used: list[tuple[int, str, list[str]]] = []
    decoded: list[tuple[str, tuple]] = []
    for line, command in _stata_commands(text):
        match = _STATA.match(command)
        tokens = _tokens(command[match.end() :]) if match else []
        if match is None or not tokens:
            continue
        comma = tokens.index(("sign", ",")) if ("sign", ",") in tokens else len(tokens)
        words = _words(tokens[:comma])
        if match["verb"] == "de":
            try:
                sets.setdefault(tokens[0][1], {}).update(_labels(tokens[1:comma]))
            except ValueError as problem:
                book.doubts.append(f"line {line}: {problem}: {command[:60]!r}")
        elif match["verb"] == "val":
            used.append((line, words[-1], words[:-1]))
        elif match["verb"] == "var" and tokens[comma - 1][0] == "string":
            book.change(words[:1], label=tokens[comma - 1][1].strip())
        elif match["verb"] is None:
            codes = re.findall(r"(?:^|\\|\(|\s)\s*(-?\d+(?:\.\d+)?)", command.partition(" mv")[2])
            decoded += [(name, tuple(map(as_value, codes))) for name in book.names(words)]
    for line, key, words in used:
        if key not in sets:
            book.doubts.append(f"line {line}: no label {key!r} is defined")
            continue
        for name in book.names(words):
            if set("*?`") & set(name):
                book.doubts.append(f"line {line}: {name!r} names columns that are not known here")
                continue
            book.change([name], values=sets[key], missing=tags_of(sets[key]))
    for named, held in decoded:
        for name in list(book.columns) if named == "_all" else [named]:
            under = book.columns.get(name, CodebookEntry())
            book.change([name], missing=tuple(dict.fromkeys((*under.missing, *held))))
    return Codebook(book.columns, tuple(book.doubts))


def read_sas_syntax(text: str) -> Codebook | None:
    """Read the VALUE statements of PROC FORMAT, and FORMAT, LABEL and ATTRIB statements.

    Formats that no statement assigns are lists of choices.

    Returns
    -------
    Codebook or None
        None for a program without PROC FORMAT.

    Examples
    --------
    >>> book = read_sas_syntax("proc format; value yn 0='no' 1='yes'; data d; format q1-q2 yn.;")
    >>> book.columns["q2"].values
    {0: 'no', 1: 'yes'}
    """
    if not _SAS.search(text):
        return None
    book = _Book()
    sets: dict[str, dict[Any, str]] = {}
    used: list[tuple[list[str], str]] = []
    text = _SAS_COMMENT.sub(lambda match: match[1] or "\n" * match[0].count("\n"), text)
    for command in _SAS_COMMAND.finditer(text):
        tokens = _tokens(command[0])
        verb = tokens[0][1].lower() if tokens else ""
        if verb == "value" and len(tokens) > 1:
            name = tokens[1][1].lower()
            sets[name] = _sas_values(tokens[1:], are_texts=name.startswith("$"))
        elif verb in ("format", "label", "attrib"):
            used += _sas_columns(book, tokens[1:], verb)
    for words, key in used:
        if key in sets:
            book.change(book.names(words), values=sets[key], missing=tags_of(sets[key]))
    free = {key: values for key, values in sets.items() if key not in {k for _, k in used}}
    return Codebook(book.columns, tuple(book.doubts), free)


def _sas_values(tokens: Sequence[Token], *, are_texts: bool) -> dict[Any, str]:
    """Return value -> label of "1='yes' 7, 8='refused' .A='skipped'", without ranges and OTHER."""
    if tokens[1:2] == [("sign", "(")]:  # options
        tokens = tokens[tokens.index(("sign", ")")) :]
    values: dict[Any, str] = {}
    before: list[Token] = []
    for last, token in pairwise(tokens):
        if token[0] == "string" and last == ("sign", "="):
            for kind, held in before if ("word", "-") not in before else ():
                value = held.lower() if re.fullmatch(r"\.[A-Za-z_]", held) else _value((kind, held))
                if kind == "string" or value != held or (are_texts and held.lower() != "other"):
                    values[value] = token[1].strip()
            before = []
        elif token[0] != "sign":
            before.append(token)
    return values


def _sas_columns(
    book: _Book, tokens: Sequence[Token], verb: str
) -> Iterator[tuple[list[str], str]]:
    """Set the labels of columns; yield columns with the name of their format."""
    names: list[str] = []
    is_done = False
    for k, (kind, held) in enumerate(tokens):
        is_option = ("sign", "=") in (tokens[k - 1 : k] if k else [])
        is_key = tokens[k + 1 : k + 2] == [("sign", "=")] and verb == "attrib"
        if kind == "string":
            book.change(book.names(names), label=held.strip())
        elif kind == "word" and held.endswith("."):
            yield names, held[:-1].lower().rstrip("0123456789")
        elif kind == "word" and not (is_option or is_key):
            names = [held] if is_done else [*names, held]
        is_done = kind != "word" or held.endswith(".") or is_option


def _stata_commands(text: str) -> Iterator[tuple[int, str]]:
    """Yield each command and its last line, without comments; "///" continues a line."""
    text = re.sub(r"/\*.*?\*/", lambda m: "\n" * m.group().count("\n"), text, flags=re.S)
    lines = iter(enumerate([*text.removeprefix("\ufeff").splitlines(), ";"], 1))
    by_semicolon = False
    command: list[str] = []
    for number, line in islice(_unrolled(lines), _MOST_LINES):
        if match := re.match(r"\s*#d\w*\s*(;|cr)?", line):
            by_semicolon = match[1] == ";"
            continue
        if not command and line.lstrip().startswith("*"):
            continue
        bare, more, _ = _STATA_COMMENT.sub(lambda m: m[1] or "", line).partition("///")
        command.append(bare.rstrip().removesuffix(";") if by_semicolon else bare)
        if bare.rstrip().endswith(";") if by_semicolon else not more:
            yield number, " ".join(command)
            command = []


def _unrolled(
    lines: Iterator[tuple[int, str]], *, inside: bool = False
) -> Iterator[tuple[int, str]]:
    """Yield lines with the bodies of loops as often as they run, up to the end of a block."""
    for number, line in lines:
        if line.strip() == "}" and inside:
            return
        if not line.rstrip().endswith("{"):
            yield number, line
            continue
        body = list(islice(_unrolled(lines, inside=True), _MOST_LINES))
        loop = _LOOP.match(line)
        for item in _items(loop["items"]) if loop else [""]:
            macro = f"`{loop['each'] or loop['number']}'" if loop else line
            yield from ((n, part.replace(macro, item)) for n, part in body)


def _items(text: str) -> Iterator[str]:
    for word in text.split():
        ends = re.fullmatch(rf"(\d+)/(\d{{1,{_DIGITS}}})", word)
        numbers = range(int(ends[1]), int(ends[2]) + 1) if ends else ()
        yield from map(str, numbers) if ends else _Book().names([word])
