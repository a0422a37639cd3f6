"""Make the content of a column's card on the report page from its summary."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby, zip_longest
from typing import Any

from autotype.report.figures.latent_scale import LatentPicture, latent_scale
from autotype.report.page_text import finite, percent, shown, signed
from autotype.types.codec.evidence_keys import Evidence

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
        "column": column,
        "levels": on_scale,
        "off_scale": off_scale,
        "counted": any(item["count"] for item in column["levels"]),
        "weighted": bool(column["weighted_shares"]),
        "ranked": column["best_order"] is not None,
        "ordered": column["semantic_type"] == "ordinal" and column["order"] is not None,
        "scale": scale,
        "models": _models(evidence),
        "predictors": _predictors(evidence),
        "alternatives": _alternatives(column),
        "n_rows": n_rows,
    }


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
    """Mark the moved levels of an order; of a long one, those far from them are omitted."""
    moved = [k >= len(best) or best[k] != level for k, level in enumerate(order)]
    if sum(moved) > max(len(order) / 2, 2):
        moved = [False] * len(order)  # marking most levels would not help
    shorten = len(order) > _LONG_ORDER and any(moved)
    near = [not shorten or any(moved[max(k - 1, 0) : k + 2]) for k in range(len(order))]
    items: list[dict[str, Any]] = []
    for is_near, places in groupby(range(len(order)), key=near.__getitem__):
        items += (
            [
                {"level": shown(order[k], LONGEST_LEVEL), "moved": moved[k], "omitted": False}
                for k in places
            ]
            if is_near
            else [{"level": "", "moved": False, "omitted": True}]
        )
    return items
