"""Plots of a report: the levels of one column, and the probabilities of all columns."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any
from unicodedata import bidirectional

import numpy as np

from autotype.report.blocks import Block, blocks_of
from autotype.report.figures import drawing
from autotype.report.figures.fonts import finish
from autotype.report.figures.latent_scale import REACH, LatentPicture, latent_scale
from autotype.report.page_text import shown
from autotype.report.text import count_types
from autotype.types.column_type import CATEGORICAL_UP_TO, ORDINAL_FROM, WITH_ODDS, ColumnType
from autotype.types.column_types import ColumnTypes
from autotype.wording import format_probability, join_first

if TYPE_CHECKING:
    from matplotlib.axes import Axes


_LONGEST_NAME = 36
_LINE = 60  # characters of a line below the axes
_TITLE = 42  # of a line above them, which are narrow beside long levels
_MAX_BARS = 25
_MAX_ROWS = 400  # of `plot_report`, for the limits of image files


def plot_column(
    column: ColumnType, *, kind: str | None = None, ax: Axes | None = None, color: Any = None
) -> Axes:
    """Draw a column's levels, lowest at the bottom.

    Parameters
    ----------
    column : ColumnType
        A discrete column of a report.
    kind : {"latent", "counts"}, optional
        "latent" draws the distribution of each level on the latent scale of the ordinal model,
        over the interval between the level's thresholds; "counts" draws the count of each level.
        By default the latent scale, if the report holds one.
    ax : matplotlib Axes, optional
        Axes to draw on; by default those of a new figure.
    color : matplotlib color, optional
        One colour for all levels; by default from dark to bright along the order.

    Returns
    -------
    matplotlib Axes

    Raises
    ------
    ValueError
        If the column has no levels, or no latent scale for ``kind="latent"``, or `kind` is
        neither of the two.
    MissingExtraError
        If matplotlib is not installed.

    Examples
    --------
    >>> import pandas as pd, autotype
    >>> frame = pd.DataFrame({"size": ["S", "M", "M", "L"] * 10})
    >>> ax = plot_column(autotype.infer_types(frame)["size"])
    >>> [label.get_text() for label in ax.get_yticklabels()]
    ['S', 'M', 'L']
    """
    if kind not in (None, "latent", "counts"):
        raise ValueError(f"kind must be 'latent', 'counts' or None, got {kind!r}")
    if not column.levels:
        raise ValueError(
            f"column {column.name!r} has no levels to draw: its type is {column.semantic_type}"
        )
    scale = latent_scale(column.evidence, column.best_order) if kind != "counts" else None
    if kind == "latent" and scale is None:
        raise ValueError(
            f"the report holds no latent scale of column {column.name!r}; pass kind='counts'"
        )
    if scale is None:
        ax = _draw_counts(column, ax, color)
    else:
        ax = _draw_latent(column, scale, ax, color)
    ax.set_title(_headline(column), loc="left", color=drawing.INK, parse_math=False)
    return finish(ax, "top", "right", "left")


def _draw_latent(column: ColumnType, scale: LatentPicture, ax: Axes | None, color: Any) -> Axes:
    """Draw a row for each level: the interval between its thresholds, and its density."""
    n_levels = len(scale.order)
    # In the order of the report, so that bells out of order are seen; the model may lack levels.
    held = {name: level for name in column.best_order or () if (level := scale.at(name))}
    drawn = held if len(held) == n_levels else dict(zip(scale.order, scale.levels, strict=True))
    names = [_with_count(column, name) for name in drawn]
    ax = drawing.axes_to_draw_on(ax, (6.4, 1.4 + 0.5 * n_levels), row_labels=names)
    percent = (scale.high - scale.low) / 100
    colours = _colours(column, n_levels, color)
    for row, (level, colour) in enumerate(zip(drawn.values(), colours, strict=True)):
        left = scale.low + percent * level["band"]
        band = [left, left + percent * level["band_width"]]
        ax.fill_between(band, row, row + 0.85, color=drawing.NEUTRAL, alpha=0.18, lw=0)
        if level["deviation"] > 0:
            x = np.linspace(-REACH, REACH, 121)
            curve = row + 0.8 * np.exp(-(x**2) / 2)
            x = level["mean"] + level["deviation"] * x
            ax.fill_between(x, row, curve, color=colour, alpha=0.75, lw=0)
            ax.plot(x, curve, color=colour, lw=1.2)
        ax.plot(
            [level["mean"]] * 2, [row, row + 0.8], color=drawing.INK, lw=1.2, solid_capstyle="butt"
        )
    for threshold in scale.thresholds:
        ax.axvline(threshold, color=drawing.INK, lw=0.9, ls=(0, (4, 3)), zorder=0.5)
    ax.set_yticks([row + 0.3 for row in range(n_levels)], names, parse_math=False)
    ax.set_ylim(-0.1, n_levels)
    ax.set_xlim(scale.low, scale.high)
    notes = _notes(column)
    if tuple(scale.order) != column.best_order:
        notes.append("thresholds along the best order by the other columns")
    ax.set_xlabel(_lines("latent scale (dashed: thresholds)", *notes), parse_math=False)
    return ax


def _draw_counts(column: ColumnType, ax: Axes | None, color: Any) -> Axes:
    """Draw a bar for each level; levels without an order are sorted by count."""
    ranked = column.best_order is not None
    order = list(column.best_order) if column.best_order is not None else list(column.levels)
    if not ranked:
        order.sort(key=lambda level: column.levels.get(level, 0))
    n_hidden = 0 if ranked else max(len(order) - _MAX_BARS, 0)
    order = order[n_hidden:]
    off_scale = [level for level in column.off_scale if level in column.levels] if ranked else []
    names = [shown(column.named(level), _LONGEST_NAME) for level in order]
    names += [f"{shown(column.named(level), _LONGEST_NAME)} (off the scale)" for level in off_scale]
    ax = drawing.axes_to_draw_on(ax, (6.4, 1.4 + 0.3 * len(names)), row_labels=names)
    from matplotlib.ticker import MaxNLocator

    held: Mapping[Any, float] = column.weighted_shares or column.levels
    counts = [held.get(level, 0) for level in order]
    colours = _colours(column, len(order), color)
    ax.barh(range(len(order)), counts, color=colours, height=0.8)
    below = [-1.5 - row for row in range(len(off_scale))]  # separate: they are not on the scale
    off_counts = [held.get(level, 0) for level in off_scale]
    ax.barh(below, off_counts, color="none", edgecolor=drawing.NEUTRAL, hatch="///", height=0.8)
    ax.set_yticks([*range(len(order)), *below], names, parse_math=False)
    ax.set_ylim(min(below, default=0) - 0.6, len(order) - 0.4)
    notes = _notes(column, off_scale=False)
    notes += [f"{n_hidden:,} rarer levels are not shown"] if n_hidden else []
    what = "weighted proportion of the rows" if column.weighted_shares else "rows"
    ax.set_xlabel(_lines(what, *notes))
    ax.xaxis.set_major_locator(MaxNLocator("auto", integer=not column.weighted_shares))
    return ax


def _colours(column: ColumnType, n_levels: int, color: Any) -> Sequence[Any]:
    """Return the levels' colours: from dark to bright along an order, else the same for all."""
    if color is None and column.order is not None:
        return drawing.level_colours(n_levels)
    plain, _ = drawing.TYPE_STYLES.get(column.semantic_type, (drawing.NEUTRAL, ""))
    return [plain if color is None else color] * n_levels


