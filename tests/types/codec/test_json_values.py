"""Values go into JSON and come back the same."""

import datetime
import decimal
import enum
import fractions
import ipaddress
import json
import math
import pathlib
import uuid

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from autotype.errors import UnwritableTypesError
from autotype.types.codec.json_values import decode, encode

ODD = [
    None,
    True,
    -3,
    10**30,
    0.1,
    "text",
    "\ud800",
    math.inf,
    -math.inf,
    ("a", 1, ("b", None)),
    frozenset({"a", 1, (2, None)}),
    [1, (2,)],
    {"a": (1,), "b": [2]},
    {1: "one", None: 2},
    {"type": "date", "value": 3},
    {"type": 1},
    pd.NA,
    pd.NaT,
    pd.Timestamp("2024-02-29 12:00:00.123456789"),
    pd.Timestamp("2024-03-31 03:30", tz="Europe/Berlin"),
    pd.Timestamp("2024-10-27 00:30", tz="UTC").tz_convert("Europe/Berlin"),
    pd.Timedelta("1D 00:00:01"),
    pd.Period("2024-02"),
    pd.Interval(0, 1.5, closed="left"),
    datetime.datetime(2024, 2, 29, 1, 2, 3),
    datetime.date(2024, 2, 29),
    datetime.time(12, 30),
    datetime.timedelta(days=-1, seconds=2),
    decimal.Decimal("1.10"),
    decimal.Decimal("Infinity"),
    fractions.Fraction(1, 3),
    uuid.UUID(int=7),
    pathlib.PurePosixPath("a/b"),
    pathlib.PureWindowsPath("a/b"),
    ipaddress.ip_address("10.0.0.1"),
    ipaddress.ip_address("fe80::1%eth0"),
    ipaddress.ip_network("10.1.0.0/16"),
    ipaddress.ip_interface("10.1.0.1/16"),
    np.longdouble("0.1"),
    complex(1, -2),
    b"\x00\xff",
]


@pytest.mark.parametrize("value", ODD, ids=lambda value: type(value).__name__)
def test_there_and_back(value):
    plain = json.loads(json.dumps(encode(value), allow_nan=False))
    back = decode(plain)
    assert type(back) is type(value)
    assert back is value or back == value


def test_a_timestamp_keeps_its_zone_and_unit():
    moment = pd.Timestamp("2024-07-01", tz="Asia/Tokyo").as_unit("ms")
    back = decode(encode(moment))
    assert (str(back.tz), back.unit) == ("Asia/Tokyo", "ms")


def test_a_path_comes_back_as_an_equal_one():
    path = pathlib.Path("a", "b")
    assert decode(encode(path)) == path
    assert hash(decode(encode(path))) == hash(path)


def test_not_a_number_and_numpy():
    assert math.isnan(decode(encode(math.nan)))
    assert decode(encode(np.int64(3))) == 3
    assert decode(encode(np.array([1.5, np.nan])))[0] == 1.5
    assert decode(encode(np.datetime64("2024-02-29"))) == pd.Timestamp("2024-02-29")
    assert decode(encode(np.timedelta64(1, "D"))) == pd.Timedelta("1D")


class Colour(enum.Enum):
    RED = 1


@pytest.mark.parametrize("value", [range(3), Colour.RED, len, ..., (1, Colour.RED)], ids=repr)
def test_objects_that_cannot_be_read_back_are_refused(value):
    with pytest.raises(UnwritableTypesError, match="cannot be written and read back; cast it to"):
        encode(value)


def test_numbers_of_thousands_of_digits_are_refused():
    assert decode(encode(10**3000)) == 10**3000
    with pytest.raises(UnwritableTypesError, match="the integer of 16610 bits"):
        encode(10**5000)


@pytest.mark.parametrize(
    "plain",
    [
        {"type": "fraction", "value": ["1e999999999"]},
        {"type": "fraction", "value": ["1e999999999", 1]},
        {"type": "fraction", "value": [1, 0]},
        {"type": "mapping", "value": [[[], 1]]},
        {"type": "period", "value": []},
        {"type": [], "value": 1},
        {"type": "missing", "value": {}},
    ],
    ids=str,
)
def test_damaged_values_are_refused(plain):
    with pytest.raises(ValueError, match=r"is not a value of the type|not one of"):
        decode(plain)


PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text() | st.integers(), inner),
)


@given(PLAIN)
def test_nested_values(value):
    assert decode(json.loads(json.dumps(encode(value), allow_nan=False))) == value


def test_foreign_values_are_refused():
    with pytest.raises(ValueError, match="type 'colour', not one of float, text"):
        decode({"type": "colour", "value": "red"})
    with pytest.raises(ValueError, match="'x' is not a value of the type 'date'"):
        decode({"type": "date", "value": "x"})


def test_texts_and_numbers_of_an_enum_are_plain():
    class Size(str, enum.Enum):  # noqa: UP042 - a StrEnum prints its text
        LARGE = "large"

    class Rank(enum.IntEnum):
        FIRST = 1

    assert (type(encode(Size.LARGE)), encode(Size.LARGE)) == (str, "large")
    assert (type(encode(Rank.FIRST)), encode(Rank.FIRST)) == (int, 1)
