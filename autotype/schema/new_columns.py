"""Columns of a batch that a schema does not know, and which may be a missing one renamed."""

from __future__ import annotations

import difflib
from collections.abc import Hashable, Mapping
from typing import TYPE_CHECKING, Any

from autotype.schema.batches.pandas_batch import expand_rules
from autotype.schema.read_types import columns_from_schema

if TYPE_CHECKING:
    import pandas as pd
    from pandera.pandas import DataFrameSchema

_MAX_VALUES = 1000  # different values of a new column that are compared with levels
_HELD = 0.8  # proportion of a new column's values that are levels of the missing one
_SEEN = 0.5  # proportion of the missing column's levels that the new one holds


def new_columns(batch: pd.DataFrame, schema: DataFrameSchema) -> list[Hashable]:
    """Return the columns of a batch that no rule of a schema is for."""
    known = expand_rules(batch, schema)
    return [name for name in dict.fromkeys(batch.columns) if name not in known]


def find_renamed(batch: pd.DataFrame, schema: DataFrameSchema) -> dict[Hashable, Hashable]:
    """Return missing column -> the new column that seems to be it, by its levels or its name.

    Parameters
    ----------
    batch : pandas.DataFrame
    schema : pandera.pandas.DataFrameSchema

    Examples
    --------
    >>> import pandas as pd
    >>> import pandera.pandas as pa
    >>> sizes = pa.Column(pa.Category(["S", "M", "L"], ordered=True))
    >>> schema = pa.DataFrameSchema({"size": sizes, "price": pa.Column(float)})
    >>> find_renamed(pd.DataFrame({"format": ["S", "L"], "prices": [1.5, 2]}), schema)
    {'size': 'format', 'price': 'prices'}
    """
    new = new_columns(batch, schema)
    missing = [c for c in columns_from_schema(schema) if new and c.name not in batch.columns]
    found: dict[Hashable, Hashable] = {}
    for column in missing:
        scores = {name: _likeness(batch[name], column.levels) for name in new}
        best = max(scores, key=scores.__getitem__, default=None)
        if best is not None and scores[best] > 0:
            found[column.name] = best
            new.remove(best)
    for column in missing:
        if column.name not in found:
            texts = {str(name): name for name in new}
            for close in difflib.get_close_matches(str(column.name), texts, n=1):
                found[column.name] = texts[close]
                new.remove(texts[close])
    return found


def _likeness(values: Any, levels: Mapping[Any, int]) -> float:
    """Return the proportion of a column's values that are levels, 0 if they are too few."""
    if getattr(values, "ndim", 1) != 1 or not levels:
        return 0.0
    held = {
        value for value in values.dropna().unique()[:_MAX_VALUES] if isinstance(value, Hashable)
    }
    common = len(held & set(levels))
    is_same = common >= _HELD * len(held) and common >= _SEEN * len(levels)
    return common / len(held) if held and is_same else 0.0
