"""Rings and dots of the proportions of levels before and after."""

from __future__ import annotations

import pytest
from matplotlib import pyplot

from autotype.errors import UnknownColumnError
from autotype.plots import plot_drift
from autotype.type_report import TypeReport
from autotype.types.column_type import ColumnType


@pytest.fixture(autouse=True)
def closed_figures():
    yield
    pyplot.close("all")


def report(**columns) -> TypeReport:
    return TypeReport(
        [
            ColumnType(name, "ordinal", 0.9, levels=levels, order=("low", "mid", "high"))
            for name, levels in columns.items()
        ]
    )


BEFORE = report(
    a={"low": 200, "mid": 100, "high": 100},
    b={"low": 100, "mid": 100, "high": 200},
    c={"low": 100, "mid": 100, "high": 200},
)
AFTER = report(
    a={"low": 100, "mid": 100, "high": 200},
    b={"low": 200, "mid": 200, "high": 0},
    c={"low": 100, "mid": 100, "high": 200},
)


def test_what_changed_is_drawn_the_most_first() -> None:
    ax = plot_drift(BEFORE.compare(AFTER))
    names = [label.get_text() for label in ax.get_yticklabels()]
    assert names == ["b", "low", "mid", "high", "a", "low", "mid", "high"]
    at = [line.get_xdata()[0] for line in ax.get_lines() if line.get_marker() == "o"]
    assert at == [0.25, 0.5, 0.25, 0.5, 0.5, 0, 0.5, 0.25, 0.25, 0.25, 0.25, 0.5]
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["before", "after"]
    assert ax.get_label().endswith("; a low 50 to 25%, mid 25 to 25%, high 25 to 50%")


def test_columns_that_are_named_are_drawn_in_their_order() -> None:
    comparison = BEFORE.compare(AFTER)
    axes = pyplot.figure().subplots()
    assert plot_drift(comparison, ["c", "a"], ax=axes) is axes
    assert [label.get_text() for label in axes.get_yticklabels()][::4] == ["c", "a"]
    with pytest.raises(UnknownColumnError, match="'d'"):
        plot_drift(comparison, "d")


def test_nothing_to_draw() -> None:
    with pytest.raises(ValueError, match="no column whose levels both reports count has moved"):
        plot_drift(BEFORE.compare(BEFORE))
    with pytest.raises(ValueError, match="name columns"):
        plot_drift(BEFORE.compare(TypeReport([ColumnType("a", "text")])), ["a"])
    with pytest.raises(TypeError, match=r"what TypeReport\.compare returns, got TypeReport"):
        plot_drift(BEFORE)
