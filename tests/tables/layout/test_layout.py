"""Which rows of a grid are titles, header, data and footer."""

from __future__ import annotations

import csv
import datetime
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

import autotype
from autotype.tables.layout.grid import Row
from autotype.tables.layout.layout import Layout, find_layout
from autotype.tables.text.dialect import find_dialect, split_rows

HEADER = ["town", "people", "area", "share"]
DATA = [[f"town {k}", 1000 + 7 * k, 10.5 + k, k / 100] for k in range(12)]
TITLES = [["Towns by size"], ["As of 2021-12-31, provisional"]]


def layout_of(rows, **options) -> Layout:
    return find_layout([Row(k, cells) for k, cells in enumerate(rows, start=1)], **options)


def strings(rows):
    return [[str(cell) for cell in row] for row in rows]


def wide(rows, n=4):
    """Return rows as a sheet has them: all as wide as the table."""
    return [[*row, *[""] * (n - len(row))] for row in rows]


def data_lines(rows, layout) -> list[int]:
    """Return the lines of the data."""
    end = layout.end or len(rows) + 1
    return [
        line
        for line, row in enumerate(rows, start=1)
        if layout.first is not None
        and layout.first <= line < end
        and line not in layout.skipped
        and any(str(cell).strip() for cell in row)
    ]


@pytest.fixture(params=["text", "padded text", "sheet"])
def grid(request):
    """Return what makes rows those of a text or of a sheet."""
    return {
        "text": strings,
        "padded text": lambda rows: wide(strings(rows)),
        "sheet": wide,
    }[request.param]


def is_plain(layout):
    """Check that the first line is the header and all others are data."""
    return layout.header == (1,) and not (layout.titles or layout.footer or layout.skipped)


class TestPlainTable:
    def test_stays_as_it_is(self, grid):
        layout = layout_of(grid([HEADER, *DATA]))
        assert is_plain(layout)
        assert layout.names == tuple(HEADER)
        assert (layout.first, layout.end) == (2, None)

    @pytest.mark.parametrize("n", [1, 2, 3, 20])
    def test_of_words_only(self, n):
        rows = [["name", "town", "colour"], *[[f"n{k}", "Kiel", "red"] for k in range(n)]]
        assert is_plain(layout_of(rows))

    @pytest.mark.parametrize(
        "rows",
        [
            [["a", "b"], ["1", "2"], ["5", "9"], ["3", "7"]],
            [
                ["a", "b", "c", "d"],
                ["1", "2", "3", "4"],
                ["5", "9", "1", "1"],
                ["3", "7", "2", "2"],
            ],
            [["year", "n", "m"], ["2019", "2020", "2021"], ["5", "9", "1"], ["3", "7", "2"]],
            [["id", "x", "y"], ["1", "", ""], ["2", "", ""], ["3", "1.5", "2.5"]],
            [["id", "when"], ["a", "unknown"], ["b", "2020-01-01"], ["c", "2020-01-02"]],
            [["id", "x"], ["Anna", "no answer at all"], ["Bert", "2"], ["Carl", "3"]],
            [["answer"], ["yes"], ["no, never"], ["I do not know what to say"]],
            [["x"], ["1"], ["2"]],
            [["name", "2019", "2020"], ["a", "1", "2"], ["b", "3", "4"]],
            [["", "x", "y"], ["0", "1.5", "a"], ["1", "2.5", "b"]],
            [["a", "", "c"], ["1", "", "x"], ["2", "", "y"]],
        ],
    )
    def test_with_oddities_in_its_first_rows(self, rows):
        assert is_plain(layout_of(rows))

    @pytest.mark.parametrize("last", [["Total recall", "3", "4.5", "0.1"], ["Summe", "", "", ""]])
    def test_keeps_a_last_row_that_may_be_data(self, last):
        layout = layout_of([*strings([HEADER, *DATA]), last])
        assert layout.end is None

    def test_without_rows(self):
        layout = layout_of([HEADER])
        assert (layout.header, layout.first, layout.names) == ((1,), None, tuple(HEADER))
        assert layout_of([]) == Layout()


