"""Read data files of SPSS, Stata and SAS: the stored values, and the codebook inside the file.

The values stay as they are stored: codes are not replaced by their labels, since the order of the
codes is that of most scales, and user-missing values are kept, since they are answers.
"""

from __future__ import annotations

import codecs
import os
import re
import warnings
from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from autotype.errors import UnreadableTableError
from autotype.lazy_names import import_library
from autotype.lexicon.toml_files import read_toml
from autotype.tables.content import Content
from autotype.tables.labelled.stored_dates import WIDTH, date_kind, stored_dates
from autotype.tables.table import Limits, Opener, ReadOptions, Table
from autotype.tables.text.encoding import find_code_page
from autotype.types.codebook import Codebook, CodebookEntry, value_key
from autotype.types.reading import Reading

_ANY = "ISO-8859-1"  # every byte is a letter of it
_USUAL = "cp1252"
_KIN = {"cp1255": "ISO-8859-8"}  # of which readstat loses the last letters
_NEW_STATA = re.compile(rb"<stata_dta><header><release>(?!117)")  # from version 14
_HEAD = 64
_ENCODING_PROBLEM = "convert string to the requested encoding"
_GUESSED_ROWS = 1000
_TAG = re.compile("[a-zA-Z_]")
_UNTAGGED = (-(2**31), 2**31 - 27)  # system-missing as readstat and Stata store it
_EXACT = 2.0**53  # integers above are not exact as floats


def read_stat_file(
    content: Content, limits: Limits, options: ReadOptions, *, offset: int = 0
) -> Table:
    """Read a file of SPSS, Stata or SAS.

    Parameters
    ----------
    content : Content
        Its format is one of `STAT_FORMATS`.
    limits : Limits
        On rows and columns.
    options : ReadOptions
        The encoding of the strings, by default as the file states it, else the first that fits;
        the number of rows; and the catalogue of a SAS file.
    offset : int
        Rows to skip.

    Returns
    -------
    Table
        Stored values. Integers have the dtype Int64; a tagged missing value of Stata or SAS is the
        string ``".a"`` in a column of objects. An empty string is missing, unless it has a label.

    Raises
    ------
    MissingExtraError
        Without pyreadstat.
    UnreadableTableError
        If the content is not of its kind, is damaged, or goes beyond the limits.
    """
    kind, n_rows, encoding = content.format, options.n_rows, options.encoding
    fixed: dict[str, Any] = {"disable_datetime_conversion": True}
    fixed |= {} if kind in ("por", "xpt") else {"user_missing": True}
    if n_rows is not None:
        fixed |= {"row_limit": n_rows} if n_rows else {"metadataonly": True}
    if offset:
        fixed["row_offset"] = offset

    def read(**more: Any) -> tuple[pd.DataFrame, Any]:
        return _call(kind, content.opened, limits.path, **(fixed | more))

    if kind == "sas7bdat" and n_rows is None:  # room is made for all rows that a header states
        limits.check_cells(*count_cells(content.opened, limits.path, kind, encoding=_ANY))
    if kind == "por":  # pyreadstat reads it in one encoding
        frame, meta, used = *read(), None
    else:
        rows = {} if n_rows is not None else {"row_limit": _GUESSED_ROWS}
        frame, meta, used = _in_an_encoding(read, limits.path, encoding, **rows)
    limits.check_cells(len(frame), frame.shape[1])
    tagged = [name for name, tags in (meta.missing_user_values or {}).items() if tags]
    if tagged:  # beside tags, pyreadstat gives 0 for an integer that is missing without one
        named = {"encoding": used} if used else {}
        plain, _ = read(usecols=tagged, user_missing=False, **named)
        for name in tagged:
            is_tag = frame[name].isin(meta.missing_user_values[name])
            frame[name] = frame[name].astype(object).mask(plain[name].isna() & ~is_tag)
    beside = os.path.splitext(limits.path)[0] + ".sas7bcat"
    catalog = options.catalog or (beside if os.path.isfile(beside) else None)
    if catalog is not None and kind == "sas7bdat":
        meta.variable_value_labels = _labels_of_catalog(catalog, meta.variable_to_label, encoding)
    codebook = Codebook.from_pyreadstat(meta)
    if kind not in ("sav", "por"):
        codebook = _with_tags(codebook, meta.readstat_variable_types)
    forms = meta.original_variable_types
    columns = [
        _stored(frame.iloc[:, j], codebook, date_kind(forms.get(name) or "", kind), kind)
        for j, name in enumerate(frame.columns)
    ]
    stored = pd.concat(columns, axis=1) if columns else frame
    stated = "not in the encoding that the file states"
    found = stated if meta.file_encoding else "in an encoding that it does not state"
    doubt = f"its strings are {found}; read as {used}, which encoding= (--encoding) overrides"
    reading = Reading(
        format=kind,
        encoding=_codec(used or meta.file_encoding),
        doubts=(doubt,) if used and encoding is None else (),
    )
    return Table(stored, codebook, reading)


