"""Name and type the columns of a table that is read into memory."""

from __future__ import annotations

import itertools
import re
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any

import numpy as np
import pandas as pd

from autotype.lexicon.numbers import MISSING_NUMBERS
from autotype.tables.cells import (
    DATES,
    FORMS,
    Cells,
    Counts,
    Forms,
    Kind,
    float_of,
    int_of,
    kinds_of,
)
from autotype.types.column_names import unnamed
from autotype.types.dtype_marks import WRITTEN_CELLS, WRITTEN_DATES

with suppress(ImportError):  # pandas imports both where they are installed
    import pyarrow as pa
    import pyarrow.compute as pc

_HEAD = 100  # distinct cells
_MANY = 10_000  # cells of a column that pyarrow counts
_SHORT = r"\s*[-+]?\d{1,18}\s*"  # integers of 64 bits
_PRINTED = r"True|False|0|-?[1-9][0-9]*|-?(?:0|[1-9][0-9]*)\.[0-9]*[1-9]"  # by Python
_DIGITS = 15  # which each float keeps
_EXACT = 1 << 53  # floats hold all integers up to this one
_AS: dict[str, tuple[str, Callable[[str], Any]]] = {  # the dtype if some are missing
    "boolean": ("bool", lambda cell: cell.lower() == "true"),
    "integer": ("Int64", int_of),
    "unsigned": ("UInt64", int_of),
    "point": ("float64", float_of),
    "comma": ("float64", float_of),
    **dict.fromkeys(DATES, ("datetime64[us]", str)),
}
_CAST = {"integer": "int64", "point": "float64", **dict.fromkeys(DATES, "timestamp[us]")}


def column_of_strings(
    strings: pd.Series, decimal: str = ".", *, numbers: bool = False
) -> tuple[pd.Series, Kind]:
    """Convert a column of strings to the kind that its cells have.

    Parameters
    ----------
    strings : pandas.Series
        Strings, or missing values.
    decimal : {".", ","}
        The decimal sign; a comma is read besides the point.
    numbers : bool
        Whether cells that are numbers become numbers even among others, which stay strings.

    Returns
    -------
    column : pandas.Series
        Integers of which some are missing are Int64 or UInt64, booleans then objects. Dates are
        datetime64[us].
    kind : Kind

    Examples
    --------
    >>> column_of_strings(pd.Series(["1", "NA", "2.5"]))[0].tolist()
    [1.0, nan, 2.5]
    >>> column_of_strings(pd.Series(["01067", "10115"]))[0].tolist()
    ['01067', '10115']
    """
    cells: Cells
    if is_long := len(strings) >= _MANY and getattr(strings.dtype, "storage", "") == "pyarrow":
        chunks = pa.chunked_array(pa.array(strings))
        cells = _ArrowCells(chunks)
    else:
        cells = DistinctCells({"": strings.dropna().unique().tolist()})
    kind = kinds_of(cells, [""], decimal)[""]
    if kind.name == "empty":
        return strings.astype("Int64"), kind
    if kind.has_absent:
        strings = strings.mask(strings.isin(MISSING_NUMBERS))
    if kind.name == "text":
        return _numbers_or_texts(strings, decimal) if numbers else strings, kind
    if kind.is_plain and is_long and kind.name in _CAST:
        return _marked(_cast(chunks, kind.name, strings), kind), kind
    codes, distinct = pd.factorize(strings)
    dtype, convert = _AS[kind.name]
    values: Any = np.array(list(map(convert, distinct.tolist())), dtype.lower())
    if (codes < 0).any() and dtype != dtype.lower():
        values = pd.array(values, dtype=dtype)
    column = pd.api.extensions.take(values, codes, allow_fill=True)
    return _marked(pd.Series(column, index=strings.index, name=strings.name), kind), kind


def column_of_records(values: list[Any]) -> pd.Series:
    """Make a column of the cells of records, which store numbers but have no dates.

    Examples
    --------
    >>> column_of_records(["2024-01-31", None]).dtype, column_of_records(["31", "1"]).tolist()
    (dtype('<M8[us]'), ['31', '1'])
    """
    column = column_of_objects(values)
    if all(isinstance(value, str) for value in values if value is not None):
        dates, kind = column_of_strings(column.astype(str).where(column.notna()))
        column = dates if kind.name in DATES else column
    return column


