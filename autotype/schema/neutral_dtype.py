"""Names of dtypes in a schema's file, the same whichever library held the columns."""

from __future__ import annotations

import re

# Names that pandera gives the dtypes of texts, which differ by the libraries installed.
_TEXT = re.compile(r"(large_)?string\[\w+\]|arrow_string")
_ARROW = re.compile(r"(?P<name>[a-z]+\d*)(\[(?P<unit>\w+)(, tz=(?P<zone>[^\]]+))?\])?\[pyarrow\]")
_FLOATS = {"double": "float64", "float": "float32", "halffloat": "float16"}


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
        ``"str"`` for texts of any storage, and for the numbers, truth values and times of Arrow
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
    """  # noqa: E501 - two calls a line
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
