"""Draw proportions of levels: of the columns of a scale, and how they moved between two reports.

Diverging stacked bars are the usual picture of a battery of questions.
"""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from autotype.report.figures.drawing import INK, NEUTRAL, TYPE_STYLES, axes_to_draw_on
from autotype.report.figures.fonts import finish
from autotype.report.page_text import shown
from autotype.types.column_type import ColumnType, name_list
from autotype.types.column_types import ColumnTypes, Scale
from autotype.types.drift.comparison import ColumnComparison, ColumnComparisons
from autotype.wording import format_some

if TYPE_CHECKING:
    from matplotlib.axes import Axes


_LONGEST_NAME = 48
_LONGEST_QUESTION = 76  # three lines with the note of its length
_LINE = 32  # characters of a line of a name
_LEGEND = 110  # characters of a line of the legend
_LEAST_LABELLED = 0.06  # of all rows: a narrower bar has no room for its percentage
_DARK = 0.45  # luminance below which white digits are easier to read

_LONGEST_LEVEL, _MOST_ROWS = 36, 400  # of a plot of drift


def plot_likert(
    types: ColumnTypes,
    columns: Hashable | Sequence[Hashable] | Scale | None = None,
    *,
    ax: Axes | None = None,
) -> Axes:
    """Draw how the answers to the questions of a scale are distributed.

    Each column is a bar of the proportions of its levels, lowest at the left. The bars are aligned
    at the middle of the scale, so that agreement extends to the right and disagreement to the left.

    Parameters
    ----------
    types : TypeReport
    columns : column name, sequence of them, or Scale, optional
        Ordinal columns of one order, or one of the report's `scales`; by default
        those of the order that most columns share.
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
    names = [shown(column.title or column.name, _LONGEST_QUESTION) for column in drawn]
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
    return finish(ax, "top", "right", "bottom", "left")


def _members(types: ColumnTypes, columns: Any) -> list[ColumnType]:
    """Return the columns to draw, which have the same order."""
    if columns is not None:
        names = columns.columns if isinstance(columns, Scale) else name_list(columns, types)
        chosen = [types[name] for name in names]
    else:
        chosen = [column for column in types.columns if column.order]
        orders = Counter(column.order for column in chosen)
        common = max(orders, key=lambda order: orders[order], default=None)
        chosen = [column for column in chosen if column.order == common]
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


def plot_drift(
    comparison: ColumnComparisons,
    columns: Hashable | Sequence[Hashable] | None = None,
    *,
    ax: Axes | None = None,
) -> Axes:
    """Draw the proportion of each level before and after.

    Parameters
    ----------
    comparison : TypeComparison
        What `TypeReport.compare` returns.
    columns : column name or sequence of them, optional
        Columns with levels in both reports; by default those whose proportions changed, the most
        first.
    ax : matplotlib Axes, optional
        Axes to draw on; by default those of a new figure, whose height suits the levels.

    Returns
    -------
    matplotlib Axes
        A row for each level, below the name of its column: a ring before, a dot after. What
        ``ax.get_label()`` returns describes the picture, as its alternative text.

    Raises
    ------
    TypeError
        If `comparison` is none.
    UnknownColumnError
        If there is no column of a name.
    ValueError
        If there is nothing to draw.
    MissingExtraError
        If matplotlib is not installed.

    Examples
    --------
    >>> from autotype import ColumnType, TypeReport
    >>> before, after = (
    ...     TypeReport([ColumnType("size", "ordinal", levels=levels, order=("S", "M"))])
    ...     for levels in ({"S": 300, "M": 100}, {"S": 100, "M": 300})
    ... )
    >>> plot_drift(before.compare(after)).get_label()
    'Proportions before and after: size S 75 to 25%, M 25 to 75%'
    """
    if not isinstance(comparison, ColumnComparisons):
        got = type(comparison).__name__
        raise TypeError(f"expected what TypeReport.compare returns, got {got}")
    if columns is None:
        moved = [column for column in comparison.columns if "shares" in column.changes]
        chosen = sorted(moved, key=lambda column: -column.distance)
    else:
        chosen = [comparison[name] for name in name_list(columns, comparison)]
    rows, words = [], []
    for column in chosen:
        moves = _moves(column)
        rows += [(shown(column.name, _LONGEST_LEVEL), None), *moves] if moves else []
        listed = ", ".join(f"{level} {100 * a:.0f} to {100 * b:.0f}%" for level, (a, b) in moves)
        words.append(f"{shown(column.name, _LONGEST_LEVEL)} {listed}")
    if not rows:
        raise ValueError("no column whose levels both reports count has moved; name columns")
    rows = rows[:_MOST_ROWS]
    names = [name for name, _ in rows]
    ax = axes_to_draw_on(ax, (6.4, 1.3 + 0.28 * len(rows)), row_labels=names)
    colour, _ = TYPE_STYLES["ordinal"]
    for y, (_, move) in enumerate(rows):
        if move is None:
            continue
        ax.plot(move, (y, y), color=colour, lw=1.5, alpha=0.6)
        ring: dict[str, Any] = {"mfc": "w", "mec": NEUTRAL, "mew": 1.5, "clip_on": False}
        ax.plot(move[0], y, "o", label="before" if y == 1 else None, **ring)
        ax.plot(move[1], y, "o", label="after" if y == 1 else None, color=colour, clip_on=False)
    ax.set_yticks(range(len(rows)), names, parse_math=False)
    for label, (_, move) in zip(ax.get_yticklabels(), rows, strict=True):
        label.set_fontweight("bold" if move is None else "normal")
    ax.set_ylim(len(rows) - 0.4, -0.6)
    ax.set_xlim(left=0)
    ax.xaxis.set_major_formatter(lambda value, _: f"{value:.0%}")
    ax.set_xlabel("proportion of the rows", color=INK)
    ax.legend(loc="lower right", bbox_to_anchor=(1, 1), ncols=2, frameon=False)
    ax.set_label(f"Proportions before and after: {'; '.join(words)}")
    return finish(ax, "top", "right", "left")


def _moves(column: ColumnComparison) -> list[tuple[str, tuple[float, float]]]:
    """Return the proportions of each level before and after; none without counts of both."""
    before, after = column.before, column.after
    if before is None or after is None or not (before.levels and after.levels):
        return []
    levels = list(dict.fromkeys([*(after.best_order or ()), *after.levels, *before.levels]))
    both = zip(proportions_of(before, levels), proportions_of(after, levels), strict=True)
    return [
        (shown(after.named(level), _LONGEST_LEVEL), move)
        for level, move in zip(levels, both, strict=True)
    ]
