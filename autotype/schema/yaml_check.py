"""Check the parts of a schema's file, of which pandera drops or accepts what it does not know.

A file that was edited by hand is refused with the place of the fault, rather than checking less
than it states.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from autotype.errors import UnreadableTypesError
from autotype.schema.checks.table import MAIN_ARGUMENT
from autotype.types.codec.json_values import decode_hashable
from autotype.types.codec.report_schema import check, misfit
from autotype.types.nan_equality import nan_key

# The keys of a schema's file, with the JSON Schemas of their values.
_KEYS = json.loads(Path(__file__).with_name("file_keys.json").read_text("utf-8"))
# What pandera's YAML holds of a column besides its checks.
NOT_CHECKS: tuple[str, ...] = tuple(_KEYS["column"])
# What it holds of a check besides its arguments.
OPTIONS = ("error", "ignore_na", "raise_warning", "n_failure_cases", "groupby", "groups")


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
        stated = value if isinstance(value, Mapping) else {MAIN_ARGUMENT.get(name, "value"): value}
        inner = stated.get("options") or {}
        options = {key: stated[key] for key in stated if key in OPTIONS} | dict(inner)
        arguments = {k: v for k, v in stated.items() if k not in (*OPTIONS, "options")}
        yield name, arguments, options, f"{path}.{name}"


def _is_check(name: Any) -> bool:
    """Check whether pandera knows a check, of its own, of autotype or of a user."""
    from pandera.api.checks import Check

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
