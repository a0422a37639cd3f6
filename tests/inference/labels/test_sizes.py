"""Sizes in two parts or in fractions."""

import pytest

from autotype.inference.labels.rules import read_labels


@pytest.mark.parametrize(
    "order",
    [
        ["34A", "34B", "36A", "36C"],
        ["75B", "80A", "80DD"],
        ["W30/L32", "W31/L32", "W32/L30", "W32/L34"],
        ['1/2"', '3/4"', '1"', '1 1/4"'],
    ],
)
def test_sizes_are_ordered_by_their_first_number(order):
    read = read_labels(order[::-1])
    assert (read.order, read.rule.decides) == (tuple(order), True)


@pytest.mark.parametrize(
    "levels", [["31A", "30B", "12C"], ["1/2", "3/8", "5/6"], ["32/34", "30/30"]]
)
def test_seats_and_ratios_are_no_sizes(levels):
    assert read_labels(levels).detail != "sizes"
