from __future__ import annotations

import io
import sys
import warnings
from dataclasses import replace

import matplotlib as mpl
import numpy as np
import pandas as pd
import pytest
from matplotlib import pyplot

import autotype
from autotype.errors import MissingExtraError, UnknownColumnError
from autotype.report.figures.plots import plot_column, plot_report
from autotype.type_report import TypeReport
from autotype.types.column_type import ColumnType

LEVELS = ("low", "mid", "high")
SCALE = {
    "data_order": list(LEVELS),
    "thresholds": [-1.0, 1.5],
    "level_means": [-2.0, 0.0, 2.0],
    "level_sds": [0.5, 0.7, 0.0],
}


@pytest.fixture(autouse=True)
def closed_figures():
    yield
    pyplot.close("all")


def column(semantic_type="ordinal", probability=0.9, **options) -> ColumnType:
    counts = dict(zip(LEVELS, (5, 3, 1), strict=True))
    settings = {"levels": counts, "best_order": LEVELS, "direction_known": True, **options}
    if semantic_type == "ordinal":
        settings.setdefault("order", settings["best_order"])
    return ColumnType("mood", semantic_type, probability, **settings)


def names(ax) -> list[str]:
    return [label.get_text() for label in ax.get_yticklabels()]


def colours(ax) -> set:
    return {patch.get_facecolor() for patch in ax.patches}


