"""Whole frames: sizes, names, indexes, and columns of every kind.

`random_frame` serves twice: the suite gives it a `Random` of Hypothesis, whose choices shrink, and
``benchmarks/fuzz.py`` one with a seed, by which a frame is found again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Any

import numpy as np
import pandas as pd
from hypothesis import strategies as st

from tests.strategies.columns import KINDS, Rows, copied, numpy_whole, object_texts

PLAIN_NAMES = ("size", "mood", "age", "order_no", "n_children", "town", "date", "grade", "x", "y")
HOSTILE_NAMES = (
    "self", "frame", "types", "columns", "index", "name", "class", "model", "target", "lambda",
    "", " ", None, np.nan, pd.NA, pd.NaT, 0, 1, -1, 1.5, np.int64(3), True, ("a", 1),
    ("a", ("b", 2)), (), b"y", "x" * 3000, "\u202eabc", "a\nb", "\0", "\x1b[31m",
    "<script>alert(1)</script>", "a.b", "a b", "{x}", "%s", "$\\frac{1}{2}$", "_hidden",
    "__class__", "column_0", "=1+1", "\ud800", "é", "大小", pd.Timestamp("2020-01-01"), "feature",
    "Config", "size is missing", "size = low",
)  # fmt: skip


Kinds = Sequence[Callable[[Rows], pd.Series]]


def random_frame(random: Random, kinds: Kinds = KINDS) -> pd.DataFrame:
    """Make any frame that pandas can hold.

    Parameters
    ----------
    random : Random
        All choices come from it.
    kinds : sequence of callable
        Kinds of columns to choose from.

    Returns
    -------
    pandas.DataFrame
    """
    n_rows = random.choice((0, 1, 2, 3, 5, 12, 12, 30, 30, 60, 60, 60, 200))
    n_columns = random.choice((0, 1, 1, 2, 3, 3, 4, 5, 6))
    rare = random.randint(0, 199)
    if rare == 1:
        n_rows, n_columns = 1, 300
    elif rare == 2:
        n_rows, n_columns = 3000, 3
    elif rare == 3:
        n_rows, n_columns, kinds = 20, 60, (numpy_whole, object_texts)
    numbers = np.random.default_rng(random.getrandbits(32))
    rows = Rows(random, numbers, numbers.normal(size=n_rows))
    columns = [random.choice(kinds)(rows) for _ in range(n_columns)]
    if columns and random.random() < 0.15:
        columns.append(copied(random.choice(columns)))
    frame = pd.concat(columns, axis=1) if columns else pd.DataFrame(index=range(n_rows))
    frame.columns = random_names(random, len(columns))
    frame.index = random_index(random, n_rows)
    return frame


def random_names(random: Random, count: int) -> pd.Index:
    """Make column names: mostly plain, sometimes hostile, repeated or of several levels."""
    kind = random.choice(("plain", "plain", "plain", "hostile", "repeated", "levels", "range"))
    if kind == "range":
        return pd.RangeIndex(count)
    if kind == "levels" and count:
        pairs = [(random.choice("ab"), k // 2) for k in range(count)]
        return pd.MultiIndex.from_tuples(pairs, names=random.choice(((None, None), ("g", "n"))))
    names: list[Any] = [PLAIN_NAMES[k] if k < len(PLAIN_NAMES) else f"c{k}" for k in range(count)]
    for k in range(count if kind == "hostile" else 0):
        names[k] = random.choice(HOSTILE_NAMES)
    if kind == "repeated":
        names = [random.choice(names[:2]) for _ in names]
    return pd.Index(names, dtype=object, tupleize_cols=False, name=random.choice((None, "names")))


def random_index(random: Random, n_rows: int) -> pd.Index:
    """Make an index of the rows: plain, shuffled, repeated, dates, or of several levels."""
    kind = random.choice(
        ("plain", "plain", "plain", "reversed", "repeated", "dates", "levels", "texts")
    )
    if kind == "reversed":
        return pd.RangeIndex(n_rows, 0, -1)
    if kind == "repeated":
        return pd.Index(["i"] * n_rows, name="size")
    if kind == "dates":
        return pd.date_range("2020", periods=n_rows, tz=random.choice((None, "UTC")))
    if kind == "levels":
        return pd.MultiIndex.from_arrays([["i"] * n_rows, range(n_rows)])
    if kind == "texts":
        return pd.Index([f"r{k}" for k in range(n_rows)], dtype=object)
    return pd.RangeIndex(n_rows)


frames = st.randoms(use_true_random=False).map(random_frame)
