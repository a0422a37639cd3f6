"""State what a format means: which type it settles, and how a report names it."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from autotype.inference.column import Column
from autotype.inference.profile.formats import PROPORTION
from autotype.lexicon.dates import days_of
from autotype.lexicon.durations import read_durations
from autotype.lexicon.numbers import amounts_of
from autotype.types.codec.evidence_keys import Evidence
from autotype.types.column_type import ColumnType, SemanticType

_IDENTIFYING = frozenset({"email", "uuid", "iban", "phone", "coordinates"})
_BY_UNIQUENESS = {"url": 0.8, "ip": 0.8, "path": 0.8, "postcode": PROPORTION}
_TEXT = frozenset({"json", "html", "list"})
_TIMES = frozenset({"date", "time", "year", "quarter", "week"})
_AMOUNTS = frozenset({"latitude", "longitude", "currency", "percent", "duration"})


def type_of_format(column: Column, max_levels: int) -> tuple[SemanticType, str] | None:
    """Return the type that the format of a column settles, with the reason, if it settles one.

    Parameters
    ----------
    column : Column
        With its format.
    max_levels : int
        Most levels of a column whose order is searched: amounts of so few are left to that.
    """
    name = column.format
    if name is None:
        return None
    reason = f"Its values have the format {described_format(column)}."
    proportion = column.n_distinct / column.n_present
    if name in _IDENTIFYING or proportion >= _BY_UNIQUENESS.get(name, math.inf):
        return "identifier", reason
    if name in _TEXT:
        return "text", reason
    if name in _TIMES:
        return "datetime", reason
    if column.n_distinct <= max_levels:
        return None
    if name in _AMOUNTS:
        if column.numbers is None:
            column.numbers = _amounts(column)
        return "continuous", reason
    if name in _BY_UNIQUENESS or name.endswith(" code"):
        return ("identifier" if proportion >= PROPORTION else "categorical"), reason
    return None


def _amounts(column: Column) -> np.ndarray:
    """Return the numbers of amounts or durations, NaN for what is none."""
    if column.format != "duration":
        return amounts_of(column.values).to_numpy()
    if column.values.dtype.kind == "m":
        return days_of(column.values).to_numpy() * 86_400.0
    return read_durations(column.values.astype(object), clock=True)


def with_format(found: ColumnType, column: Column) -> ColumnType:
    """Add the format of a column, with its unit or items, to its type; a reason names it."""
    if column.format is None:
        return found
    reason = f"Its values have the format {described_format(column)}."
    reasons = found.reasons if reason in found.reasons else (*found.reasons, reason)
    evidence: Evidence = {**found.evidence, **column.format_evidence}
    return replace(found, format=column.format, evidence=evidence, reasons=reasons)


def described_format(column: Column) -> str:
    """Return the format of a column for a sentence, with its unit or separator."""
    found = column.format_evidence
    if "separator" in found:
        return f"list ({len(found['items'])} items, separated by {found['separator']!r})"
    unit = found.get("unit", "")
    return f"{column.format} ({unit})" if unit and unit != "%" else str(column.format)
