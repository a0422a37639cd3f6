"""Columns of every dtype, and cells of every kind, for the frames of the campaign."""

from __future__ import annotations

import datetime
import enum
import fractions
import ipaddress
import pathlib
import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from random import Random
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa


class Mood(enum.Enum):
    """Levels that are members of an enumeration."""

    LOW = 1
    MID = 2
    HIGH = 3


class Unordered:
    """An object that can be hashed, and neither ordered nor read."""


SCALES = (
    ("low", "mid", "high"),
    ("Very dissatisfied", "Dissatisfied", "Neutral", "Satisfied", "Very satisfied"),
    ("S", "M", "L", "XL"),
    ("nie", "selten", "oft", "immer"),
    ("0-9", "10-19", "20-29", "30+"),
    ("1 - poor", "2 - fair", "3 - good", "don't know"),
    ("Jan", "Feb", "Mar", "Apr"),
    ("poco", "bastante", "mucho"),
    ("非常不满意", "不满意", "满意"),
)
NAMES = (
    ("Bern", "Oslo", "Rome"),
    ("red", "green", "blue", "black"),
    ("qx", "zv", "kk", "wj", "pf"),
    ("North", "West"),
    ("A", "B", "C", "D"),
    ("dog",),
)
HOSTILE_TEXTS = (
    "", " ", "\0", "\n", "\t", "\x1b[31m", "\u202eabc\u202c", "\u2066x",
    "\ud800", "\udfff a", "<script>alert(1)</script>", "\"><img src=x onerror=alert(1)>",
    "{{ 7 * 7 }}", "=1+1", "@SUM(A1)", "-1+1", "'", '"', "\\", "null", "None", "NaN", "NA",
    "true", "1e3", "0x1F", "012", "1,5", "$1,250", "12.5 %", "2024-02-29", "3/2/2024", "24:00",
    "é", "e\u0301", "大" * 50, "🦆", "x" * 5000, "%s {0}", "\u2028", "\u0085", "\ufeff", "ﬁ", "İ",
    "１２", "Ⅷ", "½", "٣", "1" * 400, "inf", "-", "...", "~",
)  # fmt: skip
EXOTIC_CELLS = (
    (), (1,), (1, ("a", (2, None))), ((), ()), [], [1, [2]], {}, {"a": [1]}, {1, 2},
    frozenset({1}), b"", b"\xff\x00", bytearray(b"x"), Decimal(1), Decimal("1.50"),
    Decimal("NaN"), Decimal("sNaN"), Decimal("Infinity"), Decimal("1e400"),
    fractions.Fraction(1, 3), fractions.Fraction(2), uuid.UUID(int=1), uuid.UUID(int=2),
    pathlib.PurePosixPath("/a"), pathlib.PurePosixPath("b"), Mood.LOW, Mood.HIGH,
    ipaddress.ip_address("10.0.0.1"), ipaddress.ip_address("::1"), np.True_, np.False_,
    np.str_("low"), np.bytes_(b"x"), np.int8(3), np.float32(0.1), np.float64("nan"),
    np.longdouble("1e400"), np.longdouble(1) / 3, np.datetime64("2020-01-01"),
    np.datetime64("NaT", "s"), np.timedelta64(1, "D"), 10**30, -(2**70), 2**64, 2**63 - 1, -(2**63),
    float("inf"), float("-inf"), float("nan"), -0.0, 1e308, 5e-324, True, False, 0, 1, 1.5, 1j,
    complex("nan"), None, pd.NA, pd.NaT, datetime.date(1, 1, 1), datetime.date(9999, 12, 31),
    datetime.datetime(2020, 1, 1), datetime.datetime(2020, 1, 1, tzinfo=datetime.UTC),
    datetime.time(1), datetime.timedelta(1), pd.Timestamp("2020-01-01", tz="Asia/Tokyo"),
    pd.Timedelta(1, "s"), pd.Period("2020-01", "M"), pd.Interval(0, 1), range(3), slice(1, 2),
    len, int, Unordered(), object, ..., NotImplemented, "a", "low", "1", "\ud800", np.arange(2),
)  # fmt: skip
MISSING = (None, np.nan, pd.NA, pd.NaT, float("nan"), Decimal("NaN"))


