"""Lists of several answers in one cell."""

from __future__ import annotations

from autotype.inference.profile.multi_select import find_list


def test_two_answers_and_both_of_them_are_lists() -> None:
    assert find_list(["Bus", "Train", "Bus,Train"]) == (",", ("Bus", "Train"))
    assert find_list(["1", "2", "1,2"]) is None
    assert find_list(["Bus", "Train", "Bike,Car"]) is None


def test_cells_that_close_each_item_are_lists() -> None:
    assert find_list(["Bus;", "Train;", "Bus;Train;", "a horse;"]) == (
        ";",
        ("Bus", "Train", "a horse"),
    )
