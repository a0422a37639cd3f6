"""Texts that a spreadsheet program would take for formulas."""

from __future__ import annotations

import re
from typing import Any

import pandas as pd

_START = ("=", "+", "-", "@", "\t", "\r")
_NUMBER = re.compile(r"[-+]?(\d+([.,]\d*)?|[.,]\d+)([eE][-+]?\d+)?")
_MARK = "'"  # spreadsheet programs show the rest as text


def is_formula(value: Any) -> bool:
    r"""Check whether a text begins like a formula and is not just a number.

    Examples
    --------
    >>> [is_formula(value) for value in ("=1+1", "@SUM(A1)", "-5", -5, "a=b", "\t=1")]
    [True, True, False, False, False, True]
    """
    return isinstance(value, str) and value.startswith(_START) and not _NUMBER.fullmatch(value)


def escape_formulas(frame: pd.DataFrame) -> tuple[pd.DataFrame, list[str]]:
    """Insert an apostrophe before the texts and names of columns that begin like formulas.

    Parameters
    ----------
    frame : pandas.DataFrame
        It is not changed.

    Returns
    -------
    frame : pandas.DataFrame
    changed : list of str
        The columns with changed cells or a changed name.

    Examples
    --------
    >>> escaped, changed = escape_formulas(pd.DataFrame({"a": ["=1+1", "x"], "b": [-1, 2]}))
    >>> escaped["a"].tolist(), changed
    (["'=1+1", 'x'], ['a'])
    """
    columns, changed = [], []
    for j, name in enumerate(frame.columns):
        values = frame.iloc[:, j]
        levels = [level for level in _texts(values) if is_formula(level)]
        if levels:
            values = values.astype(object).map(lambda v: _MARK + v if is_formula(v) else v)
        if levels or is_formula(name):
            changed.append(str(name))
        columns.append(values)
    escaped = pd.DataFrame(dict(enumerate(columns)), index=frame.index)
    escaped.columns = pd.Index([_MARK + n if is_formula(n) else n for n in frame.columns])
    return escaped, changed


def _texts(values: pd.Series) -> list[str]:
    """Return the texts of a column; of a Categorical its categories, each once."""
    if isinstance(values.dtype, pd.CategoricalDtype):
        return [level for level in values.cat.categories if isinstance(level, str)]
    if pd.api.types.is_object_dtype(values) or pd.api.types.is_string_dtype(values):
        return [value for value in values if isinstance(value, str)]
    return []
