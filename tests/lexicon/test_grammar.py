"""One label in the families of words of a language."""

import numpy as np
import pytest

from autotype.lexicon.grammar import BARE, combine, grammar, rate_place
from autotype.lexicon.languages import language


def placed(text, code="en", shared=frozenset()):
    words = language(code)
    return grammar(words).place(words.split(text), shared)


def test_place_is_core_plus_degree():
    assert placed("satisfied").places["satisfaction"] == BARE
    assert placed("very satisfied").places["satisfaction"] == pytest.approx(4.0)
    assert placed("very dissatisfied").places["satisfaction"] == pytest.approx(-4.0)
    assert placed("not at all satisfied").places["satisfaction"] == pytest.approx(-4.0)
    assert placed("very dissatisfied").signs["satisfaction"] == -1


def test_shift_and_shrink():
    assert placed("less than weekly").places["frequency"] == pytest.approx(1.0 - 0.5)
    assert placed("almost always").places["frequency"] == pytest.approx(6.0 * 0.85)


def test_between_two_ends():
    assert placed("neither good nor bad").places["quality"] == 0.0
    assert placed("neither nor").neutral
    assert placed("neutral").neutral
    assert not placed("good").neutral


def test_of_separators_the_one_of_most_letters_is_first_in_every_process():
    # "ne" alone means "neither" and "nor", too: a set of both has another order for another seed.
    assert placed("niti se ne strinjam niti se strinjam", "sl").places["agreement"] == 0.0


def test_prefixes_negate():
    assert placed("unrestricted").places["restricted"] == -BARE


def test_separated_verbs():
    assert placed("stimme voll und ganz zu", "de").places["agreement"] > BARE


def test_a_degree_alone_and_a_negated_low_end():
    assert placed("extremely").degree == 5.0
    assert placed("not at all dissatisfied").concords["satisfaction"] == pytest.approx(-4.0)


def test_shared_words_may_be_skipped():
    assert placed("very good teacher").places == {}
    shared = frozenset(["teacher"])
    assert placed("very good teacher", shared=shared).places["quality"] == pytest.approx(4.0)


def test_unknown_and_overlong_labels_have_no_place():
    assert placed("quux").places == {}
    assert placed("").places == {}
    assert placed("very " * 20 + "good").places == {}


def test_degrees_compose():
    assert combine([4.0]) == 4.0
    assert combine([-2.5, 5.5]) == -0.5  # not completely
    assert combine([-2.5, 4.0]) == -1.5  # not very
    assert combine([-2.5, 2.0]) == -1.9  # not somewhat
    assert combine([-2.5, 1.0]) == -4.0  # not a bit
    assert combine([4.0, 1.0]) == pytest.approx(0.7)  # very little
    assert combine([2.1, -2.5]) == pytest.approx(-2.5 + 0.3 * 0.9)  # rather not


def test_more_often_is_higher():
    rates = np.geomspace(0.4, 2000, 200)
    places = np.array([rate_place(rate) for rate in rates])
    assert np.all(np.diff(places) > 0)
    assert -6 < places[0] < places[-1] < 6  # between never and always
    assert rate_place(0.01) == places[0]
    assert rate_place(1e6) == places[-1]


def test_not_always_lies_between_sometimes_and_often():
    sometimes, not_always, often = (
        placed(text).places["frequency"] for text in ("sometimes", "not always", "often")
    )
    assert sometimes < not_always < often


def test_two_words_of_one_end_have_no_middle():
    assert placed("neither good nor excellent").places == {}
    assert placed("neither sometimes nor often").places == {}


@pytest.mark.parametrize(
    ("code", "frequency", "other"),
    [
        ("tr", "hep", "hepsi"),  # always, all of it
        ("ru", "обычно", "обычный"),  # usually, usual
        ("cs", "nikdy", "nikdo"),  # never, nobody
    ],
)
def test_words_of_one_stem_at_places_of_their_own_keep_their_endings(code, frequency, other):
    assert "frequency" in placed(frequency, code).places
    assert "frequency" not in placed(other, code).places


def test_a_word_that_is_a_place_is_not_its_degree_of_the_same_stem():
    assert placed("hele", "da").degree is None  # the whole of it
    assert placed("helt", "da").degree is not None  # wholly
