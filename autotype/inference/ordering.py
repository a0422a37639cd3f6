"""The best order of a column's levels under the ordinal model: a search over permutations.

A closed form ranks all orders, the exact evidence decides among the few best. An order and its
reverse are the same.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import permutations

import numpy as np
from scipy.linalg import eigh
from scipy.stats import norm

from autotype.solvers.laplace import OrdinalPosterior, OrdinalProblem, fit_ordinal

_EXHAUSTIVE_UP_TO = 7  # levels; 2,520 orders
_N_EXACT = 4  # orders that go on from the closed form to the exact evidence
_N_STARTS = 3  # canonical directions that the hill climb starts from


@dataclass(frozen=True)
class OrderSearch:
    """What the search found.

    Attributes
    ----------
    order : tuple of int
        Codes of the levels along the best order.
    fit : OrdinalPosterior
        The ordinal model along it, hyper-parameters learnt.
    problem : OrdinalProblem
        Its data, ranks in place of codes.
    canonical : tuple of int
        The order along the first canonical direction.
    tried : dict
        Order -> log evidence at common hyper-parameters, for all orders scored exactly.
    """

    order: tuple[int, ...]
    fit: OrdinalPosterior
    problem: OrdinalProblem
    canonical: tuple[int, ...]
    tried: dict[tuple[int, ...], float]


@dataclass(frozen=True)
class BetweenScatter:
    """How the levels lie to each other in the space of the predictors.

    Attributes
    ----------
    scatter : ndarray of shape (L, L)
        B = M (X'X + I)^-1 M' with M the sums of x over each level.
    counts : ndarray of shape (L,)
        Rows of each level.
    positions : ndarray of shape (L, k)
        Levels on the canonical directions, strongest first.
    strengths : ndarray of shape (k,)
        Share of variance between levels on each direction, in [0, 1], descending.
    """

    scatter: np.ndarray
    counts: np.ndarray
    positions: np.ndarray
    strengths: np.ndarray


def between_scatter(X: np.ndarray, codes: np.ndarray, n_levels: int) -> BetweenScatter:
    """Summarise X by what the order search needs, which does not grow with the rows."""
    counts = np.bincount(codes, minlength=n_levels).astype(float)
    sums = np.zeros((n_levels, X.shape[1]))
    np.add.at(sums, codes, X)
    gram = X.T @ X
    gram[np.diag_indices_from(gram)] += 1.0
    scatter = sums @ np.linalg.solve(gram, sums.T)
    scatter = 0.5 * (scatter + scatter.T)
    # Canonical directions: stationary points of t'Bt / t'Nt, N the diagonal of counts.
    root = 1.0 / np.sqrt(counts)
    strengths, vectors = eigh(scatter * root[:, None] * root[None, :])
    best_first = np.argsort(-strengths)[: max(1, n_levels - 1)]
    return BetweenScatter(
        scatter,
        counts,
        vectors[:, best_first] * root[:, None],
        np.clip(strengths[best_first], 0.0, 1.0),
    )


def order_scores(between: BetweenScatter, orders: np.ndarray) -> np.ndarray:
    """Score orders by the variance that their normal scores explain.

    Parameters
    ----------
    between : BetweenScatter
        Summary of the data.
    orders : ndarray of int, shape (m, k)
        One order a row, lowest level first; k < L leaves some levels out.

    Returns
    -------
    ndarray of shape (m,)
        R2 = t'Bt / sum n_k t_k^2 in [0, 1], where t_k is the mean of a standard normal over the
        quantile interval of level k.
    """
    counts = between.counts[orders]
    share = np.cumsum(counts, axis=1) / counts.sum(axis=1, keepdims=True)
    density = np.zeros((len(orders), orders.shape[1] + 1))
    density[:, 1:-1] = norm.pdf(norm.ppf(np.clip(share[:, :-1], 1e-12, 1 - 1e-12)))
    scores = -np.diff(density, axis=1) * counts.sum(axis=1, keepdims=True) / counts
    by_level = np.zeros((len(orders), len(between.counts)))
    np.put_along_axis(by_level, orders, scores, axis=1)
    explained = np.einsum("mk,kl,ml->m", by_level, between.scatter, by_level, optimize=True)
    return explained / np.maximum((by_level**2) @ between.counts, 1e-12)


def search_order(
    X: np.ndarray,
    codes: np.ndarray,
    n_levels: int,
    *,
    candidates: tuple[tuple[int, ...], ...] = (),
) -> OrderSearch:
    """Find the order of levels with the highest evidence under the ordinal model.

    Parameters
    ----------
    X : ndarray of shape (n, d)
        Predictors, centred.
    codes : ndarray of int, shape (n,)
        Levels 0 .. n_levels - 1, every one observed.
    n_levels : int
        L >= 3.
    candidates : tuple of orders
        Orders that the labels suggest; scored exactly with the rest.

    Returns
    -------
    OrderSearch

    Notes
    -----
    All L!/2 orders are scored in closed form for L <= 7, else a hill climb by swaps, insertions
    and reversals starts from the canonical directions. The best few and their neighbours by
    adjacent swaps are compared by exact evidence at common hyper-parameters; the winner's are
    learnt once more.
    """
    between = between_scatter(X, codes, n_levels)
    canonical = canonical_order(between, 0)
    first = [*shortlist(between), canonical, *map(undirected, candidates)]
    start = fit_ordinal(_problem(X, codes, first[0]))
    tried: dict[tuple[int, ...], float] = {}

    def evidence(order: tuple[int, ...]) -> float:
        if order not in tried:
            tried[order] = fit_ordinal(
                _problem(X, codes, order),
                weight_variance=start.weight_variance,
                threshold_scale=start.threshold_scale,
                learn=False,
                tol=1e-3,
            ).log_evidence
        return tried[order]

    best = max(dict.fromkeys(first), key=evidence)
    while True:
        better = max(_adjacent_swaps(best), key=evidence)
        if evidence(better) <= evidence(best):
            break
        best = better
    problem = _problem(X, codes, best)
    fit = start if best == first[0] else fit_ordinal(problem)
    return OrderSearch(best, fit, problem, canonical, tried)


def undirected(order: tuple[int, ...]) -> tuple[int, ...]:
    """Give the one of an order and its reverse that starts with the smaller code.

    Examples
    --------
    >>> undirected((2, 0, 1))
    (1, 0, 2)
    """
    order = tuple(int(k) for k in order)
    return order if order[0] < order[-1] else order[::-1]


def canonical_order(between: BetweenScatter, direction: int) -> tuple[int, ...]:
    """Levels along one canonical direction."""
    return undirected(tuple(np.argsort(between.positions[:, direction], kind="stable")))


def ranks_along(order: tuple[int, ...]) -> np.ndarray:
    """Rank of each code along an order."""
    ranks = np.empty(len(order), dtype=np.intp)
    ranks[list(order)] = np.arange(len(order))
    return ranks


def _problem(X: np.ndarray, codes: np.ndarray, order: tuple[int, ...]) -> OrdinalProblem:
    return OrdinalProblem(X, ranks_along(order)[codes], len(order))


def shortlist(between: BetweenScatter) -> list[tuple[int, ...]]:
    """List the few orders with the best closed-form scores, best first."""
    n_levels = len(between.counts)
    if n_levels <= _EXHAUSTIVE_UP_TO:
        orders = _all_orders(n_levels)
        scores = order_scores(between, orders)
        best = np.argsort(-scores, kind="stable")[:_N_EXACT]
        return [tuple(map(int, orders[k])) for k in best]
    n_starts = min(_N_STARTS, between.positions.shape[1])
    climbed = [_climb(between, canonical_order(between, k)) for k in range(n_starts)]
    ranked = sorted(dict.fromkeys(climbed), key=lambda pair: -pair[1])
    return list(dict.fromkeys(order for order, _ in ranked))[:_N_EXACT]


@cache
def _all_orders(n_levels: int) -> np.ndarray:
    """All orders up to reversal, one a row."""
    return np.array([p for p in permutations(range(n_levels)) if p[0] < p[-1]], dtype=np.intp)


def _climb(between: BetweenScatter, order: tuple[int, ...]) -> tuple[tuple[int, ...], float]:
    """Climb by the best swap, insertion or reversal until none gains."""
    moves = _moves(len(order))
    current = np.asarray(order)
    score = order_scores(between, current[None, :])[0]
    while True:
        neighbours = current[moves]
        scores = order_scores(between, neighbours)
        best = int(np.argmax(scores))
        if scores[best] <= score * (1 + 1e-12):
            return undirected(tuple(current)), float(score)
        current, score = neighbours[best], scores[best]


@cache
def _moves(n_levels: int) -> np.ndarray:
    """Position permutations of all swaps, insertions and reversals of a stretch."""
    identity = list(range(n_levels))
    moves = set()
    for i in range(n_levels):
        for j in range(n_levels):
            inserted = identity[:i] + identity[i + 1 :]
            inserted.insert(j, i)
            moves.add(tuple(inserted))
            if i < j:
                swapped = identity.copy()
                swapped[i], swapped[j] = swapped[j], swapped[i]
                moves.add(tuple(swapped))
                moves.add(tuple(identity[:i] + identity[i : j + 1][::-1] + identity[j + 1 :]))
    moves.discard(tuple(identity))
    return np.array(sorted(moves), dtype=np.intp)


def _adjacent_swaps(order: tuple[int, ...]) -> list[tuple[int, ...]]:
    swaps = []
    for i in range(len(order) - 1):
        swapped = list(order)
        swapped[i], swapped[i + 1] = swapped[i + 1], swapped[i]
        swaps.append(undirected(tuple(swapped)))
    return swaps
