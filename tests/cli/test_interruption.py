"""Ctrl-C and SIGTERM end a run with its workers, and leave nothing half-written."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

import numpy as np
import pandas as pd
import pytest

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="reads /proc"),
]


@pytest.fixture(autouse=True)
def heeds_ctrl_c():
    """Heed SIGINT here, and so in children: jobs in a shell's background start deaf to it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def alive(pid: int) -> bool:
    """Whether a process runs; one that has ended but was not yet waited for does not."""
    try:
        with open(f"/proc/{pid}/stat") as file:
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def session_of(leader: int) -> list[int]:
    """Processes of the session that a process leads: itself, and its workers."""
    found = []
    for name in os.listdir("/proc"):
        try:
            if name.isdigit() and os.getsid(int(name)) == leader and alive(int(name)):
                found.append(int(name))
        except OSError:
            continue
    return found


def eventually(condition, seconds: float = 60.0) -> bool:
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if condition():
            return True
        time.sleep(0.05)
    return False


@pytest.fixture
def slow_table(tmp_path):
    """A table that two workers type in several times as long as any test waits for."""
    random = np.random.default_rng(0)
    latent = random.normal(size=(600, 1))
    codes = np.clip(np.round(latent + random.normal(size=(600, 300)) + 8), 0, 15).astype(int)
    letters = np.array(list("abcdefghijklmnop"))[codes]
    pd.DataFrame(letters, columns=[f"c{j}" for j in range(300)]).to_csv(
        tmp_path / "slow.csv", index=False
    )


@pytest.mark.parametrize(
    ("sent", "to_all", "code", "seconds"),
    [
        (signal.SIGINT, True, 130, 2.5),  # as a terminal does, when imports are long behind
        (signal.SIGINT, True, 130, 0.0),  # when workers have just begun to import
        (signal.SIGTERM, False, 143, 2.5),
    ],
)
def test_workers_end_and_no_file_remains(
    slow_table, tmp_path, child_environment, sent, to_all, code, seconds
) -> None:
    command = [sys.executable, "-m", "autotype", "infer", "slow.csv", "--jobs", "2"]
    child = subprocess.Popen(
        [*command, "--json", "types.json"],
        cwd=tmp_path,
        env=child_environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    try:
        assert eventually(lambda: len(working(child.pid, seconds)) >= 2), "workers never started"
        if to_all:
            os.killpg(child.pid, sent)
        else:
            child.send_signal(sent)
        output, error = child.communicate(timeout=60)
        assert (child.returncode, output) == (code, b"")
        assert error == b"", error.decode()
        assert eventually(lambda: session_of(child.pid) == [])
        assert os.listdir(tmp_path) == ["slow.csv"]
    finally:
        for pid in session_of(child.pid):
            os.kill(pid, signal.SIGKILL)
        child.communicate()  # closes its pipes, also where an assertion has failed


def working(leader: int, seconds: float) -> list[int]:
    """Workers of a session that have run for so many seconds."""
    return [pid for pid in session_of(leader) if is_worker(pid) and cpu_seconds(pid) >= seconds]


def is_worker(pid: int) -> bool:
    try:
        with open(f"/proc/{pid}/cmdline", "rb") as file:
            return b"LokyProcess" in file.read()
    except OSError:
        return False


def cpu_seconds(pid: int) -> float:
    try:
        with open(f"/proc/{pid}/stat") as file:
            fields = file.read().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
