"""A list of order preferences: how they are held, counted, chosen and checked."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Self

import numpy as np
import pandas as pd

from autotype.preferences.contradictions import Contradictions, find_contradictions
from autotype.preferences.reading import read_numbers, read_weights
from autotype.preferences.solvers.problem import NO_ROW
from autotype.preferences.summary import summarise_preferences

_FIELDS = ("above", "below", "difference", "weight", "kind")


class PreferenceTable:
    """Tuples (above, below, d, w) with what was stated by them; see `Preferences`."""

    above: np.ndarray
    below: np.ndarray
    difference: np.ndarray
    weight: np.ndarray
    kind: np.ndarray

    @classmethod
    def _of(cls, above: Any, below: Any, difference: Any, weight: Any, kind: Any) -> Self:
        made = cls.__new__(cls)
        made._set(above, below, difference, weight, kind)
        return made

    def _set(self, above: Any, below: Any, difference: Any, weight: Any, kind: Any) -> None:
        p = len(above)
        self.above, self.below = above, below
        self.difference = read_numbers(difference, p, "difference")
        self.weight = read_weights(weight, p)
        self.kind = np.broadcast_to(np.asarray(kind, dtype="<U8"), p)

    def _as(self, kind: str) -> Self:
        """Remember that these tuples state something else."""
        return self._of(self.above, self.below, self.difference, self.weight, kind)

    @classmethod
    def concat(cls, parts: Iterable[PreferenceTable]) -> Self:
        """Put lists of preferences one after another.

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
        >>> from autotype import Preferences
        >>> Preferences.concat([Preferences([(1, 0)]), Preferences.at_most([1], 3.0)])
        <Preferences: 2 about 2 rows>
        """
        parts = list(parts)
        for part in parts:
            if not isinstance(part, PreferenceTable):
                raise TypeError(f"expected Preferences, got {type(part).__name__}")
        if not parts:
            nothing = np.zeros(0, dtype=np.intp)
            return cls._of(nothing, nothing, 0.0, 1.0, "order")
        columns = (np.concatenate([getattr(part, name) for part in parts]) for name in _FIELDS)
        return cls._of(*columns)

    def __add__(self, other: Any) -> Self:
        if not isinstance(other, PreferenceTable):
            return NotImplemented
        return self.concat([self, other])

    def __len__(self) -> int:
        return len(self.above)

    def __getitem__(self, chosen: Any) -> Self:
        """Choose by a position, a slice, positions or a mask."""
        if isinstance(chosen, int | np.integer):
            chosen = [chosen]
        return self._of(*(getattr(self, name)[chosen] for name in _FIELDS))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, PreferenceTable):
            return NotImplemented
        return all(np.array_equal(getattr(self, name), getattr(other, name)) for name in _FIELDS)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {len(self):,} about {len(self.rows):,} rows>"

    @property
    def rows(self) -> np.ndarray:
        """Rows spoken of, increasing, each once."""
        both = np.unique(np.concatenate([self.above, self.below]))
        return both[both != NO_ROW]

    def sample(self, n: int, *, random_state: Any = 0) -> Self:
        """Draw n preferences at random, all where there are no more; their order is kept.

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
        >>> from autotype import Preferences
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
        """Tell by how much each preference is violated: max(d - (f(above) - f(below)), 0).

        Parameters
        ----------
        values : array-like of shape (n,)
            Target or prediction of each row.

        Returns
        -------
        ndarray of shape (p,)
            NaN where a value is missing; 0 for what only rounding misses.

        Raises
        ------
        IndexError
            If a preference speaks of a row that has no value.

        Examples
        --------
        >>> from autotype import Preferences
        >>> Preferences([(1, 0), (0, 2)], difference=0.5).violations([1.0, 2.0, 3.0])
        array([0. , 2.5])
        """
        values = np.asarray(values, dtype=float)
        if values.ndim != 1:
            raise ValueError(f"values must have one dimension, got shape {values.shape}")
        self.check_rows(len(values))
        values = np.append(values, 0.0)  # the last is NO_ROW's
        reached = values[self.above] - values[self.below]
        # 0.3 - 0.1 misses 0.2 by what rounding leaves.
        slack = 1e-12 * (np.abs(values[self.above]) + np.abs(values[self.below]))
        missed = self.difference - reached
        return np.where(missed <= slack, 0.0, missed)

    def share_true(self, values: Any) -> float:
        """Share of the preferences that hold for given targets; missing targets do not count.

        Parameters
        ----------
        values : array-like of shape (n,)
            Target of each row, where it is known.

        Returns
        -------
        float
            In [0, 1], without regard to the weights; NaN where no preference can be judged.

        Examples
        --------
        >>> from autotype import Preferences
        >>> Preferences([(1, 0), (2, 0), (1, 2)]).share_true([1.0, 2.0, 3.0]).__round__(2)
        0.67
        """
        violations = self.violations(values)
        known = ~np.isnan(violations)
        return float(np.mean(violations[known] == 0.0)) if known.any() else float("nan")

    def contradictions(self) -> Contradictions:
        """Find preferences that cannot hold together, such as circles of larger than.

        Returns
        -------
        Contradictions
            Their count and one example; false where there are none. A circle of preferences that
            only say which is larger counts, one that states equality does not.

        Examples
        --------
        >>> from autotype import Preferences
        >>> found = Preferences([(0, 1), (1, 2), (2, 0), (3, 0)]).contradictions()
        >>> found.count, found.rows
        (1, (0, 1, 2))
        """
        larger = (self.kind == "order") & (self.difference == 0.0)
        return find_contradictions(self.above, self.below, self.difference, larger)

    def check_rows(self, n_rows: int) -> None:
        """Raise IndexError where a row is not among the first `n_rows`."""
        last = np.maximum(self.above, self.below)
        if last.max(initial=NO_ROW) >= n_rows:
            at = int(np.argmax(last >= n_rows))
            raise IndexError(
                f"preference {at} speaks of row {last[at]}, but there are {n_rows} rows, numbered "
                "from 0; state the preferences on the rows that are fitted, or pass their rows as "
                "unlabelled="
            )

    def to_frame(self) -> pd.DataFrame:
        """Show the preferences as a frame with a row each.

        Returns
        -------
        pandas.DataFrame
            Columns ``above``, ``below`` (-1 where a bound has no row), ``difference``, ``weight``
            and ``kind``.

        Examples
        --------
        >>> from autotype import Preferences
        >>> Preferences([(3, 0)], difference=0.5).to_frame()
           above  below  difference  weight   kind
        0      3      0         0.5     1.0  order
        """
        columns = {name: getattr(self, name) for name in _FIELDS}
        return pd.DataFrame({**columns, "kind": self.kind.astype(object)})

    def summary(self) -> str:
        """Count the preferences by what they state, and tell whether they contradict.

        Returns
        -------
        str
            A line for each kind, and one for contradictions.

        Examples
        --------
        >>> from autotype import Preferences
        >>> print(Preferences([(1, 0), (2, 1)]).summary())
        2 preferences about 3 rows
          order: 2, difference 0
          no contradictions
        """
        return summarise_preferences(
            self.above,
            self.difference,
            self.weight,
            self.kind,
            n_rows=len(self.rows),
            contradictions=self.contradictions(),
        )
