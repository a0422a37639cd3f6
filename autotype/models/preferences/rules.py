"""Read rules about the columns of a frame: the ranks of the rows, and which of them match.

Rows of different rank that match are paired: all such pairs, or a random sample. A rule such as "of
two similar flats the larger costs more" is about pairs of rows that are close in other columns.
Testing all n^2 pairs is too slow for more than some thousands of rows: a k-d tree finds the
candidates, and a sample is drawn by rejection where most pairs match.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from numbers import Real
from typing import Any

import numpy as np
import pandas as pd
from scipy.spatial import cKDTree

from autotype.errors import UnknownColumnError
from autotype.models.targets import ranks_among
from autotype.wording import format_some

UNRANKED = -1
EARTH_RADIUS_KM = 6371.0088  # the mean radius
_MOST_DEGREES = 90, 360  # of latitude and longitude

_TOLERANCE = 1e-9  # relative to a limit: 34.2 and 34.1 are within 0.1
_EPSILON = float(np.finfo(float).eps)
_CHUNK = 2_000_000  # candidate pairs held at a time
_COUNTED_ROWS = 2_000  # rows whose neighbours are counted to estimate the number of pairs
_MAX_PAIRS = 20_000_000  # half a gigabyte as preferences
_MAX_DRAWN = 1_000_000  # pairs drawn at a time

Pairs = tuple[np.ndarray, np.ndarray]


# Two rows match if their values are at most so far apart, in Euclidean distance: finite values of
# shape (n, k), and a limit >= 0, which may be infinite.
Condition = tuple[np.ndarray, float]


def pairs_of_ranks(
    frame: pd.DataFrame,
    ranks: np.ndarray,
    within: Mapping[Any, Any] | None,
    *,
    labelled: Any,
    max_preferences: int | None,
    random_state: Any,
    adjacent: bool = False,
) -> Pairs:
    """Pair rows (above, below) by rank among those that match; see `Preferences.from_rule`."""
    if max_preferences is not None and max_preferences < 0:
        raise ValueError(f"max_preferences must be >= 0 or None, got {max_preferences}")
    labelled = np.zeros(len(frame), dtype=bool) if labelled is None else np.asarray(labelled)
    if labelled.shape != (len(frame),) or labelled.dtype.kind != "b":
        raise ValueError(
            f"labelled must be a mask of the {len(frame)} rows, such as frame[target].notna(), "
            f"got shape {labelled.shape} of {labelled.dtype}"
        )
    conditions = [_condition(frame, key, limit) for key, limit in (within or {}).items()]
    usable = ranks != UNRANKED
    for values, _ in conditions:
        usable &= np.isfinite(values).all(axis=1)
    rows = np.flatnonzero(usable)
    matched = [(values[rows], limit) for values, limit in conditions]
    pairs = MatchedPairs(ranks[rows], matched, labelled=labelled[rows], adjacent=adjacent)
    above, below = pairs.sample(max_preferences, random_state)
    return rows[above], rows[below]


def read_frame(frame: Any) -> pd.DataFrame:
    """Return a pandas frame as it is, and an array as a frame with columns numbered from 0."""
    if isinstance(frame, pd.DataFrame):
        return frame
    if isinstance(frame, np.ndarray) and frame.ndim == 2:
        return pd.DataFrame(frame)
    raise TypeError(
        "frame must be a pandas DataFrame or an array of two dimensions, got "
        f"{type(frame).__name__}; other dataframes have to_pandas()"
    )


def ranks_of_rule(frame: pd.DataFrame, increasing: Any, decreasing: Any) -> np.ndarray:
    """Rank the rows by the column with which the target increases or decreases."""
    if (increasing is None) == (decreasing is None):
        raise TypeError("pass one column, either as increasing= or as decreasing=")
    name = decreasing if increasing is None else increasing
    values = pd.Series(_numbers(_column(frame, name), "the ranks of rows"))
    ranks = values.rank(method="dense", ascending=decreasing is None)
    return ranks.fillna(0).to_numpy(dtype=np.intp) - 1  # UNRANKED where missing


def ranks_of_levels(
    types: Any, column: Any, frame: pd.DataFrame, decreasing: bool | None
) -> np.ndarray:
    """Rank the rows by the levels of an ordinal column; other values are unranked."""
    typed = types[column] if isinstance(types, Mapping) else types
    order = typed.order
    if order is None:
        raise ValueError(
            f"column {column!r} is not ordinal in these types, but {typed.semantic_type}; where "
            f"you know its order, type it again with infer_types(known={{{column!r}: [...]}})"
        )
    if decreasing is None and not typed.direction_known:
        raise ValueError(
            f"column {column!r} has the order {order!r}, but which end is the low one is not "
            "known; pass decreasing=False if the target increases in this order, else True"
        )
    levels = list(reversed(order) if decreasing else order)
    return ranks_among(levels, _column(frame, column))  # UNRANKED for other values


def _condition(frame: pd.DataFrame, key: Any, limit: Any) -> Condition:
    """Read one entry of within=; values are NaN or infinite if a row does not match any other."""
    if isinstance(key, tuple) and len(key) == 2 and key not in list(frame.columns):
        return _place(frame, key, _limit(key, limit))
    column = _column(frame, key)
    if limit is None:
        codes = pd.factorize(column)[0][:, None]
        return np.where(codes < 0, np.nan, codes), 0.0
    if column.dtype.kind in "mM":
        if isinstance(limit, Real):
            raise TypeError(
                f"column {key!r} holds times, so that within[{key!r}] must be a span such as "
                f"pd.Timedelta(days=30), got {limit!r}"
            )
        limit = pd.Timedelta(limit).total_seconds()
    return _numbers(column, "a largest difference")[:, None], _limit(key, limit)


def _place(frame: pd.DataFrame, key: tuple[Any, Any], kilometres: float) -> Condition:
    """Return the condition that two places are within a great-circle distance.

    On the unit sphere an arc of the angle t spans a chord of length 2 sin(t / 2), which grows with
    t: a Euclidean distance without a discontinuity at 180 degrees or at the poles.
    """
    degrees = np.column_stack([_numbers(_column(frame, name), "degrees") for name in key])
    beyond = np.argwhere(np.abs(degrees) > _MOST_DEGREES)
    if len(beyond):
        row, side = beyond[0]
        raise ValueError(
            f"a place is (latitude, longitude) in degrees, but column {key[side]!r} holds "
            f"{degrees[row, side]:g} at row {row}, beyond {_MOST_DEGREES[side]}"
        )
    phi, theta = np.radians(degrees).T
    points = [np.cos(phi) * np.cos(theta), np.cos(phi) * np.sin(theta), np.sin(phi)]
    half_angle = min(kilometres / (2 * EARTH_RADIUS_KM), np.pi / 2)
    return np.column_stack(points), float(2 * np.sin(half_angle))


def _limit(key: Any, limit: Any) -> float:
    if not isinstance(limit, Real):
        raise TypeError(
            f"within[{key!r}] must be a number, or None for equal values, got {limit!r}"
        )
    number = float(limit)
    if not number >= 0:
        raise ValueError(f"within[{key!r}] must be >= 0, or None for equal values, got {limit!r}")
    return number


def _column(frame: pd.DataFrame, name: Any) -> pd.Series:
    places = [j for j, other in enumerate(frame.columns) if other == name]
    if len(places) != 1:
        raise UnknownColumnError(
            f"the frame has no column {name!r}; its own are {format_some(list(frame.columns))}"
            if not places
            else f"the frame has {len(places)} columns {name!r}; give them names of their own"
        )
    return frame.iloc[:, places[0]]


def _numbers(column: pd.Series, purpose: str) -> np.ndarray:
    """Return a column as numbers, NaN if missing: codes of ordered levels, seconds of dates."""
    dtype = column.dtype
    if isinstance(dtype, pd.CategoricalDtype) and dtype.ordered:
        codes = column.cat.codes.to_numpy(dtype=float)
        return np.where(codes < 0, np.nan, codes)
    if dtype.kind == "M":
        column = column - column.min()
    if column.dtype.kind == "m":
        return column.dt.total_seconds().to_numpy(dtype=float, na_value=np.nan)
    kind = pd.api.types.infer_dtype(column, skipna=True)
    if kind not in ("integer", "floating", "mixed-integer-float", "decimal", "boolean", "empty"):
        raise TypeError(
            f"column {column.name!r} holds {kind}, which gives no numbers for {purpose}; use "
            "numbers, dates or an ordered Categorical, in within= None for equal values, and "
            "Preferences.from_ordinal for levels with an inferred order"
        )
    return column.to_numpy(dtype=float, na_value=np.nan)


class MatchedPairs:
    """Pairs (above, below) of rows that match in all conditions, the first of the higher rank.

    One k-d tree holds the coordinates of all conditions, so that a box around a point holds all
    rows that match it. The box is larger in its corners: the conditions decide for each candidate.

    Parameters
    ----------
    ranks : ndarray of int, shape (n,)
        Rank of each row.
    conditions : list of Condition
        Which rows match; without a condition all do.
    labelled : ndarray of bool, shape (n,)
        Pairs of two labelled rows are dropped.
    adjacent : bool
        Whether the ranks of a pair must be neighbours.
    """

    def __init__(
        self,
        ranks: np.ndarray,
        conditions: Sequence[Condition],
        *,
        labelled: np.ndarray,
        adjacent: bool,
    ) -> None:
        self.ranks, self.labelled, self.adjacent = ranks, labelled, adjacent
        self.n_rows = len(ranks)
        # The limits have a tolerance for rounding.
        self.conditions = [
            (v, limit * (1 + _TOLERANCE) + 4 * _EPSILON * np.abs(v).max(initial=0.0))
            for v, limit in conditions
            if np.isfinite(limit)
        ]
        self.tree: cKDTree | None = None
        if self.conditions and self.n_rows:
            # At most 1 apart in each coordinate if their rows match.
            points = np.hstack([values / (reach or 1.0) for values, reach in self.conditions])
            self.tree = cKDTree(points)
            self.radius = 1.0 + 4 * _EPSILON * float(np.abs(points).max())

    @cached_property
    def n_candidates(self) -> int:
        """Number of ordered pairs in the boxes, a row with itself included; estimated if large."""
        if self.tree is None:
            return self.n_rows**2
        # Every k-th row in tree order, which covers the space evenly.
        sample = self.tree.indices[:: max(1, self.n_rows // _COUNTED_ROWS)]
        sample_tree = cKDTree(self.tree.data[sample])
        count = int(sample_tree.count_neighbors(self.tree, self.radius, p=np.inf))
        return count * self.n_rows // len(sample)

    def _candidates(self) -> Iterator[Pairs]:
        """Yield the ordered pairs in the boxes, in chunks of bounded size."""
        chunk_size = max(1, _CHUNK * self.n_rows // max(self.n_candidates, 1))
        rows = np.arange(self.n_rows) if self.tree is None else self.tree.indices
        for begin in range(0, self.n_rows, chunk_size):
            chunk = rows[begin : begin + chunk_size]
            if self.tree is None:
                yield np.repeat(chunk, self.n_rows), np.tile(rows, len(chunk))
                continue
            # Neighbours in the tree are neighbours in space: a tree of the chunk alone is compact.
            neighbours = cKDTree(self.tree.data[chunk]).sparse_distance_matrix(
                self.tree, self.radius, p=np.inf, output_type="ndarray"
            )
            yield chunk[neighbours["i"]], neighbours["j"]

    def sample(self, n_max: int | None, random_state: Any) -> Pairs:
        """Return all pairs, or `n_max` of them drawn at random if there are more.

        Returns
        -------
        above, below : ndarray of int
            Rows of each pair, in lexicographic order.

        Raises
        ------
        ValueError
            If `n_max` is None and there are more than 20 million.
        """
        codes = None if n_max is None else self._draw(n_max, np.random.default_rng(random_state))
        if codes is None:
            codes = self._all(_MAX_PAIRS if n_max is None else None)
            if n_max is not None and len(codes) > n_max:
                rng = np.random.default_rng(random_state)
                codes = codes[rng.choice(len(codes), n_max, replace=False)]
        above, below = np.divmod(np.sort(codes), max(self.n_rows, 1))
        return above.astype(np.intp), below.astype(np.intp)

    def _filter(self, first: np.ndarray, second: np.ndarray) -> np.ndarray:
        """Return the codes, above * n + below, of the pairs that are in order and match."""
        low, high = self.ranks[second], self.ranks[first]
        keep = high == low + 1 if self.adjacent else high > low
        keep &= ~(self.labelled[first] & self.labelled[second])
        for values, reach in self.conditions:
            first, second = first[keep], second[keep]
            apart = values[first] - values[second]
            distance = np.abs(apart[:, 0]) if apart.shape[1] == 1 else np.linalg.norm(apart, axis=1)
            keep = distance <= reach
        return first[keep].astype(np.int64) * self.n_rows + second[keep]

    def _all(self, limit: int | None) -> np.ndarray:
        """Return the codes of all pairs; raise ValueError beyond the limit."""
        chunks, count = [np.zeros(0, dtype=np.int64)], 0
        for first, second in self._candidates():
            chunks.append(self._filter(first, second))
            count += len(chunks[-1])
            if limit is not None and count > limit:
                raise ValueError(
                    f"more than {limit:,} pairs of rows match; pass max_preferences= to draw "
                    "some of them, or smaller differences in within="
                )
        return np.concatenate(chunks)

    def _draw(self, n_max: int, rng: np.random.Generator) -> np.ndarray | None:
        """Draw pairs by rejection; return None if filtering all candidates costs less."""
        n, n_candidates = self.n_rows, self.n_candidates
        # A random pair is a candidate with probability n_candidates / n^2; the factor 4 is a margin
        # for ties, labelled pairs and the corners of the boxes.
        expected = 4 * n_max * n * n / max(n_candidates, 1)
        if expected >= n_candidates:
            return None
        codes = np.zeros(0, dtype=np.int64)
        size = int(min(max(expected, 1000), _MAX_DRAWN))
        for _ in range(n_candidates // size):
            first, second = rng.integers(n, size=(2, size))
            down = self.ranks[first] < self.ranks[second]
            first, second = np.where(down, second, first), np.where(down, first, second)
            codes = np.append(codes, self._filter(first, second))
            # The first occurrence of each, in the order drawn: all pairs are equally likely.
            codes = codes[np.sort(np.unique(codes, return_index=True)[1])]
            if len(codes) >= n_max:
                return codes[:n_max]
        return None
