"""How the lines of a text are split into cells, whatever stands above and below them."""

from __future__ import annotations

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autotype.tables.text.dialect import (
    BLANKS,
    NO_SEPARATOR,
    Dialect,
    find_dialect,
    split_rows,
)

DELIMITERS = ",;\t|"
TITLES = ["Prices of nuts, bolts and screws\n", "Population by age; sex and region\n", "\n"]
NAMES = [f"level {k} of {k}" for k in range(12)]


def cells_of(text: str, dialect: Dialect | None = None) -> list[list[str]]:
    return [list(row.cells) for row in split_rows(text, dialect or find_dialect(text))]


def written(rows: list[list[str]], delimiter: str, **options: object) -> str:
    out = io.StringIO()
    csv.writer(out, delimiter=delimiter, lineterminator="\n", **options).writerows(rows)
    return out.getvalue()


TABLE = [["name", "size", "price"]] + [[f"nut {k}", str(k), f"{k}.{k % 10}5"] for k in range(1, 12)]


class TestDelimiter:
    @pytest.mark.parametrize("delimiter", DELIMITERS)
    @pytest.mark.parametrize("title", ["", *TITLES, "".join(TITLES)])
    @pytest.mark.parametrize("footer", ["", "\nSource: office, 2020; revised\n"])
    def test_is_found_between_titles_and_footers(self, delimiter, title, footer):
        text = title + written(TABLE, delimiter) + footer
        assert find_dialect(text).delimiter == delimiter

    @pytest.mark.parametrize("delimiter", DELIMITERS)
    def test_of_quoted_cells_that_hold_others(self, delimiter):
        rows = [[cell + ",;|\t x" for cell in row] for row in TABLE]
        assert cells_of(written(rows, delimiter, quoting=csv.QUOTE_ALL))[1:] == [
            [cell.strip() if delimiter == "|" else cell for cell in row] for row in rows[1:]
        ]

    def test_of_decimal_commas(self):
        text = "x;y;z\n" + "1,5;2,25;3,75\n" * 5
        assert find_dialect(text).delimiter == ";"

    def test_of_numbers_with_two_signs(self):
        text = "a;b\n1,234.5;2,345.5\n12,345.5;9,999.5\n"
        assert find_dialect(text).delimiter == ";"

    def test_after_each_row(self):
        text = "x;y;\n" + "1;2;\n" * 5
        assert cells_of(text)[0] == ["x", "y", ""]
        assert cells_of("x;y\n" + "1;2;\n" * 5)[1] == ["1", "2", ""]

    def test_of_colons(self):
        assert find_dialect("root:0:x\nbin:1:x\nsys:2:x\n").delimiter == ":"

    @pytest.mark.parametrize(
        "text",
        [
            "time\n12:30:00\n13:45:10\n14:00:00\n",
            "when\n2020-01-01 12:00:00\n2020-01-02 13:00:00\n",
            "link\nhttp://a.b/c\nhttp://d.e/f\n",
            "name\nAnna\nBert\n",
            "name\nAnna Maria\nBert Otto\nCarl Gustav\n",
            "text\nWell, well\nNo\nYes, of course, it is\nMaybe\nI do not know\n",
            "price\n1,50\n2,25\n3,75\n",
            "x\n",
            "",
        ],
    )
    def test_of_a_single_column(self, text):
        assert find_dialect(text).delimiter == NO_SEPARATOR

    def test_that_is_given(self):
        dialect = find_dialect("a;b\n1;2\n", delimiter=",")
        assert dialect.delimiter == ","
        assert dialect.agreement == 0.0

    def test_that_a_line_states(self):
        text = "sep=;\na,b;c\n1,5;2\n"
        assert find_dialect(text).delimiter == ";"

    def test_of_ragged_rows_agrees_with_most(self):
        dialect = find_dialect("a,b,c,d\n" + "1,2,3,4\n" * 9 + "1,2\n1,2\n" + "1,2,3,4\n" * 9)
        assert dialect.delimiter == ","
        assert dialect.width == 4
        assert 0.85 < dialect.agreement < 0.95

    @given(
        st.sampled_from(DELIMITERS),
        st.lists(st.sampled_from(TITLES), max_size=4, unique=True),
        st.integers(2, 6),
        st.integers(3, 30),
        st.randoms(use_true_random=False),
    )
    def test_of_any_table_is_found_again(self, delimiter, titles, n_columns, n_rows, random):
        kinds = [random.choice(["number", "word"]) for _ in range(n_columns - 1)] + ["number"]
        rows = [[f"column {j}" for j in range(n_columns)]] + [
            [
                f"{random.uniform(0, 999):.2f}" if kind == "number" else random.choice(NAMES)
                for kind in kinds
            ]
            for _ in range(n_rows)
        ]
        text = "".join(titles) + written(rows, delimiter)
        assert find_dialect(text).delimiter == delimiter
        assert cells_of(text)[-n_rows - 1 :] == rows


