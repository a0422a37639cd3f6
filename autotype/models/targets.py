"""Read the labels of an ordinal target, and decode ranks as labels of the same kind.

The order comes from `classes=[...]` if the user gives it, else from an ordered Categorical, else
from numbers. Strings have no order, and assuming the alphabet's would be a silent mistake.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import column_or_1d

_MAX_NAMED = 5


def ranks_among(levels: Sequence[Any] | np.ndarray, values: Any) -> np.ndarray:
    """Return the rank of each value among levels, -1 if it is not one of them.

    Parameters
    ----------
    levels : sequence
        Levels, lowest first, each once; an array keeps its dtype, and values are converted to it.
    values : array-like of shape (n,)
        Values.

    Returns
    -------
    ndarray of int, shape (n,)

    Examples
    --------
    >>> ranks_among(["low", "high"], ["high", "low", "mid"])
    array([ 1,  0, -1])
    """
    levels = levels if isinstance(levels, np.ndarray) else _as_objects(levels)
    array = np.asarray(values, dtype=levels.dtype)
    is_sorted = levels.dtype.kind in "biuf" and bool(np.all(levels[1:] > levels[:-1]))
    if len(levels) and is_sorted:  # faster than pandas
        ranks = np.minimum(np.searchsorted(levels, array), len(levels) - 1)
        return np.where(levels[ranks] == array, ranks, -1)
    return pd.Index(levels, dtype=object).get_indexer(pd.Index(array, dtype=object))


def _as_objects(levels: Sequence[Any]) -> np.ndarray:
    """Return an array that holds the levels as they are, tuples and numbers of all kinds too."""
    array = np.empty(len(levels), dtype=object)
    array[:] = levels
    return array


@dataclass(frozen=True)
class OrdinalLabels:
    """The levels of a target, lowest first, and the kind of its labels.

    Attributes
    ----------
    classes : ndarray of shape (n_levels,)
        The levels, lowest first; levels never seen in the target are kept.
    dtype : pandas dtype or None
        Dtype of predictions if the target came from pandas: an ordered CategoricalDtype if it was
        categorical. None if it was a list or an array.
    name : object
        Name of the predicted Series.
    """

    classes: np.ndarray
    dtype: Any
    name: Any

    def __getstate__(self) -> dict[str, Any]:
        """Return the fields without objects of pandas, so that skops can store them too."""
        dtype = self.dtype
        if isinstance(dtype, pd.CategoricalDtype):
            categories = str(dtype.categories.dtype)
            plain: Any = {"categories": categories, "ordered": dtype.ordered}
        else:
            plain = None if dtype is None else str(dtype)
        is_same = self._dtype_of(plain) == dtype
        return vars(self) | {"dtype": plain if is_same else dtype}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        vars(self)["dtype"] = self._dtype_of(state["dtype"])

    def _dtype_of(self, plain: Any) -> Any:
        """Return the dtype of pandas of which `plain` is what `__getstate__` makes."""
        if isinstance(plain, str):
            return pd.api.types.pandas_dtype(plain)
        if not isinstance(plain, dict):
            return plain
        levels = pd.Index(self.classes, dtype=plain["categories"], tupleize_cols=False)
        return pd.CategoricalDtype(levels, ordered=plain["ordered"])

    def decode(self, ranks: np.ndarray, X: Any = None) -> Any:
        """Decode ranks as labels of the kind that `y` had.

        Parameters
        ----------
        ranks : ndarray of int, shape (n,)
            Ranks 0 .. n_levels - 1.
        X : any
            The features predicted from.

        Returns
        -------
        Series, Categorical or ndarray of length n
            A Series with the index of X if the target came from pandas and X has an index.
            Without one, as after a vectoriser, a Series numbered from 0 would be aligned with the
            wrong rows: then a Categorical if the target was categorical, else an array.
        """
        if self.dtype is None:
            return self.classes[ranks]
        values: Any = self.classes[ranks]
        if isinstance(self.dtype, pd.CategoricalDtype):
            values = pd.Categorical.from_codes(np.asarray(ranks), dtype=self.dtype)
        index = getattr(X, "index", None)
        if not isinstance(index, pd.Index):
            return values
        return pd.Series(values, index=index, name=self.name, dtype=self.dtype)


def read_ordinal_labels(
    y: Any, classes: Sequence[Any] | str | None = None
) -> tuple[OrdinalLabels, np.ndarray]:
    """Read a target: its levels in their order, and the rank of every row.

    Parameters
    ----------
    y : array-like of shape (n,)
        Labels: an ordered Categorical, numbers, or anything with `classes`.
    classes : sequence or "sorted", optional
        All levels, lowest first, or "sorted" for the labels' own sort order.

    Returns
    -------
    labels : OrdinalLabels
        How to turn ranks back into labels.
    ranks : ndarray of int, shape (n,)
        Ranks 0 .. n_levels - 1.

    Raises
    ------
    ValueError
        If labels have no order, are missing, or are not among `classes`.

    Examples
    --------
    >>> labels, ranks = read_ordinal_labels(["low", "high", "low"], classes=["low", "high"])
    >>> ranks
    array([0, 1, 0])
    >>> labels.decode(np.array([1, 0])).tolist()
    ['high', 'low']
    """
    if y is None:
        raise ValueError("fit requires y to be passed, but the target y is None")
    is_categorical = isinstance(getattr(y, "dtype", None), pd.CategoricalDtype)
    values = y if is_categorical else _one_column(y)
    _refuse_missing(values)
    levels = _levels(values, classes, is_categorical)
    ranks = ranks_among(levels, values)
    _refuse_unknown(values, ranks, levels)
    if np.all(ranks == ranks[0]):
        raise ValueError(
            f"y holds one class only, {_plain(levels[ranks[0]])!r}; "
            "an ordinal model needs at least two classes: check how y was selected"
        )
    dtype: Any = y.dtype if is_categorical or isinstance(y, pd.Series) else None
    if is_categorical and not (dtype.ordered and classes is None):
        dtype = pd.CategoricalDtype(levels, ordered=True)
    return OrdinalLabels(levels, dtype, getattr(y, "name", None)), ranks.astype(np.intp)


def _plain(label: Any) -> Any:
    """Return a NumPy scalar as a Python object, for messages."""
    return label.item() if isinstance(label, np.generic) else label


def _one_column(y: Any) -> np.ndarray:
    """Flatten to one dimension, with scikit-learn's warning if y is a column."""
    if isinstance(y, pd.Series | pd.Index):
        numpy_dtype = getattr(y.dtype, "numpy_dtype", None)
        if numpy_dtype is not None and numpy_dtype.kind in "biuf" and not y.isna().any():
            return y.to_numpy(dtype=numpy_dtype)  # pandas' nullable and Arrow numbers
        values = y.to_numpy()
        return values.astype(object) if values.dtype.kind == "O" else values
    if type(y) is np.ndarray and y.ndim == 1 and y.dtype.kind in "biuf":
        return y
    return column_or_1d(y, warn=True)


