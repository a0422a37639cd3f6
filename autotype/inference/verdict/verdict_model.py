"""Compute what the calibrated models weigh, and the probability of the reported order.

The models are fitted by ``benchmarks/fit_verdict.py``: is the column ordinal, is the reported order
exactly right, and do the other columns carry an order at all?
"""

from __future__ import annotations

import math

import numpy as np

from autotype.inference.column import Column, in_codes
from autotype.inference.evidence.column_evidence import order_agreement
from autotype.inference.learned import (
    ORDER_FEATURES,
    TYPE_FEATURES,
    as_probability,
    load_learned,
)
from autotype.inference.verdict.order_choice import ChosenOrder

_MAX_ROWS = 1000  # more rows add nothing to the feature
# The most rows that the models are fitted on: a sample of 1,000, and 30 of each of 20 levels. What
# grows with the rows is weighed as of so many.
_MOST_FITTED = 1600

_MAX_ALIKE = 8  # more columns with the same levels add nothing to the feature
_MAX_SCORE = 6.0  # log odds at which the score of the level strings is cut

DATA_FEATURES = ("predictability", "evidence_gain", "captured", "order_weight")


def type_features(column: Column) -> dict[str, float]:
    """Compute the features of the type model.

    Parameters
    ----------
    column : Column
        A candidate with its evidence.

    Returns
    -------
    dict
        One number for each of `TYPE_FEATURES`; NaN for those of the data, or of the strings, where
        there are none.
    """
    labels, data, suggested = column.used_labels, column.data, column.suggested
    features = dict.fromkeys(TYPE_FEATURES, 0.0)
    group = labels.rule.feature
    if group is not None:
        features[group] = 1.0
    elif column.is_opaque:
        features["label_opaque"] = 1.0
    if group in ("label_scale", "label_measure"):
        features["label_unplaced"] = len(labels.unplaced) / len(column.scale)
    features["label_text"] = float(np.clip(column.text_score, -_MAX_SCORE, _MAX_SCORE))
    features["understood"] = labels.understood
    alike = math.log(min(column.n_alike, _MAX_ALIKE))
    features["numbers_alike" if group == "label_numeric" else "columns_alike"] = alike
    if group == "label_numeric":
        # As text, since the numbers may be those of an equivalent column.
        features["numbers_signed"] = float(any(str(v).startswith("-") for v in column.scale))
    # Where the labels are read, the name adds less.
    read = "_read" if labels.rule.decides else ""
    features[f"name_words{read}"] = column.name_score
    features[f"name_text{read}"] = float(np.clip(column.name_text, -_MAX_SCORE, _MAX_SCORE))
    features["inverse_levels"] = 1.0 / len(column.scale)
    n_rows = sum(column.known_levels.values())
    features["log_rows"] = math.log(min(max(n_rows, 1), _MAX_ROWS))
    if data is None or not data.predictable:
        return features | dict.fromkeys(DATA_FEATURES, math.nan)
    share = min(_MOST_FITTED / data.n_rows, 1.0)
    if suggested is not None and not labels.rule.decides:
        agreement = order_agreement(suggested, data.order)
        features["suggested_agrees"] = agreement - _chance_agreement(len(column.scale))
        features["suggested_gap"] = math.log1p(max(data.gap(suggested) * share, 0.0))
    features |= {name: data.features[name] for name in DATA_FEATURES}
    # A z statistic, and the root of a log likelihood: both grow with the root of the rows.
    features["predictability"] = math.log1p(
        max(data.features["predictability"] * math.sqrt(share), 0.0)
    )
    features["evidence_gain"] *= math.sqrt(share)
    return features


def _chance_agreement(n_levels: int) -> float:
    """Return the mean |Kendall tau| of two random orders, by the normal approximation."""
    variance = 2 * (2 * n_levels + 5) / (9 * n_levels * (n_levels - 1))
    return load_learned().constants.chance_agreement * math.sqrt(variance)


