"""Make the content of a column's card on the report page from its summary."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from itertools import zip_longest
from typing import Any

from autotype.report.latent_scale import LatentPicture, latent_scale
from autotype.report.page_text import finite, percent, probability, sentence, shown, signed
from autotype.types.column_type import DISCRETE, WITH_ODDS
from autotype.types.evidence_keys import Evidence
from autotype.wording import format_count, format_pairs

LONGEST_LEVEL = 80
_LONG_ORDER = 8  # levels


def make_card(
    column: Mapping[str, Any],
    *,
    n_rows: int = 0,
    exact: Sequence[str | None] = (),
    labels: Sequence[str] = (),
) -> dict[str, Any]:
    """Return the content of a column's card.

    Parameters
    ----------
    column : mapping
        One of the ``columns`` of the report's summary.
    n_rows : int
        Rows of the frame.
    exact : sequence of (str or None)
        For each of its levels the JSON of the level, if it is not the text that is shown.
    labels : sequence of str
        For each of its levels the label in the codebook; empty if it has none.

    Returns
    -------
    dict
        Strings, not yet escaped, and lengths in percent.

    Examples
    --------
    >>> from autotype import ColumnType, TypeReport
    >>> size = ColumnType("size", "ordinal", 0.9, order=("S", "M"), best_order=("S", "M"),
    ...                   levels={"S": 3, "M": 1}, n_levels=2, direction_known=True)
    >>> card = make_card(TypeReport([size]).to_dict()["columns"][0])
    >>> [(row["level"], row["share"]) for row in card["levels"]]
    [('S', '75.0%'), ('M', '25.0%')]
    """
    evidence: Evidence = column["evidence"]
    scale = latent_scale(evidence, column["best_order"])
    on_scale, off_scale = _levels(column, scale, exact, labels)
    return {
        "sure": _sure(column),
        "verdict": _verdict(column) + _written(column),
        "ends": _ends(column),
        "caption": _caption(column),
        "levels": on_scale,
        "off_scale": off_scale,
        "off_title": "Missing" if column["missing_markers"] else "Off the scale",
        "step": "<" if column["order"] is not None and column["direction_known"] else "–",
        "counted": any(item["count"] for item in column["levels"]),
        "weighted": bool(column["weighted_shares"]),
        "ranked": column["best_order"] is not None,
        "scale": scale,
        "models": _models(evidence),
        "n_rows_used": column["n_rows_used"],
        "labels": _label_text(evidence),
        "predictors": _predictors(evidence),
        "alternatives": _alternatives(column),
        "reasons": column["reasons"],
        "profile": column["profile"],
        "markers": column["missing_markers"],
        "n_rows": n_rows,
    }


def _sure(column: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return the probability of the type; None where that of ordinal counts, or it is stated."""
    chance = column["type_probabilities"].get(column["semantic_type"])
    if chance is None or column["semantic_type"] in WITH_ODDS:
        return None
    return {"chance": chance, "probability": probability(chance)}


def _verdict(column: Mapping[str, Any]) -> str:
    if column["semantic_type"] not in DISCRETE:
        return f"{format_count(column['n_levels'], 'distinct value')}."
    if column["n_levels"] == 0:
        return "No levels are known."
    levels = format_count(column["n_levels"], "level")
    if column["semantic_type"] == "binary":
        return "Two levels."
    if column["semantic_type"] == "categorical":
        return f"{levels} without an order."
    if column["semantic_type"] == "undetermined":
        return f"{levels}; the evidence for or against an order is weak."
    if column["order"] is None:
        text = f"{levels} with an order that is not known"
        pairs = [tuple(pair) for pair in column["partial_order"] or ()]
        return (
            f"{text}, except {format_pairs(pairs, column['direction_known'])}."
            if pairs
            else f"{text}."
        )
    text = f"{levels} with an order"
    if not column["direction_known"]:
        text += ", though either end may be the low one"
    sure = probability(column["order_probability"])
    return f"{text}. The order is exactly right with probability {sure}." if sure else f"{text}."


def _written(column: Mapping[str, Any]) -> str:
    """Describe the format; empty if there is none."""
    return f" Written as {column['format']}." if column["format"] else ""


def _ends(column: Mapping[str, Any]) -> tuple[str, str]:
    if column["semantic_type"] != "ordinal" or column["order"] is None:
        return "", ""
    return ("lowest", "highest") if column["direction_known"] else ("one end", "other end")


def _caption(column: Mapping[str, Any]) -> str:
    if column["best_order"] is None:
        return "Levels, most frequent first"
    if column["semantic_type"] != "ordinal" or column["order"] is None:
        return "Levels, along the best order found"
    return "Levels, lowest first" if column["direction_known"] else "Levels, in their order"


def _levels(
    column: Mapping[str, Any],
    scale: LatentPicture | None,
    exact: Sequence[str | None],
    labels: Sequence[str],
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Return the rows of the levels on the scale, and those of the levels off it."""
    counts = [item["count"] for item in column["levels"]]
    total = sum(counts) or 1
    on_scale: list[dict[str, Any]] = []
    off_scale: list[dict[str, Any]] = []
    weighted = [item["share"] for item in column["weighted_shares"]]
    for item, bar, as_json, label, item_share in zip_longest(
        column["levels"], bars(counts), exact, labels, weighted
    ):
        row = {
            "level": shown(item["level"], LONGEST_LEVEL),
            "exact": as_json,
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
    ordinal = finite(evidence.get("loo_ordinal"))
    multiclass = finite(evidence.get("loo_multiclass"))
    baseline = finite(evidence.get("loo_baseline"))
    if ordinal is None or multiclass is None or baseline is None:
        return None
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


def _label_text(evidence: Evidence) -> str | None:
    """Describe in one sentence what the labels of the levels state."""
    rule, detail = evidence.get("label_rule"), evidence.get("label_detail")
    if not rule:
        return None
    if rule == "none":
        return "They state no order."
    return f"They read as {sentence(detail or rule)}."


def _predictors(evidence: Evidence) -> list[dict[str, Any]]:
    pairs = [(name, share) for name, share in evidence.get("top_predictors") or () if share]
    lengths = bars(share for _, share in pairs)
    return [
        {"name": shown(name, LONGEST_LEVEL), "share": percent(share), "bar": length}
        for (name, share), length in zip(pairs, lengths, strict=True)
    ]


def _alternatives(column: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the alternative orders, with the moved levels marked."""
    best = column["best_order"] or []
    return [
        {
            "order": _compared_with(item["order"], best),
            "weight": "" if item["weight"] is None else percent(item["weight"]),
        }
        for item in column["alternatives"]
    ]


def _compared_with(order: Sequence, best: Sequence) -> list[dict[str, Any]]:
    """Mark the moved levels of an order; the unmoved ends of a long order are omitted."""
    moved = [k >= len(best) or best[k] != level for k, level in enumerate(order)]
    if sum(moved) > max(len(order) / 2, 2):
        moved = [False] * len(order)  # marking most levels would not help
    items: list[dict[str, Any]] = [
        {"level": shown(level, LONGEST_LEVEL), "moved": m, "omitted": False}
        for level, m in zip(order, moved, strict=True)
    ]
    if len(order) > _LONG_ORDER and any(moved):
        first = max(moved.index(True) - 1, 0)
        last = len(order) - moved[::-1].index(True) + 1
        gap: dict[str, Any] = {"level": "", "moved": False, "omitted": True}
        items = [gap] * (first > 0) + items[first:last] + [gap] * (last < len(order))
    return items
