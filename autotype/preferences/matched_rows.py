"""Find pairs of rows that are alike in some columns, without forming all pairs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.spatial import cKDTree

EARTH_RADIUS_KM = 6371.0088  # the mean radius

_FORGIVEN = 1e-9  # relative to a limit: 34.2 and 34.1 are within 0.1
_EPSILON = float(np.finfo(float).eps)
_PIECE = 2_000_000  # candidate pairs held at a time
_COUNTED = 2_000  # rows whose neighbours are counted to know about how many pairs there are

Pairs = tuple[np.ndarray, np.ndarray]


@dataclass(frozen=True)
class Condition:
    """Two rows are alike when their values are at most `limit` apart, in Euclidean distance.

    Attributes
    ----------
    values : ndarray of shape (n, k)
        Finite.
    limit : float
        >= 0, or infinite.
    """

    values: np.ndarray
    limit: float

    @cached_property
    def reach(self) -> float:
        """The limit and what rounding may add to it."""
        return self.limit * (1 + _FORGIVEN) + 4 * _EPSILON * np.abs(self.values).max(initial=0.0)

    def holds(self, first: np.ndarray, second: np.ndarray) -> np.ndarray:
        """Tell which pairs are alike."""
        apart = self.values[first] - self.values[second]
        distance = np.abs(apart[:, 0]) if apart.shape[1] == 1 else np.linalg.norm(apart, axis=1)
        return distance <= self.reach

    def coordinates(self) -> np.ndarray:
        """Points that are at most 1 apart in each coordinate where their rows are alike."""
        return self.values / (self.reach or 1.0)


def place_condition(latitude: np.ndarray, longitude: np.ndarray, kilometres: float) -> Condition:
    """Let places be alike within a great-circle distance.

    On the unit sphere an arc of the angle t spans a chord of length 2 sin(t / 2), which grows with
    t: a distance in space, with no seam at 180 degrees and none at the poles.
    """
    phi, theta = np.radians(latitude), np.radians(longitude)
    points = [np.cos(phi) * np.cos(theta), np.cos(phi) * np.sin(theta), np.sin(phi)]
    half_angle = min(kilometres / (2 * EARTH_RADIUS_KM), np.pi / 2)
    return Condition(np.column_stack(points), float(2 * np.sin(half_angle)))


class AlikeRows:
    """The pairs of n rows for which all conditions hold.

    One k-d tree holds the coordinates of all conditions, so that a box around a point holds all
    rows like it; what else the box holds, in its corners, the conditions themselves sort out.
    """

    def __init__(self, conditions: Sequence[Condition], n_rows: int) -> None:
        self.n_rows = n_rows
        self.conditions = [c for c in conditions if np.isfinite(c.limit)]
        self.tree: cKDTree | None = None
        if self.conditions and n_rows:
            points = np.hstack([condition.coordinates() for condition in self.conditions])
            self.tree = cKDTree(points)
            self.radius = 1.0 + 4 * _EPSILON * float(np.abs(points).max())

    def holds(self, first: np.ndarray, second: np.ndarray) -> np.ndarray:
        """Tell which pairs are alike."""
        alike = np.ones(len(first), dtype=bool)
        for condition in self.conditions:
            alike[alike] = condition.holds(first[alike], second[alike])
        return alike

    @cached_property
    def n_candidates(self) -> int:
        """Pairs in the boxes, both ways round, each row with itself too; estimated for many."""
        if self.tree is None:
            return self.n_rows**2
        # Every so many-th row in the tree's own order: spread over space as the rows are.
        counted = self.tree.indices[:: max(1, self.n_rows // _COUNTED)]
        part = cKDTree(self.tree.data[counted])
        count = int(part.count_neighbors(self.tree, self.radius, p=np.inf))
        return count * self.n_rows // len(counted)

    def candidates(self) -> Iterator[Pairs]:
        """Yield the pairs in the boxes, both ways round, in pieces of bounded size."""
        if not self.n_rows:
            return
        at_a_time = max(1, _PIECE * self.n_rows // self.n_candidates)
        rows = np.arange(self.n_rows) if self.tree is None else self.tree.indices
        for begin in range(0, self.n_rows, at_a_time):
            piece = rows[begin : begin + at_a_time]
            if self.tree is None:
                yield np.repeat(piece, self.n_rows), np.tile(rows, len(piece))
                continue
            # Neighbours in the tree are neighbours in space: a small tree of their own is compact.
            found = cKDTree(self.tree.data[piece]).sparse_distance_matrix(
                self.tree, self.radius, p=np.inf, output_type="ndarray"
            )
            yield piece[found["i"]], found["j"]