def order_features(column: Column, chosen: ChosenOrder) -> dict[str, float]:
    """Compute the features of the order model.

    Parameters
    ----------
    column : Column
        A candidate with its evidence.
    chosen : ChosenOrder
        The order that is reported.

    Returns
    -------
    dict
        One number for each of `ORDER_FEATURES`. Those of the data's order are 0 where the
        labels gave the order.
    """
    features = dict.fromkeys(ORDER_FEATURES, 0.0)
    features["inverse_levels"] = 1.0 / len(column.scale)
    features["placed_by_data"] = len(chosen.placed_by_data) / len(column.scale)
    features["by_labels"] = float(chosen.source == "labels")
    data = column.data
    if chosen.source == "labels" or data is None:
        return features
    for name in ("halves_agree", "canonical_agrees", "captured"):
        features[name] = data.features[name]
    features["predictability"] = math.log1p(max(data.features["predictability"], 0.0))
    best, second, *_ = data.log_weights.values()
    features["lead"] = math.log1p(best - second)
    features["rarest_level"] = math.log(min(column.known_levels[v] for v in column.scale))
    return features


def order_in_data_features(ordinal_gain: float, n_levels: int) -> dict[str, float]:
    """Compute the features of the model that the other columns carry an order at all.

    Parameters
    ----------
    ordinal_gain : float
        Leave-one-out gain of the ordinal model over the level proportions, in nats over all rows.
    n_levels : int
        L: the best of L!/2 orders gains by chance.

    Returns
    -------
    dict
        One number for each of `ORDER_INDATA_FEATURES`.
    """
    return {
        "log_gain": math.log1p(max(ordinal_gain, 0.0)),
        "log_orders": math.lgamma(n_levels + 1) - math.log(2.0),
    }


def order_probability(column: Column, chosen: ChosenOrder) -> float:
    """Compute the probability that the reported order is exactly right, up to reversal.

    Parameters
    ----------
    column : Column
        A candidate with its evidence.
    chosen : ChosenOrder
        The order that is reported.

    Returns
    -------
    float
        NaN where there is no order.

    Notes
    -----
    Labels: the order model alone. Data: with s the probability that they carry an order at all and
    m that of the order model, p = s m + (1 - s) 2/L!, as any of the L!/2 orders is equally probable
    where they do not. Judge: the judge's capped P(ordinal) is the prior of the judge's order, the
    other orders share the rest, and the data, if any, add their weight of each order,
    s w + (1 - s) 2/L!, by Bayes' rule.
    """
    if chosen.order is None:
        return math.nan
    n_levels = len(chosen.order)
    chance = min(2.0 / math.factorial(n_levels), 1.0)
    if chosen.source == "judge":
        return _judged_order_probability(column, chosen.order, chance)
    modelled = load_learned().order_model.probability(order_features(column, chosen))
    if chosen.source == "labels":
        return modelled
    carried = _order_in_data(chosen.ordinal_gain, n_levels)
    return carried * modelled + (1.0 - carried) * chance


def _order_in_data(ordinal_gain: float, n_levels: int) -> float:
    """Compute the probability that the other columns carry an order at all."""
    features = order_in_data_features(ordinal_gain, n_levels)
    return load_learned().order_in_data_model.probability(features)


def _judged_order_probability(column: Column, order: tuple, chance: float) -> float:
    """Combine the judge's confidence with the data's weight of the judge's order."""
    stated = as_probability(column.judged.log_odds) if column.judged else 0.5
    prior = stated + (1.0 - stated) * chance
    codes, data = in_codes(order, column.scale), column.data
    if data is None or codes is None or len(order) < 3:
        return prior
    carried = _order_in_data(data.ordinal_gain, len(order))
    weight = carried * math.exp(data.log_weight(codes)) + (1.0 - carried) * chance
    # prior * P(data | order): the other orders share the rest of both evenly.
    others = (1.0 - prior) * (1.0 - weight) * chance / (1.0 - chance)
    return prior * weight / (prior * weight + others)
