"""Names and levels as SQL, JSON and YAML of other tools hold them."""

from __future__ import annotations

import datetime
import math
import re
from collections.abc import Iterable, Sequence
from typing import Any, Literal

from pandera import dtypes

from autotype.errors import UnwritableTypesError
from autotype.types.codec.json_values import as_unicode, is_unicode
from autotype.types.column_type import ColumnType

Kind = Literal[
    "text", "integer", "large integer", "number", "boolean", "datetime", "zoned datetime"
]
TIMES: tuple[Kind, ...] = ("datetime", "zoned datetime")
_TOO_LARGE = 2**63  # for 64 bits with a sign

_CLASSES: dict[Kind, Any] = {"integer": int, "number": int | float, "text": str}
_FORMS: dict[Kind, re.Pattern[str]] = {
    "integer": re.compile(r"-?(0|[1-9]\d{0,17})", re.ASCII),
    "large integer": re.compile(r"-?(0|[1-9]\d{0,37})", re.ASCII),
    "number": re.compile(r"-?(0|[1-9]\d*)(\.\d+)?(e[-+]?\d+)?", re.ASCII),
    "datetime": re.compile(r"\d{4}-\d\d-\d\d([ T]\d\d:\d\d(:\d\d(\.\d+)?)?)?", re.ASCII),
}


def check_levels(name: Any, levels: Sequence[Any]) -> None:
    """Raise an UnwritableTypesError if other tools cannot hold a level."""
    for level in levels:
        finite = not isinstance(level, float) or math.isfinite(level)
        if not isinstance(level, (str, int, float, datetime.date)) or not finite:
            raise UnwritableTypesError(
                f"column {name!r} has the level {level!r}, expected strings, finite numbers, "
                "booleans or dates; cast the column to text, or leave it out of the schema"
            )


def kind_of_levels(levels: Sequence[Any]) -> Kind | None:
    """Return what levels are, or None if they are of several kinds.

    Examples
    --------
    >>> kind_of_levels([1, 2.5]), kind_of_levels([1, 2**64]), kind_of_levels([1, True])
    ('number', 'large integer', None)
    """
    are_bool = [isinstance(level, bool) for level in levels]
    if any(are_bool):
        return "boolean" if all(are_bool) else None
    for kind, of in _CLASSES.items():
        if all(isinstance(level, of) for level in levels):
            is_large = kind == "integer" and any(abs(level) >= _TOO_LARGE for level in levels)
            return "large integer" if is_large else kind
    zoned = {getattr(level, "tzinfo", None) is not None for level in levels}
    is_time = all(isinstance(level, datetime.date) for level in levels)
    return TIMES[zoned.pop()] if is_time and len(zoned) == 1 else None


def kind_of_profile(column: ColumnType) -> Kind | None:
    """Return what the values of a column without listed levels are, by its profile.

    Returns
    -------
    {"integer", "number", "datetime"} or None
        None unless they look like plain numbers, or dates and times of ISO 8601 without zone.
    """
    profile, others = column.profile, (*column.missing_markers, *column.off_scale)
    if profile is None or any(isinstance(value, str) for value in others):
        return None  # there are strings among the numbers
    texts = [text for text in (*profile.examples, profile.low, profile.high) if text]
    of = (kind for kind, form in _FORMS.items() if all(map(form.fullmatch, texts)))
    return next(of, None) if texts else None


def kind_of_dtype(dtype: Any) -> Kind | None:
    """Return what the values of a dtype of pandera are, or None if they are none of these."""
    kinds: list[tuple[Any, Kind]] = [
        (dtypes.Bool, "boolean"),
        (dtypes.UInt, "large integer" if getattr(dtype, "bit_width", 0) == 64 else "integer"),
        (dtypes.Int, "integer"),
        ((dtypes.Float, dtypes.Decimal), "number"),
        ((dtypes.DateTime, dtypes.Timestamp), "datetime"),
        (dtypes.String, "text"),
    ]
    kind = next((kind for of, kind in kinds if isinstance(dtype, of)), None)
    return "zoned datetime" if kind == "datetime" and getattr(dtype, "tz", None) else kind


def plain_levels(levels: Iterable[Any]) -> list[Any]:
    """Return levels as strings, numbers and booleans; dates become strings of ISO 8601.

    Examples
    --------
    >>> plain_levels(["S", 3, datetime.date(2024, 2, 29)])
    ['S', 3, '2024-02-29']
    """
    plain = [level.isoformat() if isinstance(level, datetime.date) else level for level in levels]
    return [as_unicode(level) if isinstance(level, str) else level for level in plain]


def sql_levels(levels: Iterable[Any]) -> str:
    """Return levels as literals of SQL.

    Examples
    --------
    >>> sql_levels(["it's", True, 2.5])
    "'it''s', TRUE, 2.5"
    """
    return ", ".join(map(_literal, levels))


def _literal(level: Any) -> str:
    if isinstance(level, bool):
        return str(level).upper()
    if isinstance(level, datetime.date):  # as the drivers of SQLite, which compares text, write it
        day_and_time = {"sep": " "} if isinstance(level, datetime.datetime) else {}
        return f"'{level.isoformat(**day_and_time)}'"
    return _quoted(level, "'") if isinstance(level, str) else repr(level)


def sql_name(name: str) -> str:
    """Return the name of a table, a type or a column, quoted for SQL."""
    return _quoted(name, '"')


def _quoted(text: str, mark: str) -> str:
    if "\0" in text or not is_unicode(text):
        raise UnwritableTypesError(
            f"{text!r} holds a character that SQL cannot; rename the column or the level"
        )
    return f"{mark}{text.replace(mark, 2 * mark)}{mark}"
