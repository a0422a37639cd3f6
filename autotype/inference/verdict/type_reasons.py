"""Write the reasons of a type as sentences: how probable it is, and what counted most for it."""

from __future__ import annotations

import math
from functools import cache
from typing import Any

from autotype.inference.column import Column
from autotype.inference.profile.type_model import TYPES, load_type_model
from autotype.lexicon.toml_files import read_toml
from autotype.wording import format_probability, format_some

_MOST_COUNTED = 3
_LEAST_COUNTED = 0.15  # log odds
_LEAST_NAMED = 0.05  # probability of a type beside the most probable one
_MOST_NAMED = 3


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
