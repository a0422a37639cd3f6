"""One label as text: its words, its lead and its number."""

import pytest

from autotype.lexicon.tokens import (
    MAX_LENGTH,
    plain_words,
    read_label,
    settle_leads,
    split_phrases,
    split_words,
    without_accents,
)

PHRASES = ["very good", "Don't know", "  the Best  ", "< 5", "A+", "grey", "mañana", "++", "a\nb"]


@pytest.mark.parametrize(("english", "split"), [(True, split_words), (False, plain_words)])
def test_phrases_are_split_together_as_one_by_one(english, split):
    words = split_phrases(PHRASES, english=english)
    assert words == {phrase: split(phrase) for phrase in PHRASES if "\n" not in phrase}
    assert split_phrases([], english=english) == {}
    assert split_phrases(["low"], english=english) == {"low": ("low",)}


def test_words_of_other_scripts():
    assert plain_words("Очень хорошо") == ("очень", "хорошо")
    assert without_accents("٣ ①") == "3 1. "
    assert read_label("Very_good").key == "verygood"


@pytest.mark.parametrize(
    ("level", "number"), [("1,250", 1250.0), (2, 2.0), (True, None), ("x", None), (None, None)]
)
def test_plain_numbers(level, number):
    assert read_label(level).number == number


def test_long_texts_are_no_labels():
    assert read_label("x" * (MAX_LENGTH + 1)).words == ()


def test_leads_must_count_through():
    listed = settle_leads([read_label("1 low"), read_label("2 high")])
    assert [label.lead for label in listed] == [1, 2]
    loose = settle_leads([read_label("5 m"), read_label("10 min")])
    assert [label.lead for label in loose] == [None, None]


@pytest.mark.parametrize("digits", ["٠١٢٣٤٥٦٧٨٩", "۰۱۲۳۴۵۶۷۸۹", "०१२३४५६७८९", "๐๑๒๓๔๕๖๗๘๙"])
def test_digits_of_other_scripts(digits):
    assert without_accents(digits) == "0123456789"


def test_numbers_in_digits_of_other_scripts():
    assert read_label("۲").number == read_label("२").number == 2.0


def test_numbers_in_circles():
    circled = "".join(chr(0x2460 + k) for k in range(20))
    assert without_accents(circled).split() == [f"{k}." for k in range(1, 21)]


@pytest.mark.parametrize("missing", [None, float("nan")])
def test_missing_values_have_no_text(missing):
    assert read_label(missing).words == ()


@pytest.mark.parametrize(
    "text", ["Ｌｏｗ", "low\u200b", "\ufefflow", "l\u00adow", "𝗅𝗈𝗐", "\u00a0low", "ⓛⓞⓦ"]
)
def test_other_forms_of_letters_and_invisible_signs_are_plain(text):
    label = read_label(text)
    assert (label.text.casefold(), label.key) == ("low", "low")


@pytest.mark.parametrize("text", ["½", "m²", "①", "№ 1", "a…b"])
def test_signs_with_a_meaning_of_their_own_stay(text):
    assert read_label(text).text == text


def test_full_width_digits_are_numbers():
    assert read_label("１２").number == 12.0