@dataclass(frozen=True)
class Rows:
    """The rows for which a column is made.

    Attributes
    ----------
    choices : Random
        Chooses kinds and levels; under Hypothesis its choices are those that shrink.
    numbers : numpy.random.Generator
        Draws the cells.
    latent : ndarray
        One number per row, on which about half of the columns depend, so that columns predict one
        another.
    """

    choices: Random
    numbers: np.random.Generator
    latent: np.ndarray

    def __len__(self) -> int:
        return len(self.latent)

    def scores(self) -> np.ndarray:
        """Draw a number for each row that depends on the latent one, or not."""
        noise = self.numbers.normal(size=len(self))
        return self.latent + 0.5 * noise if self.choices.random() < 0.6 else noise

    def codes(self, n_levels: int) -> np.ndarray:
        """Draw a level's number for each row."""
        cuts = np.linspace(-1.2, 1.2, max(n_levels - 1, 1))[: n_levels - 1]
        return np.digitize(self.scores(), cuts)

    def cells(self, levels: Sequence[Any]) -> np.ndarray:
        """Draw a level for each row, as objects; some of them missing."""
        cells = np.empty(len(self), dtype=object)
        for row, code in enumerate(self.codes(len(levels))):
            cells[row] = levels[code]
        missing = self.choices.choice(MISSING)
        for row in np.flatnonzero(self.gaps()):
            cells[row] = missing
        return cells

    def gaps(self) -> np.ndarray:
        """Draw which rows are missing: mostly none, sometimes all."""
        share = self.choices.choice((0.0, 0.0, 0.0, 0.1, 0.6, 1.0))
        return self.numbers.random(len(self)) < share

    def some(self, values: Sequence[Any], most: int = 6) -> list[Any]:
        """Choose a few of some values, in any order, without repetition."""
        count = self.choices.randint(1, min(most, len(values)))
        return self.choices.sample(list(values), count)


def _texts(rows: Rows) -> list[str]:
    kind = rows.choices.choice(("scale", "names", "hostile", "digits", "free", "keys"))
    if kind == "scale":
        return list(rows.choices.choice(SCALES))
    if kind == "names":
        return list(rows.choices.choice(NAMES))
    if kind == "hostile":
        return rows.some(HOSTILE_TEXTS, 8)
    if kind == "digits":
        return [str(k) for k in range(rows.choices.choice((3, 12, 40)))]
    if kind == "free":
        return [f"the {k}th answer was rather long, and said so" for k in range(50)]
    return [f"k{k}" for k in range(rows.choices.choice((3, 19, 21, 101)))]


def _has_surrogate(level: Any) -> bool:
    return isinstance(level, str) and any("\ud800" <= c <= "\udfff" for c in level)


def _readable(texts: Sequence[str]) -> list[str]:
    """Keep the strings that Arrow can hold: those without lone surrogates."""
    return [text for text in texts if not _has_surrogate(text)] or ["a", "b"]


def object_texts(rows: Rows) -> pd.Series:
    return pd.Series(rows.cells(_texts(rows)), dtype=object)


def string_texts(rows: Rows) -> pd.Series:
    dtype = rows.choices.choice(
        (
            "string[python]",
            "string[pyarrow]",
            "category",
            None,
            pd.ArrowDtype(pa.string()),
            pd.ArrowDtype(pa.large_string()),
            pd.ArrowDtype(pa.dictionary(pa.int32(), pa.string())),
        )
    )
    cells = pd.array(rows.cells(_readable(_texts(rows))), dtype="string[python]")
    if dtype is None:
        return pd.Series([None if v is pd.NA else v for v in cells])
    if isinstance(dtype, pd.ArrowDtype):
        texts = pa.array([None if v is pd.NA else v for v in cells], type=pa.string())
        return pd.Series(pd.arrays.ArrowExtensionArray(texts.cast(dtype.pyarrow_dtype)))
    return pd.Series(cells).astype(dtype)


def categorical(rows: Rows) -> pd.Series:
    levels = rows.choices.choice(
        (
            _texts(rows),
            [3, 1, 2],
            [0.5, 1.5, 2.5, np.inf],
            [True, False],
            [(1, "a"), (2, "b"), (3, "c")],
            list(pd.date_range("2020", periods=4, tz=rows.choices.choice((None, "UTC")))),
            list(pd.interval_range(0, 4)),
            list(pd.period_range("2020-01", periods=3, freq="M")),
            [1, "1", 2.0],
            [Mood.LOW, Mood.MID, Mood.HIGH],
            [datetime.date(2020, 1, k) for k in (1, 2, 3)],
            [],
        )
    )
    kept = levels[: rows.choices.randint(0, len(levels))] if levels else []
    codes = rows.codes(len(kept)) if kept else np.full(len(rows), -1)
    codes = np.where(rows.gaps(), -1, codes)
    as_objects = not levels or any(map(_has_surrogate, levels))
    index = pd.Index(levels, tupleize_cols=False, dtype=object if as_objects else None)
    ordered = rows.choices.choice((True, False))
    return pd.Series(pd.Categorical.from_codes(codes, categories=index, ordered=ordered))


