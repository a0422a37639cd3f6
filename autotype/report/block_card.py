"""Make the content of the card of a block of columns: a scale, or columns that are alike."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Any

from autotype.report.blocks import Block
from autotype.report.likert import middle_of, proportions_of
from autotype.report.page_text import finite, percent, probability, shown
from autotype.report.text_cells import is_doubtful
from autotype.types.column_type import DISCRETE, WITH_ODDS
from autotype.wording import format_count

_MOST_LEVELS, _LONGEST_LEVEL = 24, 48  # of a picture; characters
_LEAST_LABELLED = 0.08  # of all rows: a narrower part has no room for its percentage


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
    chance = finite(block.probability) if first.semantic_type in WITH_ODDS else None
    n_levels = sorted({column.n_levels for column in block.columns})
    return {
        "number": number,
        "cards": cards,
        "is_single": block.is_single,
        "is_scale": block.is_scale,
        "is_doubtful": any(map(is_doubtful, block.columns)),
        "has_levels": first.semantic_type in DISCRETE,
        "name": ", ".join(shown(name) for name in block.names),
        "type": first.semantic_type,
        "count": format_count(len(cards), "column"),
        "chance": chance,
        "probability": probability(chance),
        "n_levels": n_levels,
        "note": cards[0]["note"] if block.described is first else "",
        "off_scale": [shown(level, _LONGEST_LEVEL) for level in first.off_scale],
        "reversed": [shown(name) for name in block.reversed],
        "picture": None if block.is_single else _picture(block, cards),
    }


def _picture(block: Block, cards: Sequence[Mapping[str, Any]]) -> dict[str, Any] | None:
    """Return stacked bars of the proportions of the levels, aligned at the middle of an order."""
    levels = _levels(block)
    counted = any(column.levels.get(v, 0) for column in block.columns for v in levels)
    if not counted or not 2 <= len(levels) <= _MOST_LEVELS:
        return None
    is_ordered = block.columns[0].order is not None
    rows = [proportions_of(column, levels) for column in block.columns]
    ends = [middle_of(row) if is_ordered else 0.0 for row in rows]
    left = max(ends)
    width = left + max(sum(row) - end for row, end in zip(rows, ends, strict=True))
    texts = [shown(block.columns[0].named(level), _LONGEST_LEVEL) for level in levels]
    return {
        "is_ordered": is_ordered,
        "levels": [
            {"text": text, "tone": round(100 * k / (len(levels) - 1))}
            for k, text in enumerate(texts)
        ],
        "rows": [
            {
                "card": card,
                "n": f"{sum(column.levels.get(level, 0) for level in levels):,}",
                "reversed": column.reversed,
                "start": round(100 * (left - end) / width, 1),
                "parts": [
                    {
                        "width": round(100 * part / width, 1),
                        "text": _label(part),
                    }
                    for part in row
                ],
                "words": ", ".join(
                    f"{text} {percent(part)}" for text, part in zip(texts, row, strict=True)
                ),
            }
            for card, column, row, end in zip(cards, block.columns, rows, ends, strict=True)
        ],
    }


def _label(part: float) -> str:
    return f"{part:.0%}" if part >= _LEAST_LABELLED else ""


def _levels(block: Block) -> list[Hashable]:
    """Return the levels of all columns on the scale, in their order if there is one."""
    first = block.columns[0]
    if first.order is not None:
        return list(first.order)
    aside = {v for c in block.columns for v in (*c.off_scale, *c.missing_markers)}
    held = dict.fromkeys(level for column in block.columns for level in column.levels)
    return [level for level in held if level not in aside]