class TestQuotes:
    def test_that_are_doubled(self):
        assert cells_of('a,b\n"say ""x""",1\n"y, z",2\n')[1:] == [['say "x"', "1"], ["y, z", "2"]]

    def test_that_are_escaped(self):
        text = 'a,b\n"say \\"x\\" twice",1\n"y, z",2\n'
        assert find_dialect(text).escape == "\\"
        assert cells_of(text)[1] == ['say "x" twice', "1"]

    def test_beside_a_backslash_that_escapes_nothing(self):
        text = 'path,n\n"C:\\data\\",1\n"D:\\",2\n'
        assert find_dialect(text).escape == ""
        assert cells_of(text)[1] == ["C:\\data\\", "1"]

    def test_that_are_single(self):
        text = "a,b\n" + "'x, y','2'\n" * 4
        assert find_dialect(text).quote == "'"
        assert cells_of(text)[1] == ["x, y", "2"]

    def test_that_are_cells_themselves(self):
        text = "a,b\n" + "',2\n" * 4
        assert find_dialect(text).quote == '"'
        assert cells_of(text)[1] == ["'", "2"]

    def test_with_line_breaks_keep_the_numbers_of_lines(self):
        rows = [*split_rows('a,b\n"x\ny",1\nz,2\n', Dialect(","))]
        assert [row.line for row in rows] == [1, 2, 4]

    def test_in_comments_mean_nothing(self):
        text = '# 5" pipes\n# of "any\nkind,n\n' + "x,1\n" * 5
        assert len(cells_of(text)) == 8


class TestBlanks:
    def test_separate_numbers(self):
        text = "year  jan   feb\n" + "".join(f"{y}  {y / 7:5.2f} {y / 9:6.2f}\n" for y in range(9))
        dialect = find_dialect(text)
        assert dialect.delimiter == BLANKS
        assert not dialect.positions
        assert cells_of(text)[1] == ["0", "0.00", "0.00"]

    def test_separate_numbers_with_decimal_commas(self):
        text = "x   y   z\n" + "".join(f"1,{k}   2,{k}   13,5{k}\n" for k in range(9))
        dialect = find_dialect(text)
        assert (dialect.delimiter, dialect.decimal) == (BLANKS, ",")

    def test_find_positions_from_the_first_rows_of_few(self):
        text = (
            "NAME                 DEPT      SALARY START\n"
            "Maria Lopez Garcia   Sales      52000 2011-03-01\n"
            "Jo Smith             IT         61000 2015-10-15\n"
            "Ana de la Cruz       HR         48500 2009-01-07\n"
            "Li Wei               IT         70250 2018-06-30\n"
        )
        assert cells_of(text)[1] == ["Maria Lopez Garcia", "Sales", "52000", "2011-03-01"]

    def test_separate_quoted_names(self):
        text = '"mpg" "cyl"\n' + '"Mazda RX4" 21.5 6\n' * 4
        assert cells_of(text)[1] == ["Mazda RX4", "21.5", "6"]

    def test_separate_names_of_several_words(self):
        text = "Year   Mean level   Largest level\n" + "".join(
            f"{1900 + k}   {k / 3:10.2f}   {k / 2:10.2f}\n" for k in range(9)
        )
        assert cells_of(text)[0] == ["Year", "Mean level", "Largest level"]

    def test_line_up_columns_of_names(self):
        lines = [
            f"{k:05d} {'Bad ' * (k % 3)}Town {k:<4} {'North Sea' if k % 2 else 'Alps':<10}{k:6}"
            for k in range(30)
        ]
        text = "id    town                 region        n\n" + "\n".join(
            line[:6] + f"{line[6:-16].strip():<20}" + line[-16:] for line in lines
        )
        rows = cells_of(text + "\n")
        assert {len(row) for row in rows} == {4}
        assert rows[2] == ["00001", "Bad Town 1", "North Sea", "1"]

    def test_below_a_ruler_line(self):
        text = "name      region\n--------- ----------\nBad Aibl  Upper B\nKiel      North S\n"
        assert cells_of(text)[2:] == [["Bad Aibl", "Upper B"], ["Kiel", "North S"]]


class TestComments:
    def test_sign_is_found_above_the_rows(self):
        dialect = find_dialect("# a\n# b, c\nx;y\n1;2\n3;4\n")
        assert (dialect.comment, dialect.delimiter) == ("#", ";")

    def test_sign_of_a_header_alone_is_none(self):
        assert find_dialect("#,name\n1,a\n2,b\n").comment == ""

    def test_sign_that_begins_cells_is_none(self):
        rows = "".join(f"#tag{k},{k}\n" for k in range(4))
        assert find_dialect(rows + "other,5\n" * 9).comment == ""


class TestNumbers:
    @pytest.mark.parametrize(
        ("cells", "decimal"),
        [
            (["1.5", "2.25"], "."),
            (["1,5", "2,25"], ","),
            (["1.234,5", "12.345,25"], ","),
            (["1,234.5", "12,345.25"], "."),
            (["1,234,567", "12,345,678"], "."),
            (["1 234,5", "12 345,25"], ","),
            (["1.234.567", "12.345.678"], ","),
            (["12", "13"], ","),
        ],
    )
    def test_signs_beside_semicolons(self, cells, decimal):
        text = "a;b\n" + "".join(f"x;{cell}\n" for cell in cells * 3)
        dialect = find_dialect(text)
        assert dialect.decimal == decimal

    def test_point_is_the_sign_beside_commas(self):
        assert find_dialect("a,b\n1,2\n3,4\n").decimal == "."
