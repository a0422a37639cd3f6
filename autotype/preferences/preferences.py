"""Order preferences: what is known of rows whose target is not."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from autotype.preferences.reading import (
    read_bounds,
    read_label_pairs,
    read_numbers,
    read_pairs,
    read_rows,
    read_weights,
)
from autotype.preferences.rules import (
    level_ranks,
    pairs_of_ranks,
    ranks_of_rule,
    read_frame,
)
from autotype.preferences.solvers.problem import NO_ROW
from autotype.preferences.table import PreferenceTable


class Preferences(PreferenceTable):
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
        above, below = read_pairs(pairs)
        self._set(above, below, difference, weight, "order")

    @classmethod
    def from_labels(
        cls, frame: Any, pairs: Any, *, difference: Any = 0.0, weight: Any = 1.0
    ) -> Preferences:
        """Name the rows by the labels of a frame's index; they are turned into row numbers.

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
        return cls(read_label_pairs(frame, pairs), difference, weight)

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
        rows = read_rows(rows)
        limits = read_bounds(bound, rows, frame)
        return cls._of(rows, np.full_like(rows, NO_ROW), limits, weight, "at least")

    @classmethod
    def at_most(cls, rows: Any, bound: Any, *, frame: Any = None, weight: Any = 1.0) -> Preferences:
        """Wish f(x) <= bound.

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
        rows = read_rows(rows)
        limits = -read_bounds(bound, rows, frame)
        return cls._of(np.full_like(rows, NO_ROW), rows, limits, weight, "at most")

    @classmethod
    def equal_to(
        cls, rows: Any, value: Any, *, frame: Any = None, weight: Any = 1.0
    ) -> Preferences:
        """Wish f(x) = value, two preferences a row.

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
        """Wish low <= f(first) - f(second) <= high, two preferences a pair.

        Parameters
        ----------
        pairs : array-like of int, shape (p, 2)
            Rows.
        low, high : float or array-like of shape (p,)
            Ends of the band, low <= high.
        weight : float or array-like of shape (p,), default=1.0
            How sure the statement is.

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
        first, second = read_pairs(pairs)
        p = len(first)
        low, high = read_numbers(low, p, "low"), read_numbers(high, p, "high")
        if (low > high).any():
            at = int(np.argmax(low > high))
            raise ValueError(
                f"a band's low end must not be above its high end, got {low[at]:g} and "
                f"{high[at]:g} at pair {at}"
            )
        weight = np.tile(read_weights(weight, p), 2)
        above, below = np.append(first, second), np.append(second, first)
        return cls._of(above, below, np.append(low, -high), weight, "band")

    @classmethod
    def equal(cls, pairs: Any, *, weight: Any = 1.0) -> Preferences:
        """Wish f(first) = f(second), two preferences a pair.

        Parameters
        ----------
        pairs : array-like of int, shape (p, 2)
            Rows.
        weight : float or array-like of shape (p,), default=1.0
            How sure the statement is.

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
        """Wish |f(first) - f(second)| <= within, two preferences a pair.

        Parameters
        ----------
        pairs : array-like of int, shape (p, 2)
            Rows.
        within : float or array-like of shape (p,)
            How far apart they may be, >= 0.
        weight : float or array-like of shape (p,), default=1.0
            How sure the statement is.

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
        """Say that among rows that are otherwise alike, the target goes with one column.

        Parameters
        ----------
        frame : DataFrame of n rows, or array of shape (n, k)
            The rows, in the order of the X to be fitted. A missing value is like no other.
        increasing : column name, optional
            Column that the target increases with: numbers, dates or an ordered Categorical. Rows
            with equal values are not paired.
        decreasing : column name, optional
            The same where the target decreases; exactly one of the two is given.
        within : mapping
            What "otherwise alike" means. Column -> largest difference (a Timedelta for dates,
            a count of levels for an ordered Categorical), or None for equal values;
            (latitude, longitude) -> largest great-circle distance in kilometres, the columns
            holding degrees. An empty mapping takes all rows as alike.
        difference, weight : float
            d and w of all these preferences.
        labelled : array-like of bool, shape (n,), optional
            Rows whose target is known: pairs of two of them are left out, for their targets say
            more.
        max_preferences : int, optional
            Draw that many at random where there are more, all equally likely.
        random_state : int, Generator or None, default=0
            For the draw.

        Returns
        -------
        Preferences
            In the order of the row that is above, then of that below.

        Raises
        ------
        UnknownColumnError
            For a name that is no column, or several.
        ValueError
            If there are more than 20 million pairs and no `max_preferences`.

        Notes
        -----
        Neighbours come from one k-d tree in which each column is divided by its largest
        difference, places being points of the unit sphere: O(n log n) and the pairs found. A
        difference that exceeds the largest by no more than rounding is allowed.

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
        frame = read_frame(frame)
        above, below = pairs_of_ranks(
            frame,
            ranks_of_rule(frame, increasing, decreasing),
            within=within,
            labelled=labelled,
            adjacent=False,
            max_preferences=max_preferences,
            random_state=random_state,
        )
        return cls._of(above, below, difference, weight, "order")

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
        """Say that the target increases with the levels of an ordinal column.

        Parameters
        ----------
        types : TypeReport or ColumnType
            What `infer_types` found; the column's `order` has its levels, lowest first.
        column : column name
            An ordinal column.
        frame : DataFrame of n rows
            The rows, in the order of the X to be fitted. Levels off the scale are left out.
        decreasing : bool, optional
            Whether the target decreases instead. Must be given where the types do not know which
            end of the order is the low one.
        within : mapping, optional
            Which rows are alike, as in `from_rule`; by default all are.
        adjacent : bool, default=False
            Pair neighbouring levels only, not all.
        difference, weight, labelled, random_state :
            As in `from_rule`.
        max_preferences : int or None, default=1000
            Draw that many at random where there are more; None for all of them.

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
        frame = read_frame(frame)
        above, below = pairs_of_ranks(
            frame,
            level_ranks(types, column, frame, decreasing),
            within=within,
            labelled=labelled,
            adjacent=adjacent,
            max_preferences=max_preferences,
            random_state=random_state,
        )
        return cls._of(above, below, difference, weight, "order")
