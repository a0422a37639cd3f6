"""What must not change the verdict on a scale: small differences between its columns."""

from __future__ import annotations

from functools import cache

import numpy as np
import pandas as pd
import pytest

import autotype

READ = ("never", "rarely", "sometimes", "often", "always")
UNREAD = ("zib", "wol", "kam", "tup", "ran")  # placed by the data alone
NUMBERS = (1, 2, 3, 4, 5)
SCALES = pytest.mark.parametrize(
    "levels", [READ, UNREAD, NUMBERS], ids=["read", "unread", "numbers"]
)
SHARED = ("semantic_type", "probability", "order_probability", "direction_known")


def items(levels: tuple, *, n_rows: int = 400, n_items: int = 6, reverse: int = 0) -> pd.DataFrame:
    rng = np.random.default_rng(1)
    latent = rng.normal(size=n_rows)
    frame = pd.DataFrame({"x": latent + 0.3 * rng.normal(size=n_rows)})
    for k in range(n_items):
        sign = -1 if k < reverse else 1
        answers = np.digitize(sign * latent + 0.6 * rng.normal(size=n_rows), [-1.2, -0.4, 0.4, 1.2])
        frame[f"item_{k + 1}"] = np.array(levels, dtype=object)[answers]
        if levels == NUMBERS:
            frame[f"item_{k + 1}"] = frame[f"item_{k + 1}"].astype(int)
    return frame


def check_one_scale(types: autotype.TypeReport, names=None) -> autotype.ColumnType:
    """Check that all items have one verdict, order, direction and set of levels."""
    names = names or [f"item_{k + 1}" for k in range(6)]
    (scale,) = types.scales
    assert set(scale.columns) == set(names)
    found = [types[name] for name in names]
    for key in SHARED:
        assert len({repr(getattr(column, key)) for column in found}) == 1
    for key in ("order", "best_order", "off_scale", "levels"):
        spelled = [getattr(column, key) for column in found]
        assert len({_folded(levels) for levels in spelled}) == 1
    return found[0]


def _folded(levels) -> tuple | None:
    return None if levels is None else tuple(str(level).casefold() for level in levels)


@cache
def whole_scale(levels: tuple) -> autotype.ColumnType:
    """Type items of which nothing differs."""
    return check_one_scale(autotype.infer_types(items(levels)))


@SCALES
def test_a_level_that_nobody_ticked(levels: tuple) -> None:
    whole = whole_scale(levels)
    for level in levels:
        frame = items(levels)
        frame.loc[frame.item_2 == level, "item_2"] = np.nan
        types = autotype.infer_types(frame)
        column = check_one_scale(types)
        assert column.semantic_type == whole.semantic_type
        assert set(column.best_order) == set(levels)
        assert types["item_2"].levels[level] == 0
        assert types["item_2"].n_levels == len(levels) - 1


@SCALES
def test_one_stray_answer(levels: tuple) -> None:
    whole = whole_scale(levels)
    frame = items(levels)
    frame["item_3"] = frame["item_3"].astype(object)
    frame.loc[7, "item_3"] = "see below"
    if levels == NUMBERS:
        frame["item_3"] = frame["item_3"].astype(str)
    types = autotype.infer_types(frame)
    column = check_one_scale(types)
    assert column.semantic_type == whole.semantic_type
    assert _folded(column.best_order) == _folded(whole.best_order)
    assert types["item_3"].off_scale == ("see below",)


@SCALES
def test_one_level_off_the_scale(levels: tuple) -> None:
    whole = whole_scale(levels)
    frame = items(levels)
    off = 99 if levels == NUMBERS else "don't know"
    frame.loc[5:20, "item_4"] = off
    types = autotype.infer_types(frame)
    column = check_one_scale(types)
    assert (column.semantic_type, column.best_order) == (whole.semantic_type, whole.best_order)
    assert (column.off_scale, column.levels[off]) == ((off,), 0)


@pytest.mark.parametrize(
    "spell", [str.upper, str.title, "  {}".format, "{}\N{NO-BREAK SPACE}".format]
)
@pytest.mark.parametrize("levels", [READ, UNREAD], ids=["read", "unread"])
def test_other_spellings(levels: tuple, spell) -> None:
    whole = whole_scale(levels)
    frame = items(levels)
    frame["item_5"] = frame["item_5"].map(spell)
    types = autotype.infer_types(frame)
    assert types["item_1"].best_order == whole.best_order
    assert types["item_5"].best_order == tuple(map(spell, whole.best_order))
    assert types["item_5"].probability == types["item_1"].probability


def test_numbers_and_strings_of_them() -> None:
    frame = items(NUMBERS)
    frame["item_5"] = frame["item_5"].astype(str)
    types = autotype.infer_types(frame)
    check_one_scale(types)
    assert set(types["item_5"].best_order) == set(map(str, NUMBERS))
    assert set(types["item_1"].best_order) == set(NUMBERS)


