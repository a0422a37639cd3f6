"""Plots of fitted models of a column: how sure they are, and what depends on a feature."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from autotype.report.figures import drawing
from autotype.report.page_text import shown

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_LINE = drawing.TYPE_STYLES["ordinal"][0]
_LABEL = 40  # characters of a line of an axis label


def plot_reliability(table: pd.DataFrame, name: Any, *, ax: Axes | None = None) -> Axes:
    """Draw how often levels are at most a cut, against how probable that was said to be.

    Parameters
    ----------
    table : pandas.DataFrame
        Of `autotype.metrics.reliability_table`.
    name : hashable
        The target.
    ax : matplotlib Axes, optional
        Axes to draw on; by default those of a new figure.

    Returns
    -------
    matplotlib Axes
    """
    ax = drawing.axes_to_draw_on(ax, (4.6, 4.4))
    ax.plot([0, 1], [0, 1], color=drawing.NEUTRAL, lw=0.9, ls=(0, (4, 3)))
    ax.plot(table["predicted"], table["observed"], "o-", color=_LINE, ms=5)
    ax.set_xlabel("predicted probability of at most a level", parse_math=False)
    ax.set_ylabel("proportion of rows", parse_math=False)
    ax.set_title(shown(name, _LABEL), loc="left", parse_math=False)
    return ax


def plot_dependence(
    means: pd.DataFrame, levels: Sequence[str], name: Any, *, ax: Axes | None = None
) -> Axes:
    """Draw the mean probabilities of the levels along a feature, the lowest level below.

    Parameters
    ----------
    means : pandas.DataFrame of shape (n_values, n_levels)
        Mean probabilities; the index holds the values of the feature and has its name.
    levels : sequence of str
        The levels, lowest first.
    name : hashable
        The target.
    ax : matplotlib Axes, optional
        Axes to draw on; by default those of a new figure.

    Returns
    -------
    matplotlib Axes
    """
    ax = drawing.axes_to_draw_on(ax, (6.4, 4.4))
    at, is_number = _places_along(means.index, ax)
    below = np.zeros(len(means))
    for j, (level, colour) in enumerate(
        zip(levels, drawing.level_colours(len(levels)), strict=True)
    ):
        above = below + means.iloc[:, j].to_numpy()
        if is_number:
            ax.fill_between(at, below, above, color=colour, lw=0, label=shown(level, 24))
        else:
            ax.bar(at, above - below, bottom=below, color=colour, label=shown(level, 24))
        below = above
    ax.set_ylim(0, 1)
    ax.set_ylabel(f"mean probability of {shown(name, _LABEL)}", parse_math=False)
    legend = ax.legend(loc="center left", bbox_to_anchor=(1.0, 0.5), frameon=False, reverse=True)
    for text in legend.get_texts():
        text.set_parse_math(False)
    return ax


def _places_along(values: pd.Index, ax: Axes) -> tuple[np.ndarray, bool]:
    """Label the horizontal axis by a feature, and return the places of its values.

    The second result is whether these are numbers; other values have a tick each.
    """
    ax.set_xlabel(shown(values.name, _LABEL), parse_math=False)
    if pd.api.types.is_numeric_dtype(values):
        return values.to_numpy(), True
    at = np.arange(len(values))
    ax.set_xticks(at, [shown(value, 24) for value in values], parse_math=False)
    return at, False


def plot_positions(
    positions: pd.Series,
    thresholds: np.ndarray,
    levels: Sequence[str],
    name: Any,
    *,
    ax: Axes | None = None,
) -> Axes:
    """Draw the mean position on a latent scale along a feature, with the thresholds of the levels.

    Parameters
    ----------
    positions : pandas.Series
        On the scale of the thresholds; the index holds the values of the feature and has its name.
    thresholds : ndarray of shape (n_levels - 1,)
        Increasing.
    levels : sequence of str
        The levels, lowest first.
    name : hashable
        The target.
    ax : matplotlib Axes, optional
        Axes to draw on; by default those of a new figure.

    Returns
    -------
    matplotlib Axes
    """
    ax = drawing.axes_to_draw_on(ax, (6.4, 4.4))
    at, is_number = _places_along(positions.index, ax)
    ax.plot(at, positions.to_numpy(), "o-" if is_number else "o", color=_LINE, ms=4)
    room = np.ptp(thresholds) / len(thresholds) + 0.5
    low = min(positions.min() - 0.2, thresholds[0] - room)
    high = max(positions.max() + 0.2, thresholds[-1] + room)
    ax.set_ylabel(f"latent scale of {shown(name, _LABEL)}", parse_math=False)
    ax.set_ylim(low, high)
    for threshold in thresholds:
        ax.axhline(threshold, color=drawing.INK, lw=0.9, ls=(0, (4, 3)))
    edges = np.array([low, *thresholds, high])
    for level, middle in zip(levels, (edges[:-1] + edges[1:]) / 2, strict=True):
        ax.annotate(  # clear of what is drawn
            shown(level, 24),
            (1.0, middle),
            xycoords=("axes fraction", "data"),
            xytext=(4, 0),
            textcoords="offset points",
            va="center",
            color=drawing.INK,
            parse_math=False,
        )
    return ax
