from __future__ import annotations

import _pyio
import errno
import os
import stat

import pytest

from autotype.errors import UnwritableTypesError
from autotype.types import atomic_file
from autotype.types.atomic_file import is_stream, write_text

on_posix = pytest.mark.skipif(os.name == "nt", reason="of POSIX")


def test_writes_utf8_and_leaves_nothing_beside(tmp_path) -> None:
    write_text(tmp_path / "a.txt", "größe\n")
    assert (tmp_path / "a.txt").read_bytes() == "größe\n".encode()
    assert os.listdir(tmp_path) == ["a.txt"]


def test_lines_end_alike_on_every_system(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(os, "linesep", "\r\n")  # which Python's own, slow files ask for
    monkeypatch.setattr(atomic_file, "open", _pyio.open, raising=False)
    write_text(tmp_path / "a.txt", "1\n2\n")
    assert (tmp_path / "a.txt").read_bytes() == b"1\n2\n"


def test_the_disk_is_flushed_by_a_handle_for_writing(tmp_path, monkeypatch) -> None:
    """Windows refuses any other."""
    flushed = []

    def fsync(descriptor: int) -> None:
        flushed.append(os.write(descriptor, b""))  # an error, if it is open for reading alone

    monkeypatch.setattr(os, "fsync", fsync)
    write_text(tmp_path / "a.txt", "x")
    assert flushed == [0]


@on_posix
def test_replaces_and_keeps_permissions(tmp_path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("old")
    path.chmod(0o640)
    write_text(path, "new")
    assert path.read_text() == "new"
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


@on_posix
def test_follows_a_symbolic_link(tmp_path) -> None:
    (tmp_path / "real.txt").write_text("old")
    (tmp_path / "link.txt").symlink_to(tmp_path / "real.txt")
    write_text(tmp_path / "link.txt", "new")
    assert (tmp_path / "link.txt").is_symlink()
    assert (tmp_path / "real.txt").read_text() == "new"


@pytest.mark.parametrize("stop", [OSError("disk full"), KeyboardInterrupt()])
def test_a_failure_leaves_the_old_file_alone(tmp_path, monkeypatch, stop) -> None:
    path = tmp_path / "a.txt"
    path.write_text("old")

    def fail(*_):
        raise stop

    monkeypatch.setattr(atomic_file.os, "replace", fail)
    with pytest.raises(type(stop)):
        write_text(path, "new")
    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == ["a.txt"]


def test_a_read_only_file_that_cannot_be_replaced(tmp_path, monkeypatch) -> None:
    """Windows neither replaces nor removes a read-only file."""
    path = tmp_path / "a.txt"
    path.write_text("old")
    path.chmod(0o400)
    unlink = os.unlink

    def refuse(source, target):
        raise PermissionError(errno.EACCES, "Access is denied", target)

    def unlink_writable(name):
        if not os.stat(name).st_mode & stat.S_IWRITE:
            raise PermissionError(errno.EACCES, "Access is denied", name)
        unlink(name)

    monkeypatch.setattr(os, "replace", refuse)
    monkeypatch.setattr(os, "unlink", unlink_writable)
    with pytest.raises(PermissionError, match=r"Access is denied.*a\.txt"):
        write_text(path, "new")
    monkeypatch.undo()
    assert os.listdir(tmp_path) == ["a.txt"]
    path.chmod(0o600)  # so that Windows can remove the folder


def test_missing_folder(tmp_path) -> None:
    with pytest.raises(FileNotFoundError, match=r"there is no such folder.*none'$"):
        write_text(tmp_path / "none" / "a.txt", "x")


def test_writes_through_what_is_not_a_regular_file() -> None:
    write_text(os.devnull, "x")
    assert not os.path.isfile(os.devnull)


@on_posix
def test_a_name_as_long_as_names_can_be(tmp_path) -> None:
    write_text(tmp_path / ("n" * 255), "x")
    assert (tmp_path / ("n" * 255)).read_text() == "x"


@on_posix
def test_an_open_descriptor_of_a_file_is_written_to_itself(tmp_path) -> None:
    with open(tmp_path / "a.txt", "w+") as file:
        (tmp_path / "link").symlink_to(f"/dev/fd/{file.fileno()}")
        assert is_stream(tmp_path / "link")
        write_text(tmp_path / "link", "through a link")
        assert file.read() == "through a link"
    assert not is_stream(tmp_path / "a.txt")


def test_descriptors_that_are_no_links(tmp_path, monkeypatch) -> None:
    """As those of macOS, where /dev/fd/3 of a regular file looks like one."""
    (tmp_path / "3").write_text("old")
    monkeypatch.setattr(os.path, "realpath", {str(tmp_path): "/dev/fd"}.get)
    assert is_stream(tmp_path / "3")


@on_posix
def test_a_pipe(tmp_path) -> None:
    reading, writing = os.pipe()
    write_text(f"/dev/fd/{writing}", "x")
    os.close(writing)
    with open(reading) as file:
        assert file.read() == "x"


def test_half_of_a_character_is_refused(tmp_path) -> None:
    with pytest.raises(UnwritableTypesError, match="surrogates not allowed; correct the text"):
        write_text(tmp_path / "a.csv", "\ud800")
    assert not list(tmp_path.iterdir())
