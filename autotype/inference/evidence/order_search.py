"""Search the order of a column's levels that fits the other columns best.

Two closed forms weigh every order: the variance that the levels' normal scores explain, and how
nearly the levels lie on a line. An order and its reverse are the same.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from itertools import permutations

import numpy as np
from scipy.special import logsumexp, ndtri

from autotype.inference.evidence._order_weights_fast import climb, explained_shares, violations
from autotype.inference.evidence.between_scatter import BetweenScatter
from autotype.inference.learned import load_learned

_EXHAUSTIVE_UP_TO = 7  # levels; 2,520 orders
_N_STARTS = 3  # canonical directions that the hill climb starts from
_N_KEPT = 8  # orders reported with their weights
# Bounds of a step and of a climb, in closenesses looked at: an order of L levels has L**2. Neither
# binds up to 20 levels, the default of `max_levels`.
_STEP_SIZE = 1_000_000
_CLIMB_SIZE = 20_000_000
_LEAST_PRIOR = 1e-9  # of a place


def order_scores(scatter: BetweenScatter, orders: np.ndarray) -> np.ndarray:
    """Compute the proportion of variance that the normal scores of orders explain.

    Parameters
    ----------
    scatter : BetweenScatter
        Summary of the data.
    orders : ndarray of int, shape (m, k)
        One order per row of the same levels, lowest first; k < L omits some.

    Returns
    -------
    ndarray of shape (m,)
        R2 = t'Bt / sum n_k t_k^2 in [0, 1], where t_k is the mean of a standard normal over the
        quantile interval of level k.
    """
    counts, density = _density_table(scatter, orders[0])
    score, explained = np.empty(orders.shape[1]), np.empty(len(orders))
    explained_shares(scatter.matrix, counts, density, _contiguous(orders), score, explained)
    return explained


def _density_table(scatter: BetweenScatter, levels: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the counts, and the normal density at the quantile of each number of rows."""
    counts = scatter.counts.astype(np.int64)
    n_rows = int(counts[levels].sum())
    density = np.zeros(n_rows + 1)
    z = ndtri(np.arange(1, n_rows) / n_rows)
    density[1:-1] = np.exp(-0.5 * z**2) / np.sqrt(2.0 * np.pi)
    return counts, density


def _contiguous(orders: np.ndarray) -> np.ndarray:
    return np.ascontiguousarray(orders, dtype=np.int64)


def robinson_loss(scatter: BetweenScatter, orders: np.ndarray) -> np.ndarray:
    """Measure how far the levels are from lying on a line along each order.

    Parameters
    ----------
    scatter : BetweenScatter
        Summary of the data.
    orders : ndarray of int, shape (m, k)
        One order per row of the same levels, lowest first; k < L omits some.

    Returns
    -------
    ndarray of shape (m,)
        On a line the squared distances from a level to the others fall up to it and rise after it
        (Robinson's form). The mean over levels of the violation, in units of the mean
        squared distance; 0 for a perfect line.

    References
    ----------
    Robinson (1951), A method for chronologically ordering archaeological deposits.
    """
    violation = np.empty(len(orders))
    along, rising = np.empty((2, orders.shape[1]))
    violations(scatter.closeness, _contiguous(orders), along, rising, violation)
    return violation / scatter.mean_distance


def order_log_weights(scatter: BetweenScatter, orders: np.ndarray) -> np.ndarray:
    """Compute the log weights of orders, by their fit and by Robinson's loss.

    Parameters
    ----------
    scatter : BetweenScatter
        Summary of the data.
    orders : ndarray of int, shape (m, k)
        One order per row of the same levels, lowest first; k < L omits some.

    Returns
    -------
    ndarray of shape (m,)
        Log posterior weights up to a constant. The fit counts with the root of the log likelihood
        ratio -n log(1 - R2)/2: rows are less independent than the model assumes.
    """
    n_rows = scatter.counts[orders[0]].sum()
    explained = np.clip(order_scores(scatter, orders), 0.0, 1.0 - 1e-9)
    fit = np.sqrt(-0.5 * n_rows * np.log1p(-explained))
    learned = load_learned()
    line = robinson_loss(scatter, orders)
    return learned.order_fit_weight * fit - learned.order_line_weight * line