def _headline(column: ColumnType) -> str:
    name = shown(column.name, _LONGEST_NAME)
    # The line is English, also where the name is Arabic or Hebrew.
    mark = "\N{LEFT-TO-RIGHT MARK}" if bidirectional(name[:1]) in ("R", "AL") else ""
    text = f"{mark}{name}: {column.semantic_type}"
    if _has_probability(column):
        text += f", P(ordinal) {format_probability(column.probability)}"
    lines = [shown(column.title, _LINE), text] if column.title else [text]
    return "\n".join(part for line in lines for part in textwrap.wrap(line, _TITLE))


def _has_probability(column: ColumnType) -> bool:
    return column.semantic_type in WITH_ODDS and not math.isnan(column.probability)


def _with_count(column: ColumnType, level: Any) -> str:
    count = column.levels.get(level)
    return shown(column.named(level), _LONGEST_NAME) + (
        f" ({count:,})" if count is not None else ""
    )


def _notes(column: ColumnType, *, off_scale: bool = True) -> list[str]:
    notes = []
    if column.best_order is not None:
        caveats = [] if column.order is not None else ["the best order found"]
        caveats += [] if column.direction_known else ["either end may be the low one"]
        notes += ["; ".join(caveats)] if caveats else []
    if off_scale and column.off_scale:
        listed = join_first([_with_count(column, level) for level in column.off_scale], limit=3)
        notes.append(f"off the scale: {listed}")
    return notes


