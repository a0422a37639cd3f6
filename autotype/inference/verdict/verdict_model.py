"""Compute what the calibrated models weigh, and the probability of the reported order.

The models are fitted by ``benchmarks/fit_verdict.py``: is the column ordinal, is the reported order
exactly right, and is a level that the labels do not place inserted in its place?
"""

from __future__ import annotations

import math

import numpy as np

from autotype.inference.column import Column, in_codes
from autotype.inference.evidence.column_evidence import order_agreement
from autotype.inference.evidence.data_evidence import DataEvidence
from autotype.inference.learned import ORDER_FEATURES, TYPE_FEATURES, load_learned
from autotype.inference.verdict.order_choice import ChosenOrder

_MAX_ROWS = 1000  # more rows add nothing to the feature
# The most rows that the models are fitted on: a sample of 1,000, and 30 of each of 20 levels. What
# grows with the rows is weighed as of so many.
_MOST_FITTED = 1600

_MAX_ALIKE = 8  # more columns with the same levels add nothing to the feature
_GAINS = (1.0, 4.0)  # up to the first a gain shows nothing, from the second on no more
_ON_ANY_LINE = 3  # levels that lie on a line, or nearly so, whatever they are
_SURE_SEPARATION = 3.0  # z statistic from which level means differ
_MAX_SCORE = 6.0  # log odds at which the score of the level strings is cut
_LEAST_OF_READ = -3.0  # that of strings which a rule reads as a scale, all of them

DATA_FEATURES = ("predictability", "evidence_gain", "captured", "order_weight", "order_shown")
NAME_FEATURES = ("name_words", "name_text", "name_words_read", "name_text_read")
# Log odds by which the wording of a column speaks for a verdict: two to one.
SURE_WORDING = math.log(2.0)


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
    group = None if labels.apart else labels.rule.feature  # such phrases are listed, not counted
    if group is not None:
        features[group] = 1.0
    elif column.is_opaque:
        features["label_opaque"] = 1.0
    if group in ("label_scale", "label_measure"):
        features["label_unplaced"] = len(labels.unplaced) / len(column.scale)
    # What a rule reads as a whole is doubted less, whatever it looks like.
    is_whole = labels.rule.reads_scales and not labels.unplaced
    least = _LEAST_OF_READ if is_whole else -_MAX_SCORE
    features["label_text"] = float(np.clip(column.text_score, least, _MAX_SCORE))
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
    features |= {name: data.features[name] for name in DATA_FEATURES if name in data.features}
    # A z statistic, and the root of a log likelihood: both grow with the root of the rows.
    features["predictability"] = math.log1p(
        max(data.features["predictability"] * math.sqrt(share), 0.0)
    )
    features["evidence_gain"] *= math.sqrt(share)
    if len(column.scale) > _ON_ANY_LINE and not labels.rule.trusted:
        # Names can be in an order, too, but seldom in a certain one. That of numbers is theirs.
        least, most = _GAINS
        gain = min(max(features["evidence_gain"], least), most) - least
        features["order_shown"] = gain * features["order_weight"]
    return features


def wording(column: Column, names: tuple[str, ...] = ("label_text", *NAME_FEATURES)) -> float:
    """Compute the log odds that the wording of a column's name and of its labels adds."""
    if not column.features:
        return 0.0
    contributions = load_learned().type_model.contributions(column.features)
    return sum(contributions[name] for name in names)