def count_cells(opened: Opener, path: str, kind: str, **options: Any) -> tuple[int, int]:
    """Return the numbers of rows and columns that a file states; 0 rows if it does not."""
    _, meta = _call(kind, opened, path, metadataonly=True, **options)
    return meta.number_rows or 0, meta.number_columns or 0


def _call(kind: str, opened: Opener, path: str, **options: Any) -> tuple[pd.DataFrame, Any]:
    """Return what pyreadstat reads: a frame and its metadata.

    Raises
    ------
    UnicodeDecodeError
        If strings are not in the encoding.
    Exception
        As `read_stat_file`.
    """
    known = read_toml("files")["statistics"][kind]
    reader = getattr(import_pyreadstat(), known["reader"])
    try:
        with warnings.catch_warnings(action="ignore"), opened() as file:
            frame, meta = reader(file, **options)
            file.seek(0)
            if kind == "dta" and _NEW_STATA.match(file.read(_HEAD)):
                meta.file_encoding = "UTF-8"
            return frame, meta
    except (OSError, MemoryError):
        raise
    except Exception as problem:  # pyreadstat raises its own and plain ones
        # Where every byte is a letter, only damaged names are not read, which no encoding mends.
        of_strings = isinstance(problem, UnicodeDecodeError) and options.get("encoding") != _ANY
        if (of_strings and kind != "por") or type(problem) is LookupError:  # and no IndexError
            raise
        if _ENCODING_PROBLEM in str(problem):
            raise UnicodeDecodeError("unknown", b"", 0, 1, str(problem)) from problem
        raise UnreadableTableError(
            f"{path}: not a readable file of {known['program']}: {problem}"
        ) from problem


def _labels_of_catalog(
    path: str, formats: Mapping[str, str], encoding: str | None
) -> dict[str, Mapping[Any, str]]:
    """Return column -> value -> label by the formats of the columns, such as "MOOD5.".

    pyreadstat would put the labels in place of the values.
    """

    def read(**more: Any) -> tuple[pd.DataFrame, Any]:
        return _call("sas7bcat", lambda: open(path, "rb"), path, **more)

    _, meta, _ = _in_an_encoding(read, path, encoding)
    lists = {name.casefold(): labels for name, labels in meta.value_labels.items()}
    names = {name: WIDTH.sub("", held or "").casefold() for name, held in formats.items()}
    return {name: lists[held] for name, held in names.items() if held in lists}


def _codec(name: str | None) -> str | None:
    """Return an encoding's name as Python has it, so that one encoding has one name."""
    try:
        return name and codecs.lookup(name).name
    except LookupError:
        return name


def import_pyreadstat() -> Any:
    """Return the module pyreadstat, or raise `MissingExtraError`."""
    use = "files of SPSS, Stata and SAS need pyreadstat"
    return import_library("pyreadstat", use, extra="labelled")


