"""Every write of every output, killed or refused by the disk at each step: old file or new file."""

from __future__ import annotations

import builtins
import contextlib
import errno
import io
import json
import os
import re
import shutil
import signal
import traceback
import warnings
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from autotype.cli import main

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not hasattr(os, "fork"), reason="forks"),
]

CSV = "size,n,price\n" + "S,1,2.50\nM,2,3.75\nL,3,1.00\nXL,4,1.25\n" * 5
COMMANDS = {
    "infer": "infer a.csv --json t.json --html t.html --schema s.yaml",
    "validate": "validate b.csv --schema known.yaml --json v.json --html v.html --junit v.xml"
    " --failed-rows rows.csv",
    "compare": "compare known.json known.json --json c.json --html c.html",
    "report": "report known.json -o r.html",
    **{
        f"apply {ending}": f"apply a.csv --types known.json -o o.{ending}"
        for ending in ("csv", "tsv.gz", "jsonl", "parquet", "xlsx", "sav", "dta")
    },
    "folder": "infer a.csv b.csv --folder out",
}
OLD = b"of yesterday"
KILLED = 99


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("faults")
    (folder / "a.csv").write_text(CSV)
    (folder / "b.csv").write_text(CSV.replace("XL", "XXL"))
    known = ["infer", "a.csv", "--json", "known.json", "--schema", "known.yaml", "--quiet"]
    assert _in_this_process(folder, known) == 0
    return folder


@pytest.mark.parametrize("fault", ["killed", "full disk"])
@pytest.mark.parametrize("command", COMMANDS)
def test_each_file_is_the_old_or_the_new_one(command, fault, folder, tmp_path) -> None:
    arguments = [*COMMANDS[command].split(), "--quiet"]
    inputs = _files(folder)
    shutil.copytree(folder, whole := tmp_path / "whole")
    code = _in_this_process(whole, arguments)
    expected = {name: text for name, text in _files(whole).items() if name not in inputs}
    assert expected
    assert code in (0, 1)
    old = [name for name in expected if "/" not in name]  # a job reads its own state
    step, n_disturbed = 0, 0
    while True:
        step += 1
        shutil.copytree(folder, place := tmp_path / str(step))
        for name in old:
            (place / name).write_bytes(OLD)
        ended = _in_child(place, arguments, lambda step=step: _disturb(step, fault))
        found = _files(place)
        parts = {name for name in found if Path(name).name.endswith(".part")}
        assert fault == "killed" or not parts
        assert found.keys() - parts <= expected.keys() | inputs.keys(), step
        for name, text in expected.items():
            now = found.get(name, None if name in old else OLD)
            if name == "out/state.json" and now != OLD:  # renewed after each table
                assert json.loads(now)["tables"].keys() <= json.loads(text)["tables"].keys()
            else:
                assert now in (OLD, text), (step, name)
        assert {name: found[name] for name in inputs} == inputs
        n_disturbed += ended != code
        if ended == code:
            break
        assert ended == (KILLED if fault == "killed" else 2)
        # The next run is not held up by what remains.
        if step % 4 == 0:
            assert _in_child(place, arguments, lambda: None) == code
            again = _files(place)
            assert {name: again[name] for name in expected} == expected
        shutil.rmtree(place)
    assert n_disturbed >= 1


def _files(folder: Path) -> dict[str, bytes]:
    found = (path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): _content(path) for path in found}


def _content(path: Path) -> bytes:
    """Return the bytes of a file; of SPSS, Stata and Excel those that hold no time of writing."""
    content = path.read_bytes()
    if content == OLD:
        return content
    if path.suffix == ".xlsx":
        with zipfile.ZipFile(path) as archive:
            return archive.read("xl/worksheets/sheet1.xml")
    if path.parent.name == "out":  # a job notes where its files are, and how long it took
        content = re.sub(rb'(?<=")/[^"]*/|(?<="seconds": )[0-9.]+', b"0", content)
    return content[200:] if path.suffix in (".sav", ".dta") else content


def _in_this_process(folder: Path, arguments: list[str]) -> int:
    """Run a command here, so that processes forked later need not load its libraries."""
    with contextlib.chdir(folder), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return main(arguments)


def _in_child(folder: Path, arguments: list[str], prepare: Callable[[], None]) -> int:
    """Run a command in a forked process and return its exit code."""
    child = os.fork()
    if child == 0:
        code = 70
        try:
            os.chdir(folder)
            silent = os.open(os.devnull, os.O_WRONLY)
            os.dup2(silent, 1)
            if os.environ.get("SHOW_CHILD") is None:
                os.dup2(silent, 2)
            warnings.simplefilter("ignore")
            prepare()
            code = main(arguments)
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(code)
    _, status = os.waitpid(child, 0)
    assert os.WIFEXITED(status), signal.Signals(os.WTERMSIG(status))
    return os.WEXITSTATUS(status)


def _disturb(at: int, fault: str) -> None:
    """Disturb the call number `at` of those that change the disk, in this process."""
    left = at

    def is_time() -> bool:
        nonlocal left
        left -= 1
        return left == 0

    def stop() -> None:
        if fault == "killed":
            os._exit(KILLED)
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    def disturbed(call: Callable[..., Any]) -> Callable[..., Any]:
        def disturbed_call(*arguments: Any, **options: Any) -> Any:
            if is_time():
                stop()
            return call(*arguments, **options)

        return disturbed_call

    true_open = builtins.open

    def open_file(path: Any, mode: str = "r", *arguments: Any, **options: Any) -> Any:
        file = true_open(path, mode, *arguments, **options)
        is_written = not isinstance(path, int) and set(mode) & set("wxa+")
        if not is_written or str(path).startswith(("/proc", "/dev")):
            return file
        write = file.write
        n_writes = 0

        def write_half(data: Any) -> Any:
            nonlocal n_writes
            n_writes += 1
            # openpyxl writes a sheet in 688 pieces: after 16, each time that they have doubled.
            if (n_writes <= 16 or n_writes.bit_count() == 1) and is_time():
                write(data[: len(data) // 2])
                file.flush()
                stop()
            return write(data)

        file.write = write_half
        return file

    for name in ("replace", "fsync", "unlink", "link", "mkdir"):
        if fault == "killed" or name in ("fsync", "mkdir", "link"):
            setattr(os, name, disturbed(getattr(os, name)))
    builtins.open = io.open = open_file  # type: ignore[assignment]
