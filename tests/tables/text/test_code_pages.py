from __future__ import annotations

import unicodedata
from itertools import product

import pytest

from autotype.tables.text.encoding import find_code_page, utf8_score
from tests.tables.text.sentences import PAIRS, SENTENCES, legacy_bytes

_KAZAKH = "Қазақстан Шымкент Өскемен Қарағанды қала жұмыс тұрғындар әңгіме оқушы үлкен мұғалім"


def words_of(data: bytes) -> list[bytes]:
    return [word for word in data.replace(b";", b" ").split() if not word.isascii()]


@pytest.mark.parametrize(("code", "encoding"), [pair for pair in PAIRS if pair[1] != "iso2022_jp"])
def test_a_sentence_is_read(code, encoding) -> None:
    words = words_of(legacy_bytes(SENTENCES[code].replace("’", ""), encoding))
    page = find_code_page(
        words, [word for word in SENTENCES[code].encode().split() if word.isalpha()]
    )
    read = b" ".join(words).decode(page.name)
    written = b" ".join(words).decode(encoding)
    assert unicodedata.normalize("NFC", read) == unicodedata.normalize("NFC", written)
    assert page.readable


def test_a_rival_is_named_where_evidence_is_scarce() -> None:
    page = find_code_page(["ü".encode("cp1252")])
    assert page.rival is not None
    assert page.differs[0] != page.differs[1]


def test_more_words_leave_no_rival() -> None:
    words = words_of(SENTENCES["pl"].encode("cp1250"))
    assert find_code_page(words).rival is None


def test_encodings_that_differ_in_signs_alone_are_no_rivals() -> None:
    page = find_code_page([word.encode("shift_jis") for word in ("１０〜２０人", "これは本です")])
    assert (page.name, page.rival) == ("shift_jis", None)


def test_what_no_language_writes_is_not_readable() -> None:
    assert not find_code_page([bytes(range(0x80, 0x100, 3)), bytes(range(0x81, 0x100, 5))]).readable


def test_a_rare_encoding_that_chardet_knows() -> None:
    words = [word.encode("kz1048") for word in _KAZAKH.split()]
    assert find_code_page(words).name == "kz1048"


def test_very_many_and_very_long_words() -> None:
    parts = ("schön", "grün", "fähr", "stück", "wörter", "bäcker", "größe", "müll", "höfe")
    words = ["".join(own).encode("cp1252") for own in product(parts, repeat=4)]
    assert find_code_page(words).name == "cp1252"
    assert find_code_page(["für schöne Bäume ".encode("cp1252") * 100]).name == "cp1252"


def test_a_language_without_vocabulary() -> None:
    words = [word.encode("cp1252") for word in ["Ísafjörður", "Þórshöfn", "Seyðisfjörður"]]
    assert find_code_page(words).name == "cp1252"


def test_utf8_is_scored_alike() -> None:
    words = ["Größe".encode(), "Bäume".encode()]
    assert utf8_score(words) > find_code_page(words).score


def test_small_kana_of_old_programs() -> None:
    words = ["氏名", "ｼﾒｲ", "ﾀﾅｶ", "ｽｽﾞｷ", "ｲﾄｳ"]
    assert find_code_page([word.encode("cp932") for word in words]).name == "shift_jis"
