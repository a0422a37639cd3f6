"""Write tables as files of SPSS and Stata, with all that is known about their columns.

The file is read again before it takes its name: what the formats cannot hold, in ways that no list
of their limits would name in full, is found by comparison.
"""

from __future__ import annotations

import datetime
import io
import math
import re
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from autotype.errors import UnwritableTableError
from autotype.lexicon.toml_files import read_toml
from autotype.tables.content import Content
from autotype.tables.labelled.stat_files import import_pyreadstat, read_stat_file
from autotype.tables.table import Limits, ReadOptions
from autotype.types.arrow_array import with_plain_missing
from autotype.types.codebook import (
    Codebook,
    CodebookEntry,
    entry_of_type,
    measure_of_type,
    value_key,
)
from autotype.types.column_mapping import match_by_name
from autotype.types.column_type import ColumnType
from autotype.types.column_types import ColumnTypes
from autotype.wording import format_level, format_value, join_first

# SPSS allows "@" at the start, which pyreadstat does not write.
_NAMES = {"sav": re.compile(r"[^\W\d_][\w.@#$]*(?<!\.)"), "dta": re.compile(r"[^\W\d]\w*")}
_LONGEST_NAME = {"sav": 64, "dta": 32}  # bytes of SPSS, characters of Stata
_PROGRAMS = {kind: of["program"] for kind, of in read_toml("files")["statistics"].items()}
_MOST_MISSING = 3  # single values, or a range and one value
_LONGEST_MISSING = 8  # bytes of a string
_TAG = re.compile(r"\.[a-z]")
_INFINITE = 1e300  # beyond: how the ends of open ranges are stored
_LONGEST_LABEL = 80  # characters of a variable's label in Stata
_LARGE = 2**31
_DURATION = "DTIME23.2"


@dataclass
class _Column:
    """A column as it is written.

    Attributes
    ----------
    name : str
    values : list
        Plain values, None where missing.
    entry : CodebookEntry
        What is written about it.
    wanted : CodebookEntry
        What is to be kept about it.
    losses : list of str
        What of the column cannot be kept.
    """

    name: str
    values: list[Any]
    entry: CodebookEntry
    wanted: CodebookEntry = field(default_factory=CodebookEntry)
    losses: list[str] = field(default_factory=list)


def write_stat_file(
    frame: pd.DataFrame,
    types: ColumnTypes,
    codebook: Codebook,
    part: str,
    path: str,
    *,
    lossy: bool = False,
) -> None:
    """Write a file of SPSS or Stata.

    Parameters
    ----------
    frame : pandas.DataFrame
        Typed or not.
    types : ColumnTypes
        Set the measure of SPSS, and order the strings of ordinal columns, which become codes with
        labels where no codebook describes the column.
    codebook : Codebook
        Labels and missing values; they win over those of the types.
    part : str
        The file to write.
    path : str
        Its name for messages, whose ending decides on the format.
    lossy : bool
        Whether to write without what cannot be kept, with a warning.

    Raises
    ------
    UnwritableTableError
        If anything cannot be kept and `lossy` is false, or the file cannot be written at all.
    MissingExtraError
        Without pyreadstat.
    """
    kind = "dta" if path.lower().endswith(".dta") else "sav"
    columns = _columns(frame, types, codebook, kind)
    options: dict[str, Any] = {
        "column_labels": {c.name: c.entry.label for c in columns if c.entry.label},
        "variable_value_labels": {
            c.name: {_untagged(v): t for v, t in c.entry.values.items()}
            for c in columns
            if c.entry.values
        },
    }
    if kind == "sav":
        options["variable_measure"] = {c.name: c.entry.measure or "unknown" for c in columns}
        for c in columns:
            ranges = [{"lo": low, "hi": high} for low, high in c.entry.missing_ranges]
            if missing := [*c.entry.missing, *ranges]:
                options.setdefault("missing_ranges", {})[c.name] = missing
        options["compress"] = path.lower().endswith(".zsav")
        forms = {c.name: "F8.0" for c in columns if _is_whole(c.values)}
        forms |= {c.name: _DURATION for c in columns if "duration" in map(_kind, c.values)}
        options["variable_format"] = forms
    else:
        tags = {c.name: [_untagged(v) for v in c.entry.missing if _is_tag(v)] for c in columns}
        options["missing_user_values"] = {name: held for name, held in tags.items() if held}
    written = pd.DataFrame({c.name: _written(c) for c in columns}, index=range(len(frame)))
    pyreadstat = import_pyreadstat()
    write = pyreadstat.write_dta if kind == "dta" else pyreadstat.write_sav
    try:
        write(written, part, **options)
    except (OSError, MemoryError):
        raise
    except Exception as problem:  # pyreadstat raises its own and plain ones
        if not lossy:
            _raise_or_warn(columns, path, kind, lossy=False)
        raise UnwritableTableError(
            f"{path}: a file of {_PROGRAMS[kind]} cannot hold the table: {problem}; correct it, or "
            "write .parquet"
        ) from problem
    content = Path(part).read_bytes()
    limits = Limits(path, max(len(written) * max(len(columns), 1), 1) * 8, len(columns) + 1)
    back = read_stat_file(Content(kind, lambda: io.BytesIO(content)), limits, ReadOptions())
    for j, column in enumerate(columns):
        column.losses += _changed(column, back.frame.iloc[:, j], back.codebook, kind)
    _raise_or_warn(columns, path, kind, lossy=lossy)


