"""Addresses are read by fsspec, pipes at once, and files as often as needed."""

from __future__ import annotations

import os
import sys
import threading

import pytest

from autotype.errors import MissingExtraError, UnreadableTableError
from autotype.tables.table_file import open_source, read_file

CSV = b"a,b\n1,2\n"


@pytest.fixture
def memory():
    fsspec = pytest.importorskip("fsspec")
    system = fsspec.filesystem("memory")
    system.pipe("/data/a.csv", CSV)
    yield system
    system.rm("/data", recursive=True)


def test_an_address(memory) -> None:
    assert read_file("memory://data/a.csv").frame.to_numpy().tolist() == [[1, 2]]
    _, opened, n_bytes = open_source("memory://data/a.csv")
    assert n_bytes == len(CSV)
    for _ in range(2):
        with opened() as file:
            assert file.read() == CSV


def test_addresses_that_cannot_be_read(memory, monkeypatch) -> None:
    with pytest.raises(FileNotFoundError):
        read_file("memory://data/none.csv")
    with pytest.raises(IsADirectoryError, match="is a folder"):
        read_file("memory://data")
    with pytest.raises(UnreadableTableError, match=r"nosuch://a: cannot be read \(Protocol"):
        read_file("nosuch://a")
    with pytest.raises(FileNotFoundError):  # a chain of file systems is a file's name
        read_file("simplecache::memory://data/a.csv")
    monkeypatch.setitem(sys.modules, "fsspec", None)
    with pytest.raises(MissingExtraError, match=r"an address needs fsspec; type .*\[files\]"):
        read_file("memory://data/a.csv")


def test_an_address_without_a_size(memory, monkeypatch) -> None:
    system = type(memory)
    monkeypatch.setattr(system, "info", lambda self, path: {"name": path, "type": "file"})
    assert read_file("memory://data/a.csv").frame.shape == (1, 2)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes")
def test_a_pipe(tmp_path) -> None:
    path = str(tmp_path / "pipe")
    os.mkfifo(path)

    def write() -> None:
        with open(path, "wb") as file:
            file.write(CSV)

    writer = threading.Thread(target=write)
    writer.start()
    assert read_file(path).frame.shape == (1, 2)
    writer.join()
