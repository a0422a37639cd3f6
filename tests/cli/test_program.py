"""What surrounds a command: signals, warnings and threads."""

from __future__ import annotations

import threading

import pytest

from autotype.cli.program import worker_thread_unseen


@pytest.mark.parametrize(("name", "is_seen"), [("ExecutorManagerThread", False), ("other", True)])
def test_the_thread_that_hands_out_tasks_fails_unseen(monkeypatch, name, is_seen) -> None:
    seen: list[str] = []
    monkeypatch.setattr(threading, "excepthook", lambda failure: seen.append(failure.thread.name))
    before = threading.excepthook
    with worker_thread_unseen():
        thread = threading.Thread(target={}.__getitem__, args=(1,), name=name)
        thread.start()
        thread.join()
    assert seen == [name] * is_seen
    assert threading.excepthook is before
