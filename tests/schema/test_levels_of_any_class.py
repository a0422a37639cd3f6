"""Levels of any class: a frame passes its own schema, and files keep the levels or refuse them."""

from __future__ import annotations

import collections
import datetime
import decimal
import enum
import fractions
import ipaddress
import pathlib
import uuid
from fractions import Fraction

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import autotype
from autotype.errors import BatchError, UnseenLevelError, UnwritableTableError, UnwritableTypesError
from autotype.schema.yaml_io import schema_from_yaml, schema_to_yaml
from autotype.type_report import TypeReport
from autotype.types.codec.json_values import encode
from autotype.types.column_type import ColumnType
from autotype.types.nan_equality import nan_key


class Colour(enum.Enum):
    RED = 1
    GREEN = 2
    BLUE = 3


class Rank(enum.IntEnum):
    FIRST = 1
    SECOND = 2
    THIRD = 3


Point = collections.namedtuple("Point", "x y")

# Levels that every file keeps, but Arrow may refuse.
KEPT = {
    "integers beyond 64 bits": [2**70, 2**70 + 1, -(2**70)],
    "unsigned and negative": [2**64 - 1, -1, 5],
    "NumPy's numbers": [np.int8(1), np.int64(2), np.uint64(2**64 - 1)],
    "long double": [np.longdouble("0.1"), np.longdouble("1.5"), np.longdouble("2.5")],
    "numbers and tuples": [1, 2.5, (1,), ("a", 1)],
    "decimals": [decimal.Decimal("1.10"), decimal.Decimal("Infinity"), decimal.Decimal("1E+400")],
    "uuid": [uuid.UUID(int=j) for j in range(3)],
    "path": [pathlib.Path("a"), pathlib.Path("b"), pathlib.PurePosixPath("c")],
    "windows path": [pathlib.PureWindowsPath(name) for name in "abc"],
    "fraction": [fractions.Fraction(1, n) for n in (2, 3, 4)],
    "address": [ipaddress.ip_address(f"10.0.0.{j}") for j in range(3)],
    "network": [ipaddress.ip_network(f"10.{j}.0.0/16") for j in range(3)],
    "interface": [ipaddress.ip_interface(f"10.{j}.0.0/16") for j in range(3)],
    "booleans": [np.True_, np.False_, "x"],
    "nested tuples": [(1, (2, (3,))), (1, (2, (4,))), ("a", ())],
    "tuples with nan": [("a", float("nan")), ("b", 1), ("c", 2)],
    "named tuples": [Point(1, 2), Point(2, 3), Point(3, 4)],
    "sets": [frozenset("a"), frozenset("b"), frozenset("ab")],
    "bytes": [b"a", b"\xff", b""],
    "dates": [datetime.date(2024, 1, day) for day in (1, 2, 3)],
    "mixed moments": [datetime.date(2024, 1, 1), pd.Timestamp("2024-01-02"), "2024-01-01"],
    "intervals": list(pd.interval_range(0, 3)),
    "periods": list(pd.period_range("2024-01", periods=3, freq="M")),
    "int enum": list(Rank),
    "nan of decimals": [decimal.Decimal("sNaN"), *map(decimal.Decimal, (1, 2, 3))],
}
# Levels that no file can give back.
UNKNOWN = {
    "enum": list(Colour),
    "ranges": [range(1), range(2), range(3)],
    "types": [int, str, float],
    "enum in tuples": [(1, Colour.RED), (2, Colour.RED), (3, Colour.RED)],
}


REFUSED_BY_ARROW = {
    *UNKNOWN,
    *("integers beyond 64 bits", "unsigned and negative", "NumPy's numbers", "long double"),
    *("numbers and tuples", "decimals", "path", "windows path", "fraction", "address", "network"),
    *("interface", "booleans", "nested tuples", "tuples with nan", "sets", "mixed moments"),
}


def arrow_holds_uuids() -> bool:
    try:
        return pa.array([uuid.UUID(int=0)]) is not None
    except pa.ArrowInvalid:  # of an old version
        return False