def _refuse_missing(values: Any) -> None:
    array = np.asarray(values)
    if array.dtype.kind == "f" and np.isinf(array).any():
        row = np.flatnonzero(np.isinf(array))[0]
        raise ValueError(f"y holds an infinite label at row {row}; labels must be finite")
    missing = np.flatnonzero(np.asarray(pd.isna(values)))
    if len(missing):
        shown = ", ".join(map(str, missing[:_MAX_NAMED]))
        raise ValueError(
            f"y holds {len(missing)} missing labels (NaN), the first at rows {shown}; drop these "
            "rows from X and y, since a missing label is not a level"
        )


def _levels(values: Any, classes: Sequence[Any] | str | None, is_categorical: bool) -> np.ndarray:
    """Return the levels lowest first, as an array of the labels' dtype."""
    if isinstance(classes, str) and classes != "sorted":
        raise ValueError(
            f"classes must list the levels, lowest first, or be 'sorted', got {classes!r}"
        )
    if classes is not None and not isinstance(classes, str):
        return _given_levels(values, classes)
    if classes is None and is_categorical and values.dtype.ordered:
        return values.dtype.categories.to_numpy()
    array = np.asarray(values)
    levels = _numbers_in_objects(array)
    if levels is not None:
        return levels
    if classes is None and array.dtype.kind not in "biuf":
        shown = ", ".join(map(repr, pd.unique(pd.Series(array)).tolist()[:_MAX_NAMED]))
        raise ValueError(
            f"the labels {shown} have no order of their own; pass classes=[...] with the levels "
            "from lowest to highest (classes='sorted' takes their sort order), or make y an "
            "ordered Categorical"
        )
    levels = np.unique(array)
    # Integers would pass, at most with a warning that so many levels may be a regression.
    if array.dtype.kind not in "biu":
        check_classification_targets(array)
    return levels


def _given_levels(values: Any, classes: Sequence[Any]) -> np.ndarray:
    given = list(classes)
    if len(set(given)) < len(given):
        twice = [level for level in dict.fromkeys(given) if given.count(level) > 1]
        raise ValueError(f"classes must list each level once, got {twice[:_MAX_NAMED]} repeatedly")
    dtype = np.asarray(values).dtype
    if dtype.kind in "biuf" and all(isinstance(level, int | float | np.number) for level in given):
        return np.asarray(given, dtype=np.result_type(dtype, np.asarray(given).dtype))
    if dtype.kind == "U" and all(isinstance(level, str) for level in given):
        return np.asarray(given)
    return _as_objects(given)


def _numbers_in_objects(array: np.ndarray) -> np.ndarray | None:
    """Return the sorted levels if every object is a number, else None."""
    if array.dtype.kind != "O":
        return None
    unique = pd.unique(pd.Series(array)).tolist()
    if not all(isinstance(level, int | float | np.number | np.bool_) for level in unique):
        return None
    return _as_objects(sorted(unique))


def _refuse_unknown(values: Any, ranks: np.ndarray, levels: np.ndarray) -> None:
    unknown = np.flatnonzero(ranks < 0)
    if len(unknown):
        array = np.asarray(values)
        row = unknown[0]
        more = f" (and unknown labels at {len(unknown) - 1} more)" if len(unknown) > 1 else ""
        raise ValueError(
            f"y holds {_plain(array[row])!r} at row {row}{more}, "
            f"not one of the classes {levels.tolist()[:20]}; add it to classes or correct the value"
        )
