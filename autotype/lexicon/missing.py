"""What means a missing value: NaN where pandas does not take it for one, and strings for it."""

from __future__ import annotations

from decimal import Decimal
from functools import cache
from typing import Any

import numpy as np
import pandas as pd

from autotype.lexicon.toml_files import read_toml

_FORMS = (str, str.lower, str.capitalize, str.title, str.upper)
_BRACKETS = ("{}", "({})", "[{}]", "<{}>", "{}.")

# What surveys and instruments write into columns of numbers for "don't know", "refused", "not
# applicable" and "not measured". Each may be a number as well: what it is, the column has to show.
CODES_BELOW = frozenset(
    [*range(-9, 0), -66, -77, -88, *range(-99, -94), -666, -777, -888, *range(-999, -994), -7777]
).union([-8888, -9998, -9999, -99_999, -999_999, -9_999_999, -99.9, -999.9, -9999.9])
CODES_ABOVE = frozenset(
    [66, 77, 88, 96, 97, 98, 99, 666, 777, 888, 996, 997, 998, 999, 7777, 8888, 9998, 9999]
).union([99_999, 999_999, 9_999_999, 99_999_999, 999_999_999, 99.9, 999.9, 9999.9, 99_999.9])


@cache
def missing_marks() -> frozenset[str]:
    """Return the strings that mean a missing value in this very form: "NA", "n/a", "-", "#N/A"."""
    stated = read_toml("stray")["missing"]
    return frozenset(text for kind in ("words", "signs", "errors") for text in stated[kind])


@cache
def missing_signs() -> frozenset[str]:
    """Return those of `missing_marks` that consist of signs, such as "-" and ".."."""
    return frozenset(read_toml("stray")["missing"]["signs"])


@cache
def missing_phrases() -> frozenset[str]:
    """Return the phrases that mean a missing value in any language, in the ways they are written.

    Examples
    --------
    >>> missing_phrases() >= {"unknown", "Unknown", "(unknown)", "k. A.", "SIN DATOS", "不明"}
    True
    """
    phrases = (p for own in read_toml("stray")["missing"]["phrases"].values() for p in own)
    written = {form(phrase) for phrase in phrases for form in _FORMS}
    return frozenset(brackets.format(text) for text in written for brackets in _BRACKETS)


def without_signaling_nan(values: pd.Series) -> pd.Series:
    """Return a column with each ``Decimal("sNaN")`` as NaN; any other column as it is.

    A signaling NaN raises when it is compared, and so in every method of pandas.

    Examples
    --------
    >>> without_signaling_nan(pd.Series([Decimal("sNaN"), Decimal("1")])).tolist()
    [nan, Decimal('1')]
    """
    if values.dtype != object:
        return values
    # The classes of all cells take a third of the time of a look at each cell.
    if not any(issubclass(kind, Decimal) for kind in set(map(type, values.to_numpy()))):
        return values
    signals = [isinstance(value, Decimal) and value.is_snan() for value in values]
    if not any(signals):
        return values
    cells: list[Any] = [np.nan if s else v for s, v in zip(signals, values, strict=True)]
    quiet = np.empty(len(cells), dtype=object)
    quiet[:] = cells
    return pd.Series(quiet, index=values.index, name=values.name, dtype=object)