class TestTitles:
    @pytest.mark.parametrize("gap", [[], [[]], [[], []]])
    def test_above_the_header(self, grid, gap):
        rows = grid([*TITLES, *gap, HEADER, *DATA])
        layout = layout_of(rows)
        assert layout.header == (3 + len(gap),)
        assert layout.titles == (1, 2)
        assert len(data_lines(rows, layout)) == len(DATA)

    def test_in_a_column_of_the_middle(self):
        titles = [["", "Towns"], ["", "", "in 2020"], ["", "Size", "", ""]]
        layout = layout_of(wide([*titles, HEADER, *DATA]))
        assert layout.titles == (1, 2)
        assert layout.header == (3, 4)

    def test_as_names_and_values(self, grid):
        pairs = [["Station", "Kiel"], ["Height", "12"], ["Period", "2020-01-01"]]
        layout = layout_of(grid([*pairs, HEADER, *DATA]))
        assert layout.header == (4,)

    def test_as_names_and_values_above_words(self, grid):
        rows = [["name", "town", "colour", "shape"], *[["a", "Kiel", "red", "round"]] * 9]
        layout = layout_of(grid([["Station", "Kiel"], ["Owner", "office"], *rows]))
        assert layout.header == (3,)

    def test_as_small_tables(self):
        small = [["station", "height", "depth"], ["Kiel", "12.5", "3.5"], []]
        layout = layout_of(strings([*small, HEADER, *DATA]))
        assert layout.header == (4,)

    def test_of_many_words_between_blanks(self):
        text = "Rain at Kiel\nMeasured by the office since a long time, with some gaps\n"
        text += " year   jan   feb\n" + "".join(
            f" {k}   {k / 7:5.2f} {k / 3:5.2f}\n" for k in range(9)
        )
        layout = find_layout([*split_rows(text, find_dialect(text))])
        assert layout.header == (3,)
        assert layout.names == ("year", "jan", "feb")

    def test_in_comments_with_the_header(self):
        rows = [["# rain"], ["# in mm"], ["# year", "jan"], ["2000", "1.5"], ["2001", "2.5"]]
        layout = layout_of(rows, comment="#")
        assert layout.header == (3,)
        assert layout.names == ("year", "jan")
        assert layout.titles == (1, 2)

    def test_sign_before_the_header_alone(self):
        text = "# x y\n" + "".join(f"{k} {k / 2}\n" for k in range(9))
        layout = find_layout([*split_rows(text, find_dialect(text))])
        assert (layout.header, layout.names) == ((1,), ("x", "y"))

    def test_sign_as_a_name(self):
        layout = layout_of([["#", "name"], ["1", "a"], ["2", "b"]])
        assert layout.names == ("#", "name")
        rows = [["#", "name", "note"], *([str(k), "ab"[k % 2], ""] for k in range(9))]
        layout = layout_of(rows)  # whose last column is empty
        assert layout.names == ("#", "name", "note")

    def test_comments_between_rows_are_skipped(self):
        rows = strings([HEADER, *DATA])
        rows.insert(5, ["# moved in 2004"])
        layout = layout_of([["# rain"], *rows], comment="#")
        assert layout.skipped == (7,)


