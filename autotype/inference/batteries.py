"""Columns that share one set of levels and a name's stem, as in a Likert battery.

Such a block has one scale: its columns are judged together, by their mean log odds, and share one
order, the one with the highest weight over all columns.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Mapping

import numpy as np

from autotype.inference.candidate import CandidateEvidence
from autotype.inference.order_choice import BatteryOrder, follows_data
from autotype.inference.order_search import order_log_weights

_LEAST_COLUMNS = 3


def find_blocks(evidence: Mapping[int, CandidateEvidence]) -> list[tuple[int, ...]]:
    """Find blocks of columns: the same levels, and names that differ in a number or letter.

    Parameters
    ----------
    evidence : mapping
        Position -> evidence of each candidate.

    Returns
    -------
    list of tuple of int
        Positions, at least three a block.
    """
    groups: dict[tuple, list[int]] = {}
    for position, candidate in evidence.items():
        key = (stem(candidate.name), frozenset(candidate.levels), candidate.judged is None)
        groups.setdefault(key, []).append(position)
    return [
        tuple(group) for key, group in groups.items() if key[0] and len(group) >= _LEAST_COLUMNS
    ]


def stem(name: Hashable) -> str:
    """Strip the number or letter that tells the columns of a block apart.

    Examples
    --------
    >>> stem("ST25Q01"), stem("mood_3b"), stem("q_a"), stem("age")
    ('st25q', 'mood', 'q', 'age')
    """
    text = str(name[-1] if isinstance(name, tuple) and name else name)
    match = re.fullmatch(r"(.*?\D)[\W_]*\d+[a-z]?", text) or re.fullmatch(
        r"(.+)[\W_][a-zA-Z]", text
    )
    return (match.group(1).rstrip("_-. ") if match else text).lower()


def pooled_order(block: list[CandidateEvidence]) -> BatteryOrder | None:
    """Find the order of levels that fits all columns of a block best.

    Parameters
    ----------
    block : list of CandidateEvidence
        Columns with the same levels.

    Returns
    -------
    BatteryOrder or None
        The best of the few best orders of each column; None where labels give the order or no
        column can be predicted.
    """
    voters = [(c, c.data) for c in block if c.data is not None and c.data.predictable]
    if not voters or not all(follows_data(candidate) for candidate in block):
        return None
    levels = block[0].levels
    found = {tuple(c.levels[k] for k in order) for c, data in voters for order in data.log_weights}
    orders = sorted(found, key=lambda order: [levels.index(level) for level in order])
    total = np.zeros(len(orders))
    for candidate, data in voters:
        codes = np.array([[candidate.levels.index(v) for v in order] for order in orders])
        total += order_log_weights(data.between, codes)
    gain = max(data.ordinal_gain for _, data in voters)
    return BatteryOrder(orders[int(np.argmax(total))], gain)
