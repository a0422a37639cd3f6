"""Codebooks: values in any spelling, missing values, and what does not fit a table."""

from __future__ import annotations

import math
from types import SimpleNamespace

import pandas as pd
import pytest

import autotype
from autotype.types.codebook import Codebook, CodebookEntry, value_key

ENTRY = CodebookEntry(
    values={1.0: "never", 2.0: "often", -9.0: "refused"},
    missing=(99, ".a"),
    missing_ranges=((-math.inf, -1.0),),
)


@pytest.mark.parametrize("level", [1, 1.0, "1", " 01", "1.0"])
def test_spellings_of_a_value_have_one_label(level: object) -> None:
    assert ENTRY.texts([level]) == {level: "never"}


def test_values_that_are_no_numbers_stay_themselves() -> None:
    assert [value_key(v) for v in ("nan", "M ", True, None)] == ["nan", "M", True, None]


def test_labels_that_stand_twice_are_ordinary() -> None:
    entry = CodebookEntry(values={1: "other", 2: "other"})
    assert entry.texts([2, 1, 3]) == {2: "other", 1: "other"}


def test_missing_values_and_ranges() -> None:
    missing = [v for v in (-9, -1, 0, 1, "99", 99.0, ".a", "a", math.nan) if ENTRY.is_missing(v)]
    assert missing == [-9, -1, "99", 99.0, ".a"]


def test_all_labels_are_kept_by_the_levels_that_occur() -> None:
    assert ENTRY.labels(["2"]) == {"2": "often", 1.0: "never", -9.0: "refused"}


def test_a_name_may_differ_in_case_and_blanks_if_only_one_does() -> None:
    book = Codebook({"Q1": ENTRY, "a b": ENTRY, "A  B": CodebookEntry("x")})
    assert book.entry_of(" q1") is ENTRY
    assert book.entry_of("A b") is None
    assert book.entry_of("a b") is ENTRY


def test_values_of_a_range_are_no_misfits() -> None:
    book = Codebook({"q": ENTRY})
    assert book.misfits({"q": [1, 2, -5]}) == ()
    (sentence,) = book.misfits({"q": [1, 2, 7]})
    assert sentence == "column 'q': values without an entry in the codebook: 7"


def test_a_codebook_wins_over_another_part_by_part() -> None:
    book = Codebook({"q": CodebookEntry("Mood")}, ("a",)).over(Codebook({"q": ENTRY}, ("b",)))
    assert book.columns["q"].label == "Mood"
    assert book.columns["q"].values == ENTRY.values
    assert book.doubts == ("a", "b")


def test_the_metadata_of_pyreadstat() -> None:
    meta = SimpleNamespace(
        column_names=["q", "r"],
        column_names_to_labels={"q": " Mood? ", "r": None},
        variable_value_labels={"q": {1.0: "bad"}},
        variable_measure={"q": "ordinal", "r": "unknown"},
        missing_ranges={"q": [{"lo": 9.0, "hi": 9.0}, {"lo": -99.0, "hi": -1.0}]},
        mr_sets={"set": {"variable_list": ["r"]}},
    )
    book = Codebook.from_pyreadstat(meta)
    assert book.columns == {
        "q": CodebookEntry(
            "Mood?", values={1.0: "bad"}, missing=(9.0,), missing_ranges=((-99.0, -1.0),),
            measure="ordinal",
        ),
        "r": CodebookEntry(group="set"),
    }  # fmt: skip


def test_columns_that_the_codebook_leaves_out_are_no_misfit() -> None:
    book = Codebook({"a": CodebookEntry(values={1: "no", 2: "yes"}), "b": CodebookEntry("Age")})
    assert book.misfits({"a": [1, 2], "b": [33, 54], "c": [7, 8]}) == ()


def test_columns_without_entries_hide_no_misfit_after_them() -> None:
    book = Codebook({"a": CodebookEntry("Age"), "b": CodebookEntry(values={1: "no", 2: "yes"})})
    (said,) = book.misfits({"a": [33], "b": [1, 2, 7]})
    assert said == "column 'b': values without an entry in the codebook: 7"


def test_a_list_of_choices_is_that_of_one_column_of_its_levels() -> None:
    choices = {"yesno": {1: "yes", 2: "no"}, "size": {1: "S", 3: "L"}}
    entry = CodebookEntry("Sex")
    book = Codebook({"Q1 ": entry}, lists=choices)
    assert book.entry_of("q1", [1, 2]) == entry
    assert book.entry_of("other", [1, 2]).values == choices["yesno"]
    assert book.entry_of("other", ["1", "3"]).values == choices["size"]
    assert book.entry_of("other", [1]) is None  # too few, and in both
    assert book.entry_of("other", [2, 3]) is None


@pytest.mark.parametrize("size", [63, 64, 65])
def test_keys_of_long_texts_are_those_of_short_ones(size: int) -> None:
    assert value_key(" " + "x" * size) == value_key("x" * size) == "x" * size
    assert value_key("0" * size + "7") == 7


_ATTRS = {
    "column_names": ["x"],
    "column_names_to_labels": {"x": "X?"},
    "variable_value_labels": {"x": {"a": "A"}},
}


@pytest.mark.parametrize("key", [*_ATTRS, "missing_ranges", "missing_user_values", "mr_sets"])
@pytest.mark.parametrize("held", [5, "x", {"x": 5}, {"x": [{"lo": "a"}]}, {"x": {"a": 5}}])
def test_attrs_of_another_form_are_no_codebook(key, held) -> None:
    """A file of Parquet may hold any."""
    frame = pd.DataFrame({"x": ["a", "b"] * 6})
    frame.attrs = _ATTRS
    assert autotype.infer_types(frame)["x"].title == "X?"
    frame.attrs = {**_ATTRS, key: held}
    column = autotype.infer_types(frame)["x"]
    # A set of several answers without a list of columns is of no column.
    assert column.title == ("X?" if (key, held) == ("mr_sets", {"x": {"a": 5}}) else "")
