"""What the names of columns say."""

from __future__ import annotations

import pytest

from autotype.types.column_names import stem, unnamed, unnamed_place


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


@pytest.mark.parametrize(
    ("name", "place"),
    [
        (unnamed(3), 3),
        ("Unnamed: 0", 0),
        ("Unnamed: 2.1", 2),
        (("wave", "Unnamed: 1_level_1"), 1),
        ("Unnamed", None),
        ("Unnamed: x", None),
        ("age", None),
        (7, None),
    ],
)
def test_the_place_of_a_column_without_a_name(name, place):
    assert unnamed_place(name) == place