def numpy_whole(rows: Rows) -> pd.Series:
    dtype = np.dtype(rows.choices.choice(("i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8")))
    bounds = np.iinfo(dtype)
    kind = rows.choices.choice(("levels", "counts", "extreme", "unique"))
    if kind == "levels":
        values = rows.codes(rows.choices.choice((1, 2, 3, 5, 9, 30)))
    elif kind == "counts":
        values = rows.numbers.poisson(np.exp(np.clip(rows.scores(), -3, 3)))
    elif kind == "unique":
        values = np.arange(len(rows))
    else:
        ends = np.array([bounds.min, 0, bounds.max, bounds.max - 1], dtype=dtype)
        return pd.Series(ends[rows.codes(4)])
    return pd.Series(values.astype(np.int64).astype(dtype))


_MAGNITUDES = (1.0, 1.0, 1e-300, 5e-324, 1e-8, 1e8, 1e150, 1e300, 1e308)


def numpy_floats(rows: Rows) -> pd.Series:
    dtype = np.dtype(rows.choices.choice(("f2", "f4", "f8", "f8", np.longdouble)))
    with np.errstate(all="ignore"):
        values = (rows.scores() * rows.choices.choice(_MAGNITUDES)).astype(dtype)
        if rows.choices.random() < 0.3:
            values = np.round(values)
        values[rows.gaps()] = rows.choices.choice((np.nan, np.inf, -np.inf, 0.0, -0.0))
        values[rows.gaps()] = np.nan
    return pd.Series(values)


def masked(rows: Rows) -> pd.Series:
    names = "Int8 Int16 Int32 Int64 UInt8 UInt16 UInt32 UInt64 Float32 Float64 boolean"
    dtype = rows.choices.choice(names.split())
    values: Any = rows.codes(rows.choices.choice((2, 3, 7)))
    values = (
        rows.scores() if dtype.startswith("F") else values > 0 if dtype == "boolean" else values
    )
    return pd.Series(pd.array(values, dtype=dtype)).mask(rows.gaps())


def truth(rows: Rows) -> pd.Series:
    return pd.Series(rows.scores() > 0)


def complex_numbers(rows: Rows) -> pd.Series:
    dtype = rows.choices.choice((np.complex64, np.complex128))
    return pd.Series((rows.codes(4) * (1 + 1j)).astype(dtype))


def moments(rows: Rows) -> pd.Series:
    zone = rows.choices.choice((None, None, "UTC", "Asia/Tokyo", "America/New_York"))
    unit = rows.choices.choice(("ns", "us", "s"))
    days = rows.codes(rows.choices.choice((3, 5))) * rows.choices.choice((1, 1, 400))
    start = np.datetime64(rows.choices.choice(("2020-03-28", "1970-01-01", "1700-01-01")), "D")
    values = pd.Series((start + days.astype("timedelta64[D]")).astype(f"M8[{unit}]"))
    values = values.mask(rows.gaps())
    return values if zone is None else values.dt.tz_localize(zone, ambiguous="NaT")


def durations(rows: Rows) -> pd.Series:
    unit = rows.choices.choice(("ns", "us", "s"))
    return pd.Series(rows.codes(5).astype(f"m8[{unit}]")).mask(rows.gaps())


def periods(rows: Rows) -> pd.Series:
    start = pd.Period("2020-01-01", freq=rows.choices.choice(("D", "M", "Y", "h")))
    cells = [start + int(k) for k in rows.codes(4)]
    return pd.Series(pd.array(cells, dtype=pd.PeriodDtype(start.freq))).mask(rows.gaps())


def intervals(rows: Rows) -> pd.Series:
    closed = rows.choices.choice(("left", "right", "both", "neither"))
    left = rows.codes(4)
    return pd.Series(pd.arrays.IntervalArray.from_arrays(left, left + 1, closed=closed))


def sparse(rows: Rows) -> pd.Series:
    values = rows.choices.choice((rows.codes(3), rows.scores(), rows.codes(2) > 0))
    return pd.Series(pd.arrays.SparseArray(values))


