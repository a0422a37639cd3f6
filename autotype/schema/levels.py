"""The levels that the columns of a schema state.

Compared, 1 and True differ, and NaN is equal to NaN.
"""

from __future__ import annotations

import copy
import warnings
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Any

import numpy as np
import pandas as pd
from pandera import dtypes
from pandera.engines.pandas_engine import Category
from pandera.pandas import Column, DataFrameModel, DataFrameSchema

from autotype.errors import UnwritableTypesError
from autotype.types.codec.json_values import decode_hashable, encode
from autotype.types.levels import LevelSet
from autotype.types.nan_equality import has_hash, nan_key


def membership(levels: Iterable[Any]) -> Callable[[Any], bool]:
    """Return a function that checks whether a level is among `levels`; 1 and True differ."""
    keys = {level_key(level) for level in levels}

    def is_known(level: Any) -> bool:
        try:
            return level_key(level) in keys
        except TypeError:  # a cell without hash is no level
            return False

    return is_known


def level_key(level: Any) -> tuple[bool, Any]:
    """Return a key that is equal for equal levels: 1 and True differ, NaN is equal to NaN."""
    return isinstance(level, (bool, np.bool_)), nan_key(level)


def as_statistic(level: Any) -> Any:
    """Encode a level; an object that no file can hold stays, for schemas that are not written."""
    try:
        return encode(level)
    except UnwritableTypesError:
        return level


def format_levels(levels: LevelSet, *, most: int = 12) -> str:
    """Format levels, omitting inner ones of many.

    Examples
    --------
    >>> format_levels(LevelSet(("S", "M", 3), ("?",), ordered=True))
    "'S' < 'M' < 3 (off the scale: '?')"
    """
    shown = [repr(level) for level in levels.on_scale]
    if len(shown) > most:
        shown = [*shown[: most - 1], "...", shown[-1]]
    off_scale = ", ".join(map(repr, levels.off_scale))
    aside = f" (off the scale: {off_scale})" if off_scale else ""
    return (" < " if levels.ordered else ", ").join(shown) + aside


# Names of the checks that state levels, and the arguments that hold them.
ORDINAL, CATEGORICAL = "is_ordinal", "is_categorical"
_ON_SCALE = {ORDINAL: "order", CATEGORICAL: "levels"}


def as_schema(schema: Any) -> DataFrameSchema:
    """Return a schema as a DataFrameSchema; a DataFrameModel is converted."""
    if isinstance(schema, DataFrameSchema):
        return schema
    if isinstance(schema, type) and issubclass(schema, DataFrameModel):
        converted = schema.to_schema()
        # pandera does not copy a model's metadata to the schema that it makes of it.
        converted.metadata = getattr(schema.Config, "metadata", None)
        return converted
    raise TypeError(
        f"expected a pandera DataFrameSchema or DataFrameModel, got {type(schema).__qualname__}; "
        "autotype.to_schema(frame, types) makes one, autotype.read_schema(path) reads one from a "
        "file, and a schema of pandera.polars and the like has a method validate of its own"
    )


def levels_of(rule: Column) -> LevelSet | None:
    """Return the levels that a column's rule states, or None if it states none.

    They are those of the dtype, or of the check if pandera itself read the rule from YAML. Only
    the check knows which of them are off the scale.
    """
    stated = next(
        (_decoded(check) for check in rule.checks if check.name in (ORDINAL, CATEGORICAL)), None
    )
    if not isinstance(rule.dtype, dtypes.Category) or rule.dtype.categories is None:
        return stated
    off_scale = () if stated is None else stated.off_scale
    is_off_scale = membership(off_scale)
    on_scale = tuple(level for level in rule.dtype.categories if not is_off_scale(level))
    return LevelSet(on_scale, off_scale, ordered=bool(rule.dtype.ordered))


def _decoded(check: Any) -> LevelSet:
    on_scale = check.statistics[_ON_SCALE[check.name]]
    off_scale = check.statistics.get("off_scale") or ()
    return LevelSet(
        tuple(map(decode_hashable, on_scale)),
        tuple(map(decode_hashable, off_scale)),
        ordered=check.name == ORDINAL,
    )


def restore_levels(schema: DataFrameSchema) -> DataFrameSchema:
    """Return a copy of a schema whose dtypes hold the levels of its checks.

    In a schema that pandera itself read from YAML, only the checks hold levels.
    """
    restored = copy.copy(schema)
    # pandera sets attributes of the rules while it validates, and changes nothing below them.
    restored.columns = {name: copy.copy(rule) for name, rule in schema.columns.items()}
    for rule in restored.columns.values():
        stated, held = levels_of(rule), rule.dtype
        if stated is None or not isinstance(held, dtypes.Category):
            continue
        if not isinstance(held, LevelDtype) or held.categories != stated.categories:
            rule.dtype = category_dtype(stated.categories, ordered=stated.ordered) or held
    return restored


class LevelDtype(Category):
    """A Category that compares levels, not the dtype that pandas holds them in.

    Its check returns a Python bool: pandas compares ordered dtypes of numeric levels to a NumPy
    boolean, which pandera takes for an array of one value per row, and fails with a KeyError if
    it is False.
    """

    def check(self, pandera_dtype: Any, data_container: Any = None) -> bool:
        """Check whether a dtype is this one."""
        other = getattr(pandera_dtype, "type", None)
        if not isinstance(other, pd.CategoricalDtype) or other.categories is None:
            return False
        if bool(other.ordered) != bool(self.ordered):
            return False
        expected = list(map(level_key, self.categories or ()))
        # Those of pandera's dtype: pandas may convert them, long doubles to complex numbers.
        levels = list(map(level_key, getattr(pandera_dtype, "categories", other.categories)))
        return levels == expected if self.ordered else set(levels) == set(expected)


def category_dtype(levels: Iterable[Any], *, ordered: bool) -> Any:
    """Return pandera's dtype with these levels, or None if pandas cannot hold such categories."""
    # pandas warns of tuples of different lengths, and of small NumPy floats beside large numbers.
    with warnings.catch_warnings(action="ignore"):
        try:
            dtype = LevelDtype(list(levels), ordered=ordered)
        except (TypeError, ValueError, NotImplementedError):  # tuples, or lone surrogates
            return None
        return dtype if has_hash(dtype.type) else None  # which pandera takes


def as_categorical(values: pd.Series) -> pd.Series:
    """Cast to a Categorical; to objects where pandas cannot sort its levels, or hash its dtype."""
    with suppress(ValueError):  # numbers of NumPy compare with tuples cell by cell
        cast = values.astype("category")
        if has_hash(cast.dtype):
            return cast
    return values.astype(object)
