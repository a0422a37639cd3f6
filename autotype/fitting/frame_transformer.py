"""FrameTransformer: input of any library and types, given or inferred, of transformers."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from inspect import signature
from typing import Any

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import _check_n_features, check_array

from autotype.errors import UnknownColumnError
from autotype.inference.frames.as_pandas import as_pandas, is_frame
from autotype.inference.pipeline import infer_types
from autotype.models.parameters import estimator
from autotype.types.codec.plain_state import PlainState
from autotype.types.column_mapping import check_report
from autotype.types.column_types import ColumnTypes
from autotype.types.nan_equality import nan_key
from autotype.wording import did_you_mean, format_some


@estimator(kw_only=True)
class FrameTransformer(PlainState, TransformerMixin, BaseEstimator):
    """Base of transformers that treat each column of a frame by its type.

    All parameters but ``types`` are handed to `autotype.infer_types` if no types are given.
    """

    types: Any = None
    known: Any = None
    features: Any = None
    label_text: bool = True
    label_judge: Any = None
    max_levels: int = 20
    max_rows: int | None = None
    n_jobs: int | None = None
    random_state: int = 0

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.string = True
        tags.input_tags.categorical = True
        tags.transformer_tags.preserves_dtype = []
        return tags

    def _read_training(self, X: Any) -> pd.DataFrame:
        """Return the rows of `fit` as a frame of pandas, and set the attributes of its columns."""
        frame = _read_frame(X, type(self).__name__)
        self.n_features_in_ = frame.shape[1]
        self._names = frame.columns
        if is_frame(X):
            self.feature_names_in_ = np.asarray(frame.columns, dtype=object)
        elif hasattr(self, "feature_names_in_"):  # of an earlier fit
            del self.feature_names_in_
        return frame

    def _types_of(self, frame: pd.DataFrame) -> ColumnTypes:
        """Return the given types, or infer those of the frame."""
        if self.types is None:
            shared = signature(infer_types).parameters
            options = {k: v for k, v in self.get_params(deep=False).items() if k in shared}
            return infer_types(frame, **options, progress=False)
        check_report(self.types)
        if self.known is not None:
            raise ValueError(
                "types and known exclude each other: types are not inferred where they are given; "
                "pass known to infer_types"
            )
        return self.types

    def _read_rows(self, X: Any) -> pd.DataFrame:
        """Return new rows as a frame of pandas; the columns of an array have the names of `fit`."""
        frame = _read_frame(X, type(self).__name__)
        if not is_frame(X):
            _check_n_features(self, X, reset=False)
            frame.columns = self._names
        return frame


def find_column(frame: pd.DataFrame, name: Hashable) -> pd.Series:
    """Return the one column of a name.

    Raises
    ------
    UnknownColumnError
        If the frame lacks it.
    ValueError
        If the frame holds several columns of that name.
    """
    key = {nan_key(name)}  # by hash: numbers of NumPy compare with tuples by an array
    places = [j for j, other in enumerate(frame.columns) if nan_key(other) in key]
    if not places:
        hint = did_you_mean(name, frame.columns)
        raise UnknownColumnError(f"the frame holds no column {name!r}{hint}")
    if len(places) > 1:
        raise ValueError(f"the frame holds several columns {name!r}; rename them")
    return frame.iloc[:, places[0]]


def find_columns(frame: pd.DataFrame, names: Sequence[Hashable], *, of: str) -> list[int]:
    """Return the positions of columns in a frame; the n-th of a name matches the n-th.

    Parameters
    ----------
    frame : pandas.DataFrame
        The frame.
    names : sequence
        Names of the columns, n of them.
    of : str
        What needs the columns, for the message: "columns of fit".

    Returns
    -------
    list of int
        n positions.

    Raises
    ------
    ValueError
        If the frame lacks a column.

    Examples
    --------
    >>> find_columns(pd.DataFrame({"a": [1], "b": [2]}), ["b"], of="columns")
    [1]
    """
    positions: dict[Any, list[int]] = {}
    for place, name in enumerate(frame.columns):
        positions.setdefault(name, []).append(place)
    lists = {name: iter(places) for name, places in positions.items()}
    places = [next(lists.get(name, iter(())), None) for name in names]
    missing = [name for name, place in zip(names, places, strict=True) if place is None]
    if missing:
        raise ValueError(
            f"the frame lacks {len(missing)} of the {len(names)} {of}: {format_some(missing)}"
        )
    return [place for place in places if place is not None]


def _read_frame(X: Any, what: str) -> pd.DataFrame:
    """Return a frame: X itself, converted to pandas, or of the columns of an array."""
    if is_frame(X):
        return as_pandas(X, what)
    array = check_array(X, dtype=None, ensure_all_finite=False)
    frame = pd.DataFrame(array, columns=[f"x{j}" for j in range(array.shape[1])])
    return frame.infer_objects()
