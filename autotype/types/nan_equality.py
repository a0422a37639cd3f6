"""Compare values with NaN equal to NaN: column names, levels, and whole reports."""

from __future__ import annotations

import warnings
from collections.abc import Hashable, Mapping
from dataclasses import fields
from numbers import Real
from typing import Any

from autotype.lexicon.presence import equals_itself

MAX_BITS = 3 * 4_300  # of an integer: Python itself writes and reads 4,300 decimal digits


def nan_key(value: Any) -> Any:
    """Return a value that is equal for equal values, and for NaN, NaT and NA of the same kind.

    Two of them compare as the values do. They have a hash if the values do, the same wherever
    they are equal: the hash of NaN itself depends on the object.

    Parameters
    ----------
    value : object
        Tuples, lists, sets, mappings and arrays are converted with all that they hold.

    Examples
    --------
    >>> {nan_key(float("nan")): "found"}[nan_key(float("nan"))]
    'found'
    >>> nan_key(("a", {"p": [float("nan")]})) == nan_key(("a", {"p": [float("nan")]}))
    True
    """
    if isinstance(value, str):
        return value
    if isinstance(value, Mapping):
        return {nan_key(key): nan_key(item) for key, item in value.items()}
    if isinstance(value, tuple):
        return tuple(map(nan_key, value))
    if isinstance(value, list):
        return list(map(nan_key, value))
    if isinstance(value, (set, frozenset)):
        return frozenset(map(nan_key, value))
    if getattr(value, "ndim", 0) and hasattr(value, "dtype"):
        return nan_key(value.tolist())
    if equals_itself(value):
        return value
    # The class of a missing value, the same for floats of Python and of NumPy.
    return float if isinstance(value, Real) else type(value)


def has_hash(value: Any) -> bool:
    """Check whether a value can be a level or a name; a list cannot, nor a tuple that holds one.

    Nor can a dtype with lone surrogates among its categories, nor one that pandas hashes with a
    warning, such as one of strings and tuples, nor an integer that Python does not write as text.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            hash(value)
    except (TypeError, ValueError, NotImplementedError, Warning):
        return False
    return not isinstance(value, int) or value.bit_length() <= MAX_BITS


class NanEqual:
    """Equality and hash of a dataclass whose fields may hold NaN: NaN is equal to NaN."""

    name: Hashable

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return self is other or _cells(self) == _cells(other)

    def __hash__(self) -> int:
        # Other fields are mappings, or hold levels without a hash of their own.
        return hash((type(self), nan_key(self.name)))


def _cells(value: Any) -> list[Any]:
    return [nan_key(getattr(value, item.name)) for item in fields(value)]
