"""Names and levels as SQL, JSON and YAML of other tools hold them."""

from __future__ import annotations

import datetime
import math
from collections.abc import Iterable, Sequence
from typing import Any, Literal

from autotype.errors import UnwritableTypesError
from autotype.types.codec.json_values import as_unicode

Kind = Literal["text", "integer", "number", "boolean", "datetime"]


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
    >>> kind_of_levels([1, 2.5]), kind_of_levels([1, True])
    ('number', None)
    """
    if levels and all(isinstance(level, bool) for level in levels):
        return "boolean"
    if any(isinstance(level, bool) for level in levels):
        return None
    kinds: list[tuple[Any, Kind]] = [
        (int, "integer"),
        ((int, float), "number"),
        (str, "text"),
        (datetime.date, "datetime"),
    ]
    of = (kind for of, kind in kinds if all(isinstance(level, of) for level in levels))
    return next(of, None)


def kind_of_dtype(dtype: Any) -> Kind | None:
    """Return what the values of a dtype of pandera are, or None if they are none of these."""
    from pandera import dtypes

    kinds: list[tuple[Any, Kind]] = [
        (dtypes.Bool, "boolean"),
        ((dtypes.Int, dtypes.UInt), "integer"),
        ((dtypes.Float, dtypes.Decimal), "number"),
        ((dtypes.DateTime, dtypes.Timestamp), "datetime"),
        (dtypes.String, "text"),
    ]
    return next((kind for of, kind in kinds if isinstance(dtype, of)), None)


def plain_levels(levels: Iterable[Any]) -> list[Any]:
    """Return levels as strings, numbers and booleans; dates become strings of ISO 8601.

    Examples
    --------
    >>> plain_levels(["S", 3, datetime.date(2024, 2, 29)])
    ['S', 3, '2024-02-29']
    """
    return [
        level.isoformat()
        if isinstance(level, datetime.date)
        else as_unicode(level)
        if isinstance(level, str)
        else level
        for level in levels
    ]


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
    if isinstance(level, datetime.date):
        return f"'{level.isoformat()}'"
    return _quoted(level, "'") if isinstance(level, str) else repr(level)


def sql_name(name: str) -> str:
    """Return the name of a table, a type or a column, quoted for SQL."""
    return _quoted(name, '"')


def _quoted(text: str, mark: str) -> str:
    if "\0" in text or any("\ud800" <= character <= "\udfff" for character in text):
        raise UnwritableTypesError(
            f"{text!r} holds a character that SQL cannot; rename the column or the level"
        )
    return f"{mark}{text.replace(mark, 2 * mark)}{mark}"
