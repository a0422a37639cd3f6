"""Read the numbers and strings of binary formats one after another."""

from __future__ import annotations


class BinaryReader:
    r"""Bytes, and the place up to which they have been read.

    Numbers have seven bits a byte, as in Thrift, Avro and protocol buffers. All methods raise
    IndexError beyond the end.

    Examples
    --------
    >>> reader = BinaryReader(b"\x96\x01\x03ab")
    >>> reader.unsigned(), reader.signed(), reader.take(2), reader.is_at_end
    (150, -2, b'ab', True)
    """

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._place = 0

    @property
    def is_at_end(self) -> bool:
        """Whether all has been read."""
        return self._place >= len(self._data)

    def take(self, n: int) -> bytes:
        """Return the next bytes."""
        start = self._place
        if not 0 <= n <= len(self._data) - start:
            raise IndexError("a part is cut off")
        self._place += n
        return self._data[start : self._place]

    def byte(self) -> int:
        """Return the next byte."""
        return self.take(1)[0]

    def unsigned(self) -> int:
        """Return a number that is not negative."""
        value = shift = 0
        while (byte := self.byte()) & 128:
            value |= (byte & 127) << shift
            shift += 7
        return value | byte << shift

    def signed(self) -> int:
        """Return a number whose sign is in its lowest bit."""
        value = self.unsigned()
        return (value >> 1) ^ -(value & 1)
