"""Make the content of the card of a block of columns: a scale, or columns that are alike."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Any

from autotype.report.blocks import Block
from autotype.report.figures.likert import middle_of, proportions_of
from autotype.report.page_text import finite
from autotype.report.text_cells import is_doubtful
from autotype.types.column_type import DISCRETE, WITH_ODDS

MOST_LEVELS = 11  # of a picture: more are too narrow to tell apart


def make_block_card(
    block: Block, number: int, cards: Sequence[Mapping[str, Any]]
) -> dict[str, Any]:
    """Return the content of the card of a block, around those of its columns.

    Parameters
    ----------
    block : Block
    number : int
        Its place on the page.
    cards : sequence of mapping
        The content of its columns' cards.

    Returns
    -------
    dict
        Of a single column its card only.
    """
    first = block.columns[0]
    return {
        "number": number,
        "cards": cards,
        "is_single": block.is_single,
        "is_scale": block.is_scale,
        "is_doubtful": any(map(is_doubtful, block.columns)),
        "has_levels": first.semantic_type in DISCRETE,
        "names": block.names,
        "type": first.semantic_type,
        "chance": finite(block.probability) if first.semantic_type in WITH_ODDS else None,
        "n_levels": sorted({column.n_levels for column in block.columns}),
        "note": cards[0]["note"] if block.described is first else "",
        "off_scale": first.off_scale,
        "reversed": block.reversed,
        "picture": _picture(block) if first.semantic_type in DISCRETE else None,
    }


def _picture(block: Block) -> dict[str, Any] | None:
    """Return stacked bars of the proportions of the levels, aligned at the middle of an order."""
    levels = [] if block.is_single else _levels(block)
    counts = [sum(c.levels.get(level, 0) for level in levels) for c in block.columns]
    if not any(counts) or not 2 <= len(levels) <= MOST_LEVELS:
        return None
    is_ordered = block.columns[0].order is not None
    rows = [proportions_of(column, levels) for column in block.columns]
    ends = [middle_of(row) if is_ordered else 0.0 for row in rows]
    left = max(ends)
    return {
        "is_ordered": is_ordered,
        "levels": [block.columns[0].named(level) for level in levels],
        "width": left + max(sum(row) - end for row, end in zip(rows, ends, strict=True)),
        "rows": [
            {"n": n, "start": left - end, "parts": row}
            for n, end, row in zip(counts, ends, rows, strict=True)
        ],
    }


def _levels(block: Block) -> list[Hashable]:
    """Return the levels of all columns on the scale, in their order if there is one."""
    first = block.columns[0]
    if first.order is not None:
        return list(first.order)
    aside = {v for c in block.columns for v in (*c.off_scale, *c.missing_markers)}
    held = dict.fromkeys(level for column in block.columns for level in column.levels)
    return [level for level in held if level not in aside]
