from __future__ import annotations

import numpy as np
import pytest

from autotype.lexicon import letters
from autotype.lexicon.languages import codes
from autotype.lexicon.toml_files import read_toml

WITHOUT_LEGACY_ENCODING = {"az", "bn", "hi", "hy", "ka", "kk", "mn", "ta"}


def test_each_language_has_its_letters() -> None:
    stated = read_toml("letters")
    listed = [own["languages"].split() for own in stated["script"] if "languages" in own]
    alphabetic = {code for own in listed for code in own}
    ideographic = {own["language"] for own in stated["frequent"]}
    assert alphabetic | ideographic | WITHOUT_LEGACY_ENCODING == set(codes())


@pytest.mark.parametrize("script", range(letters.LATIN, letters.IDEOGRAPHIC))
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