def assert_same(first: pd.DataFrame, second: pd.DataFrame) -> None:
    """Compare cells and kinds of dtype; pandas itself compares no networks, sets or classes."""
    for name in ("level", "n"):
        one, other = first[name], second[name]
        assert nan_key(one.astype(object).tolist()) == nan_key(other.astype(object).tolist())
        assert isinstance(one.dtype, pd.CategoricalDtype) == isinstance(
            other.dtype, pd.CategoricalDtype
        )
        if isinstance(one.dtype, pd.CategoricalDtype):
            levels = one.cat.categories.tolist(), other.cat.categories.tolist()
            assert nan_key(levels[0]) == nan_key(levels[1])
            assert one.cat.ordered == other.cat.ordered


def frame_of(levels: list) -> pd.DataFrame:
    cells = np.empty(10 * len(levels), dtype=object)
    for j in range(len(cells)):
        cells[j] = levels[j % len(levels)]
    return pd.DataFrame({"level": cells, "n": np.arange(len(cells))})


@pytest.mark.parametrize("kind", [*KEPT, *UNKNOWN])
def test_a_frame_passes_its_own_schema_typed_and_plain(kind) -> None:
    frame = frame_of((KEPT | UNKNOWN)[kind])
    types = autotype.infer_types(frame)
    typed = frame.ordinal.apply_types(types)
    schema = frame.ordinal.to_schema(types)
    assert_same(typed.ordinal.validate(schema), typed)
    assert_same(frame.ordinal.validate(schema), typed)
    assert types.to_html()
    assert autotype.to_schema(frame, types).columns["level"].nullable == typed["level"].hasnans


@pytest.mark.parametrize("kind", KEPT)
def test_files_keep_the_levels(kind) -> None:
    frame = frame_of(KEPT[kind])
    types = autotype.infer_types(frame)
    again = TypeReport.from_json(types.to_json())
    assert again == types
    typed = frame.ordinal.apply_types(types)
    assert_same(frame.ordinal.apply_types(again), typed)
    schema = schema_from_yaml(schema_to_yaml(frame.ordinal.to_schema(types)))
    assert_same(frame.ordinal.validate(schema), typed)
    assert_same(typed.ordinal.validate(schema), typed)
    stated = TypeReport.from_schema(schema)["level"]
    if isinstance(typed["level"].dtype, pd.CategoricalDtype):
        assert nan_key(list(stated.levels)) == nan_key(typed["level"].cat.categories.tolist())


@pytest.mark.parametrize("kind", [*KEPT, *UNKNOWN])
def test_arrow_keeps_the_levels_or_names_the_column(kind) -> None:
    frame = frame_of((KEPT | UNKNOWN)[kind])
    types = autotype.infer_types(frame)
    typed = frame.ordinal.apply_types(types)
    if kind in REFUSED_BY_ARROW or (kind == "uuid" and not arrow_holds_uuids()):
        with pytest.raises(UnwritableTableError, match="'level'"):
            types.to_arrow(frame)
        return
    again = TypeReport.from_arrow(types.to_arrow(frame))["level"]
    if isinstance(typed["level"].dtype, pd.CategoricalDtype):
        assert nan_key(again.levels) == nan_key(types["level"].levels)


@pytest.mark.parametrize("kind", UNKNOWN)
def test_what_cannot_be_read_back_is_not_written(kind) -> None:
    frame = frame_of(UNKNOWN[kind])
    types = autotype.infer_types(frame)
    with pytest.raises(UnwritableTypesError, match=r"column 'level': .* cannot be written"):
        types.to_json()
    with pytest.raises(UnwritableTypesError, match="the schema holds what YAML cannot"):
        schema_to_yaml(frame.ordinal.to_schema(types))


