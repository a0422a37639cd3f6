"""Two jobs do not write into one folder at the same time."""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack

import pytest

from autotype.cli.failures import WrongUseError
from autotype.cli.job_lock import folder_lock

_TOKEN = "0123456789abcdef"
_HELD = r"another job \(process \d+ on .*\) is writing there; wait .* delete .*job\.lock"


def write_lock(folder, pid: int, *, host: str | None = None, token: str = _TOKEN) -> None:
    content = {"pid": pid, "host": platform.node() if host is None else host, "token": token}
    (folder / "job.lock").write_text(json.dumps(content))


@pytest.fixture
def ended() -> int:
    """The number of a process that has ended."""
    child = subprocess.Popen([sys.executable, "-c", ""])
    child.wait()
    return child.pid


@pytest.fixture
def running():
    """The number of a process that runs."""
    child = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    yield child.pid
    child.communicate()


def test_a_second_job_is_refused(survey, call, running, tmp_path) -> None:
    command = ("infer", "survey.csv", "--folder", "OUT")
    assert call(*command).returncode == 0
    before = {file.name: file.read_bytes() for file in (tmp_path / "OUT").iterdir()}
    assert "job.lock" not in before
    write_lock(tmp_path / "OUT", running)
    done = call(*command, "--force")
    assert (done.returncode, done.stdout) == (2, "")
    lock = os.path.join("OUT", "job.lock")
    assert done.stderr == (
        f"autotype: error: --folder OUT: another job (process {running} on {platform.node()}) is "
        "writing there; wait for its end, or give another --folder; if no such job runs, delete "
        f"{lock}\n"
    )
    (tmp_path / lock).unlink()
    after = {file.name: file.read_bytes() for file in (tmp_path / "OUT").iterdir()}
    assert after == before
    assert call(*command).returncode == 0


def test_the_lock_of_a_killed_job_is_replaced(tmp_path, ended) -> None:
    write_lock(tmp_path, ended)
    with folder_lock(tmp_path):
        assert json.loads((tmp_path / "job.lock").read_text())["pid"] == os.getpid()
    assert os.listdir(tmp_path) == []


def test_the_same_process_number_in_another_container(tmp_path) -> None:
    write_lock(tmp_path, os.getpid())
    with folder_lock(tmp_path):
        pass


@pytest.mark.skipif(os.name == "nt", reason="Windows asks by removing the file")
def test_a_process_of_another_user_runs(tmp_path, monkeypatch) -> None:
    def refuse(pid: int, signal: int) -> None:
        raise PermissionError

    monkeypatch.setattr(os, "kill", refuse)
    write_lock(tmp_path, 1 + os.getpid())
    with pytest.raises(WrongUseError, match=_HELD), folder_lock(tmp_path):
        pass


def test_a_job_of_another_computer_may_run(tmp_path, ended) -> None:
    write_lock(tmp_path, ended, host="elsewhere")
    with pytest.raises(WrongUseError, match=_HELD), folder_lock(tmp_path):
        pass


@pytest.mark.parametrize(
    "content", ["", "[]", "{", '{"pid": 1}', '{"pid": -1, "host": "h", "token": "../x"}']
)
def test_a_lock_that_names_no_job(tmp_path, content) -> None:
    (tmp_path / "job.lock").write_text(content)
    with pytest.raises(WrongUseError, match="another job is writing"), folder_lock(tmp_path):
        pass
    assert (tmp_path / "job.lock").read_text() == content


def test_a_folder_that_is_gone(tmp_path) -> None:
    folder = tmp_path / "none"
    with pytest.raises(WrongUseError, match=r"none.*no such file"), folder_lock(folder):
        pass


def test_one_of_many_jobs_replaces_the_lock_of_a_killed_one(tmp_path, ended, monkeypatch) -> None:
    # Threads of one process: their own lock is to look held.
    monkeypatch.setattr("autotype.cli.job_lock._is_stale", lambda holder: holder.pid == ended)

    def enter(_: int) -> bool:
        with ExitStack() as stack:
            try:
                stack.enter_context(folder_lock(tmp_path))
            except WrongUseError:
                return False
            entered.append(stack.pop_all())
            return True

    for _ in range(20):
        entered: list[ExitStack] = []
        write_lock(tmp_path, ended)
        with ThreadPoolExecutor(8) as pool:
            results = list(pool.map(enter, range(16)))
        assert sum(results) == 1
        assert len(entered) == sum(results)
        for stack in entered:
            stack.close()


def test_a_claim_on_the_lock_of_a_killed_job(tmp_path, ended) -> None:
    write_lock(tmp_path, ended)
    (tmp_path / f"job.lock.{_TOKEN}").touch()
    with pytest.raises(WrongUseError, match=_HELD), folder_lock(tmp_path):
        pass
    (tmp_path / f"job.lock.{_TOKEN}").unlink()
    with folder_lock(tmp_path):
        pass


def test_windows_removes_no_lock_that_is_open(tmp_path, ended, monkeypatch) -> None:
    def refuse(path: str) -> None:
        if str(path).endswith("job.lock"):
            raise PermissionError
        unlink(path)

    unlink = os.unlink
    write_lock(tmp_path, ended)
    monkeypatch.setattr(os, "name", "nt")
    monkeypatch.setattr(os, "unlink", refuse)
    with pytest.raises(WrongUseError, match=_HELD), folder_lock(tmp_path):
        pass
