from __future__ import annotations

import pytest

from autotype.models.svm.base import thread_count


def test_counts() -> None:
    assert thread_count(None) == 1
    assert thread_count(3) == 3
    assert thread_count(-1) >= 1
    assert thread_count(-10_000) == 1


def test_zero_is_refused() -> None:
    with pytest.raises(ValueError, match="got 0; pass 1 or -1"):
        thread_count(0)