def search_order(
    scatter: BetweenScatter,
    suggested: tuple[int, ...] | None = None,
    *,
    weigh: Callable[[np.ndarray], np.ndarray] | None = None,
) -> tuple[dict[tuple[int, ...], float], tuple[tuple[int, ...], ...]]:
    """Find the best order of the levels.

    Parameters
    ----------
    scatter : BetweenScatter
        Summary of the data, with three levels or more.
    suggested : tuple of int, optional
        The order that the labels suggest; it is weighed too.
    weigh : callable, optional
        Orders, one per row, to their log weights; by default `order_log_weights` of the data.

    Returns
    -------
    log_weights : dict
        Order, as codes of the levels -> log posterior weight, best first: the best few, and the
        suggested one last.
    ties : tuple of tuple of int
        Stretches of the best order that the data leave open: for each pair of neighbours, the odds
        that the first is the lower one are below two to one.

    Notes
    -----
    All L!/2 orders are weighed for L <= 7. Beyond, hill climbs by swaps, insertions and reversals
    start from the canonical directions, and the orders one move from their ends are weighed. Beyond
    20 levels the moves are shorter and the climbs too, so that 100 levels take seconds.
    """
    orders = _candidates(scatter)
    if suggested is not None:
        suggested = up_to_reversal(suggested)
        orders = _distinct(np.vstack([orders, suggested]))
    weights = order_log_weights(scatter, orders) if weigh is None else weigh(orders)
    weights = weights - logsumexp(weights)
    best_first = np.argsort(-weights, kind="stable")
    log_weights = {tuple(orders[k].tolist()): float(weights[k]) for k in best_first[:_N_KEPT]}
    if suggested is not None:
        at = np.flatnonzero((orders == suggested).all(axis=1))[0]
        log_weights[suggested] = float(weights[at])
    return log_weights, tied_levels(orders, np.exp(weights))


def tied_levels(orders: np.ndarray, weights: np.ndarray) -> tuple[tuple[int, ...], ...]:
    """Find the neighbours along the best order whose order the weights leave open.

    Parameters
    ----------
    orders : ndarray of int, shape (m, L)
        Orders up to reversal.
    weights : ndarray of shape (m,)
        Their posterior weights, of sum 1.

    Returns
    -------
    tuple of tuple of int
        Stretches of two or more codes along the best order.

    Examples
    --------
    >>> tied_levels(np.array([[0, 1, 2], [1, 0, 2]]), np.array([0.6, 0.4]))
    ((0, 1),)
    """
    best = orders[np.argmax(weights)]
    # Positions along the best order, each order reversed where it runs against it.
    positions = np.argsort(orders, axis=1)[:, best]
    middle = (len(best) - 1) / 2
    against = (positions - middle) @ (np.arange(len(best)) - middle) < 0
    positions[against] = len(best) - 1 - positions[against]
    lower = weights @ (positions[:, :-1] < positions[:, 1:])
    separated = lower >= load_learned().min_pair_probability
    stretches = np.split(best, np.flatnonzero(separated) + 1)
    return tuple(tuple(map(int, stretch)) for stretch in stretches if len(stretch) > 1)


def up_to_reversal(order: tuple[int, ...]) -> tuple[int, ...]:
    """Return the one of an order and its reverse that starts with the smaller code.

    Examples
    --------
    >>> up_to_reversal((2, 0, 1))
    (1, 0, 2)
    """
    order = tuple(map(int, order))
    return order if order[0] < order[-1] else order[::-1]


def canonical_order(scatter: BetweenScatter, direction: int) -> tuple[int, ...]:
    """Return the levels along one canonical direction."""
    return up_to_reversal(tuple(np.argsort(scatter.positions[:, direction], kind="stable")))


def ranks_along(order: tuple[int, ...]) -> np.ndarray:
    """Return the rank of each code along an order."""
    ranks = np.empty(len(order), dtype=np.intp)
    ranks[list(order)] = np.arange(len(order))
    return ranks


def _candidates(scatter: BetweenScatter) -> np.ndarray:
    """Return the orders to weigh, one a row, each up to reversal.

    All of them for few levels; else those where hill climbs end, and those one move away.
    """
    n_levels = len(scatter.counts)
    if n_levels <= _EXHAUSTIVE_UP_TO:
        return _all_orders(n_levels)
    ends = _distinct(_climbs(scatter)[0])
    around = ends[:, _moves(n_levels)[0]].reshape(-1, n_levels)
    orders = np.vstack([ends, around])
    reverse = orders[:, 0] > orders[:, -1]
    orders[reverse] = orders[reverse, ::-1]
    return _distinct(orders)


def _distinct(orders: np.ndarray) -> np.ndarray:
    """Return the distinct rows, sorted, as `numpy.unique` does; it compares number by number."""
    as_bytes = np.ascontiguousarray(orders, dtype=">u4")  # the largest byte first: sorted as bytes
    rows = as_bytes.view(f"V{as_bytes.itemsize * orders.shape[1]}").ravel()
    return orders[np.unique(rows, return_index=True)[1]]


@cache
def _all_orders(n_levels: int) -> np.ndarray:
    """Return all orders up to reversal, one a row."""
    return np.array([p for p in permutations(range(n_levels)) if p[0] < p[-1]], dtype=np.intp)