def _marked(column: pd.Series, kind: Kind) -> pd.Series:
    """Note how dates were written, so that a text file is written as it was."""
    if kind.name in DATES:
        column.attrs[WRITTEN_DATES] = kind.name
    return column


def frame_of_columns(
    columns: Mapping[Any, pd.Series],
    index: pd.Index | None = None,
    *,
    written: Mapping[Any, pd.Series] | None = None,
) -> pd.DataFrame:
    """Make a frame of columns, with the marks of those that hold dates.

    Parameters
    ----------
    columns : mapping
        Name -> cells.
    index : Index, optional
    written : mapping, optional
        Name -> strings of the file, which `strings_of_cells` writes again.
    """
    frame = pd.DataFrame(dict(columns), index=index)
    marks = {
        name: c.attrs[WRITTEN_DATES] for name, c in columns.items() if WRITTEN_DATES in c.attrs
    }
    if marks:
        frame.attrs[WRITTEN_DATES] = marks
    if written:
        frame.attrs[WRITTEN_CELLS] = _WrittenCells(written, columns)
    return frame


class _WrittenCells:
    """The strings of columns and what was read of them; frames share one, which equals itself."""

    def __init__(self, strings: Mapping[Any, pd.Series], values: Mapping[Any, pd.Series]) -> None:
        self.pairs = {name: (strings[name], values[name]) for name in strings}

    def __deepcopy__(self, _: object) -> _WrittenCells:
        return self


def _pairs_of(frame: pd.DataFrame) -> Mapping[Any, tuple[pd.Series, pd.Series]]:
    written = frame.attrs.get(WRITTEN_CELLS)  # pandas reads any attrs from Parquet
    return written.pairs if isinstance(written, _WrittenCells) else {}


def strings_of_cells(frame: pd.DataFrame) -> pd.DataFrame:
    """Return a frame with the cells of a text file as they were written there, where unchanged.

    A number does not show how it was written: 2.5 may be "2.50", and True "TRUE".

    Examples
    --------
    >>> strings = pd.Series(["2.50", "+3"])
    >>> read = frame_of_columns({"x": column_of_strings(strings)[0]}, written={"x": strings})
    >>> strings_of_cells(read.iloc[::-1])["x"].tolist()
    ['+3', '2.50']
    """
    written = _pairs_of(frame)

    def as_written(name: Any, values: pd.Series) -> pd.Series:
        if name not in written:
            return values
        strings, read = (column.reindex(frame.index) for column in written[name])
        values = values.astype(object)
        same = (values.notna() & read.notna()).to_numpy(copy=True)
        same[same] = values[same].to_numpy() == read[same].astype(object).to_numpy()
        return values.mask(same, strings)

    return with_changed(frame, as_written)


def rewritten_cells(frame: pd.DataFrame) -> dict[str, tuple[str, Any]]:
    """Return of each column of a text file that is numbers or booleans a cell written otherwise.

    Examples
    --------
    >>> strings = pd.Series(["2.5", "+3"])
    >>> read = frame_of_columns({"x": column_of_strings(strings)[0]}, written={"x": strings})
    >>> rewritten_cells(read) == {"x": ("+3", 3.0)}
    True
    """
    pairs = _pairs_of(frame)
    found = {name: _rewritten(*pairs[name]) for name in frame.columns if name in pairs}
    return {str(name): cell for name, cell in found.items() if cell is not None}


def _rewritten(strings: pd.Series, read: pd.Series) -> tuple[str, Any] | None:
    """Return the first cell that its number or boolean does not show."""
    strings = strings[read.notna()]
    is_float = pd.api.types.is_float_dtype(read)
    if not (
        pd.api.types.is_numeric_dtype(read)
        or isinstance(read.get(strings.first_valid_index()), bool)
    ):
        return None
    odd = strings[~strings.str.fullmatch(_PRINTED).astype(bool)]
    if odd.empty and is_float:
        long = strings[strings.str.len() > _DIGITS]
        odd = long[[repr(float(cell)) != cell for cell in long]]
    return None if odd.empty else (odd.iloc[0], read[odd.index[0]])


