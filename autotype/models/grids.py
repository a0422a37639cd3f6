"""Read the values of a parameter that cross-validation tries."""

from __future__ import annotations

from typing import Any

import numpy as np


def read_grid(values: Any, name: str, *, positive: bool = False) -> np.ndarray:
    """Return the values to try, increasing, each once.

    Parameters
    ----------
    values : array-like of float
        Values in any order.
    name : str
        Name of the parameter, for the error.
    positive : bool
        Whether 0 is refused.

    Returns
    -------
    ndarray of shape (n_values,)

    Raises
    ------
    ValueError
        If there is no value, or one is NaN, infinite, negative or a 0 that is refused.

    Examples
    --------
    >>> read_grid([1, 0.1, 1], "Cs")
    array([0.1, 1. ])
    """
    grid = np.unique(np.asarray(values, dtype=np.float64))
    in_range = (grid > 0) if positive else (grid >= 0)
    if not len(grid) or not np.all(np.isfinite(grid) & in_range):
        numbers = "positive numbers" if positive else "finite numbers >= 0"
        raise ValueError(f"{name} must hold {numbers}, at least one, got {values!r}")
    return grid