class TestHeader:
    def test_is_missing(self, grid):
        layout = layout_of(grid(DATA))
        assert (layout.header, layout.first) == ((), 1)
        assert layout.names == tuple(f"Unnamed: {j}" for j in range(4))
        assert layout.doubts == (
            "no header was found; header= (--header) states its line, 0 for none",
        )

    def test_is_missing_below_titles(self, grid):
        layout = layout_of(grid([["Towns by size"], *DATA]))
        assert (layout.header, layout.titles, layout.first) == ((), (1,), 2)

    def test_is_given(self):
        rows = strings([["a", "b", "c", "d"], HEADER, *DATA])
        assert layout_of(rows, header=[1]).first == 2
        assert layout_of(rows, header=[1, 2]).first == 3
        assert layout_of(rows, header=[]).header == ()

    def test_with_units_below(self, grid):
        layout = layout_of(grid([HEADER, ["", "n", "km2", "%"], *DATA]))
        assert layout.header == (1, 2)
        assert layout.names == tuple(HEADER)
        assert layout.units == {1: "n", 2: "km2", 3: "%"}

    def test_with_questions_below(self, grid):
        questions = ["", "How many live there?", "How large is it?", "Which share is built on?"]
        layout = layout_of(grid([HEADER, questions, *DATA]))
        assert layout.header == (1, 2)
        assert layout.names == tuple(HEADER)
        assert layout.labels[1] == "How many live there?"

    def test_with_numbers_of_columns_below(self, grid):
        layout = layout_of(grid([HEADER, [1, 2, 3, 4], *DATA]))
        assert layout.header == (1, 2)
        assert layout.names == tuple(HEADER)

    def test_of_a_logger_with_units_and_aggregations(self):
        rows = [
            ["TOA5", "site", "CR1000", "1234"],
            ["TIMESTAMP", "RECORD", "AirTC_Avg", "Rain_mm_Tot"],
            ["TS", "RN", "Deg C", "mm"],
            ["", "", "Avg", "Tot"],
            *[[f"2019-06-{k:02d} 10:00", str(k), f"{k}.5", "0"] for k in range(1, 9)],
        ]
        layout = layout_of(rows)
        assert layout.names == tuple(rows[1])
        assert layout.units[2] == "Deg C"
        assert layout.first == 5

    def test_with_formats_of_columns_below(self):
        rows = [["agency", "site", "day", "flow"], ["5s", "15s", "20d", "14n"]]
        rows += [["USGS", "0164", f"2019-01-{k:02d}", f"{k}0"] for k in range(1, 9)]
        layout = layout_of(rows)
        assert (layout.header, layout.names) == ((1, 2), tuple(rows[0]))

    def test_with_a_year_among_names(self):
        top = [["area", "April 1", "", "Estimate"], ["", "Census", "Base", "2010"]]
        layout = layout_of([*top, *strings(DATA)])
        assert layout.names == ("area", "Census", "Base", "2010")
        assert layout.labels == {1: "April 1", 2: "April 1", 3: "Estimate"}

    def test_below_groups(self, grid):
        groups = ["", "2020", "", "2021"]
        layout = layout_of(grid([groups, ["town", "n", "%", "n"], *DATA]))
        assert layout.header == (1, 2)
        assert layout.names == ("town", "2020 / n", "2020 / %", "2021 / n")

    def test_below_groups_of_words_only(self):
        header = [["", "Group A", "", "", "Group B", ""], ["name", "p", "q", "r", "p", "q"]]
        rows = [["Kiel", "yes", "no", "no", "yes", "no"] for _ in range(9)]
        layout = layout_of([*header, *rows])
        assert layout.header == (1, 2)
        assert layout.names == (
            "name",
            "Group A / p",
            "Group A / q",
            "r",
            "Group B / p",
            "Group B / q",
        )

    def test_above_empty_names(self, grid):
        layout = layout_of(grid([["town", "size", "", ""], ["", "n", "km2", "share"], *DATA]))
        assert layout.names == ("town", "size / n", "size / km2", "share")

    def test_of_questions_and_ids(self):
        ids = [f'{{"ImportId":"QID{j}"}}' for j in range(4)]
        names = ["StartDate", "Progress", "Q1", "Q2"]
        questions = ["Start Date", "Progress", "How much do you like it?", "Why?"]
        rows = [["2020-01-01 10:00", "100", "Agree", "because"] for _ in range(5)]
        layout = layout_of([names, questions, ids, *rows])
        assert layout.header == (1, 2, 3)
        assert layout.names == tuple(names)
        assert layout.labels == {0: "Start Date", 2: "How much do you like it?", 3: "Why?"}

    def test_of_answers_below_questions(self):
        names = ["Respondent ID", "Collector ID", "Which do you own?", "", ""]
        answers = ["", "", "Dog", "Cat", "Fish"]
        rows = [[str(100 + k), "7", "Dog", "", "Fish"] for k in range(9)]
        layout = layout_of([names, answers, *rows])
        assert layout.header == (1, 2)
        assert layout.first == 3

    def test_of_years(self, grid):
        layout = layout_of(grid([["town", 2019, 2020, 2021], *DATA]))
        assert layout.header == (1,)
        assert layout.names == ("town", "2019", "2020", "2021")

    def test_of_dates(self):
        days = [datetime.date(2020, 1, k) for k in (1, 2, 3)]
        layout = layout_of([["town", *days], *DATA])
        assert layout.header == (1,)

    def test_without_the_name_of_an_index(self):
        rows = [[str(k), *row] for k, row in enumerate(strings(DATA), start=1)]
        layout = layout_of([HEADER, *rows])
        assert layout.names == ("Unnamed: 0", *HEADER)

    @pytest.mark.parametrize("n_titles", [0, 1, 2])
    def test_above_words_is_in_doubt_below_titles(self, n_titles):
        rows = [["town", "colour"], *[[f"n{k}", ("red", "blue")[k % 2]] for k in range(9)]]
        layout = layout_of([*[["Towns"], ["and colours"]][:n_titles], *rows])
        assert layout.header == (n_titles + 1,)
        assert ["no column holds numbers" in doubt for doubt in layout.doubts] == [True] * bool(
            n_titles
        )

    @pytest.mark.parametrize("sign", [["# year"], ["#", "year"], ["#year"]])
    def test_behind_the_sign_of_a_comment(self, sign):
        rows = [["# rain"], [*sign, "jan"], ["2000", "1.5"], ["2001", "2.5"], ["2002", "3.5"]]
        layout = layout_of(rows, comment="#")
        assert (layout.header, layout.names) == ((2,), ("year", "jan"))

    @pytest.mark.parametrize(
        ("first", "n_others", "is_index"),
        [
            (["0", "1", "2", "3"], 2, True),
            (["5", "6", "7", "8"], 2, True),
            (["1", "2", "4", "5"], 2, False),
            (["a", "1", "2", "3"], 2, False),
            (["a", "b", "c", "d"], 2, True),
            (["a", "b", "c", "c"], 2, False),
            (["0"], 2, False),
            (["0", "1"], 2, True),
        ],
    )
    def test_shorter_by_the_name_of_an_index(self, first, n_others, is_index):
        names = ["height", "width"][:n_others]
        rows = [[key, *(str(k + 0.5) for k in range(n_others))] for key in first]
        layout = layout_of([names, *rows])
        assert (layout.given[0] == "") == is_index

    def test_shorter_than_the_rows(self):
        rows = [["x", "R1, R2", "12", "resistor"], ["y", "C4", "10", "none"]] * 3
        layout = layout_of([["part", "place", "n"], *rows])
        assert layout.names == ("part", "place", "n", "Unnamed: 3")

    def test_repeats_names(self):
        layout = layout_of([["town", "n", "n", ""], *strings(DATA)])
        assert layout.names == ("town", "n", "n.1", "Unnamed: 3")
        assert layout.given == ("town", "n", "n", "")

    def test_repeated_between_rows_is_skipped(self, grid):
        rows = grid([HEADER, *DATA[:6], HEADER, *DATA[6:]])
        layout = layout_of(rows)
        assert layout.skipped == (8,)
        assert len(data_lines(rows, layout)) == len(DATA)


