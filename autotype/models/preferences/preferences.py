"""Preferences: soft statements about the order or size of targets that are not known.

Targets are often expensive, while it is known of many rows which of two is larger, or that a target
lies within bounds. All such statements have one form, f(above) - f(below) >= d, so that one list of
them holds every kind and the solver needs only one kind of constraint.

Contradictions are cycles whose differences sum to more than 0. Preferences are soft, so that the
solver accepts any list of them. A list that contradicts itself makes the fit worse, without an
error. As edges of a graph, preferences can all hold if no cycle has positive length; the search for
such a cycle is cheap, and names the preferences to correct.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
import pandas as pd
from scipy import sparse
from scipy.sparse.csgraph import breadth_first_order, connected_components

from autotype.models.preferences import reading, rules
from autotype.models.preferences.solvers.path import NO_ROW
from autotype.wording import format_count

_FIELDS = ("above", "below", "difference", "weight", "kind")
_BOUNDS = ("at least", "at most", "equal to")
_KINDS = ("order", "equal", "close", "band", *_BOUNDS)  # in the order of the summary

_ROUNDING = 1e-10  # relative to the largest difference


class Preferences:
    """Soft constraints on f at rows: one is larger than another, or than a bound.

    Each is a tuple (above, below, d, w): f(above) - f(below) >= d, whose violation costs w per
    unit. Rows are numbers, from 0, of rows of the X that the regressor is fitted to (or of its
    `unlabelled`). In a bound one side is no row, `NO_ROW`.

    Parameters
    ----------
    pairs : array-like of int, shape (p, 2)
        Rows: the target of the first is at least that of the second plus `difference`.
    difference : float or array-like of shape (p,), default=0.0
        d, in units of the target; 0 states only which is larger.
    weight : float or array-like of shape (p,), default=1.0
        w >= 0, the confidence in the statement.

    Attributes
    ----------
    above, below : ndarray of int, shape (p,)
        Rows, or `NO_ROW`.
    difference, weight : ndarray of float, shape (p,)
        d and w.
    kind : ndarray of str, shape (p,)
        What was stated: one of "order", "equal", "close", "band", "at least", "at most",
        "equal to". An equality, closeness or band is two tuples.

    See Also
    --------
    OrderPreferenceRegressor : learns from them.

    References
    ----------
    Zhu and Goldberg (2007), Kernel regression with order preferences, AAAI.

    Examples
    --------
    >>> known = Preferences([(3, 0), (5, 2)], difference=[0.5, 0.0])
    >>> known = known + Preferences.at_most([1, 4], 10.0)
    >>> len(known)
    4
    >>> print(known.summary())
    4 preferences about 6 rows
      order: 2, difference 0 to 0.5
      at most: 2, bound 10
      no contradictions
    """

    above: np.ndarray
    below: np.ndarray
    difference: np.ndarray
    weight: np.ndarray
    kind: np.ndarray

    def __init__(self, pairs: Any = (), difference: Any = 0.0, weight: Any = 1.0) -> None:
        above, below = reading.read_pairs(pairs)
        self._set(above, below, difference=difference, weight=weight, kind="order")

    @classmethod
    def from_labels(
        cls, frame: Any, pairs: Any, *, difference: Any = 0.0, weight: Any = 1.0
    ) -> Preferences:
        """Create preferences from labels of a frame's index, which are turned into row numbers.

        Parameters
        ----------
        frame : DataFrame, Series or Index of n rows
            The rows, in the order of the X to be fitted; its labels must differ.
        pairs : iterable of (label, label)
            The target of the first is at least that of the second plus `difference`.
        difference, weight : float or array-like of shape (p,)
            As in `Preferences`.

        Returns
        -------
        Preferences

        Raises
        ------
        KeyError
            For a label that the index does not hold.
        ValueError
            If two rows have the same label.

        Examples
        --------
        >>> frame = pd.DataFrame({"area": [50.0, 80.0]}, index=["flat", "house"])
        >>> Preferences.from_labels(frame, [("house", "flat")]).above
        array([1])
        """
        return cls(reading.read_label_pairs(frame, pairs), difference, weight)

    @classmethod
    def at_least(
        cls, rows: Any, bound: Any, *, frame: Any = None, weight: Any = 1.0
    ) -> Preferences:
        """Create the preferences f(x) >= bound.

        Parameters
        ----------
        rows : array-like of int, shape (p,)
            Rows that the bound holds for.
        bound : float, array-like of shape (p,) or callable
            The bound, one for all or one for each; a function gets these rows of `frame`.
        frame : DataFrame or array-like, optional
            Argument of the function; `rows` are row numbers in it.
        weight : float or array-like of shape (p,), default=1.0
            Confidence in the bound.

        Returns
        -------
        Preferences

        Examples
        --------
        >>> frame = pd.DataFrame({"area": [50.0, 80.0, 120.0]})
        >>> Preferences.at_least([0, 2], lambda rows: 2 * rows["area"], frame=frame).difference
        array([100., 240.])
        """
        rows = reading.read_rows(rows)
        limits = reading.read_bounds(bound, rows, frame)
        none = np.full_like(rows, NO_ROW)
        return cls._of(rows, none, difference=limits, weight=weight, kind="at least")

    @classmethod
    def at_most(cls, rows: Any, bound: Any, *, frame: Any = None, weight: Any = 1.0) -> Preferences:
        """Create the preferences f(x) <= bound.

        Parameters
        ----------
        rows, bound, frame, weight :
            As in `at_least`.

        Returns
        -------
        Preferences

        Examples
        --------
        >>> Preferences.at_most([0, 2], 10.0).summary().splitlines()[1].strip()
        'at most: 2, bound 10'
        """
        rows = reading.read_rows(rows)
        limits = -reading.read_bounds(bound, rows, frame)
        none = np.full_like(rows, NO_ROW)
        return cls._of(none, rows, difference=limits, weight=weight, kind="at most")

    @classmethod
    def equal_to(
        cls, rows: Any, value: Any, *, frame: Any = None, weight: Any = 1.0
    ) -> Preferences:
        """Create the preferences f(x) = value, two per row.

        Parameters
        ----------
        rows, value, frame, weight :
            As in `at_least`, with a value for the bound.

        Returns
        -------
        Preferences

        Examples
        --------
        >>> Preferences.equal_to([0], 3.0).to_frame()
           above  below  difference  weight      kind
        0      0     -1         3.0     1.0  equal to
        1     -1      0        -3.0     1.0  equal to
        """
        low = cls.at_least(rows, value, frame=frame, weight=weight)
        return (low + cls.at_most(rows, value, frame=frame, weight=weight))._as("equal to")

    @classmethod
    def band(cls, pairs: Any, low: Any, high: Any, *, weight: Any = 1.0) -> Preferences:
        """Create the preferences low <= f(first) - f(second) <= high, two per pair.

        Parameters
        ----------
        pairs : array-like of int, shape (p, 2)
            Rows.
        low, high : float or array-like of shape (p,)
            Ends of the band, low <= high.
        weight : float or array-like of shape (p,), default=1.0
            Confidence in the statement.

        Returns
        -------
        Preferences

        Raises
        ------
        ValueError
            If a low end is above its high end.

        Examples
        --------
        >>> Preferences.band([(0, 1)], 2.0, 5.0).to_frame()
           above  below  difference  weight  kind
        0      0      1         2.0     1.0  band
        1      1      0        -5.0     1.0  band
        """
        first, second = reading.read_pairs(pairs)
        p = len(first)
        low, high = reading.read_numbers(low, p, "low"), reading.read_numbers(high, p, "high")
        if (low > high).any():
            at = int(np.argmax(low > high))
            raise ValueError(
                f"a band's low end must not be above its high end, got {low[at]:g} and "
                f"{high[at]:g} at pair {at}"
            )
        weight = np.tile(reading.read_weights(weight, p), 2)
        above, below = np.append(first, second), np.append(second, first)
        difference = np.append(low, -high)
        return cls._of(above, below, difference=difference, weight=weight, kind="band")

    @classmethod
    def equal(cls, pairs: Any, *, weight: Any = 1.0) -> Preferences:
        """Create the preferences f(first) = f(second), two per pair.

        Parameters
        ----------
        pairs : array-like of int, shape (p, 2)
            Rows.
        weight : float or array-like of shape (p,), default=1.0
            Confidence in the statement.

        Returns
        -------
        Preferences

        Examples
        --------
        >>> len(Preferences.equal([(0, 1), (2, 3)]))
        4
        """
        return cls.band(pairs, 0.0, 0.0, weight=weight)._as("equal")

    @classmethod
    def close(cls, pairs: Any, within: Any, *, weight: Any = 1.0) -> Preferences:
        """Create the preferences ``|f(first) - f(second)| <= within``, two per pair.

        Parameters
        ----------
        pairs : array-like of int, shape (p, 2)
            Rows.
        within : float or array-like of shape (p,)
            Largest difference, >= 0.
        weight : float or array-like of shape (p,), default=1.0
            Confidence in the statement.

        Returns
        -------
        Preferences

        Raises
        ------
        ValueError
            If `within` is negative.

        Examples
        --------
        >>> Preferences.close([(0, 1)], within=5.0).difference
        array([-5., -5.])
        """
        tube = np.asarray(within, dtype=float)
        if not (tube >= 0).all():
            raise ValueError(f"within must be >= 0, got {within!r}")
        return cls.band(pairs, -tube, tube, weight=weight)._as("close")

    @classmethod
    def from_rule(
        cls,
        frame: pd.DataFrame,
        *,
        increasing: Any = None,
        decreasing: Any = None,
        within: Mapping[Any, Any],
        difference: float = 0.0,
        weight: float = 1.0,
        labelled: Any = None,
        max_preferences: int | None = None,
        random_state: Any = 0,
    ) -> Preferences:
        """Create preferences from a rule: among matched rows, the target increases with a column.

        Parameters
        ----------
        frame : DataFrame of n rows, or array of shape (n, k)
            The rows, in the order of the X to be fitted. A missing value matches no other.
        increasing : column name, optional
            Column that the target increases with: numbers, dates or an ordered Categorical. Rows
            with equal values are not paired.
        decreasing : column name, optional
            Column that the target decreases with; exactly one of the two is given.
        within : mapping
            Which rows match. Column -> largest difference (a Timedelta for dates,
            a count of levels for an ordered Categorical), or None for equal values;
            (latitude, longitude) -> largest great-circle distance in kilometres, the columns
            holding degrees. With an empty mapping all rows match.
        difference, weight : float
            d and w of all these preferences.
        labelled : array-like of bool, shape (n,), optional
            Rows whose target is known: pairs of two of them are dropped, since their targets
            are more informative.
        max_preferences : int, optional
            Draw that many at random if there are more, all equally likely.
        random_state : int, Generator or None, default=0
            For the draw.

        Returns
        -------
        Preferences
            Sorted by the row above, then by the row below.

        Raises
        ------
        UnknownColumnError
            If a name is not that of exactly one column.
        ValueError
            If there are more than 20 million pairs and no `max_preferences`.

        Notes
        -----
        Neighbours come from one k-d tree in which each column is divided by its largest
        difference, places being points of the unit sphere: O(n log n + pairs found). A difference
        that exceeds the largest by no more than rounding is allowed.

        Examples
        --------
        >>> homes = pd.DataFrame(
        ...     {"bedrooms": [2, 3, 4, 3], "age": [10, 12, 40, 11], "town": ["a", "a", "a", "b"]}
        ... )
        >>> rule = Preferences.from_rule(
        ...     homes, increasing="bedrooms", within={"age": 10, "town": None}
        ... )
        >>> rule.above, rule.below
        (array([1]), array([0]))
        """
        frame = rules.read_frame(frame)
        above, below = rules.pairs_of_ranks(
            frame,
            rules.ranks_of_rule(frame, increasing, decreasing),
            within,
            labelled=labelled,
            max_preferences=max_preferences,
            random_state=random_state,
        )
        return cls._of(above, below, difference=difference, weight=weight, kind="order")

    @classmethod
    def from_ordinal(
        cls,
        types: Any,
        column: Any,
        frame: pd.DataFrame,
        *,
        decreasing: bool | None = None,
        within: Mapping[Any, Any] | None = None,
        adjacent: bool = False,
        difference: float = 0.0,
        weight: float = 1.0,
        labelled: Any = None,
        max_preferences: int | None = 1000,
        random_state: Any = 0,
    ) -> Preferences:
        """Create preferences from an ordinal column: the target increases with its levels.

        Parameters
        ----------
        types : TypeReport or ColumnType
            Types of the columns; the column's `order` has its levels, lowest first.
        column : column name
            An ordinal column.
        frame : DataFrame of n rows
            The rows, in the order of the X to be fitted. Rows with other values are not paired.
        decreasing : bool, optional
            Whether the target decreases instead. Required if the types do not know which end of
            the order is the low one.
        within : mapping, optional
            Which rows match, as in `from_rule`; by default all do.
        adjacent : bool, default=False
            Whether to pair neighbouring levels only.
        difference, weight, labelled, random_state :
            As in `from_rule`.
        max_preferences : int or None, default=1000
            Draw that many at random if there are more; None for all of them.

        Returns
        -------
        Preferences

        Raises
        ------
        ValueError
            If the column is not ordinal, or its direction neither known nor given.

        Examples
        --------
        >>> import autotype
        >>> frame = pd.DataFrame({"size": ["L", "S", "M", None] * 5})
        >>> types = autotype.infer_types(frame)
        >>> Preferences.from_ordinal(types, "size", frame[:4], adjacent=True).to_frame()
           above  below  difference  weight   kind
        0      0      2         0.0     1.0  order
        1      2      1         0.0     1.0  order
        """
        frame = rules.read_frame(frame)
        above, below = rules.pairs_of_ranks(
            frame,
            rules.ranks_of_levels(types, column, frame, decreasing),
            within,
            labelled=labelled,
            adjacent=adjacent,
            max_preferences=max_preferences,
            random_state=random_state,
        )
        return cls._of(above, below, difference=difference, weight=weight, kind="order")

    @classmethod
    def _of(cls, above: Any, below: Any, *, difference: Any, weight: Any, kind: Any) -> Self:
        """Create preferences of checked rows."""
        preferences = cls.__new__(cls)
        preferences._set(above, below, difference=difference, weight=weight, kind=kind)
        return preferences

    def _set(self, above: Any, below: Any, *, difference: Any, weight: Any, kind: Any) -> None:
        p = len(above)
        self.above, self.below = above, below
        self.difference = reading.read_numbers(difference, p, "difference")
        self.weight = reading.read_weights(weight, p)
        self.kind = np.broadcast_to(np.asarray(kind, dtype="<U8"), p)

    def _as(self, kind: str) -> Self:
        """Return the same tuples under another kind."""
        return self._of(
            self.above, self.below, difference=self.difference, weight=self.weight, kind=kind
        )

    @classmethod
    def concat(cls, parts: Iterable[Preferences]) -> Self:
        """Concatenate lists of preferences.

        Parameters
        ----------
        parts : iterable of Preferences
            Lists about the rows of the same X.

        Returns
        -------
        Preferences

        Raises
        ------
        TypeError
            If one of them is something else.

        Examples
        --------
        >>> Preferences.concat([Preferences([(1, 0)]), Preferences.at_most([1], 3.0)])
        <Preferences: 2 about 2 rows>
        """
        parts = list(parts)
        for part in parts:
            if not isinstance(part, Preferences):
                raise TypeError(f"expected Preferences, got {type(part).__name__}")
        if not parts:
            nothing = np.zeros(0, dtype=np.intp)
            return cls._of(nothing, nothing, difference=0.0, weight=1.0, kind="order")
        return cls._of(
            **{name: np.concatenate([getattr(part, name) for part in parts]) for name in _FIELDS}
        )

    def __add__(self, other: Any) -> Self:
        if not isinstance(other, Preferences):
            return NotImplemented
        return self.concat([self, other])

    def __len__(self) -> int:
        return len(self.above)

    def __getitem__(self, chosen: Any) -> Self:
        """Select by a position, a slice, positions or a mask."""
        if isinstance(chosen, int | np.integer):
            chosen = [chosen]
        return self._of(**{name: getattr(self, name)[chosen] for name in _FIELDS})

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Preferences):
            return NotImplemented
        return all(np.array_equal(getattr(self, name), getattr(other, name)) for name in _FIELDS)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {len(self):,} about {len(self.rows):,} rows>"

    @property
    def rows(self) -> np.ndarray:
        """Rows that occur, increasing, each once."""
        both = np.unique(np.concatenate([self.above, self.below]))
        return both[both != NO_ROW]

    def sample(self, n: int, *, random_state: Any = 0) -> Self:
        """Draw n preferences at random, or all if there are no more; their order is kept.

        Parameters
        ----------
        n : int
            How many, >= 0.
        random_state : int, Generator or None, default=0
            For the draw.

        Returns
        -------
        Preferences

        Examples
        --------
        >>> len(Preferences([(1, 0), (2, 1), (3, 2)]).sample(2))
        2
        """
        if n < 0:
            raise ValueError(f"n must be >= 0, got {n}")
        if n >= len(self):
            return self
        rng = np.random.default_rng(random_state)
        return self[np.sort(rng.choice(len(self), n, replace=False))]

    def violations(self, values: Any) -> np.ndarray:
        """Compute the violation of each preference: max(d - (f(above) - f(below)), 0).

        Parameters
        ----------
        values : array-like of shape (n,)
            Target or prediction of each row.

        Returns
        -------
        ndarray of shape (p,)
            NaN if a value is missing; 0 if only rounding is in excess.

        Raises
        ------
        IndexError
            If a preference is about a row that has no value.

        Examples
        --------
        >>> Preferences([(1, 0), (0, 2)], difference=0.5).violations([1.0, 2.0, 3.0])
        array([0. , 2.5])
        """
        values = np.asarray(values, dtype=float)
        if values.ndim != 1:
            raise ValueError(f"values must have one dimension, got shape {values.shape}")
        self.check_rows(len(values))
        values = np.append(values, 0.0)  # the last is NO_ROW's
        reached = values[self.above] - values[self.below]
        # 0.3 - 0.1 is less than 0.2 by rounding.
        slack = 1e-12 * (np.abs(values[self.above]) + np.abs(values[self.below]))
        missed = self.difference - reached
        return np.where(missed <= slack, 0.0, missed)

    def share_true(self, values: Any) -> float:
        """Compute the proportion of the preferences that hold for targets, missing ones ignored.

        Parameters
        ----------
        values : array-like of shape (n,)
            Target of each row, NaN if not known.

        Returns
        -------
        float
            In [0, 1], regardless of the weights; NaN if every preference has a missing target.

        Examples
        --------
        >>> Preferences([(1, 0), (2, 0), (1, 2)]).share_true([1.0, 2.0, 3.0]).__round__(2)
        0.67
        """
        violations = self.violations(values)
        known = ~np.isnan(violations)
        return float(np.mean(violations[known] == 0.0)) if known.any() else float("nan")

    def contradictions(self) -> Contradictions:
        """Find preferences that cannot hold together, such as cycles of "larger than".

        Returns
        -------
        Contradictions
            Their count and one example; false if there are none. A cycle of preferences that
            only state which is larger counts, one that states equality does not.

        Examples
        --------
        >>> cycles = Preferences([(0, 1), (1, 2), (2, 0), (3, 0)]).contradictions()
        >>> cycles.count, cycles.rows
        (1, (0, 1, 2))
        """
        larger = (self.kind == "order") & (self.difference == 0.0)
        return find_contradictions(self.above, self.below, self.difference, larger)

    def check_rows(self, n_rows: int) -> None:
        """Raise IndexError if a row is not among the first `n_rows`."""
        last = np.maximum(self.above, self.below)
        if last.max(initial=NO_ROW) >= n_rows:
            at = int(np.argmax(last >= n_rows))
            raise IndexError(
                f"preference {at} is about row {last[at]}, but there are {n_rows} rows, numbered "
                "from 0; state the preferences on the rows that are fitted, or pass their rows as "
                "unlabelled="
            )

    def to_frame(self) -> pd.DataFrame:
        """Return the preferences as a frame, one per row.

        Returns
        -------
        pandas.DataFrame
            Columns ``above``, ``below`` (-1 on one side of a bound), ``difference``, ``weight``
            and ``kind``.

        Examples
        --------
        >>> Preferences([(3, 0)], difference=0.5).to_frame()
           above  below  difference  weight   kind
        0      3      0         0.5     1.0  order
        """
        columns = {name: getattr(self, name) for name in _FIELDS}
        return pd.DataFrame({**columns, "kind": self.kind.astype(object)})

    def summary(self) -> str:
        """Summarise the preferences: their number by kind, and whether they contradict.

        Returns
        -------
        str
            A line for each kind, and one for contradictions.

        Examples
        --------
        >>> print(Preferences([(1, 0), (2, 1)]).summary())
        2 preferences about 3 rows
          order: 2, difference 0
          no contradictions
        """
        lines = [
            f"{format_count(len(self), 'preference')} about {format_count(len(self.rows), 'row')}"
        ]
        for kind in _KINDS:
            chosen = self.kind == kind
            if not chosen.any():
                continue
            is_bound = kind in _BOUNDS
            sign = np.where(self.above[chosen] == NO_ROW, -1.0, 1.0) if is_bound else 1.0
            text = _span("bound" if is_bound else "difference", sign * self.difference[chosen])
            if (self.weight[chosen] != 1.0).any():
                text += f", {_span('weight', self.weight[chosen])}"
            lines.append(f"  {kind}: {chosen.sum():,}, {text}")
        return "\n".join([*lines, f"  {self.contradictions()}"])


def _span(name: str, values: np.ndarray) -> str:
    low, high = values.min() + 0.0, values.max() + 0.0  # no -0
    return f"{name} {low:g}" if low == high else f"{name} {low:g} to {high:g}"


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
