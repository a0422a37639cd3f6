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


def copied(frame: Any, path: Path, types: TypeReport, codebook: Codebook | None = None) -> Any:
    """Return the table of a file that was written."""
    autotype.write_table(frame, str(path), types, codebook=codebook)
    return autotype.read_table(str(path))


@pytest.mark.filterwarnings("ignore:.*the levels of .* are not strings")
@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(tables())
def test_a_file_read_typed_and_written_keeps_everything(
    tmp_path: Path, table: tuple[pd.DataFrame, dict[str, Any]]
) -> None:
    path = str(tmp_path / "a.sav")
    pyreadstat.write_sav(table[0], path, **table[1])
    read = autotype.read_table(path)
    types = autotype.infer_types(read)
    typed = autotype.apply_types(read.frame, types)
    for file in ("b.sav", "b.zsav", "b.parquet"):
        back = copied(typed, tmp_path / file, types, read.codebook)
        assert same(read.frame, back.frame)
        assert types["code"].labels == autotype.infer_types(back)["code"].labels
        for name, entry in read.codebook.columns.items():
            kept = back.codebook.columns.get(name, CodebookEntry())
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
        ([0, 1], CodebookEntry(values={0: "a", "x": "b"}), "the labels of all values"),
        (["a", "b"], CodebookEntry(missing_ranges=((1, 2),)), "all of its missing values"),
        (["b ", "c"], CodebookEntry(), "its values, of which 'b ' is read as 'b'"),
        ([pd.Timestamp("2020", tz="UTC")] * 2, CodebookEntry(), "its time zone"),
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


TAGGED = pd.DataFrame({"q": pd.Series([1, 2, ".a", None, 3, -9] * 9, dtype=object)})
TAGGED_BOOK = Codebook(
    {
        "q": CodebookEntry(
            "How?",
            "points",
            {1: "bad", 2: "so-so", 3: "good", ".a": "refused"},
            missing=(".a",),
            missing_ranges=((-float("inf"), -1.0),),
            measure="ordinal",
            group="grid",
        )
    }
)


@pytest.mark.filterwarnings("ignore:.*the levels of .* are not strings")
def test_parquet_keeps_the_codebook_and_tags_among_numbers(tmp_path: Path) -> None:
    types = autotype.infer_types(TAGGED, codebook=TAGGED_BOOK)
    for frame in (TAGGED, autotype.apply_types(TAGGED, types)):
        back = copied(frame, tmp_path / "a.parquet", types, TAGGED_BOOK)
        assert same(TAGGED, back.frame)
        assert back.codebook == TAGGED_BOOK
        again = autotype.infer_types(back)["q"]
        assert (again.order, set(again.off_scale)) == ((1, 2, 3), {-9, ".a"})
    assert back.frame["q"].cat.ordered


def test_a_damaged_codebook_in_parquet_is_not_used(tmp_path: Path) -> None:
    pa = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    for note in (b"[", b"[]", b"{}", b'{"tagged": 1}'):
        table = pa.table({"q": [1, 2]}).replace_schema_metadata({"autotype.codebook": note})
        parquet.write_table(table, tmp_path / "a.parquet")
        book = autotype.read_table(str(tmp_path / "a.parquet")).codebook
        assert (dict(book.columns), len(book.doubts)) == ({}, 1)


@pytest.mark.filterwarnings("ignore:.*the levels of .* are not strings")
@pytest.mark.parametrize("source", ["a.xpt", "a.rds", "a.dta"])
def test_files_of_other_programs_are_kept_in_those_that_are_written(
    tmp_path: Path, source: str
) -> None:
    path = str(tmp_path / source)
    frame = pd.DataFrame(
        {
            "mood": [1.0, 2.0, 3.0, float("nan")] * 9,
            "amount": [0.25, 1e9, -3.0, 7.5] * 9,
            "town": ["Wien", "Bern", "Graz", "Linz"] * 9,
        }
    )
    if source == "a.rds":
        pytest.importorskip("rdata").write_rds(path, frame.astype({"town": object}))
    else:
        write = pyreadstat.write_xport if source == "a.xpt" else pyreadstat.write_dta
        frame["day"] = [datetime.date(1959, 12, k) for k in (1, 2, 30, 31)] * 9
        write(frame, path)
    read = autotype.read_table(path)
    types = autotype.infer_types(read)
    typed = autotype.apply_types(read.frame, types)
    for ending in ("sav", "dta", "parquet"):
        back = copied(typed, tmp_path / f"b.{ending}", types, read.codebook)
        assert same(read.frame, back.frame)


def test_stata_has_no_durations(tmp_path: Path) -> None:
    frame = pd.DataFrame({"q": [pd.Timedelta(1, "s")] * 2})
    with pytest.raises(UnwritableTableError, match="'q': durations other than as seconds"):
        autotype.write_table(frame, tmp_path / "a.dta")
    with pytest.warns(UserWarning, match="durations"):
        autotype.write_table(frame, tmp_path / "a.dta", lossy=True)
    assert autotype.read_table(tmp_path / "a.dta").frame["q"].tolist() == [1, 1]


