"""Contrasts of the values of a number with their neighbours, one value at a time."""

from __future__ import annotations

import numpy as np


def variance_ratio(values: np.ndarray, ranks: np.ndarray) -> float:
    """Return the mean squared contrast, in units of its variance by chance, to that of a row."""
    places = sorted(set(values.tolist()))
    rows = [ranks[values == place] for place in places]
    squares = sum(float(np.sum((part - part.mean()) ** 2)) for part in rows)
    within = squares / (len(values) - len(places))
    contrasts = []
    for before, here, after in zip(rows[:-2], rows[1:-1], rows[2:], strict=True):
        contrast = here.mean() - (before.mean() + after.mean()) / 2
        variance = within * (1 / len(here) + (1 / len(before) + 1 / len(after)) / 4)
        contrasts.append(contrast**2 / variance)
    return float(np.mean(contrasts))