def _raise_or_warn(columns: Sequence[_Column], path: str, kind: str, *, lossy: bool) -> None:
    losses = [f"{c.name!r}: {', '.join(dict.fromkeys(c.losses))}" for c in columns if c.losses]
    if not losses:
        return
    said = f"{path}: a file of {_PROGRAMS[kind]} cannot keep {join_first(losses, separator='; ')}"
    if not lossy:
        raise UnwritableTableError(f"{said}; lossy=True (--lossy) writes without")
    warnings.warn(f"{said}; written without", stacklevel=4)


def _columns(
    frame: pd.DataFrame, types: ColumnTypes, codebook: Codebook, kind: str
) -> list[_Column]:
    matches, _ = match_by_name(frame.columns, types.columns)
    taken: set[str] = set()
    columns = []
    for j, (label, column) in enumerate(zip(frame.columns, matches, strict=True)):
        values, losses = _plain_values(with_plain_missing(frame.iloc[:, j]), kind)
        levels = list(dict.fromkeys(v for v in values if v is not None))
        found = codebook.entry_of(label, levels)
        entry = found or CodebookEntry()
        if column is not None:
            stated = entry_of_type(column)
            entry = found.over(replace(stated, missing=(), missing_ranges=())) if found else stated
            measure = measure_of_type(column.semantic_type, entry.measure)
            entry = replace(entry, measure=measure)
            is_scale = column.order is not None and found is None and not column.labels
            if is_scale and all(isinstance(v, str) for v in levels):
                values, entry = _as_codes(values, levels, column, entry)
        if entry.unit and entry.unit not in entry.label:
            entry = replace(entry, label=f"{entry.label} [{entry.unit}]".strip())
        # pyreadstat names the labels of Stata after their column, with a letter more.
        longest = _LONGEST_NAME[kind] - (kind == "dta" and bool(entry.values))
        name = _allowed_name(str(label), kind, taken, longest)
        if name != label:
            losses.append(f"its name {label!r}")
            entry = replace(entry, label=entry.label or str(label))
        columns.append(_fitted(_Column(name, values, entry, losses=losses), kind))
    return columns


