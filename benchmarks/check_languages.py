"""Check the language files of the label reader.

usage: check_languages.py [CODE ...]

For each language (all by default) what is wrong and what is missing is printed. The exit code is 1
if a file has a fault.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from autotype.lexicon.languages import ENGLISH, Language, codes, language
from autotype.lexicon.number_words import MULTIPLES
from autotype.lexicon.tokens import Split, plain_words, split_words
from autotype.lexicon.toml_files import read_toml

FAMILIES = frozenset(read_toml("families"))
RARE = frozenset(["calm", "harm", "pleasantness", "politeness", "tone", "vigor", "width"])
PLAIN = frozenset(
    ["name", "english", "fillers", "gradable", "degree", "affixes", "shift", "shrink"]
)
NUMBERS = frozenset(["units", *MULTIPLES, "multipliers", "cardinals", "ordinals"])
KEYS = {
    "balance": {"neither", "nor", "or", "but", "than", "only"},
    "negation": {"words", "prefixes", "verbs", "verb_form"},
    "bounds": {"less", "last", "more", "links", "fillers", "ago", "and_a_half"},
    "rates": {"per", "once", "twice", "several", "phrases"},
    "off_scale": {"words", "starts", "states", "outcomes"},
    "ends": {"lowest", "highest", "zero"},
    "stages": {"words", "inverted", "naming"},
}
SCALE_KEYS = {
    "name", "ranks", "minimum", "direction", "weak", "needs", "general", "off_scale", "named",
    "alone",
}  # fmt: skip
TOP = PLAIN | NUMBERS | set(KEYS) | {"family", "scale", "names"}
UNITS = frozenset(["second", "minute", "hour", "day", "week", "month", "year", "time"])
PLACES = 6.0  # the largest place and degree


def faults(words: Language) -> list[str]:
    """Return what is wrong in the file of a language."""
    table = words.table | words.lists
    found = [f"unknown key {key!r}" for key in table if key not in TOP]
    found += [f"{key} is missing" for key in ("name", "english") if not table.get(key)]
    for section, keys in KEYS.items():
        for key in table.get(section, {}):
            if key not in keys:
                found.append(f"{section}.{key}: unknown key")
    split = split_words if words.code == ENGLISH else plain_words
    found += _faulty_lists(table, split)
    found += _faulty_numbers(table)
    found += _hidden_degrees(words)
    groups = {"degree": table.get("degree", {}), "units": table.get("units", {})}
    for name, family in table.get("family", {}).items():
        fixed = family.get("fixed", {})
        groups[f"family {name}"] = {k: v for k, v in family.items() if k != "fixed"} | fixed
        unknown = set(family) - {"high", "low", "fixed"}
        found += [f"family {name}: unknown key {key!r}" for key in sorted(unknown)]
        if name not in FAMILIES:
            found.append(f"family {name}: not one of the families in families.toml")
    for where, group in groups.items():
        found += _twice(where, group.items(), split)
    names = [scale["name"] for scale in table.get("scale", ())]
    found += [f"scale {name!r} stands there twice" for name in _repeated(names)]
    for scale in table.get("scale", ()):
        unknown = set(scale) - SCALE_KEYS
        found += [f"scale {scale['name']!r}: unknown key {key!r}" for key in sorted(unknown)]
        if len(scale["ranks"]) < 2:
            found.append(f"scale {scale['name']!r} has less than two ranks")
        found += _twice(f"scale {scale['name']!r}", enumerate(scale["ranks"]), split)
    names = [names["name"] for names in table.get("names", ())]
    found += [f"names {name!r} stand there twice" for name in _repeated(names)]
    try:
        words.load()  # stems of two ranks may coincide
    except ValueError as error:
        found.append(str(error))
    return found


def missing(words: Language) -> list[str]:
    """Return what the file of a language might have and has not."""
    table = words.table
    found = [f"no [{key}]" for key in sorted(KEYS) if key not in table]
    absent = sorted(FAMILIES - set(table.get("family", {})) - RARE)
    if absent:
        found.append(f"no family {', '.join(absent)}")
    units = sorted(UNITS - set(table.get("units", {})))
    if units:
        found.append(f"no unit {', '.join(units)}")
    if len(table.get("gradable", ())) < 30:
        found.append(f"only {len(table.get('gradable', ()))} gradable words")
    return found


def _faulty_lists(table: Mapping[str, Any], split: Split) -> Iterator[str]:
    """Yield lists that hold something else than words."""
    for path, entry in _lists("", table):
        for word in entry:
            signs_allowed = path.split(".")[1] in ("units", "bounds", "names", "off_scale")
            if isinstance(word, str) and not split(word) and not signs_allowed:
                yield f"{path[1:]}: {word!r} holds no word"
            elif not isinstance(word, str | dict | list):
                yield f"{path[1:]}: {word!r} is no text"


def _hidden_degrees(words: Language) -> Iterator[str]:
    """Yield words of a family that are another one and a degree: both would have one place."""
    key_of = words.key_of
    families = words.table.get("family", {})
    sides = {
        f"family {name} {side}": family.get(side, ())
        for name, family in families.items()
        for side in ("high", "low")
    }
    steps = words.table.get("degree", {}).items()
    degrees = {key_of(phrase) for step, own in steps if float(step) > 0 for phrase in own}
    degrees -= {key_of(phrase) for own in sides.values() for phrase in own}  # "high risk"
    for where, own in sides.items():
        keys = set(map(key_of, own))
        for phrase in own:
            parts = phrase.split()
            for k in range(1, len(parts)):
                first, rest = " ".join(parts[:k]), " ".join(parts[k:])
                if key_of(first) in degrees and key_of(rest) in keys:
                    yield f"{where}: {phrase!r} is a degree of {rest!r}"


def _lists(path: str, entry: Any) -> Iterator[tuple[str, list]]:
    if isinstance(entry, dict):
        for key, value in entry.items():
            yield from _lists(f"{path}.{key}", value)
    elif isinstance(entry, list):
        yield path, entry
        for value in entry:
            yield from _lists(path, value)


def _faulty_numbers(table: Mapping[str, Any]) -> Iterator[str]:
    """Yield numbers that cannot be read, or lie outside their range."""
    steps = [("degree", key) for key in table.get("degree", {})]
    steps += [(kind, key) for kind in ("affixes", "shift", "shrink") for key in table.get(kind, {})]
    for name, family in table.get("family", {}).items():
        steps += [(f"family {name}", key) for key in family.get("fixed", {})]
    for where, key in steps:
        try:
            value = float(key)
        except ValueError:
            yield f"{where}: {key!r} is no number"
        else:
            if abs(value) > PLACES:
                yield f"{where}: {key!r} is not between -6 and 6"
    numbers = [("rates.phrases", table.get("rates", {}).get("phrases", {}))]
    numbers += [(section, table.get(section, {})) for section in ("cardinals", "ordinals")]
    for section, group in numbers:
        for word, value in group.items():
            if not isinstance(value, int | float):
                yield f"{section}: {word!r} has {value!r}, which is no number"


def _twice(where: str, groups: Iterable[tuple[Any, Any]], split: Split) -> Iterator[str]:
    """Yield phrases that stand at two places of a group."""
    seen: dict[tuple[str, ...], Any] = {}
    for place, phrases in groups:
        for phrase in phrases:
            words = split(phrase) or (phrase,)
            if seen.setdefault(words, place) != place:
                yield f"{where}: {phrase!r} stands at {seen[words]!r} and at {place!r}"


def _repeated(names: list[str]) -> list[str]:
    return sorted({name for name in names if names.count(name) > 1})


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("codes", nargs="*", metavar="CODE", help="languages, all by default")
    options = parser.parse_args(arguments)
    n_faults = 0
    for code in options.codes or codes():
        wrong = faults(language(code))
        n_faults += len(wrong)
        print(f"{code}: {len(wrong)} faults")
        for line in wrong:
            print(f"    {line}")
        for line in missing(language(code)):
            print(f"    ({line})")
    return int(n_faults > 0)


if __name__ == "__main__":
    sys.exit(main())
