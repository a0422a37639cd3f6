"""A column type as plain values and back, exactly: what every format of a report stores, or parts.

JSON holds all of it, Arrow and schemas what they have room for. `COLUMN` is the one table of its
keys, from which the JSON Schema and the page of the documentation are made, too.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from typing import Any, get_type_hints

from autotype.errors import UnwritableTypesError
from autotype.types.codec import shapes
from autotype.types.codec.json_text import MAX_JSON_DEPTH, is_within_depth
from autotype.types.codec.json_values import decode, simplify
from autotype.types.column_profile import ColumnProfile
from autotype.types.column_type import PROVENANCES, SEMANTIC_TYPES, ColumnType, Evidence
from autotype.types.nan_equality import nan_key


def _counted(pairs: list[tuple]) -> dict[Any, int]:
    counted = dict(pairs)
    if len(counted) < len(pairs):
        raise ValueError("'levels' repeats a level")
    return counted


def _read_evidence(plain: Any) -> Mapping[str, Any]:
    """Read the evidence; its known keys hold what `Evidence` states, others are kept."""
    evidence = shapes.as_object(decode(plain), "'evidence'")
    for key in EVIDENCE.keys() & evidence.keys():
        try:
            EVIDENCE[key][0].read(evidence[key])
        except (TypeError, ValueError) as problem:
            raise ValueError(f"'evidence' has {key!r}: {problem}") from None
    return evidence


def _read_predictors(plain: Any) -> list[float]:
    return [shapes.as_number(proportion) for _, proportion in shapes.as_list(plain)]


def _write_profile(profile: ColumnProfile | None) -> dict[str, Any] | None:
    return None if profile is None else shapes.write_fields(profile, PROFILE)


def _read_profile(plain: Any) -> ColumnProfile | None:
    if plain is None:
        return None
    return ColumnProfile(**shapes.read_fields(shapes.as_object(plain, "'profile'"), PROFILE))


PROFILE: shapes.Fields = {
    "n_missing": (shapes.COUNT, "Missing values."),
    "examples": (shapes.many(shapes.STRING), "A few values; none if the levels are listed."),
    "common": (
        shapes.Pairs(("value", shapes.STRING), ("count", shapes.COUNT)),
        "The most frequent values with their counts in the sampled rows.",
    ),
    "histogram": (
        shapes.many(shapes.COUNT),
        "Sampled rows in bins of equal width between low and high.",
    ),
    "low": (shapes.STRING, "The low end of the histogram."),
    "high": (shapes.STRING, "The high end of the histogram."),
}

_BY_TYPE = {
    str: shapes.STRING,
    int: shapes.COUNT,
    float: shapes.FIGURE,
    list: shapes.LIST,
    list[float]: shapes.many(shapes.FIGURE, list),
}


def _evidence_keys() -> shapes.Fields:
    """Return shape and meaning of each key of `Evidence`, whose documentation says it."""
    documented = re.findall(r"^ +(\w+) : .+\n((?:        .+\n?)+)", Evidence.__doc__ or "", re.M)
    meanings = {key: " ".join(lines.replace("`", "").split()) for key, lines in documented}
    kinds = {key: _BY_TYPE[kind] for key, kind in get_type_hints(Evidence).items()}
    kinds["top_predictors"] = shapes.Shape(shapes.LIST.schema, simplify, _read_predictors)
    return {key: (shape, meanings.get(key, "")) for key, shape in kinds.items()}


EVIDENCE = _evidence_keys()

COLUMN: shapes.Fields = {
    "name": (shapes.LEVEL, "A string, or a number, a list or null as the frame has it."),
    "semantic_type": (shapes.choice("semantic_type", SEMANTIC_TYPES), "The type."),
    "probability": (shapes.PROBABILITY, "P(ordinal | labels, data)."),
    "order": (shapes.ORDER, "null unless the column is ordinal."),
    "best_order": (shapes.ORDER, "The best order found, for any verdict."),
    "order_probability": (
        shapes.PROBABILITY,
        "P(best_order is exactly right, up to reversal, if ordinal).",
    ),
    "direction_known": (
        shapes.BOOLEAN,
        "Whether the low end is known, or only the order up to reversal.",
    ),
    "levels": (
        shapes.Pairs(
            ("level", shapes.LEVEL),
            ("count", shapes.COUNT),
            lambda levels: levels.items(),
            _counted,
        ),
        "Levels with their counts in the whole frame.",
    ),
    "n_levels": (shapes.COUNT, "Distinct values, without missing ones."),
    "n_rows_used": (shapes.COUNT, "Rows from which the evidence of the data is computed."),
    "off_scale": (shapes.LEVELS, "Levels that are not on the scale."),
    "ties": (
        shapes.many(shapes.LEVELS),
        "Runs of best_order whose levels the data do not distinguish.",
    ),
    "alternatives": (
        shapes.Pairs(("order", shapes.LEVELS), ("weight", shapes.NUMBER)),
        "The next best orders with their weights.",
    ),
    "evidence": (
        shapes.Shape(
            {"type": "object", "properties": shapes.describe(EVIDENCE)},
            simplify,
            _read_evidence,
            dict,
        ),
        "The numbers behind the verdict, by name.",
    ),
    "reasons": (shapes.many(shapes.STRING), "Sentences, the most important first."),
    "provenance": (
        shapes.choice("provenance", PROVENANCES),
        "How the type was found: by inference, now or earlier; by an ordered dtype; stated before "
        "inference; or by a later correction.",
    ),
    "note": (shapes.STRING, "A remark of the user; may be empty."),
    "profile": (
        shapes.Shape(
            shapes.object_schema(PROFILE) | {"type": ["object", "null"]},
            _write_profile,
            _read_profile,
        ),
        "What the cells look like; null if no rows were read.",
    ),
}
# Absent from the first reports.
_LATER = ("provenance", "note", "profile")


def readable(column: ColumnType) -> dict[str, Any]:
    """Return a column type as readers of JSON expect it: dates as strings, tuples as lists."""
    return shapes.write_fields(column, COLUMN)


def as_plain(column: ColumnType, *, without: Collection[str] = ()) -> dict[str, Any]:
    """Return a column type as values of JSON, from which `from_plain` restores it exactly.

    Parameters
    ----------
    column : ColumnType
    without : collection of str
        shapes.Fields to leave out.

    Returns
    -------
    dict
        The fields as `readable` has them. Those with values that JSON cannot distinguish, such as
        a date and its string, are repeated in ``exact``, encoded by
        `autotype.types.codec.json_values.encode`.

    Raises
    ------
    UnwritableTypesError
        If a name or a level is an object of a class that cannot be read back, or two levels would
        be read back as one.

    Examples
    --------
    >>> import datetime
    >>> due = ColumnType("due", "ordinal", order=(datetime.date(2024, 2, 29),))
    >>> plain = as_plain(due)
    >>> plain["order"], plain["exact"]["order"]
    (['2024-02-29'], [{'type': 'date', 'value': '2024-02-29'}])
    >>> from_plain(plain) == due
    True
    """
    fields = {key: field for key, field in COLUMN.items() if key not in without}
    try:
        plain = shapes.write_exactly(column, fields)
        _check(plain.get("exact", {}), len(column.levels))
    except UnwritableTypesError as problem:
        raise UnwritableTypesError(f"column {column.name!r}: {problem}") from None
    return plain


def _check(exact: Mapping[str, Any], n_levels: int) -> None:
    if not is_within_depth(exact):
        raise UnwritableTypesError(
            f"its levels are nested deeper than the {MAX_JSON_DEPTH} lists and objects that are "
            "read back; cast them to strings"
        )
    if "levels" in exact and len(set(map(nan_key, decode(exact["levels"])))) < n_levels:
        raise UnwritableTypesError(
            "its levels cannot be written and read back: two of different classes, as a date of "
            "NumPy and one of Python, would be one; cast them to one class"
        )


def from_plain(plain: Mapping[str, Any], *, without: Collection[str] = ()) -> ColumnType:
    """Restore a column type that `as_plain` converted.

    Parameters
    ----------
    plain : mapping
    without : collection of str
        shapes.Fields that may be missing; they take the values of a new `ColumnType`.

    Raises
    ------
    KeyError
        If another field is missing.
    TypeError, ValueError
        If a field holds what `as_plain` does not write.
    """
    return ColumnType(**shapes.read_fields(plain, COLUMN, optional=(*without, *_LATER)))
