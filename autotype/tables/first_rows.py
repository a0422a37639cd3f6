"""Cut a file to its first rows, so that the rest is neither read nor checked."""

from __future__ import annotations

import codecs
import csv
import io
import itertools
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import IO, Any

from autotype.tables.csv_file import sniff_separator
from autotype.tables.csv_rows import fields_of_any_size

_HEAD_CHARACTERS = 1 << 18

Opener = Callable[[], IO[bytes]]


def first_csv_rows(
    opened: Opener, n_rows: int, *, separator: str | None = None, encoding: str | None = None
) -> Opener:
    r"""Return a function that opens the header and the first rows of a CSV text.

    Parameters
    ----------
    opened : callable
        Opens the content from its start.
    n_rows : int
        Rows below the header, >= 1; blank lines do not count.
    separator : str, optional
        The character between fields; detected by default.
    encoding : str, optional
        The encoding, if it is given.

    Returns
    -------
    callable
        Opens a copy in memory, in the same encoding.

    Examples
    --------
    >>> first_csv_rows(lambda: io.BytesIO(b'a,b\n1,"x\ny"\n2,z\n'), 1)().read()
    b'a,b\n1,"x\ny"\n'
    """
    decoding = encoding or _transparent_encoding(opened)
    if separator is None:
        with opened() as file, io.TextIOWrapper(file, decoding, newline="") as text:
            separator = sniff_separator(text.read(_HEAD_CHARACTERS) + text.readline())
    rows = partial(csv.reader, delimiter=separator)
    return _first(opened, decoding, n_rows + 1, lambda lines: filter(None, rows(lines)))


def first_lines(opened: Opener, n_rows: int, *, encoding: str | None = None) -> Opener:
    r"""Return a function that opens the first lines of a text that are not blank.

    Parameters
    ----------
    opened : callable
        Opens the content from its start.
    n_rows : int
        Lines, >= 1.
    encoding : str, optional
        The encoding, if it is given.

    Returns
    -------
    callable
        Opens a copy in memory, in the same encoding.

    Examples
    --------
    >>> first_lines(lambda: io.BytesIO(b'{"a": 1}\n\n{"a": 2}\n{"a": 3}\n'), 2)().read()
    b'{"a": 1}\n\n{"a": 2}\n'
    """
    decoding = encoding or _transparent_encoding(opened)
    return _first(opened, decoding, n_rows, lambda lines: filter(str.strip, lines))


def _first(
    opened: Opener, encoding: str, n: int, split: Callable[[Iterator[str]], Iterable[Any]]
) -> Opener:
    """Return a function that opens the lines of the first n parts of a text."""
    kept: list[str] = []
    with (
        opened() as file,
        io.TextIOWrapper(file, encoding, newline="") as text,
        fields_of_any_size(),
    ):
        for _ in itertools.islice(split(_recorded(text, kept)), n):
            pass
    content = "".join(kept).encode(encoding)
    return lambda: io.BytesIO(content)


def _recorded(lines: Iterable[str], kept: list[str]) -> Iterator[str]:
    """Yield lines, and append each of them to `kept`."""
    for line in lines:
        kept.append(line)
        yield line


def _transparent_encoding(opened: Opener) -> str:
    """Return an encoding in which any bytes stay the same: line ends and quotes are ASCII."""
    with opened() as file:
        head = file.read(2)
    return "utf-16" if head in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE) else "latin-1"
