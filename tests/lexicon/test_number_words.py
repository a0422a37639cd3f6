"""Words around numbers of many languages, rewritten in English."""

from __future__ import annotations

import math
import random

import pytest

from autotype.lexicon import number_words as words
from autotype.lexicon.languages import codes, language
from autotype.lexicon.number_words import translate
from autotype.lexicon.quantities import parse_quantity

YEAR = 31557600.0


@pytest.mark.parametrize(
    ("code", "text", "low", "high"),
    [
        ("de", "bis zu 1.000 Euro", -math.inf, 1000),
        ("de", "1.000 bis 2.000 €", 1000, 2000),
        ("de", "ab 65 Jahren", 65 * YEAR, math.inf),
        ("de", "18 bis unter 30 Jahre", 18 * YEAR, 30 * YEAR),
        ("fr", "de 1 000 à 2 000 €", 1000, 2000),
        ("fr", "65 ans et plus", 65 * YEAR, math.inf),
        ("es", "menos de 1 año", -math.inf, YEAR),
        ("ru", "От 18 до 24 лет", 18 * YEAR, 24 * YEAR),
        ("ru", "10-20 тысяч рублей", 10_000, 20_000),
        ("ru", "Более 1 000 000 руб.", 1e6, math.inf),
        ("ja", "20歳以上30歳未満", 20 * YEAR, 30 * YEAR),
        ("ja", "300万円未満", -math.inf, 3e6),
        ("ja", "1,000万円以上", 1e7, math.inf),
        ("zh", "1万-2万", 10_000, 20_000),
        ("zh", "１８～２５岁", 18 * YEAR, 25 * YEAR),
        ("zh", "30分钟-1小时", 1800, 3600),  # no minus
        ("ko", "15분 30분", 900, 1800),  # the sign between them was lost
        ("ko", "10km에서 20km", 10_000, 20_000),
        ("fa", "۵ تا ۱۰ میلیون", 5e6, 1e7),
        ("id", "Rp 1.000.000 - Rp 2.500.000", 1e6, 2.5e6),
        ("id", "Rp1.000.000 - Rp2.500.000", 1e6, 2.5e6),
        ("hi", "₹1,00,000 - ₹2,50,000", 100_000, 250_000),
        ("he", "יותר מ-20", 20, math.inf),
        ("he", "יותר מעשר שנים", 10 * YEAR, math.inf),
        ("he", "שעה עד שעתיים", 3600, 7200),
        ("ar", "أقل من سنتين", -math.inf, 2 * YEAR),
        ("vi", "Trên 5 năm", 5 * YEAR, math.inf),  # also the word for five
        ("it", "Meno di un'ora", -math.inf, 3600),
        ("hr", "Manje od sat vremena", -math.inf, 3600),
        ("ru", "Менее часа в день", -math.inf, 3600),
        ("ru", "в течение последнего года", -math.inf, YEAR),
        ("es", "en los últimos 2 años", -math.inf, 2 * YEAR),
        ("sv", "under det senaste året", -math.inf, YEAR),
        ("ja", "5年以上前", 5 * YEAR, math.inf),
        ("vi", "hơn 5 năm trước", 5 * YEAR, math.inf),
        ("zh", "一年内", -math.inf, YEAR),
        ("fr", "une heure et demie", 5400, 5400),
        ("es", "más de año y medio", 1.5 * YEAR, math.inf),
        ("he", "עד דקה וחצי", -math.inf, 90),
        ("de", "zweieinhalb Stunden", 9000, 9000),
        ("pl", "dwa i pół roku", 2.5 * YEAR, 2.5 * YEAR),
        ("ko", "1시간 반", 5400, 5400),
        ("zh", "一个半小时", 5400, 5400),
        ("hu", "2 hét", 1_209_600, 1_209_600),  # also the word for seven
    ],
)
def test_ranges_of_many_languages(code, text, low, high) -> None:
    quantity = parse_quantity(translate(text, language(code)))
    assert (quantity.low, quantity.high) == (low, high)


@pytest.mark.parametrize(
    ("code", "text", "per_year"),
    [
        ("de", "dreimal pro Woche", 156),
        ("de", "einmal im Monat", 12),
        ("fr", "2 fois par semaine", 104),
        ("ru", "1 раз в месяц", 12),
        ("ru", "ежедневно", 365),
        ("ja", "週に1回", 52),
        ("zh", "每周2次", 104),
        ("ko", "주 2회", 104),  # the period alone goes first
        ("ja", "1日に2回以上", 730),
        ("ja", "週3日", 156),
        ("en", "5 days a week", 260),
        ("tr", "Ayda bir", 12),
        ("th", "วันละสองครั้ง", 730),
        ("nl", "eens per week", 52),
        ("ru", "дважды в неделю", 104),
        ("vi", "3-5 lần/tuần", 156),
        ("es", "3-5 veces/semana", 156),
        ("es", "varias veces por semana", 130),  # between twice and three times
    ],
)
def test_rates_of_many_languages(code, text, per_year) -> None:
    assert parse_quantity(translate(text, language(code))).low == per_year


@pytest.mark.parametrize(
    "text", ["@.@", "\ue000.\ue000", "\ue0001.2.3\ue000", "9" * 400 + " тыс.", "", "€" * 50]
)
@pytest.mark.parametrize("code", ["de", "ru", "ja", "ar"])
def test_odd_texts_raise_nothing(text, code) -> None:
    parse_quantity(translate(text, language(code)))


@pytest.mark.parametrize(
    ("code", "text", "number", "after"),
    [
        ("de", "zweiter Stock", 2, ("floor",)),
        ("de", "dritte Klasse", 3, ("class",)),
        ("ru", "третий", 3, ()),
        ("fr", "premier", 1, ()),
    ],
)
def test_ordinals_of_many_languages(code, text, number, after) -> None:
    quantity = parse_quantity(translate(text, language(code)))
    assert (quantity.kind, quantity.low, quantity.after) == ("ordinal", number, after)


@pytest.mark.parametrize("code", codes())
def test_the_pattern_finds_no_phrase_where_none_is_expected(code: str) -> None:
    rng, own = random.Random(0), language(code)
    phrases = sorted(words._meanings(own)) or [""]
    between = ["", " ", "-", "_", "'", "3", " 3 ", "x", "abc", "."]
    for _ in range(300):
        parts = [rng.choice(between), rng.choice(phrases), rng.choice(between), rng.choice(phrases)]
        text = "".join(rng.sample(parts, k=rng.randint(1, 4)))
        if words._meanings(own) and words._pattern(own).search(text):
            assert words._may_hold_phrase(text, own), text


def test_labels_without_a_phrase_need_no_pattern() -> None:
    words._pattern.cache_clear()
    translate.cache_clear()
    assert translate("Vocational training", language("nl")) == "vocational training"
    assert words._pattern.cache_info().misses == 0
    assert translate("minder dan 20 jaar", language("nl")) == "< 20 years"
    assert words._pattern.cache_info().misses == 1
