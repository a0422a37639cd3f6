"""Write the reasons of a verdict as sentences with their numbers, weightiest first.

Those of a type say how probable it is, and what counted most for it.
"""

from __future__ import annotations

import math
from functools import cache
from typing import Any

from autotype.inference.column import Column, in_codes
from autotype.inference.evidence.column_evidence import order_agreement
from autotype.inference.labels.evidence import NO_RULE, NOMINAL
from autotype.inference.learned import load_learned
from autotype.inference.profile.type_model import TYPES, load_type_model
from autotype.inference.verdict.order_choice import ChosenOrder
from autotype.inference.verdict.verdict_model import NAME_FEATURES, SURE_WORDING, wording
from autotype.lexicon.languages import language
from autotype.lexicon.toml_files import read_toml
from autotype.wording import format_count, format_order, format_probability, format_some

_MIN_UNDERSTOOD = (
    0.5  # proportion of the levels; fewer words are known in some language by accident
)
_PLACED_BY = {
    "judge": "by the label judge",
    "dtype": "where the file has it",
    "data": "by the other columns",
    "labels": "where the other levels leave a gap",
    None: "anywhere, since nothing shows their place",
}
_LEAST_INFLATION = 1.5
_NO_ORDER = "The level labels show no order."

_MOST_COUNTED = 3
_LEAST_COUNTED = 0.15  # log odds
_LEAST_NAMED = 0.05  # probability of a type beside the most probable one
_MOST_NAMED = 3


def write_reasons(
    column: Column, chosen: ChosenOrder, *, undetermined: bool = False
) -> tuple[str, ...]:
    """Write the reasons of a verdict.

    Parameters
    ----------
    column : Column
        A candidate with its evidence.
    chosen : ChosenOrder
        The reported order.
    undetermined : bool
        Whether no type was decided; then the last sentence says what would.

    Returns
    -------
    tuple of str
        Sentences; the labels come first where they gave the order or the verdict.
    """
    labels, data = _about_labels(column), _about_data(column)
    labels += [*_about_name(column), *_about_measure(column)]
    if _only_weak_labels(column):
        labels.append(
            "Such labels may be names as well as ranks: alone they do not decide the type."
        )
    judge = _about_judge(column)
    if chosen.source == "labels" or column.used_labels.rule == NOMINAL:
        sentences = [*labels, *judge, *data]
    else:
        first = [*judge, *data] if chosen.source == "judge" else [*data, *judge]
        sentences = [*first, *labels]
    sentences += _about_order(column, chosen)
    if undetermined:
        sentences.append(
            f"To settle it: known={{{column.name!r}: [levels, lowest first]}} or 'categorical'."
        )
    return tuple(sentences)


def _about_judge(column: Column) -> list[str]:
    judged = column.judged
    if judged is None:
        return []
    stated = f"P(ordinal) = {judged.probability:.2f}"
    if judged.order is None:
        return [f"The label judge states {stated}."]
    order = format_order(judged.order, direction_known=True)
    found = [f"The label judge orders the levels {order}, with {stated}."]
    if judged.n_compared:
        n_scales = format_count(judged.n_compared, "scale")
        found.append(f"Of {n_scales} that labels order it orders {judged.n_right} alike.")
    return found


def _about_labels(column: Column) -> list[str]:
    labels = column.used_labels
    if labels.rule == NO_RULE:
        return [*_about_words(column), *_about_wording(column)]
    if labels.rule == NOMINAL:
        return [f"The levels are {labels.detail}."]
    sentences = [f"The levels read as {labels.detail}."]
    if labels.unplaced and labels.unread:
        sentences.append(f"Not understood: {format_some(labels.unread)}.")
    if labels.cyclic:
        sentences.append("The levels are cyclic; shown in calendar order.")
    rejected = set(column.rejected)
    by_labels = [level for level in column.off_scale if level not in rejected]
    if by_labels:
        sentences.append(f"Not on the scale: {format_some(by_labels)}.")
    return sentences


