"""The reasons of a verdict as sentences with their numbers, weightiest first."""

from __future__ import annotations

import math

from autotype.inference.candidate import CandidateEvidence
from autotype.inference.evidence import order_agreement
from autotype.inference.labels.evidence import NO_RULE, NOMINAL
from autotype.inference.order_choice import ChosenOrder
from autotype.wording import format_count, format_order, format_some


def give_reasons(evidence: CandidateEvidence, chosen: ChosenOrder) -> tuple[str, ...]:
    """Say what speaks for the verdict.

    Parameters
    ----------
    evidence : CandidateEvidence
        Labels and data.
    chosen : ChosenOrder
        The reported order.

    Returns
    -------
    tuple of str
        Sentences; the labels come first where they gave the order or the verdict.
    """
    labels, data = _about_labels(evidence), _about_data(evidence)
    labels += _about_name(evidence)
    if _is_open(evidence):
        labels.append("Such labels may be names as well as ranks, so alone they decide nothing.")
    judge = _about_judge(evidence)
    if chosen.source == "labels" or evidence.labels.rule is NOMINAL:
        sentences = [*labels, *judge, *data]
    else:
        first = [*judge, *data] if chosen.source == "judge" else [*data, *judge]
        sentences = [*first, *labels]
    return tuple(sentences + _about_order(evidence, chosen))


def _about_judge(evidence: CandidateEvidence) -> list[str]:
    judged = evidence.judged
    if judged is None:
        return []
    stated = f"P(ordinal) = {judged.probability:.2f}"
    if judged.order is None:
        return [f"The label judge states {stated}."]
    order = format_order(judged.order, direction_known=True)
    return [f"The label judge orders the levels {order}, with {stated}."]


def _about_labels(evidence: CandidateEvidence) -> list[str]:
    labels = evidence.labels
    if labels.rule is NO_RULE:
        return ["The texts of the levels say nothing about an order."]
    if labels.rule is NOMINAL:
        return [f"The levels are {labels.detail}."]
    sentences = [f"The levels read as {labels.detail}."]
    if labels.cyclic:
        sentences.append("Such levels go round in a circle; they are in calendar order.")
    by_text = [level for level in evidence.off_scale if level not in evidence.off_line]
    if by_text:
        sentences.append(f"Off the scale: {format_some(by_text)}.")
    return sentences


def _is_open(evidence: CandidateEvidence) -> bool:
    """Tell whether the labels suggest an order and nothing else speaks."""
    heard = evidence.judged is not None or (evidence.data and evidence.data.predictable)
    return not (evidence.labels.rule.decides or evidence.labels.rule is NO_RULE or heard)


def _about_name(evidence: CandidateEvidence) -> list[str]:
    """Say where the column's name speaks against its labels."""
    rule, says = evidence.labels.rule, evidence.name_says
    if rule is NOMINAL and says > 0:
        return ["The column's name speaks for an order."]
    if rule.decides and rule is not NOMINAL and says < 0:
        return ["The column's name speaks against an order."]
    return []


def _about_data(evidence: CandidateEvidence) -> list[str]:
    data = evidence.data
    if data is None:
        return ["No other column can predict this one."]
    if not data.predictable:
        z = data.features.predictability
        return [
            f"The other columns hardly predict it (z = {z:.1f}), so they cannot tell the order."
        ]
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


def _about_order(evidence: CandidateEvidence, chosen: ChosenOrder) -> list[str]:
    data, suggested = evidence.data, evidence.in_codes(evidence.labels.order)
    if chosen.source == "judge":
        suggested = evidence.in_codes(chosen.order)
    sentences = []
    if chosen.placed_by_data:
        how = "by the data" if data is not None else "at the end, for want of data"
        sentences.append(f"Placed {how}: {format_some(chosen.placed_by_data)}.")
    if evidence.off_line:
        named = format_some(evidence.off_line)
        they = "it fits" if len(evidence.off_line) == 1 else "they fit"
        sentences.append(f"Off the scale, since {they} nowhere along it: {named}.")
    for spelling in evidence.labels.spellings[:3]:
        sentences.append(f"Spellings of one level, it seems: {format_some(spelling)}.")
    for tie in [tie for tie in chosen.ties if tie not in evidence.labels.spellings][:3]:
        named = ", ".join(repr(level) for level in tie)
        sentences.append(f"Which of these is higher, the data do not tell: {named}.")
    if data is None or not data.predictable:
        return sentences
    if suggested is not None:
        agreement = order_agreement(suggested, data.order)
        if agreement == 1.0:
            sentences.append("The other columns find the same order.")
        elif not math.isnan(agreement):
            sentences.append(
                f"The other columns alone would order them otherwise (|tau| = {agreement:.2f})."
            )
    return sentences
