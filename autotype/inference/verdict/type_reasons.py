"""Write the reasons of a type as sentences: how probable it is, and what counted most for it."""

from __future__ import annotations

import math

from autotype.inference.column import Column
from autotype.inference.profile.type_model import TYPES, load_type_model
from autotype.wording import format_probability, format_some

_MOST_COUNTED = 3
_LEAST_COUNTED = 0.15  # log odds
_LEAST_NAMED = 0.05  # probability of a type beside the most probable one
_MOST_NAMED = 3

# Feature -> what it shows where it is high, and where it is low; `{}` is its value.
_PHRASES: dict[str, tuple[str, str]] = {
    "levels": ("it has many different values", "it has few different values"),
    "distinct_share": ("{:.0%} of its values are different", "{:.0%} of its values are different"),
    "unique": ("every row holds another value", ""),
    "rows_per_level": ("its values repeat often", "its values hardly repeat"),
    "top_share": ("one value stands in {:.0%} of the rows", ""),
    "entropy": ("its values are evenly frequent", "its values are unevenly frequent"),
    "single_levels": ("{:.0%} of its values stand in one row", "few values stand in one row only"),
    "length": ("its strings are long", ""),
    "longest": ("it holds long strings", ""),
    "one_length": ("its strings have one length", "its strings differ in length"),
    "letters": ("it holds letters", ""),
    "digits": ("it holds digits", "it holds no or few digits"),
    "words": ("it holds several words per value", "it holds a word per value"),
    "most_words": ("some values are of many words", ""),
    "code_like": ("{:.0%} of its values look like codes", ""),
    "letter_digit": ("letters stand beside digits", ""),
    "dates": ("{:.0%} of its values look like dates", ""),
    "times": ("{:.0%} of its values look like times of day", ""),
    "addresses": ("it holds addresses of the web", ""),
    "sentences": ("it holds sentences", ""),
    "lists": ("its values are lists of items", ""),
    "leading_zeros": ("numbers begin with 0", ""),
    "numbers": ("{:.0%} of its values are numbers", "it holds no numbers"),
    "whole": ("its numbers are integers", "its numbers are not whole"),
    "decimals": ("its numbers have decimals", ""),
    "negative": ("it holds negative numbers", ""),
    "zeros": ("{:.0%} of its numbers are 0", ""),
    "magnitude": ("its numbers are large", "its numbers are small"),
    "dense": ("its numbers have no gaps", "its numbers have gaps"),
    "consecutive": ("its numbers are consecutive", ""),
    "smooth": (
        "neighbouring numbers differ much in frequency",
        "frequencies run smoothly along it",
    ),
    "skew": ("few numbers are much larger than the others", ""),
    "tens": ("{:.0%} of its numbers are multiples of ten", ""),
    "one_width": ("its numbers have equally many digits", "its numbers differ in digits"),
    "long_digits": ("its numbers have many digits", ""),
    "years": ("{:.0%} of its numbers look like years", ""),
    "name_key": ("its name holds a word for a key", ""),
    "name_number": ("its name holds a word for a number", ""),
    "name_code": ("its name holds a word for a code", ""),
    "name_count": ("its name holds a word for what is counted", ""),
    "name_amount": ("its name holds a word for an amount", ""),
    "name_rate": ("its name holds a word for a rate", ""),
    "name_date": ("its name holds a word for a time", ""),
    "name_place": ("its name holds a word for a coordinate", ""),
    "name_name": ("its name holds a word for what has a name", ""),
    "name_text": ("its name holds a word for free text", ""),
    "name_sort": ("its name holds a word for a kind", ""),
    "name_degree": ("its name holds a word for a degree", ""),
    "name_counts": ("its name is that of a count", ""),
    "name_scale": ("its name suggests an order", "its name suggests no order"),
    "name_learned": ("its name resembles those of scales", "its name resembles those of names"),
    "alike": ("other columns hold the same levels", ""),
    "determines": ("it determines other columns", ""),
    "ordinal_odds": ("the evidence is for an order", "the evidence is against an order"),
    "label_nominal": ("its levels are known names", ""),
    "label_numeric": ("its levels are plain numbers", ""),
    "label_wording": ("its levels are worded like scales", "its levels are worded like names"),
}
# What the rules say stands in the first reason; the words at the ends of a name count twice.
_AS = {
    f"{place}_{name.removeprefix('name_')}": name
    for name in _PHRASES
    for place in ("first", "last")
    if name.startswith("name_")
}

_AS_NOUN = {
    "ordinal": "ranks",
    "categorical": "names or codes that repeat",
    "binary": "two values",
    "continuous": "measurements",
    "count": "counts",
    "datetime": "dates or times",
    "identifier": "an identifier",
    "text": "free text",
    "constant": "a constant",
}


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
    return (
        f"Its values, its name and the other columns are those of {_AS_NOUN[kind]} (P = {p:.2f})."
    )


def with_determined(reason: str, column: Column) -> str:
    """Add what a key determines to the reason for its type."""
    if not column.determines:
        return reason
    return f"{reason.removesuffix('.')}, and each determines one value of {_determined(column)}."


def _determined(column: Column) -> str:
    return format_some(list(map(str, column.determines)))


def _counted_most(column: Column, kind: str) -> list[str]:
    """Return phrases for the features that speak most for a type against the next probable one."""
    features, found = column.type_features, column.type_probabilities
    rival = max((other for other in found if other != kind), key=lambda other: found[other])
    phrases: dict[str, float] = {}
    for name, log_odds in load_type_model().contributions(features, kind, rival).items():
        name = _AS.get(name, name)
        if log_odds < _LEAST_COUNTED or name not in _PHRASES:
            continue
        value = features[name]
        high = value > load_type_model().mean_of(name)
        if phrase := _PHRASES[name][not high].format(value):
            phrases[phrase] = phrases.get(phrase, 0.0) + log_odds
    return sorted(phrases, key=lambda phrase: -phrases[phrase])[:_MOST_COUNTED]