def _climbs(scatter: BetweenScatter) -> tuple[np.ndarray, np.ndarray]:
    """Climb from the first canonical orders by the best swap, insertion or reversal of a stretch.

    Returns
    -------
    orders : ndarray of int, shape (k, L)
        Where each climb ends.
    weights : ndarray of shape (k,)
        Their log weights.
    """
    n_levels = len(scatter.counts)
    n_starts = min(_N_STARTS, scatter.positions.shape[1])
    orders = np.array([canonical_order(scatter, k) for k in range(n_starts)], dtype=np.int64)
    weights = np.empty(n_starts)
    moves, insertions = _moves(n_levels)
    learned = load_learned()
    counts, density = _density_table(scatter, orders[0])
    for k in range(n_starts):
        weights[k] = climb(
            scatter.matrix,
            counts,
            density,
            scatter.closeness,
            moves,
            insertions,
            learned.order_fit_weight,
            learned.order_line_weight / (n_levels * scatter.mean_distance),
            float(scatter.strengths[0]) + 1e-12,  # whatever the eigenvalue's rounding
            max(_CLIMB_SIZE // (len(moves) * n_levels**2), 1),
            orders[k],
        )
    return orders, weights


@cache
def _moves(n_levels: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the position permutations of all insertions, swaps and reversals of a stretch.

    Of many levels, only moves over a few places; the number of places is bounded by `_STEP_SIZE`.

    Returns
    -------
    moves : ndarray of int, shape (m, L)
        Insertions come first.
    insertions : ndarray of int, shape (L, L)
        Which of the moves inserts at a place the level of another; -1 where none does. A row a
        place that is left, a column a place that is taken.
    """
    reach = max(_STEP_SIZE // (3 * n_levels**3), 1)
    places = list(range(n_levels))
    inserted, others = {}, set()
    for i in places:
        rest = places[:i] + places[i + 1 :]
        for j in places[max(i - reach, 0) : i + reach + 1]:
            if i != j:
                inserted[i, j] = (*rest[:j], i, *rest[j:])
            if i < j:
                between = places[i + 1 : j]
                for inner in (between, between[::-1]):  # swapped, or the whole stretch reversed
                    others.add((*places[:i], j, *inner, i, *places[j + 1 :]))
    first = sorted(set(inserted.values()))
    number = {move: k for k, move in enumerate(first)}
    insertions = np.full((n_levels, n_levels), -1, dtype=np.int64)
    for ends, move in inserted.items():
        insertions[ends] = number[move]
    return np.array(first + sorted(others.difference(first)), dtype=np.int64), insertions


def place_levels(
    scatter: BetweenScatter,
    placed: Sequence[int],
    unplaced: Sequence[int],
    prior: Sequence[float] = (),
) -> tuple[tuple[int, ...], tuple[float, ...]]:
    """Insert levels one by one where the data weigh the order highest.

    Parameters
    ----------
    scatter : BetweenScatter
        Summary of the data.
    placed : sequence of int
        Codes of two or more levels, lowest first.
    unplaced : sequence of int
        Codes of the levels to insert.
    prior : sequence of float, optional
        The probability of each place of the only such level, the lowest first, without the data.

    Returns
    -------
    order : tuple of int
        All codes, lowest first.
    weights : tuple of float
        Of each insertion, the weight of its place among all places.
    """
    order, weights = tuple(placed), []
    for level in unplaced:
        order, _, weight = _insert(scatter, order, level, prior)
        weights.append(weight)
    return order, tuple(weights)


def rejected_levels(
    scatter: BetweenScatter, placed: Sequence[int], unplaced: Sequence[int]
) -> tuple[int, ...]:
    """Find the levels that have no place along a scale.

    Parameters
    ----------
    scatter : BetweenScatter
        Summary of the data, which predict the column.
    placed : sequence of int
        Codes of three or more levels, lowest first.
    unplaced : sequence of int
        Codes of the levels that the labels do not place.

    Returns
    -------
    tuple of int
        Those whose best place changes the log weight of the order by less than
        `Learned.min_placement_gain`, which is negative.
    """
    least = load_learned().min_placement_gain
    return tuple(k for k in unplaced if _insert(scatter, tuple(placed), k)[1] < least)


def _insert(
    scatter: BetweenScatter, order: tuple[int, ...], level: int, prior: Sequence[float] = ()
) -> tuple[tuple[int, ...], float, float]:
    """Return the best order with the level in it, the log weight gained, and the place's weight."""
    options = [(*order[:k], level, *order[k:]) for k in range(len(order), -1, -1)]
    # Levels that are not in the order do not count: their scores are 0.
    weights = order_log_weights(scatter, np.array(options))
    gained = float(weights.max() - order_log_weights(scatter, np.array([order]))[0])
    if prior:
        weights = weights + np.log(np.maximum(prior[::-1], _LEAST_PRIOR))
    best = int(np.argmax(weights))
    return options[best], gained, float(np.exp(weights[best] - logsumexp(weights)))
