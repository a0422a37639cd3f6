from __future__ import annotations

import io
import os
import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from autotype.tables.text.encoding import Encoding, detect_encoding
from tests.tables.text.sentences import ENCODINGS, PAIRS, SENTENCES, legacy_bytes

OVERRIDE = "encoding= (--encoding) sets another encoding"


def detect(data: bytes, **options) -> Encoding:
    return detect_encoding(lambda: io.BytesIO(data), **options)


def read(data: bytes, **options) -> str:
    found = detect(data, **options)
    return data.decode(found.name, found.errors)


class TestUnicode:
    @pytest.mark.parametrize("code", SENTENCES)
    @pytest.mark.parametrize(
        ("codec", "name"),
        [("utf-8", "utf-8"), ("utf-8-sig", "utf-8-sig"), ("utf-16", "utf-16"),
         ("utf-32", "utf-32"), ("utf-16-le", "utf-16-le"), ("utf-16-be", "utf-16-be"),
         ("utf-32-le", "utf-32-le"), ("utf-32-be", "utf-32-be")],
    )  # fmt: skip
    def test_each_form(self, code, codec, name) -> None:
        text = f"n,{code}\n" + "".join(f"{k},{SENTENCES[code]}\n" for k in range(3))
        assert detect(text.encode(codec)) == Encoding(name)
        assert read(text.encode(codec)) == text

    @pytest.mark.parametrize("mark", [b"\xff\xfe", b"\xfe\xff"])
    def test_marks_of_either_order(self, mark) -> None:
        codec = "utf-16-le" if mark == b"\xff\xfe" else "utf-16-be"
        assert read(mark + "größe,ж\n".encode(codec)) == "größe,ж\n"

    @settings(max_examples=100)
    @given(st.text(max_size=200))
    def test_any_text_in_utf_8_stays(self, text) -> None:
        text = text.replace("\0", "").replace("\x1b", "").removeprefix("\ufeff")
        assert detect(text.encode()) == Encoding("utf-8")

    def test_nul_bytes_in_plain_text_are_no_other_encoding(self) -> None:
        assert detect(b"a,b\n1,\0\n" * 50).name == "utf-8"

    def test_empty(self) -> None:
        assert detect(b"") == Encoding("utf-8")

    def test_no_library_is_loaded_for_it(self) -> None:
        program = (
            "import io, sys\n"
            "from autotype.tables.text.encoding import detect_encoding\n"
            "detect_encoding(lambda: io.BytesIO('größe'.encode()))\n"
            "print('chardet' in sys.modules)"
        )
        child = subprocess.run(
            [sys.executable, "-c", program], capture_output=True, text=True, check=True,
            env=os.environ,
        )  # fmt: skip
        assert child.stdout.strip() == "False"

    def test_a_character_across_blocks(self) -> None:
        data = b"x" * ((1 << 20) - 1) + "é\n".encode() + b"y" * (1 << 20) + "ż".encode()
        assert detect(data) == Encoding("utf-8")


class TestLegacy:
    @pytest.mark.parametrize(("code", "encoding"), PAIRS)
    def test_each(self, code, encoding) -> None:
        text = SENTENCES[code]
        if encoding in ("latin-1", "iso8859-2", "iso8859-6", "koi8-u", "cp850", "cp852"):
            text = text.replace("’", "'")
        data = legacy_bytes(f"n,{code}\n1,{text}\n2,{text}\n", encoding)
        found = detect(data)
        assert data.decode(found.name, found.errors) == data.decode(encoding)
        assert found.bad == ()

    def test_letters_far_below(self) -> None:
        data = b"word,1\n" * 400_000 + SENTENCES["ru"].encode("cp1251")
        assert detect(data).name == "cp1251"

    def test_one_word_is_doubted(self) -> None:
        found = detect("n\nü\n".encode("cp1252"))
        assert any("is hardly less likely" in doubt and OVERRIDE in doubt for doubt in found.doubts)

    def test_bytes_that_the_encoding_lacks(self) -> None:
        text = SENTENCES["de"].encode("cp1252")
        found = detect(b"a\n" + text + b"\nb\x81\n" + text)
        assert (found.name, found.bad, found.errors) == ("cp1252", (3,), "replace")
        assert "bytes in line 3 are not cp1252 and are read as '\ufffd'" in found.doubts[-1]

    @settings(max_examples=40)
    @given(st.binary(max_size=120))
    def test_any_bytes_are_read(self, data) -> None:
        found = detect(data)
        text = data.decode(found.name, found.errors)
        assert isinstance(text, str)
        if found.errors != "strict":
            assert found.bad
            assert all(OVERRIDE in doubt for doubt in found.doubts)

    @settings(max_examples=40)
    @given(st.data())
    def test_the_order_of_lines_is_of_no_account(self, data) -> None:
        code = data.draw(st.sampled_from(["de", "pl", "ru", "ko", "el"]))
        words = SENTENCES[code].split()
        shuffled = data.draw(st.permutations(words))
        encoding = ENCODINGS[code][0]
        first, second = ("\n".join(own).encode(encoding) for own in (words, shuffled))
        assert detect(first).name == detect(second).name