class TestColumn:
    def test_counts_lowest_at_the_bottom(self) -> None:
        ax = plot_column(column())
        assert names(ax) == list(LEVELS)
        assert [bar.get_width() for bar in ax.patches] == [5, 3, 1]
        assert ax.get_title(loc="left") == "mood: ordinal, P(ordinal) 0.90"
        assert len(colours(ax)) == 3

    @pytest.mark.parametrize(
        ("name", "shown"), [("", "''"), ((), "()"), ("\u05d0", "\u200e\u05d0")]
    )
    def test_names_without_a_letter_or_of_another_direction(self, name, shown) -> None:
        ax = plot_column(ColumnType(name, "categorical", levels={"a": 1, "b": 2}))
        assert ax.get_title(loc="left") == f"{shown}: categorical"

    def test_a_long_headline_is_wrapped(self) -> None:
        long = replace(column(title="How do you like " * 4), name="attitude to public transport")
        lines = plot_column(long).get_title(loc="left").split("\n")
        assert len(lines) == 4
        assert max(map(len, lines)) <= 42

    def test_latent_scale_with_its_thresholds(self) -> None:
        ax = plot_column(column(evidence=SCALE))
        assert names(ax) == ["low (5)", "mid (3)", "high (1)"]
        vertical = [line.get_xdata() for line in ax.lines if line.get_linestyle() != "-"]
        assert [list(x) for x in vertical] == [[-1.0, -1.0], [1.5, 1.5]]
        low, high = ax.get_xlim()
        assert low <= -3.5
        assert high >= 2.0

    def test_a_scale_that_runs_against_the_order_is_turned(self) -> None:
        turned = {**SCALE, "data_order": list(LEVELS)[::-1]}
        ax = plot_column(column(evidence=turned))
        assert names(ax) == ["low (5)", "mid (3)", "high (1)"]
        assert "prefer" not in ax.get_xlabel()

    def test_another_order_of_the_data_is_noted(self) -> None:
        other = {**SCALE, "data_order": ["low", "high", "mid"]}
        ax = plot_column(column(evidence=other))
        assert names(ax) == ["low (5)", "mid (3)", "high (1)"]
        assert "along the best order by the other columns" in " ".join(ax.get_xlabel().split())
        means = [line for line in ax.lines if line.get_solid_capstyle() == "butt"]
        assert [line.get_xdata()[0] for line in means] == [-2.0, 2.0, 0.0]

    def test_kind_counts_wins_over_the_scale(self) -> None:
        assert len(plot_column(column(evidence=SCALE), kind="counts").patches) == 3

    def test_levels_off_the_scale_stand_apart(self) -> None:
        counts = {"low": 1, "mid": 1, "high": 1, "don't know": 7}
        ax = plot_column(column(levels=counts, off_scale=("don't know",)))
        assert names(ax)[-1] == "don't know (off the scale)"
        assert ax.patches[-1].get_y() < -1
        latent = plot_column(column(levels=counts, off_scale=("don't know",), evidence=SCALE))
        assert "off the scale: don't know (7)" in latent.get_xlabel()

    def test_an_unknown_direction_is_noted(self) -> None:
        assert (
            "either end may be the low one"
            in plot_column(column(direction_known=False)).get_xlabel()
        )

    def test_no_colours_from_dark_to_bright_without_an_order(self) -> None:
        assert len(colours(plot_column(column("categorical", 0.1)))) == 1
        assert "the best order found" in plot_column(column("categorical", 0.1)).get_xlabel()

    def test_one_colour_on_request(self) -> None:
        ax = plot_column(column(), color="black")
        assert colours(ax) == {(0.0, 0.0, 0.0, 1.0)}
        plot_column(column(evidence=SCALE), color="black")

    def test_many_levels_without_order_by_count(self) -> None:
        counts = {f"town {k}": k for k in range(60)}
        ax = plot_column(ColumnType("town", "categorical", levels=counts))
        assert len(ax.patches) == 25
        assert names(ax)[-1] == "town 59"
        assert "35 rarer levels are not shown" in ax.get_xlabel()
        assert ax.get_title(loc="left") == "town: categorical"

    def test_text_is_shown_as_it_is(self) -> None:
        special = ("$a$", "_b", "two\nlines", " ", "<i>")
        report = ColumnType(
            "p_$1$",
            "ordinal",
            0.9,
            order=special,
            best_order=special,
            levels=dict.fromkeys(special, 1),
        )
        ax = plot_column(report)
        ax.figure.savefig(io.BytesIO())
        assert names(ax) == ["$a$", "_b", "two\\nlines", "' '", "<i>"]
        assert not any(label.get_parse_math() for label in ax.get_yticklabels())

    @pytest.mark.filterwarnings("ignore:no installed font")
    @pytest.mark.parametrize("sign", "aMm大")
    @pytest.mark.parametrize("dpi", [30, 100])
    @pytest.mark.parametrize("evidence", [{}, SCALE])
    def test_long_levels_leave_room_for_the_axes(self, sign, dpi, evidence) -> None:
        levels = {sign * 50: 123_456, "mid": 2, "high": 1}
        scale = evidence and {**evidence, "data_order": list(levels)}
        ax = plot_column(column(levels=levels, best_order=tuple(levels), evidence=scale))
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "Glyph .* missing")
            ax.figure.savefig(io.BytesIO(), dpi=dpi)
        width, _ = ax.figure.get_size_inches()
        assert ax.get_position().width * width > 2

    def test_a_single_level(self) -> None:
        plot_column(ColumnType("x", "constant", levels={"a": 3})).figure.savefig(io.BytesIO())

    def test_levels_that_all_lie_at_one_place(self) -> None:
        flat = {**SCALE, "thresholds": [0.0, 0.0], "level_means": [0.0] * 3, "level_sds": [0.0] * 3}
        plot_column(column(evidence=flat)).figure.savefig(io.BytesIO())

    @pytest.mark.parametrize(
        ("source", "kind", "message"),
        [
            (column(), "bars", "kind must be 'latent', 'counts' or None, got 'bars'"),
            (column(), "latent", "no latent scale of column 'mood'; pass kind='counts'"),
            (ColumnType("age", "count"), None, "'age' has no levels to draw: its type is count"),
        ],
    )
    def test_what_cannot_be_drawn(self, source, kind, message) -> None:
        with pytest.raises(ValueError, match=message):
            plot_column(source, kind=kind)


