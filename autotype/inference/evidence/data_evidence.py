"""DataEvidence: what the other columns of a frame show of one column."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from autotype.inference.evidence.between_scatter import BetweenScatter
from autotype.inference.evidence.order_search import order_log_weights, up_to_reversal
from autotype.inference.learned import load_learned


@dataclass(frozen=True)
class DataEvidence:
    """The evidence of the other columns on one column.

    Attributes
    ----------
    order : tuple of int
        Codes of the levels along the best order, up to reversal.
    log_weights : mapping
        Order -> log posterior weight, best first, for the best few and the suggested order.
    ties : tuple of tuple of int
        Stretches of `order` whose levels the data leave open.
    scatter : BetweenScatter
        Positions of the levels relative to each other.
    features : mapping
        The numbers on type and order that the models weigh, by name; 0 where one cannot be
        computed: those of `autotype.types.codec.evidence_keys`, as they are before `type_features`
        scales them, and ``monotone_share`` and ``canonical_agrees``.
    numbers : mapping
        What the report shows besides, by the names of `autotype.types.codec.evidence_keys`;
        ``data_order`` in codes.
    n_rows : int
        Rows of the data.
    """

    order: tuple[int, ...]
    log_weights: Mapping[tuple[int, ...], float]
    ties: tuple[tuple[int, ...], ...]
    scatter: BetweenScatter
    features: Mapping[str, float]
    numbers: Mapping[str, Any]
    n_rows: int

    @property
    def predictable(self) -> bool:
        """Whether the other columns predict this one at all, judged by the multi-class model."""
        return self.features["predictability"] >= load_learned().min_predictability_z

    @property
    def ordinal_gain(self) -> float:
        """Gain of the ordinal model over the proportions of levels, in leave-one-out nats."""
        rows = self.numbers["effective_rows"]
        return rows * (self.numbers["loo_ordinal"] - self.numbers["loo_baseline"])

    @property
    def inflation(self) -> float:
        """How many of its dependent rows say as much as an independent one."""
        return self.n_rows / self.numbers["effective_rows"]

    def log_weight(self, order: tuple[int, ...]) -> float:
        """Compute the log posterior weight of any order of the levels, up to reversal."""
        both = np.array([self.order, order])
        best, other = order_log_weights(self.scatter, both)
        return self.log_weights[self.order] + float(other - best)

    def gap(self, order: tuple[int, ...]) -> float:
        """Return by how much an order's log weight is below the best; NaN if it was not kept."""
        return self.log_weights[self.order] - self.log_weights.get(up_to_reversal(order), np.nan)
