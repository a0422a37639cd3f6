from __future__ import annotations

import pandas as pd
import pytest

import autotype
from autotype.errors import UnreadableTableError
from autotype.tables.table_file import ReadOptions, open_file


def library(table: object) -> str:
    return type(table).__module__.lstrip("_").split(".")[0]


@pytest.fixture
def survey(repository, tmp_path):
    frame = pd.read_csv(repository / "examples" / "survey.csv")
    frame.to_parquet(tmp_path / "survey.parquet")
    frame.to_csv(tmp_path / "survey.csv", index=False)
    return tmp_path


@pytest.mark.parametrize("name", ["survey.csv", "survey.parquet"])
class TestSize:
    def test_small_files_are_loaded(self, survey, name) -> None:
        assert isinstance(open_file(str(survey / name)).frame, pd.DataFrame)

    @pytest.mark.parametrize("engine", ["duckdb", "polars"])
    def test_the_same_report_of_a_large_one(self, survey, name, engine, monkeypatch) -> None:
        monkeypatch.setattr("autotype.tables.table_file.installed_engines", lambda: [engine])
        path = str(survey / name)
        large = open_file(path, large=1000).frame
        assert library(large) == engine
        columns = ["company_size", "plan", "recommend"]
        reports = [autotype.infer_types(table, columns) for table in (large, open_file(path).frame)]
        assert reports[0].to_json() == reports[1].to_json()


def test_a_compressed_file_counts_five_times(tmp_path) -> None:
    frame = pd.DataFrame({"a": range(1000), "b": 1})
    frame.to_csv(tmp_path / "a.csv.gz", index=False)
    size = (tmp_path / "a.csv.gz").stat().st_size
    assert library(open_file(str(tmp_path / "a.csv.gz"), large=5 * size).frame) == "duckdb"
    assert library(open_file(str(tmp_path / "a.csv.gz"), large=5 * size + 1).frame) == "pandas"


@pytest.mark.parametrize("name", ["survey.csv", "survey.parquet"])
def test_without_duckdb_and_polars(survey, name, monkeypatch) -> None:
    monkeypatch.setattr("autotype.tables.table_file.installed_engines", list)
    if name.endswith(".parquet"):  # Arrow reads it
        assert library(open_file(str(survey / name), large=0).frame) == "pyarrow"
        return
    message = (
        r"is loaded, which takes .* in memory: .*DuckDB or polars; .*autotype-ordinal\[duckdb\]"
    )
    with pytest.warns(UserWarning, match=message):
        table = open_file(str(survey / name), large=0).frame
    assert isinstance(table, pd.DataFrame)


def test_what_is_not_regular_is_scanned_too(tmp_path) -> None:
    (tmp_path / "a.csv").write_text("a,b\n1,2\n\n3,4\n")
    table = open_file(str(tmp_path / "a.csv"), large=0)
    assert library(table.frame) == "duckdb"
    assert table.frame.fetchall() == [(1, 2), (3, 4)]


def test_what_no_engine_reads_is_loaded(tmp_path, monkeypatch) -> None:
    (tmp_path / "a.csv").write_text("a,b\n1,2\n\n3,4\n")
    monkeypatch.setattr("autotype.tables.table_file.installed_engines", list)
    with pytest.warns(UserWarning, match=r"a\.csv: is loaded, .*: to read it piece by piece"):
        table = open_file(str(tmp_path / "a.csv"), large=0).frame
    assert isinstance(table, pd.DataFrame)


class TestParquet:
    def test_ordered_dictionaries_keep_their_order(self, tmp_path) -> None:
        grades = pd.Categorical(list("bca") * 20, categories=list("cab"), ordered=True)
        pd.DataFrame({"grade": grades}).to_parquet(tmp_path / "a.parquet")
        table = open_file(str(tmp_path / "a.parquet"), large=0).frame
        assert library(table) == "pyarrow"
        assert autotype.infer_types(table)["grade"].order == ("c", "a", "b")

    def test_an_index_that_only_counts_is_left_out(self, tmp_path) -> None:
        frame = pd.DataFrame({"a": [1, 2]}, index=[5, 3])
        frame.to_parquet(tmp_path / "a.parquet")
        assert open_file(str(tmp_path / "a.parquet"), large=0).frame.columns == ["a"]
        frame.rename_axis("key").to_parquet(tmp_path / "a.parquet")
        assert open_file(str(tmp_path / "a.parquet"), large=0).frame.columns == ["a", "key"]

    def test_the_folder_adds_no_column(self, tmp_path) -> None:
        (tmp_path / "year=2020").mkdir()
        pd.DataFrame({"a": [1]}).to_parquet(tmp_path / "year=2020" / "[a].parquet")
        assert open_file(str(tmp_path / "year=2020" / "[a].parquet"), large=0).frame.columns == [
            "a"
        ]

    def test_names_that_differ_in_case(self, tmp_path) -> None:
        pd.DataFrame({"a": [1], "A": [2]}).to_parquet(tmp_path / "a.parquet")
        assert open_file(str(tmp_path / "a.parquet"), large=0).frame.schema.names == ["a", "A"]

    def test_too_many_columns(self, tmp_path) -> None:
        pd.DataFrame({"a": [1], "b": [2]}).to_parquet(tmp_path / "a.parquet")
        with pytest.raises(UnreadableTableError, match="raise the limit by --max-columns"):
            open_file(str(tmp_path / "a.parquet"), ReadOptions(max_columns=1), large=0)

    def test_cut_off(self, tmp_path) -> None:
        (tmp_path / "a.parquet").write_bytes(b"PAR1" * 3)
        with pytest.raises(UnreadableTableError, match="not a whole Parquet file"):
            open_file(str(tmp_path / "a.parquet"), large=0)
