"""Reading: the places that one rule finds for the labels of a column, and when they suffice."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Reading:
    """How one rule reads the labels of a column.

    Attributes
    ----------
    rule : str
        The rule's name in `RULES`.
    ranks : dict
        Index of a label -> its place on the scale; any sortable value, all distinct.
    direction_known, detail, cyclic
        As in `LabelEvidence`.
    weak : bool
        Whether the words are often mere names, so that other rules go first.
    n_ranks : int
        Number of ranks of the vocabulary's scale that the places are of; 0 of others.
    beside : dict
        Index of a label without a place -> that of the label which means nearly the same.
    """

    rule: str
    ranks: dict[int, Any] = field(default_factory=dict)
    direction_known: bool = True
    detail: str = ""
    cyclic: bool = False
    weak: bool = False
    n_ranks: int = 0
    beside: dict[int, int] = field(default_factory=dict)

    @property
    def along(self) -> list[int]:
        """Indices of the labels that have a place, the lowest first."""
        return sorted(self.ranks, key=lambda i: self.ranks[i])


def names_of(what: str) -> Reading:
    """Return the reading of labels that are names."""
    return Reading("nominal", {}, False, f"names: {what}")


def distinct(places: Iterable[tuple[int, Any]]) -> dict[int, Any]:
    """Return index of a label -> its place; of labels at one place the first only."""
    found: dict[int, Any] = {}
    taken = set()
    for i, place in places:
        if place is not None and place not in taken:
            taken.add(place)
            found[i] = place
    return found


def all_distinct(places: Sequence[Any]) -> dict[int, Any] | None:
    """Return index of a label -> its place; None unless all labels have one of their own."""
    if not places:
        return None
    return dict(enumerate(places)) if len(distinct(enumerate(places))) == len(places) else None


def covers(n_placed: int, n_labels: int) -> bool:
    """Check whether so many labels have a place that the others may be left out: all but one."""
    return n_placed >= max(2, n_labels - 1) and 3 * n_placed >= 2 * n_labels