class TestFooter:
    @pytest.mark.parametrize(
        "notes",
        [
            [["Source: office"]],
            [["Quelle: Amt"], ["1) ohne Inseln"]],
            [["* provisional"], ["Figures do not add up since they are rounded"]],
            [[], ["Figures do not add up since they are rounded"]],
            [[], ["Source"], [], ["office"]],
            [["注：数据"]],
            [["Note: as counted"], ["Suggested citation:"], ["Towns, 2021"], ["Release: 2022"]],
            [["注)", "国勢調査による", "", ""], ["Source:", "office of towns", "", ""]],
            [["Source: the office"], ["\x1a"]],
        ],
    )
    def test_of_notes(self, grid, notes):
        rows = grid([HEADER, *DATA, *notes])
        layout = layout_of(rows)
        assert data_lines(rows, layout) == [*range(2, 14)]
        assert len(layout.footer) == sum(map(bool, notes))

    @pytest.mark.parametrize("word", ["Total", "Insgesamt", "All ages", "合計", "Всего"])
    def test_of_a_total_that_adds_up(self, grid, word):
        total = [word, *(sum(row[j] for row in DATA) for j in range(1, 4))]
        layout = layout_of(grid([HEADER, *DATA, total]))
        assert layout.end == 14

    def test_of_a_total_of_numbers_whose_sum_is_infinite(self):
        rows = [["town", "size"], *([f"n{k}", "1e308"] for k in range(9)), ["Total", "9"]]
        assert layout_of(rows).end is None

    @pytest.mark.parametrize("note", [["Source: the office"], ["Source: the office", "", "", ""]])
    def test_of_a_total_above_a_note_whatever_it_adds_up_to(self, grid, note):
        rows = [HEADER, *DATA, ["Total", "1", "2", "3"], note]
        assert layout_of(grid(rows)).end == len(DATA) + 2

    def test_of_a_mean_below_a_total(self, grid):
        sums = [sum(row[j] for row in DATA) for j in range(1, 4)]
        rows = [HEADER, *DATA, ["Total", *sums], ["Mean", *(n / len(DATA) for n in sums)]]
        assert layout_of(grid(rows)).end == len(DATA) + 2

    def test_of_a_total_that_leaves_names_out(self):
        rows = [[f"t{k}", "Kiel", "x", str(5 * k), "7"] for k in range(12)]
        total = ["Sum of all", "", "", "330", "84"]
        layout = layout_of([["id", "town", "kind", "n", "m"], *rows, total])
        assert layout.end == 14

    def test_subtotals_and_labels_within_are_data(self, grid):
        rows = grid([HEADER, ["North"], *DATA[:6], ["Total", 10, 20, 1], ["South"], *DATA[6:]])
        layout = layout_of(rows)
        assert len(data_lines(rows, layout)) == len(DATA) + 3

    def test_labels_between_blank_rows_are_data(self, grid):
        rows = grid([HEADER, *DATA[:6], [], ["South"], [], *DATA[6:]])
        layout = layout_of(rows)
        assert layout.end is None
        assert len(data_lines(rows, layout)) == len(DATA) + 1

    def test_of_a_second_table_with_the_same_header(self, grid):
        layout = layout_of(grid([HEADER, *DATA, [], ["By year"], HEADER, *DATA]))
        assert layout.end == 15

    def test_of_a_second_table_with_others(self):
        second = [["id", "note"], ["1", "moved"], ["2", "closed"], ["3", "new"]]
        layout = layout_of(strings([HEADER, *DATA, [], *second]))
        assert layout.end == 15

    def test_in_the_last_rows_of_a_large_file(self):
        head = [Row(k, row) for k, row in enumerate(strings([HEADER, *DATA]), start=1)]
        tail = [Row(k, row) for k, row in enumerate(strings(DATA), start=9000)]
        notes = [Row(9012, []), Row(9013, ["Source: office"])]
        layout = find_layout(head, [*tail, *notes])
        assert (layout.end, layout.footer) == (9013, (9013,))

    def test_is_given(self):
        rows = strings([HEADER, *DATA])
        layout = layout_of(rows, footer=2)
        assert layout.first == 2
        assert layout_of([*rows, ["Source: me"]], footer=0).end is None


