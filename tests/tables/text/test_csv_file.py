from __future__ import annotations

import io

import numpy as np
import pandas as pd
import pytest

from autotype.errors import UnreadableTableError
from autotype.tables.table import Limits, ReadOptions
from autotype.tables.text.csv_file import table_of_text
from autotype.tables.text.csv_text import examine_csv


def read(content: bytes | str, *, missing=(), texts=(), numbers=(), **options) -> pd.DataFrame:
    """Read bytes (or UTF-8 text) as CSV."""
    data = content.encode() if isinstance(content, str) else content
    stated = ReadOptions(missing=missing, texts=texts, numbers=numbers, **options)
    text = examine_csv(lambda: io.BytesIO(data), Limits("a.csv", 10**9), stated)
    return table_of_text(text, "a.csv", stated).frame


class TestSeparator:
    @pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
    def test_each(self, separator) -> None:
        frame = read(f"a{separator}b\n1{separator}x\n2{separator}y\n")
        assert list(frame.columns) == ["a", "b"]
        assert frame["a"].tolist() == [1, 2]

    def test_a_single_column_keeps_its_commas_and_gaps(self) -> None:
        frame = read("word\nhello, you\n\nok\n")
        assert frame["word"].tolist()[::2] == ["hello, you", "ok"]
        assert frame["word"].isna().tolist() == [False, True, False]

    def test_a_field_beyond_the_size_limit(self) -> None:
        long = "x" * 200_000
        assert read(f"a,b\n1,2\n3,{long}\n").shape == (2, 2)
        assert read(f"a,b\n1,{long}\n").shape == (1, 2)

    def test_only_whole_lines_of_a_long_file_are_sniffed(self) -> None:
        frame = read("a,b\n" + "x;1,2\n" * 100_000)
        assert frame.shape == (100_000, 2)

    def test_a_header_beyond_what_is_sniffed(self) -> None:
        names = [f"column {j} " + "x" * 400 for j in range(800)]
        assert list(read(";".join(names) + "\n").columns) == names

    def test_given_it_is_not_sniffed(self) -> None:
        assert read("a,b;c\n1,2;3\n", delimiter=";").shape == (1, 2)
        assert read("a,b\n1,2\n", delimiter="none").shape == (1, 1)
        assert read("a  b\n1 2\n", delimiter="blanks").shape == (1, 2)

    @pytest.mark.parametrize(("given", "found"), [(";", ","), ("\t", "|"), (",", ":")])
    def test_given_but_wrong(self, given, found) -> None:
        text = f"size{found}n\nS{found}1\nM{found}2\n"
        message = (
            rf"^a\.csv: with the delimiter .* it is a single column, 'size.n'; .* by '\{found}'$"
        )
        with pytest.raises(UnreadableTableError, match=message):
            read(text, delimiter=given)

    def test_a_single_column_may_be_given_any(self) -> None:
        assert read("how, really?\n1\n2\n", delimiter=";").shape == (2, 1)

    def test_never_one_joined_column(self) -> None:
        message = r"^a\.csv: seems to be a single column, 'a~b', but 2 of its first 2 rows hold '~'"
        with pytest.raises(UnreadableTableError, match=message):
            read("a~b\n1~2\n2~3\n")

    def test_times_are_a_single_column(self) -> None:
        assert read("time\n12:30\n13:45\n").shape == (2, 1)


