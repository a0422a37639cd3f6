"""Write the reasons of a verdict as sentences with their numbers, weightiest first."""

from __future__ import annotations

import math

from autotype.inference.evidence.column_evidence import ColumnEvidence, order_agreement
from autotype.inference.labels.evidence import NO_RULE, NOMINAL
from autotype.inference.learned import load_learned
from autotype.inference.verdict.order_choice import ChosenOrder
from autotype.lexicon.languages import language
from autotype.wording import format_count, format_order, format_some

_MIN_UNDERSTOOD = 0.5  # share of the levels; fewer words are known in some language by accident
_NO_ORDER = "The level labels show no order."


def write_reasons(
    evidence: ColumnEvidence, chosen: ChosenOrder, *, undetermined: bool = False
) -> tuple[str, ...]:
    """Write the reasons of a verdict.

    Parameters
    ----------
    evidence : ColumnEvidence
        Evidence on the column.
    chosen : ChosenOrder
        The reported order.
    undetermined : bool
        Whether no type was decided; then the last sentence says what would.

    Returns
    -------
    tuple of str
        Sentences; the labels come first where they gave the order or the verdict.
    """
    labels, data = _about_labels(evidence), _about_data(evidence)
    labels += _about_name(evidence)
    if _only_weak_labels(evidence):
        labels.append(
            "Such labels may be names as well as ranks: alone they do not decide the type."
        )
    judge = _about_judge(evidence)
    if chosen.source == "labels" or evidence.labels.rule == NOMINAL:
        sentences = [*labels, *judge, *data]
    else:
        first = [*judge, *data] if chosen.source == "judge" else [*data, *judge]
        sentences = [*first, *labels]
    sentences += _about_order(evidence, chosen)
    if undetermined:
        sentences.append(
            f"To settle it: known={{{evidence.name!r}: [levels, lowest first]}} or 'categorical'."
        )
    return tuple(sentences)


def _about_judge(evidence: ColumnEvidence) -> list[str]:
    judged = evidence.judged
    if judged is None:
        return []
    stated = f"P(ordinal) = {judged.probability:.2f}"
    if judged.order is None:
        return [f"The label judge states {stated}."]
    order = format_order(judged.order, direction_known=True)
    return [f"The label judge orders the levels {order}, with {stated}."]


def _about_labels(evidence: ColumnEvidence) -> list[str]:
    labels = evidence.labels
    if labels.rule == NO_RULE:
        return [*_about_words(evidence), *_about_wording(evidence)]
    if labels.rule == NOMINAL:
        return [f"The levels are {labels.detail}."]
    sentences = [f"The levels read as {labels.detail}."]
    if labels.unplaced and labels.unread:
        sentences.append(f"Not understood: {format_some(labels.unread)}.")
    if labels.cyclic:
        sentences.append("The levels are cyclic; shown in calendar order.")
    rejected = set(evidence.rejected_by_data)
    by_labels = [level for level in evidence.off_scale if level not in rejected]
    if by_labels:
        sentences.append(f"Not on the scale: {format_some(by_labels)}.")
    return sentences


def _about_words(evidence: ColumnEvidence) -> list[str]:
    """Write which words of the levels were understood, in which language, and which were not."""
    labels = evidence.labels
    unread = f"not understood: {format_some(labels.unread)}" if labels.unread else ""
    if labels.language is None or labels.understood < _MIN_UNDERSTOOD:
        return [f"The level labels show no order; {unread}." if unread else _NO_ORDER]
    name = language(labels.language).table["english"]
    known = f"Words of {labels.understood:.0%} of the levels were understood, as {name}"
    return [f"{known}; {unread}." if unread else f"{known}, but they show no order."]


def _about_wording(evidence: ColumnEvidence) -> list[str]:
    """Write what the wording of levels resembles that no rule reads."""
    score = evidence.text_score
    if math.isnan(score) or abs(score) < load_learned().constants.min_text_score:
        return []
    kind = "scales" if score > 0 else "names"
    return [f"Their wording resembles that of {kind} (log odds {score:+.1f})."]


def _only_weak_labels(evidence: ColumnEvidence) -> bool:
    """Return whether labels that do not decide the type are the only evidence."""
    rule = evidence.labels.rule
    return rule != NO_RULE and not rule.decides and not _has_other_evidence(evidence)


def _has_other_evidence(evidence: ColumnEvidence) -> bool:
    predictable = evidence.data is not None and evidence.data.predictable
    return evidence.judged is not None or predictable


def _about_name(evidence: ColumnEvidence) -> list[str]:
    """Write that the column's name contradicts its labels, if it does."""
    rule, score = evidence.labels.rule, evidence.name_score
    if rule == NOMINAL and score > 0:
        return ["The column's name suggests an order."]
    if rule.decides and rule != NOMINAL and score < 0:
        return ["The column's name suggests no order."]
    return []


def _about_data(evidence: ColumnEvidence) -> list[str]:
    data = evidence.data
    if evidence.too_many_levels:
        n_levels = format_count(len(evidence.levels), "level")
        return [f"The other columns were not examined: {n_levels} are more than max_levels."]
    if data is None:
        return ["There is no other column to predict it from."]
    if not data.predictable:
        z = data.features.predictability
        return [f"The other columns do not predict it (z = {z:.1f}), so they show no order."]
    ordinal, multiclass = data.loo_ordinal, data.loo_multiclass
    baseline = data.loo_baseline
    rows = format_count(data.n_rows, "row")
    predictors = format_count(data.n_predictors, "predictor")
    better = "better" if ordinal > multiclass else "worse"
    return [
        f"On {rows} and {predictors} a model with ordered levels predicts {better} than one "
        f"without order: {ordinal:.3f} against {multiclass:.3f} log probability a row "
        f"(level shares alone: {baseline:.3f}).",
        f"Level means of the other columns are {data.features.monotone_share:.0%} monotone "
        "along the best order.",
    ]


def _about_order(evidence: ColumnEvidence, chosen: ChosenOrder) -> list[str]:
    data, suggested = evidence.data, evidence.in_codes(evidence.labels.order)
    if chosen.source == "judge":
        suggested = evidence.in_codes(chosen.order)
    sentences = []
    if chosen.placed_by_data:
        how = "by the other columns" if data else "last, because no other column is informative"
        sentences.append(f"Placed {how}: {format_some(chosen.placed_by_data)}.")
    if evidence.rejected_by_data:
        named = format_some(evidence.rejected_by_data)
        sentences.append(
            f"Not on the scale, because no place on it fits the other columns: {named}."
        )
    for spelling in evidence.labels.spellings[:3]:
        sentences.append(f"Probably spellings of one level: {format_some(spelling)}.")
    spellings = set(evidence.labels.spellings)
    for tie in [tie for tie in chosen.ties if tie not in spellings][:3]:
        named = ", ".join(repr(level) for level in tie)
        sentences.append(f"The other columns do not show which of these is higher: {named}.")
    if data is None or not data.predictable:
        return sentences
    if suggested is not None:
        agreement = order_agreement(suggested, data.order)
        if agreement == 1.0:
            sentences.append("The other columns give the same order.")
        elif not math.isnan(agreement):
            sentences.append(
                f"The other columns alone give another order (|tau| = {agreement:.2f})."
            )
    return sentences
