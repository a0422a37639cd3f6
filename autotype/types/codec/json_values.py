"""Encode any value for JSON and YAML, and decode it without loss.

Strings, integers, finite floats, booleans and None stay as they are; everything else becomes a
dictionary of its type and a plain value, such as ``{"type": "date", "value": "2024-02-29"}``.

JSON of unknown origin is read within limits, and without a second meaning.
"""

from __future__ import annotations

import datetime
import decimal
import fractions
import ipaddress
import json
import math
import pathlib
import re
import uuid
from collections import Counter
from collections.abc import Callable, Hashable, Mapping
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from autotype.errors import UnreadableTypesError, UnwritableTypesError
from autotype.types.nan_equality import MAX_BITS, has_hash
from autotype.wording import format_value

_KEYS = {"type", "value"}
_MISSING = {"NA": pd.NA, "NaT": pd.NaT}

# Characters of a string, 256 Mi: reports of a hundred thousand columns are smaller.
MAX_JSON_SIZE = 2**28
# Lists and objects inside each other; a report has about ten.
MAX_JSON_DEPTH = 100
_NUMBER = re.compile(r'"(?:[^"\\]|\\.)*"|(NaN|-?Infinity|[-+]?\d[\d._eE+-]*)')


def encode(value: Any) -> Any:
    """Convert any value to one of JSON's, from which `decode` restores it.

    NumPy's scalars become Python's, arrays lists, and subclasses of text and numbers the text or
    number; paths become pure paths, which are equal to them.

    Parameters
    ----------
    value : object

    Returns
    -------
    None, bool, int, float, str, list or dict

    Raises
    ------
    UnwritableTypesError
        For an object of another class than those in the table at the end of this module.

    Examples
    --------
    >>> encode(3), encode("3"), encode(float("inf"))
    (3, '3', {'type': 'float', 'value': 'inf'})
    >>> encode((1, pd.Timestamp("2024-02-29").as_unit("s")))["value"][1]
    {'type': 'timestamp', 'value': ['2024-02-29T00:00:00', None, 's']}
    """
    value = _python_value(value)
    if value is pd.NA or value is pd.NaT:
        return {"type": "missing", "value": str(value).strip("<>")}
    if isinstance(value, list):
        return [encode(item) for item in value]
    if isinstance(value, Mapping):
        return _encode_mapping(value)
    if _is_json_scalar(value):
        return value
    for name, (kind, to_plain, _) in _CODECS.items():
        if isinstance(value, kind):
            return {"type": name, "value": to_plain(value)}
    raise UnwritableTypesError(
        f"{format_value(value)}, of the class {type(value).__qualname__}, cannot be written and "
        "read back; cast it to text"
    )


