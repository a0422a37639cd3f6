"""Pair rows of different rank that are otherwise alike: all such pairs, or some at random."""

from __future__ import annotations

from typing import Any

import numpy as np

from autotype.preferences.matched_rows import AlikeRows, Pairs

UNRANKED = -1

_MOST_PAIRS = 20_000_000  # half a gigabyte as preferences
_DRAWN = 1_000_000  # pairs drawn at a time


class GradedPairs:
    """Pairs (above, below) of rows that are alike and of which the first has the higher rank.

    Parameters
    ----------
    ranks : ndarray of int, shape (n,)
        Rank of each row, `UNRANKED` for rows that are in no pair.
    alike : AlikeRows
        Which rows may be paired.
    labelled : ndarray of bool, shape (n,), or None
        Pairs of two of these are left out.
    adjacent : bool
        Whether the ranks of a pair must be neighbours.
    """

    def __init__(
        self, ranks: np.ndarray, alike: AlikeRows, labelled: np.ndarray | None, adjacent: bool
    ) -> None:
        self.ranks, self.alike, self.labelled, self.adjacent = ranks, alike, labelled, adjacent

    def choose(self, most: int | None, random_state: Any) -> Pairs:
        """Give all pairs, or `most` of them drawn at random where there are more.

        Returns
        -------
        above, below : ndarray of int
            In their order.

        Raises
        ------
        ValueError
            If `most` is None and there are more than 20 million.
        """
        codes = None if most is None else self._draw(most, np.random.default_rng(random_state))
        if codes is None:
            codes = self._all(_MOST_PAIRS if most is None else None)
            if most is not None and len(codes) > most:
                chosen = np.random.default_rng(random_state).choice(len(codes), most, replace=False)
                codes = codes[chosen]
        above, below = np.divmod(np.sort(codes), max(self.alike.n_rows, 1))
        return above.astype(np.intp), below.astype(np.intp)

    def _keep(self, first: np.ndarray, second: np.ndarray) -> np.ndarray:
        """Choose the pairs that are graded and alike, as above * n + below, in the order given."""
        low = self.ranks[second]
        keep = low != UNRANKED
        keep &= self.ranks[first] == low + 1 if self.adjacent else self.ranks[first] > low
        if self.labelled is not None:
            keep &= ~(self.labelled[first] & self.labelled[second])
        first, second = first[keep], second[keep]
        alike = self.alike.holds(first, second)
        return first[alike].astype(np.int64) * self.alike.n_rows + second[alike]

    def _all(self, limit: int | None) -> np.ndarray:
        pieces, count = [np.zeros(0, dtype=np.int64)], 0
        for first, second in self.alike.candidates():
            pieces.append(self._keep(first, second))
            count += len(pieces[-1])
            if limit is not None and count > limit:
                raise ValueError(
                    f"more than {limit:,} pairs of rows are alike; pass max_preferences= to draw "
                    "some of them, or smaller differences in within="
                )
        return np.concatenate(pieces)

    def _draw(self, most: int, rng: np.random.Generator) -> np.ndarray | None:
        """Draw pairs of any rows until enough are wanted ones; None where trying all costs less."""
        n, n_candidates = self.alike.n_rows, self.alike.n_candidates
        expected = 4 * most * n * n / max(n_candidates, 1)
        if expected >= n_candidates:
            return None
        codes = np.zeros(0, dtype=np.int64)
        size = int(min(max(expected, 1000), _DRAWN))
        for _ in range(n_candidates // size):
            first, second = rng.integers(n, size=(2, size))
            down = self.ranks[first] < self.ranks[second]
            first, second = np.where(down, second, first), np.where(down, first, second)
            codes = np.append(codes, self._keep(first, second))
            # The first of each, in the order drawn, so that all are equally likely.
            codes = codes[np.sort(np.unique(codes, return_index=True)[1])]
            if len(codes) >= most:
                return codes[:most]
        return None