def _in_an_encoding(
    read: Callable[..., tuple[pd.DataFrame, Any]], path: str, encoding: str | None, **rows: int
) -> tuple[pd.DataFrame, Any, str | None]:
    """Read by the stated encoding, else by the first that all strings are in.

    Strings in UTF-8 are valid in most others, as which they may be stated. Stata before version 14
    and transport files state none. The words that are guessed from need no other rows than `rows`.
    """
    if encoding is not None:
        try:
            return *read(encoding=encoding), encoding
        except UnicodeDecodeError as problem:
            raise UnreadableTableError(
                f"{path}: its strings are not in {encoding}: {problem}; omit the encoding to have "
                "it found"
            ) from problem
    try:
        frame, meta = read()
        stated = _codec(meta.file_encoding)
        words = _words(frame, meta)
        is_read = not any("\ufffd" in word for word in words)
        if is_read and (
            not words or stated == "utf-8" or (stated and not _are_utf8(words, stated))
        ):
            return frame, meta, None
    except UnicodeDecodeError:
        is_read, stated = False, None
    for name in dict.fromkeys([_guess(_words(*read(encoding=_ANY, **rows))), _USUAL]):
        if is_read and not stated and name == _USUAL:  # as which it has been read
            return frame, meta, None
        try:
            return *read(encoding=name), name
        except UnicodeDecodeError:
            continue
    return *read(encoding=_ANY), _ANY


def _words(frame: pd.DataFrame, meta: Any) -> set[str]:
    """Return the words beyond ASCII among the first rows and all labels."""
    texts = [*filter(None, meta.column_names_to_labels.values())]
    for labels in (*meta.variable_value_labels.values(), *meta.value_labels.values()):
        texts += [text for text in labels.values() if isinstance(text, str)]
    for name in frame.columns:
        if not pd.api.types.is_numeric_dtype(frame[name].dtype):
            texts += [v for v in frame[name].iloc[:_GUESSED_ROWS] if isinstance(v, str)]
    return {word for text in texts for word in text.split() if not word.isascii()}


def _are_utf8(words: Collection[str], encoding: str) -> bool:
    """Check whether words that were read in an encoding are in UTF-8."""
    try:
        return bool(b"\n".join(word.encode(encoding) for word in words).decode())
    except UnicodeError:
        return False


def _guess(words: Collection[str]) -> str:
    """Return the encoding of words that were read byte by byte."""
    if _are_utf8(words, _ANY):
        return "UTF-8"
    name = find_code_page(sorted(word.encode(_ANY) for word in words)).name
    return _KIN.get(name, name)


def _with_tags(codebook: Codebook, kinds: Mapping[str, str]) -> Codebook:
    """Return the codebook with tagged missing values as the frame has them, such as ".a".

    Those of value labels may occur in no row. A label of what is missing without a tag is dropped.
    """

    def with_tag(value: Any) -> Any:
        return f".{value}" if _TAG.fullmatch(str(value)) else value

    columns = dict(codebook.columns)
    for name, entry in columns.items():
        if kinds.get(name) != "string":
            held = {
                with_tag(v): t for v, t in entry.values.items() if v not in _UNTAGGED and v == v
            }
            tags = (v for v in (*map(with_tag, entry.missing), *held) if isinstance(v, str))
            columns[name] = replace(entry, values=held, missing=tuple(dict.fromkeys(tags)))
    return Codebook(columns)


def with_integers(values: pd.Series) -> pd.Series:
    """Return a column of floats with the dtype of integers if all of them are whole."""
    numbers = values.dropna().to_numpy()
    are_whole = len(numbers) > 0 and np.array_equal(numbers, np.round(numbers))
    return values.astype("Int64") if are_whole and np.abs(numbers).max() < _EXACT else values


def _stored(values: pd.Series, codebook: Codebook, kind: str, program: str) -> pd.Series:
    """Return a column with integers and dates as such, and tags as the codebook has them."""
    if kind:
        values = stored_dates(values, kind, program)
    if pd.api.types.is_float_dtype(values.dtype):
        return with_integers(values)
    entry = codebook.columns.get(values.name, CodebookEntry())
    holds_strings = values.dtype == object or isinstance(values.dtype, pd.StringDtype)
    if holds_strings and "" not in map(value_key, (*entry.values, *entry.missing)):
        values = values.mask(values == "")
    if values.dtype != object:
        return values
    tags = {tag[1:]: tag for tag in entry.missing if str(tag).startswith(".")}
    cells = [tags.get(v, v) if isinstance(v, str) else v for v in values]
    present = [v for v in cells if not (v is None or v != v)]
    if present and all(isinstance(v, int | np.integer) for v in present):
        return pd.Series(pd.array(cells, dtype="Int64"), index=values.index, name=values.name)
    cells = [
        int(v) if isinstance(v, float) and v.is_integer() and abs(v) < _EXACT else v for v in cells
    ]
    return pd.Series(cells, index=values.index, name=values.name, dtype=object)