def simplify(value: Any) -> Any:
    """Convert any value to one that JSON can hold and readers of JSON expect.

    Missing values become None, dates ISO 8601 text, tuples lists; infinities and objects of other
    classes become their text.

    Examples
    --------
    >>> simplify({"day": pd.Timestamp("2024-02-29"), "score": np.float32(0.5), "gap": pd.NA})
    {'day': '2024-02-29T00:00:00', 'score': 0.5, 'gap': None}
    """
    value = _python_value(value)
    if isinstance(value, Mapping):
        return {as_unicode(key): simplify(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [simplify(item) for item in value]
    if value is pd.NA or value is pd.NaT or (isinstance(value, float) and math.isnan(value)):
        return None
    if _is_json_scalar(value):
        return value
    if isinstance(value, (datetime.date, datetime.time, pd.Timedelta)):
        return value.isoformat()
    return as_unicode(value)


def _python_value(value: Any) -> Any:
    """Convert NumPy's arrays and scalars, and subclasses of Python's, to plain Python values."""
    if isinstance(value, np.datetime64):
        return pd.Timestamp(value)
    if isinstance(value, np.timedelta64):
        return pd.Timedelta(value)
    if isinstance(value, np.ndarray):
        return list(value)
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, bool):
        return value
    if isinstance(value, int):
        return int(value)
    if isinstance(value, np.longdouble) and float(value) != value and not np.isnan(value):
        return value  # more digits than a float has
    if isinstance(value, (float, np.floating)):
        return float(value)
    return str.__str__(value) if isinstance(value, str) else value  # str() of an Enum is its name


def _is_json_scalar(value: Any) -> bool:
    if isinstance(value, float):
        return math.isfinite(value)
    if isinstance(value, str):
        return is_unicode(value)
    return value is None or (isinstance(value, int) and value.bit_length() <= MAX_BITS)


def as_unicode(value: Any) -> str:
    """Convert a value to text that UTF-8 can hold: lone surrogates are escaped."""
    return str(value).encode("utf-8", "backslashreplace").decode("utf-8")


def decode(plain: Any) -> Any:
    """Restore the value that `encode` converted.

    Raises
    ------
    ValueError
        If a dictionary names an unknown type, or a value that is not of its type.

    Examples
    --------
    >>> decode({"type": "tuple", "value": ["a", 1]})
    ('a', 1)
    >>> decode(encode({1: math.nan}))
    {1: nan}
    """
    if isinstance(plain, list):
        return [decode(item) for item in plain]
    if not isinstance(plain, dict):
        return plain
    if set(plain) != _KEYS:
        return {key: decode(item) for key, item in plain.items()}
    name, value = plain["type"], plain["value"]
    if name == "missing" and isinstance(value, str) and value in _MISSING:
        return _MISSING[value]
    if not isinstance(name, str) or name not in _CODECS:
        known = ", ".join([*_CODECS, "missing"])
        raise ValueError(f"value {value!r} has the type {name!r}, not one of {known}")
    try:
        return _CODECS[name][2](value)
    except Exception as problem:  # whatever the classes raise at a foreign value
        raise ValueError(f"{value!r} is not a value of the type {name!r}: {problem}") from problem


def decode_hashable(plain: Any) -> Hashable:
    """Restore a name or a level, which has a hash.

    Raises
    ------
    ValueError
        If `plain` is no value of `encode`, or one without a hash.

    Examples
    --------
    >>> decode_hashable([1, 2])
    Traceback (most recent call last):
    ...
    ValueError: [1, 2] is neither a name nor a level
    """
    value = decode(plain)
    if not has_hash(value):  # a list, or a signaling NaN
        raise ValueError(f"{value!r} is neither a name nor a level")
    return value


def _encode_mapping(value: Mapping[Any, Any]) -> dict[str, Any]:
    """Keep a mapping of strings as such; write others as pairs, and those that look like a type."""
    if all(type(key) is str and is_unicode(key) for key in value) and set(value) != _KEYS:
        return {key: encode(item) for key, item in value.items()}
    pairs = [[encode(key), encode(item)] for key, item in value.items()]
    return {"type": "mapping", "value": pairs}


def is_unicode(text: str) -> bool:
    """Check whether UTF-8 can hold a string: it cannot hold lone surrogates."""
    return not any("\ud800" <= character <= "\udfff" for character in text)


def _plain_timestamp(value: pd.Timestamp) -> list[Any]:
    if value.tz is None:
        return [value.isoformat(), None, value.unit]
    return [value.tz_convert("UTC").tz_localize(None).isoformat(), str(value.tz), value.unit]


def _timestamp(plain: list[Any]) -> pd.Timestamp:
    text, zone, unit = plain
    moment = pd.Timestamp(np.datetime64(text, unit))  # of any year
    return moment if zone is None else moment.tz_localize("UTC").tz_convert(zone)


# Name -> class, to plain, from plain; a subclass comes before its class.
_CODECS: dict[str, tuple[type | tuple[type, ...], Callable[[Any], Any], Callable[[Any], Any]]] = {
    "float": (float, str, float),
    "text": (
        str,
        lambda value: value.encode("utf-16-be", "surrogatepass").hex(),
        lambda plain: bytes.fromhex(plain).decode("utf-16-be", "surrogatepass"),
    ),
    "tuple": (tuple, lambda value: encode(list(value)), lambda plain: tuple(map(decode, plain))),
    "set": (
        frozenset,
        lambda value: encode(sorted(value, key=str)),
        lambda plain: frozenset(map(decode, plain)),
    ),
    "mapping": (
        Mapping,
        _encode_mapping,
        lambda plain: {decode(key): decode(item) for key, item in plain},
    ),
    "timestamp": (pd.Timestamp, _plain_timestamp, _timestamp),
    "timedelta": (
        pd.Timedelta,
        lambda value: [value.isoformat(), value.unit],
        lambda plain: pd.Timedelta(plain[0]).as_unit(plain[1]),
    ),
    **{
        kind.__name__: (kind, kind.isoformat, kind.fromisoformat)
        for kind in (datetime.datetime, datetime.date, datetime.time)
    },
    "duration": (
        datetime.timedelta,
        lambda value: [value.days, value.seconds, value.microseconds],
        lambda plain: datetime.timedelta(*plain),
    ),
    "decimal": (decimal.Decimal, str, decimal.Decimal),
    "fraction": (
        fractions.Fraction,
        lambda value: encode([value.numerator, value.denominator]),
        lambda plain: fractions.Fraction(plain[0], plain[1]),  # a string may be 1e999999999
    ),
    "longdouble": (np.longdouble, str, np.longdouble),
    "complex": (complex, str, complex),
    "uuid": (uuid.UUID, str, uuid.UUID),
    "posix path": (pathlib.PurePosixPath, str, pathlib.PurePosixPath),
    "windows path": (pathlib.PureWindowsPath, str, pathlib.PureWindowsPath),
    "interface": ((ipaddress.IPv4Interface, ipaddress.IPv6Interface), str, ipaddress.ip_interface),
    "address": ((ipaddress.IPv4Address, ipaddress.IPv6Address), str, ipaddress.ip_address),
    "network": ((ipaddress.IPv4Network, ipaddress.IPv6Network), str, ipaddress.ip_network),
    "bytes": (bytes, lambda value: value.hex(), bytes.fromhex),
    "period": (
        pd.Period,
        lambda value: [str(value), value.freqstr],
        lambda plain: pd.Period(plain[0], plain[1]),
    ),
    "interval": (
        pd.Interval,
        lambda value: encode([value.left, value.right, value.closed]),
        lambda plain: pd.Interval(*map(decode, plain)),
    ),
}


def read_json(text: str) -> Any:
    """Read JSON text.

    Parameters
    ----------
    text : str

    Returns
    -------
    dict, list, str, int, float, bool or None

    Raises
    ------
    UnreadableTypesError
        If it is not JSON, larger or deeper than the limits, repeats a key of an object, or holds
        ``NaN`` or an infinity, which are no JSON.

    Examples
    --------
    >>> read_json('{"a": [1, 2.5]}')
    {'a': [1, 2.5]}
    >>> read_json('{"a": 1, "a": 2}')
    Traceback (most recent call last):
    ...
    autotype.errors.UnreadableTypesError: not JSON with one meaning: the key 'a' is repeated
    """
    if len(text) > MAX_JSON_SIZE:
        raise UnreadableTypesError(
            f"too long: {len(text):,} characters, more than the {MAX_JSON_SIZE:,} that are read"
        )
    try:
        number = partial(finite_number, text)
        plain = json.loads(
            text, object_pairs_hook=without_repetition, parse_constant=number, parse_float=number
        )
    except json.JSONDecodeError as problem:
        raise UnreadableTypesError(f"not JSON: {problem}") from problem
    except RecursionError:
        raise UnreadableTypesError(_too_deep()) from None
    except ValueError as problem:  # of the hooks, or an integer of thousands of digits
        raise UnreadableTypesError(f"not JSON with one meaning: {problem}") from problem
    if not is_within_depth(plain):
        raise UnreadableTypesError(_too_deep())
    return plain


def plain_json(value: Any) -> str:
    r"""Return JSON without what is no visible text, such as controls, that a page would lose.

    Examples
    --------
    >>> print(plain_json(["é", "\x9f"]))
    ["\u00e9", "\u009f"]
    """
    text = json.dumps(value, ensure_ascii=False, allow_nan=False)
    return text if text.isprintable() else json.dumps(value, allow_nan=False)


def is_within_depth(plain: Any) -> bool:
    """Check whether lists and objects are not nested deeper than `MAX_JSON_DEPTH`.

    Examples
    --------
    >>> is_within_depth([[1], {"a": []}])
    True
    """
    layer = [plain] if isinstance(plain, (dict, list)) else []
    for _ in range(MAX_JSON_DEPTH):
        layer = [
            item
            for value in layer
            for item in (value.values() if isinstance(value, dict) else value)
            if isinstance(item, (dict, list))
        ]
        if not layer:
            return True
    return not layer


def _too_deep() -> str:
    return f"nested deeper than the {MAX_JSON_DEPTH} lists and objects that are read"


def without_repetition(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object of JSON by its pairs; `ValueError` if a key is repeated."""
    read = dict(pairs)
    if len(read) < len(pairs):
        counts = Counter(key for key, _ in pairs)
        repeated = next(key for key in counts if counts[key] > 1)
        raise ValueError(f"the key {repeated!r} is repeated")
    return read


def finite_number(text: str, number: str) -> float:
    """Read a float in the text of JSON or TOML; `ValueError` if it is NaN, or beyond a float."""
    if math.isfinite(value := float(number)):
        return value
    places = (match.start() for match in _NUMBER.finditer(text) if match[1] == number)
    line = text.count("\n", 0, next(places, text.find(number))) + 1
    raise ValueError(f"{number} in line {line} is no finite number; write null")
