"""Find columns of several answers in one cell: "Bus; Train", as questions with check boxes have.

Such a column has up to 2^k levels, which are no categories. What gives it away is that the same
items recur in different cells, in changing company and at changing places.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

_SEPARATORS = ("\n", ";", "|", ", ", ",", " / ", "/", " ")
_SURE = ("\n", ";", "|", ",")  # where an item of its own was never chosen alone
_CLOSING = ";"  # of each item, as Microsoft Forms writes them
_FEWEST_CELLS = 4  # different ones
_MIN_SEVERAL = 0.25  # of the different cells: those of several items
_MIN_RECURRING = 0.8  # of the items of all different cells: those of other cells, or chosen alone
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
    if len(cells) > 1 and all(cell.rstrip().endswith(_CLOSING) for cell in cells):
        counts = Counter(item for cell in cells for item in set(_split(cell, _CLOSING)))
        if any(len(_split(cell, _CLOSING)) > 1 for cell in cells):
            return _CLOSING, _by_frequency(counts)
    if len(cells) < _FEWEST_CELLS:
        return _find_pair(cells)
    for separator in _SEPARATORS:
        n_several = sum(separator in cell for cell in cells)
        if n_several < max(2, _MIN_SEVERAL * len(cells)):
            continue
        items = _items(cells, separator)
        if items is not None:
            return separator, items
    return None


def is_combination(cell: str, cells: Iterable[str]) -> bool:
    """Check whether a cell consists of several others, with a separator between them.

    Examples
    --------
    >>> is_combination("Bus; Train", ["Bus", "Train", "Bike"]), is_combination("Bus", ["Bus"])
    (True, False)
    """
    others = {other.strip() for other in cells} - {cell.strip()}
    for separator in _SEPARATORS:
        if separator in cell:
            items = set(_split(cell, separator))
            known = items & others
            is_sure = separator in _SURE and 2 * len(known) > len(items) > 1
            if is_sure or len(known) == len(items) > 1:
                return True
    return False


def _find_pair(cells: Sequence[str]) -> tuple[str, tuple[str, ...]] | None:
    """Find the separator of three cells that are two answers, and both of them."""
    for cell in cells:
        for separator in _SURE:
            items = _split(cell, separator)
            if len(cells) == _FEWEST_CELLS - 1 and len(items) == 2:
                is_pair = {*items, cell.strip()} == {other.strip() for other in cells}
                if is_pair and not any(map(_NUMBER.fullmatch, items)):
                    return separator, tuple(sorted(items))
    return None


def _split(cell: str, separator: str) -> list[str]:
    """Return the items of a cell."""
    return [item for part in cell[:_LONGEST].split(separator) if (item := part.strip())]


def _by_frequency(counts: Mapping[str, int]) -> tuple[str, ...]:
    return tuple(sorted(counts, key=lambda item: (-counts[item], item)))


def _items(cells: Sequence[str], separator: str) -> tuple[str, ...] | None:
    """Return the items of cells with one separator, by frequency; None if they are no lists."""
    split = [items for cell in cells if (items := _split(cell, separator))]
    counts = Counter(item for items in split for item in set(items))
    n_items = sum(counts.values())
    recurring = {item for item, n in counts.items() if n > 1}
    if len(recurring) < 2 or n_items < _MIN_MEAN * len(counts):
        return None
    known = recurring | {items[0] for items in split if len(items) == 1}
    if sum(counts[item] for item in known) < _MIN_RECURRING * n_items:
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
    return _by_frequency(counts)


def _may_be_items(items: Sequence[str], sizes: set[int], separator: str) -> bool:
    """Check that items are neither words of sentences nor digits of numbers."""
    if separator in (" ", "/"):
        return all(map(_CODE.fullmatch, items)) and not any(item.istitle() for item in items)
    if all(map(_NUMBER.fullmatch, items)):
        return max(sizes) > 2 or separator in (";", "|", "\n")
    return True