def _lines(*sentences: str) -> str:
    return "\n".join(line for text in sentences for line in textwrap.wrap(text, _LINE))


def plot_report(report: ColumnTypes, *, ax: Axes | None = None) -> Axes:
    """Draw the probability that each column is ordinal, the frame's first column at the top.

    Columns of one scale, and others that are alike, have one row with the lowest probability.

    Parameters
    ----------
    report : TypeReport
    ax : matplotlib Axes, optional
        Axes to draw on; by default those of a new figure, whose height suits the columns.

    Returns
    -------
    matplotlib Axes
        A row for each block of discrete columns with a probability; the others are counted below.

    Raises
    ------
    MissingExtraError
        If matplotlib is not installed.
    """
    drawn = blocks_of(filter(_has_probability, report.columns))[:_MAX_ROWS]
    names = list(map(_name_of_row, drawn))
    ax = drawing.axes_to_draw_on(ax, (6.4, 1.6 + 0.28 * max(len(drawn), 1)), row_labels=names)
    ax.axvspan(CATEGORICAL_UP_TO, ORDINAL_FROM, color=drawing.NEUTRAL, alpha=0.15, lw=0)
    for semantic_type, (colour, marker) in drawing.TYPE_STYLES.items():
        rows = [k for k, b in enumerate(drawn) if b.columns[0].semantic_type == semantic_type]
        at = [drawn[row].probability for row in rows]
        ax.hlines(rows, 0.0, at, color=colour, lw=1.5, alpha=0.6)
        if rows:
            ax.plot(at, rows, marker, color=colour, label=semantic_type, clip_on=False, zorder=3)
    ax.set_yticks(range(len(drawn)), names, parse_math=False)
    ax.set_ylim(max(len(drawn), 1) - 0.4, -0.6)
    ax.set_xlim(0.0, 1.0)
    ax.set_xlabel(
        _lines("P(ordinal | labels, data)", *_not_drawn(report, sum(len(b.columns) for b in drawn)))
    )
    if drawn:
        ax.legend(loc="lower left", bbox_to_anchor=(0.0, 1.0), ncols=3, frameon=False)
    return finish(ax, "top", "right")


def _name_of_row(block: Block) -> str:
    if block.is_single:
        return shown(block.columns[0].name, _LONGEST_NAME)
    return f"{shown(', '.join(block.names), _LONGEST_NAME)} ({len(block.columns)})"


def _not_drawn(report: ColumnTypes, n_drawn: int) -> list[str]:
    others = [column for column in report.columns if not _has_probability(column)]
    n_hidden = len(report.columns) - len(others) - n_drawn
    notes = [f"{n_hidden} more columns are not shown"] if n_hidden else []
    if others:
        # No line break between a number and its noun.
        listed = ", ".join(f"{n}\N{NO-BREAK SPACE}{t}" for t, n in count_types(others).items())
        notes.append(f"without a probability: {listed}")
    return notes
