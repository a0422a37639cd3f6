"""Words that the vocabulary does not know."""

import pytest

from autotype.inference.labels.rules import read_labels
from autotype.inference.labels.unread import (
    are_phrases_apart,
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
    completed = next(complete_cut_words(["very satisf", "satisfied"], english))
    assert completed == ["very satisfied", "satisfied"]
    assert list(complete_cut_words(["good", "bad"], english)) == []


@pytest.mark.parametrize(
    "order",
    [
        ["sehr unzufr.", "eher unzufr.", "teils/teils", "eher zufr.", "sehr zufr."],
        ["Totalm. en desacuerdo", "En desacuerdo", "De acuerdo", "Totalm. de acuerdo"],
        ["Discordo totalm.", "Discordo parcialm.", "Neutro", "Concordo totalm."],
        ["molto insodd.", "poco sodd.", "abb. sodd.", "molto sodd."],
        ["Très insat.", "Insat.", "Satisf.", "Très satisf."],
        ["полн. не удовл.", "скорее не удовл.", "скорее удовл.", "полн. удовл."],
        ["Compl. disagree", "Somewhat disagree", "Somewhat agree", "Compl. agree"],
        ["Hauptsch.", "Realsch.", "Gymn.", "Univ."],
        ["осн. общее", "ср. общее", "ср. проф.", "высшее"],
    ],
)
def test_words_before_a_full_stop_are_completed(order):
    assert list(read_labels(order).order) == order


def test_abbreviated_names_are_no_scale():
    assert read_labels(["Fin. services", "Mfg.", "Healthcare", "Retail", "Gov."]).order is None
    assert read_labels(["cas.", "solt.", "viud.", "div."]).order is None


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


def _are_apart(texts, code):
    own = language(code)
    return are_phrases_apart([read_label(text, own.split) for text in texts], own)


@pytest.mark.parametrize(
    ("code", "texts"),
    [
        ("en", ["a leaking roof", "broken street lamps", "noise at night"]),
        ("ko", ["도서관 건립", "공원 조성 사업", "주차장 확충 계획"]),
        ("zh", ["修建图书馆", "增加停车位", "改造旧城区"]),
    ],
)
def test_phrases_about_different_matters(code, texts):
    assert _are_apart(texts, code)


@pytest.mark.parametrize(
    ("code", "texts"),
    [
        ("en", ["a leaking roof", "noise at night"]),  # too few
        ("en", ["roof", "lamps", "noise"]),  # no phrases
        ("en", ["a leaking roof", "a repaired roof", "a renewed roof"]),  # one matter
        ("en", ["seen very often here", "rather new to me", "not known at all"]),  # degrees
        ("en", ["with 2 rooms", "noise at night", "broken street lamps"]),  # digits
        (
            "hr",
            ["sa štetom na vozilu", "sa ozlijeđenim osobama", "sa poginulim ljudima"],
        ),  # one form
    ],
)
def test_other_labels_are_no_phrases_apart(code, texts):
    assert not _are_apart(texts, code)


def test_only_labels_that_no_rule_reads_are_phrases_apart():
    assert read_labels(["a leaking roof", "noise at night", "broken street lamps", "n/a"]).apart
    assert not read_labels(["seldom or never", "now and then", "all the time"]).apart


def test_a_level_that_means_nearly_the_same_as_another_stands_beside_it():
    found = read_labels(["certain", "likely", "probable", "possible", "unlikely"])
    (twin,) = found.unplaced
    at = (found.order or ()).index("likely" if twin == "probable" else "probable")
    assert [k for k, gap in enumerate(found.gaps) if gap] == [at, at + 1]
    assert found.gaps[at] == found.gaps[at + 1]
