"""The ordinal model's latent scale as coordinates of a picture."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from autotype.report.page_text import numbers, signed

REACH = 3.0  # standard deviations of a level that its curve shows


@dataclass(frozen=True)
class LatentLevel:
    """One level on the latent scale; lengths are percent of the picture's width.

    Attributes
    ----------
    mean, deviation : float
        The level's distribution, in the model's units.
    band, band_width : float
        The stretch between the level's thresholds.
    curve, curve_width : float
        The reach of the level's distribution.
    centre : float
        Its mean.
    words : str
        Mean and standard deviation, for those who do not see the picture.
    """

    mean: float
    deviation: float
    band: float
    band_width: float
    curve: float
    curve_width: float
    centre: float
    words: str


@dataclass(frozen=True)
class LatentScale:
    """The levels along the scale, lowest first, and the thresholds between them.

    Attributes
    ----------
    order : list
        Levels as the report's dictionary holds them.
    levels : list of LatentLevel
        Parallel to `order`.
    thresholds : list of float
        In the model's units, increasing, one fewer than levels.
    ticks : list of float
        The thresholds in percent of the picture's width.
    """

    order: list
    levels: list[LatentLevel]
    thresholds: list[float]
    ticks: list[float]

    def at(self, level: Any) -> LatentLevel | None:
        """Find a level; None where the model has not seen it."""
        return self.levels[self.order.index(level)] if level in self.order else None


def latent_scale(evidence: Mapping[str, Any], best_order: Sequence | None) -> LatentScale | None:
    """Lay out the latent scale of one column.

    Parameters
    ----------
    evidence : mapping
        ``data_order``, ``thresholds``, ``level_means`` and ``level_sds`` of a column's summary.
    best_order : sequence or None
        The reported order. Where the data's order runs against it, the scale is turned round.

    Returns
    -------
    LatentScale or None
        None where the evidence does not hold the numbers.

    Examples
    --------
    >>> scale = latent_scale({"data_order": ["S", "M"], "thresholds": [0.0],
    ...                       "level_means": [-1.0, 1.0], "level_sds": [1.0, 1.0]}, ["S", "M"])
    >>> scale.ticks, scale.at("S").centre, scale.at("S").words
    ([50.0], 37.5, '−1.00 ± 1.00')
    """
    order = evidence.get("data_order")
    cuts, means, deviations = (
        numbers(evidence, key) for key in ("thresholds", "level_means", "level_sds")
    )
    if not order or cuts is None or means is None or deviations is None:
        return None
    if not len(order) == len(means) == len(deviations) == len(cuts) + 1:
        return None
    order = list(order)
    if best_order is not None and _runs_against(order, best_order):
        order, deviations = order[::-1], deviations[::-1]
        means, cuts = [-m for m in means[::-1]], [-c for c in cuts[::-1]]
    low, high = _ends(cuts, means, deviations)
    percent = 100.0 / (high - low)
    ticks = [round((cut - low) * percent, 1) for cut in cuts]
    edges = [0.0, *ticks, 100.0]
    levels = [
        LatentLevel(
            mean=mean,
            deviation=deviation,
            band=edges[k],
            band_width=round(edges[k + 1] - edges[k], 1),
            curve=round((mean - REACH * deviation - low) * percent, 1),
            curve_width=max(round(2 * REACH * deviation * percent, 1), 0.1),
            centre=round((mean - low) * percent, 1),
            words=f"{signed(mean, 2)} ± {signed(deviation, 2)}",
        )
        for k, (mean, deviation) in enumerate(zip(means, deviations, strict=True))
    ]
    return LatentScale(order, levels, cuts, ticks)


def bell_curve(n_steps: int = 24) -> str:
    """Draw the standard normal density, 1 high, as an SVG path from -`REACH` to `REACH`.

    Examples
    --------
    >>> bell_curve(2)
    'M-3 0L-3 -0.01L0 -1.00L3 -0.01L3 0Z'
    """
    steps = [REACH * (2 * k / n_steps - 1) for k in range(n_steps + 1)]
    points = "".join(f"L{x:g} {-math.exp(-x * x / 2):.2f}" for x in steps)
    return f"M{-REACH:g} 0{points}L{REACH:g} 0Z"


def _ends(
    cuts: Sequence[float], means: Sequence[float], deviations: Sequence[float]
) -> tuple[float, float]:
    """Give the ends of the picture: all curves and thresholds, with room at both sides."""
    low = min(*(m - REACH * d for m, d in zip(means, deviations, strict=True)), *cuts)
    high = max(*(m + REACH * d for m, d in zip(means, deviations, strict=True)), *cuts)
    room = 0.0 if high > low else 1.0
    return low - room, high + room


def _runs_against(order: Sequence, best_order: Sequence) -> bool:
    """Tell whether more pairs of levels stand the other way round than in the best order."""
    ranks = [best_order.index(level) for level in order if level in best_order]
    agreeing = sum((b > a) - (b < a) for i, a in enumerate(ranks) for b in ranks[i + 1 :])
    return agreeing < 0
