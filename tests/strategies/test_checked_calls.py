"""The campaign sees each way to break a promise."""

from __future__ import annotations

import warnings
from random import Random

import pandas as pd
import pytest

from tests.strategies.checked_calls import NO_ANSWER, CheckedCalls, TimeIsUp, frame_state
from tests.strategies.frames import random_frame


@pytest.fixture
def frame() -> pd.DataFrame:
    return pd.DataFrame({"size": ["S", "M"], "cells": [[1], {"a": 2}]})


@pytest.fixture
def checked(frame: pd.DataFrame) -> CheckedCalls:
    return CheckedCalls(lambda: frame_state(frame))


def findings(checked: CheckedCalls) -> list[str]:
    return list(map(str, checked.faults))


def test_a_plain_answer_is_no_fault(checked: CheckedCalls) -> None:
    assert checked.call("add", lambda: 1 + 1) == 2
    assert not checked.faults
    assert checked.n_calls == 1


def test_an_error_is_a_fault_unless_it_is_documented(checked: CheckedCalls) -> None:
    documented = ((ValueError, "^invalid literal"),)
    assert checked.call("read", lambda: int("x"), errors=documented) is NO_ANSWER
    assert checked.documented == {"read: ValueError": 1}
    checked.call("divide", lambda: 1 / 0, errors=documented)
    assert findings(checked) == ["divide: ZeroDivisionError: division by zero"]


def test_a_warning_is_a_fault_unless_it_is_documented(checked: CheckedCalls) -> None:
    checked.call("a", lambda: warnings.warn("old", UserWarning, 1), warns=((UserWarning, "old"),))
    assert not checked.faults
    checked.call("b", lambda: warnings.warn("new", UserWarning, 1), warns=((UserWarning, "old"),))
    assert findings(checked)[0].startswith("b: warned UserWarning: new")


def test_two_answers_are_a_fault(checked: CheckedCalls) -> None:
    answers = iter("ab")
    checked.call("next", lambda: next(answers))
    assert findings(checked)[0].startswith("next: two answers: ")


@pytest.mark.parametrize(
    "change",
    [
        lambda frame: frame.insert(0, "new", 1),
        lambda frame: frame.__setitem__("size", ["S", None]),
        lambda frame: setattr(frame, "columns", ["mass", "cells"]),
        lambda frame: frame["cells"].iloc[0].append(2),
        lambda frame: setattr(frame, "index", [7, 8]),
        lambda frame: frame.attrs.update(a=1),
    ],
)
def test_a_changed_input_is_a_fault(checked: CheckedCalls, frame, change) -> None:
    checked.call("change", lambda: change(frame), twice=False)
    assert "change: changed its input" in findings(checked)[0]


def test_time_that_is_up_is_a_fault(frame: pd.DataFrame) -> None:
    def never() -> None:
        try:
            raise TimeIsUp("no answer within 10 s")
        except Exception:
            return

    checked = CheckedCalls(lambda: frame_state(frame))
    checked.call("wait", never)
    assert findings(checked) == ["wait: TimeIsUp: no answer within 10 s"]


def test_the_same_seed_makes_the_same_frame() -> None:
    one, two = (random_frame(Random(7)) for _ in range(2))
    assert frame_state(one) == frame_state(two)
