"""Summarise how the levels of a column lie in the space of its predictors, whatever the rows."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.linalg import eigh


class LevelSums:
    """The sums over rows from which orders are weighed; the size does not grow with the rows.

    Parameters
    ----------
    X : ndarray of shape (n, d)
        Predictors, each of mean 0.
    codes : ndarray of int, shape (n,)
        Levels 0 .. n_levels - 1.
    n_levels : int
        L.

    Attributes
    ----------
    counts : ndarray of int, shape (L,)
        Rows of each level.
    sums : ndarray of shape (L, d)
        Sums of the centred predictors over each level.
    gram : ndarray of shape (d, d)
        X'X.
    """

    def __init__(self, X: np.ndarray, codes: np.ndarray, n_levels: int) -> None:
        # All levels at once: a product with their indicators.
        indicators = (np.arange(n_levels)[:, None] == codes).astype(float)
        self.counts = np.bincount(codes, minlength=n_levels)
        self.sums, self.gram = indicators @ X, X.T @ X

    def between_level_f(self) -> np.ndarray:
        """Compute the F statistic of the level means, for each predictor."""
        between = (self.sums**2 / np.maximum(self.counts, 1)[:, None]).sum(axis=0)
        n_rows, n_levels = int(self.counts.sum()), len(self.counts)
        return f_statistics(between, np.diag(self.gram), n_rows=n_rows, n_levels=n_levels)

    def scatter(self) -> BetweenScatter:
        """Summarise the predictors for the order search."""
        gram = self.gram.copy()
        gram[np.diag_indices_from(gram)] += 1.0
        matrix = self.sums @ np.linalg.solve(gram, self.sums.T)
        return BetweenScatter(0.5 * (matrix + matrix.T), self.counts)


@dataclass(frozen=True)
class BetweenScatter:
    """Positions of the levels relative to each other in the space of the predictors.

    Attributes
    ----------
    matrix : ndarray of shape (L, L)
        B = M (X'X + I)^-1 M' with M the sums of x over each level.
    counts : ndarray of int, shape (L,)
        Rows of each level.
    """

    matrix: np.ndarray
    counts: np.ndarray

    @property
    def positions(self) -> np.ndarray:
        """Levels on the canonical directions, strongest first, shape (L, k)."""
        return self._directions[0]

    @property
    def strengths(self) -> np.ndarray:
        """Share of variance between levels on each direction, in [0, 1], descending."""
        return self._directions[1]

    @cached_property
    def _directions(self) -> tuple[np.ndarray, np.ndarray]:
        """The stationary points of t'Bt / t'Nt, N the diagonal of counts, and their values."""
        root = 1.0 / np.sqrt(self.counts)
        strengths, vectors = eigh(self.matrix * root[:, None] * root[None, :])
        best_first = np.argsort(-strengths)[: max(1, len(root) - 1)]
        positions = vectors[:, best_first] * root[:, None]
        return positions, np.clip(strengths[best_first], 0.0, 1.0)

    @cached_property
    def closeness(self) -> np.ndarray:
        """Squared distances between the levels' means, negative, shape (L, L)."""
        means = self.matrix / np.outer(self.counts, self.counts)
        size = np.diag(means)
        return np.minimum(2.0 * means - size[:, None] - size[None, :], 0.0)

    @property
    def mean_distance(self) -> float:
        """Mean squared distance between two levels, > 0."""
        return max(-float(self.closeness.mean()), 1e-12)


def f_statistics(
    between: np.ndarray, total: np.ndarray, *, n_rows: int, n_levels: int
) -> np.ndarray:
    """Compute the F statistics of level means from sums of squares between levels and in total.

    Examples
    --------
    >>> f_statistics(np.array([8.0]), np.array([12.0]), n_rows=6, n_levels=2)
    array([8.])
    """
    within = (total - between) / max(n_rows - n_levels, 1)
    return (between / max(n_levels - 1, 1)) / np.maximum(within, 1e-12)
