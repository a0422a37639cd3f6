"""Codes with their labels: what is off the scale, and which order stands."""

from __future__ import annotations

from typing import Any

import pytest

from autotype.inference.labels.coded import off_scale_codes, read_coded
from autotype.inference.labels.evidence import NOMINAL
from autotype.types.codebook import CodebookEntry, value_key

FIVE = {1: "never", 2: "rarely", 3: "sometimes", 4: "often", 5: "always"}


def off(levels: list[Any], labels: dict[Any, str], missing: tuple[Any, ...] = ()) -> tuple:
    is_missing = CodebookEntry(missing=missing).is_missing
    return off_scale_codes(levels, labels, key=value_key, is_missing=is_missing)


@pytest.mark.parametrize(
    ("labels", "expected"),
    [
        (FIVE | {9: "don't know"}, (9,)),
        (FIVE | {7: "refused", 8: "don't know", 9: "no answer"}, (7, 8, 9)),
        (FIVE | {6: "don't know"}, (6,)),  # on the next number
        (FIVE | {0: "not applicable"}, (0,)),
        (FIVE | {-1: "Refused", 99: "NA"}, (-1, 99)),
        (FIVE | {8: "Missing/Refused"}, (8,)),
        (FIVE | {0: "NAP (code 3 in WORK)"}, (0,)),
        (FIVE | {8: "something rare", 9: "no answer"}, (8, 9)),  # in company, behind a gap
        ({1: "yes", 2: "don't know", 3: "no"}, ()),  # between them it is the middle
        ({1: "red", 2: "blue", 3: "other"}, ()),  # an answer like the others
    ],
)
def test_codes_off_the_scale(labels: dict[Any, str], expected: tuple) -> None:
    assert off(list(labels), labels) == expected


def test_ages_beside_a_declared_code_are_no_codes() -> None:
    ages = [0, 1, 2, 3, 4, 7, 8, 9, 12, 22, 41, 66, 77, 88, 93]
    assert off([*ages, 999], {999: "not stated"}, missing=(999,)) == (999,)


def test_declared_missing_values_are_off_the_scale() -> None:
    assert off([1, 2, 3, 4, 5, 6], FIVE | {6: "something"}, missing=(6,)) == (6,)


def test_unlabelled_codes_behind_a_gap_are_off_the_scale() -> None:
    assert off([1, 2, 3, 4, 5, 9], FIVE) == (9,)
    assert off([1, 2, 3, 4, 5, 6], FIVE) == ()


def test_ages_above_a_gap_stay() -> None:
    ages = [*range(18, 60), 66, 77, 98]
    assert off([*ages, 99], {99: "no answer"}) == (99,)


def test_not_all_codes_are_off_the_scale() -> None:
    assert off([8, 9], {8: "don't know", 9: "refused"}) == ()


@pytest.mark.parametrize(
    ("labels", "order"),
    [
        ({1: "high", 2: "medium", 3: "low"}, (3, 2, 1)),
        ({1: "positive", 2: "negative", 3: "neutral"}, (2, 3, 1)),  # labels against codes
        ({1: "nie/fast nie", 2: "manchmal", 3: "oft", 4: "fast immer/immer"}, (1, 2, 3, 4)),
        ({1: "never", 2: "xqzw", 3: "often", 4: "always"}, (1, 2, 3, 4)),  # by its code
        ({1: "Optimistic", 2: "Pessimistic", 3: "Neither"}, (1, 3, 2)),
    ],
)
def test_labels_and_codes_show_an_order(labels: dict[Any, str], order: tuple) -> None:
    evidence = read_coded(list(labels), labels)
    assert evidence.order in (order, order[::-1])
    assert evidence.rule.decides
    assert evidence.rule.trusted


def test_an_order_against_the_codes_is_named() -> None:
    labels = {1: "positive", 2: "negative", 3: "neutral"}
    assert read_coded([1, 2, 3], labels).detail.endswith("against the order of the codes")


@pytest.mark.parametrize(
    "labels",
    [
        {1: "never", 7: "always"},
        {1: "never", 4: "now and then", 7: "always"},
        {k: str(k) for k in range(1, 8)} | {1: "never", 7: "always"},
        {k: str(k) for k in range(1, 8)},
    ],
)
def test_numbers_labelled_at_their_ends_or_with_themselves(labels: dict[int, str]) -> None:
    evidence = read_coded([7, 6, 5, 4, 3, 2, 1], labels)
    assert evidence.order == (1, 2, 3, 4, 5, 6, 7)
    assert evidence.rule.name == "scale"


def test_a_number_that_is_open_above_is_no_end_of_a_scale() -> None:
    evidence = read_coded(list(range(6)), {0: "none", 5: "5 or more"})
    assert "ends" not in evidence.detail


def test_labels_that_are_not_read_have_the_order_of_the_codes_as_a_guess() -> None:
    evidence = read_coded([3, 1, 2], {1: "xqa", 2: "zwb", 3: "vkc"})
    assert evidence.rule.name == "coded"
    assert evidence.order == (1, 2, 3)
    assert not evidence.rule.decides


def test_an_answer_for_all_others_makes_names_of_unread_labels() -> None:
    assert read_coded([1, 2, 3], {1: "xqa", 2: "zwb", 3: "Other"}).rule == NOMINAL


@pytest.mark.parametrize("choice", ["Other (please specify)", "All of the above", "以上すべて"])
def test_a_choice_for_others_or_for_all_is_offered_by_lists_of_names(choice: str) -> None:
    names = {1: "flurb", 2: "grimble", 3: "plonk"}
    assert read_coded([1, 2, 3], names, declared=[*names.values(), choice]).rule == NOMINAL
    assert read_coded([1, 2, 3], names, declared=names.values()).rule.name == "coded"
    degrees = {1: "low", 2: "medium", 3: "high"}
    assert read_coded([1, 2, 3], degrees, declared=[*degrees.values(), choice]).order == (1, 2, 3)


def test_letters_are_answers_unless_the_question_asks_for_a_degree() -> None:
    letters = dict(enumerate("ABCDF", start=1))
    assert read_coded([1, 2, 3, 4, 5], letters, is_graded=False).rule.name == "scale"  # no E
    letters = dict(enumerate("ABCDE", start=1))
    assert read_coded([1, 2, 3, 4, 5], letters, is_graded=False).rule.name == "enumerator"


def test_other_beside_a_scale_is_off_it() -> None:
    labels = {1: "far left", 2: "left", 3: "center", 4: "right", 5: "far right", 6: "Other"}
    evidence = read_coded(list(labels), labels)
    assert evidence.order in ((1, 2, 3, 4, 5), (5, 4, 3, 2, 1))
    assert evidence.off_scale == (6,)


def test_what_is_numbered_behind_other_is_off_the_scale() -> None:
    texts = {1: "never", 2: "sometimes", 3: "always", 4: "other", 5: "blank ballot"}
    read = read_coded(list(texts), texts)
    assert (read.order, read.off_scale) == ((1, 2, 3), (4, 5))


def test_two_values_with_one_label() -> None:
    labels = {1: "low", 2: "medium", 3: "high", 4: "high"}
    assert read_coded(list(labels), labels).order == (1, 2, 3, 4)


def test_codes_of_letters() -> None:
    labels = {"M": "moderate", "S": "severe", "L": "mild"}
    assert read_coded(list(labels), labels).order == ("L", "M", "S")
