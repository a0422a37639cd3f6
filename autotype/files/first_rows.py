"""Cut a file to its first rows, so that the rest is neither read nor checked."""

from __future__ import annotations

import codecs
import csv
import io
import itertools
from collections.abc import Callable, Iterable, Iterator
from typing import IO

from autotype.files.csv_file import sniff_separator
from autotype.files.csv_rows import fields_of_any_size

_HEAD_CHARACTERS = 1 << 18

Opener = Callable[[], IO[bytes]]


def first_csv_rows(
    opened: Opener, n_rows: int, *, separator: str | None = None, encoding: str | None = None
) -> Opener:
    r"""Return what opens the header and the first rows of a CSV text.

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
    kept: list[str] = []
    with opened() as file, io.TextIOWrapper(file, decoding, newline="") as text:
        head = text.read(_HEAD_CHARACTERS) + text.readline()
        delimiter = sniff_separator(head) if separator is None else separator
        lines = itertools.chain(io.StringIO(head, newline=""), text)
        with fields_of_any_size():
            rows = filter(None, csv.reader(_recorded(lines, kept), delimiter=delimiter))
            for _ in itertools.islice(rows, n_rows + 1):
                pass
    return _in_memory("".join(kept).encode(decoding))


def first_lines(opened: Opener, n_rows: int, *, encoding: str | None = None) -> Opener:
    r"""Return what opens the first lines of a text that are not blank.

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
    kept: list[str] = []
    with opened() as file, io.TextIOWrapper(file, decoding, newline="") as text:
        filled = (line for line in _recorded(text, kept) if line.strip())
        for _ in itertools.islice(filled, n_rows):
            pass
    return _in_memory("".join(kept).encode(decoding))


def _recorded(lines: Iterable[str], kept: list[str]) -> Iterator[str]:
    """Yield lines, and keep those that were asked for."""
    for line in lines:
        kept.append(line)
        yield line


def _in_memory(content: bytes) -> Opener:
    return lambda: io.BytesIO(content)


def _transparent_encoding(opened: Opener) -> str:
    """Return an encoding in which any bytes stay the same: line ends and quotes are ASCII."""
    with opened() as file:
        head = file.read(2)
    return "utf-16" if head in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE) else "latin-1"
