"""Every public call on frames of every kind; ``benchmarks/fuzz.py`` runs the same on thousands."""

from __future__ import annotations

from random import Random

import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.strategies.columns import KINDS
from tests.strategies.frame_calls import check_frame
from tests.strategies.frames import frames, random_frame

pytestmark = pytest.mark.slow


@settings(
    max_examples=30,
    derandomize=True,
    database=None,
    suppress_health_check=list(HealthCheck),
)
@given(frames, st.integers(0, 2**16))
def test_every_call_answers_or_raises_a_documented_error(frame: pd.DataFrame, seed: int) -> None:
    assert not check_frame(frame, Random(seed)).faults


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_every_call_on_columns_of_one_kind(kind) -> None:
    random = Random(1)  # three rows and more
    assert not check_frame(random_frame(random, (kind,)), random).faults
