"""Write files of SAS by the C library that pyreadstat is built on, which Python cannot call.

Its functions are looked up in the shared library of pyreadstat, which exports them on Linux.
"""

from __future__ import annotations

import ctypes
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

_STRING, _DOUBLE = 0, 5  # types of values
_WRITER = ctypes.CFUNCTYPE(
    ctypes.c_ssize_t, ctypes.POINTER(ctypes.c_char), ctypes.c_size_t, ctypes.c_void_p
)


def _library() -> Any:
    parser = pytest.importorskip("pyreadstat._readstat_parser")
    library = ctypes.CDLL(parser.__file__)
    if not hasattr(library, "readstat_begin_writing_sas7bdat"):
        pytest.skip("this build of pyreadstat does not export the functions of ReadStat")
    for name in ("writer_init", "add_label_set", "add_variable"):
        getattr(library, f"readstat_{name}").restype = ctypes.c_void_p
    return library


class _File:
    """A file in the making; `call` calls a function of the library on it."""

    def __init__(self) -> None:
        self._library = _library()
        self._parts: list[bytes] = []
        self._keep = _WRITER(self._write)
        self._writer = ctypes.c_void_p(self._library.readstat_writer_init())
        self.call("set_data_writer", self._keep)

    def _write(self, data: Any, length: int, _: Any) -> int:
        self._parts.append(ctypes.string_at(data, length))
        return length

    def call(self, name: str, *arguments: Any, on: Any = None) -> Any:
        return getattr(self._library, f"readstat_{name}")(on or self._writer, *arguments)

    def save(self, path: Path) -> str:
        assert self.call("end_writing") == 0
        self.call("writer_free")
        path.write_bytes(b"".join(self._parts))
        return str(path)


def write_sas7bdat(
    path: Path, columns: Mapping[str, Sequence[Any]], formats: Mapping[str, str]
) -> str:
    """Write columns of floats or strings; a string such as ".a" among floats is a tag."""
    file = _File()
    variables = {}
    for name, values in columns.items():
        is_text = all(isinstance(v, str) for v in values)
        width = max((len(v.encode()) for v in values), default=1) if is_text else 8
        kind = _STRING if is_text else _DOUBLE
        variable = file.call("add_variable", name.encode(), kind, ctypes.c_size_t(width))
        variables[name] = ctypes.c_void_p(variable), is_text
        file.call("variable_set_label", f"About {name}".encode(), on=variables[name][0])
        if name in formats:
            file.call("variable_set_format", formats[name].encode(), on=variables[name][0])
    n_rows = len(next(iter(columns.values())))
    assert file.call("begin_writing_sas7bdat", None, ctypes.c_long(n_rows)) == 0
    for row in range(n_rows):
        file.call("begin_row")
        for name, (variable, is_text) in variables.items():
            value = columns[name][row]
            if is_text:
                file.call("insert_string_value", variable, value.encode())
            elif value is None:
                file.call("insert_missing_value", variable)
            elif isinstance(value, str):
                tag = ctypes.c_char(value[1:].encode())
                file.call("insert_tagged_missing_value", variable, tag)
            else:
                file.call("insert_double_value", variable, ctypes.c_double(value))
        file.call("end_row")
    return file.save(path)


def write_sas7bcat(path: Path, lists: Mapping[str, Mapping[Any, str]]) -> str:
    """Write value labels by the name of their format."""
    file = _File()
    for name, labels in lists.items():
        held = ctypes.c_void_p(file.call("add_label_set", _DOUBLE, name.encode()))
        for value, text in labels.items():
            file.call("label_double_value", ctypes.c_double(value), text.encode(), on=held)
    assert file.call("begin_writing_sas7bcat", None) == 0
    return file.save(path)