@pytest.mark.parametrize(
    "column",
    [
        ColumnType(("b", 0), "categorical", levels={"a": 4}, off_scale=(Colour.RED,)),
        ColumnType("x", "count", missing_markers=(Colour.RED,)),
        ColumnType("x", "ordinal", partial_order=((Colour.RED, Colour.BLUE),)),
        ColumnType("x", "categorical", labels={Colour.RED: "red"}),
        ColumnType(Colour.RED, "text"),
    ],
)
def test_a_schema_in_memory_holds_what_is_not_written(column) -> None:
    frame = pd.DataFrame([["a"]] * 4, columns=pd.Index([column.name], tupleize_cols=False))
    schema = frame.ordinal.to_schema(TypeReport([column], n_rows=4))
    (stated,) = TypeReport.from_schema(schema).columns
    for key in ("name", "semantic_type", "partial_order", "off_scale"):
        assert getattr(stated, key) == getattr(column, key)
    with pytest.raises(UnwritableTypesError, match="the schema holds what YAML cannot"):
        schema_to_yaml(schema)


def test_levels_nested_too_deep_are_not_written() -> None:
    deep: tuple = ("a",)
    for _ in range(60):
        deep = (deep,)
    frame = frame_of([deep, "b", "c"])
    schema = frame.ordinal.to_schema(autotype.infer_types(frame))
    frame.ordinal.validate(schema)
    with pytest.raises(UnwritableTypesError, match="nested deeper than can be read again"):
        schema_to_yaml(schema)


@pytest.mark.parametrize("ordered", [True, False])
@pytest.mark.parametrize("levels", [["low", "mid", "high"], ["Ulm", "Rom", "Bern"], [3, 1, 2]])
def test_a_plain_categorical_passes_its_own_schema(levels, ordered) -> None:
    values = pd.Categorical(levels * 8, categories=[*sorted(levels, key=str)[::-1], "unused"])
    frame = pd.DataFrame({"level": values, "n": np.arange(24)})
    known = {"level": sorted(levels, key=str) if ordered else "categorical"}
    types = autotype.infer_types(frame, known=known)
    schema = frame.ordinal.to_schema(types)
    typed = frame.ordinal.apply_types(types)
    for again in (schema, schema_from_yaml(schema_to_yaml(schema))):
        pd.testing.assert_frame_equal(frame.ordinal.validate(again), typed)
        pd.testing.assert_frame_equal(typed.ordinal.validate(again), typed)
        strange = frame.assign(level=frame["level"].cat.rename_categories({levels[0]: "new"}))
        with pytest.raises(autotype.errors.BatchError, match="holds level 'new' at row 0"):
            strange.ordinal.validate(again)


def test_a_column_that_was_ordered_has_to_stay_so() -> None:
    values = pd.Categorical(["low", "mid", "high"] * 8, ["low", "mid", "high"], ordered=True)
    frame = pd.DataFrame({"level": values, "n": np.arange(24)})
    schema = frame.ordinal.to_schema(autotype.infer_types(frame))
    unordered = frame.assign(level=frame["level"].cat.as_unordered())
    for rules in (schema, schema_from_yaml(schema_to_yaml(schema))):
        with pytest.raises(BatchError, match="has the levels 'low', 'mid', 'high' "):
            unordered.ordinal.validate(rules)
        plain = frame.assign(level=frame["level"].astype(object))
        assert plain.ordinal.validate(rules)["level"].cat.ordered


def test_a_new_level_that_is_half_a_surrogate_pair_fails() -> None:
    frame = pd.DataFrame({"a": ["low", "mid", "high"] * 9, "b": ["red", "blue", "green"] * 9})
    schema = frame.ordinal.to_schema(autotype.infer_types(frame))
    batch = frame.astype(object)
    batch.loc[3, :] = "\ud800"
    with pytest.raises(BatchError, match=r"(?s)column 'a' .*'mid'.*column 'b' .*'blue'"):
        batch.ordinal.validate(schema)


class Thing:
    """An object that equals itself only, and none of its copies."""