def _about_words(column: Column) -> list[str]:
    """Write which words of the levels were understood, in which language, and which were not."""
    labels = column.used_labels
    unread = f"not understood: {format_some(labels.unread)}" if labels.unread else ""
    if labels.language is None or labels.understood < _MIN_UNDERSTOOD:
        return [f"The level labels show no order; {unread}." if unread else _NO_ORDER]
    name = language(labels.language).table["english"]
    some = "Some words" if unread else "Words"
    known = f"{some} of {labels.understood:.0%} of the levels were understood, as {name}"
    return [f"{known}; {unread}." if unread else f"{known}, but they show no order."]


def _about_wording(column: Column) -> list[str]:
    """Write what the wording of levels resembles that no rule reads."""
    apart = ["They are phrases about different matters."] if column.used_labels.apart else []
    score = column.text_score
    if math.isnan(score) or abs(score) < load_learned().min_text_score:
        return apart
    kind = "scales" if score > 0 else "names"
    return [f"Their wording resembles that of {kind} (log odds {score:+.1f}).", *apart]


def _only_weak_labels(column: Column) -> bool:
    """Return whether labels that do not decide the type are the only evidence."""
    rule = column.used_labels.rule
    other = _has_other_evidence(column) or _wording_speaks(column)
    return rule != NO_RULE and not rule.decides and not other


def _has_other_evidence(column: Column) -> bool:
    predictable = column.data is not None and column.data.predictable
    return column.judged is not None or predictable


def _about_name(column: Column) -> list[str]:
    """Write that the column's name contradicts its labels, if it does."""
    rule, score = column.used_labels.rule, column.name_score
    if rule == NOMINAL and score > 0:
        return ["The column's name suggests an order."]
    if rule.decides and rule != NOMINAL and score < 0:
        return ["The column's name suggests no order."]
    if not (rule.decides or _has_other_evidence(column)) and _wording_speaks(column):
        what = "scales" if wording(column) > 0 else "names"
        return [f"The column's name is worded like those of {what}."]
    return []


def _wording_speaks(column: Column) -> bool:
    """Check whether the column's name is evidence where its labels are not read."""
    odds, of_name = wording(column), wording(column, NAME_FEATURES)
    return abs(odds) >= SURE_WORDING and of_name * odds > 0 and 2 * abs(of_name) >= abs(odds)


def _about_measure(column: Column) -> list[str]:
    """Write which measure the file stores, if no reading of the labels outweighs it."""
    measure = column.entry.measure if column.entry is not None and column.texts else ""
    if not measure or column.used_labels.rule.decides:
        return []
    return [f"The file stores the measure {measure!r}, which counts a little."]


def _about_data(column: Column) -> list[str]:
    data = column.data
    if column.levels is None:
        n_levels = format_count(len(column.scale), "level")
        return [f"The other columns were not examined: {n_levels} are more than max_levels."]
    if data is None:
        return ["There is no other column to predict it from."]
    if not data.predictable:
        z = data.features["predictability"]
        unpredicted = f"The other columns do not predict it (z = {z:.1f}), so they show no order."
        return [unpredicted, *_about_dependence(column)]
    numbers, monotone = data.numbers, data.features["monotone_share"]
    ordinal, multiclass = numbers["loo_ordinal"], numbers["loo_multiclass"]
    rows = format_count(data.n_rows, "row")
    predictors = format_count(numbers["n_predictors"], "predictor")
    speak, better = ("for", "better") if ordinal > multiclass else ("against", "worse")
    return [
        f"The other columns speak {speak} an order: from {predictors} on {rows}, a model with "
        f"ordered levels predicts {better} than a model without order. It gives the true level a "
        f"typical probability of {math.exp(ordinal):.1%}, the other {math.exp(multiclass):.1%}, "
        f"and the proportions of the levels alone {math.exp(numbers['loo_baseline']):.1%}.",
        f"Along the best order the other columns rise or fall steadily: that explains "
        f"{monotone:.0%} of what their means differ by.",
        *_about_dependence(column),
    ]


def _about_dependence(column: Column) -> list[str]:
    """Write that rows depend on each other, where so many say as much as few."""
    if column.data is None or column.data.inflation < _LEAST_INFLATION:
        return []
    rows = format_count(column.data.n_rows, "row")
    said = "they are repeated, come in groups of one value, or drift along the frame"
    return [
        f"The rows depend on each other: {said}. "
        f"{rows} say as much as {column.data.numbers['effective_rows']:.0f} independent ones."
    ]


