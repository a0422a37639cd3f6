from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from autotype.tables.text.encoding import readability
from tests.reference.readability import readability as one_by_one

_TEXTS = [
    "",
    "plain",
    "Größe\nÜBUNG\nStraße 5",
    "Łódź\ngłęboki\nKRAKÓW",
    "Пермь\nИжевск\nXдом",
    "Ελλάδα\nΑθήνα",
    "東京都\nさいたま市\n서울\nABC公司",
    "ประเทศไทย\nสวัสดี",
    "القاهرة\nשלום",
    "l’été\n20–30 °C\nGr¶áe\nó̀n\U0001f600x\ufffd",
]


@pytest.mark.parametrize("text", _TEXTS)
def test_all_words_at_once_as_one_by_one(text) -> None:
    assert readability(text) == pytest.approx(one_by_one(text), abs=1e-6)


@settings(max_examples=60)
@given(st.text(st.characters(codec="utf-8", exclude_categories=["Cs"]), max_size=30))
def test_any_text_as_one_by_one(text) -> None:
    assert readability(text) == pytest.approx(one_by_one(text), abs=1e-6)


@settings(max_examples=60)
@given(st.binary(min_size=1, max_size=30), st.sampled_from(["cp1252", "cp1251", "big5", "cp850"]))
def test_any_bytes_as_one_by_one(data, encoding) -> None:
    text = data.decode(encoding, "replace")
    assert readability(text) == pytest.approx(one_by_one(text), abs=1e-6)


def test_a_capital_within_a_word_is_unlikely() -> None:
    assert readability("größe") > readability("grÖße")
    assert readability("GRÖSSE") > readability("GRöSSE")


def test_a_sign_between_letters_is_unlikely() -> None:
    assert readability("20 °") > readability("a°b") + 3
    assert readability("l’été") > readability("l‚été")


def test_the_order_of_words_is_of_no_account() -> None:
    words = ["Größe", "Łódź", "Ижевск", "東京都"]
    assert readability("\n".join(words)) == pytest.approx(readability("\n".join(words[::-1])))
