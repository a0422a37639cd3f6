"""The forms of cells, against Python's own functions."""

from __future__ import annotations

import random
import re
import sys
import unicodedata

import pandas as pd
import polars as pl
import pytest

from autotype.lexicon.numbers import MISSING_NUMBERS
from autotype.tables.cells import FORMS, PLAIN, WHITE, ZEROS, digits_of, float_of, int_of
from autotype.tables.columns import column_of_strings

CHARACTERS = [*"0123456789" * 2, *"+-.,eE \t\n\v\u00a0\u2009x_٣٠９infNaA#/"]


def matches(form: str, cell: str) -> bool:
    return re.compile(form).fullmatch(cell) is not None


def random_cells(n: int) -> list[str]:
    chance = random.Random(0)
    return ["".join(chance.choices(CHARACTERS, k=chance.randint(0, 6))) for _ in range(n)]


def as_number(convert, cell: str) -> object:
    try:
        return convert(cell)
    except ValueError:
        return None


def test_digits_of_all_scripts() -> None:
    known = [chr(k) for k in range(sys.maxunicode + 1) if unicodedata.decimal(chr(k), None) == 0]
    assert set(ZEROS) <= set(known)  # a later Unicode may add scripts
    digits = re.compile(digits_of(0, 9))
    for zero in ZEROS:
        for value in range(10):
            digit = chr(ord(zero) + value)
            assert unicodedata.decimal(digit) == value
            assert digits.fullmatch(digit)
            assert re.fullmatch(digits_of(value, value), digit)


def test_all_white_space() -> None:
    assert set(WHITE) == {c for c in map(chr, range(sys.maxunicode + 1)) if c.isspace()}


@pytest.mark.parametrize("largest", [2**63 - 1, 2**64 - 1])
def test_integers_of_64_bits(largest) -> None:
    chance = random.Random(0)
    numbers = [largest + k for k in range(-30, 31)]
    numbers += [chance.randrange(10**k) for k in range(1, 24) for _ in range(30)]
    numbers += [int(str(largest)[:k] + "9" * (len(str(largest)) - k)) for k in range(20)]
    form = FORMS["not int64" if largest == 2**63 - 1 else "not uint64"]
    for number in numbers:
        for text in (str(number), f"+{number}", f" 000{number} "):
            assert matches(form, text) == (number > largest), text
        is_below = largest == 2**64 - 1 or number > largest + 1
        assert matches(form, f"-{number}") == is_below, number


@pytest.mark.parametrize("decimal", ["point", "comma"])
def test_numbers_are_those_of_python_without_underscores(decimal) -> None:
    for cell in random_cells(20_000):
        text = cell.strip()
        if decimal == "comma":
            text = text.translate({ord(","): ".", ord("."): ","})
        number = as_number(float, text)
        named = any(c.isascii() and c.isalpha() and c not in "eE" for c in text)
        expected = number is not None and not named and "_" not in text
        assert matches(FORMS[decimal], cell) == expected, cell
        assert matches(FORMS["integer"], cell) == (
            as_number(int, text) is not None and "_" not in text
        )


def test_plain_forms_are_numbers_that_python_reads_as_they_are() -> None:
    for cell in random_cells(20_000):
        if matches(PLAIN["integer"], cell):
            assert not matches(FORMS["not int64"], cell)
            assert not matches(FORMS["code"], cell)
            assert int(cell) == int_of(cell)
        if matches(PLAIN["point"], cell):
            assert matches(FORMS["point"], cell)
            assert not matches(FORMS["odd"], cell)
            assert float(cell) == float_of(cell)


@pytest.mark.parametrize("name", [*FORMS, *(f"plain {name}" for name in PLAIN)])
def test_other_libraries_match_the_same_cells(name) -> None:
    import duckdb

    form = PLAIN[name.removeprefix("plain ")] if name.startswith("plain ") else FORMS[name]
    cells = [*random_cells(3000), *MISSING_NUMBERS, "Infinity", "true\n", "-9223372036854775808"]
    cells += ["1" * n for n in (18, 19, 20, 299, 300, 301)]
    expected = [matches(form, cell) for cell in cells]
    frame = pl.DataFrame({"cell": cells})
    assert frame["cell"].str.contains(f"^(?:{form})$").to_list() == expected
    found = duckdb.sql(
        "SELECT regexp_matches(cell, $form) FROM frame", params={"form": f"^(?:{form})$"}
    )
    assert [row[0] for row in found.fetchall()] == expected


def test_points_that_may_separate_thousands_stay_where_the_comma_is_the_decimal_sign() -> None:
    def kind(cells: list[str], decimal: str) -> str:
        return column_of_strings(pd.Series(cells), decimal)[1].name

    assert kind(["1.204", "987"], ",") == kind(["1.204", "3.500"], ",") == "text"
    assert kind(["1.204", "12.5"], ",") == kind(["1.204", "987"], ".") == "point"
    assert kind(["0.204", "987"], ",") == "point"