class TestSides:
    def test_empty_columns_at_the_edges_are_left_out(self):
        rows = [["", *row, ""] for row in strings([HEADER, *DATA])]
        assert layout_of(rows).columns == (1, 2, 3, 4)

    def test_an_empty_column_within_stays(self):
        rows = [[*row[:2], "", *row[2:]] for row in strings([HEADER, *DATA])]
        layout = layout_of(rows)
        assert layout.columns == (0, 1, 2, 3, 4)
        assert layout.names[2] == "Unnamed: 2"


WORDS = ["north", "south", "east side", "west", "red", "blue", "Kiel"]


@st.composite
def published(draw):
    """Draw a table with a number in each row, and what is published around it."""
    random = draw(st.randoms(use_true_random=False))
    n_columns, n_rows = draw(st.integers(3, 7)), draw(st.integers(5, 40))
    kinds = ["word", *(random.choice(["word", "number", "number"]) for _ in range(n_columns - 3))]
    kinds += ["number", "number"]
    header = [f"column {j}" for j in range(n_columns)]
    data = [
        [
            f"{random.uniform(1, 900):.2f}" if kind == "number" else random.choice(WORDS)
            for kind in kinds
        ]
        for _ in range(n_rows)
    ]
    titles = [["Towns and their size"], ["by the office of towns"]][: draw(st.integers(0, 2))]
    gap = [[]] * draw(st.integers(0, 1)) if titles else []
    headers = [header]
    if draw(st.booleans()):
        headers.append(["%" if kind == "number" else "" for kind in kinds])
    notes = [["Source: office of towns"], ["* not counted yet"]][: draw(st.integers(0, 2))]
    notes = [[]] * draw(st.integers(0, 1)) + notes if notes else []
    return titles + gap, headers, data, notes, draw(st.sampled_from(",;\t|")), draw(st.booleans())


