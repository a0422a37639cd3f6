"""Two jobs do not write into one folder at the same time."""

from __future__ import annotations

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from threading import Barrier

import pytest

from autotype.cli.failures import WrongUseError
from autotype.cli.job import folder_lock

_HELD = r"--folder .*: another job is writing there; wait for its end, or give another --folder$"
_HOLDER = """
import sys
from autotype.cli.job import folder_lock

with folder_lock(sys.argv[1]):
    print("held", flush=True)
    input()
"""


@contextmanager
def holder_of(folder, environment):
    """A process that holds the lock of a folder."""
    command = [sys.executable, "-c", _HOLDER, str(folder)]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    with subprocess.Popen(command, env=environment, **pipes) as child:
        try:
            assert child.stdout.readline() == "held\n"
            yield child
        finally:
            child.kill()


def contents(folder) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in folder.iterdir()}


def test_a_second_job_is_refused(survey, call, tmp_path, child_environment) -> None:
    pytest.importorskip("jinja2")
    command = ("infer", "survey.csv", "--folder", "OUT")
    assert call(*command).returncode == 0
    before = contents(tmp_path / "OUT")
    with holder_of(tmp_path / "OUT", child_environment):
        done = call(*command, "--force")
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr == (
            "autotype: error: --folder OUT: another job is writing there; wait for its end, or "
            "give another --folder\n"
        )
    assert contents(tmp_path / "OUT") == before
    assert call(*command).returncode == 0


def test_a_killed_job_leaves_no_lock(tmp_path, child_environment) -> None:
    with holder_of(tmp_path, child_environment) as child:
        with pytest.raises(WrongUseError, match=_HELD), folder_lock(tmp_path):
            pass
        child.kill()  # SIGKILL: nothing of its own runs any more
        child.wait()
        with folder_lock(tmp_path):
            pass


def test_an_error_or_interruption_releases_the_lock(tmp_path) -> None:
    for problem in (OSError, KeyboardInterrupt):
        with pytest.raises(problem), folder_lock(tmp_path):
            raise problem


@pytest.mark.parametrize("content", ["", '{"pid": 1}', "\x00"])
def test_a_file_of_this_name_is_no_lock(tmp_path, content) -> None:
    (tmp_path / "job.lock").write_text(content)
    with folder_lock(tmp_path):
        pass


def test_a_file_that_cannot_be_opened(tmp_path) -> None:
    (tmp_path / "job.lock").mkdir()
    with pytest.raises(WrongUseError, match=r"^--folder .*job\.lock"), folder_lock(tmp_path):
        pass


def test_one_of_many_jobs_gets_the_lock(tmp_path) -> None:
    def enter(all_have_tried: Barrier) -> bool:
        try:
            with folder_lock(tmp_path):
                all_have_tried.wait()
                return True
        except WrongUseError:
            all_have_tried.wait()
            return False

    with ThreadPoolExecutor(8) as pool:
        for _ in range(20):
            assert sum(pool.map(enter, [Barrier(8, timeout=60)] * 8)) == 1
