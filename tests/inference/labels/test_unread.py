"""Words that the vocabulary does not know."""

import pytest

from autotype.inference.labels.unread import (
    complete_cut_words,
    corrections,
    coverage,
    edit_distance,
)
from autotype.lexicon.languages import language
from autotype.lexicon.tokens import read_label


def test_share_of_known_labels_and_the_unknown_words():
    labels = [read_label(text) for text in ("good", "quux", "don't know", "12")]
    share, unread = coverage(labels, language("en"))
    assert share == pytest.approx(2 / 3)  # the number holds no word
    assert unread == ("quux",)
    assert coverage([read_label("12")], language("en")) == (0.0, ())


def test_cut_words_are_completed_in_one_family():
    english = language("en")
    assert complete_cut_words(["very satisf", "satisfied"], english) == [
        "very satisfied",
        "satisfied",
    ]
    assert complete_cut_words(["good", "bad"], english) == []


def test_typos_are_corrected():
    english = language("en")
    assert "sometimes" in corrections("sometmes", english, is_cut=False)
    assert corrections("good", english, is_cut=False) == []
    assert corrections("とても", language("ja"), is_cut=False) == []


@pytest.mark.parametrize(
    ("first", "second", "most", "distance"),
    [
        ("good", "good", 1, 0),
        ("good", "god", 1, 1),
        ("good", "ogod", 1, 1),
        ("kitten", "sitting", 3, 3),
        ("kitten", "sitting", 1, 2),
        ("", "ab", 2, 2),
    ],
)
def test_edit_distances(first, second, most, distance):
    assert edit_distance(first, second, most) == distance
    assert edit_distance(second, first, most) == distance


def test_letters_of_another_script_are_no_typos_of_english():
    assert corrections("sometmеs", language("en"), is_cut=False) == []  # a Cyrillic е


def test_a_latin_letter_within_a_word_is_unknown_beside_other_scripts():
    japanese = language("ja")
    labels = [read_label(text, japanese.split) for text in ("wib", "B", "良い")]
    assert coverage(labels, japanese)[0] == pytest.approx(2 / 3)