class TestMissing:
    def test_words_stay_levels_among_texts(self) -> None:
        frame = read("garage,n\nNone,1\nNA,2\nN/A,3\nnull,4\n,5\n")
        assert frame["garage"].tolist()[:4] == ["None", "NA", "N/A", "null"]
        assert pd.isna(frame["garage"][4])

    def test_words_are_missing_among_numbers(self) -> None:
        frame = read("age,n\n34,1\nNA,2\n-1.5e1,3\n,4\n")
        np.testing.assert_array_equal(frame["age"], [34, np.nan, -15, np.nan])

    def test_decimal_commas_between_semicolons(self) -> None:
        frame = read("price;text\n1,50;1,x\n-2,25;2\n")
        assert frame["price"].tolist() == [1.5, -2.25]
        assert frame["text"].tolist() == ["1,x", "2"]

    def test_texts_that_the_user_names(self) -> None:
        frame = read("size,n\nS,1\nNone,2\nk.A.,3\n", missing=["None", "k.A."])
        assert frame["size"].isna().tolist() == [False, True, True]

    def test_codes_keep_their_zeros(self) -> None:
        frame = read("zip,n,year,price\n01067,1,2020,0.5\n10115,,2021,1\nNA,0,2020,2\n")
        assert frame["zip"].tolist()[:2] == ["01067", "10115"]
        assert pd.isna(frame["zip"][2])
        assert all(pd.api.types.is_numeric_dtype(frame[name]) for name in ("n", "year", "price"))

    def test_codes_between_semicolons_and_gaps(self) -> None:
        frame = read("zip;price\n01067;1,5\n;2\n")
        assert frame["zip"][0] == "01067"
        assert pd.isna(frame["zip"][1])
        assert frame["price"].tolist() == [1.5, 2.0]

    def test_columns_that_held_texts_before(self) -> None:
        frame = read("zip,n\n10115,1\nNA,2\n", texts=["zip", "unknown"])
        assert frame["zip"].tolist() == ["10115", "NA"]

    def test_columns_that_held_numbers_before(self) -> None:
        frame = read("grade;n\n1,5;1\n5+;2\nNA;3\n;4\n", numbers=["grade", "n", "unknown"])
        assert frame["grade"].tolist()[:2] == [1.5, "5+"]
        assert frame["grade"].isna().tolist() == [False, False, True, True]
        assert read("n\n", numbers=["n"]).shape == (0, 1)

    def test_booleans_stay(self) -> None:
        assert read("a,b\nTrue,1\nFalse,2\n")["a"].dtype == bool


class TestEncoding:
    @pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1252", "utf-16"])
    def test_each(self, encoding) -> None:
        frame = read("größe,n\ncafé,1\n".encode(encoding))
        assert frame.columns[0] == "größe"
        assert frame["größe"][0] == "café"

    def test_given(self) -> None:
        assert read("größe\n1\n".encode("utf-16-le"), encoding="utf-16-le").columns[0] == "größe"
        assert read("\ufeffa,b\n1,2\n", encoding="UTF8").columns[0] == "a"

    def test_given_but_wrong(self) -> None:
        with pytest.raises(
            UnreadableTableError, match=r"a\.csv: not in the encoding utf-8: .*0xe9"
        ):
            read(b"a,b\n\xe9,1\n", encoding="utf-8")

    def test_unknown(self) -> None:
        with pytest.raises(LookupError, match="unknown encoding: utf-17"):
            read("a,b\n", encoding="utf-17")

    def test_nul_bytes_anywhere(self) -> None:
        with pytest.raises(UnreadableTableError, match="not a text file: line 200002 holds NUL"):
            read(b"a,b\n" + b"x,1\n" * 200_000 + b"x\0y,1\n")


