"""Contradictions among order preferences: circles whose differences add up to more than 0."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import sparse
from scipy.sparse.csgraph import connected_components

from autotype.solvers.preference_lp import NO_ROW

# Relative to the largest difference: what "larger" asks for at least, and what rounding may add.
_STRICT, _ROUNDING = 1e-8, 1e-11


@dataclass(frozen=True)
class Contradictions:
    """Groups of preferences that cannot all hold.

    Attributes
    ----------
    count : int
        Groups of rows bound to each other in circles, at least one of them contradictory.
    n_preferences : int
        Preferences within these groups.
    example : tuple of int
        Preferences of one contradictory circle, in its order: each one's row below is the next
        one's row above.
    rows : tuple of int
        Their rows above; -1 is the bound of a preference about one row.
    """

    count: int = 0
    n_preferences: int = 0
    example: tuple[int, ...] = ()
    rows: tuple[int, ...] = ()

    def __bool__(self) -> bool:
        return self.count > 0

    def __str__(self) -> str:
        if not self:
            return "no contradictions"
        names = ["its bounds" if row == NO_ROW else f"row {row}" for row in self.rows[:6]]
        more = [] if len(self.rows) <= 6 else [f"{len(self.rows) - 6} more"]
        circle = " over ".join([*names, *more, names[0]])
        groups = "1 group" if self.count == 1 else f"{self.count:,} groups"
        return f"{groups} of contradictory preferences ({self.n_preferences:,}), such as {circle}"


def find_contradictions(
    above: np.ndarray, below: np.ndarray, difference: np.ndarray, strict: np.ndarray
) -> Contradictions:
    """Find circles of preferences that cannot all hold.

    f(above) - f(below) >= d is an edge from above to below of length d, bounds being edges to and
    from a node of their own. Around a circle the left sides add up to 0, so that its length must
    not be positive.

    Parameters
    ----------
    above, below : ndarray of int, shape (p,)
        Rows, or `NO_ROW`.
    difference : ndarray of shape (p,)
        d.
    strict : ndarray of bool, shape (p,)
        Preferences that mean larger, not only "at least d": a circle of them with d = 0 is
        contradictory too, while two opposite ones that state an equality are not.

    Returns
    -------
    Contradictions

    Notes
    -----
    Strongly connected components, then the longest paths of Bellman and Ford in each that has
    more than one row: O(p), plus O(rows x preferences) of such a component at worst.
    """
    if not len(above):
        return Contradictions()
    nodes, ends = np.unique(np.concatenate([above, below]), return_inverse=True)
    start, end = np.split(ends, 2)
    size = len(nodes)
    graph = sparse.coo_array((np.ones(len(start)), (start, end)), shape=(size, size)).tocsr()
    _, group = connected_components(graph, directed=True, connection="strong")
    inside = np.flatnonzero(group[start] == group[end])
    unit = float(np.abs(difference).max()) or 1.0
    length = difference / unit + _STRICT * strict
    count, n_preferences, example = 0, 0, ()
    inside = inside[np.argsort(group[start[inside]], kind="stable")]
    borders = np.flatnonzero(np.diff(group[start[inside]])) + 1
    for edges in np.split(inside, borders) if len(inside) else []:
        circle = _positive_circle(start[edges], end[edges], length[edges])
        if len(circle):
            count, n_preferences = count + 1, n_preferences + len(edges)
            example = example or tuple(int(edge) for edge in edges[circle])
    rows = tuple(int(above[edge]) for edge in example)
    return Contradictions(count, n_preferences, example, rows)


def _positive_circle(start: np.ndarray, end: np.ndarray, length: np.ndarray) -> np.ndarray:
    """Find a circle of positive length by Bellman and Ford: edges in its order, or none."""
    nodes, ends = np.unique(np.concatenate([start, end]), return_inverse=True)
    start, end = np.split(ends, 2)
    n = len(nodes)
    reach = np.zeros(n)
    last_edge = np.full(n, -1)
    for step in range(1, n + 1):
        proposed = reach[start] + length
        order = np.argsort(proposed, kind="stable")  # of several edges into a node the last stays
        best = np.full(n, -np.inf)
        by_edge = np.full(n, -1)
        best[end[order]], by_edge[end[order]] = proposed[order], order
        better = best > reach + _ROUNDING
        if not better.any():
            return np.zeros(0, dtype=np.intp)
        reach[better], last_edge[better] = best[better], by_edge[better]
        # A circle among the edges that paths came by is positive; looking costs O(n).
        if step & (step - 1) == 0 or step == n:
            circle = _circle_back(start, last_edge)
            if len(circle):
                return circle
    return np.zeros(0, dtype=np.intp)


def _circle_back(start: np.ndarray, last_edge: np.ndarray) -> np.ndarray:
    """Follow the last edges back from every node until one comes round: edges in their order."""
    seen_from = np.full(len(last_edge), -1)
    for first in range(len(last_edge)):
        node = first
        while seen_from[node] == -1 and last_edge[node] != -1:
            seen_from[node] = first
            node = start[last_edge[node]]
        if last_edge[node] != -1 and seen_from[node] == first:
            circle, at = [last_edge[node]], start[last_edge[node]]
            while at != node:
                circle.append(last_edge[at])
                at = start[last_edge[at]]
            return np.array(circle[::-1])
    return np.zeros(0, dtype=np.intp)
