"""Read data frames of R: factors, dates, and the value labels of haven and foreign."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from autotype.errors import UnreadableTableError
from autotype.lazy_names import import_library
from autotype.tables.content import Content
from autotype.tables.labelled.stat_files import with_integers
from autotype.tables.table import Limits, Opener, ReadOptions, Table
from autotype.types.codebook import Codebook, CodebookEntry
from autotype.types.reading import Reading
from autotype.wording import format_some

_LOW_WORD = np.uint64(0xFFFFFFFF)
_NA = np.uint64(1954)  # the low word of a missing number of R; haven keeps a tag in the high one
_TAG_BITS = np.uint64(32)
_DAY = 86_400.0
_SECONDS = {"secs": 1.0, "mins": 60.0, "hours": 3600.0, "days": _DAY, "weeks": 7 * _DAY}
# Of POSIXlt: what its numbers count, and from where.
_PARTS = {"year": ("year", 1900), "mon": ("month", 1), "mday": ("day", 0), "hour": ("hour", 0),
          "min": ("minute", 0), "sec": ("second", 0)}  # fmt: skip


@dataclass(frozen=True)
class _Vector:
    """A vector of R before any class gives it a meaning."""

    values: Any
    attributes: Mapping[str, Any]
    classes: tuple[str, ...]


def read_r_file(content: Content, limits: Limits, options: ReadOptions) -> Table:
    """Read a data frame of an ``.rds``, ``.rda`` or ``.RData`` file.

    Parameters
    ----------
    content : Content
    limits : Limits
        On rows and columns.
    options : ReadOptions
        The encoding of strings whose encoding the file does not state, the number of rows, and as
        `sheet` the data frame.

    Returns
    -------
    Table
        Factors are Categoricals; labelled columns hold stored values, and tagged missing values of
        haven are strings such as ``".a"``. The sheets of its reading are the data frames of the
        file.

    Raises
    ------
    MissingExtraError
        Without rdata.
    UnreadableTableError
        If the content is no file of R, holds no data frame, or goes beyond the limits.
    """
    name = options.sheet
    frames = _data_frames(content.opened, limits.path, options.encoding)
    if not frames or (name is not None and name not in frames):
        wanted = "a data frame" if name is None else f"a data frame {name!r}"
        held = f"; it holds {format_some(list(frames))}" if frames else ""
        raise UnreadableTableError(f"{limits.path}: holds no {wanted[2:]}{held}")
    names = list(frames)
    n_cells = {
        each: sum(len(column.values) for column in columns.values())
        for each, (columns, _) in frames.items()
    }
    chosen = max(names, key=n_cells.__getitem__) if name is None else name
    columns, attributes = frames[chosen]
    n_held = max((len(column.values) for column in columns.values()), default=0)
    limits.check_cells(n_held, len(columns))
    read = [_read_column(column) for column in columns.values()]
    frame = pd.DataFrame(dict(enumerate(values for values, _ in read)))
    frame.columns = pd.Index(list(columns), dtype=object)
    entries = {key: entry for key, (_, entry) in zip(columns, read, strict=True)}
    doubts: tuple[str, ...] = ()
    if name is None and len(names) > 1:
        others = format_some([each for each in names if each != chosen])
        doubts = (
            f"of {len(names)} data frames {chosen!r} was read; sheet= (--sheet) reads {others}",
        )
    reading = Reading(
        format="r",
        sheet=chosen if len(names) > 1 else None,
        sheets=tuple(names) if len(names) > 1 else (),
        doubts=doubts,
    )
    codebook = Codebook(entries).over(_of_foreign(columns, attributes))
    return Table(frame.iloc[: options.n_rows], codebook, reading)


# The columns of a data frame by name, and its attributes.
_Frame = tuple[dict[str, _Vector], Mapping[str, Any]]


def _data_frames(opened: Opener, path: str, encoding: str | None) -> dict[str, _Frame]:
    """Return the data frames of a file by the names of their objects."""
    import_library("rdata", "to read files of R needs rdata", extra="labelled")
    from rdata import conversion, parser

    try:
        with warnings.catch_warnings(action="ignore"), opened() as file:
            data = parser.parse_data(file.read())
            # Without constructors of classes, whose attributes would be lost.
            known = data.extra.encoding if data.extra is not None else None
            converter = conversion.SimpleConverter(
                {}, default_encoding=encoding or known or "utf-8"
            )
            objects = _Objects(converter._convert_next, conversion.convert_attrs)
            if data.object.info.type != parser.RObjectType.LIST:
                return objects.frames("", data.object)
            found: dict[str, _Frame] = {}
            for name, held in objects.items(data.object):
                found |= objects.frames(name, held)
            return found
    except (OSError, MemoryError):
        raise
    except Exception as problem:  # rdata raises what comes
        raise UnreadableTableError(f"{path}: not a readable file of R: {problem}") from problem


@dataclass(frozen=True)
class _Objects:
    """Parsed objects of R as vectors with their attributes.

    Attributes
    ----------
    convert : callable
        Returns the values of an object.
    convert_attributes : callable
        Returns the attributes of an object, given `convert`.
    """

    convert: Callable[[Any], Any]
    convert_attributes: Callable[[Any, Callable[[Any], Any]], Mapping[str, Any] | None]

    def items(self, node: Any) -> Iterator[tuple[str, Any]]:
        """Yield the names and objects of a linked list."""
        while node is not None and isinstance(node.value, tuple):
            if node.tag is not None:
                yield str(self.convert(node.tag)), node.value[0]
            node = node.value[1]

    def frames(self, name: str, held: Any) -> dict[str, _Frame]:
        """Return the data frame that an object is, or those in a list, by their names.

        A list of vectors of one length is a data frame, such as `foreign::read.spss` returns.
        """
        attributes = self._attributes(held)
        classes = list(map(str, attributes.get("class", ())))
        if "data.frame" not in classes:
            if classes or "names" not in attributes or not isinstance(held.value, list):
                return {}
            prefix = f"{name}$" if name else ""
            parts = zip(attributes["names"], held.value, strict=True)
            inner = [self.frames(f"{prefix}{key}", part) for key, part in parts]
            vectors = [v for v in held.value if isinstance(v.value, list | np.ndarray)]
            sizes = {len(part.value) for part in vectors}
            if any(inner) or len(vectors) < len(held.value) or len(sizes) != 1 or sizes <= {0, 1}:
                return {key: frame for frames in inner for key, frame in frames.items()}
        return {name: (dict(self._columns(held, attributes)), attributes)}

    def _columns(self, held: Any, attributes: Mapping[str, Any]) -> Iterator[tuple[str, _Vector]]:
        """Yield the columns; those of a matrix or frame in one column as R names them."""
        names = [str(each) for each in attributes.get("names", ())]
        for name, part in zip(names, held.value, strict=True):
            vector = self.vector(part)
            if "data.frame" in vector.classes:
                inner = self._columns(part, vector.attributes)
                yield from ((f"{name}.{each}", column) for each, column in inner)
            elif np.ndim(vector.values) == 2:
                cells = np.asarray(vector.values)
                named = list(vector.attributes.get("dimnames") or ())[1:]
                keys = range(1, cells.shape[1] + 1) if not named or named[0] is None else named[0]
                many = [f"{name}.{key}" for key in keys] if cells.shape[1] > 1 else [name]
                for each, values in zip(many, cells.T, strict=True):
                    yield each, replace(vector, values=values)
            else:
                yield name, vector

    def vector(self, held: Any) -> _Vector:
        """Return a vector; value labels among its attributes are a mapping."""
        attributes = dict(self._attributes(held))
        for key, value in self.items(held.attributes):
            names = self._attributes(value).get("names")
            if key in ("labels", "value.labels") and names is not None:
                values = _tagged(np.asarray(self.convert(value))).tolist()
                labels = zip(values, map(str, names), strict=True)
                attributes["labels"] = {v: text for v, text in labels if v == v}  # not NA
        return _Vector(self.convert(held), attributes, tuple(map(str, attributes.get("class", ()))))

    def _attributes(self, held: Any) -> Mapping[str, Any]:
        if held.attributes is None:
            return {}
        return self.convert_attributes(held, self.convert) or {}


def _read_column(column: _Vector) -> tuple[pd.Series, CodebookEntry]:
    """Return the values of a column and what its attributes describe."""
    attributes, classes = column.attributes, column.classes
    labels, ends = attributes.get("labels"), _plain(attributes.get("na_range"))
    entry = CodebookEntry(
        label=_string(attributes.get("label")),
        unit=_string(attributes.get("units")) if "difftime" not in classes else "",
        values=labels if isinstance(labels, dict) else {},
        missing=tuple(_plain(attributes.get("na_values"))),
        missing_ranges=((float(ends[0]), float(ends[1])),) if len(ends) == 2 else (),
    )
    values = column.values
    if "factor" in classes:
        codes = np.ma.filled(np.ma.asarray(values), 0).astype(int)
        levels = [str(level) for level in attributes.get("levels", ())]
        codes = np.where((codes < 1) | (codes > len(levels)), 0, codes) - 1
        kind = pd.CategoricalDtype(levels, ordered="ordered" in classes)
        return pd.Series(pd.Categorical.from_codes(codes, dtype=kind)), entry
    if "POSIXlt" in classes:
        return _moments(values), entry
    if "integer64" in classes:
        whole = np.ma.getdata(values).astype(float, copy=False).view(np.int64)
        return pd.Series(whole, dtype="Int64").mask(whole == np.iinfo(np.int64).min), entry
    if "POSIXct" in classes or "Date" in classes:
        unit = _DAY if "Date" in classes else 1.0
        return pd.to_datetime(_seconds(values, unit), unit="s", errors="coerce"), entry
    if "difftime" in classes:
        unit = _SECONDS.get(_string(attributes.get("units")), 1.0)
        return pd.to_timedelta(_seconds(values, unit), unit="s"), entry
    if not isinstance(values, np.ndarray):
        return _series(values), entry
    held = _tagged(np.ma.asarray(values))
    if values.dtype.kind in "fiu":
        tags = {v for v in (*_plain(held), *entry.values) if isinstance(v, str)}
        entry = replace(entry, missing=(*entry.missing, *sorted(tags)))
    return _series(held), entry


def _moments(parts: Mapping[str, Any]) -> pd.Series:
    """Return dates and times whose parts are lists, as R recycles them."""
    n_rows = max(map(len, parts.values()), default=0)
    numbers: dict[str, np.ndarray] = {
        part: np.resize(np.ma.filled(np.ma.asarray(parts[key], dtype=float), np.nan), n_rows)
        + start
        for key, (part, start) in _PARTS.items()
    }
    return pd.to_datetime(pd.DataFrame(numbers), errors="coerce")


def _seconds(values: Any, unit: float) -> pd.Series:
    numbers: np.ndarray = np.ma.filled(np.ma.asarray(values, dtype=float), np.nan)
    return pd.Series(numbers * unit)


def _tagged(values: np.ndarray) -> np.ndarray:
    """Return numbers with the tagged missing values of haven as strings such as ".a"."""
    if values.dtype != np.float64 or np.ma.getmaskarray(values).any():
        return values
    numbers = np.ascontiguousarray(np.ma.getdata(values))
    bits = numbers.view(np.uint64)
    tags = (bits >> _TAG_BITS) & np.uint64(0xFF)
    is_tagged = np.isnan(numbers) & ((bits & _LOW_WORD) == _NA) & (tags > 0)
    if not is_tagged.any():
        return numbers
    cells = numbers.astype(object)
    cells[is_tagged] = [f".{chr(int(tag))}" for tag in tags[is_tagged]]
    return cells


def _series(values: Any) -> pd.Series:
    """Return values with the dtype of integers, booleans or strings where some are missing."""
    if not isinstance(values, np.ndarray):
        cells = [v[0] if isinstance(v, np.ndarray) and len(v) == 1 else v for v in values]
        return pd.Series(cells, dtype=object)
    mask = np.ma.getmaskarray(np.ma.asarray(values))
    data = np.ma.getdata(values)
    if data.dtype.kind == "f":
        return with_integers(pd.Series(data))
    if data.dtype.kind in "iub" and mask.any():
        kind = "boolean" if data.dtype.kind == "b" else "Int64"
        return pd.Series(data.astype(object)).mask(mask, other=pd.NA).astype(kind)
    if data.dtype.kind in "UO":
        is_text = all(v is None or isinstance(v, str) for v in data)
        return pd.Series(data.tolist(), dtype="str" if is_text else object)
    return pd.Series(data)


def _plain(values: Any) -> list[Any]:
    return [] if values is None else np.ma.asarray(values).tolist()


def _string(values: Any) -> str:
    first = next(iter(_plain(values)), None) if not isinstance(values, str) else values
    return "" if first is None else str(first).strip()


def _of_foreign(columns: Mapping[str, _Vector], attributes: Mapping[str, Any]) -> Codebook:
    """Return the titles that the package foreign stores with the data frame."""
    titles = attributes.get("variable.labels", attributes.get("var.labels"))
    if titles is None or len(titles) != len(columns):
        return Codebook()
    return Codebook({k: CodebookEntry(str(t)) for k, t in zip(columns, titles, strict=True)})
