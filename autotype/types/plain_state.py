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
    if type(value) is tuple and any(isinstance(item, pd.CategoricalDtype) for item in value):
        return tuple(map(_plain, value))
    if isinstance(value, np.ndarray | str | int | float | None):
        return value
    try:
        plain = _index_state(value) if isinstance(value, pd.Index) else _encoded(value)
        restored = _restored(plain)
        is_same = type(restored) is type(value) and (
            restored.identical(value) if isinstance(value, pd.Index) else restored == value
        )
    except (UnwritableTypesError, ValueError, TypeError):
        return value
    return plain if is_same else value


def _encoded(value: Any) -> dict[str, Any]:
    return {_KIND: "value", "value": encode(value)}


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
    names = decode(plain["names"])
    if "range" in plain:
        return pd.RangeIndex(*plain["range"], name=names[0])
    labels = decode(plain["labels"])
    if plain["n_levels"] > 1:
        return pd.MultiIndex.from_tuples(labels, names=names)
    return pd.Index(labels, dtype=plain["dtype"], tupleize_cols=False, name=names[0])
