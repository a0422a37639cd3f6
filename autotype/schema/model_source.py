"""Write a schema as the source of a pandera `DataFrameModel`, to be kept with other code."""

from __future__ import annotations

import ast
import keyword
import re
from collections.abc import Hashable
from typing import TYPE_CHECKING, Any

from autotype.schema.checks.registered_checks import MAIN_ARGUMENT
from autotype.schema.checks.rule_levels import levels_of

if TYPE_CHECKING:
    from pandera.pandas import Column, DataFrameSchema

_HEAD = '''\
from typing import Any

import autotype.pandera_checks  # registers is_ordinal and others
import pandas as pd
import pandera.pandas as pa
from pandera.engines import numpy_engine, pandas_engine
from pandera.typing import Series


class {name}(pa.DataFrameModel):
    """{title}."""

'''
# Names that the source uses: an attribute of that name would shadow it in the next lines.
_TAKEN = frozenset({"Any", "autotype", "pd", "pa", "numpy_engine", "pandas_engine", "Series"})
_CONFIG = ("name", "strict", "coerce", "ordered", "unique_column_names", "metadata")
_FIELD_NAMES = {
    "equal_to": "eq",
    "not_equal_to": "ne",
    "greater_than": "gt",
    "greater_than_or_equal_to": "ge",
    "less_than": "lt",
    "less_than_or_equal_to": "le",
}


def to_model_source(schema: DataFrameSchema, class_name: str = "Batch") -> str:
    """Write a schema as the source of a DataFrameModel that validates the same.

    Parameters
    ----------
    schema : pandera.pandas.DataFrameSchema
        From `to_schema` or `read_schema`, or any other with columns and registered checks only.
    class_name : str
        The model's name, an identifier.

    Returns
    -------
    str
        A module. Names that are no identifiers become ``column_0`` and so on, with an alias.

    Raises
    ------
    ValueError
        If the schema holds what a model's fields cannot: checks of the whole frame, an index,
        checks that are not registered, values without a literal.

    Examples
    --------
    >>> import pandas as pd, autotype
    >>> frame = pd.DataFrame({"size": ["M", "S", "L"] * 5})
    >>> schema = frame.ordinal.to_schema(frame.ordinal.infer_types(), name="shop")
    >>> names = {}
    >>> exec(compile(to_model_source(schema, "Shop"), "shop", "exec", dont_inherit=True), names)
    >>> names["Shop"].to_schema().columns["size"].dtype.categories
    ('S', 'M', 'L')
    """
    if not class_name.isidentifier() or keyword.iskeyword(class_name):
        raise ValueError(f"class_name must be an identifier, got {class_name!r}")
    if schema.checks or schema.index is not None or schema.dtype is not None:
        raise ValueError(
            "the schema holds checks of the whole frame, an index or one dtype for all; "
            "a generated model has columns only"
        )
    title = str(schema.title or schema.name or "Requirements on a batch")
    title = title.encode("unicode_escape").decode().replace('"', "'")
    fields = [_field(name, rule, j) for j, (name, rule) in enumerate(schema.columns.items())]
    return _HEAD.format(name=class_name, title=title) + "\n".join([*fields, *_config(schema)])


def _field(name: Hashable, rule: Column, position: int) -> str:
    from pandera.pandas import Check

    attribute = str(name) if _can_be_attribute(name) else f"column_{position}"
    annotation, arguments = _dtype(rule)
    if attribute != name:
        arguments["alias"] = name
    for check in rule.checks:
        key = _FIELD_NAMES.get(check.name, check.name)
        if not hasattr(Check, str(check.name)) or key in arguments:
            raise ValueError(
                f"column {name!r}: the check {check} is not registered, or not the only one of its "
                "name; a generated model cannot hold it"
            )
        arguments[key] = _statistics(check)
    arguments |= _options(rule)
    lines = [f"        {key}={_literal(value, name)},\n" for key, value in arguments.items()]
    return f"    {attribute}: Series[{annotation}] = pa.Field(\n{''.join(lines)}    )"


def _can_be_attribute(name: Hashable) -> bool:
    from pandera.pandas import DataFrameModel

    return (
        isinstance(name, str)
        and re.fullmatch(r"[a-zA-Z][a-zA-Z0-9_]*", name) is not None
        and not keyword.iskeyword(name)
        and not hasattr(DataFrameModel, name)
        and name not in _TAKEN
        and not name.startswith("column_")
    )


def _dtype(rule: Column) -> tuple[str, dict[str, Any]]:
    """Return the annotation of a column's dtype, and its arguments."""
    from pandera.dtypes import Category
    from pandera.engines import numpy_engine, pandas_engine

    dtype = rule.dtype
    if dtype is None:
        return "Any", {}
    if isinstance(dtype, Category):
        levels, ordered = levels_of(rule) or ([], False)
        # Levels of other classes are in the check alone.
        if not levels or not all(isinstance(level, (str, int)) for level in levels):
            return "pd.CategoricalDtype", {}
        return "pd.CategoricalDtype", {"dtype_kwargs": {"categories": levels, "ordered": ordered}}
    kind = type(dtype)
    for module in (numpy_engine, pandas_engine):
        if getattr(module, kind.__name__, None) is kind:
            kwargs = _dtype_arguments(dtype)
            if kwargs is not None:
                annotation = f"{module.__name__.rpartition('.')[2]}.{kind.__name__}"
                return annotation, {"dtype_kwargs": kwargs} if kwargs else {}
    raise ValueError(f"column {rule.name!r}: the dtype {dtype} has no source; set it to None")


def _dtype_arguments(dtype: Any) -> dict[str, Any] | None:
    """Return the arguments that construct a dtype from its class; None if unknown."""
    unit_and_zone = {"unit": getattr(dtype, "unit", None), "tz": str(getattr(dtype, "tz", None))}
    for arguments in (
        {},
        {"storage": getattr(dtype, "storage", None)},
        {"freq": getattr(getattr(dtype, "freq", None), "freqstr", None)},
        {"unit": unit_and_zone["unit"]},
        unit_and_zone,
    ):
        try:
            if type(dtype)(**arguments) == dtype:
                return arguments
        except (TypeError, ValueError):
            continue
    return None


def _statistics(check: Any) -> dict[str, Any]:
    statistics = {key: value for key, value in check.statistics.items() if value is not None}
    if check.name in MAIN_ARGUMENT and check.error:
        statistics["error"] = check.error
    return statistics


def _options(rule: Column) -> dict[str, Any]:
    """Return the options of a rule that differ from the defaults of a field."""
    defaults: dict[str, Any] = {
        "nullable": False,
        "unique": False,
        "coerce": False,
        "required": True,
    }
    defaults |= {"regex": False, "title": None, "description": None}
    return {k: getattr(rule, k) for k, default in defaults.items() if getattr(rule, k) != default}


def _config(schema: DataFrameSchema) -> list[str]:
    config = {key: getattr(schema, key) for key in _CONFIG if getattr(schema, key)}
    lines = [f"        {key} = {_literal(value, key)}" for key, value in config.items()]
    return ["", "    class Config:", *lines, ""] if lines else [""]


def _literal(value: Any, where: Hashable) -> str:
    text = repr(value)
    try:
        if ast.literal_eval(text) == value:
            return text
    except (ValueError, SyntaxError):
        pass
    raise ValueError(f"{where!r} holds {text}, which has no literal; remove it from the schema")
