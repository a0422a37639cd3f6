"""The vocabulary itself: well formed, and read back by its own rules."""

import pytest

from autotype.inference.labels.rules import read_labels
from autotype.lexicon.languages import codes, language
from autotype.lexicon.vocabulary import build_scale

key_of = language("en").key_of
SCALES = [scale for code in codes() for scale in language(code).scales]


def test_each_scale_has_a_name_and_two_ranks():
    for scale in SCALES:
        assert scale.name
        assert scale.n_ranks >= 2
        assert scale.needs <= scale.ranks.keys(), scale.name


def test_names_of_scales_are_unique_in_a_language():
    for code in codes():
        names = [scale.name for scale in language(code).scales]
        assert len(names) == len(set(names)), code


def test_a_word_with_two_ranks_is_refused():
    entry = {"name": "broken", "ranks": [["low"], ["high", "Low"]]}
    with pytest.raises(ValueError, match="scale 'broken' holds 'Low' at ranks 0 and 1"):
        build_scale(entry, False, key_of)


def test_lists_of_names_need_words_that_they_hold():
    for code in codes():
        for names in language(code).name_lists:
            plain = {"".join(filter(str.isalnum, key.lower())) for key in names.keys}
            assert names.needs <= names.keys | plain, names.name


def _rows():
    for entry in language("en").lists["scale"]:
        words = [synonyms[0] for synonyms in entry["ranks"]]
        # Where a scale needs other words than its first, these alone do not tell it.
        if not set(map(key_of, entry.get("needs", words))).isdisjoint(map(key_of, words)):
            yield pytest.param(entry, id=entry["name"])


@pytest.mark.parametrize("entry", list(_rows()))
def test_the_first_words_of_a_scale_are_read_in_its_order(entry):
    words = [synonyms[0] for synonyms in entry["ranks"]]
    order = read_labels(sorted(words)).order
    assert order is not None
    placed = [word for word in words if word in order]
    assert list(order) == placed
    assert len(placed) >= len(words) - 1


@pytest.mark.parametrize(
    "order",
    [
        ["Below", "Meets", "Exceeds"],
        ["Low", "Good", "Excellent", "Outstanding"],
        ["Unsatisfactory", "Needs improvement", "Meets standard", "Role model"],
        ["SM", "MD", "LG", "2X Large"],
        ["Initial", "Managed", "Defined", "Quantitatively managed", "Optimizing"],
        ["Ad hoc", "Repeatable", "Defined", "Managed", "Optimized"],
        ["New", "Open", "Pending", "Resolved", "Closed"],
        ["Much too small", "Too small", "About right", "Too big", "Much too big"],
        ["Pants on fire", "False", "Mostly false", "Half true", "Mostly true", "True"],
        ["Not a problem", "Minor problem", "Moderate problem", "Serious problem"],
        ["Beginner", "Elementary", "Pre-intermediate", "Intermediate", "Upper-intermediate"],
        ["2:2", "2:1", "1st"],
        ["infant", "toddler", "preschooler", "school age", "adolescent"],
        ["bad", "good"],
        ["poor", "good"],
        ["poor", "average", "good"],
        ["mild", "moderate", "severe"],
        ["moderate", "severe"],
        ["Inadequate", "Requires Improvement", "Good", "Outstanding"],
        ["no", "sometimes", "frequently", "always"],
        ["rare", "unlikely", "possible", "likely", "almost certain"],
        ["no pain", "mild pain", "moderate pain", "severe pain", "worst pain"],
        ["too little", "right amount", "too much", "far too much"],
        ["no trust at all", "little trust", "some trust", "complete trust"],
        ["harmless", "slightly harmful", "harmful", "extremely harmful"],
        ["lt-norm", "norm", "gt-norm"],
        ["trivial", "minor", "major", "critical", "blocker"],
        ["Month-to-month", "One year", "Two year"],
        ["within an hour", "within a few hours", "within a day", "a few days or more"],
        ["small business", "mid-market", "enterprise"],
        ["salvage", "fair", "good", "excellent", "like new", "new"],
        ["Fall 2023", "Spring 2024", "Fall 2024"],
        ["i", "ii", "iii", "iv"],
        ["IA", "IB", "IIA", "IIB", "IIIA", "IV"],
        ["less than one hour", "one to two hours", "three to four hours", "five or more hours"],
        ["Not in the past year", "Once in the past year", "More than once in the past year"],
        ["never married", "married once", "married twice or more"],
        ["never", "once or twice", "a few times", "many times"],
        ["on time", "slightly late", "late", "very late"],
        ["strong sell", "sell", "hold", "buy", "strong buy"],
        ["current", "30 days late", "60 days late", "90 days late", "default"],
        ["ECOG 0", "ECOG 1", "ECOG 2"],
        ["bottom", "middle", "top"],
        ["low", "normal", "high"],
        ["light", "normal", "heavy"],
        ["loose", "tight"],
        ["slow", "medium", "fast"],
        ["minor", "major"],
    ],
    ids=str,
)
def test_words_of_several_scales_keep_their_usual_order(order):
    assert read_labels(order).order == tuple(order)


@pytest.mark.parametrize(
    ("stated", "cyclic", "known"),
    [({}, False, True), ({}, True, False), ({"direction": False}, False, False)],
)
def test_the_low_end_is_known_unless_the_scale_is_cyclic_or_says_otherwise(stated, cyclic, known):
    entry = {"name": "seasons", "ranks": [["spring"], ["summer"], ["autumn"]], **stated}
    assert build_scale(entry, cyclic, key_of).direction is known