def _arrow_cells(rows: Rows) -> tuple[pa.DataType, list[Any]]:
    day = datetime.date(2020, 1, 1)
    moment = datetime.datetime(2020, 1, 1)
    return rows.choices.choice(
        (
            (pa.int8(), [0, 1, 2]),
            (pa.int64(), [0, 2**62, -5]),
            (pa.uint64(), [0, 2**64 - 1, 7]),
            (pa.float32(), [0.5, 1.5, float("nan")]),
            (pa.float64(), [1e308, -1e308, 0.0, float("inf")]),
            (pa.bool_(), [True, False]),
            (pa.binary(), [b"a", b"\xff", b""]),
            (pa.large_binary(), [b"a", b"b", b"c"]),
            (pa.decimal128(38, 2), [Decimal("1.50"), Decimal(2), Decimal("-3.25")]),
            (pa.decimal256(70, 0), [Decimal(10**60), Decimal(1), Decimal(2)]),
            (pa.date32(), [day, day.replace(year=1), day.replace(year=9999)]),
            (pa.date64(), [day, day.replace(month=2), day.replace(month=3)]),
            (pa.time32("s"), [datetime.time(k) for k in (1, 2, 3)]),
            (pa.time64("ns"), [datetime.time(k) for k in (1, 2, 3)]),
            (pa.timestamp("us"), [moment, moment.replace(year=1), moment.replace(year=9999)]),
            (pa.timestamp("s", tz="Europe/Rome"), [moment, moment.replace(month=7)]),
            (pa.duration("us"), [datetime.timedelta(k) for k in (1, 2, 3)]),
            (pa.list_(pa.int64()), [[1], [2, 3], [], [None]]),
            (pa.large_list(pa.string()), [["a"], [], ["b", None]]),
            (pa.list_(pa.int8(), 2), [[1, 2], [3, 4]]),
            (pa.struct([("a", pa.int64()), ("b", pa.string())]), [{"a": 1, "b": "x"}, {"a": 2}]),
            (pa.map_(pa.string(), pa.int64()), [[("a", 1)], [], [("b", 2), ("c", 3)]]),
            (pa.list_(pa.struct([("a", pa.list_(pa.int64()))])), [[{"a": [1]}], [{"a": []}], []]),
            (pa.null(), [None]),
            (pa.float16(), [np.float16(0.5), np.float16(2)]),
            (pa.month_day_nano_interval(), [(1, 2, 3), (0, 1, 0)]),
            (pa.string_view(), ["S", "M", "\u00fc"]),
            (pa.binary_view(), [b"a", b"\xff"]),
        )
    )


def arrow_backed(rows: Rows) -> pd.Series:
    dtype, levels = _arrow_cells(rows)
    gaps = rows.gaps()
    cells = [
        None if gap else levels[code]
        for gap, code in zip(gaps, rows.codes(len(levels)), strict=True)
    ]
    array = pa.array(cells, type=dtype)
    if rows.choices.random() < 0.1 and not pa.types.is_nested(dtype) and dtype != pa.null():
        array = array.dictionary_encode()
    return pd.Series(pd.arrays.ArrowExtensionArray(array))


def exotic_cells(rows: Rows) -> pd.Series:
    return pd.Series(rows.cells(rows.some(EXOTIC_CELLS, 8)), dtype=object)


def one_class_of_cells(rows: Rows) -> pd.Series:
    """Make a column whose levels are of one exotic class, as in a frame of records."""
    levels = rows.choices.choice(
        (
            [uuid.UUID(int=k) for k in range(4)],
            [pathlib.PurePosixPath(f"/{k}") for k in range(4)],
            list(Mood),
            [fractions.Fraction(k, 3) for k in range(1, 5)],
            [Decimal(k) / 2 for k in range(5)],
            [Decimal("sNaN"), Decimal(1), Decimal(2), Decimal(3)],
            [ipaddress.ip_address(k) for k in range(3)],
            [np.True_, np.False_],
            [np.str_("low"), np.str_("mid"), np.str_("high")],
            [(k, (k, ())) for k in range(4)],
            [f"{k}".encode() for k in range(4)],
            [10 ** (20 + k) for k in range(4)],
            [10**400, 10**401, 5, -(10**400)],
            [datetime.date(2020, 1, k) for k in (1, 2, 3)],
            [datetime.time(k) for k in (1, 2, 3)],
            [datetime.timedelta(k) for k in (1, 2, 3)],
            [pd.Timestamp(2020, 1, k, tz="UTC") for k in (1, 2, 3)],
            [frozenset({k}) for k in range(3)],
            [1, True, 1.0, "1", Decimal(1)],
            [0.1 * k for k in range(5)],
            [1e308, -1e308, 5e307],
            [np.longdouble("1e400"), np.longdouble(1), np.longdouble(2)],
            [[k] for k in range(3)],
            [{"a": k} for k in range(3)],
            [Unordered, int, len],
        )
    )
    return pd.Series(rows.cells(levels), dtype=object)


def copied(values: pd.Series) -> pd.Series:
    """Return a column in bijection with another, under other levels."""
    texts = [repr(cell) for cell in values]
    levels = {text: f"level {k}" for k, text in enumerate(dict.fromkeys(texts))}
    return pd.Series([levels[text] for text in texts], dtype=object)


KINDS: tuple[Callable[[Rows], pd.Series], ...] = (
    object_texts,
    string_texts,
    categorical,
    numpy_whole,
    numpy_floats,
    masked,
    truth,
    complex_numbers,
    moments,
    durations,
    periods,
    intervals,
    sparse,
    arrow_backed,
    exotic_cells,
    one_class_of_cells,
)