def _plain_values(values: pd.Series, kind: str) -> tuple[list[Any], list[str]]:
    """Return Python values with None where missing, and what of them cannot be kept."""
    losses = []
    if isinstance(values.dtype, pd.CategoricalDtype):
        values = pd.Series(values.astype(object).tolist()).infer_objects()
    if isinstance(values.dtype, pd.DatetimeTZDtype):
        losses.append("its time zone")
        values = values.dt.tz_localize(None)
    if pd.api.types.is_timedelta64_dtype(values.dtype) and kind == "dta":
        losses.append("durations other than as seconds")
        values = values.dt.total_seconds()
    is_missing = values.isna().to_numpy()
    cells: list[Any] = [
        None if none else int(v) if isinstance(v, bool | np.bool_) else v
        for v, none in zip(values.tolist(), is_missing, strict=True)
    ]
    if any(getattr(v, "tzinfo", None) is not None for v in cells):  # objects
        losses.append("its time zone")
        cells = [v.replace(tzinfo=None) if getattr(v, "tzinfo", None) else v for v in cells]
    kinds = {_kind(v) for v in cells if v is not None}
    if len(kinds - {"tag"}) > 1 or "other" in kinds:
        losses.append("values of several kinds other than as strings")
        cells = [None if v is None else format_level(v) for v in cells]
    elif kinds == {"tag"}:
        cells = [str(v) for v in cells]
    return cells, losses


def _kind(value: Any) -> str:
    if isinstance(value, str):
        return "tag" if _is_tag(value) else "string"
    if isinstance(value, int | float | np.number):
        return "number"
    if isinstance(value, datetime.datetime):
        return "moment"
    if isinstance(value, datetime.timedelta):
        return "duration"
    known = {datetime.date: "date", datetime.time: "time"}
    return known.get(type(value), "other")


def _is_tag(value: Any) -> bool:
    return isinstance(value, str) and bool(_TAG.fullmatch(value))


def _as_codes(
    values: list[Any], levels: list[Any], column: ColumnType, entry: CodebookEntry
) -> tuple[list[Any], CodebookEntry]:
    """Return strings of an ordinal column as codes that keep their order, labelled by them."""
    listed = dict.fromkeys((*(column.order or ()), *column.off_scale, *levels))
    codes = {level: code for code, level in enumerate(listed, 1)}
    labelled = replace(
        entry,
        values={code: str(level) for level, code in codes.items()},
        missing=tuple(codes[level] for level in column.off_scale),
    )
    return [codes.get(v) for v in values], labelled


def _allowed_name(label: str, kind: str, taken: set[str], longest: int) -> str:
    """Return a name that the format allows, and no other column has."""
    name, reserved = label, read_toml("files")["reserved"][kind]
    if not _NAMES[kind].fullmatch(name):
        name = re.sub(r"\W", "_", name)
        name = name if _NAMES[kind].fullmatch(name) else f"v{name}"

    def cut(limit: int) -> str:
        if kind == "dta":
            return start[:limit]
        return start.encode(errors="replace")[:limit].decode(errors="ignore")

    folded = str.casefold if kind == "sav" else str
    start, n = name, 1
    name = cut(longest)
    while folded(name) in taken or (name.upper() if kind == "sav" else name) in reserved:
        n += 1
        name = f"{cut(longest - 8)}_{n}"
    taken.add(folded(name))
    return name


