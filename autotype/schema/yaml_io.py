"""Write and read schemas as YAML files, with levels, order and dtypes.

pandera writes a Category as the bare word ``category``; the levels are in the checks ``is_ordinal``
and ``is_categorical``, from which reading restores the dtype.

The parts of a file are checked, as pandera drops or accepts what it does not know. A file that was
edited by hand is refused with the place of the fault, rather than checking less than it states.
"""

from __future__ import annotations

import copy
import json
import math
import os
import re
import warnings
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import yaml
from pandera.api.checks import Check
from pandera.io.pandas_io import deserialize_schema, serialize_schema
from pandera.pandas import DataFrameSchema

from autotype.errors import UnreadableTypesError, UnwritableTypesError
from autotype.schema.checks.table import MAIN_ARGUMENT, register_checks
from autotype.schema.levels import as_schema, restore_levels
from autotype.schema.notes import notes_of
from autotype.schema.yaml_text import read_yaml, write_yaml
from autotype.types.atomic_file import write_text
from autotype.types.codec.json_values import decode_hashable, is_within_depth
from autotype.types.codec.plain_column import check, misfit
from autotype.types.nan_equality import nan_key

# The first and the last line of a file, without which it is known to be cut.
_FIRST, _LAST = "# A schema of autotype; its last line is '...'\n", "...\n"
# Names that pandera gives the dtypes of strings, which differ by the libraries installed.
_TEXT = re.compile(r"(large_)?string\[\w+\]|arrow_string")
_ARROW = re.compile(r"(?P<name>[a-z]+\d*)(\[(?P<unit>\w+)(, tz=(?P<zone>[^\]]+))?\])?\[pyarrow\]")
_FLOATS = {"double": "float64", "float": "float32", "halffloat": "float16"}

# The keys of a schema's file, with the JSON Schemas of their values.
_KEYS = json.loads(Path(__file__).with_name("file_keys.json").read_text("utf-8"))
# What pandera's YAML holds of a column besides its checks.
NOT_CHECKS: tuple[str, ...] = tuple(_KEYS["column"])
# What it holds of a check besides its arguments.
OPTIONS = ("error", "ignore_na", "raise_warning", "n_failure_cases", "groupby", "groups")


def write_schema(schema: DataFrameSchema, path: str | os.PathLike) -> None:
    """Write a schema as YAML that keeps levels, their order, and the types of the columns.

    The file is of pandera's own format: ``pandera.io.from_yaml`` reads it too, after ``import
    autotype.pandera_checks``. Without it pandera rejects the file instead of silently dropping
    the checks. Its dtypes need no library but pandas: strings are ``str``, and numbers and times of
    Arrow those of NumPy, so that it can be read where pyarrow is not installed.

    Parameters
    ----------
    schema : pandera.pandas.DataFrameSchema
        From `to_schema`, or any other; checks that are not registered cannot be written;
        pandera warns about them.
    path : str or path
        Written under a temporary name and renamed, so that no reader sees half of it.

    Raises
    ------
    TypeError
        If it is no schema.
    UnwritableTypesError
        If YAML cannot hold a column's name or a check's value. It is a ValueError.

    Examples
    --------
    >>> import tempfile, pathlib, pandas as pd, autotype
    >>> frame = pd.DataFrame({"size": ["M", "S", "L"] * 5})
    >>> schema = frame.ordinal.to_schema(frame.ordinal.infer_types())
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     autotype.write_schema(schema, pathlib.Path(folder, "schema.yaml"))
    ...     again = autotype.read_schema(pathlib.Path(folder, "schema.yaml"))
    >>> again.columns["size"].dtype.categories
    ('S', 'M', 'L')
    """
    write_text(path, schema_to_yaml(as_schema(schema)))


def schema_to_yaml(schema: DataFrameSchema) -> str:
    """Return a schema as the YAML text that `write_schema` writes."""
    register_checks()
    plain = serialize_schema(schema)
    for column in _plain_columns(plain):
        _list_checks(column)
        _set_neutral_dtype(column)
    if schema.metadata:
        plain["metadata"] = schema.metadata
    try:
        if not is_within_depth(plain):
            raise ValueError("levels nested deeper than can be read again")
        return _FIRST + write_yaml(plain) + _LAST
    except (yaml.YAMLError, ValueError) as problem:
        raise UnwritableTypesError(
            f"the schema holds what YAML cannot: {problem}; rename the column or remove the check"
        ) from problem


def _plain_columns(plain: dict[str, Any]) -> list[dict[str, Any]]:
    columns = plain.get("columns") or []
    return list(columns.values() if isinstance(columns, dict) else columns)


def _set_neutral_dtype(column: dict[str, Any]) -> None:
    """Replace a dtype that needs a certain library, which the reader of the file may lack."""
    if isinstance(column, dict) and isinstance(column.get("dtype"), str):
        column["dtype"] = neutral_dtype(column["dtype"], nullable=column.get("nullable") is True)


