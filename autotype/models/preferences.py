"""Order preferences: what is known of rows whose target is not."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np
import pandas as pd

from autotype.models.preference_cycles import Contradictions, find_contradictions
from autotype.models.preference_rules import graded_pairs, level_ranks, pairs_of_rule
from autotype.solvers.preference_lp import NO_ROW

KINDS = ("order", "equal", "close", "band", "at least", "at most", "equal to")


class Preferences:
    """Soft statements about f at rows: that one is larger than another, or than a bound.

    Each is a tuple (above, below, d, w): f(above) - f(below) >= d is wished for, and its violation
    costs w for each unit. Rows are numbers, from 0, of rows of the X that the regressor is fitted
    to (or of its `unlabelled`). In a bound one side is no row, `NO_ROW`.

    Parameters
    ----------
    pairs : array-like of int, shape (p, 2)
        Rows: the target of the first is at least that of the second plus `difference`.
    difference : float or array-like of shape (p,), default=0.0
        d, in units of the target; 0 says no more than which is larger.
    weight : float or array-like of shape (p,), default=1.0
        w >= 0, how sure the statement is.

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

    def __init__(self, pairs: Any = (), difference: Any = 0.0, weight: Any = 1.0) -> None:
        above, below = _read_pairs(pairs)
        self._set(above, below, difference, weight, "order")

    def _set(self, above: Any, below: Any, difference: Any, weight: Any, kind: Any) -> None:
        p = len(above)
        self.above, self.below = above, below
        self.difference = _numbers(difference, p, "difference")
        self.weight = _numbers(weight, p, "weight")
        if (self.weight < 0).any():
            at = int(np.argmax(self.weight < 0))
            raise ValueError(
                f"a weight must be >= 0, got {self.weight[at]:g} at preference {at}; swap the "
                "rows of a preference that goes the other way"
            )
        self.kind = np.broadcast_to(np.asarray(kind, dtype="<U8"), p)

    @classmethod
    def _of(cls, above: Any, below: Any, difference: Any, weight: Any, kind: Any) -> Preferences:
        made = cls.__new__(cls)
        made._set(above, below, difference, weight, kind)
        return made

    @classmethod
    def at_least(
        cls, rows: Any, bound: Any, *, frame: Any = None, weight: Any = 1.0
    ) -> Preferences:
        """Wish f(x) >= bound.

        Parameters
        ----------
        rows : array-like of int, shape (p,)
            Rows that the bound holds for.
        bound : float, array-like of shape (p,) or callable
            The bound, one for all or one for each; a function gets these rows of `frame`.
        frame : DataFrame or array-like, optional
            What a function is called with; rows are numbers in it.
        weight : float or array-like of shape (p,), default=1.0
            How sure the bound is.

        Returns
        -------
        Preferences

        Examples
        --------
        >>> frame = pd.DataFrame({"area": [50.0, 80.0, 120.0]})
        >>> Preferences.at_least([0, 2], lambda rows: 2 * rows["area"], frame=frame).difference
        array([100., 240.])
        """
        rows = _read_rows(rows)
        limits = _bounds(bound, rows, frame)
        return cls._of(rows, np.full_like(rows, NO_ROW), limits, weight, "at least")

    @classmethod
    def at_most(cls, rows: Any, bound: Any, *, frame: Any = None, weight: Any = 1.0) -> Preferences:
        """Wish f(x) <= bound; the parameters are those of `at_least`."""
        rows = _read_rows(rows)
        limits = -_bounds(bound, rows, frame)
        return cls._of(np.full_like(rows, NO_ROW), rows, limits, weight, "at most")

    @classmethod
    def equal_to(
        cls, rows: Any, value: Any, *, frame: Any = None, weight: Any = 1.0
    ) -> Preferences:
        """Wish f(x) = value, two preferences a row; the parameters are those of `at_least`."""
        low = cls.at_least(rows, value, frame=frame, weight=weight)
        both = low + cls.at_most(rows, value, frame=frame, weight=weight)
        return cls._of(both.above, both.below, both.difference, both.weight, "equal to")

    @classmethod
    def band(cls, pairs: Any, low: Any, high: Any, *, weight: Any = 1.0) -> Preferences:
        """Wish low <= f(first) - f(second) <= high, two preferences a pair.

        Parameters
        ----------
        pairs : array-like of int, shape (p, 2)
            Rows.
        low, high : float or array-like of shape (p,)
            Ends of the band, low <= high.
        weight : float or array-like of shape (p,), default=1.0
            How sure the statement is.

        Examples
        --------
        >>> Preferences.band([(0, 1)], 2.0, 5.0).to_frame()
           above  below  difference  weight  kind
        0      0      1         2.0     1.0  band
        1      1      0        -5.0     1.0  band
        """
        first, second = _read_pairs(pairs)
        p = len(first)
        low, high = _numbers(low, p, "low"), _numbers(high, p, "high")
        if (low > high).any():
            at = int(np.argmax(low > high))
            raise ValueError(
                f"a band's low end must not be above its high end, got {low[at]:g} and "
                f"{high[at]:g} at pair {at}"
            )
        weight = np.tile(_numbers(weight, p, "weight"), 2)
        above, below = np.append(first, second), np.append(second, first)
        return cls._of(above, below, np.append(low, -high), weight, "band")

    @classmethod
    def equal(cls, pairs: Any, *, weight: Any = 1.0) -> Preferences:
        """Wish f(first) = f(second), two preferences a pair."""
        both = cls.band(pairs, 0.0, 0.0, weight=weight)
        return cls._of(both.above, both.below, both.difference, both.weight, "equal")

    @classmethod
    def close(cls, pairs: Any, within: Any, *, weight: Any = 1.0) -> Preferences:
        """Wish |f(first) - f(second)| <= within, two preferences a pair."""
        tube = np.asarray(within, dtype=float)
        if not (tube >= 0).all():
            raise ValueError(f"within must be >= 0, got {within!r}")
        both = cls.band(pairs, -tube, tube, weight=weight)
        return cls._of(both.above, both.below, both.difference, both.weight, "close")

    @classmethod
    def from_rule(
        cls,
        frame: pd.DataFrame,
        *,
        increasing: Any = None,
        decreasing: Any = None,
        within: Mapping[Any, float | None],
        difference: float = 0.0,
        weight: float = 1.0,
        labelled: Any = None,
        max_preferences: int | None = None,
        random_state: Any = 0,
    ) -> Preferences:
        """Say that among rows that are otherwise alike, the target goes with one column.

        Parameters
        ----------
        frame : DataFrame of n rows
            The rows, in the order of the X to be fitted. A missing value is like no other.
        increasing : column name, optional
            Column of numbers, or an ordered Categorical, that the target increases with.
        decreasing : column name, optional
            The same where the target decreases; exactly one of the two is given.
        within : mapping
            What "otherwise alike" means. Column name -> largest difference, or None for equal
            values; (latitude, longitude) -> largest distance in kilometres, degrees in the columns.
        difference, weight : float
            d and w of all these preferences.
        labelled : array-like of bool, shape (n,), optional
            Rows whose target is known: pairs of two of them are left out, for their targets say
            more.
        max_preferences : int, optional
            Draw that many at random where there are more.
        random_state : int, Generator or None, default=0
            For the draw.

        Returns
        -------
        Preferences
            In the order of the row that is above, then of that below.

        Notes
        -----
        Neighbours come from one k-d tree in which each column is divided by its tolerance, places
        being points of the unit sphere: O(n log n) and the pairs found.

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
        above, below = pairs_of_rule(
            frame,
            increasing=increasing,
            decreasing=decreasing,
            within=within,
            labelled=labelled,
            max_preferences=max_preferences,
            random_state=random_state,
        )
        return cls._of(above, below, difference, weight, "order")

    @classmethod
    def from_ordinal(
        cls,
        types: Mapping[Any, Any],
        column: Any,
        frame: pd.DataFrame,
        *,
        decreasing: bool = False,
        within: Mapping[Any, float | None] | None = None,
        difference: float = 0.0,
        weight: float = 1.0,
        labelled: Any = None,
        max_preferences: int | None = 1000,
        random_state: Any = 0,
    ) -> Preferences:
        """Say that the target increases with the levels of an ordinal column.

        Parameters
        ----------
        types : TypeReport
            The report, whose `types[column].order` has the levels, lowest first.
        column : column name
            An ordinal column.
        frame : DataFrame of n rows
            The rows, in the order of the X to be fitted. Levels off the scale are left out.
        decreasing : bool, default=False
            Whether the target decreases instead.
        within : mapping, optional
            As in `from_rule`; by default all rows are alike, and pairs are drawn at random.
        difference, weight, labelled, random_state :
            As in `from_rule`.
        max_preferences : int or None, default=1000
            Most preferences; None, for all of them, needs `within`.

        Returns
        -------
        Preferences

        Examples
        --------
        >>> from types import SimpleNamespace as Type
        >>> types = {"state": Type(order=("poor", "fair", "good"), direction_known=True)}
        >>> frame = pd.DataFrame({"state": ["good", "poor", "poor"]})
        >>> Preferences.from_ordinal(types, "state", frame, max_preferences=5).to_frame()
           above  below  difference  weight   kind
        0      0      1         0.0     1.0  order
        1      0      2         0.0     1.0  order
        """
        ranks = level_ranks(types, column, frame)
        if decreasing:
            ranks = -ranks
        chosen = {
            "labelled": labelled,
            "max_preferences": max_preferences,
            "random_state": random_state,
        }
        above, below = graded_pairs(frame, ranks, within=within, **chosen)
        return cls._of(above, below, difference, weight, "order")

    @classmethod
    def concat(cls, parts: Iterable[Preferences]) -> Preferences:
        """Put lists of preferences one after another."""
        parts = [cls(), *parts]
        for part in parts:
            if not isinstance(part, Preferences):
                raise TypeError(f"expected Preferences, got {type(part).__name__}")
        names = ("above", "below", "difference", "weight", "kind")
        return cls._of(*(np.concatenate([getattr(part, name) for part in parts]) for name in names))

    def __add__(self, other: Any) -> Preferences:
        if not isinstance(other, Preferences):
            return NotImplemented
        return type(self).concat([self, other])

    def __len__(self) -> int:
        return len(self.above)

    def __getitem__(self, chosen: Any) -> Preferences:
        if isinstance(chosen, int | np.integer):
            chosen = [chosen]
        names = ("above", "below", "difference", "weight", "kind")
        return self._of(*(getattr(self, name)[chosen] for name in names))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Preferences) and self.to_frame().equals(other.to_frame())

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"<Preferences: {len(self):,} about {len(self.rows):,} rows>"

    @property
    def rows(self) -> np.ndarray:
        """Rows spoken of, increasing, each once."""
        both = np.unique(np.concatenate([self.above, self.below]))
        return both[both != NO_ROW]

    def sample(self, n: int, *, random_state: Any = 0) -> Preferences:
        """Draw n preferences at random, all where there are no more; their order is kept.

        Examples
        --------
        >>> len(Preferences([(1, 0), (2, 1), (3, 2)]).sample(2))
        2
        """
        if n >= len(self):
            return self
        rng = np.random.default_rng(random_state)
        return self[np.sort(rng.choice(len(self), n, replace=False))]

    def violations(self, values: Any) -> np.ndarray:
        """Tell by how much each preference is violated: max(d - (f(above) - f(below)), 0).

        Parameters
        ----------
        values : array-like of shape (n,)
            Target or prediction of each row.

        Returns
        -------
        ndarray of shape (p,)
            NaN where a value is missing.
        """
        values = np.asarray(values, dtype=float)
        self.check_rows(len(values))
        values = np.append(values, 0.0)  # the last is NO_ROW's
        reached = values[self.above] - values[self.below]
        # 0.3 - 0.1 misses 0.2 by what rounding leaves.
        slack = 1e-12 * (np.abs(values[self.above]) + np.abs(values[self.below]))
        missed = self.difference - reached
        return np.where(missed <= slack, 0.0, missed)

    def share_true(self, values: Any) -> float:
        """Share of the preferences that hold for given targets; missing targets do not count.

        Examples
        --------
        >>> Preferences([(1, 0), (2, 0), (1, 2)]).share_true([1.0, 2.0, 3.0]).__round__(2)
        0.67
        """
        violations = self.violations(values)
        known = ~np.isnan(violations)
        return float(np.mean(violations[known] == 0.0)) if known.any() else float("nan")

    def contradictions(self) -> Contradictions:
        """Find preferences that cannot hold together, such as circles of larger than."""
        strict = self.kind == "order"
        return find_contradictions(self.above, self.below, self.difference, strict)

    def check_rows(self, n_rows: int) -> None:
        """Raise IndexError where a row is not among the first `n_rows`."""
        last = int(max(self.above.max(initial=NO_ROW), self.below.max(initial=NO_ROW)))
        if last >= n_rows:
            at = int(np.argmax(np.maximum(self.above, self.below) >= n_rows))
            raise IndexError(
                f"preference {at} speaks of row {max(self.above[at], self.below[at])}, but there "
                f"are {n_rows} rows, numbered from 0; state the preferences on the rows that are "
                "fitted, or pass their rows as unlabelled="
            )

    def to_frame(self) -> pd.DataFrame:
        """Show the preferences as a frame with a row each; no row is -1."""
        return pd.DataFrame(
            {
                "above": self.above,
                "below": self.below,
                "difference": self.difference,
                "weight": self.weight,
                "kind": np.asarray(self.kind, dtype=object),
            }
        )

    def summary(self) -> str:
        """Count the preferences by what they state, and tell whether they contradict."""
        lines = [f"{len(self):,} preferences about {len(self.rows):,} rows"]
        for kind in KINDS:
            chosen = self.kind == kind
            if chosen.any():
                lines.append(f"  {kind}: {chosen.sum():,}, {self._range(chosen, kind)}")
        lines.append(f"  {self.contradictions()}")
        return "\n".join(lines)

    def _range(self, chosen: np.ndarray, kind: str) -> str:
        bound = kind in ("at least", "at most", "equal to")
        sign = np.where(self.above[chosen] == NO_ROW, -1.0, 1.0) if bound else 1.0
        text = _span("bound" if bound else "difference", sign * self.difference[chosen])
        weight = self.weight[chosen]
        return text if (weight == 1.0).all() else f"{text}, {_span('weight', weight)}"


def _span(name: str, values: np.ndarray) -> str:
    low, high = values.min() + 0.0, values.max() + 0.0
    return f"{name} {low:g}" if low == high else f"{name} {low:g} to {high:g}"


def _read_rows(rows: Any) -> np.ndarray:
    array = np.asarray(rows)
    if array.size == 0:
        return np.zeros(0, dtype=np.intp)
    if array.ndim != 1 or array.dtype.kind not in "iu":
        raise TypeError(
            f"rows must be a list of row numbers, got shape {array.shape} of {array.dtype}; "
            "np.flatnonzero(mask) turns a mask into numbers"
        )
    return _from_zero(array)


def _read_pairs(pairs: Any) -> tuple[np.ndarray, np.ndarray]:
    array = np.asarray(pairs)
    if array.size == 0:
        return np.zeros(0, dtype=np.intp), np.zeros(0, dtype=np.intp)
    if array.ndim != 2 or array.shape[1] != 2 or array.dtype.kind not in "iu":
        raise TypeError(
            "pairs must be row numbers (larger, smaller), shape (p, 2), got shape "
            f"{array.shape} of {array.dtype}"
        )
    array = _from_zero(array)
    return np.ascontiguousarray(array[:, 0]), np.ascontiguousarray(array[:, 1])


def _from_zero(rows: np.ndarray) -> np.ndarray:
    if rows.min() < 0:
        at = int(np.argmax((rows < 0).any(axis=1) if rows.ndim == 2 else rows < 0))
        raise ValueError(f"rows are numbered from 0, got {rows[at].tolist()} at position {at}")
    return rows.astype(np.intp)


def _numbers(values: Any, p: int, name: str) -> np.ndarray:
    array = np.asarray(values, dtype=float)
    if array.ndim > 1 or (array.ndim == 1 and len(array) != p):
        raise ValueError(
            f"{name} must be one number or one for each of the {p} preferences, got shape "
            f"{array.shape}"
        )
    array = np.broadcast_to(array, p)
    if not np.isfinite(array).all():
        at = int(np.argmin(np.isfinite(array)))
        raise ValueError(f"{name} must be finite, got {array[at]} at preference {at}")
    return array


def _bounds(bound: Any | Callable[[Any], Any], rows: np.ndarray, frame: Any) -> np.ndarray:
    if callable(bound):
        if frame is None:
            raise TypeError("a bound that is a function needs frame=, whose rows it is called with")
        chosen = frame.iloc[rows] if hasattr(frame, "iloc") else np.asarray(frame)[rows]
        bound = bound(chosen)
    return _numbers(bound, len(rows), "bound")
