"""Plots of fitted models, as in the papers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from autotype.report.figures.drawing import INK, NEUTRAL, axes_to_draw_on, level_colours
from autotype.report.page_text import shown

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_MARKERS = "osD^vP*X"
_LINE = "#0072B2"  # Okabe and Ito's blue
_LABEL = 40  # characters of a line of an axis label


def plot_latent(model: Any, X: Any, y: Any = None, *, ax: Axes | None = None) -> Axes:
    """Draw the latent function of a Gaussian process over one or two features.

    Parameters
    ----------
    model : GPOrdinalClassifier
        Fitted to one or two features.
    X : array-like of shape (n_samples, 1 or 2)
        Rows that span the plot, usually those of the fit.
    y : array-like of shape (n_samples,), optional
        Their levels; by default no rows are drawn.
    ax : matplotlib Axes, optional
        Axes to draw on; by default those of a new figure.

    Returns
    -------
    matplotlib Axes
        Over one feature: the mean with two standard deviations, the thresholds, and each row at
        the middle of its level. Over two: the thresholds as contours of the mean, the levels as
        colours, and the rows.

    Raises
    ------
    ValueError
        If the model has more than two features.
    MissingExtraError
        If matplotlib is not installed.

    References
    ----------
    Chu and Ghahramani (2005), Gaussian processes for ordinal regression, JMLR 6, figure 2.
    """
    if model.n_features_in_ > 2:
        raise ValueError(
            f"a plot shows 1 or 2 features, the model has {model.n_features_in_}; "
            "fit one to two features"
        )
    ax = axes_to_draw_on(ax, (6.4, 4.4))
    frame = pd.DataFrame(X)
    draw = _draw_curve if model.n_features_in_ == 1 else _draw_contours
    draw(model, frame, None if y is None else np.asarray(y), ax)
    named = hasattr(model, "feature_names_in_")
    names = [shown(name, _LABEL) for name in frame.columns] if named else ["x"] * frame.shape[1]
    if not named and len(names) == 2:
        names = ["first feature", "second feature"]
    ax.set_xlabel(names[0], parse_math=False)
    ax.set_ylabel(names[1] if len(names) == 2 else "latent function", parse_math=False)
    return ax


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
    ax = axes_to_draw_on(ax, (4.6, 4.4))
    ax.plot([0, 1], [0, 1], color=NEUTRAL, lw=0.9, ls=(0, (4, 3)))
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
    ax = axes_to_draw_on(ax, (6.4, 4.4))
    at, is_number = _places_along(means.index, ax)
    below = np.zeros(len(means))
    for j, (level, colour) in enumerate(zip(levels, level_colours(len(levels)), strict=True)):
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
    ax = axes_to_draw_on(ax, (6.4, 4.4))
    at, is_number = _places_along(positions.index, ax)
    ax.plot(at, positions.to_numpy(), "o-" if is_number else "o", color=_LINE, ms=4)
    room = np.ptp(thresholds) / len(thresholds) + 0.5
    low = min(positions.min() - 0.2, thresholds[0] - room)
    high = max(positions.max() + 0.2, thresholds[-1] + room)
    _draw_thresholds(thresholds, low, high, levels, ax)
    ax.set_ylabel(f"latent scale of {shown(name, _LABEL)}", parse_math=False)
    return ax


def _draw_thresholds(
    thresholds: np.ndarray, low: float, high: float, levels: Sequence[Any], ax: Axes
) -> np.ndarray:
    """Draw thresholds as dashed lines, with levels to the right; return the levels' middles."""
    for threshold in thresholds:
        ax.axhline(threshold, color=INK, lw=0.9, ls=(0, (4, 3)))
    edges = np.array([low, *thresholds, high])
    middles = (edges[:-1] + edges[1:]) / 2
    for level, middle in zip(levels, middles, strict=True):
        ax.annotate(  # clear of what is drawn
            shown(level, 24),
            (1.0, middle),
            xycoords=("axes fraction", "data"),
            xytext=(4, 0),
            textcoords="offset points",
            va="center",
            color=INK,
            parse_math=False,
        )
    ax.set_ylim(low, high)
    return middles


def _draw_curve(model: Any, frame: pd.DataFrame, y: np.ndarray | None, ax: Axes) -> None:
    x = np.linspace(*_span(frame.iloc[:, 0]), 400)
    mean, deviation = model.predict_latent(_like(frame, x[:, None]), return_std=True)
    ax.fill_between(x, mean - 2 * deviation, mean + 2 * deviation, color=_LINE, alpha=0.2, lw=0)
    ax.plot(x, mean, color=_LINE)
    cuts = np.asarray(model.thresholds_)
    low = min(np.min(mean - 2 * deviation), cuts[0] - np.ptp(cuts) / len(cuts) - 0.5)
    high = max(np.max(mean + 2 * deviation), cuts[-1] + np.ptp(cuts) / len(cuts) + 0.5)
    middles = _draw_thresholds(cuts, low, high, model.classes_, ax)
    for level, middle, colour in zip(
        model.classes_, middles, level_colours(len(middles)), strict=True
    ):
        if y is not None:
            rows = y == level
            at = frame.iloc[:, 0][rows]
            ax.plot(at, np.full(len(at), middle), "|", color=colour, ms=9, mew=1.4)
    ax.set_xlim(x[0], x[-1])


def _draw_contours(model: Any, frame: pd.DataFrame, y: np.ndarray | None, ax: Axes) -> None:
    across, up = (np.linspace(*_span(frame.iloc[:, j]), 120) for j in (0, 1))
    grid = np.stack(np.meshgrid(across, up), axis=-1)
    mean = model.predict_latent(_like(frame, grid.reshape(-1, 2))).reshape(grid.shape[:2])
    cuts = np.asarray(model.thresholds_)
    n_levels = len(cuts) + 1
    colours = level_colours(n_levels)
    low, high = min(mean.min(), cuts[0]) - 1.0, max(mean.max(), cuts[-1]) + 1.0
    ax.contourf(across, up, mean, [low, *cuts, high], colors=colours, alpha=0.25)
    ax.contour(across, up, mean, cuts, colors=INK, linewidths=1.2, linestyles="solid")
    if y is not None:
        for k, (level, colour) in enumerate(zip(model.classes_, colours, strict=True)):
            rows = frame[y == level].to_numpy()
            marker = _MARKERS[k % len(_MARKERS)]
            ax.plot(*rows.T, marker, color=colour, mec="w", mew=0.5, label=f"level {k}")
        legend = ax.legend(loc="lower left", bbox_to_anchor=(0.0, 1.0), ncols=4, frameon=False)
        # Set afterwards: matplotlib omits labels that begin with "_".
        for text, level in zip(legend.get_texts(), model.classes_, strict=True):
            text.set(text=shown(level, 24), parse_math=False)
    ax.set_xlim(across[0], across[-1])
    ax.set_ylim(up[0], up[-1])


def _span(values: pd.Series) -> tuple[float, float]:
    low, high = float(values.min()), float(values.max())
    room = 0.06 * (high - low) or 1.0
    return low - room, high + room


def _like(frame: pd.DataFrame, rows: np.ndarray) -> Any:
    """Return rows in the form of the model's training data: a frame if it has names."""
    named = all(isinstance(name, str) for name in frame.columns)
    return pd.DataFrame(rows, columns=frame.columns) if named else rows
