"""Read the columns of a frame in memory, one at a time, as pandas Series."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
import pandas as pd

from autotype.frames.arrow_values import series_from_arrow

if TYPE_CHECKING:
    import narwhals as nw


class Columns(Protocol):
    """The columns of a frame in memory."""

    @property
    def names(self) -> pd.Index:
        """The column labels."""

    @property
    def n_rows(self) -> int:
        """Rows of the frame."""

    def column(self, position: int) -> pd.Series:
        """Return a whole column, indexed from 0."""

    def rows(self, position: int, kept: np.ndarray) -> pd.Series:
        """Return some rows of a column, indexed from 0."""


@dataclass(frozen=True)
class PandasColumns:
    """The columns of a pandas frame, which is not changed."""

    frame: pd.DataFrame

    @property
    def names(self) -> pd.Index:
        """The column labels."""
        return self.frame.columns

    @property
    def n_rows(self) -> int:
        """Rows of the frame."""
        return len(self.frame)

    def column(self, position: int) -> pd.Series:
        """Return a whole column, indexed from 0."""
        return self.frame.iloc[:, position].reset_index(drop=True)

    def rows(self, position: int, kept: np.ndarray) -> pd.Series:
        """Return some rows of a column, indexed from 0."""
        return self.frame.iloc[:, position].iloc[kept].reset_index(drop=True)


@dataclass(frozen=True)
class NarwhalsColumns:
    """The columns of another eager frame, converted through Arrow one at a time."""

    frame: nw.DataFrame[Any]

    @property
    def names(self) -> pd.Index:
        """The column labels."""
        return pd.Index(self.frame.columns, dtype=object)

    @property
    def n_rows(self) -> int:
        """Rows of the frame."""
        return len(self.frame)

    def column(self, position: int) -> pd.Series:
        """Return a whole column, indexed from 0."""
        name = self.frame.columns[position]
        return _to_pandas(self.frame.get_column(name), name)

    def rows(self, position: int, kept: np.ndarray) -> pd.Series:
        """Return some rows of a column, indexed from 0."""
        name = self.frame.columns[position]
        return _to_pandas(self.frame.get_column(name)[kept.tolist()], name)


def _to_pandas(values: nw.Series[Any], name: str) -> pd.Series:
    """Convert a column; one of Python objects, which Arrow cannot hold, cell by cell."""
    import narwhals as nw

    if values.dtype == nw.Object:
        return pd.Series(values.to_list(), dtype=object, name=name)
    converted = series_from_arrow(values.to_arrow(), name)
    if values.dtype == nw.Enum and len(converted.cat.categories):
        return converted.cat.as_ordered()
    return converted
