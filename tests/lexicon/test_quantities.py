"""One label at a time: words, leads, numbers and ranges."""

import math

import pytest

from autotype.inference.labels.scales import strip_shared
from autotype.lexicon.quantities import parse_quantity
from autotype.lexicon.tokens import read_label, split_words

INF = math.inf


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [
        ("18-24", 18, 24),
        ("18 – 24", 18, 24),
        ("18_24", 18, 24),
        ("50-100 m2", 50, 100),
        ("over 100m²", 100, INF),
        ("1.5 cm^3", 1.5, 1.5),
        ("18 to 24 years old", None, None),
        ("5k-10k", 5e3, 1e4),
        ("5-10k", 5e3, 1e4),
        ("$20K-$40K", 2e4, 4e4),
        ("$1.5M+", 1.5e6, INF),
        ("1,000-4,999", 1000, 4999),
        ("AUD 5,000-9,999", 5000, 9999),
        ("<5", -INF, 5),
        ("≤ 5", -INF, 5),
        ("5 or less", -INF, 5),
        ("under 20", -INF, 20),
        ("65+", 65, INF),
        ("65 and over", 65, INF),
        (">= 7 years", 7 * 31557600.0, INF),
        ("1M-10M", 1e6, 1e7),
        ("100M-1B", 1e8, 1e9),
        ("more than 10", 10, INF),
        ("0<=X<200", 0, 200),
        ("(10,20]", 10, 20),
        ("[5, 10)", 5, 10),
        ("(-inf, 3.5]", -INF, 3.5),
        ("between 3 and 5", 3, 5),
        ("-10", -10, -10),
        ("two", 2, 2),
        ("two and a half", 2.5, 2.5),
        ("an hour and a half", 5400, 5400),
        ("one and a half to two hours", 5400, 7200),
        ("3rd", 3, 3),
        ("third", 3, 3),
        ("2 times a week", 104, 104),
        ("10-5", None, None),
        ("1-2-3", None, None),
        ("no number", None, None),
        ("", None, None),
    ],
)
def test_a_label_states_a_quantity(text, low, high):
    quantity = parse_quantity(text)
    if text == "18 to 24 years old":
        assert (quantity.unit, quantity.after) == ("time", ("old",))
        return
    if low is None:
        assert quantity is None
        return
    assert (quantity.low, quantity.high) == pytest.approx((low, high))


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [
        ("5'4\"", 64, 64),
        ("5' 4''", 64, 64),
        ("5’10”", 70, 70),
        ("6′0″", 72, 72),
        ("5 ft 4 in", 64, 64),
        ("5ft. 4.5in.", 64.5, 64.5),
        ("5 feet 11 inches", 71, 71),
        ("6'", 72, 72),
        ("under 5'0\"", -INF, 60),
        ("6'0\" and over", 72, INF),
        ("5'0\" - 5'4\"", 60, 64),
    ],
)
def test_feet_and_inches_are_one_measure(text, low, high):
    quantity = parse_quantity(text)
    assert quantity.unit == "length"
    assert (quantity.low, quantity.high) == pytest.approx((low * 0.0254, high * 0.0254))


@pytest.mark.parametrize("text", ["3'45\"", "1'000 m", "rock'n'roll 5", "the 5 o'clock"])
def test_what_is_neither_feet_nor_inches(text):
    quantity = parse_quantity(text)
    assert quantity is None or quantity.low != pytest.approx(3 * 0.3048)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("VeryGood", ("very", "good")),
        ("very_good", ("very", "good")),
        ('"Very-Good!"', ("very", "good")),
        ("HS-grad", ("hs", "grad")),
        ("A-", ("a-",)),
        ("XXL", ("xxl",)),
        ("Don't know", ("dont", "know")),
        ("grey", ("gray",)),
        ("größer", ("großer",)),
        ("< high school", ("lt", "high", "school")),
    ],
)
def test_a_text_is_split_into_words(text, words):
    assert split_words(text) == tuple(w.casefold() for w in words)


@pytest.mark.parametrize(
    ("text", "lead", "body", "listed"),
    [
        ("2. rarely", 2, ("rarely",), True),
        ("(b) rarely", 2, ("rarely",), True),
        ("5 = strongly agree", 5, ("strongly", "agree"), True),
        ("3 (high)", 3, ("high",), True),
        ("2 rooms", 2, ("rooms",), False),
        ("1-low", 1, ("low",), False),
        ("a lot", None, ("a", "lot"), False),
        ("x-large", None, ("x", "large"), False),
    ],
)
def test_what_stands_before_the_words_is_the_lead(text, lead, body, listed):
    label = read_label(text)
    assert (label.lead, label.body, label.listed) == (lead, body, listed)


def test_shared_words_are_stripped_but_never_all():
    assert strip_shared([("dose", "low"), ("dose", "high")]) == [("low",), ("high",)]
    assert strip_shared([("low",), ("low", "dose")]) == [(), ("dose",)]
    assert strip_shared([("low",)]) == [("low",)]


@pytest.mark.parametrize(
    ("text", "kind", "after"),
    [
        ("5 -", "number", ()),
        ("3 - rooms", "number", ("room",)),
        ("5 rooms <", "range", ("room",)),
        ("2 of the large rooms", "number", ("large", "room")),
        ("about 2 of the large rooms", "number", ("large", "room")),
    ],
)
def test_what_stands_behind_a_number(text, kind, after):
    quantity = parse_quantity(text)
    assert (quantity.kind, quantity.after) == (kind, after)


def test_a_variable_between_two_bounds_is_one_word():
    assert parse_quantity("0 <= income < 200").high == 200
    assert parse_quantity("0 <= net income < 200") is None
    assert parse_quantity("0 <= their net income < 200") is None


def test_an_m_behind_an_amount_of_money_is_a_million():
    amounts = [parse_quantity(text) for text in ("£5m to £25m", "over $250m")]
    assert [q.low for q in amounts if q] == [5e6, 250e6]
