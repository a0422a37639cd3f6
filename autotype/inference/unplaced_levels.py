"""Levels that a scale does not know: where the data place them, and which fit nowhere."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from autotype.inference.order_search import BetweenScatter, order_log_weights

# The best place of a level that belongs lowers the order's log weight by more than this in 5% of
# real scales; of 13 levels that do not belong, 5 did.
_FITS_FROM = -0.5


def place_strangers(
    between: BetweenScatter, placed: Sequence[int], strangers: Sequence[int]
) -> tuple[int, ...]:
    """Insert levels one by one where the data weigh the order highest.

    Parameters
    ----------
    between : BetweenScatter
        Summary of the data.
    placed : sequence of int
        Codes of two or more levels, lowest first.
    strangers : sequence of int
        Codes of the levels to insert.

    Returns
    -------
    tuple of int
        All codes, lowest first.
    """
    order = tuple(placed)
    for stranger in strangers:
        order, _ = _insert(between, order, stranger)
    return order


def off_the_line(
    between: BetweenScatter, placed: Sequence[int], strangers: Sequence[int]
) -> tuple[int, ...]:
    """Find the levels that fit nowhere along a scale.

    Parameters
    ----------
    between : BetweenScatter
        Summary of the data, which predict the column.
    placed : sequence of int
        Codes of three or more levels, lowest first.
    strangers : sequence of int
        Codes of the levels that the scale does not know.

    Returns
    -------
    tuple of int
        Those whose best place lowers the log weight of the order by more than 0.5.
    """
    return tuple(k for k in strangers if _insert(between, tuple(placed), k)[1] < _FITS_FROM)


def _insert(
    between: BetweenScatter, order: tuple[int, ...], stranger: int
) -> tuple[tuple[int, ...], float]:
    """Give the best order with the stranger in it, and the log weight gained."""
    options = [(*order[:k], stranger, *order[k:]) for k in range(len(order), -1, -1)]
    # Levels not in the order are left out of the weights: their rows do not count.
    weights = order_log_weights(between, np.array(options))
    best = int(np.argmax(weights))
    return options[best], float(weights[best] - order_log_weights(between, np.array([order]))[0])
