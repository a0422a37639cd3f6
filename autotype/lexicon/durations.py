"""Read durations written as strings: "1h 30m", "90 min", "2 days 03:04:05", "PT1H30M"."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache

import numpy as np

from autotype.lexicon.toml_files import read_toml

_PART = re.compile(r"(\d+(?:[.,]\d+)?)\s*([^\W\d_]+)\.?")
_JOIN = re.compile(r"[\s,]*(?:and|und|et|y|e|och|og|en|i|и)?[\s,]*")
_CLOCK = re.compile(r"(\d{1,4}):([0-5]\d)(?::([0-5]\d))?([.,]\d+)?")
_DAYS_AND_CLOCK = re.compile(r"(\d+) days?,? \+?(\d{1,2}:[0-5]\d:[0-5]\d(?:\.\d+)?)", re.I)
_ISO = re.compile(
    r"P(?=[\dT])(?:(\d+)Y)?(?:(\d+)M)?(?:(\d+)W)?(?:(\d+)D)?"
    r"(?:T(?=\d)(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?)?"
)
_ISO_UNITS = ("year", "month", "week", "day", "hour", "minute", "second")


def read_duration(text: str, *, clock: bool = False) -> float | None:
    """Return the seconds of a duration, or None if a string is none.

    Parameters
    ----------
    text : str
        Numbers with units of time in one of the larger languages, or a duration of ISO 8601.
    clock : bool
        Whether "1:30" and "00:12:30" are durations, too, rather than times of day.

    Examples
    --------
    >>> read_duration("1h 30m"), read_duration("PT90M"), read_duration("2 days 00:00:30")
    (5400.0, 5400.0, 172830.0)
    >>> read_duration("00:12:30"), read_duration("00:12:30", clock=True)
    (None, 750.0)
    """
    text = text.strip().removeprefix("-")
    if not text or not (text[0].isdigit() or text[0] == "P"):
        return None
    if match := _DAYS_AND_CLOCK.fullmatch(text):
        rest = read_duration(match[2], clock=True)
        return None if rest is None else int(match[1]) * read_toml("numbers")["time"]["day"] + rest
    if ":" in text:
        return _read_clock(text) if clock else None
    if text[0] == "P":
        parts = _ISO.fullmatch(text)
        return parts and sum(
            float(part) * read_toml("numbers")["time"][unit]
            for part, unit in zip(parts.groups(), _ISO_UNITS, strict=True)
            if part
        )
    return _read_parts(text)


@cache
def _seconds() -> dict[str, float]:
    """Return word for a unit of time -> its seconds."""
    tables = read_toml("numbers")
    seconds = {"millisecond": 0.001, **tables["time"]}
    units = tables["duration"].items()
    return {word: seconds[unit] for unit, words in units for word in words.split()}


def _read_parts(text: str) -> float | None:
    """Read numbers with units: "1h 30m"; a single "5 m" may be metres, "3D" a form of films."""
    place, total, units = 0, 0.0, []
    while place < len(text):
        match = _PART.match(text, place)
        unit = _seconds().get(match[2].casefold()) if match else None
        if match is None or unit is None or unit in units:
            return None
        units.append(unit)
        total += float(match[1].replace(",", ".")) * unit
        end = _JOIN.match(text, match.end())
        place = end.end() if end else match.end()
    is_letter = len(units) == 1 and not text[-2:].isalpha()
    return None if is_letter and text[-1] not in "hs" and text[-2:] not in (" d", " y") else total


def _read_clock(text: str) -> float | None:
    """Read "h:mm:ss", or "h:mm"; "m:ss.f" with fractions."""
    match = _CLOCK.fullmatch(text)
    if match is None:
        return None
    first, second, third = int(match[1]), int(match[2]), match[3]
    fraction = float((match[4] or "0").replace(",", "."))
    if third is None and match[4]:
        return 60.0 * first + second + fraction
    return 3600.0 * first + 60.0 * second + int(third or 0) + fraction


def read_durations(texts: Iterable[object], *, clock: bool = False) -> np.ndarray:
    """Return the seconds of each duration, NaN for other values.

    Examples
    --------
    >>> read_durations(["90 min", None, "soon"]).tolist()
    [5400.0, nan, nan]
    """
    read = (read_duration(v, clock=clock) if isinstance(v, str) else None for v in texts)
    return np.array([np.nan if seconds is None else seconds for seconds in read], dtype=np.float64)