class TestRows:
    """Rows that pandas fills, shifts or truncates without a word."""

    @pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
    @pytest.mark.parametrize(
        ("rows", "message"),
        [
            (["day,mood,score", "1,low,3,oops", "5,high,5,oops"], "line 2 holds 4 fields, the"),
            (["day,mood,score", "7,low,3,oops", "1,high,5,oops"], "line 2 holds 4 fields, the"),
            (["a,b", "1,2", '"x', 'y",2', "3"], "line 5 holds 1 field, the header 2; it is the l"),
            (["a,b", '"x\n\ny",2', "1,2,3", "1,2"], "line 5 holds 3 fields, the header 2; corr"),
            (["a,b,c", "1,2,3", "4,5", "7,8,9"], "line 3 holds 2 fields, the header 3; correct"),
            (["a,b,c", "1,2,3", "4,5,6", "7"], "line 4 holds 1 field, the header 3; it is the la"),
            (["a,b", "1,2", '1,"x, y'], "a quote of the row in line 3 is not closed; is the file"),
            (["a,b", '1, "x, y"'], "line 2 holds 3 fields, the header 2"),
            (["a,b", "1,2", "", "1,2,3", "4,5"], "line 4 holds 3 fields"),
        ],
    )
    def test_of_other_lengths_are_refused_by_line(self, rows, message, end) -> None:
        with pytest.raises(UnreadableTableError, match=f"^a\\.csv: {message}"):
            read(end.join(rows).replace("\n\n", end * 2))

    def test_far_down_a_large_file(self) -> None:
        many = "1,2\n" * 400_000
        with pytest.raises(UnreadableTableError, match="line 400002 holds 3 fields"):
            read(f"a,b\n{many}1,2,3\n{many}")
        with pytest.raises(UnreadableTableError, match="line 400005 holds 1 field"):
            read(f'a,b\n"x\ny","z"\n"x""\ny",{many[2:]}1\n{many}')

    @pytest.mark.parametrize(
        "text", ["a,b\n1,2,\n3,4,\n", "a,b,,\n1,2\n3,4,\n", "a,b\n1,2,,\n3,4\n"]
    )
    def test_empty_fields_at_their_end_are_left_out(self, text) -> None:
        frame = read(text)
        assert list(frame.columns) == ["a", "b"]
        assert frame.to_numpy().tolist() == [[1, 2], [3, 4]]
        assert isinstance(frame.index, pd.RangeIndex)

    def test_an_empty_column_with_a_place_in_the_rows_stays(self) -> None:
        frame = read("a,b,\n1,2,\n3,4,\n")
        assert list(frame.columns) == ["a", "b", "Unnamed: 2"]
        assert frame["Unnamed: 2"].isna().all()

    def test_a_last_column_without_name_but_with_values_is_kept(self) -> None:
        assert read("a,b,\n1,2\n3,4,5\n").iloc[1].tolist() == [3, 4, 5]

    def test_blank_lines_are_skipped_but_in_a_single_column(self) -> None:
        assert read("\n\na,b\n\n1,2\n  \n3,4\n\n").shape == (2, 2)
        assert read("\n \na\n1\n\n2\n")["a"].isna().tolist() == [False, True, False]

    def test_quotes_inside_fields(self) -> None:
        frame = read('a,b\n5" pipe,"x ""y"" z"\n"q"r,"1,\n2"\n')
        assert frame.to_numpy().tolist() == [['5" pipe', 'x "y" z'], ["qr", "1,\n2"]]

    def test_a_quoted_field_of_any_size_over_several_blocks(self) -> None:
        long = "x,\n" * 1_000_000
        frame = read(f'a,b\n1,"{long}"\n2,y\n')
        assert frame["b"].tolist() == [long, "y"]

    def test_too_many_columns(self) -> None:
        with pytest.raises(
            UnreadableTableError, match=r"holds 4 columns or more, beyond .* 3; .* --max-columns"
        ):
            examine_csv(lambda: io.BytesIO(b"a,b,c,d\n"), Limits("a.csv", 10**9, 3), ReadOptions())