def _chance_agreement(n_levels: int) -> float:
    """Return the mean |Kendall tau| of two random orders, by the normal approximation."""
    variance = 2 * (2 * n_levels + 5) / (9 * n_levels * (n_levels - 1))
    return load_learned().chance_agreement * math.sqrt(variance)


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
        labels or the dtype gave the order.
    """
    features = dict.fromkeys(ORDER_FEATURES, 0.0)
    if chosen.source in ("labels", "dtype"):  # a file has levels in the order of their codes
        features["by_labels"] = 1.0
    elif column.data is not None:
        best, second, *_ = column.data.log_weights.values()
        features["canonical_agrees"] = column.data.features["canonical_agrees"]
        features["lead"] = math.log1p(best - second)
    return features


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
    Labels: the order model for the levels that they place, times the probability of each other
    level's place: that of the judge, of the placing model where the other columns predict this one,
    of the model of gaps where one level alone is left, or else chance. Data: the order model where
    they predict the column, chance where they show nothing, as any of the L!/2 orders is equally
    probable, and between the two where a test of all predictors shows something. Judge: its
    `order_probability` is the prior of its order, the other orders share the rest, and the data, if
    they predict the column, add their weight of each order by Bayes' rule: m r + (1 - m) 2/L!, with
    m the probability of their best order by the order model and r the weight of the judge's order
    relative to that of theirs.
    """
    if chosen.order is None:
        return math.nan
    chance = min(2.0 / math.factorial(len(chosen.order)), 1.0)
    if chosen.source == "judge":
        return _judged_order_probability(column, chosen.order, chance)
    if chosen.source == "labels":
        return placed_probability(column, chosen) * _placing_probability(column, chosen)
    found = max(placed_probability(column, chosen), chance)
    if chosen.source == "dtype":
        return found
    return chance + _shown(column, chosen) * (found - chance)


def _shown(column: Column, chosen: ChosenOrder) -> float:
    """Return how much of an order the other columns show: 0 nothing, 1 as much as they can.

    Where no predictor is significant, all of them together may still be.
    """
    data = column.data
    if data is None or in_codes(chosen.order, column.scale) not in (data.order, data.order[::-1]):
        return 0.0
    if data.features["predictability"] > 0.0:
        return 1.0
    return min(max(data.features["separation"] / _SURE_SEPARATION, 0.0), 1.0)


def placed_probability(column: Column, chosen: ChosenOrder) -> float:
    """Compute the probability that the order is right, by the order model.

    That of the levels which the labels place, where the order is theirs.
    """
    return load_learned().order_model.probability(order_features(column, chosen))


def _placing_probability(column: Column, chosen: ChosenOrder) -> float:
    """Compute the probability that the levels which labels do not place are in their places."""
    n_places = [len(chosen.placed) + 1 + k for k in range(len(chosen.unplaced))]
    if not n_places:
        return 1.0
    chance = 1.0 / math.prod(n_places)
    if chosen.placed_by == "judge" and column.judged is not None:
        stated = column.judged.order_probability
        return stated + (1.0 - stated) * chance
    if chosen.placed_by == "dtype":
        return 1.0
    if chosen.placed_by == "labels":
        return chosen.place_weights[0]
    if chosen.placed_by is None or column.data is None:
        return chance
    data, model = column.data, load_learned().placing_model
    return math.prod(model.probability(placing_features(w, data)) for w in chosen.place_weights)


def placing_features(weight: float, data: DataEvidence) -> dict[str, float]:
    """Compute the features of the placing model.

    Parameters
    ----------
    weight : float
        The data's weight of the place among all places.
    data : DataEvidence
        The evidence on the whole column.
    """
    bounded = min(max(weight, 1e-4), 1.0 - 1e-4)
    return {
        "place_log_odds": math.log(bounded / (1.0 - bounded)),
        "monotone_share": data.features["monotone_share"],
    }


def _judged_order_probability(column: Column, order: tuple, chance: float) -> float:
    """Combine how reliable the judge is with the data's weight of the judge's order."""
    stated = column.judged.order_probability if column.judged else 0.5
    prior = stated + (1.0 - stated) * chance
    codes, data = in_codes(order, column.scale), column.data
    if data is None or not data.predictable or codes is None or len(order) < 3:
        return prior
    best = tuple(column.scale[k] for k in data.order)
    right = placed_probability(column, ChosenOrder(best, False, "data"))
    relative = math.exp(data.log_weight(codes) - data.log_weights[data.order])
    weight = right * relative + (1.0 - right) * chance
    # prior * P(data | order): the other orders share the rest of both evenly.
    others = (1.0 - prior) * (1.0 - weight) * chance / (1.0 - chance)
    return prior * weight / (prior * weight + others)