def strings_of_dates(frame: pd.DataFrame) -> pd.DataFrame:
    """Return a frame with the dates of text files as they were written there.

    Examples
    --------
    >>> read = frame_of_columns({"at": column_of_strings(pd.Series(["2024-01-31T08:30"]))[0]})
    >>> str(read["at"].iloc[0]), strings_of_dates(read)["at"].tolist()
    ('2024-01-31 08:30:00', ['2024-01-31T08:30'])
    """
    marks = frame.attrs.get(WRITTEN_DATES)
    marks = marks if isinstance(marks, Mapping) else {}

    def as_written(name: Any, values: pd.Series) -> pd.Series:
        way, dtype = marks.get(name), values.dtype
        if isinstance(dtype, pd.CategoricalDtype):
            dtype = dtype.categories.dtype
        if way not in [*DATES] or not isinstance(dtype, np.dtype) or dtype.kind != "M":
            return values
        dates, unit = values.astype(dtype).to_numpy(), way.rstrip("T")
        if (dates.astype(f"datetime64[{unit}]") != dates)[~np.isnat(dates)].any():
            return values  # they were changed, and are no longer of that unit
        strings = np.datetime_as_string(dates, unit=unit, casting="unsafe").astype(object)
        if way == unit != "D":
            strings = np.array([text.replace("T", " ") for text in strings], dtype=object)
        strings[np.isnat(dates)] = None
        return pd.Series(strings, index=frame.index, dtype=object)

    return with_changed(frame, as_written)


def with_changed(
    frame: pd.DataFrame, change: Callable[[Any, pd.Series], pd.Series]
) -> pd.DataFrame:
    """Return a frame with changed columns; the frame itself if none changes.

    Parameters
    ----------
    frame : pandas.DataFrame
    change : callable
        Returns a column, given its name and itself.
    """
    columns = [frame.iloc[:, j] for j in range(frame.shape[1])]
    changed = [change(*pair) for pair in zip(frame.columns, columns, strict=True)]
    if all(new is old for new, old in zip(changed, columns, strict=True)):
        return frame
    other = pd.DataFrame(dict(enumerate(changed)), index=frame.index)
    other.columns = frame.columns
    other.attrs = frame.attrs
    return other


def _numbers_or_texts(strings: pd.Series, decimal: str) -> pd.Series:
    """Convert those strings that are numbers, or stand for a missing one; the others stay."""
    cells = strings.dropna().unique().tolist()
    number = FORMS["comma" if decimal == "," else "point"]
    found = list(itertools.compress(cells, _matches(cells, number)))
    convert = int_of if all(_matches(found, _SHORT)) else float_of
    values = dict.fromkeys(MISSING_NUMBERS, np.nan) | {cell: convert(cell) for cell in found}
    return strings.astype(object).map(lambda cell: values.get(cell, cell))


class DistinctCells:
    """The distinct cells of columns in memory.

    Parameters
    ----------
    cells : mapping
        Column -> its distinct cells that are not missing.
    """

    def __init__(self, cells: Mapping[str, list[str]]) -> None:
        self.cells = cells

    def count(self, forms: Forms, *, head: bool = False) -> dict[str, Counts]:
        """Count the cells of each form, when they are asked for."""
        n = _HEAD if head else None
        return {key: self._counts(self.cells[key][:n], forms[key]) for key in forms}

    def _counts(self, cells: list[str], forms: Mapping[str, str]) -> _CountsOnDemand:
        return _CountsOnDemand(
            len(cells), forms, lambda form: sum(map(bool, _matches(cells, form)))
        )

    def of_form(self, key: str, form: str) -> list[str]:
        """Return the cells that match a regular expression."""
        return list(itertools.compress(self.cells[key], _matches(self.cells[key], form)))


class _CountsOnDemand(dict[str, int]):
    """The number of cells of each form; the rules need few of them of most columns."""

    def __init__(
        self, n_present: int, forms: Mapping[str, str], count: Callable[[str], int]
    ) -> None:
        super().__init__(present=n_present)
        self.forms = forms
        self.count = count

    def __missing__(self, name: str) -> int:
        form = self.forms.get(name)
        self[name] = self.count(form) if form else 0
        return self[name]