class TestNumbers:
    def test_long_integers_beside_missing_values(self) -> None:
        frame = read("id,n\n9007199254740993,1\n,2\n-9223372036854775808,\n")
        assert frame["id"].tolist()[::2] == [9007199254740993, -9223372036854775808]
        assert frame["id"].dtype == frame["n"].dtype == "Int64"
        assert read("id,n\n18446744073709551615,1\n,2\n")["id"].tolist()[0] == 2**64 - 1

    @pytest.mark.parametrize("rows", ["{},1\n5,2\n", "{},1\n,2\n", "{},1\nNA,2\n", "{},1\n-1,2\n"])
    def test_longer_ones_stay_texts(self, rows) -> None:
        digits = "12345678901234567890123"
        assert read("id,n\n" + rows.format(digits))["id"].tolist()[0] == digits

    @pytest.mark.parametrize("other", ["1", "2.5", ""])
    def test_beyond_the_range_of_floats(self, other) -> None:
        with pytest.warns(UserWarning, match=r"column 'x' stays text, since '1\.5e400' is beyond"):
            assert read(f"x,n\n1.5e400,1\n{other},2\n")["x"].tolist()[0] == "1.5e400"

    def test_infinity_by_its_name(self) -> None:
        assert read("x,n\ninf,1\n-Infinity,2\n1,3\n")["x"].tolist() == [np.inf, -np.inf, 1]

    @pytest.mark.parametrize("separator", [",", ";"])
    def test_floats_are_the_nearest(self, separator) -> None:
        text = "0.1234567890123456789"
        shown = text.replace(".", ",") if separator == ";" else text
        assert read(f"x{separator}y\n{shown}{separator}a\n")["x"].tolist() == [float(text)]

    def test_a_column_called_self(self) -> None:
        assert read("self,n\n01067,1\n2,\n")["self"].tolist() == ["01067", "2"]


class TestDrawnTables:
    @pytest.mark.parametrize(
        ("ruler", "header"),
        [("|---|:--:|--:|\n", "| id | size | n |\n"), ("", "|id|size|n|\n")],
    )
    def test_edges_are_no_columns(self, ruler, header) -> None:
        rows = "".join(f"| a{k} | {'SML'[k % 3]} | {k} |\n" for k in range(9))
        frame = read(header + ruler + rows)
        assert list(frame.columns) == ["id", "size", "n"]
        assert frame["n"].tolist() == [*range(9)]

    def test_lines_under_narrow_names_are_no_header(self) -> None:
        rows = "".join(f"USW{k:05d} {k % 12 + 1:2d} {k * 1.5:5.1f}\n" for k in range(12))
        frame = read("STATION  MO  TMAX\n-------- -- -----\n" + rows)
        assert list(frame.columns) == ["STATION", "MO", "TMAX"]
        assert len(frame) == 12


class TestHeaderLines:
    def test_units_of_several_columns_name_none(self) -> None:
        rows = "".join(f"{60 * k},{37 + k / 10},{k / 7:.3f},{k / 9:.3f}\n" for k in range(12))
        frame = read("Time,Temp,A1,A2\ns,°C,OD,OD\n" + rows)
        assert list(frame.columns) == ["Time", "Temp", "A1", "A2"]

    def test_years_of_each_group(self) -> None:
        rows = "".join(f"R{k},{k * 7},{k * 5},{k * 3},{k * 2}\n" for k in range(12))
        frame = read(",Men,,Women,\nRegion,2020,2021,2020,2021\n" + rows)
        assert list(frame.columns)[1:3] == ["Men / 2020", "Men / 2021"]
        assert len(frame) == 12

    def test_answers_below_questions(self) -> None:
        rows = "".join(f"{114000 + k},4471,never,{'ok' if k % 2 else 'bad'}\n" for k in range(12))
        frame = read("Respondent,Collector,How often?,\n,,Morning,Evening\n" + rows)
        assert len(frame) == 12
        assert "Morning" not in frame.iloc[0].tolist()

    def test_words_of_a_title_are_no_names(self) -> None:
        rows = "".join(f"{k:3d}    {'MF'[k % 2]}     {20 + k}    {k / 9:.1f}\n" for k in range(12))
        frame = read("The Blank System\n\nObs   sex    age   score\n\n" + rows)
        assert list(frame.columns) == ["Obs", "sex", "age", "score"]
        assert len(frame) == 12
