"""ColumnTarget: the target of a column's model, from values to predictions."""

from __future__ import annotations

import math
import warnings
from collections.abc import Hashable
from dataclasses import dataclass
from numbers import Real
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from sklearn.pipeline import Pipeline
from sklearn.utils.validation import has_fit_parameter

from autotype.fitting.frame_transformer import find_column
from autotype.lexicon.numbers import amounts_of
from autotype.models.magnitudes import check_targets
from autotype.types.arrow_array import with_plain_missing
from autotype.types.codec.json_values import is_unicode
from autotype.types.codec.plain_state import PlainState
from autotype.types.column_type import NUMBERS
from autotype.types.column_types import ColumnTypes
from autotype.types.levels import cast_to_levels

if TYPE_CHECKING:
    from autotype.models.preferences.preferences import Preferences

_KINDS = {
    "ordinal": "ordinal",
    **dict.fromkeys(("categorical", "binary", "undetermined"), "categorical"),
    **dict.fromkeys(NUMBERS, "number"),
}


@dataclass(frozen=True)
class ColumnTarget(PlainState):
    """The column to predict.

    Attributes
    ----------
    name : hashable
        The column.
    kind : {"ordinal", "categorical", "number"}
        What it is treated as.
    levels : tuple
        Levels, lowest first where ordinal; empty for numbers.
    values : pandas.Series
        The values of the target, with the frame's index: a Categorical of `levels`, or
        floats; missing where unknown or off the scale.
    weights : ndarray or None
        Weights of the rows, by those of the report; None without any. A row without a weight is
        not known.
    """

    name: Hashable
    kind: str
    levels: tuple
    values: pd.Series
    weights: np.ndarray | None = None

    @property
    def known(self) -> np.ndarray:
        """Mask of the rows whose target is known."""
        known = self.values.notna().to_numpy()
        return known if self.weights is None else known & (self.weights > 0)

    @property
    def n_known(self) -> int:
        """Rows whose target is known."""
        return int(self.known.sum())

    @property
    def n_dropped(self) -> int:
        """Rows whose target is missing or off the scale."""
        return len(self.values) - self.n_known

    def read(self, values: pd.Series) -> pd.Series:
        """Read the target of another frame."""
        return _read(values, self.kind, self.levels)

    def decode(self, predicted: Any, index: pd.Index) -> pd.Series:
        """Convert an estimator's predictions to a Series."""
        if self.kind == "number":
            return pd.Series(np.asarray(predicted, dtype=float), index=index, name=self.name)
        labels = np.asarray(predicted, dtype=object)
        if self._is_coded:
            values = pd.Categorical.from_codes(labels.astype(np.intp), dtype=self.values.dtype)
        else:
            values = pd.Categorical(labels, dtype=self.values.dtype)
        return pd.Series(values, index=index, name=self.name)

    def codes(self, values: pd.Series) -> np.ndarray:
        """Return the positions of levels, -1 where missing, and numbers as they are."""
        return (values if self.kind == "number" else values.cat.codes).to_numpy()

    @property
    def _is_coded(self) -> bool:
        """Check whether classifiers get the positions of the levels.

        scikit-learn's classifiers, which ordinal ones are compared with, reject 1.5, and "a"
        together with 1; none reads tuples, intervals or lone surrogates. NumPy cuts the NUL at the
        end of a string.
        """
        if all(
            isinstance(level, str) and is_unicode(level) and not level.endswith("\0")
            for level in self.levels
        ):
            return False
        return self.kind == "categorical" or not all(map(_is_whole, self.levels))

    def labels(self, rows: np.ndarray) -> Any:
        """Return the targets of some rows, all known, as an estimator gets them."""
        y = self.values[rows]
        if self.kind == "number":
            return y.to_numpy()
        if self._is_coded:
            codes = y.cat.codes.to_numpy()
            if self.kind == "categorical":
                return codes
            places = pd.RangeIndex(len(self.levels))
            return pd.Categorical.from_codes(codes, categories=places, ordered=True)
        return y.array if self.kind == "ordinal" else y.astype(object).to_numpy()

    def fit(
        self,
        pipeline: Pipeline,
        frame: pd.DataFrame,
        preferences: Preferences | None,
        rows: np.ndarray | None = None,
    ) -> Pipeline:
        """Fit a pipeline to the known targets of some rows, all by default.

        A regressor with preferences gets all rows, because preferences refer to rows by number;
        the targets of the other rows are missing.
        """
        train = self.known if rows is None else self.known & rows
        options: dict[str, Any] = {}
        weights = self.weights
        if weights is not None and has_fit_parameter(pipeline[-1], "sample_weight"):
            options["model__sample_weight"] = weights[train]
        if getattr(pipeline[-1], "accepts_preferences", False):  # and rows whose y is missing
            y = self.values.where(train).to_numpy()
            if weights is not None and options:
                options["model__sample_weight"] = np.where(train, weights, 1.0)
            if preferences is not None:
                options["model__preferences"] = preferences
            return pipeline.fit(frame, y, **options)
        with warnings.catch_warnings():
            # scikit-learn's, of many levels on few rows: the type was decided before.
            warnings.filterwarnings("ignore", "The number of unique classes")
            return pipeline.fit(frame[train], self.labels(train), **options)


def _is_whole(level: Any) -> bool:
    """Check for a number that classifiers take for a class."""
    number: Any = level if isinstance(level, Real) else math.inf
    return -(2**53) <= number <= 2**53 and float(number).is_integer()


def read_target(frame: pd.DataFrame, target: Hashable, types: ColumnTypes) -> ColumnTarget:
    """Read the target of a frame by its type.

    Raises
    ------
    UnknownColumnError
        If the frame or the report lacks it.
    ValueError
        If it cannot be predicted.
    """
    column = types[target]
    values = find_column(frame, target)
    kind = _KINDS.get(column.semantic_type)
    if kind is None:
        raise ValueError(
            f"the target {target!r} has the type {column.semantic_type}, which no model here "
            "predicts; if that is wrong, state its type: infer_types(known={...})"
        )
    if kind == "ordinal" and column.order is None:
        raise ValueError(
            f"the target {target!r} is ordinal, but the order of its levels is not known; state it:"
            f" report.revise({{{target!r}: [levels, lowest first]}}), or known= of infer_types; "
            "'categorical' predicts it without an order"
        )
    held = {"ordinal": column.order, "categorical": column.levels}
    levels = tuple(held.get(kind) or ())
    read = _read(values, kind, levels)
    if read.nunique() < 2:
        raise ValueError(
            f"the target {target!r} holds {read.nunique()} known values; a model needs two or more"
        )
    if kind == "number":  # before any model, since the baselines do not check it
        check_targets(read.to_numpy(dtype=float))
    weights = None
    if types.weights is not None:
        weights = amounts_of(find_column(frame, types.weights)).fillna(0.0).to_numpy(dtype=float)
    return ColumnTarget(target, kind, levels, read, weights)


def _read(values: pd.Series, kind: str, levels: tuple) -> pd.Series:
    values = with_plain_missing(values)
    if kind == "number":
        return amounts_of(values)
    return cast_to_levels(values, list(levels), ordered=kind == "ordinal")