@pytest.mark.parametrize(
    "levels",
    [
        [Thing(), int, 3],
        # Not equal, but both equal to the moment of pandas that files hold of the first.
        [np.datetime64("2020-01-01"), datetime.datetime(2020, 1, 1), "low"],
    ],
)
def test_levels_that_differ_from_their_copies_have_no_rule(levels) -> None:
    frame = pd.DataFrame({"a": pd.Series(levels * 9, dtype=object)})
    types = autotype.infer_types(frame, known={"a": "categorical"})
    schema = frame.ordinal.to_schema(types)
    assert [check.name for check in schema.columns["a"].checks] == ["varies"]
    assert autotype.validate(frame, schema)["a"].tolist() == frame["a"].tolist()


@pytest.mark.skipif(
    hash(np.timedelta64(1, "D")) != hash(np.timedelta64(24, "h")),
    reason="this NumPy hashes equal durations unequally",
)
def test_empty_tuples_beside_durations() -> None:
    cells = [(), np.timedelta64(1, "D"), (1,), np.int64(3)] * 9
    frame = pd.DataFrame({"a": pd.Series(cells, dtype=object)})
    column = ColumnType("a", "ordinal", order=tuple(cells[1:4]), off_scale=((),))
    schema = frame.ordinal.to_schema(TypeReport([column]))
    assert list(schema.columns["a"].checks[0].statistics["off_scale"]) == [encode(())]
    assert autotype.validate(frame, schema)["a"].notna().all()
    typed = autotype.apply_types(frame, TypeReport([column]))
    again = autotype.infer_types(typed)["a"]
    assert (again.order, again.off_scale) == (column.order, column.off_scale)
    some = TypeReport([ColumnType("a", "categorical", levels={(): 9, (1,): 9, cells[3]: 9})])
    with pytest.raises(UnseenLevelError, match=r"timedelta64.* \(first at row 1\)"):
        autotype.apply_types(frame, some, unseen="raise")


@pytest.mark.skipif(np.isinf(np.longdouble("1e400")), reason="long doubles are doubles here")
def test_a_tuple_off_the_scale_beside_a_long_double() -> None:
    """NumPy compares a scalar with a tuple cell by cell."""
    order, aside = (np.longdouble("1e400"), "x"), ((), ())
    frame = pd.DataFrame({"a": pd.Series([*order, aside] * 9, dtype=object)})
    column = ColumnType("a", "ordinal", order=order, off_scale=(aside,))
    schema = frame.ordinal.to_schema(TypeReport([column]))
    assert TypeReport.from_schema(schema)["a"].off_scale == (aside,)


class Thing:
    """Two are different, as are an object and its copy."""


def test_tuples_beside_objects_that_have_no_copy_are_checked_by_no_dtype() -> None:
    cells = [(), datetime.date(9999, 12, 31), Thing(), pd.Timedelta("1s")] * 9
    frame = pd.DataFrame({"a": pd.Series(cells, dtype=object)})
    types = TypeReport([ColumnType("a", "categorical", levels=dict.fromkeys(cells[1:] + cells, 9))])
    assert autotype.validate(frame, autotype.to_schema(frame, types))["a"].notna().all()


def test_levels_that_pandas_cannot_sort_are_checked_by_no_dtype() -> None:
    """NumPy compares a duration with a tuple cell by cell, and with some it cannot."""
    cells = [(1, ("a", (2, None))), np.timedelta64(1, "D"), Thing(), Fraction(1, 3)] * 9
    frame = pd.DataFrame({"a": pd.Series(cells, dtype=object)})
    types = TypeReport([ColumnType("a", "categorical", levels=dict.fromkeys(cells, 9))])
    assert autotype.validate(frame, autotype.to_schema(frame, types))["a"].notna().all()


@pytest.mark.skipif(np.isinf(np.longdouble("1e400")), reason="long doubles are doubles here")
def test_long_doubles_beside_complex_numbers() -> None:
    """pandas makes complex numbers of all, which are no long doubles any more."""
    cells = [1j, np.longdouble(1) / 3, 1] * 9
    frame = pd.DataFrame({"a": pd.Series(cells, dtype=object)})
    types = TypeReport([ColumnType("a", "categorical", levels=dict.fromkeys(cells, 9))])
    assert autotype.validate(frame, autotype.to_schema(frame, types))["a"].notna().all()
