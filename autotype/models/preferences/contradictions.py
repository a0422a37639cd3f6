"""Contradictions among order preferences: cycles whose differences sum to more than 0.

Preferences are soft, so that the solver accepts any list of them. A list that contradicts itself
makes the fit worse, without an error. As edges of a graph, preferences can all hold if no cycle has
positive length; the search for such a cycle is cheap, and names the preferences to correct.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import sparse
from scipy.sparse.csgraph import breadth_first_order, connected_components

from autotype.models.preferences.solvers.problem import NO_ROW

_ROUNDING = 1e-10  # relative to the largest difference


@dataclass(frozen=True)
class Contradictions:
    """Groups of preferences that cannot all hold.

    Attributes
    ----------
    count : int
        Strongly connected groups of rows with at least one contradictory cycle.
    n_preferences : int
        Preferences within these groups.
    example : tuple of int
        Preferences of one contradictory cycle, in its order: the row below of each is the row
        above of the next.
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
        cycle = " over ".join([*names, *more, names[0]])
        groups = "1 group" if self.count == 1 else f"{self.count:,} groups"
        return f"{groups} of contradictory preferences ({self.n_preferences:,}), such as {cycle}"


def find_contradictions(
    above: np.ndarray, below: np.ndarray, difference: np.ndarray, strict: np.ndarray
) -> Contradictions:
    """Find cycles of preferences that cannot all hold.

    f(above) - f(below) >= d is an edge from above to below of length d; bounds are edges to and
    from an extra node. Around a cycle the left sides sum to 0, so that its length must not be
    positive.

    Parameters
    ----------
    above, below : ndarray of int, shape (p,)
        Rows, or `NO_ROW`.
    difference : ndarray of shape (p,)
        d.
    strict : ndarray of bool, shape (p,)
        Preferences that mean larger, not only "at least d": a cycle of length 0 with one of them is
        contradictory too, while two opposite ones that state an equality are not.

    Returns
    -------
    Contradictions

    Notes
    -----
    Longest paths within the strongly connected components, by policy iteration: each node keeps
    its best edge, paths along kept edges are summed by doubling their length, and a cycle of kept
    edges is one of positive length. O(p + n log n) a step; a few steps unless the preferences are
    made to need more. Then the cycles of length 0: components of the edges that are tight.
    """
    if not len(above):
        return Contradictions()
    nodes, ends = np.unique(np.concatenate([above, below]), return_inverse=True)
    start, end = np.split(ends, 2)
    group = _components(start, end, len(nodes))
    inside = np.flatnonzero(group[start] == group[end])
    unit = float(np.abs(difference).max()) or 1.0
    cycles = _Cycles(start[inside], end[inside], difference[inside] / unit, group)
    cycles.search()
    cycles.search_strict(strict[inside])
    in_bad_group = cycles.bad[group[start[inside]]]
    example = tuple(int(edge) for edge in inside[cycles.example])
    rows = tuple(int(above[edge]) for edge in example)
    return Contradictions(int(cycles.bad.sum()), int(in_bad_group.sum()), example, rows)


class _Cycles:
    """Edges within strongly connected components, and the contradictory components."""

    def __init__(
        self, start: np.ndarray, end: np.ndarray, length: np.ndarray, group: np.ndarray
    ) -> None:
        self.start, self.end, self.length, self.group = start, end, length, group
        self.potential = np.zeros(len(group))  # length of the longest path from a node
        self.bad = np.zeros(int(group.max()) + 1, dtype=bool)  # contradictory components
        self.example = np.zeros(0, dtype=np.intp)

    def search(self) -> None:
        """Find components with a cycle of positive length, and potentials of all others."""
        n = len(self.potential)
        by_start = np.argsort(self.start, kind="stable")
        sources, firsts = np.unique(self.start[by_start], return_index=True)
        kept = np.full(n, -1)
        while len(sources):
            gain = self.length[by_start] + self.potential[self.end[by_start]]
            best = np.maximum.reduceat(gain, firsts)
            better = best > self.potential[sources] + _ROUNDING
            better &= ~self.bad[self.group[sources]]
            if not better.any():
                return
            # The first of the best edges of each node.
            repeats = np.diff(np.append(firsts, len(gain)))
            is_best = np.flatnonzero(gain == np.repeat(best, repeats))
            chosen = is_best[np.searchsorted(is_best, firsts[better])]
            kept[sources[better]] = by_start[chosen]
            on_cycle = self._follow(kept)
            if len(on_cycle):
                if not len(self.example):
                    self.example = self._walk(kept, on_cycle[0])
                self.bad[self.group[on_cycle]] = True
                bad_nodes = self.bad[self.group]
                kept[bad_nodes], self.potential[bad_nodes] = -1, 0.0

    def _follow(self, kept: np.ndarray) -> np.ndarray:
        """Sum the lengths along the kept edges into the potentials; return nodes on cycles."""
        going = kept >= 0
        ahead = np.arange(len(kept))
        ahead[going] = self.end[kept[going]]
        total = np.where(going, self.length[kept], 0.0)
        for _ in range(len(kept).bit_length()):
            total = total + total[ahead]
            ahead = ahead[ahead]
        endless = kept[ahead] >= 0
        self.potential = np.where(endless, 0.0, total)
        return np.unique(ahead[endless])

    def _walk(self, kept: np.ndarray, node: int) -> np.ndarray:
        cycle, at = [kept[node]], self.end[kept[node]]
        while at != node:
            cycle.append(kept[at])
            at = self.end[kept[at]]
        return np.array(cycle)

    def search_strict(self, strict: np.ndarray) -> None:
        """Find components with a cycle of length 0 that holds a strict edge."""
        # Around a cycle the potentials cancel, so that one of length 0 has only tight edges.
        slack = self.potential[self.start] - self.length - self.potential[self.end]
        tight = np.abs(slack) <= 2 * _ROUNDING
        tight &= ~self.bad[self.group[self.start]]
        edges = np.flatnonzero(tight)
        n = len(self.potential)
        part = _components(self.start[edges], self.end[edges], n)
        # A row above itself states nothing if d is 0.
        apart = strict[edges] & (self.start[edges] != self.end[edges])
        closing = edges[apart & (part[self.start[edges]] == part[self.end[edges]])]
        if len(closing) and not len(self.example):
            self.example = self._shortest_cycle(edges, closing[0])
        self.bad[self.group[self.start[closing]]] = True

    def _shortest_cycle(self, edges: np.ndarray, first: int) -> np.ndarray:
        """Close the cycle that begins with an edge, by as few of the others as there can be."""
        n = len(self.potential)
        graph = _graph(self.start[edges], self.end[edges], n)
        _, came_from = breadth_first_order(graph, self.end[first], directed=True)
        path = [int(self.start[first])]
        while path[-1] != self.end[first]:
            path.append(int(came_from[path[-1]]))
        nodes = np.array(path[::-1])
        ends_of = self.start[edges] * n + self.end[edges]
        by_ends = np.argsort(ends_of, kind="stable")
        steps = np.searchsorted(ends_of[by_ends], nodes[:-1] * n + nodes[1:])
        return np.append(first, edges[by_ends[steps]])


def _graph(start: np.ndarray, end: np.ndarray, n: int) -> sparse.csr_array:
    return sparse.coo_array((np.ones(len(start)), (start, end)), shape=(n, n)).tocsr()


def _components(start: np.ndarray, end: np.ndarray, n: int) -> np.ndarray:
    """Return the strongly connected component of each node, shape (n,)."""
    _, component = connected_components(_graph(start, end, n), directed=True, connection="strong")
    return component
