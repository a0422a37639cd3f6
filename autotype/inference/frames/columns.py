"""Read the columns of a frame in memory, one at a time, as pandas Series."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from autotype.types.arrow_array import plain_arrow, series_from_arrow, with_plain_missing

if TYPE_CHECKING:
    import narwhals as nw

_HEAD = 1000
_MOST_COPIED = 2**25  # bytes
_LARGEST = 2.0**53  # of the integers that floats hold exactly


class Columns(ABC):
    """The columns of a frame in memory, read one at a time.

    Parameters
    ----------
    names : pandas.Index
        The column labels.
    n_rows : int
        Rows of the frame.
    """

    def __init__(self, names: pd.Index, n_rows: int) -> None:
        self.names = names
        self.n_rows = n_rows
        self._whole: set[int] = set()

    @abstractmethod
    def converted(self, position: int) -> pd.Series:
        """Return a column, indexed from 0; floats stay floats."""

    @abstractmethod
    def converted_rows(self, kept: np.ndarray) -> Iterable[pd.Series]:
        """Return some rows of each column as `converted` does."""

    @abstractmethod
    def narrowed(self, positions: Sequence[int]) -> Columns:
        """Return some of the columns, in this order."""

    def some_rows(self, kept: np.ndarray) -> pd.DataFrame:
        """Return some rows of all columns, which need not have been read; without names."""
        return pd.DataFrame(dict(enumerate(self.converted_rows(kept))))

    def column(self, position: int) -> pd.Series:
        """Return a whole column, indexed from 0."""
        values = self.converted(position)
        if holds_whole_numbers(values):
            self._whole.add(position)
            return values.astype("Int64")
        return values

    def take(self, kept: np.ndarray) -> list[pd.Series]:
        """Return some rows of all columns, which have been read, each indexed from 0."""
        columns = enumerate(self.converted_rows(kept))
        return [v.astype("Int64") if j in self._whole else v for j, v in columns]


class PandasColumns(Columns):
    """The columns of a pandas frame, which is not changed.

    Parameters
    ----------
    frame : pandas.DataFrame
        Any frame.
    """

    def __init__(self, frame: pd.DataFrame) -> None:
        super().__init__(frame.columns, len(frame))
        self._frame = frame.copy(deep=False)
        self._frame.index = pd.RangeIndex(len(frame))

    def converted(self, position: int) -> pd.Series:
        """Return a column, indexed from 0; floats stay floats."""
        values = with_plain_missing(self._frame.iloc[:, position])
        is_boxed = values.dtype == object and pd.api.types.infer_dtype(values) == "timedelta"
        return values.infer_objects() if is_boxed else values

    def converted_rows(self, kept: np.ndarray) -> Iterable[pd.Series]:
        """Return some rows of each column as `converted` does."""
        for position in range(len(self.names)):  # converted first: not all can be taken from
            yield self.converted(position).take(kept).set_axis(range(len(kept)))

    def some_rows(self, kept: np.ndarray) -> pd.DataFrame:
        """Return some rows of all columns, at once if pandas can; strings as objects."""
        texts = [isinstance(dtype, pd.StringDtype) for dtype in self._frame.dtypes]
        if not any(texts):
            return self._taken(kept)
        found = _some_texts(self._frame, np.flatnonzero(texts), kept)
        if all(texts):
            return found
        others = np.flatnonzero(~np.array(texts))
        taken = PandasColumns(self._frame.iloc[:, others])._taken(kept)
        both = pd.concat([found, taken.set_axis(found.index).set_axis(others, axis=1)], axis=1)
        return both[range(len(texts))]

    def _taken(self, kept: np.ndarray) -> pd.DataFrame:
        """Return some rows of all columns, at once if pandas can; without names."""
        try:
            taken = self._frame.take(kept)
        except Exception:  # Arrow may raise anything
            return super().some_rows(kept)
        if any(isinstance(dtype, pd.ArrowDtype) for dtype in taken.dtypes):  # of types few know
            return Columns.some_rows(PandasColumns(taken), np.arange(len(kept)))
        return taken.set_axis(range(len(self.names)), axis=1)

    def narrowed(self, positions: Sequence[int]) -> PandasColumns:
        """Return some of the columns, in this order."""
        return PandasColumns(self._frame.iloc[:, list(positions)])


def _some_texts(frame: pd.DataFrame, positions: np.ndarray, kept: np.ndarray) -> pd.DataFrame:
    """Return some rows of columns of strings as objects; pandas is slow column by column."""
    columns = [column.array for _, column in frame.items()]
    cells = np.empty((len(columns), len(kept)), dtype=object)
    for dtype in {columns[j].dtype for j in positions}:
        at = [j for j in positions if columns[j].dtype == dtype]
        arrays = [columns[j] for j in at]
        join = dtype.construct_array_type()._concat_same_type
        if sum(array.nbytes for array in arrays) <= _MOST_COPIED:  # by Arrow, to take from all
            starts = len(frame) * np.arange(len(at))[:, None]
            joined = join(arrays).take((starts + kept).ravel())
        else:
            joined = join([array.take(kept) for array in arrays])
        codes, found = pd.factorize(joined)
        cells[at] = np.append(found.astype(object), dtype.na_value)[codes].reshape(len(at), -1)
    return pd.DataFrame(cells[positions].T, columns=positions, dtype=object)


class NarwhalsColumns(Columns):
    """The columns of another eager frame, converted through Arrow one at a time.

    Parameters
    ----------
    frame : narwhals.DataFrame
        Any frame.
    names : sequence of str, optional
        The names of the columns if the frame has others.
    kinds : sequence of pyarrow.DataType, optional
        The types of a table of Arrow, if those of the frame are plain ones.
    """

    def __init__(
        self,
        frame: nw.DataFrame[Any],
        names: Sequence[str] | None = None,
        kinds: Sequence[Any] = (),
    ) -> None:
        import narwhals as nw

        super().__init__(pd.Index(names or frame.columns, dtype=object), len(frame))
        self._frame, self._kinds = frame, kinds
        native = frame.to_native()
        if nw.dependencies.is_pyarrow_table(native):  # which cannot take rows of every type
            self._kinds = kinds or native.schema.types
            plain = list(map(plain_arrow, native.columns))
            if any(a is not b for a, b in zip(plain, native.columns, strict=True)):
                self._frame = nw.from_native(type(native).from_arrays(plain, native.column_names))

    def converted(self, position: int) -> pd.Series:
        """Return a column, indexed from 0; floats stay floats."""
        kind = self._kinds[position] if self._kinds else None
        return _to_pandas(self._frame[:, position], self.names[position], kind)

    def converted_rows(self, kept: np.ndarray) -> Iterable[pd.Series]:
        """Return some rows of each column as `converted` does."""
        some = NarwhalsColumns(self._frame[kept.tolist()], list(self.names), self._kinds)
        return map(some.converted, range(len(self.names)))

    def narrowed(self, positions: Sequence[int]) -> NarwhalsColumns:
        """Return some of the columns, in this order."""
        held = list(positions)
        kinds = [self._kinds[j] for j in held] if self._kinds else ()
        return NarwhalsColumns(self._frame[:, held], list(self.names[held]), kinds)


def holds_whole_numbers(values: pd.Series) -> bool:
    """Check whether a column of floats holds integers, some of which are missing.

    Such a column holds floats only because NumPy's integers cannot be missing. Other libraries hold
    integers there, and the report must not depend on the library.

    Examples
    --------
    >>> holds_whole_numbers(pd.Series([1.0, None])), holds_whole_numbers(pd.Series([1.0, 2.0]))
    (True, False)
    """
    if values.dtype != np.float64:
        return False
    numbers = values.to_numpy()
    for some in (numbers[:_HEAD], numbers):  # most columns are refuted by their first rows
        if not np.all(np.isnan(some) | (np.abs(some) <= _LARGEST) & (some == np.floor(some))):
            return False
    missing = np.isnan(numbers)
    return bool(missing.any() and not missing.all())


def with_enum_order(values: pd.Series, *, is_enum: bool) -> pd.Series:
    """Return the categories of an Enum as ordered, which not every polars tells Arrow."""
    return values.cat.as_ordered() if is_enum and len(values.cat.categories) else values


def _to_pandas(values: nw.Series[Any], name: str, kind: Any) -> pd.Series:
    """Convert a column; by cell one of Python objects, or of numbers too wide for Arrow."""
    import narwhals as nw

    if values.dtype in (nw.Object, nw.Int128, nw.UInt128, nw.Decimal):
        return pd.Series(values.to_list(), dtype=object, name=name)
    converted = with_plain_missing(series_from_arrow(values.alias("").to_arrow(), name, kind))
    return with_enum_order(converted, is_enum=values.dtype == nw.Enum)