def _about_order(column: Column, chosen: ChosenOrder) -> list[str]:
    data, suggested = column.data, column.suggested
    if chosen.source == "judge":
        suggested = in_codes(chosen.order, column.scale)
    sentences = ["Its levels stand in this order in the file."] if chosen.source == "dtype" else []
    if chosen.unplaced:
        sentences.append(f"Placed {_PLACED_BY[chosen.placed_by]}: {format_some(chosen.unplaced)}.")
    if column.rejected:
        named = format_some(column.rejected)
        sentences.append(
            f"Not on the scale, because no place on it fits the other columns: {named}."
        )
    for spelling in column.used_labels.spellings[:3]:
        sentences.append(f"Probably spellings of one level: {format_some(spelling)}.")
    spellings = set(column.used_labels.spellings)
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


@cache
def type_phrases() -> dict[str, dict[str, Any]]:
    """Return the phrases on features and types.

    What the rules say stands in the first reason; the words at the ends of a name count twice.
    """
    found = read_toml("type_phrases")
    names = [name for name in found["features"] if name.startswith("name_")]
    ends = {f"{end}_{n.removeprefix('name_')}": n for end in ("first", "last") for n in names}
    return {**found, "ends": ends}


def write_type_reasons(column: Column, kind: str) -> tuple[str, ...]:
    """Write how probable the types of a column are, and what counted most for its type.

    Parameters
    ----------
    column : Column
        With its `type_probabilities`, and `type_features` where the model weighed it.
    kind : str
        The type that is reported.

    Returns
    -------
    tuple of str
        Sentences; empty where a fact settles the type.
    """
    if not column.type_features:
        return ()
    found = sorted(column.type_probabilities.items(), key=lambda item: -item[1])
    named = [item for item in found if item[1] >= _LEAST_NAMED][:_MOST_NAMED]
    listed = ", ".join(f"{name} {format_probability(p)}" for name, p in named)
    sentences = [f"Probable types: {listed}."]
    best = kind if kind in TYPES else found[0][0]
    if counted := _counted_most(column, best):
        sentences.append(f"What counted most for {best}: {'; '.join(counted)}.")
    if column.determines and kind == "categorical":
        sentences.append(f"Each value goes with one value of {_determined(column)}.")
    return tuple(sentences)


def reason_for(column: Column, kind: str) -> str:
    """Write why the model names another type than the rules, in one sentence."""
    p = column.type_probabilities.get(kind, math.nan)
    if kind == "undetermined":
        return f"No type is probable enough; known={{{column.name!r}: type}} settles it."
    if kind == "identifier" and column.determines:
        return with_determined("Its values name things.", column)
    noun = type_phrases()["types"][kind]
    return f"Its values, its name and the other columns are those of {noun} (P = {p:.2f})."


def with_determined(reason: str, column: Column) -> str:
    """Add what a key determines to the reason for its type."""
    if not column.determines:
        return reason
    return f"{reason.removesuffix('.')}, and each determines one value of {_determined(column)}."


def _determined(column: Column) -> str:
    return format_some(list(map(str, column.determines)))


def _counted_most(column: Column, kind: str) -> list[str]:
    """Return phrases for the features that speak most for a type against the next probable one."""
    features, found, said = column.type_features, column.type_probabilities, type_phrases()
    rival = max((other for other in found if other != kind), key=lambda other: found[other])
    phrases: dict[str, float] = {}
    for name, log_odds in load_type_model().contributions(features, kind, rival).items():
        name = said["ends"].get(name, name)
        if log_odds < _LEAST_COUNTED or name not in said["features"]:
            continue
        value = features[name]
        high = value > load_type_model().mean_of(name)
        if phrase := said["features"][name][not high].format(value):
            phrases[phrase] = phrases.get(phrase, 0.0) + log_odds
    return sorted(phrases, key=lambda phrase: -phrases[phrase])[:_MOST_COUNTED]