class TestBadBytes:
    def test_one_in_utf_8(self) -> None:
        data = f"{SENTENCES['de']}\n{SENTENCES['pl']}\n".encode() + b"caf\xe9\n"
        found = detect(data)
        assert (found.name, found.bad, found.errors) == ("utf-8", (3,), "replace")
        assert found.doubts == (
            f"bytes in line 3 are not utf-8 and are read as '\ufffd'; {OVERRIDE}",
        )
        assert read(data).endswith("caf\ufffd\n")

    def test_many_lines_are_counted(self) -> None:
        data = SENTENCES["de"].encode() + b"\n" + b"a\xff\n" * 8
        assert detect(data).doubts[0].startswith("bytes in lines 2, 3, 4, 5, 6 and 3 more are")

    def test_a_last_character_cut_off(self) -> None:
        data = SENTENCES["ja"].encode()[:-1]
        found = detect(data)
        assert (found.name, found.bad) == ("utf-8", (1,))

    def test_utf_16_cut_off(self) -> None:
        found = detect("a\nb".encode("utf-16")[:-1])
        assert (found.name, found.bad, found.errors) == ("utf-16", (2,), "replace")

    def test_old_line_ends(self) -> None:
        data = SENTENCES["de"].encode() + b"\ra\rb\xff\rc\r"
        assert detect(data).bad == (3,)

    def test_beyond_the_words_that_are_gathered(self) -> None:
        data = SENTENCES["de"].encode() + b"\n" + b"word,1\n" * 1_500_000 + b"\xff\n"
        assert detect(data).bad == (1_500_002,)

    @pytest.mark.parametrize(("code", "encoding"), [("fr", "cp1252"), ("pl", "cp1250"),
                                                    ("ru", "cp1251")])  # fmt: skip
    def test_lines_in_two_encodings(self, code, encoding) -> None:
        first = "\n".join(SENTENCES["de"].split()) + "\n"
        second = "\n".join(SENTENCES[code].replace("’", "").split()) + "\n"
        data = first.encode() + second.encode(encoding)
        found = detect(data)
        assert (found.name, found.errors) == ("utf-8", f"autotype-mixed-{encoding}")
        assert found.bad[0] > 10
        assert f"these are read as {encoding}; {OVERRIDE}" in found.doubts[0]
        assert read(data) == first + second
        with io.TextIOWrapper(io.BytesIO(data), found.name, found.errors, newline="") as text:
            assert "".join(iter(lambda: text.read(7), "")) == first + second


class TestGiven:
    @pytest.mark.parametrize(
        ("given", "name"), [("latin1", "iso8859-1"), ("UTF8", "utf-8"), ("cp1250", "cp1250")]
    )
    def test_it_wins(self, given, name) -> None:
        assert detect("größe".encode("cp1252"), given=given) == Encoding(name)

    def test_a_mark_is_left_out(self) -> None:
        assert detect(b"\xef\xbb\xbfa", given="utf-8") == Encoding("utf-8-sig")

    def test_unknown(self) -> None:
        with pytest.raises(LookupError, match="unknown encoding: utf-17"):
            detect(b"a", given="utf-17")
