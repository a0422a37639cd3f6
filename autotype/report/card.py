"""What the report page's card of one discrete column shows, made from the column's summary."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from autotype.report.latent_scale import LatentLevel, LatentScale, latent_scale
from autotype.report.page_text import number, percent, probability, sentence, shown, signed
from autotype.wording import format_count

DISCRETE = frozenset({"ordinal", "categorical", "binary", "undetermined"})
_LONGEST_LEVEL = 80
_LONG_ORDER = 8  # levels


def make_card(column: Mapping[str, Any]) -> dict[str, Any]:
    """Give what the card of a column shows.

    Parameters
    ----------
    column : mapping
        One of the ``columns`` of the report's summary.

    Returns
    -------
    dict
        Texts, and lengths in percent; every text is still to be escaped.

    Examples
    --------
    >>> from autotype import ColumnType, TypeReport
    >>> size = ColumnType("size", "ordinal", 0.9, order=("S", "M"), best_order=("S", "M"),
    ...                   levels={"S": 3, "M": 1}, n_levels=2, direction_known=True)
    >>> card = make_card(TypeReport([size]).to_dict()["columns"][0])
    >>> [(row["level"], row["share"]) for row in card["levels"]]
    [('S', '75.0%'), ('M', '25.0%')]
    """
    evidence = column["evidence"]
    scale = latent_scale(evidence, column["best_order"])
    on_scale, off_scale = _levels(column, scale)
    return {
        "verdict": _verdict(column),
        "ends": _ends(column),
        "caption": _caption(column),
        "levels": on_scale,
        "off_scale": off_scale,
        "step": "<" if column["order"] is not None and column["direction_known"] else "–",
        "counted": any(item["count"] for item in column["levels"]),
        "ranked": column["best_order"] is not None,
        "scale": scale,
        "thresholds": [signed(cut, 2) for cut in scale.thresholds] if scale else [],
        "models": _models(evidence),
        "n_rows_used": column["n_rows_used"],
        "labels": _label_text(evidence),
        "predictors": _predictors(evidence),
        "alternatives": _alternatives(column),
        "reasons": [sentence(reason) for reason in column["reasons"]],
    }


def _verdict(column: Mapping[str, Any]) -> str:
    if column["n_levels"] == 0:
        return "No levels are known."
    levels = format_count(column["n_levels"], "level")
    if column["semantic_type"] == "binary":
        return "Two levels."
    if column["semantic_type"] == "categorical":
        return f"{levels} without an order."
    if column["semantic_type"] == "undetermined":
        return f"{levels}; nothing tells firmly whether they have an order."
    text = f"{levels} with an order"
    if not column["direction_known"]:
        text += ", though either end may be the low one"
    sure = probability(column["order_probability"])
    return f"{text}. The order is exactly right with probability {sure}." if sure else f"{text}."


def _ends(column: Mapping[str, Any]) -> tuple[str, str]:
    if column["semantic_type"] != "ordinal":
        return "", ""
    return ("lowest", "highest") if column["direction_known"] else ("one end", "other end")


def _caption(column: Mapping[str, Any]) -> str:
    if column["best_order"] is None:
        return "Levels, most frequent first"
    if column["semantic_type"] != "ordinal":
        return "Levels, along the best order found"
    return "Levels, lowest first" if column["direction_known"] else "Levels, in their order"


def _levels(
    column: Mapping[str, Any], scale: LatentScale | None
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Give a row for each level on the scale, and for each that stands beside it."""
    counts = [item["count"] for item in column["levels"]]
    total, most = sum(counts) or 1, max(counts, default=0) or 1
    on_scale: list[dict[str, Any]] = []
    off_scale: list[dict[str, Any]] = []
    for item in column["levels"]:
        row = {
            "level": shown(item["level"], _LONGEST_LEVEL),
            "count": f"{item['count']:,}",
            "share": percent(item["count"] / total),
            "bar": round(100 * item["count"] / most, 1),
            "latent": _latent(scale, item["level"]),
        }
        (off_scale if item["level"] in column["off_scale"] else on_scale).append(row)
    return on_scale, off_scale


def _latent(scale: LatentScale | None, level: Any) -> LatentLevel | None:
    return scale.at(level) if scale else None


def _models(evidence: Mapping[str, Any]) -> list[dict[str, Any]] | None:
    """Set the models' leave-one-out scores side by side, as gains over the level shares."""
    scores = [number(evidence, f"loo_{name}") for name in ("ordinal", "multiclass", "baseline")]
    if None in scores:
        return None
    ordinal, multiclass, baseline = (float(score or 0.0) for score in scores)
    gains = (ordinal - baseline, multiclass - baseline, 0.0)
    low, high = min(gains), max(gains)
    span = (high - low) or 1.0
    rows = zip(
        ("Ordered levels", "Levels without order", "Level shares alone"),
        (ordinal, multiclass, baseline),
        gains,
        strict=True,
    )
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
        for name, score, gain in rows
    ]


def _label_text(evidence: Mapping[str, Any]) -> str | None:
    """Say in one sentence what the labels of the levels say."""
    rule, detail = evidence.get("label_rule"), evidence.get("label_detail")
    if not rule:
        return None
    if rule == "none":
        return "They say nothing about an order."
    return f"They read as {sentence(detail or rule)}."


def _predictors(evidence: Mapping[str, Any]) -> list[dict[str, Any]]:
    pairs = [(name, share) for name, share in evidence.get("top_predictors") or () if share]
    most = max((share for _, share in pairs), default=1.0)
    return [
        {
            "name": shown(name, _LONGEST_LEVEL),
            "share": percent(share),
            "bar": round(100 * share / most, 1),
        }
        for name, share in pairs
    ]


def _alternatives(column: Mapping[str, Any]) -> list[dict[str, Any]]:
    """List the other orders; levels that moved from their place are marked."""
    best = column["best_order"] or []
    return [
        {
            "order": _beside(item["order"], best),
            "weight": "" if item["weight"] is None else percent(item["weight"]),
        }
        for item in column["alternatives"]
    ]


def _beside(order: Sequence, best: Sequence) -> list[dict[str, Any]]:
    """Mark what moved in an order; of a long one, leave out the ends that did not."""
    moved = [k >= len(best) or best[k] != level for k, level in enumerate(order)]
    if sum(moved) > max(len(order) / 2, 2):
        moved = [False] * len(order)  # to mark most of them is to mark none
    items: list[dict[str, Any]] = [
        {"level": shown(level, _LONGEST_LEVEL), "moved": m, "left_out": False}
        for level, m in zip(order, moved, strict=True)
    ]
    if len(order) > _LONG_ORDER and any(moved):
        first = max(moved.index(True) - 1, 0)
        last = len(order) - moved[::-1].index(True) + 1
        gap: dict[str, Any] = {"level": "", "moved": False, "left_out": True}
        items = [gap] * (first > 0) + items[first:last] + [gap] * (last < len(order))
    return items
