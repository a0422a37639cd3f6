"""Axes and colours of all plots; the colours suit colour-blind readers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING
from unicodedata import east_asian_width

from autotype.lazy_names import import_library
from autotype.types.column_type import SemanticType

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
_LABEL_ROOM = 2.4  # inches of the default width that labels of rows may take


def axes_to_draw_on(
    ax: Axes | None, size: tuple[float, float], *, row_labels: Sequence[str] = ()
) -> Axes:
    """Return the caller's axes, or those of a new figure.

    Parameters
    ----------
    ax : matplotlib Axes or None
    size : tuple of float
        Width and height of a new figure, in inches.
    row_labels : sequence of str
        Labels beside the axes; a new figure is wider if they are long.

    Returns
    -------
    matplotlib Axes

    Raises
    ------
    MissingExtraError
        If matplotlib is not installed.
    """
    import_library("matplotlib", "plots need matplotlib", extra="report")
    from matplotlib import pyplot

    if ax is not None:
        return ax
    width, height = size
    width += max(0.0, max(map(_text_width, row_labels), default=0.0) - _LABEL_ROOM)
    return pyplot.subplots(figsize=(width, height), layout="constrained")[1]


def _text_width(text: str) -> float:
    """Estimate the width of a line in inches: the renderer alone knows that of each character."""
    from matplotlib import rcParams

    return sum(map(_character_width, text)) * float(rcParams["font.size"]) / 72


def _character_width(character: str) -> float:
    """Estimate a width in units of the font's size, rather too large than too small."""
    if east_asian_width(character) in "WF":
        return 1.4  # of the sign for a character that the font lacks
    is_narrow = character.islower() or character.isdigit() or character in " .,:()"
    return 0.65 if is_narrow and character not in "mw" else 1.0


def level_colours(n_levels: int) -> Sequence[tuple[float, ...]]:
    """Return colours from dark to bright along an order, distinct in greyscale too."""
    from matplotlib import colormaps

    steps = [_BRIGHTEST * k / max(n_levels - 1, 1) for k in range(n_levels)]
    return [tuple(colormaps["viridis"](step)) for step in steps]
