"""What SPSS and Stata can hold is kept by writing and reading; the rest is an error before."""

from __future__ import annotations

import datetime
import os
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import autotype
from autotype.errors import UnwritableTableError
from autotype.type_report import TypeReport
from autotype.types.codebook import Codebook, CodebookEntry
from autotype.types.column_type import ColumnType

pyreadstat = pytest.importorskip("pyreadstat")

WORDS = st.text("abcé ü日", min_size=1, max_size=9).map(str.strip).filter(bool)
DAYS = st.dates(datetime.date(1700, 1, 1), datetime.date(2200, 1, 1))
MOMENTS = st.datetimes(datetime.datetime(1900, 1, 1), datetime.datetime(2100, 1, 1)).map(
    lambda moment: moment.replace(microsecond=0)
)
CELLS = {
    "code": st.integers(-9, 9),
    "amount": st.floats(-1e12, 1e12, allow_nan=False),
    "word": WORDS,
    "day": DAYS,
    "moment": MOMENTS,
    "time": st.times().map(lambda time: time.replace(microsecond=0)),
}
LABELS = st.dictionaries(st.integers(-9, 9), WORDS, max_size=5)


@st.composite
def tables(draw: st.DrawFn) -> tuple[pd.DataFrame, dict[str, Any]]:
    """Return a frame and what pyreadstat writes beside it."""
    n = draw(st.integers(1, 12))
    frame = {
        name: draw(st.lists(st.none() | cells, min_size=n, max_size=n))
        for name, cells in CELLS.items()
    }
    frame["moment"] = pd.to_datetime(pd.Series(frame["moment"], dtype=object))
    frame["code"] = pd.Series(frame["code"], dtype="float64")
    low = draw(st.integers(-9, 0))
    missing = draw(st.sampled_from([{}, {"code": [7, 8, 9]}, {"code": [{"lo": low, "hi": 0}, 9]}]))
    return pd.DataFrame(frame), {
        "column_labels": {name: draw(WORDS) for name in ("code", "day")},
        "variable_value_labels": {"code": draw(LABELS)},
        "missing_ranges": missing,
    }


def same(one: pd.DataFrame, other: pd.DataFrame) -> bool:
    """Check for the same values, whatever their dtypes."""
    lists = [f.astype(object).where(f.notna(), None).to_dict("list") for f in (one, other)]
    return lists[0] == lists[1]


@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(tables())
def test_a_file_read_typed_and_written_keeps_everything(
    tmp_path: Path, table: tuple[pd.DataFrame, dict[str, Any]]
) -> None:
    path, copy = str(tmp_path / "a.sav"), str(tmp_path / "b.sav")
    pyreadstat.write_sav(table[0], path, **table[1])
    read = autotype.read_table(path)
    types = autotype.infer_types(read)
    typed = autotype.apply_types(read.frame, types)
    autotype.write_table(typed, copy, types, codebook=read.codebook)
    back = autotype.read_table(copy)
    assert same(read.frame, back.frame)
    assert types["code"].labels == autotype.infer_types(back)["code"].labels
    for name, entry in read.codebook.columns.items():
        kept = back.codebook.columns[name]
        assert (kept.values, kept.label, kept.missing, kept.missing_ranges) == (
            entry.values,
            entry.label,
            entry.missing,
            entry.missing_ranges,
        )
    stata = str(tmp_path / "b.dta")
    autotype.write_table(read, stata, types)
    back = autotype.read_table(stata)
    assert same(read.frame, back.frame)
    assert back.codebook.columns["code"].values == read.codebook.columns["code"].values


FRAME = pd.DataFrame({"a b": [1, 2, 2, -9], "x": ["lo", "hi", "?", None], "w": ["u", "v", "", "u"]})
TYPES = TypeReport(
    [
        ColumnType("a b", "ordinal", order=(1, 2), off_scale=(-9,), labels={1: "no"}, title="Q?"),
        ColumnType("x", "ordinal", order=("lo", "hi"), off_scale=("?",)),
        ColumnType("w", "categorical"),
    ]
)


@pytest.mark.filterwarnings("ignore:.*written without")
def test_types_alone_make_labels_measures_and_codes_of_ordered_strings(tmp_path: Path) -> None:
    path = str(tmp_path / "a.sav")
    with pytest.raises(UnwritableTableError, match=r"'a_b': its name 'a b'; lossy=True"):
        autotype.write_table(FRAME, path, TYPES)
    assert os.listdir(tmp_path) == []
    autotype.write_table(FRAME, path, TYPES, lossy=True)
    table = autotype.read_table(path)
    assert table.frame["x"].tolist() == [1, 2, 3, pd.NA]
    book = table.codebook.columns
    assert book["x"].values == {1: "lo", 2: "hi", 3: "?"}
    assert [book[name].measure for name in ("a_b", "x", "w")] == ["ordinal", "ordinal", "nominal"]
    assert (book["a_b"].label, book["a_b"].missing, book["x"].missing) == ("Q?", (-9,), (3,))


@pytest.mark.parametrize(
    ("values", "entry", "loss"),
    [
        ([1, "a"], CodebookEntry(), "values of several kinds"),
        ([1, ".a"], CodebookEntry(missing=(".a",)), "tagged missing values"),
        ([2**60 + 1, 1], CodebookEntry(), "its values, of which 1152921504606846977"),
        ([0, 1], CodebookEntry(group="$sets"), "its group of columns"),
        ([0, 1], CodebookEntry(missing=(0, 1, 2, 3)), "all of its missing values"),
        ([0, 1], CodebookEntry(label="x" * 999), "its label"),
        (["b ", "c"], CodebookEntry(), "its values, of which 'b ' is read as 'b'"),
        ([pd.Timestamp("2020", tz="UTC")] * 2, CodebookEntry(), "its time zone"),
        ([pd.Timedelta(1, "s")] * 2, CodebookEntry(), "durations"),
    ],
)
def test_what_spss_cannot_keep_is_an_error_and_lossy_writes_without(
    tmp_path: Path, values: list, entry: CodebookEntry, loss: str
) -> None:
    frame, book = pd.DataFrame({"q": values}), Codebook({"q": entry})
    path = str(tmp_path / "a.sav")
    with pytest.raises(UnwritableTableError, match=rf"a\.sav: a file of SPSS .*'q': {loss}"):
        autotype.write_table(frame, path, codebook=book)
    assert os.listdir(tmp_path) == []
    with pytest.warns(UserWarning, match=loss):
        autotype.write_table(frame, path, codebook=book, lossy=True)
    assert len(autotype.read_table(path).frame) == 2


def test_stata_keeps_tags_and_their_labels_and_codes_as_values(tmp_path: Path) -> None:
    frame = pd.DataFrame({"q": pd.Series([1, 2, ".a", None, -9], dtype=object)})
    entry = CodebookEntry(values={1: "no", ".a": "refused", -9: "?"}, missing=(".a", -9))
    path = str(tmp_path / "a.dta")
    autotype.write_table(frame, path, codebook=Codebook({"q": entry}))
    table = autotype.read_table(path)
    assert table.frame["q"].tolist()[:3] == [1, 2, ".a"]
    assert table.codebook.columns["q"].values == {1: "no", ".a": "refused", -9: "?"}