def neutral_dtype(name: str, *, nullable: bool) -> str | None:
    """Return the name of a dtype that needs no library but pandas and NumPy.

    Parameters
    ----------
    name : str
        Of a dtype, as pandera writes it.
    nullable : bool
        Whether the column may hold missing values.

    Returns
    -------
    str or None
        ``"str"`` for strings of any storage, and for the numbers, booleans and times of Arrow
        the dtype of pandas that holds them; None for those that only Arrow has, such as dates
        without a time; any other name as it is.

    Examples
    --------
    >>> neutral_dtype("string[pyarrow]", nullable=False), neutral_dtype("Int64", nullable=True)
    ('str', 'Int64')
    >>> neutral_dtype("int8[pyarrow]", nullable=True), neutral_dtype("bool[pyarrow]", nullable=False)
    ('Int8', 'bool')
    >>> neutral_dtype("timestamp[us, tz=UTC][pyarrow]", nullable=True)
    'datetime64[us, UTC]'
    """  # noqa: E501 - two calls per line
    if _TEXT.fullmatch(name):
        return "str"
    if not name.endswith("[pyarrow]"):
        return name
    match = _ARROW.fullmatch(name)
    if match is None:
        return None
    kind, unit, zone = match["name"], match["unit"], match["zone"]
    if re.fullmatch(r"u?int\d+", kind):
        return kind.replace("i", "I", 1).replace("uI", "UI") if nullable else kind
    if kind == "bool":
        return "boolean" if nullable else "bool"
    if kind == "timestamp":
        return f"datetime64[{unit}, {zone}]" if zone else f"datetime64[{unit}]"
    if kind == "duration":
        return f"timedelta64[{unit}]"
    return _FLOATS.get(kind)


def _list_checks(column: dict[str, Any]) -> None:
    """Convert the checks of a column to pandera's long form if one is autotype's.

    Without autotype's checks registered, pandera ignores the short form but rejects the long one.
    Of a column with checks in both forms it reads the long ones only.
    """
    short = [name for name in column if name not in NOT_CHECKS]
    if not set(short) & set(MAIN_ARGUMENT) and not column.get("checks"):
        return
    for name in sorted(short, key=_place):
        stated, options = _parts(name, column.pop(name))
        given = {key: item for key, item in stated.items() if item is not None}
        listed = {**given, "options": {"check_name": name, **options}}
        column.setdefault("checks", []).append(listed)


