"""What the names of the items of a questionnaire share."""

from __future__ import annotations

import pytest

from autotype.types.batteries import stem


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("ST25Q01", "st25q"),
        ("Q12", "q"),
        ("mood_3b", "mood"),
        ("item.a", "item"),
        ("age", "age"),
        (("wave", "q7"), "q"),
        (7, "7"),
        ("", ""),
    ],
)
def test_stem(name, expected):
    assert stem(name) == expected