def _fitted(column: _Column, kind: str) -> _Column:
    """Return a column without what the format has no place for."""
    entry, losses, values = column.entry, column.losses, column.values
    codes = [value_key(v) for v in entry.values if not _is_tag(v)]
    if codes and all(isinstance(v, str) for v in codes) and not any(v is not None for v in values):
        values = [""] * len(values)  # strings that are all missing
    is_string = any(isinstance(v, str) and not (_is_tag(v) and v in entry.missing) for v in values)
    is_date = any(isinstance(v, datetime.date | datetime.time | datetime.timedelta) for v in values)
    if entry.group:
        losses.append("its group of columns")
    if kind == "sav" and not is_string and any(map(_is_tag, values)):
        losses.append("tagged missing values")
        values = [None if _is_tag(v) else v for v in values]

    def stored(value: Any) -> Any:
        """Return a value of the codebook as the column holds it; None if it cannot."""
        if is_string:
            return format_level(value)
        if _is_tag(value):
            return value if kind == "dta" else None
        key = value_key(value)
        is_number = isinstance(key, int | float) and math.isfinite(key) and not is_date
        return int(key) if is_number and key == int(key) else key if is_number else None

    labels = {stored(v): text for v, text in entry.values.items()}
    labels.pop(None, None)
    missing = tuple(v for v in map(stored, entry.missing) if v is not None)
    wanted = replace(entry, missing=missing)  # others cannot occur in the column
    ranges = () if is_string or is_date else entry.missing_ranges
    if kind == "dta":
        kept = {v: t for v, t in labels.items() if _is_tag(v) or isinstance(v, int)}
        kept = {} if is_string else kept
        missing, ranges = tuple(v for v in missing if _is_tag(v) and not is_string), ()
    else:
        kept = labels
        short = (v for v in missing if len(str(v).encode()) <= _LONGEST_MISSING or not is_string)
        missing, ranges = tuple(short)[: 1 if ranges else _MOST_MISSING], ranges[:1]
    label = entry.label[:_LONGEST_LABEL] if kind == "dta" else entry.label  # SPSS cuts it
    fitted = replace(entry, label=label, values=kept, missing=missing, missing_ranges=ranges)
    return replace(column, values=values, entry=fitted, wanted=wanted)


def _written(column: _Column) -> pd.Series:
    """Return the values as pyreadstat writes them."""
    values = column.values
    kinds = {_kind(v) for v in values if v is not None}
    tags = {v for v in column.entry.missing if _is_tag(v)}
    if ("number" in kinds and "tag" in kinds) or (kinds == {"tag"} and tags):
        return pd.Series([_untagged(v) for v in values], dtype=object)
    if kinds <= {"number"}:
        is_small = _is_whole(values) and None not in values
        return pd.Series(values, dtype="int32" if is_small else "float64")
    if kinds == {"duration"}:
        return pd.Series(
            [None if v is None else v.total_seconds() for v in values], dtype="float64"
        )
    if kinds <= {"string", "tag"}:
        return pd.Series(["" if v is None else v for v in values], dtype=object)
    return (
        pd.to_datetime(pd.Series(values)) if "moment" in kinds else pd.Series(values, dtype=object)
    )


def _untagged(value: Any) -> Any:
    return value[1:] if _is_tag(value) else value


def _is_whole(values: Sequence[Any]) -> bool:
    """Check for integers of 32 bits."""
    present: list[Any] = [v for v in values if v is not None]
    return bool(present) and all(
        _kind(v) == "number" and v == v // 1 and abs(v) < _LARGE for v in present
    )


def _changed(column: _Column, back: pd.Series, book: Codebook, kind: str) -> Iterator[str]:
    """Yield what of a column a file that was read again does not hold."""
    entry = book.columns.get(column.name, CodebookEntry())
    is_missing = back.isna().to_numpy()
    for j, (value, held) in enumerate(zip(column.values, back.tolist(), strict=True)):
        if (value or None if isinstance(value, str) else value) != (
            None if is_missing[j] or held == "" else held
        ):
            yield f"its values, of which {format_value(value)} is read as {format_value(held)}"
            break
    wanted = column.wanted
    if entry.label != wanted.label.strip():
        yield "its label"
    labels, expected = (
        {value_key(v): text for v, text in each.values.items()} for each in (entry, wanted)
    )
    if labels != expected:
        yield "the labels of all values"
    if kind == "sav":
        ends = [
            tuple(math.copysign(math.inf, v) if abs(v) > _INFINITE else v for v in part)
            for part in entry.missing_ranges
        ]
        same = set(map(value_key, entry.missing)) == set(map(value_key, wanted.missing))
        if not same or ends != list(wanted.missing_ranges):
            yield "all of its missing values"
