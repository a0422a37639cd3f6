"""The state of objects without what only a pickle can hold.

A pickle runs code when it is loaded. skops stores estimators without one, but knows no objects of
pandas and no mappings whose keys are dates or tuples.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from autotype.errors import UnwritableTypesError
from autotype.types.codec.json_values import decode, encode

_KIND = "autotype state"


class PlainState:
    """An object whose attributes are stored as strings, numbers, lists and dictionaries."""

    def __getstate__(self) -> Any:
        """Return the attributes, each one plain where it is restored exactly."""
        state: Any = super().__getstate__()
        return {name: _plain(value) for name, value in state.items()}

    def __setstate__(self, state: dict[str, Any]) -> None:
        restored = {name: _restored(value) for name, value in state.items()}
        if hasattr(super(), "__setstate__"):  # of scikit-learn, which compares versions
            super().__setstate__(restored)  # type: ignore[misc]
        else:
            vars(self).update(restored)


def _plain(value: Any) -> Any:
    if isinstance(value, pd.CategoricalDtype):
        categories = _plain(value.categories)
        return {_KIND: "dtype", "categories": categories, "ordered": bool(value.ordered)}
    if isinstance(value, pd.DataFrame):
        columns = [_plain(value.iloc[:, j]) for j in range(value.shape[1])]
        return {_KIND: "frame", "names": _plain(value.columns), "columns": columns}
    if isinstance(value, pd.Series):
        return {_KIND: "column", "index": _plain(value.index), **_cells_state(value)}
    if type(value) is tuple and any(isinstance(item, pd.CategoricalDtype) for item in value):
        return tuple(map(_plain, value))
    if isinstance(value, np.ndarray | str | int | float | None):
        return value
    try:
        if isinstance(value, pd.Index):
            plain = _index_state(value)
        else:
            plain = {_KIND: "value", "value": encode(value)}
        restored = _restored(plain)
        is_same = type(restored) is type(value) and (
            _are_labels(restored, value) if isinstance(value, pd.Index) else restored == value
        )
    except (UnwritableTypesError, ValueError, TypeError):
        return value
    return plain if is_same else value


def _are_labels(restored: pd.Index, labels: pd.Index) -> bool:
    """Check whether labels are the same; the frequency of dates is not kept."""
    is_named = list(restored.names) == list(labels.names)
    return is_named and restored.dtype == labels.dtype and restored.equals(labels)


def _cells_state(values: pd.Series) -> dict[str, Any]:
    """Return the name, the dtype and the cells of a column: categories, numbers or objects."""
    is_categorical = isinstance(values.dtype, pd.CategoricalDtype)
    is_number = isinstance(values.dtype, np.dtype) and values.dtype.kind in "biuf"
    cells = values.cat.codes if is_categorical else values
    return {
        "name": encode(values.name),
        "dtype": _plain(values.dtype) if is_categorical else str(values.dtype),
        "cells": np.asarray(cells) if is_categorical or is_number else encode(values.tolist()),
    }


def _index_state(labels: pd.Index) -> dict[str, Any]:
    state = {_KIND: "labels", "names": encode(list(labels.names)), "n_levels": labels.nlevels}
    if isinstance(labels, pd.RangeIndex):
        return state | {"range": [labels.start, labels.stop, labels.step]}
    return state | {"labels": encode(list(labels)), "dtype": str(labels.dtype)}


def _restored(plain: Any) -> Any:
    if type(plain) is tuple:
        return tuple(map(_restored, plain))
    if not isinstance(plain, dict) or _KIND not in plain:
        return plain
    if plain[_KIND] == "value":
        return decode(plain["value"])
    if plain[_KIND] == "dtype":
        return pd.CategoricalDtype(_restored(plain["categories"]), ordered=plain["ordered"])
    if plain[_KIND] == "frame":
        columns = list(map(_restored, plain["columns"]))
        frame = pd.concat(columns, axis=1) if columns else pd.DataFrame()
        return frame.set_axis(_restored(plain["names"]), axis=1)
    if plain[_KIND] == "column":
        cells, dtype = decode(plain["cells"]), _restored(plain["dtype"])
        if isinstance(dtype, pd.CategoricalDtype):
            cells, dtype = pd.Categorical.from_codes(cells, dtype=dtype), None
        name = decode(plain["name"])
        return pd.Series(cells, index=_restored(plain["index"]), name=name, dtype=dtype)
    names = decode(plain["names"])
    if "range" in plain:
        return pd.RangeIndex(*plain["range"], name=names[0])
    labels = decode(plain["labels"])
    if plain["n_levels"] > 1:
        return pd.MultiIndex.from_tuples(labels, names=names)
    return pd.Index(labels, dtype=plain["dtype"], tupleize_cols=False, name=names[0])