def _parts(name: str, value: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the arguments and the options of a check in pandera's short form."""
    stated = value if isinstance(value, Mapping) else {MAIN_ARGUMENT.get(name, "value"): value}
    options = {key: stated[key] for key in stated if key in OPTIONS}
    arguments = {key: stated[key] for key in stated if key not in (*OPTIONS, "options")}
    return arguments, options | dict(stated.get("options") or {})


def _place(name: str) -> int:
    """Return the place of a check in the file, as in the schemas of `to_schema`."""
    return list(MAIN_ARGUMENT).index(name) if name in MAIN_ARGUMENT else len(MAIN_ARGUMENT)


def read_schema(path: str | os.PathLike) -> DataFrameSchema:
    """Read a schema from a YAML file, with levels in its dtypes.

    Parameters
    ----------
    path : str or path
        A file written by `write_schema`, or by pandera's ``schema.to_yaml``.

    Returns
    -------
    pandera.pandas.DataFrameSchema

    Raises
    ------
    FileNotFoundError
        If there is no such file.
    UnreadableTypesError
        If the file holds no schema of a pandas frame, more than 16 Mi characters, more than a
        million values (each counted as often as an alias repeats it), or lists and mappings
        nested deeper than 100. It is a ValueError. No content of a file is ever executed.
    """
    try:
        return schema_from_yaml(Path(path).read_text(encoding="utf-8"))
    except UnicodeDecodeError as problem:
        raise UnreadableTypesError(
            f"{os.fspath(path)}: not a string in UTF-8: {problem}"
        ) from problem
    except UnreadableTypesError as problem:
        raise UnreadableTypesError(f"{os.fspath(path)}: {problem}") from problem


def schema_from_yaml(text: str) -> DataFrameSchema:
    """Read a schema from YAML text; the inverse of `schema_to_yaml`."""
    register_checks()
    if text.startswith(_FIRST) and not text.rstrip().endswith(f"\n{_LAST.rstrip()}"):
        raise UnreadableTypesError(
            f"cut short: its last line is not {_LAST.rstrip()!r}; write the schema again"
        )
    plain = read_yaml(text)
    if not isinstance(plain, dict) or plain.get("schema_type") != "dataframe":
        raise UnreadableTypesError(
            "not a schema of a data frame (no 'schema_type: dataframe'); "
            "autotype.write_schema and `autotype infer --schema` write one"
        )
    if plain.get("api", "pandas") != "pandas":
        raise UnreadableTypesError(f"a schema for {plain['api']}, not for pandas frames")
    check_parts(plain)
    try:
        # Of pandera and pandas, on dtypes of other libraries.
        with warnings.catch_warnings(action="ignore"):
            columns = plain.get("columns")
            for column in columns if isinstance(columns, list) else ():
                column["name"] = _as_tuple(column["name"])
            for column in _plain_columns(plain):  # files of earlier versions, and of pandera
                _set_neutral_dtype(column)
            schema = restore_levels(deserialize_schema(copy.deepcopy(plain)))
        notes_of(schema)
    except UnreadableTypesError:
        raise
    except Exception as problem:  # pandera raises what its code meets in a damaged schema
        kind = type(problem).__name__
        raise UnreadableTypesError(
            f"not a schema that pandera can read: {_column_at_fault(plain)}{kind}: {problem}; "
            "autotype.write_schema and `autotype infer --schema` write one"
        ) from problem
    return schema


def _column_at_fault(plain: dict[str, Any]) -> str:
    """Return the first column that pandera cannot read by itself, for a message."""
    columns = plain.get("columns")
    for name, column in (columns if isinstance(columns, dict) else {}).items():
        try:
            restore_levels(deserialize_schema({"columns": {name: column}}))
        except Exception:
            return f"column {name!r}: "
    return ""


def _as_tuple(name: Any) -> Any:
    """Return a name that is a list as a tuple, with the lists in it."""
    return tuple(map(_as_tuple, name)) if isinstance(name, list) else name


def _object(keys: Mapping[str, Any], required: Iterable[str] = ()) -> dict[str, Any]:
    """Return the schema of an object that holds no other keys."""
    names = {"enum": list(keys)}
    return {"type": "object", "properties": keys, "propertyNames": names, "required": required}


def check_parts(plain: Mapping[str, Any]) -> None:
    """Raise unless the parts of a schema are as pandera and autotype write them.

    Parameters
    ----------
    plain : mapping
        What the YAML of a schema of a data frame holds.

    Raises
    ------
    UnreadableTypesError
        With the place of the fault, what was expected there, and what was found.
    """
    try:
        check(plain, _object(_KEYS["table"]))
        columns, metadata = plain.get("columns"), plain.get("metadata") or {}
        check(metadata.get("autotype"), {"type": ["array", "null"]}, ".metadata.autotype")
        states_no_columns = "autotype" in metadata and not metadata["autotype"]
        if not (columns or states_no_columns or any(map(plain.get, ("checks", "index", "dtype")))):
            raise misfit(".columns", ": there are none, and no checks of the table")
        named = dict(enumerate(columns)) if isinstance(columns, list) else columns or {}
        check(named, {"type": "object"}, ".columns")
        for name, column in named.items():
            _check_column(column, f".columns[{name!r}]")
    except ValueError as problem:
        raise UnreadableTypesError(f"{problem}; correct it, or write the schema again") from None


def _check_column(column: Any, path: str) -> None:
    check(column, {"type": "object"}, path)
    check(column, _object(_KEYS["column"] | {key: {} for key in column if _is_check(key)}), path)
    for name, stated, options, place in _checks(column, path):
        if not _is_check(name):
            raise misfit(place, f": {name!r} is no check; import the module that registers it")
        check(options, _object(_KEYS["options"]), f"{place}.options")
        for argument, value in stated.items():
            if isinstance(value, float) and math.isnan(value):
                raise misfit(f"{place}.{argument}", ": NaN is no number that others compare with")
        if name in _KEYS["arguments"]:
            required = _KEYS["required"].get(name, ())
            check(stated, _object(_KEYS["arguments"][name], required), place)
            _check_levels(stated, place)


def _checks(column: Mapping[str, Any], path: str) -> Iterator[tuple[Any, Any, Any, str]]:
    """Yield name, arguments, options and place of each check, in pandera's long and short form."""
    long = column.get("checks") or []
    check(long, {"type": ["array", "object"]}, f"{path}.checks")
    if isinstance(long, Mapping):
        short, long = dict(long), []
    else:
        short = {key: column[key] for key in column if key not in NOT_CHECKS}
    for j, stated in enumerate(long):
        place = f"{path}.checks[{j}]"
        check(stated, {"type": "object", "required": ["options"]}, place)
        check(stated["options"], {"type": "object", "required": ["check_name"]}, f"{place}.options")
        arguments = {key: item for key, item in stated.items() if key != "options"}
        yield stated["options"]["check_name"], arguments, stated["options"], place
    for name, value in short.items():
        yield name, *_parts(name, value), f"{path}.{name}"


def _is_check(name: Any) -> bool:
    """Check whether pandera knows a check, of its own, of autotype or of a user."""
    own, registered = Check.CHECK_FUNCTION_REGISTRY, Check.REGISTERED_CUSTOM_CHECKS
    return isinstance(name, str) and (name in own or name in registered)


def _check_levels(stated: Mapping[str, Any], place: str) -> None:
    levels = [
        *(stated.get("order") or stated.get("levels") or ()),
        *(stated.get("off_scale") or ()),
    ]
    seen = set()
    for level in levels:
        try:
            key = nan_key(decode_hashable(level))
        except ValueError as problem:
            raise misfit(place, f": {problem}") from None
        if level is None:
            raise misfit(place, ": a missing value is no level; columns may be nullable")
        if key in seen:
            raise misfit(place, f": the level {level!r} is repeated")
        seen.add(key)
    if "counts" in stated and len(stated["counts"]) != len(levels):
        raise misfit(f"{place}.counts", f": {len(stated['counts'])} counts of {len(levels)} levels")
