"""Shapes of JSON values: how a field is written, read back, and described in the JSON Schema.

A field of a report has one shape, so that these three cannot disagree. JSON has fewer classes than
a level may have: what a shape writes is what readers of JSON expect, such as the text of a date,
and its exact form is written beside it where the two differ.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from autotype.types.codec.json_values import as_unicode, decode_hashable, encode, simplify
from autotype.wording import format_value


class Shape:
    """The shape of a field.

    Parameters
    ----------
    schema : dict
        The JSON Schema of what is written.
    write : callable
        Converts a value to one of JSON's.
    read : callable
        Restores a value from what was written, or from its exact form. Raises TypeError or
        ValueError for anything else.
    exact : callable, optional
        Returns the part of a value that JSON may not hold; without it JSON holds all values.
    """

    def __init__(
        self,
        schema: dict[str, Any],
        write: Callable[[Any], Any],
        read: Callable[[Any], Any],
        exact: Callable[[Any], Any] | None = None,
    ) -> None:
        self.schema, self.write, self.part = schema, write, exact
        self._read = read

    def exact(self, value: Any) -> Any:
        """Return the exact form of a value; None if what is written is exact."""
        part = None if self.part is None else self.part(value)
        encoded = encode(part)
        return None if encoded == simplify(part) else encoded

    def read(self, plain: Any, exact: Any = None) -> Any:
        """Restore a value from what was written, and from its exact form if there is one."""
        return self._read(plain if exact is None else exact)


class Pairs(Shape):
    """A list of objects of two fields, of which the first may have an exact form.

    Parameters
    ----------
    first, second : (str, Shape)
        Key and shape of each field.
    pairs : callable
        Returns the pairs of a value.
    build : callable
        Returns the value of some pairs.
    """

    def __init__(
        self,
        first: tuple[str, Shape],
        second: tuple[str, Shape],
        pairs: Callable[[Any], Iterable[tuple]] = tuple,
        build: Callable[[list[tuple]], Any] = tuple,
    ) -> None:
        (self._key, self._first), (other, rest) = first, second
        self._build = build
        part = self._first.part
        super().__init__(
            array_of(object_schema({key: (shape, "") for key, shape in (first, second)})),
            lambda value: [
                {self._key: self._first.write(a), other: rest.write(b)} for a, b in pairs(value)
            ],
            lambda plain: [rest.read(item[other]) for item in as_list(plain)],
            None if part is None else lambda value: [part(a) for a, _ in pairs(value)],
        )

    def read(self, plain: Any, exact: Any = None) -> Any:
        """Restore the pairs."""
        seconds = self._read(plain)
        firsts = [item[self._key] for item in plain] if exact is None else as_list(exact)
        return self._build(list(zip(map(self._first.read, firsts), seconds, strict=True)))


# Of each key of an object its shape and a sentence on its meaning.
Fields = Mapping[str, tuple[Shape, str]]


def write_fields(value: Any, fields: Fields) -> dict[str, Any]:
    """Return the attributes of a value as JSON has them."""
    return {key: shape.write(getattr(value, key)) for key, (shape, _) in fields.items()}


def write_exactly(value: Any, fields: Fields) -> dict[str, Any]:
    """Return the attributes of a value, and in ``exact`` those that JSON does not hold as such."""
    forms = {key: shape.exact(getattr(value, key)) for key, (shape, _) in fields.items()}
    exact = {key: form for key, form in forms.items() if form is not None}
    return write_fields(value, fields) | ({"exact": exact} if exact else {})


def read_fields(plain: Any, fields: Fields, *, optional: Iterable[str] = ()) -> dict[str, Any]:
    """Restore the attributes of a value.

    Raises
    ------
    KeyError
        For a key that is neither there nor optional.
    TypeError, ValueError
        For a value of another shape.
    """
    exact = as_object(plain.get("exact", {}), "'exact'")
    return {
        key: shape.read(plain[key], exact.get(key))
        for key, (shape, _) in fields.items()
        if key in plain or key not in optional
    }


def object_schema(fields: Fields, **more: Any) -> dict[str, Any]:
    """Return the JSON Schema of an object that has these fields and no others."""
    return {
        "type": "object",
        "required": list(fields),
        "additionalProperties": False,
        **more,
        "properties": describe(fields),
    }


def describe(fields: Fields) -> dict[str, Any]:
    """Return the JSON Schema of each field."""
    return {
        key: {**({"description": sentence} if sentence else {}), **shape.schema}
        for key, (shape, sentence) in fields.items()
    }


def array_of(schema: dict[str, Any]) -> dict[str, Any]:
    """Return the JSON Schema of a list."""
    return {"type": "array", "items": schema}


# Readers of values, which refuse all others.


def as_object(plain: Any, what: str) -> Mapping[str, Any]:
    """Return an object of JSON."""
    if not isinstance(plain, Mapping):
        raise TypeError(f"{what} is {format_value(plain)}, not an object")
    return plain


def as_list(plain: Any, what: str = "a list") -> list:
    """Return a list."""
    if not isinstance(plain, list):
        raise TypeError(f"{format_value(plain)} is not {what}")
    return plain


def as_number(plain: Any) -> float:
    """Return a number; NaN for null."""
    if plain is None:
        return math.nan
    if isinstance(plain, bool) or not isinstance(plain, (int, float)):
        raise TypeError(f"{format_value(plain)} is not a number")
    try:
        float(plain)
    except OverflowError:
        raise ValueError("an integer is larger than any float") from None
    return plain


def is_count(plain: Any) -> bool:
    """Check whether a value is an integer from 0 up that 64 bits hold."""
    return isinstance(plain, int) and not isinstance(plain, bool) and 0 <= plain < 2**63


def _of_class(kind: type, expected: str) -> Callable[[Any], Any]:
    def read(plain: Any) -> Any:
        if not isinstance(plain, kind):
            raise TypeError(f"{format_value(plain)} is {expected}")
        return as_unicode(plain) if kind is str else plain

    return read


def _probability(plain: Any) -> float:
    probability = as_number(plain)
    if not (math.isnan(probability) or 0 <= probability <= 1):
        raise ValueError(f"{format_value(plain)} is not a probability")
    return probability


def _count(plain: Any) -> int:
    if not is_count(plain):
        raise TypeError(f"{format_value(plain)} is not a number from 0 up")
    return plain


def _levels(plain: Any) -> tuple:
    return tuple(map(decode_hashable, as_list(plain, "a list of levels")))


def _order(plain: Any) -> tuple | None:
    return None if plain is None else _levels(plain)


def reference(name: str) -> dict[str, Any]:
    """Return the JSON Schema that refers to a definition of the report's."""
    return {"$ref": f"#/$defs/{name}"}


