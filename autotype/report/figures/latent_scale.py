"""Compute the coordinates of a picture of the ordinal model's latent scale.

The ordinal model predicts a number for each row, and thresholds cut the line of these numbers into
levels. A picture of the line shows at a glance whether the levels climb along it, as those of a
scale do, or lie on top of each other. The page and the plot draw it from the same numbers.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from autotype.report.page_text import numbers, signed
from autotype.types.codec.evidence_keys import Evidence
from autotype.types.nan_equality import has_hash, nan_key

REACH = 3.0  # standard deviations of a level that its curve covers


@dataclass(frozen=True)
class LatentPicture:
    """The levels along the scale, lowest first, and the thresholds between them.

    Attributes
    ----------
    order : list
        Levels as in the report's dictionary.
    levels : list of dict
        Parallel to `order`: "mean" and "deviation" in the model's units; in percent of the
        picture's width "band" and "band_width", the interval between the level's thresholds,
        "curve" and "curve_width", that of its curve, and "centre", its mean; and mean and standard
        deviation in "words", for readers who cannot see the picture.
    thresholds : list of float
        In the model's units, increasing, one fewer than levels.
    ticks : list of float
        The thresholds in percent of the picture's width.
    low, high : float
        The ends of the picture, in the model's units.
    """

    order: list
    levels: list[dict[str, Any]]
    thresholds: list[float]
    ticks: list[float]
    low: float
    high: float

    def at(self, level: Any) -> dict[str, Any] | None:
        """Return a level; None if the model does not have it."""
        place = _places(self.order).get(_key(level))
        return None if place is None else self.levels[place]


def latent_scale(evidence: Evidence, best_order: Sequence | None) -> LatentPicture | None:
    """Compute the picture of one column's latent scale.

    Parameters
    ----------
    evidence : Evidence
        Of the column or of its summary.
    best_order : sequence or None
        The reported order. The scale is reversed if the data's order is opposed to it.

    Returns
    -------
    LatentPicture or None
        None if the evidence lacks the numbers.

    Examples
    --------
    >>> scale = latent_scale({"data_order": ["S", "M"], "thresholds": [0.0],
    ...                       "level_means": [-1.0, 1.0], "level_sds": [1.0, 1.0]}, ["S", "M"])
    >>> scale.ticks, scale.at("S")["centre"], scale.at("S")["words"]
    ([50.0], 37.5, '−1.00 ± 1.00')
    """
    order = evidence.get("data_order")
    cuts = numbers(evidence.get("thresholds"))
    means, deviations = numbers(evidence.get("level_means")), numbers(evidence.get("level_sds"))
    if not order or cuts is None or means is None or deviations is None:
        return None
    if not len(order) == len(means) == len(deviations) == len(cuts) + 1:
        return None
    order = list(order)
    if best_order is not None and _is_opposed(order, best_order):
        order, deviations = order[::-1], deviations[::-1]
        means, cuts = [-m for m in means[::-1]], [-c for c in cuts[::-1]]
    low, high = _ends(cuts, means, deviations)
    percent = 100.0 / (high - low)
    ticks = [round((cut - low) * percent, 1) for cut in cuts]
    edges = [0.0, *ticks, 100.0]
    levels = [
        {
            "mean": mean,
            "deviation": deviation,
            "band": edges[k],
            "band_width": round(edges[k + 1] - edges[k], 1),
            "curve": round((mean - REACH * deviation - low) * percent, 1),
            "curve_width": max(round(2 * REACH * deviation * percent, 1), 0.1),
            "centre": round((mean - low) * percent, 1),
            "words": f"{signed(mean, 2)} ± {signed(deviation, 2)}",
        }
        for k, (mean, deviation) in enumerate(zip(means, deviations, strict=True))
    ]
    return LatentPicture(order, levels, cuts, ticks, low, high)


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
    """Return the ends of the picture: all curves and thresholds, with a margin if they coincide."""
    reach = [s * REACH * d + m for m, d in zip(means, deviations, strict=True) for s in (-1, 1)]
    low, high = min(*reach, *cuts), max(*reach, *cuts)
    margin = 0.0 if high > low else 1.0
    return low - margin, high + margin


def _places(order: Sequence) -> dict[Any, int]:
    """Return the place of each level, by hash: numbers of NumPy compare with tuples by an array."""
    return {_key(level): k for k, level in enumerate(order)}


def _key(level: Any) -> Any:
    key = nan_key(level)
    return key if has_hash(key) else repr(key)  # the lists of a report's dictionary


def _is_opposed(order: Sequence, best_order: Sequence) -> bool:
    """Check whether most pairs of levels are in the opposite order to the best order."""
    places = _places(best_order)
    ranks = [places[key] for key in map(_key, order) if key in places]
    agreeing = sum((b > a) - (b < a) for i, a in enumerate(ranks) for b in ranks[i + 1 :])
    return agreeing < 0
