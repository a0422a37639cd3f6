"""The bars of a scale: aligned at its middle, of the rows on the scale."""

from __future__ import annotations

import pytest
from matplotlib import pyplot

from autotype.errors import UnknownColumnError
from autotype.plots import plot_likert
from autotype.type_report import TypeReport
from autotype.types.column_type import ColumnType

ODD = ("no", "neither", "yes")


@pytest.fixture(autouse=True)
def closed_figures():
    yield
    pyplot.close("all")


def column(name, counts, order=ODD, **options) -> ColumnType:
    levels = dict(zip((*order, *options.get("off_scale", ())), counts, strict=True))
    return ColumnType(name, "ordinal", 0.9, levels=levels, order=order, best_order=order, **options)


def bars(ax) -> list[tuple[float, float]]:
    return [(round(bar.get_x(), 6), round(bar.get_width(), 6)) for bar in ax.patches]


def test_bars_meet_at_the_middle_of_the_middle_level() -> None:
    ax = plot_likert(TypeReport([column("a", (1, 2, 1))]))
    assert bars(ax) == [(-0.5, 0.25), (-0.25, 0.5), (0.25, 0.25)]
    assert [text.get_text() for text in ax.texts] == ["25%", "50%", "25%"]


def test_without_a_middle_level_they_meet_between_two() -> None:
    ax = plot_likert(TypeReport([column("a", (1, 3), order=("no", "yes"))]))
    assert bars(ax) == [(-0.25, 0.25), (0, 0.75)]


def test_levels_off_the_scale_are_not_drawn_but_said() -> None:
    ax = plot_likert(TypeReport([column("a", (1, 2, 1, 1), off_scale=("n/a",))]))
    assert bars(ax)[0] == (-0.5, 0.25)
    assert ax.get_xlabel() == "20.0% of all answers are off the scale and not drawn"


def test_columns_of_the_most_common_order() -> None:
    other = column("size", (1, 1), order=("S", "L"))
    clear = column("a", (1, 2, 1), title="Was it clear?")
    types = TypeReport([other, clear, column("b", (0, 0, 4))])
    ax = plot_likert(types)
    assert [label.get_text() for label in ax.get_yticklabels()] == ["Was it clear?", "b"]
    said = "Proportions of no < neither < yes in 2 columns: a 25, 50, 25%; b 0, 0, 100%"
    assert ax.get_label() == said
    for size in (["size"], "size"):
        assert [label.get_text() for label in plot_likert(types, size).get_yticklabels()] == [
            "size"
        ]


def test_the_columns_of_a_scale() -> None:
    columns = [
        column(name, (1, 2, 1), scale=scale) for name, scale in zip("abc", "xxy", strict=True)
    ]
    types = TypeReport(columns)
    ax = plot_likert(types, types.scales[0])
    assert [label.get_text() for label in ax.get_yticklabels()] == ["a", "b"]


def test_a_column_without_rows() -> None:
    assert {width for _, width in bars(plot_likert(TypeReport([column("a", (0, 0, 0))])))} == {0}


def test_columns_that_do_not_go_together() -> None:
    types = TypeReport([column("a", (1, 2, 1)), column("s", (1, 1), order=("S", "L"))])
    with pytest.raises(ValueError, match="'a' and 's' have not the same order"):
        plot_likert(types, ["a", "s"])
    with pytest.raises(UnknownColumnError):
        plot_likert(types, ["b"])
    with pytest.raises(ValueError, match="expected ordinal columns, got 'x'"):
        plot_likert(TypeReport([ColumnType("x", "text")]), ["x"])
    with pytest.raises(ValueError, match="got a report without one"):
        plot_likert(TypeReport([ColumnType("x", "text")]))
