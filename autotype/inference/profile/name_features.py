"""Describe the name of a column by numbers, from which its semantic type is inferred."""

from __future__ import annotations

import re
from collections.abc import Hashable
from functools import cache

from autotype.inference.labels.column_name import names_a_count, plain_name, read_name, score_name
from autotype.lexicon.tokens import is_unspaced, without_accents
from autotype.lexicon.toml_files import read_toml
from autotype.types.column_names import own_name, unnamed_place

_IDENTIFIER_NAME = re.compile(
    r"(?i:(^|[^a-z])(id|ids|pid|uid|uuid|guid|key|rownames?|index|serial|ssn|isbn|issn|upc|ean|sku|"
    r"vin|imei|iban)([^a-z]|$)|^unnamed: 0$)"
    r"|(?i:(^|[^a-z])(no|nr|nbr|num|number)\W*$)"  # order_no, but not number_of_rooms
    r"|[a-z](I[dD]s?|N[or]|Num)$"  # customerId, but not paid
    r"|(?i:(user|customer|client|patient|student|person|employee|member|order|product|item|record)"
    r"ids?$)"
)
_STEM = 4  # letters of a word before "id"
_LONG = 5  # letters of a word that may end a compound
_BELOW = " / "  # between the lines of a header


def name_features(name: Hashable) -> dict[str, float]:
    """Describe a name by the words that it holds.

    Examples
    --------
    >>> found = name_features("customer_id")
    >>> found["name_key"], found["last_key"], found["name_count"]
    (1.0, 1.0, 0.0)
    """
    text = own_name(name)
    words = _words(text)
    own = _words(text.rpartition(_BELOW)[2])  # without groups in lines above
    features: dict[str, float] = {}
    # The head of a name stands last in Germanic languages, and first in Romance ones.
    for place, some in (("name", words), ("first", own[:1]), ("last", own[-1:])):
        held = {kind for word in some for kind in _kinds(word)}
        features |= {f"{place}_{kind}": float(kind in held) for kind in read_toml("column_kinds")}
    return features | {
        "name_identifies": float(names_an_identifier(name)),
        "name_counts": float(names_a_count(name)),
        "name_scale": read_name(name),
        "name_learned": max(-4.0, min(4.0, score_name(name))),
        "name_words": min(len(words), 12.0),
        "name_length": min(len(text), 60.0),
        "name_question": float("?" in text or "¿" in text),
        "name_digit": float(any(c.isdigit() for c in text)),
        "name_unit": float(any(c in text for c in "([%€$°²³")),
        "name_unnamed": float(unnamed_place(name) is not None),
    }


def names_an_identifier(name: Hashable) -> bool:
    """Check for the name of a key: a word for one, or "id" at the end of another word.

    Examples
    --------
    >>> [names_an_identifier(name) for name in ("order no", "linkOrderid", "paid", "idées")]
    [True, True, False, False]
    """
    text = without_accents(str(name))
    if _IDENTIFIER_NAME.search(text):
        return True
    stem, is_glued, _ = (*_words(text)[-1:], "")[0].rpartition("id")
    return bool(is_glued) and any(stem.endswith(w) for w in _table()[0] if len(w) >= _STEM)


def _words(text: str) -> list[str]:
    return plain_name(without_accents(text)).casefold().split()  # accents would part words


def _kinds(word: str) -> tuple[str, ...]:
    """Return the kinds of a word, by itself or by its end."""
    table, endings, unspaced = _table()
    if kinds := table.get(word) or table.get(word.removesuffix("s"), ()):
        return kinds
    for size in range(len(word) - 1, _LONG - 1, -1):
        if kinds := endings.get(word[-size:], ()):
            return kinds
    if not is_unspaced(word):
        return ()
    return tuple(kind for part, kind in unspaced if part in word)


@cache
def _table() -> tuple[dict[str, tuple], dict[str, tuple], list[tuple[str, str]]]:
    """Word -> kinds; words that may end a compound; parts of names without blanks."""
    found: dict[str, list[str]] = {}
    for kind, words in read_toml("column_kinds").items():
        for word in words:
            found.setdefault(without_accents(word).casefold(), []).append(kind)
    table = {word: tuple(dict.fromkeys(kinds)) for word, kinds in found.items()}
    endings = {word: kinds for word, kinds in table.items() if len(word) >= _LONG}
    own = ((word, kinds) for word, kinds in table.items() if is_unspaced(word))
    unspaced = [(word, kind) for word, kinds in own for kind in kinds]
    return table, endings, unspaced
