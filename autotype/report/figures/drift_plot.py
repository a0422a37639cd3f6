"""Draw how the proportions of levels moved between two reports."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING, Any

from autotype.report.figures.drawing import INK, NEUTRAL, TYPE_STYLES, axes_to_draw_on
from autotype.report.figures.fonts import use_fonts
from autotype.report.figures.likert import proportions_of
from autotype.report.page_text import shown
from autotype.types.drift.comparison import ColumnComparison, ColumnComparisons

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_LONGEST_NAME, _MOST_ROWS = 36, 400


def plot_drift(
    comparison: ColumnComparisons,
    columns: Sequence[Hashable] | None = None,
    *,
    ax: Axes | None = None,
) -> Axes:
    """Draw the proportion of each level before and after.

    Parameters
    ----------
    comparison : TypeComparison
        What `TypeReport.compare` returns.
    columns : sequence of column names, optional
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
    if columns is None:
        moved = [column for column in comparison.columns if "shares" in column.changes]
        chosen = sorted(moved, key=lambda column: -column.distance)
    else:
        chosen = [comparison[name] for name in columns]
    rows, words = [], []
    for column in chosen:
        moves = _moves(column)
        rows += [(shown(column.name, _LONGEST_NAME), None), *moves] if moves else []
        listed = ", ".join(f"{level} {100 * a:.0f} to {100 * b:.0f}%" for level, (a, b) in moves)
        words.append(f"{shown(column.name, _LONGEST_NAME)} {listed}")
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
    ax.spines[["top", "right", "left"]].set_visible(False)
    ax.tick_params(axis="y", length=0)
    ax.legend(loc="lower right", bbox_to_anchor=(1, 1), ncols=2, frameon=False)
    ax.set_label(f"Proportions before and after: {'; '.join(words)}")
    return use_fonts(ax)


def _moves(column: ColumnComparison) -> list[tuple[str, tuple[float, float]]]:
    """Return the proportions of each level before and after; none without counts of both."""
    before, after = column.before, column.after
    if before is None or after is None or not (before.levels and after.levels):
        return []
    levels = list(dict.fromkeys([*(after.best_order or ()), *after.levels, *before.levels]))
    both = zip(proportions_of(before, levels), proportions_of(after, levels), strict=True)
    return [
        (shown(after.named(level), _LONGEST_NAME), move)
        for level, move in zip(levels, both, strict=True)
    ]
