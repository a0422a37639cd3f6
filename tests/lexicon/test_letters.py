from __future__ import annotations

import numpy as np
import pytest

from autotype.lexicon import letters
from autotype.lexicon.languages import codes

WITHOUT_LEGACY_ENCODING = {"az", "bn", "hi", "hy", "ka", "kk", "mn", "ta"}


def test_each_language_has_its_letters() -> None:
    alphabetic = {code for own in letters._LANGUAGES.values() for code in own.split()}
    ideographic = {code for code, _ in letters._FREQUENT}
    assert alphabetic | ideographic | WITHOUT_LEGACY_ENCODING == set(codes())


@pytest.mark.parametrize("script", letters._LANGUAGES)
def test_pairs_of_letters_are_probabilities(script) -> None:
    _, log_probability = letters.letter_pairs(script)
    probability = np.exp(log_probability)
    assert (probability > 0).all()
    np.testing.assert_allclose(probability.sum(axis=2), 1, atol=0.02)


def test_characters_of_east_asia_are_probabilities() -> None:
    probability = np.exp(letters.ideographs())
    assert (probability > 0).all()
    np.testing.assert_allclose(probability.sum(axis=1), 1, atol=0.1)


@pytest.mark.parametrize(
    ("character", "script"),
    [("a", letters.LATIN), ("ß", letters.LATIN), ("Ж", letters.CYRILLIC), ("ά", letters.GREEK),
     ("ש", letters.HEBREW), ("ج", letters.ARABIC), ("ั", letters.THAI), ("東", letters.IDEOGRAPHIC),
     ("ｼ", letters.IDEOGRAPHIC), ("1", 0), ("×", 0), ("ª", 0), ("\u0301", 0)],
)  # fmt: skip
def test_scripts(character, script) -> None:
    assert letters.scripts()[ord(character)] == script


def test_letters_that_stand_for_others_in_code_pages() -> None:
    index, _ = letters.letter_pairs(letters.LATIN)
    assert index[ord("ţ")] > letters._MORE_LETTER
    assert index[ord("Ţ")] == index[ord("ţ")]


def test_letters_of_languages_without_words() -> None:
    index, _ = letters.letter_pairs(letters.CYRILLIC)
    assert index[ord("ө")] == letters._MORE_LETTER
    assert index[ord("ѯ")] == letters.OTHER_LETTER
