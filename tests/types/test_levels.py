"""The levels of a column, as every cast, check and format asks for them."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest

from autotype import ColumnType, TypeReport, apply_types, to_schema, validate
from autotype.types.column_type import SEMANTIC_TYPES
from autotype.types.levels import LevelSet, cast_to_levels, codes_of

NAN = math.nan


@pytest.mark.parametrize("semantic_type", SEMANTIC_TYPES)
def test_types_with_levels(semantic_type: str) -> None:
    column = ColumnType("x", semantic_type, levels={"b": 2, "a": 1})  # type: ignore[arg-type]
    has_levels = semantic_type in ("categorical", "binary", "constant", "undetermined")
    assert column.level_set == (LevelSet(("b", "a")) if has_levels else None)


@pytest.mark.parametrize("semantic_type", SEMANTIC_TYPES)
def test_levels_that_are_not_listed(semantic_type: str) -> None:
    column = ColumnType("x", semantic_type)  # type: ignore[arg-type]
    is_empty_set = semantic_type in ("categorical", "binary")
    assert column.level_set == (LevelSet(()) if is_empty_set else None)


def test_an_order_belongs_to_ordinal_columns_only() -> None:
    ordinal = ColumnType("x", "ordinal", order=("a", "b"), off_scale=("?",), levels={"b": 1})
    assert ordinal.level_set == LevelSet(("a", "b"), ("?",), ordered=True)
    undetermined = ColumnType("x", "undetermined", best_order=("a", "b"), levels={"b": 1, "?": 1})
    assert undetermined.level_set == LevelSet(("b", "?"))
    assert ColumnType("x", "ordinal", order=()).level_set == LevelSet((), ordered=True)


@pytest.mark.parametrize(
    ("levels", "categories"),
    [
        (LevelSet(("a", "b"), ("?", "a"), ordered=True), ("?", "a", "b")),
        (LevelSet((1, 1.0, np.int64(1), 2)), (1, 2)),
        (LevelSet((NAN, float("nan"), (NAN,), (float("nan"),))), (NAN, (NAN,))),
        (LevelSet(()), ()),
    ],
    ids=str,
)
def test_categories_are_unique(levels: LevelSet, categories: tuple) -> None:
    assert levels.categories == categories


@pytest.mark.parametrize(
    ("levels", "are_strings", "are_numbers_in_order"),
    [
        (LevelSet(("a", "b")), True, False),
        (LevelSet((1, 2.5), ("?",), ordered=True), False, True),
        (LevelSet((2, 1), ordered=True), False, False),
        (LevelSet(("a", 1), ordered=True), False, False),
        (LevelSet(()), True, True),
    ],
    ids=str,
)
def test_the_class_of_levels(
    levels: LevelSet, are_strings: bool, are_numbers_in_order: bool
) -> None:
    assert levels.are_strings == are_strings
    assert levels.are_numbers_in_order == are_numbers_in_order


@pytest.mark.parametrize("missing", [None, float("nan"), pd.NaT, pd.NA])
@pytest.mark.parametrize("semantic_type", ["categorical", "binary", "ordinal"])
def test_a_missing_value_is_no_level_of_a_dtype(missing, semantic_type):
    order = ("no", missing, "yes") if semantic_type == "ordinal" else None
    levels = {"no": 2, missing: 1, "yes": 2}
    report = TypeReport([ColumnType("ok", semantic_type, order=order, levels=levels)])
    frame = pd.DataFrame({"ok": ["no", None, "yes", "no", "yes"]})
    typed = apply_types(frame, report)["ok"]
    assert typed.cat.categories.tolist() == ["no", "yes"]
    assert typed.isna().tolist() == [False, True, False, False, False]
    assert validate(frame, to_schema(frame, report))["ok"].cat.categories.tolist() == ["no", "yes"]


def test_tuples_are_levels_like_others() -> None:
    codes, levels = codes_of(pd.Series([("a", 1), ("b", 2), None, ("a", 1)]))
    assert (codes.tolist(), levels) == ([0, 1, -1, 0], [("a", 1), ("b", 2)])


def test_cells_that_are_no_level_become_missing():
    cast = cast_to_levels(pd.Series([[1], "a", None], dtype=object), [], ordered=False)
    assert (cast.isna().tolist(), cast.cat.categories.tolist()) == ([True] * 3, [])


def test_a_small_float_of_numpy_may_stand_beside_a_large_number() -> None:
    values = [np.float32(0.1), 1e308, "1"] * 20
    frame = pd.DataFrame({"size": pd.Series(values, dtype=object)})
    report = TypeReport([ColumnType("size", "categorical", levels=dict.fromkeys(values, 20))])
    assert len(validate(frame, to_schema(frame, report))["size"].cat.categories) == 3