STRING = Shape({"type": "string"}, as_unicode, _of_class(str, "not a string"))
BOOLEAN = Shape({"type": "boolean"}, bool, _of_class(bool, "neither true nor false"))
COUNT = Shape(reference("count"), int, _count)
NUMBER = Shape({"type": ["number", "null"]}, simplify, as_number)
FIGURE = Shape(reference("figure"), simplify, as_number)
PROBABILITY = Shape(reference("probability"), simplify, _probability)
LIST = Shape({"type": "array"}, simplify, as_list)
LEVEL = Shape({}, simplify, decode_hashable, lambda level: level)
LEVELS = Shape({"type": "array"}, simplify, _levels, list)
ORDER = Shape(
    reference("order"), simplify, _order, lambda order: None if order is None else list(order)
)


def many(shape: Shape, build: Callable[[list], Any] = tuple) -> Shape:
    """Return the shape of several values of one shape."""
    part = shape.part
    return Shape(
        array_of(shape.schema),
        lambda values: [shape.write(value) for value in values],
        lambda plain: build([shape.read(item) for item in as_list(plain)]),
        None if part is None else lambda values: [part(value) for value in values],
    )


def choice(name: str, values: Sequence[str]) -> Shape:
    """Return the shape of a field that has one of some values."""

    def read(plain: Any) -> str:
        if plain not in values:
            raise ValueError(f"{name!r} is {format_value(plain)}, not one of {values}")
        return plain

    return Shape({"enum": list(values)}, str, read)
