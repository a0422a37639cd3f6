"""Find columns of several answers in one cell: "Bus; Train", as questions with check boxes have.

Such a column has up to 2^k levels, which are no categories. What gives it away is that the same
items recur in different cells, in changing company and at changing places.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

_SEPARATORS = ("\n", ";", "|", ", ", ",", " / ", "/", " ")
_FEWEST_CELLS = 4  # different ones
_MIN_SEVERAL = 0.25  # of the different cells: those of several items
_MIN_RECURRING = 0.8  # of the items of all different cells: those that another cell holds as well
_MIN_MEAN = 2.0  # cells per item
_MIN_MOVING = 0.3  # of the items that recur: those at different places
_MAX_REPEATING = 0.05  # of the cells: those that hold an item twice
_LONGEST = 400  # characters of a cell
_CODE = re.compile(r"[a-z0-9_.\-]+", re.I)
_NUMBER = re.compile(r"\d+")


def find_list(cells: Sequence[str]) -> tuple[str, tuple[str, ...]] | None:
    """Find the separator and the items of cells that hold several answers.

    Parameters
    ----------
    cells : sequence of str
        Different cells.

    Returns
    -------
    (separator, items) or None
        The items by how many cells hold them.

    Examples
    --------
    >>> find_list(["Bus", "Train", "Bus; Train", "Bike; Bus", "Bike; Bus; Train"])
    (';', ('Bus', 'Train', 'Bike'))
    >>> find_list(["Smith, John", "Miller, Ann", "Jones, Eve", "Doe"]) is None
    True
    """
    if len(cells) < _FEWEST_CELLS:
        return None
    for separator in _SEPARATORS:
        n_several = sum(separator in cell for cell in cells)
        if n_several < max(2, _MIN_SEVERAL * len(cells)):
            continue
        items = _items(cells, separator)
        if items is not None:
            return separator, items
    return None


def _items(cells: Sequence[str], separator: str) -> tuple[str, ...] | None:
    """Return the items of cells with one separator, by frequency; None if they are no lists."""
    split = [
        [item for part in cell[:_LONGEST].split(separator) if (item := part.strip())]
        for cell in cells
    ]
    split = [items for items in split if items]
    counts = Counter(item for items in split for item in set(items))
    n_items = sum(counts.values())
    recurring = {item for item, n in counts.items() if n > 1}
    if len(recurring) < 2 or n_items < _MIN_MEAN * len(counts):
        return None
    if sum(counts[item] for item in recurring) < _MIN_RECURRING * n_items:
        return None
    sizes = {len(items) for items in split}
    if len(sizes) < 2 or (1 not in sizes and len(sizes) < 3):
        return None
    if sum(len(set(items)) < len(items) for items in split) > _MAX_REPEATING * len(split):
        return None
    places: dict[str, set[int]] = {}
    for items in split:
        for place, item in enumerate(items):
            places.setdefault(item, set()).add(place)
    alone = {items[0] for items in split if len(items) == 1}
    if separator == " " and any(places[item] == {0} and item not in alone for item in recurring):
        return None  # adverbs: "very", "not"
    n_moving = sum(len(places[item]) > 1 for item in recurring)
    if n_moving < _MIN_MOVING * len(recurring) or not _may_be_items(list(counts), sizes, separator):
        return None
    return tuple(sorted(counts, key=lambda item: (-counts[item], item)))


def _may_be_items(items: Sequence[str], sizes: set[int], separator: str) -> bool:
    """Check that items are neither words of sentences nor digits of numbers."""
    if separator in (" ", "/"):
        return all(map(_CODE.fullmatch, items)) and not any(item.istitle() for item in items)
    if all(map(_NUMBER.fullmatch, items)):
        return max(sizes) > 2 or separator in (";", "|", "\n")
    return True
