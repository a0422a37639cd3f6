"""Of a wide frame, columns that nobody asked for are read if they may count."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import autotype
from autotype.inference.evidence.screen import screen
from autotype.inference.frames.as_pandas import open_frame

ANSWERS = ["poor", "fair", "good", "excellent"]


def wide(n_rows: int = 600, n_noise: int = 200) -> pd.DataFrame:
    """Return a rating, what it depends on, an item of its scale, and noise."""
    rng = np.random.default_rng(0)
    mood = rng.normal(size=n_rows)
    rating = np.digitize(mood + 0.5 * rng.normal(size=n_rows), [-1, 0, 1])
    item = np.digitize(mood + rng.normal(size=n_rows), [-1, 0, 1])
    noise = {
        f"noise {j}": rng.normal(size=n_rows)
        if j % 3
        else rng.choice([f"{c}{j}" for c in "abcd"], n_rows)
        for j in range(n_noise)
    }
    columns = {
        "rating": np.array(ANSWERS)[rating],
        **noise,
        "mood": mood,
        "day": pd.Timestamp("2024-01-01") + pd.to_timedelta((100 * mood).astype(int), unit="D"),
        "group": np.where(mood > 0, "up", "down"),
        "as text": [f"{x:.3f}" for x in mood],
        "item": np.array(ANSWERS)[item],
    }
    return pd.DataFrame(columns)


def texts_have_a_dtype() -> bool:
    return pd.Series(["a"]).dtype != object


def kept_of(frame: object, *, most: int = 32) -> set[str]:
    opened = open_frame(frame)
    names = list(opened.names)
    kept, n_left_out = screen(
        opened, [names.index("rating")], set(range(len(names))), max_levels=20, seed=0
    )
    assert kept == sorted(kept)
    assert len(kept) <= most + 1
    assert n_left_out > len(names) - most - 1
    return {names[j] for j in kept}


def test_all_columns_are_read_of_a_frame_that_is_not_wide() -> None:
    opened = open_frame(wide(n_noise=90))
    assert screen(opened, [0], set(), max_levels=20, seed=0) == (list(range(96)), 0)


def test_what_a_column_depends_on_and_its_scale_are_kept() -> None:
    assert {"rating", "mood", "day", "group", "as text", "item"} <= kept_of(wide())


def test_the_order_of_rows_and_columns_changes_nothing() -> None:
    frame = wide(2000)
    other = frame.sample(frac=1, random_state=1).sample(frac=1, axis=1, random_state=2)
    assert kept_of(other) == kept_of(frame)


def test_the_library_changes_nothing() -> None:
    frame = wide()
    assert kept_of(pa.Table.from_pandas(frame)) == kept_of(frame)


@pytest.mark.parametrize("most", [0, 2**25])
def test_strings_of_any_kind_and_size_are_read_alike(
    monkeypatch: pytest.MonkeyPatch, most: int
) -> None:
    monkeypatch.setattr("autotype.inference.frames.columns._MOST_COPIED", most)
    frame = wide().mask(np.random.default_rng(1).random((600, 206)) < 0.1)
    texts = frame.select_dtypes(exclude=["number", "datetime"]).columns
    expected = kept_of(frame.astype(dict.fromkeys(texts, object)))
    # Before pandas 3, "str" makes strings of missing values.
    kinds = ("string[python]", "string[pyarrow]", *(("str",) if texts_have_a_dtype() else ()))
    for kind in kinds:
        assert kept_of(frame.astype(dict.fromkeys(texts, kind))) == expected
        assert kept_of(frame.astype(dict.fromkeys(texts[::2], kind))) == expected
    some, every = open_frame(frame[texts]), open_frame(frame[texts].astype(object))
    rows = np.arange(0, 600, 7)
    one, other = (opened.some_rows(rows).reset_index(drop=True) for opened in (some, every))
    pd.testing.assert_frame_equal(one, other, check_dtype=False)


def test_only_features_are_predictors_but_siblings_are_read() -> None:
    frame = wide()
    kept, n_left_out = screen(open_frame(frame), [0], set(), max_levels=20, seed=0)
    assert [frame.columns[j] for j in kept] == ["rating", "item"]
    assert n_left_out == 0


@pytest.mark.parametrize("cells", [[[1]], [{}], [np.nan], [("a", 1)]])
def test_odd_cells_are_passed_over(cells: list) -> None:
    frame = wide().assign(odd=pd.Series(cells * 600, dtype=object), empty=None)
    assert "odd" not in kept_of(frame)
    assert "mood" in kept_of(frame)


@pytest.mark.parametrize("kind", [pa.string_view(), pa.binary_view(), pa.string()])
def test_columns_of_arrow_are_read(kind: pa.DataType) -> None:
    texts = pa.array([None if k % 7 == 0 else b"ab" if k % 2 else b"c" for k in range(600)], kind)
    frame = wide().assign(odd=pd.arrays.ArrowExtensionArray(texts))
    assert {"mood", "item"} <= kept_of(frame)


def test_the_answer_is_that_of_all_columns_and_says_what_was_read() -> None:
    frame = wide()
    some, every = autotype.infer_types(frame, "rating"), autotype.infer_types(frame)
    assert some["rating"].order == every["rating"].order == tuple(ANSWERS)
    assert some.sample.startswith("Of 205 columns beside the requested ones, 32 were read: ")
    assert not every.sample
    blind = autotype.infer_types(frame, "rating", label_text=False)["rating"]
    assert blind.best_order in (tuple(ANSWERS), tuple(ANSWERS[::-1]))
    assert blind.semantic_type == "ordinal"


def test_noise_predicts_nothing_however_much_there_is_to_select_from() -> None:
    rng = np.random.default_rng(5)
    frame = pd.DataFrame(rng.normal(size=(200, 600)), columns=[f"x{j}" for j in range(600)])
    frame["y"] = rng.choice(list("qwkz"), 200)
    found = autotype.infer_types(frame, "y")["y"]
    assert found.semantic_type == "undetermined"


def test_what_is_stated_of_other_columns_is_read() -> None:
    frame = wide().assign(w=1.5)
    stated = {"noise 0": ["a0", "b0", "c0", "d0"]}
    report = autotype.infer_types(frame, ["rating", "noise 3"], known=stated, weights="w")
    assert list(report) == ["rating", "noise 3"]
    assert report["rating"].weighted_shares
    with pytest.raises(autotype.errors.UnknownColumnError, match="known names 'nope'"):
        autotype.infer_types(frame, "rating", known={"nope": "text"})
    with pytest.raises(autotype.errors.UnknownColumnError, match="weights names 'nope'"):
        autotype.infer_types(frame, "rating", weights="nope")


def test_names_may_repeat() -> None:
    frame = wide()
    frame.columns = ["rating", *frame.columns[1:-1], "rating"]
    assert [c.name for c in autotype.infer_types(frame, "rating").columns] == ["rating", "rating"]