class _ArrowCells:
    """The cells of one long column, which pyarrow counts without making them Python's strings."""

    def __init__(self, chunks: pa.ChunkedArray) -> None:
        self.chunks = chunks

    def count(self, forms: Forms, *, head: bool = False) -> Mapping[str, Counts]:
        """Count the cells of each form, when they are asked for."""
        if head:
            first = self.chunks.slice(0, _MANY).drop_null().unique().to_pylist()
            return DistinctCells(dict.fromkeys(forms, first)).count(forms, head=True)

        def count(form: str) -> int:
            matches = pc.match_substring_regex(self.chunks, whole(form))
            return pc.sum(matches).as_py() or 0

        n_present = len(self.chunks) - self.chunks.null_count
        return {key: _CountsOnDemand(n_present, forms[key], count) for key in forms}

    def of_form(self, key: str, form: str) -> list[str]:
        """Return the distinct cells that match a regular expression."""
        matches = pc.match_substring_regex(self.chunks, whole(form))
        return self.chunks.filter(matches).unique().to_pylist()


def whole(form: str) -> str:
    """Return the regular expression of a whole cell, for libraries that search.

    Examples
    --------
    >>> whole("a|b")
    '^(?:a|b)$'
    """
    return f"^(?:{form})$"


def _cast(chunks: pa.ChunkedArray, name: str, strings: pd.Series) -> pd.Series:
    """Convert plain numbers and dates."""
    if name != "integer":
        values: Any = chunks.cast(_CAST[name]).to_numpy()
    else:
        whole_numbers = chunks.cast("int64")
        values = whole_numbers.fill_null(0).to_numpy()
        if chunks.null_count:
            values = pd.arrays.IntegerArray(values, chunks.is_null().to_numpy())
    return pd.Series(values, index=strings.index, name=strings.name)


def _matches(cells: Iterable[str], form: str) -> Iterable[re.Match[str] | None]:
    return map(re.compile(form).fullmatch, cells)


def column_of_objects(values: list[Any]) -> pd.Series:
    """Make a column of any cells; no integer is rounded because of the other cells.

    Parameters
    ----------
    values : list
        Cells, None where missing.

    Returns
    -------
    pandas.Series
        Integers of which some are missing are Int64, or objects beyond 64 bits.

    Examples
    --------
    >>> column_of_objects([9007199254740993, None]).tolist()
    [9007199254740993, <NA>]
    """
    column = pd.Series(values)
    if not pd.api.types.is_float_dtype(column):
        return column
    present = [value for value in values if value is not None]
    if present and all(isinstance(value, int) for value in present):
        try:
            return pd.Series(values, dtype="Int64")
        except OverflowError:
            return pd.Series(values, dtype=object)
    is_long = any(isinstance(value, int) and abs(value) > _EXACT for value in present)
    return pd.Series(values, dtype=object) if is_long else column


def distinct_names(header: Sequence[str]) -> list[str]:
    """Return a name for each column, as pandas calls those of CSV: none loses its own to another.

    Parameters
    ----------
    header : sequence of str
        Names in the file, empty where there is none.

    Examples
    --------
    >>> distinct_names(["a", "", "a", "a.1"])
    ['a', 'Unnamed: 1', 'a.2', 'a.1']
    >>> distinct_names(["", "Unnamed: 0"])
    ['Unnamed: 0.1', 'Unnamed: 0']
    """
    taken = set(header)
    names: list[str] = []
    used: set[str] = set()
    for j, given in enumerate(header):
        name = given or unnamed(j)
        if name in (used if given else taken):
            others = (f"{name}.{k}" for k in itertools.count(1))
            name = next(other for other in others if other not in taken)
        taken.add(name)
        used.add(name)
        names.append(name)
    return names


def warn_of_beyond(name: str, kind: Kind, path: str) -> None:
    """Warn of a column that stays text because of a number beyond the range of floats.

    Warns
    -----
    UserWarning
    """
    if kind.beyond:
        warnings.warn(
            f"{path}: column {name!r} stays text, since {kind.beyond!r} is beyond the range of "
            "floats",
            stacklevel=5,
        )
