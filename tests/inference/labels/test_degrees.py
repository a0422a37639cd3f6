"""Labels of gradable words and modifiers are ranked by one family of words."""

from autotype.inference.labels.degrees import read_composition
from autotype.inference.labels.languages import language
from autotype.inference.labels.tokens import read_label


def order_of(levels, code="en"):
    words = language(code)
    reading = read_composition([read_label(level, words.split) for level in levels], words)
    if reading is None:
        return None
    return [levels[i] for i in sorted(reading.ranks, key=reading.ranks.get)]


def test_degrees_of_one_family():
    levels = ["very useful", "not at all useful", "somewhat useful", "useful"]
    assert order_of(levels) == [levels[1], levels[2], levels[3], levels[0]]


def test_answers_with_degrees():
    levels = ["Yes, definitely", "No, probably not", "Yes, probably", "No, definitely not"]
    assert order_of(levels) == [levels[3], levels[1], levels[2], levels[0]]


def test_the_middle_of_a_comparison_may_be_unknown():
    levels = ["much worse", "worse", "as foreseen", "better", "much better"]
    assert order_of(levels[::-1]) == levels


def test_degrees_of_another_language():
    levels = ["sehr zufrieden", "eher unzufrieden", "eher zufrieden", "sehr unzufrieden"]
    assert order_of(levels, "de") == [levels[3], levels[1], levels[2], levels[0]]


def test_names_are_no_composition():
    assert order_of(["Paris", "London", "Rome"]) is None
    assert order_of(["good"]) is None


def test_the_answer_gives_its_sign_to_the_degree_behind_it():
    levels = ["No, very unhappy", "No, unhappy", "Yes, happy", "Yes, very happy"]
    assert order_of([levels[k] for k in (2, 0, 3, 1)]) == levels
    whole = ["No, very", "No, somewhat", "Yes, somewhat", "Yes, very"]
    assert order_of([whole[k] for k in (1, 3, 0, 2)]) == whole


def test_what_some_of_the_labels_are_about_is_skipped():
    levels = ["No, very bad", "No, bad for zorp", "Yes, good", "Yes, very good for zorp"]
    assert order_of([levels[k] for k in (2, 0, 3, 1)]) == levels
    levels = ["very unhappy", "unhappy", "happy zorp", "very happy zorp"]
    assert order_of(levels[::-1]) == levels
