"""Make the content of the cards of the report page from summaries of columns.

Each column has a card. Those of a block, a scale or columns that are alike, stand in one of its
own.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Mapping, Sequence
from itertools import groupby, zip_longest
from typing import Any

from autotype.errors import UnwritableTypesError
from autotype.report.blocks import Block
from autotype.report.figures.latent_scale import LatentPicture, latent_scale
from autotype.report.figures.likert import middle_of, proportions_of
from autotype.report.page_text import finite, numbers, percent, shown, signed
from autotype.report.text_cells import is_doubtful
from autotype.types.codec.evidence_keys import Evidence
from autotype.types.codec.json_values import encode, plain_json
from autotype.types.column_type import DISCRETE, WITH_ODDS, ColumnType

LONGEST_LEVEL = 80
LONGEST_WRITTEN = 2000  # characters of a name or level that the page can write to a file
_LONG_ORDER = 8  # levels
# The models whose scores are compared, the last one the baseline.
_MODELS = {
    "Ordered levels": "loo_ordinal",
    "Levels without order": "loo_multiclass",
    "Level shares alone": "loo_baseline",
}

MOST_LEVELS = 11  # of a picture: more are too narrow to tell apart


def make_card(column: Mapping[str, Any], typed: ColumnType, *, n_rows: int = 0) -> dict[str, Any]:
    """Return the content of a column's card.

    Parameters
    ----------
    column : mapping
        One of the ``columns`` of the report's summary.
    typed : ColumnType
        The column itself.
    n_rows : int
        Rows of the frame.

    Returns
    -------
    dict
        Strings, not yet escaped, and lengths in percent.

    Examples
    --------
    >>> from autotype import ColumnType, TypeReport
    >>> size = ColumnType("size", "ordinal", 0.9, order=("S", "M"), best_order=("S", "M"),
    ...                   levels={"S": 3, "M": 1}, n_levels=2, direction_known=True)
    >>> card = make_card(TypeReport([size]).to_dict()["columns"][0], size)
    >>> [(row["level"], row["share"]) for row in card["levels"]]
    [('S', '75.0%'), ('M', '25.0%')]
    """
    evidence: Evidence = column["evidence"]
    scale = latent_scale(evidence, column["best_order"])
    on_scale, off_scale = _levels(column, typed, scale)
    return {
        "column": column,
        "levels": on_scale,
        "off_scale": off_scale,
        "counted": any(item["count"] for item in column["levels"]),
        "weighted": bool(column["weighted_shares"]),
        "ranked": column["best_order"] is not None,
        "ordered": column["semantic_type"] == "ordinal" and column["order"] is not None,
        "scale": scale,
        "models": _models(evidence),
        "alternatives": [
            item | {"order": _compared_with(item["order"], column["best_order"] or [])}
            for item in column["alternatives"]
        ],
        "n_rows": n_rows,
    }


def _levels(
    column: Mapping[str, Any], typed: ColumnType, scale: LatentPicture | None
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Return the rows of the levels on the scale, and those of the levels off it."""
    counts = [item["count"] for item in column["levels"]]
    total = sum(counts) or 1
    on_scale: list[dict[str, Any]] = []
    off_scale: list[dict[str, Any]] = []
    weighted = [item["share"] for item in column["weighted_shares"]]
    for item, level, bar, item_share in zip_longest(
        column["levels"], typed.levels, bars(counts), weighted
    ):
        text = shown(item["level"], LONGEST_LEVEL)
        label = label_of(typed, level)
        row = {
            "level": text,
            "exact": exact_level(level, text),
            "label": shown(label, LONGEST_LEVEL) if label else "",
            "count": f"{item['count']:,}",
            "share": percent(item["count"] / total),
            "weighted": percent(item_share) if item_share is not None else "",
            "bar": bar,
            "latent": scale.at(item["level"]) if scale else None,
        }
        aside = item["level"] in column["off_scale"] or item["level"] in column["missing_markers"]
        (off_scale if aside else on_scale).append(row)
    return on_scale, off_scale


def label_of(column: ColumnType, level: Any) -> str:
    """Return the label of a level; empty if it has none, or one that repeats the level."""
    label = column.labels.get(level, "").strip()
    return "" if label == str(level) else label


def exact_level(level: Any, shown_level: str) -> str | None:
    """Return a level as JSON; None if it is the shown text, empty if the page cannot write it.

    Examples
    --------
    >>> exact_level("S", "S"), exact_level(3, "3"), exact_level(object(), "x")
    (None, '3', '')
    """
    if isinstance(level, str) and level == shown_level:
        return None
    try:
        text = plain_json(encode(level))
    except UnwritableTypesError:
        return ""
    return text if len(text) <= LONGEST_WRITTEN else ""


def bars(values: Iterable[float]) -> list[float]:
    """Return the lengths of bars, in percent of the longest.

    Examples
    --------
    >>> bars([1, 4])
    [25.0, 100.0]
    """
    values = list(values)
    most = max(values, default=0) or 1
    return [round(100 * value / most, 1) for value in values]


def _models(evidence: Evidence) -> list[dict[str, Any]] | None:
    """Return the models' leave-one-out scores, as gains over the level proportions."""
    scores = numbers([evidence.get(key) for key in _MODELS.values()])
    if scores is None:
        return None
    gains = [score - scores[-1] for score in scores]
    low, high = min(gains), max(gains)
    span = (high - low) or 1.0
    return [
        {
            "name": name,
            "score": signed(score),
            "typical": percent(math.exp(min(score, 0.0))),
            "start": round(100 * (min(gain, 0.0) - low) / span, 1),
            "length": round(100 * abs(gain) / span, 1),
            "loses": gain < 0,
            "best": gain > 0 and gain == high,
        }
        for name, score, gain in zip(_MODELS, scores, gains, strict=True)
    ]


def _compared_with(order: Sequence, best: Sequence) -> list[dict[str, Any]]:
    """Mark the moved levels of an order; of a long one, those far from them are omitted."""
    moved = [k >= len(best) or best[k] != level for k, level in enumerate(order)]
    if sum(moved) > max(len(order) / 2, 2):
        moved = [False] * len(order)  # marking most levels would not help
    shorten = len(order) > _LONG_ORDER and any(moved)
    near = [not shorten or any(moved[max(k - 1, 0) : k + 2]) for k in range(len(order))]
    items: list[dict[str, Any]] = []
    for is_near, places in groupby(range(len(order)), key=near.__getitem__):
        if is_near:
            items += [{"level": order[k], "moved": moved[k], "omitted": False} for k in places]
        else:
            items.append({"level": "", "moved": False, "omitted": True})
    return items


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
    levels = [] if block.is_single else _levels_of_block(block)
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


def _levels_of_block(block: Block) -> list[Hashable]:
    """Return the levels of all columns on the scale, in their order if there is one."""
    first = block.columns[0]
    if first.order is not None:
        return list(first.order)
    aside = {v for c in block.columns for v in (*c.off_scale, *c.missing_markers)}
    held = dict.fromkeys(level for column in block.columns for level in column.levels)
    return [level for level in held if level not in aside]
