"""Axes and colours of all plots; the colours suit colour-blind readers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from autotype.column_type import SemanticType
from autotype.errors import MissingExtraError

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# Okabe and Ito's colours, one for each verdict on a discrete column, and a marker.
TYPE_STYLES: dict[SemanticType, tuple[str, str]] = {
    "ordinal": ("#0072B2", "o"),
    "undetermined": ("#E69F00", "D"),
    "categorical": ("#D55E00", "s"),
}
INK = "#333333"
NEUTRAL = "#8A8A8A"
_BRIGHTEST = 0.88  # of the colour map: yellow on white is hard to see


def axes_to_draw_on(ax: Axes | None, size: tuple[float, float]) -> Axes:
    """Return the caller's axes, or those of a new figure.

    Parameters
    ----------
    ax : matplotlib Axes or None
    size : tuple of float
        Width and height of a new figure, in inches.

    Returns
    -------
    matplotlib Axes

    Raises
    ------
    MissingExtraError
        If matplotlib is not installed.
    """
    try:
        from matplotlib import pyplot
    except ImportError:
        raise MissingExtraError("plots need matplotlib", extra="report") from None
    if ax is not None:
        return ax
    return pyplot.subplots(figsize=size, layout="constrained")[1]


def level_colours(n_levels: int) -> Sequence[tuple[float, ...]]:
    """Return colours from dark to bright along an order, distinct in greyscale too."""
    from matplotlib import colormaps

    steps = [_BRIGHTEST * k / max(n_levels - 1, 1) for k in range(n_levels)]
    return [tuple(colormaps["viridis"](step)) for step in steps]
