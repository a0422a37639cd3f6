"""Diverging stacked bars of the columns of a scale, the usual picture of a battery of questions."""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from autotype.report.figures.drawing import INK, NEUTRAL, axes_to_draw_on
from autotype.report.figures.fonts import use_fonts
from autotype.report.page_text import shown
from autotype.types.column_type import ColumnType
from autotype.wording import format_some

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from autotype.types.column_types import ColumnTypes

_LONGEST_NAME = 48
_LINE = 32  # characters of a line of a name
_LEGEND = 110  # characters of a line of the legend
_LEAST_LABELLED = 0.06  # of all rows: a narrower bar has no room for its percentage
_DARK = 0.45  # luminance below which white digits are easier to read


def plot_likert(
    types: ColumnTypes, columns: Sequence[Hashable] | None = None, *, ax: Axes | None = None
) -> Axes:
    """Draw how the answers to the questions of a scale are distributed.

    Each column is a bar of the proportions of its levels, lowest at the left. The bars are aligned
    at the middle of the scale, so that agreement extends to the right and disagreement to the left.

    Parameters
    ----------
    types : TypeReport
    columns : sequence of column names, optional
        Ordinal columns of one order; by default those of the order that most columns share.
    ax : matplotlib Axes, optional
        Axes to draw on; by default those of a new figure, whose height suits the columns.

    Returns
    -------
    matplotlib Axes
        A row for each column, the first at the top. Proportions are of the rows on the scale. What
        ``ax.get_label()`` returns describes the picture in a sentence, as its alternative text.

    Raises
    ------
    UnknownColumnError
        If there is no column of a name.
    ValueError
        If there is no ordinal column, or those of `columns` have not the same order.
    MissingExtraError
        If matplotlib is not installed.

    Examples
    --------
    >>> import pandas as pd, autotype
    >>> answers = ["disagree", "neutral", "agree", "agree"] * 10
    >>> frame = pd.DataFrame({"clear": answers, "useful": answers[::-1]})
    >>> ax = plot_likert(autotype.infer_types(frame))
    >>> ax.get_label()
    'Proportions of disagree < neutral < agree in 2 columns: clear 25, 25, 50%; useful 25, 25, 50%'
    """
    drawn = _members(types, columns)
    order = drawn[0].order or ()
    rows = [proportions_of(column, order) for column in drawn]
    names = [shown(column.title or column.name, _LONGEST_NAME) for column in drawn]
    names = ["\n".join(textwrap.wrap(name, _LINE)) for name in names]
    ax = axes_to_draw_on(ax, (8.4, 1.4 + 0.42 * len(drawn)))
    from matplotlib import colormaps

    colours = [colormaps["BrBG"](0.1 + 0.8 * k / (len(order) - 1)) for k in range(len(order))]
    ends = [middle_of(row) for row in rows]
    named = _named(drawn)
    for k, (level, colour) in enumerate(zip(named, colours, strict=True)):
        lefts = [sum(row[:k]) - end for row, end in zip(rows, ends, strict=True)]
        widths = [row[k] for row in rows]
        # The middle of the range is nearly white.
        edge: dict[str, Any] = {"edgecolor": NEUTRAL, "lw": 0.3}
        ax.barh(range(len(rows)), widths, left=lefts, color=colour, height=0.75, **edge)
        ax.plot([], [], "s", color=colour, mec=NEUTRAL, mew=0.3, label=level)
        for y, (left, width) in enumerate(zip(lefts, widths, strict=True)):
            if width >= _LEAST_LABELLED:
                dark = 0.3 * colour[0] + 0.59 * colour[1] + 0.11 * colour[2] < _DARK
                at = (left + width / 2, y)
                ink = "white" if dark else INK
                ax.annotate(f"{width:.0%}", at, ha="center", va="center", color=ink, fontsize=8)
    ax.axvline(0, color=NEUTRAL, lw=0.8, zorder=0.5)
    ax.set_yticks(range(len(rows)), names, parse_math=False)
    ax.set_ylim(len(rows) - 0.5, -0.5)
    ax.set_xticks([])
    ax.spines[["top", "right", "bottom", "left"]].set_visible(False)
    ax.tick_params(axis="y", length=0)
    widest = max(map(len, named)) + 4
    ax.legend(
        loc="lower center",
        bbox_to_anchor=(0.5, 1),
        ncols=max(1, min(len(order), _LEGEND // widest)),
        columnspacing=1,
        handletextpad=0,
        fontsize=8,
        frameon=False,
    )
    ax.set_xlabel(_off_scale(drawn), color=INK)
    ax.set_label(_describe(drawn, rows))
    return use_fonts(ax)


def _members(types: ColumnTypes, columns: Sequence[Hashable] | None) -> list[ColumnType]:
    """Return the columns to draw, which have the same order."""
    if columns is not None:
        chosen = [types[column] for column in columns]
    else:
        chosen = [column for column in types.columns if column.order]
        orders = Counter(column.order for column in chosen)
        chosen = [c for c in chosen if c.order == max(orders, key=lambda order: orders[order])]
    if not chosen or not all(column.order for column in chosen):
        without = format_some([column.name for column in chosen if not column.order])
        raise ValueError(
            f"expected ordinal columns, got {without or 'a report without one'}; "
            "name columns of one scale"
        )
    for column in chosen:
        if column.order != chosen[0].order:
            raise ValueError(
                f"columns {chosen[0].name!r} and {column.name!r} have not the same order: "
                f"{chosen[0].order} and {column.order}"
            )
    return chosen


def _named(drawn: Sequence[ColumnType]) -> list[str]:
    """Return the levels of the scale, with the labels of stored values."""
    return [shown(drawn[0].named(level), _LONGEST_NAME) for level in drawn[0].order or ()]


def proportions_of(column: ColumnType, levels: Sequence[Hashable]) -> list[float]:
    """Return the proportions of levels among the rows that have one of them, weighted if known."""
    counts: Mapping[Hashable, float] = column.weighted_shares or column.levels
    held = [counts.get(level, 0) for level in levels]
    return [count / (sum(held) or 1) for count in held]


def middle_of(proportions: Sequence[float]) -> float:
    """Return the proportion below the middle of a scale, half of its middle level included.

    Examples
    --------
    >>> middle_of([0.2, 0.4, 0.4])
    0.4
    """
    middle, odd = divmod(len(proportions), 2)
    return sum(proportions[:middle]) + (proportions[middle] / 2 if odd else 0)


def _off_scale(drawn: Sequence[ColumnType]) -> str:
    """Return which proportion of the rows with an answer is not on the scale."""
    off = sum(column.levels.get(level, 0) for column in drawn for level in column.off_scale)
    rows = sum(sum(column.levels.values()) for column in drawn)
    return f"{off / rows:.1%} of all answers are off the scale and not drawn" if off else ""


def _describe(drawn: Sequence[ColumnType], rows: Sequence[Sequence[float]]) -> str:
    levels = " < ".join(_named(drawn))
    listed = [
        f"{shown(column.name, _LONGEST_NAME)} {', '.join(f'{100 * part:.0f}' for part in row)}%"
        for column, row in zip(drawn, rows, strict=True)
    ]
    return f"Proportions of {levels} in {len(drawn)} columns: {'; '.join(listed)}"