@given(published())
def test_any_table_is_found_again(table):
    above, headers, data, notes, delimiter, is_padded = table
    rows = [*above, *headers, *data, *notes]
    if is_padded:
        rows = [row + [""] * (len(data[0]) - len(row)) for row in rows]
    out = io.StringIO()
    csv.writer(out, delimiter=delimiter, lineterminator="\n").writerows(rows)
    found = [*split_rows(out.getvalue(), find_dialect(out.getvalue()))]
    layout = find_layout(found)
    n_above, n_headers = len(above), len(headers)
    assert layout.header == tuple(range(n_above + 1, n_above + n_headers + 1))
    assert layout.names == tuple(headers[0])
    lines = data_lines([row.cells for row in found], layout)
    assert lines == [*range(n_above + n_headers + 1, n_above + n_headers + len(data) + 1)]


@given(st.text(st.sampled_from("ab1,.;:|#\"'\\ \t\n-/"), max_size=200))
def test_any_text_has_a_layout(text):
    dialect = find_dialect(text)
    rows = [*split_rows(text, dialect)]
    layout = find_layout(rows, comment=dialect.comment)
    lines = {row.line for row in rows}
    found = [*layout.header, *layout.titles, *layout.footer, *layout.skipped]
    assert len(set(found)) == len(found)
    assert set(found) <= lines
    assert layout.first is None or layout.first in lines - set(found)
    assert len(set(layout.names)) == len(layout.names)


@pytest.mark.parametrize(
    ("lines", "footer"),
    [
        (["name,v", "A,0.2", "B,0.1", "C,0.3", "Total,0.6"], (5,)),
        (["name,v", "A,0.2", "B,0.1", "C,0.3", "Total,1.4"], ()),  # small, and no sum
        (["name,v,w", "A,0.2,1", "B,0.1,2", "C,0.3,3", "Total,0.6,-"], (5,)),
    ],
)
def test_a_total_is_the_sum(tmp_path, lines, footer) -> None:
    (tmp_path / "a.csv").write_text("\n".join(lines))
    assert autotype.read_table(tmp_path / "a.csv").reading.footer == footer


@pytest.mark.parametrize("n_blank", [0, 1, 2, 3])
def test_empty_lines_above_a_single_column(tmp_path, n_blank) -> None:
    (tmp_path / "a.csv").write_text("\n" * n_blank + "x\n1\n\n3\n")
    table = autotype.read_table(tmp_path / "a.csv")
    assert table.frame["x"].astype(object).fillna("gap").tolist() == [1, "gap", 3]


def test_a_row_whose_words_stand_among_the_data_is_no_second_header_line() -> None:
    rows = [
        ["date", "Name", "code", "number"],
        ['say "no"', "@home", "A84168", "A21700"],
        ['say "no"', "@home", "093764", "075537"],
        ['say "no"', "Oslo", "093764", "+4958572"],
    ]
    assert layout_of(rows).header == (1,)
