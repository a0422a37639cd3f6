"""ColumnTarget: the target of a column's model, from values to predictions."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from sklearn.pipeline import Pipeline

from autotype.column_type import ColumnType
from autotype.errors import UnknownColumnError
from autotype.export.categoricals import cast_to_levels
from autotype.parsing.numbers import amounts_of
from autotype.type_report import TypeReport
from autotype.wording import did_you_mean

if TYPE_CHECKING:
    from autotype.preferences.preferences import Preferences

_KINDS = {
    "ordinal": "ordinal",
    "categorical": "categorical",
    "binary": "categorical",
    "undetermined": "categorical",
    "continuous": "number",
    "count": "number",
}


@dataclass(frozen=True)
class ColumnTarget:
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
    """

    name: Hashable
    kind: str
    levels: tuple
    values: pd.Series

    @property
    def known(self) -> np.ndarray:
        """Mask of the rows whose target is known."""
        return self.values.notna().to_numpy()

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
        dtype = pd.CategoricalDtype(list(self.levels), ordered=self.kind == "ordinal")
        labels = np.asarray(predicted, dtype=object)
        if self._is_coded:
            values = pd.Categorical.from_codes(labels.astype(np.intp), dtype=dtype)
        else:
            values = pd.Categorical(labels, dtype=dtype)
        return pd.Series(values, index=index, name=self.name)

    @property
    def _is_coded(self) -> bool:
        """Check whether classifiers get the positions of the levels: not all levels are texts.

        scikit-learn's classifiers reject 1.5, and "a" together with 1.
        """
        return self.kind == "categorical" and not all(isinstance(v, str) for v in self.levels)

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
        if _takes_unlabelled(pipeline):
            y = self.values.where(train).to_numpy()
            options = {} if preferences is None else {"model__preferences": preferences}
            return pipeline.fit(frame, y, **options)
        y = self.values[train]
        if self.kind == "categorical":
            labels = y.cat.codes if self._is_coded else y.astype(object)
            return pipeline.fit(frame[train], labels.to_numpy())
        if self.kind == "number":
            return pipeline.fit(frame[train], y.to_numpy())
        return pipeline.fit(frame[train], y)


def read_target(frame: pd.DataFrame, target: Hashable, types: TypeReport) -> ColumnTarget:
    """Read the target of a frame by its type.

    Raises
    ------
    UnknownColumnError
        If the frame or the report lacks it.
    ValueError
        If it cannot be predicted.
    """
    column = types[target]
    if target not in frame.columns:
        hint = did_you_mean(target, frame.columns)
        raise UnknownColumnError(f"the frame holds no column {target!r}{hint}")
    values = frame[target]
    if isinstance(values, pd.DataFrame):
        raise ValueError(f"the frame holds several columns {target!r}; rename them")
    kind = _KINDS.get(column.semantic_type)
    if kind is None:
        raise ValueError(
            f"the target {target!r} has the type {column.semantic_type}, which no model here "
            "predicts; if that is wrong, state its type: infer_types(known={...})"
        )
    levels = _levels(column, kind)
    read = _read(values, kind, levels)
    if read.nunique() < 2:
        raise ValueError(
            f"the target {target!r} holds {read.nunique()} known values; a model needs two or more"
        )
    return ColumnTarget(target, kind, levels, read)


def _levels(column: ColumnType, kind: str) -> tuple:
    if kind == "ordinal":
        return tuple(column.order or ())
    return tuple(column.levels) if kind == "categorical" else ()


def _read(values: pd.Series, kind: str, levels: tuple) -> pd.Series:
    if kind == "number":
        return amounts_of(values)
    plain = values.astype(object)
    known = plain.where(plain.isin(list(levels)), None)
    return cast_to_levels(known, list(levels), ordered=kind == "ordinal")


def _takes_unlabelled(pipeline: Pipeline) -> bool:
    """Check whether the estimator accepts unlabelled rows, whose y is missing."""
    return type(pipeline[-1]).__name__.startswith("OrderPreferenceRegressor")
