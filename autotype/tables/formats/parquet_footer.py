"""Read the sizes that the footer of a Parquet file states of its columns.

pyarrow (26) decodes statistics of sizes with them, and ends the process where these are damaged.
"""

from __future__ import annotations

import os
from typing import IO, Any, NamedTuple

_TAIL = 8  # bytes behind the footer: its length, and a mark
_DELTA_BYTE_ARRAY = 7
_TRUE, _FALSE, _BYTE, _DOUBLE, _BINARY, _LIST, _SET, _MAP, _STRUCT = 1, 2, 3, 7, 8, 9, 10, 11, 12


class ChunkSizes(NamedTuple):
    """What is stated of a column in a group of rows.

    Attributes
    ----------
    n_values, n_bytes : int
        Its values, and the bytes that its pages unpack to.
    has_dictionary, shares_prefixes : bool
        Whether pages repeat strings by their number in a dictionary, or by the length that they
        share with the one before.
    """

    n_values: int
    n_bytes: int
    has_dictionary: bool
    shares_prefixes: bool


def read_sizes(file: IO[bytes]) -> list[list[ChunkSizes]]:
    """Return the sizes of each column of each group of rows.

    Raises
    ------
    ValueError
        If the footer is damaged.
    """
    file.seek(-_TAIL, os.SEEK_END)
    n_bytes = int.from_bytes(file.read(4), "little")
    file.seek(-_TAIL - n_bytes, os.SEEK_END)
    try:
        groups = _Compact(file.read(n_bytes)).struct()[4]
        # By the numbers of the fields: row groups, columns and their metadata.
        return [[_sizes(chunk[3]) for chunk in group[1]] for group in groups]
    except (IndexError, KeyError, TypeError, RecursionError) as problem:
        raise ValueError("the footer is damaged") from problem


def _sizes(stated: dict[int, Any]) -> ChunkSizes:
    n_values, n_bytes, encodings = stated[5], stated[6], stated[2]
    return ChunkSizes(n_values, n_bytes, 11 in stated, _DELTA_BYTE_ARRAY in encodings)


class _Compact:
    """Values in the compact protocol of Thrift: structures are mappings by number of field."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = 0

    def struct(self) -> dict[int, Any]:
        fields, number = {}, 0
        while head := self._byte():
            number = number + (head >> 4) if head >> 4 else self._signed()
            kind = head & 15
            fields[number] = kind == _TRUE if kind in (_TRUE, _FALSE) else self._value(kind)
        return fields

    def _value(self, kind: int) -> Any:
        if kind == _STRUCT:
            return self.struct()
        if kind in (_LIST, _SET):
            head = self._byte()
            n = head >> 4 if head >> 4 < 15 else self._unsigned()
            return [self._value(head & 15) for _ in range(n)]
        if kind == _MAP:
            n = self._unsigned()
            kinds = self._byte() if n else 0
            return [(self._value(kinds >> 4), self._value(kinds & 15)) for _ in range(n)]
        if kind == _BINARY:
            return self._skip(self._unsigned())
        if kind == _DOUBLE:
            return self._skip(8)
        return self._byte() if kind in (_TRUE, _FALSE, _BYTE) else self._signed()

    def _skip(self, n: int) -> None:
        self._at += n
        if self._at > len(self._data):
            raise IndexError("beyond the end")

    def _byte(self) -> int:
        self._at += 1
        return self._data[self._at - 1]

    def _unsigned(self) -> int:
        value = shift = 0
        while (byte := self._byte()) & 128:
            value |= (byte & 127) << shift
            shift += 7
        return value | byte << shift

    def _signed(self) -> int:
        value = self._unsigned()
        return (value >> 1) ^ -(value & 1)