@SCALES
def test_an_item_that_runs_against_the_others(levels: tuple) -> None:
    whole = whole_scale(levels)
    types = autotype.infer_types(items(levels, reverse=1))
    column = check_one_scale(types)
    assert column.best_order in (whole.best_order, whole.best_order[::-1])
    if column.order is not None:
        assert types.scales[0].reversed == ("item_1",)
        assert [types[name].reversed for name in ("item_1", "item_2")] == [True, False]


@SCALES
def test_the_order_of_columns_is_nothing(levels: tuple) -> None:
    frame = items(levels)
    frame.loc[frame.item_2 == levels[0], "item_2"] = np.nan
    types = autotype.infer_types(frame)
    turned = autotype.infer_types(frame[frame.columns[::-1]])
    for name in frame.columns[1:]:
        for key in ("semantic_type", "best_order", "levels", "off_scale"):
            assert getattr(turned[name], key) == getattr(types[name], key)
        assert turned[name].probability == pytest.approx(types[name].probability)


@SCALES
def test_scales_are_found_over_columns_that_are_not_requested(levels: tuple) -> None:
    frame = items(levels)
    frame.loc[frame.item_2 == levels[0], "item_2"] = np.nan
    types = autotype.infer_types(frame)
    for names in (["item_2"], ["item_6", "item_2"]):
        few = autotype.infer_types(frame, names)
        for name in names:
            for key in (*SHARED, "order", "best_order", "levels", "off_scale", "reversed"):
                assert repr(getattr(few[name], key)) == repr(getattr(types[name], key))


@pytest.mark.parametrize("n_items", [2, 3, 7])
def test_two_levels_that_were_ticked_of_more(n_items: int) -> None:
    frame = items(("low", "medium", "high", "very high", "extreme"), n_items=n_items)
    lacking = frame["item_1"].isin(["high", "medium"])
    frame["item_9"] = frame["item_1"].where(lacking)
    frame = frame.iloc[:60]
    types = autotype.infer_types(frame)
    assert types["item_9"].semantic_type in ("ordinal", "binary")
    assert types["item_1"].semantic_type == "ordinal"


def test_yes_and_no_are_no_part_of_a_scale() -> None:
    rng = np.random.default_rng(3)
    frame = pd.DataFrame(
        {
            "q1": rng.choice(["no", "sometimes", "yes"], 90),
            "q2": rng.choice(["no", "sometimes", "yes"], 90),
            "q3": rng.choice(["no", "yes"], 90),
        }
    )
    types = autotype.infer_types(frame)
    assert types["q3"].semantic_type == "binary"
    assert types["q3"].scale == ""


def test_sets_that_differ_in_frequent_levels_are_two_scales() -> None:
    three, five = ("disagree", "neutral", "agree"), ("strongly disagree", "disagree", "neutral")
    five = (*five, "agree", "strongly agree")
    rng = np.random.default_rng(2)
    frame = pd.DataFrame(
        {f"a{k}": rng.choice(three, 200) for k in range(3)}
        | {f"b{k}": rng.choice(five, 200) for k in range(3)}
    )
    scales = autotype.infer_types(frame).scales
    assert [scale.columns for scale in scales] == [("a0", "a1", "a2"), ("b0", "b1", "b2")]


def test_data_that_deny_an_order_leave_the_scale() -> None:
    """One item names which of five other columns is the largest: they predict it in no order."""
    frame = items(NUMBERS, n_rows=900)
    rng = np.random.default_rng(1)
    others = rng.normal(size=(900, 5))
    frame["item_6"] = (others + 0.3 * rng.normal(size=others.shape)).argmax(axis=1) + 1
    for k in range(5):
        frame[f"z{k}"] = others[:, k]
    types = autotype.infer_types(frame)
    (scale,) = types.scales
    assert scale.columns == tuple(f"item_{k}" for k in range(1, 6))
    assert scale.type == "ordinal"
    assert (types["item_6"].semantic_type, types["item_6"].scale) == ("categorical", "")
    assert not any("One scale with" in reason for reason in types["item_6"].reasons)


@pytest.mark.parametrize("levels", [READ, UNREAD])
@pytest.mark.parametrize("n_rows", [4, 30])
def test_a_level_that_one_item_alone_holds_is_off_the_scale(levels: tuple, n_rows: int) -> None:
    frame = items(levels, n_rows=400)
    frame.loc[: n_rows - 1, "item_3"] = "xqz"
    types = autotype.infer_types(frame)
    assert check_one_scale(types).off_scale == ("xqz",)
    assert types["item_3"].levels["xqz"] == n_rows
