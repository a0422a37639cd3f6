"""Whatever the levels are: no error, and no dependence on the order in which they come."""

import datetime
import decimal
import fractions

import numpy as np
import pandas as pd
from hypothesis import given, settings
from hypothesis import strategies as st

from autotype.inference.labels.evidence import RULES
from autotype.inference.labels.rules import read_labels
from autotype.lexicon.languages import codes, language

WORDS = sorted({key for code in codes() for scale in language(code).scales for key in scale.ranks})[
    ::29
]
NAMES = sorted(
    {key for code in codes() for names in language(code).name_lists for key in names.keys}
)[::97]
PARTS = ["very ", "not ", "1. ", "<", "10-20", ">=5k", "stage ", "II", "_low", "no ", "dose ", "+"]

texts = st.one_of(
    st.text(max_size=30),
    st.sampled_from(WORDS),
    st.sampled_from(NAMES),
    st.lists(st.sampled_from([*PARTS, *WORDS[::11]]), max_size=3).map("".join),
)
levels = st.one_of(
    texts,
    st.integers(),
    st.floats(),
    st.booleans(),
    st.none(),
    st.binary(max_size=5),
    st.complex_numbers(),
    st.decimals(),
    st.fractions(),
    st.dates(),
    st.datetimes(),
    st.timedeltas(),
    st.tuples(st.integers(), st.text(max_size=3)),
    st.frozensets(st.integers(), max_size=2),
    st.sampled_from([pd.NaT, pd.NA, pd.Timestamp("2020-01-01", tz="UTC"), pd.Interval(1, 2), int]),
    st.sampled_from([np.float64(2.5), np.int64(3), np.bool_(True), np.datetime64("2020-01-01")]),
)


def shown(evidence):
    return repr(evidence)  # NaN is not equal to itself, its text is


@settings(max_examples=300)
@given(st.lists(st.one_of(texts, levels), max_size=9), st.randoms(use_true_random=False))
def test_never_raises_and_ignores_the_order(column, random):
    evidence = read_labels(column)
    assert evidence.rule.name in RULES
    shuffled = list(column)
    random.shuffle(shuffled)
    assert shown(read_labels(shuffled)) == shown(evidence)


@settings(max_examples=200)
@given(st.lists(texts, max_size=8, unique=True))
def test_every_level_has_one_place_at_most(column):
    evidence = read_labels(column)
    parts = [*(evidence.order or ()), *evidence.off_scale, *evidence.unplaced]
    assert len(parts) == len(set(parts))
    if evidence.rule.name != "nominal":
        assert sorted(parts) == sorted(column)
    if evidence.order is not None:
        assert len(evidence.order) >= 2
        assert evidence.rule.name not in ("none", "nominal")


class Unprintable:
    def __str__(self):
        raise RuntimeError("no text")

    __repr__ = __str__

    def __eq__(self, other):
        raise RuntimeError("no comparison")

    __hash__ = object.__hash__


def test_hostile_objects_are_unplaced():
    evidence = read_labels([Unprintable(), "low"])
    assert evidence.rule.name == "none"


def test_long_texts_and_many_levels_are_read():
    assert read_labels(["x" * 10_000, "1-" * 5_000]).rule.name == "none"
    assert read_labels([f"item {i}" for i in range(3_000)]).rule.name == "prefix_number"


def test_numbers_of_any_type_are_plain_numbers():
    column = [decimal.Decimal("1.5"), fractions.Fraction(1, 3), np.int8(2), 10**30]
    evidence = read_labels(column)
    assert evidence.rule.name == "numeric"
    assert evidence.order == (column[1], column[0], column[2], column[3])


def test_dates_stand_in_time():
    column = [datetime.date(2020, 2, 1), pd.Timestamp("2019-05-01"), datetime.date(2020, 1, 1)]
    assert read_labels(column).order == (column[1], column[2], column[0])


def test_spellings_next_to_unhashable_levels():
    assert read_labels(["Low", "low", "high", decimal.Decimal("sNaN")]).order is not None


def test_dates_of_several_types_are_not_compared():
    levels = [pd.Timestamp("2020-01-01", tz="UTC"), np.datetime64("2021-01-01")]
    assert read_labels(levels).order is None


def test_intervals_of_pandas_are_ranges():
    column = list(pd.interval_range(0, 12, 4))
    assert read_labels(column[::-1]).order == tuple(column)
    assert read_labels(column).rule.name == "range"
