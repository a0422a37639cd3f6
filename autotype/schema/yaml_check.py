"""Check the parts of a schema's file, of which pandera drops or accepts what it does not know.

A file that was edited by hand is refused with the place of the fault, rather than checking less
than it states.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from autotype.errors import UnreadableTypesError
from autotype.schema.checks.table import MAIN_ARGUMENT
from autotype.types.codec.json_values import decode_hashable
from autotype.types.codec.report_schema import check, misfit
from autotype.types.nan_equality import nan_key

# What pandera's YAML holds of a column besides its checks.
NOT_CHECKS = (
    *("name", "title", "description", "dtype", "nullable", "unique", "coerce", "required"),
    *("regex", "default", "checks", "report_duplicates", "drop_invalid_rows", "metadata"),
)
# What it holds of a check besides its arguments.
OPTIONS = ("error", "ignore_na", "raise_warning", "n_failure_cases", "groupby", "groups")

_ANY: dict[str, Any] = {}
_BOOLEAN, _TEXT = {"type": ["boolean", "null"]}, {"type": ["string", "null"]}
_PROPORTION = {"type": "number", "minimum": 0, "maximum": 1}
_LEVELS, _MAYBE_LEVELS = {"type": "array", "minItems": 1}, {"type": ["array", "null"]}
_COUNTS = {"type": "array", "items": {"type": "integer", "minimum": 0}}
_UNITS = {"type": ["array", "null"], "items": {"type": "string"}}
_LIMIT, _LISTED = {"type": ["number", "null"]}, {"type": "array"}


def _keys(names: str, expected: dict[str, Any]) -> dict[str, Any]:
    return dict.fromkeys(names.split(), expected)


def _object(keys: Mapping[str, Any], required: Iterable[str] = ()) -> dict[str, Any]:
    names = {"enum": list(keys)}
    return {"type": "object", "properties": keys, "propertyNames": names, "required": required}


_TABLE = _object(
    _keys("schema_type version api dataframe_library columns checks index multiindex dtype", _ANY)
    | _keys("strict name unique title description report_duplicates", _ANY)
    | _keys("coerce ordered unique_column_names add_missing_columns drop_invalid_rows", _BOOLEAN)
    | {"metadata": {"type": ["object", "null"]}}
)
_COLUMN = (
    _keys(" ".join(NOT_CHECKS), _ANY)
    | _keys("nullable unique coerce required regex drop_invalid_rows", _BOOLEAN)
    | {"dtype": _TEXT}
)
_OF_CHECK = _object(
    _keys("check_name title description name n_failure_cases groupby groups", _ANY)
    | _keys("ignore_na raise_warning", _BOOLEAN)
    | {"error": _TEXT}
)
# The arguments of autotype's checks, and of some of pandera's that it makes.
_ARGUMENTS = {
    "is_ordinal": _object({"order": _LEVELS, "off_scale": _MAYBE_LEVELS}, ["order"]),
    "is_categorical": _object({"levels": _LEVELS}, ["levels"]),
    "varies": _object({"top_share": _PROPORTION}, ["top_share"]),
    "has_level_shares": _object(
        {"levels": _LISTED, "counts": _COUNTS, "tolerance": _PROPORTION},
        ["levels", "counts", "tolerance"],
    ),
    "is_date": _object({"day_first": _BOOLEAN, "tolerance": _PROPORTION}),
    "is_amount": _object(
        _keys("min_value max_value", _LIMIT) | {"units": _UNITS, "tolerance": _PROPORTION}
    ),
    "in_range": _object(
        _keys("min_value max_value", _ANY) | _keys("include_min include_max", _BOOLEAN)
    ),
    "isin": _object(_keys("allowed_values value", _LISTED)),
}


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
        check(plain, _TABLE)
        columns, metadata = plain.get("columns"), plain.get("metadata") or {}
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
    check(column, _object(_COLUMN | {key: _ANY for key in column if _is_check(key)}), path)
    for name, stated, options, place in _checks(column, path):
        if not _is_check(name):
            raise misfit(place, f": {name!r} is no check; import the module that registers it")
        check(options, _OF_CHECK, f"{place}.options")
        if name in _ARGUMENTS:
            check(stated, _ARGUMENTS[name], place)
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
        key = nan_key(decode_hashable(level))
        if key in seen:
            raise misfit(place, f": the level {level!r} is repeated")
        seen.add(key)
    if "counts" in stated and len(stated["counts"]) != len(levels):
        raise misfit(f"{place}.counts", f": {len(stated['counts'])} counts of {len(levels)} levels")