def test_stata_cuts_long_labels_of_variables_where_it_may(tmp_path: Path) -> None:
    book = Codebook({"q": CodebookEntry(label="How often " * 20)})
    frame = pd.DataFrame({"q": [1, 2]})
    with pytest.raises(UnwritableTableError, match="'q': its label"):
        autotype.write_table(frame, tmp_path / "a.dta", codebook=book)
    with pytest.warns(UserWarning, match="'q': its label"):
        autotype.write_table(frame, tmp_path / "a.dta", codebook=book, lossy=True)
    label = autotype.read_table(tmp_path / "a.dta").codebook.columns["q"].label
    assert label == ("How often " * 8).strip()


def test_labels_of_strings_that_are_all_missing(tmp_path: Path) -> None:
    frame = pd.DataFrame({"q": pd.Series([None, None], dtype="str")})
    book = Codebook({"q": CodebookEntry(values={"m": "male"}, missing=("z",))})
    autotype.write_table(frame, tmp_path / "a.sav", codebook=book)
    entry = autotype.read_table(tmp_path / "a.sav").codebook.columns["q"]
    assert (entry.values, entry.missing) == ({"m": "male"}, ("z",))


def test_stata_keeps_labels_of_tags_that_occur_in_no_row(tmp_path: Path) -> None:
    frame = pd.DataFrame({"q": [1, 2, None]})
    entry = CodebookEntry(values={1: "no", ".a": "refused"}, missing=(".a",))
    autotype.write_table(frame, tmp_path / "a.dta", codebook=Codebook({"q": entry}))
    table = autotype.read_table(tmp_path / "a.dta")
    assert table.codebook.columns["q"] == entry
    assert table.frame["q"].tolist()[:2] == [1, 2]


@pytest.mark.parametrize("ending", ["sav", "dta"])
def test_long_names_alike_are_cut_to_different_ones(tmp_path: Path, ending: str) -> None:
    frame = pd.DataFrame([[1, 2, 3]], columns=["ש" * 33, "ש" * 34, "@session"])
    path = tmp_path / f"a.{ending}"
    with pytest.warns(UserWarning, match="its name"):
        autotype.write_table(frame, path, lossy=True)
    names = autotype.read_table(path).frame.columns.tolist()
    short = 28 if ending == "sav" else 24
    assert names == ["ש" * 32, "ש" * short + "_2", "v_session" if ending == "sav" else "_session"]


def test_long_names_of_labelled_columns_are_written_to_stata(tmp_path: Path) -> None:
    types = TypeReport([ColumnType("a" * 32, "ordinal", order=(1, 2), labels={1: "no", 2: "yes"})])
    with pytest.warns(UserWarning, match="its name"):
        autotype.write_table(
            pd.DataFrame({"a" * 32: [1, 2]}), tmp_path / "a.dta", types, lossy=True
        )
    book = autotype.read_table(tmp_path / "a.dta").codebook
    assert book.columns["a" * 31].values == {1: "no", 2: "yes"}


@pytest.mark.parametrize(
    ("ending", "given", "written"),
    [
        ("sav", ["all", "int", "x", "X"], ["all_2", "int", "x", "X_2"]),
        ("dta", ["all", "int", "x", "X", "INT"], ["all", "int_2", "x", "X", "INT"]),
    ],
)
@pytest.mark.filterwarnings("ignore")
def test_words_of_a_program_are_no_names(tmp_path, ending, given, written) -> None:
    frame = pd.DataFrame({name: [1, 2, 3] for name in given})
    types = autotype.infer_types(frame)
    autotype.write_table(frame, tmp_path / f"a.{ending}", types, lossy=True)
    assert autotype.read_table(tmp_path / f"a.{ending}").frame.columns.tolist() == written


def test_infinities_among_whole_numbers(tmp_path) -> None:
    frame = pd.DataFrame({"ratio": [float("inf"), -float("inf"), 2.0, None]})
    autotype.write_table(frame, tmp_path / "a.sav")
    pd.testing.assert_frame_equal(autotype.read_table(tmp_path / "a.sav").frame, frame)


@pytest.mark.parametrize("ending", ["sav", "dta"])
@pytest.mark.parametrize(
    "moments",
    [
        [datetime.datetime(2024, 1, 1, 8, tzinfo=datetime.UTC), datetime.datetime(2024, 1, 2)],
        [datetime.datetime(2024, 1, 1, 8, tzinfo=datetime.UTC)] * 2,
        [datetime.time(8, tzinfo=datetime.UTC), datetime.time(9)],
    ],
)
def test_time_zones_of_objects_are_a_loss(tmp_path, ending, moments) -> None:
    frame = pd.DataFrame({"at": pd.Series(moments, dtype=object)})
    with pytest.raises(UnwritableTableError, match="cannot keep 'at': its time zone"):
        autotype.write_table(frame, tmp_path / f"a.{ending}")
