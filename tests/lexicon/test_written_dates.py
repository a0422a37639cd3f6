"""Dates whose month is a word, or which lack the day."""

from __future__ import annotations

import pytest

from autotype.lexicon.dates import written_dates
from autotype.lexicon.toml_files import read_toml


@pytest.mark.parametrize(
    ("text", "date"),
    [
        ("5. März 2018", (2018, 3, 5)),
        ("1er janvier 2018", (2018, 1, 1)),
        ("5 de marzo de 2018", (2018, 3, 5)),
        ("lunes, 5 de marzo de 2018", (2018, 3, 5)),
        ("March 5th, 2018", (2018, 3, 5)),
        ("5 августа 2018 г.", (2018, 8, 5)),
        ("2018. augusztus 5.", (2018, 8, 5)),
        ("2018 m. rugpjūčio 5 d.", (2018, 8, 5)),
        ("5 sierpnia 2018 r.", (2018, 8, 5)),
        ("Donnerstag, 5. Juli 2018, 14:30 Uhr", (2018, 7, 5)),
        ("١٢ مارس ٢٠١٨", (2018, 3, 12)),
        ("5 มีนาคม 2561", (2561, 3, 5)),
        ("2018年3月5日", (2018, 3, 5)),
        ("2018년 3월 5일", (2018, 3, 5)),
        ("Mar_2018", (2018, 3, 0)),
        ("2018 August", (2018, 8, 0)),
        ("2018M08", (2018, 8, 0)),
    ],
)
def test_of_one_string(text, date):
    assert written_dates([text, text.replace("8", "9")])[0] == date


def test_of_months_without_words():
    assert written_dates(["08/2018", "12/2018"]) == [(2018, 8, 0), (2018, 12, 0)]


def test_of_months_after_their_year():
    months = [f"{1990 + k // 12}-{k % 12 + 1:02d}" for k in range(8)]
    assert written_dates(months) == [(1990, k + 1, 0) for k in range(8)]
    school_years = [f"{2000 + k}/{k + 1:02d}" for k in range(8)]
    assert written_dates(school_years) is None
    assert written_dates(["2019/01", "2020/01", "2021/02"]) is None  # numbers of documents


def test_of_years_of_two_digits():
    texts = ["Aug-68", "Sep-69", "Oct '99"]
    assert written_dates(texts) == [(2068, 8, 0), (1969, 9, 0), (1999, 10, 0)]


@pytest.mark.parametrize(
    "texts",
    [
        [],
        ["May"],
        ["Room 2018", "March 2018"],
        ["Set 10", "Set 11", "Set 12"],
        ["1/2000", "1/2500"],
        ["13/2018", "12/2018"],
        ["45. März 2018"],
        ["5 mars 2018", "5 März 2018"],  # of two languages
        ["March 2018 " + "x" * 60],
    ],
)
def test_of_what_is_no_date(texts):
    assert written_dates(texts) is None


@pytest.mark.parametrize("code", sorted(read_toml("months")))
def test_of_all_months_of_a_language(code):
    names = [forms.split()[0] for forms in read_toml("months")[code]]
    found = written_dates([f"{name} 2018" for name in names])
    assert found == [(2018, month, 0) for month in range(1, 13)]


def test_dates_of_which_some_lack_the_day_or_the_month():
    texts = ["2018-03-05", "2018-04-12", "2018-04", "2019"]
    assert written_dates(texts) == [(2018, 3, 5), (2018, 4, 12), (2018, 4, 0), (2019, 1, 0)]
    assert written_dates(["2018-03-05", "2018-04", "2019"]) is None  # most have no day
    assert written_dates(["2018-03-05", "2018-04-12"]) is None  # pandas reads them


def test_days_without_a_year():
    assert written_dates(["29-May", "2-Jun"]) == [(1972, 5, 29), (1972, 6, 2)]
    assert written_dates(["3. März", "14. Oktober"]) == [(1972, 3, 3), (1972, 10, 14)]
    assert written_dates(["5-Jan", "6-Oct"]) is None  # ranges that a spreadsheet turned into dates
