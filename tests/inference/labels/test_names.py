"""Names of things, and dates."""

import datetime

import pytest

from autotype.inference.labels.evidence import NO_RULE, NOMINAL
from autotype.inference.labels.names import name_shares, read_dates, read_hours
from autotype.inference.labels.rules import read_labels
from autotype.lexicon.languages import language
from autotype.lexicon.tokens import read_label


def labels_of(levels, code="en"):
    return [read_label(level, language(code).split) for level in levels]


def test_two_of_three_names_are_enough_and_one_of_two_is_not():
    assert read_labels(["red", "green", "quux"]).rule == NOMINAL
    assert read_labels(["red", "quux"]).rule == NO_RULE
    share, what = name_shares(labels_of(["red", "green", "quux"]), language("en"))
    assert share == pytest.approx(2 / 3)
    assert what == "colors"


def test_codes_count_in_capitals_only():
    english = language("en")
    assert name_shares(labels_of(["DE", "FR", "IT", "GB"]), english)[0] == 1.0
    assert name_shares(labels_of(["dE", "fR", "iT", "gB"]), english) == (0.0, "")


@pytest.mark.parametrize(
    "codes",
    [
        ["RA", "SN", "DZ", "FG"],
        ["Af", "Cfa", "Cfb", "ET"],
        ["GNB", "GNC", "GPB", "GPC"],
        ["PVS1", "PM2", "PP3", "BA1"],
        ["PO", "IV", "SC", "SL"],
        ["LG", "NG", "CE", "N"],
        ["feat", "fix", "chore"],
        ["C", "I1", "I2", "M1", "M2"],
    ],
)
def test_codes_that_standards_define_are_names(codes):
    assert read_labels(codes).rule == NOMINAL


@pytest.mark.parametrize("letters", [["A", "B", "C", "D"], ["H", "L", "M"], ["S", "M", "L"]])
def test_single_letters_are_no_codes_of_names(letters):
    assert read_labels(letters).rule != NOMINAL


def test_one_word_that_all_hold_is_no_name_of_theirs():
    oranges = ["one orange", "two oranges", "orange of mine or more"]
    assert name_shares(labels_of(oranges), language("en")) == (0.0, "")


def test_names_of_another_language():
    assert name_shares(labels_of(["rot", "grün", "blau"], "de"), language("de"))[0] == 1.0


@pytest.mark.parametrize(
    "levels",
    [
        [datetime.date(2019, 5, 1), datetime.date(2020, 1, 1)],
        ["2019-05", "2019-11", "2020-01"],
        ["2018/19", "2019/20"],
        ["2019 Q4", "2020 Q1"],
        ["Dec 2019", "January 2020"],
        ["Fall 2023", "Spring 2024"],
    ],
)
def test_dates_stand_in_time(levels):
    reading = read_dates(labels_of(levels))
    assert sorted(reading.ranks, key=reading.ranks.get) == list(range(len(levels)))
    assert not reading.cyclic


def test_what_is_no_date():
    assert read_dates(labels_of(["2019-05", "never"])) is None
    assert read_dates(labels_of(["2019-05"])) is None


def test_hours_of_the_day_are_cyclic():
    reading = read_hours(labels_of(["6am-9am", "12pm-3pm", "12am-6am"]))
    assert sorted(reading.ranks, key=reading.ranks.get) == [2, 0, 1]
    assert reading.cyclic
    assert read_hours(labels_of(["6-9", "10-12"])) is None
