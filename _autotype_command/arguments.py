"""How the strings of arguments are read: the functions that `options.toml` names as types."""

from __future__ import annotations

import argparse
import codecs
import csv
import math
import re
from collections.abc import Callable
from typing import Any

NO_CACHE = "off"
SEPARATOR_WORDS = ("tab", "blanks", "none")
ALL_SHEETS = "all"


def comma_separated(text: str) -> list[str]:
    """Parse a list of comma-separated items; items with a comma are quoted as in CSV.

    Examples
    --------
    >>> comma_separated('size,"a,b"')
    ['size', 'a,b']
    """
    return next(csv.reader([text]), [])


def _header(text: str) -> tuple[int, ...]:
    lines = tuple(map(_integer(least=0), text.split(",")))
    if lines == (0,):
        return ()
    if 0 in lines or list(lines) != sorted(set(lines)):
        raise argparse.ArgumentTypeError(
            f"expected line numbers from 1 up in their order, or 0, got {text!r}"
        )
    return lines


def _integer(*, least: int) -> Callable[[str], int]:
    def parse(text: str) -> int:
        try:
            value = int(text)
        except ValueError:
            raise argparse.ArgumentTypeError(f"expected an integer, got {text!r}") from None
        if value < least or (least < 0 and value == 0):
            bound = f"at least {least}" if least >= 0 else "positive, or -1"
            raise argparse.ArgumentTypeError(f"expected an integer {bound}, got {value}")
        return value

    return parse


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return math.nan


def port(text: str) -> int:
    """Parse the number of a port."""
    number = _integer(least=0)(text)
    if number >= 1 << 16:
        raise argparse.ArgumentTypeError(f"expected a port below 65536, got {number}")
    return number


def _seconds(text: str) -> float:
    if not 0 < (value := _number(text)) < math.inf:
        raise argparse.ArgumentTypeError(f"expected a positive number, got {text!r}")
    return value


def share(text: str) -> float:
    """Parse a share, as a number from 0 to 1 or in percent.

    Examples
    --------
    >>> share("2.5%"), share("0.5")
    (0.025, 0.5)
    """
    value = _number(text.removesuffix("%")) / (100 if text.endswith("%") else 1)
    if not 0 <= value <= 1:
        raise argparse.ArgumentTypeError(f"expected a share such as 1% or 0.01, got {text!r}")
    return value


def failure_limit(text: str) -> tuple[float, bool]:
    """Parse a number of rows or a percentage; return it and whether it is a percentage.

    Examples
    --------
    >>> failure_limit("25"), failure_limit("1%")
    ((25, False), (0.01, True))
    """
    if text.endswith("%"):
        return share(text), True
    try:
        return _integer(least=0)(text), False
    except argparse.ArgumentTypeError:
        raise argparse.ArgumentTypeError(
            f"expected a number of rows such as 10, or a share such as 1%, got {text!r}"
        ) from None


def _size(text: str) -> int:
    match = re.fullmatch(r"(\d{1,15})\s*([kmgt]?)(?:i?b)?", text.strip(), re.I)
    if match is None or int(match[1]) == 0:
        raise argparse.ArgumentTypeError(f"expected a size such as 500M or 8G, got {text!r}")
    return int(match[1]) << 10 * " kmgt".index(match[2].lower() or " ")


def output_name(text: str) -> str:
    """Parse the name of an output; every name of standard output becomes "-".

    Examples
    --------
    >>> output_name("/dev/stdout"), output_name("a.json")
    ('-', 'a.json')
    """
    if not text:
        raise argparse.ArgumentTypeError("expected the name of a file, got ''")
    # Opened again by its name, what is printed there later would overwrite it.
    return "-" if text in ("/dev/stdout", "/dev/fd/1", "/proc/self/fd/1") else text


def _delimiter(text: str) -> str:
    text = {"\\t": "\t"}.get(text, text)
    if text in SEPARATOR_WORDS:
        return text
    if len(text) != 1 or text in '"\r\n' or not text.isascii():
        raise argparse.ArgumentTypeError(
            f"expected a single ASCII character, tab, blanks or none, got {text!r}"
        )
    return text


def _encoding(text: str) -> Any:
    try:
        codecs.lookup(text)
        "".encode(text)
    except LookupError:
        raise argparse.ArgumentTypeError(
            f"there is no encoding {text!r}; common ones are utf-8, cp1252, latin-1, utf-16"
        ) from None
    return text


# By the names in `options.toml`.
PARSERS: dict[str, Callable[[str], Any]] = {
    "delimiter": _delimiter,
    "encoding": _encoding,
    "failure_limit": failure_limit,
    "integer from 0": _integer(least=0),
    "integer from 1": _integer(least=1),
    "integer from 3": _integer(least=3),
    "lines": _header,
    "list": comma_separated,
    "output": output_name,
    "port": port,
    "seconds": _seconds,
    "share": share,
    "size": _size,
    "workers": _integer(least=-1),
}
