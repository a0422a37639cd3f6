from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from autotype.errors import UnknownColumnError
from autotype.inference.options import check_options, positions_of

FINE = {"max_levels": 20, "max_rows": 1000, "random_state": 0}
FREE = {"n_jobs": None}  # may be None
NAMES = pd.Index(["size", "price", "size", ("a", 1), 7])


@pytest.mark.parametrize(
    "change",
    [
        {},
        {"max_levels": 3},
        {"max_rows": 1},
        {"max_rows": None},
        {"max_rows": np.int64(5)},
        {"random_state": 2**64},
    ],
)
def test_options_in_range_pass(change: dict) -> None:
    check_options(**{**FINE, **FREE, **change})


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"max_levels": 2}, "max_levels must be at least 3, got 2"),
        ({"max_rows": 0}, "max_rows must be at least 1, got 0"),
        ({"max_rows": -5}, "max_rows must be at least 1, got -5"),
        ({"n_jobs": 0}, "n_jobs must be 1 or more, or -1 for all cores, or None; got 0"),
        ({"random_state": -1}, "random_state must be at least 0, got -1"),
    ],
)
def test_options_out_of_range(change: dict, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        check_options(**{**FINE, **FREE, **change})


@pytest.mark.parametrize("name", [*FINE, "n_jobs"])
@pytest.mark.parametrize("value", [5.0, "5", True, [5], np.array([1, 2])])
def test_options_of_a_wrong_type(name: str, value: object) -> None:
    with pytest.raises(
        TypeError, match=rf"{name} must be an integer, got .*{type(value).__name__}"
    ):
        check_options(**{**FINE, **FREE, name: value})


@pytest.mark.parametrize("name", ["max_levels", "random_state"])
def test_options_that_have_no_default_of_their_own(name: str) -> None:
    with pytest.raises(TypeError, match=rf"{name} must be an integer, got None"):
        check_options(**{**FINE, **FREE, name: None})


@pytest.mark.parametrize(
    ("requested", "expected"),
    [
        (None, [0, 1, 2, 3, 4]),
        ("price", [1]),
        ("size", [0, 2]),
        (7, [4]),
        (("a", 1), [3]),
        ([("a", 1), "price"], [1, 3]),
        (["price", "price"], [1]),
        (("price", 7), [1, 4]),
        ([], []),
        (pd.Index(["price", 7], dtype=object), [1, 4]),
        ((name for name in ["size", "price"]), [0, 1, 2]),
    ],
)
def test_positions(requested: object, expected: list[int]) -> None:
    assert positions_of(NAMES, requested, option="columns") == expected


def test_positions_in_a_multiindex_and_of_nan() -> None:
    names = pd.MultiIndex.from_tuples([("a", 1), ("a", 2)])
    assert positions_of(names, ("a", 2), option="columns") == [1]
    assert positions_of(pd.Index([1.0, np.nan]), np.nan, option="columns") == [1]


@pytest.mark.parametrize(
    ("requested", "message"),
    [
        ("prize", r"columns names 'prize', not in the frame's 4 columns; did you mean 'price'\?"),
        (["size", "colour"], r"columns names 'colour', not in the frame's 4 columns$"),
        ([["size"]], r"columns names \['size'\]"),
        (list("uvwxyz"), r"'u', 'v', 'w', 'x', 'y' and 1 more, not in"),
        (8, "columns names 8"),
    ],
)
def test_unknown_columns(requested: object, message: str) -> None:
    with pytest.raises(UnknownColumnError, match=message):
        positions_of(NAMES, requested, option="columns")
