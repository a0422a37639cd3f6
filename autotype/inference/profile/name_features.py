"""Describe the name of a column by numbers, from which its semantic type is inferred."""

from __future__ import annotations

from collections.abc import Hashable
from functools import cache

from autotype.inference.labels.column_name import names_a_count, plain_name, read_name, score_name
from autotype.lexicon.tokens import without_accents
from autotype.lexicon.toml_files import read_toml

KINDS = (
    "key",
    "number",
    "code",
    "count",
    "amount",
    "rate",
    "date",
    "place",
    "name",
    "text",
    "flag",
    "sort",
    "degree",
)
NAME_FEATURES = (
    *(f"name_{kind}" for kind in KINDS),
    *(f"last_{kind}" for kind in KINDS),
    "name_counts",
    "name_scale",
    "name_learned",
    "name_words",
    "name_length",
    "name_question",
    "name_digit",
    "name_unit",
    "name_unnamed",
)
_LONG = 5  # letters of a word that may end a compound
_UNSPACED = 0x2E80


def name_features(name: Hashable) -> dict[str, float]:
    """Describe a name by the words that it holds.

    Examples
    --------
    >>> found = name_features("customer_id")
    >>> found["name_key"], found["last_key"], found["name_count"]
    (1.0, 1.0, 0.0)
    """
    text = str(name[-1] if isinstance(name, tuple) and name else name)
    words = plain_name(without_accents(text)).casefold().split()  # accents would part words
    table, endings, unspaced = _table()
    features = dict.fromkeys(NAME_FEATURES, 0.0)
    for place, word in enumerate(words):
        kinds = table.get(word) or table.get(word.removesuffix("s"), ())
        for size in range(len(word) - 1, _LONG - 1, -1) if not kinds else ():
            if kinds := endings.get(word[-size:], ()):
                break
        if not kinds and ord(word[0]) >= _UNSPACED:
            kinds = tuple(kind for part, kind in unspaced if part in word)
        for kind in kinds:
            features[f"name_{kind}"] = 1.0
            if place == len(words) - 1:
                features[f"last_{kind}"] = 1.0
    return features | {
        "name_counts": float(names_a_count(name)),
        "name_scale": read_name(name),
        "name_learned": max(-4.0, min(4.0, score_name(name))),
        "name_words": min(len(words), 12.0),
        "name_length": min(len(text), 60.0),
        "name_question": float("?" in text or "¿" in text),
        "name_digit": float(any(c.isdigit() for c in text)),
        "name_unit": float(any(c in text for c in "([%€$°²³")),
        "name_unnamed": float(text.startswith("Unnamed:")),
    }


@cache
def _table() -> tuple[dict[str, tuple], dict[str, tuple], list[tuple[str, str]]]:
    """Word -> kinds; words that may end a compound; parts of names without blanks."""
    found: dict[str, list[str]] = {}
    for kind, words in read_toml("column_kinds").items():
        for word in words:
            found.setdefault(without_accents(word).casefold(), []).append(kind)
    table = {word: tuple(dict.fromkeys(kinds)) for word, kinds in found.items()}
    endings = {word: kinds for word, kinds in table.items() if len(word) >= _LONG}
    unspaced = [
        (word, kind) for word, kinds in table.items() if ord(word[0]) >= _UNSPACED for kind in kinds
    ]
    return table, endings, unspaced
