"""The number of workers, as joblib resolves it."""

from __future__ import annotations

import sys

import joblib
import pytest

from autotype.inference.workers import count_threads, needs_joblib


@pytest.mark.parametrize(("n_jobs", "expected"), [(1, 1), (2, 2), (-1, 3), (-2, 2), (99, 3)])
def test_threads_are_at_most_one_a_core(monkeypatch, n_jobs, expected) -> None:
    monkeypatch.setattr("joblib.cpu_count", lambda: 3)
    monkeypatch.setattr("joblib._parallel_backends.cpu_count", lambda: 3)
    assert count_threads(n_jobs) == expected


def test_none_is_for_the_configuration_to_decide(monkeypatch) -> None:
    monkeypatch.setattr("joblib.cpu_count", lambda: 3)
    assert count_threads(None) == 1
    with joblib.parallel_config(n_jobs=2):
        assert count_threads(None) == 2
    monkeypatch.delitem(sys.modules, "joblib")
    assert not needs_joblib(None)
    assert needs_joblib(2)


def test_a_worker_of_joblib_has_one() -> None:
    """Threads within workers would compete with the other workers."""
    counted = joblib.Parallel(n_jobs=2)(joblib.delayed(count_threads)(None) for _ in range(2))
    assert counted == [1, 1]
