"""Read JSON of unknown origin: within limits, and without a second meaning."""

from __future__ import annotations

import json
import re
from functools import partial
from typing import Any

from autotype.errors import UnreadableTypesError

# Characters of a string, 256 Mi: reports of a hundred thousand columns are smaller.
MAX_JSON_SIZE = 2**28
# Lists and objects inside each other; a report has about ten.
MAX_JSON_DEPTH = 100
_CONSTANT = re.compile(r'"(?:[^"\\]|\\.)*"|(NaN|-?Infinity)')


def read_json(text: str) -> Any:
    """Read JSON text.

    Parameters
    ----------
    text : str

    Returns
    -------
    dict, list, str, int, float, bool or None

    Raises
    ------
    UnreadableTypesError
        If it is not JSON, larger or deeper than the limits, repeats a key of an object, or holds
        ``NaN`` or an infinity, which are no JSON.

    Examples
    --------
    >>> read_json('{"a": [1, 2.5]}')
    {'a': [1, 2.5]}
    >>> read_json('{"a": 1, "a": 2}')
    Traceback (most recent call last):
    ...
    autotype.errors.UnreadableTypesError: not JSON with one meaning: the key 'a' is repeated
    """
    if len(text) > MAX_JSON_SIZE:
        raise UnreadableTypesError(
            f"too long: {len(text):,} characters, more than the {MAX_JSON_SIZE:,} that are read"
        )
    try:
        refuse = partial(_refuse_constant, text)
        plain = json.loads(text, object_pairs_hook=_object, parse_constant=refuse)
    except json.JSONDecodeError as problem:
        raise UnreadableTypesError(f"not JSON: {problem}") from problem
    except RecursionError:
        raise UnreadableTypesError(_too_deep()) from None
    except ValueError as problem:  # of the hooks, or an integer of thousands of digits
        raise UnreadableTypesError(f"not JSON with one meaning: {problem}") from problem
    if not is_within_depth(plain):
        raise UnreadableTypesError(_too_deep())
    return plain


def is_within_depth(plain: Any) -> bool:
    """Check whether lists and objects are not nested deeper than `MAX_JSON_DEPTH`.

    Examples
    --------
    >>> is_within_depth([[1], {"a": []}])
    True
    """
    layer = [plain] if isinstance(plain, (dict, list)) else []
    for _ in range(MAX_JSON_DEPTH):
        layer = [
            item
            for value in layer
            for item in (value.values() if isinstance(value, dict) else value)
            if isinstance(item, (dict, list))
        ]
        if not layer:
            return True
    return not layer


def _too_deep() -> str:
    return f"nested deeper than the {MAX_JSON_DEPTH} lists and objects that are read"


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    read = dict(pairs)
    if len(read) < len(pairs):
        seen: set[str] = set()
        repeated = next(key for key, _ in pairs if key in seen or seen.add(key))  # type: ignore[func-returns-value]
        raise ValueError(f"the key {repeated!r} is repeated")
    return read


def _refuse_constant(text: str, name: str) -> Any:
    found = next(match for match in _CONSTANT.finditer(text) if match[1])
    line = text.count("\n", 0, found.start()) + 1
    raise ValueError(f"{name} in line {line} is no number of JSON; write null")