class TestReport:
    def test_a_row_for_each_question(self) -> None:
        report = TypeReport(
            [column(), ColumnType("id", "identifier"), ColumnType("where", "undetermined", 0.5)]
        )
        ax = report.plot()
        assert names(ax) == ["mood", "where"]
        assert "without a probability: 1\N{NO-BREAK SPACE}identifier" in ax.get_xlabel()
        assert [text.get_text() for text in ax.get_legend().get_texts()] == [
            "ordinal",
            "undetermined",
        ]

    def test_nothing_to_ask(self) -> None:
        ax = plot_report(TypeReport([]))
        ax.figure.savefig(io.BytesIO())
        assert names(ax) == []

    def test_a_row_for_all_columns_of_a_scale(self) -> None:
        levels = {"levels": dict.fromkeys(LEVELS, 9), "order": LEVELS}
        scale = [ColumnType(f"q{k}_mood", "ordinal", 0.9 - k / 100, **levels) for k in range(20)]
        ax = plot_report(TypeReport([*scale, ColumnType("where", "undetermined", 0.5)]))
        assert names(ax) == ["q0_mood … q19_mood (20)", "where"]
        (of_scale, _) = (line for line in ax.lines if len(line.get_xdata()))
        assert of_scale.get_xdata() == pytest.approx([0.71])

    def test_more_columns_than_a_figure_holds(self) -> None:
        many = [column(levels={**dict.fromkeys(LEVELS, 9), str(k): 1}) for k in range(410)]
        ax = plot_report(TypeReport(many), ax=pyplot.figure().add_subplot())
        assert len(names(ax)) == 400
        assert "10 more columns are not shown" in ax.get_xlabel()


class TestGoodManners:
    @pytest.mark.parametrize(
        "draw",
        [
            lambda ax: plot_column(column(), ax=ax),
            lambda ax: plot_column(column(evidence=SCALE), ax=ax),
            lambda ax: plot_report(TypeReport([column()]), ax=ax),
        ],
    )
    def test_draws_on_the_axes_given_and_changes_nothing_else(self, draw, monkeypatch) -> None:
        monkeypatch.setattr(pyplot, "show", lambda *_, **__: pytest.fail("shown"))
        ax = pyplot.figure().add_subplot()
        other = pyplot.figure().add_subplot()
        settings, open_figures = dict(mpl.rcParams), pyplot.get_fignums()
        assert draw(ax) is ax
        assert pyplot.get_fignums() == open_figures
        assert pyplot.gca() is other
        assert dict(mpl.rcParams) == settings
        assert not other.has_data()

    def test_matplotlib_is_missing(self, monkeypatch) -> None:
        monkeypatch.setitem(sys.modules, "matplotlib", None)
        with pytest.raises(MissingExtraError, match=r'pip install "autotype-ordinal\[report\]"'):
            plot_column(column())


class TestAccessor:
    frame = pd.DataFrame({"size": ["S", "M", "L"] * 8, "n": range(24)})

    def test_infers_where_no_types_are_given(self) -> None:
        assert names(self.frame.ordinal.plot("size"))[-1].startswith("L")

    def test_types_and_axes_are_taken(self) -> None:
        types = TypeReport([column()])
        ax = pyplot.figure().add_subplot()
        assert self.frame.ordinal.plot("mood", types, ax=ax, kind="counts") is ax

    def test_tuples_name_columns(self) -> None:
        frame = self.frame.copy()
        frame.columns = pd.MultiIndex.from_tuples([("a", "size"), ("a", "n")])
        assert "a / size" in frame.ordinal.plot(("a", "size")).get_title(loc="left")

    def test_unknown_columns(self) -> None:
        with pytest.raises(UnknownColumnError, match=r"'sise'.*did you mean 'size'"):
            self.frame.ordinal.plot("sise")
        with pytest.raises(UnknownColumnError, match="the report holds no column 'size'"):
            self.frame.ordinal.plot("size", TypeReport([column()]))

    def test_real_columns_draw_without_warnings(self) -> None:
        types = autotype.infer_types(self.frame)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            self.frame.ordinal.plot("size", types).figure.savefig(io.BytesIO())


def test_levels_that_numpy_compares_cell_by_cell() -> None:
    rng = np.random.default_rng(0)
    rank, levels = rng.integers(0, 4, 90), ["1", range(3), np.int8(3), np.int8(7)]
    frame = pd.DataFrame({name: rank + 0.3 * rng.normal(size=90) for name in "xz"})
    frame["y"] = pd.Series([levels[k] for k in rank], dtype=object)
    assert autotype.plot(frame, "y", autotype.infer_types(frame), kind="latent") is not None
