"""Rules for labels that count up: fractions, repeated signs, stages, numerals, and lists."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from autotype.inference.labels.off_scale import is_off_scale
from autotype.inference.labels.reading import Reading, all_distinct, covers, distinct, names_of
from autotype.inference.labels.scales import strip_shared
from autotype.inference.labels.topics import NAMES_THINGS, topics_of
from autotype.lexicon.languages import ENGLISH, Language, Words, language
from autotype.lexicon.number_words import translate
from autotype.lexicon.quantities import THOUSANDS, mark_bounds, parse_quantity
from autotype.lexicon.tokens import Label, n_alike, read_label, split_words
from autotype.lexicon.toml_files import read_toml

_ROMAN = re.compile(r"(?P<tens>x{0,3})(?P<ones>ix|iv|v?i{0,3})(?P<suffix>(?:[a-d]\d?)?)")
_ONES = {"": 0, "i": 1, "ii": 2, "iii": 3, "iv": 4, "v": 5, "vi": 6, "vii": 7, "viii": 8, "ix": 9}
_BEFORE_A = "`"  # stage 0
_LETTERS = re.compile("[`a-z]{2,}")
_SIGNS = {"<": -1, "≤": -1, ">": 1, "≥": 1}
_NUMBERED_NAME = re.compile(
    r"(?P<lead>\d{1,6})\s+(?P<after>[^\d<>≤≥+%]+)|(?P<before>[^\d<>≤≥+%]+?)[\s-]+(?P<tail>\d{1,6})"
)
_FRACTION = re.compile(
    r"(?P<sign>[<≤>≥]=?)?\s*(?P<above>\d{1,6}|[IVX]{1,4})\s*(?P<mark>[/:]|out of)"
    r"\s*(?P<below>\d{1,6}|[IVX]{1,4})"
)
_SHORT_CODE = re.compile(r"[A-Z]{1,2}[\s-]?(?P<number>\d{1,2})[a-d]?")
_TUMOUR = re.compile(r"y?[acpr][TNM](?=a$|is|X|\d)")  # a stage of the TNM, and how it was found
_IN_SITU = frozenset({"ta", "tis"})  # stages of a tumour that does not invade
_PART = re.compile(r"(?P<letter>[a-h])(?P<part>\d?)")  # "B2" between "B1" and "C"
_BETWEEN = re.compile("ab|bc|cd|de|ef|fg|gh")  # "A/B" between "A" and "B"
_SIGNED_NUMBER = re.compile(r"(?P<number>\d{1,2})(?P<sign>[-–−=+*]?)")
_BELOW, _ABOVE = frozenset("-–−"), frozenset("+*")
_REPEATED = re.compile(r"(?P<word>.*?)\s*(?P<marks>(?P<mark>[^\w\s.?<>()\[\]–−-])(?P=mark)*)")
_ZEROS = re.compile(r"(\d{1,2})[-/]0")
_GAUGE = re.compile(r"0{1,9}|[1-9]\d?")
_STAGE = re.compile(r"(?P<number>\d{1,2})(?P<suffix>(?:[a-d]\d?|mi)?)")
_SHORTEST_NOUN = 4  # letters; shorter ones are codes
_ROMAN_LEAD = re.compile(r"(?P<numeral>[IVX]{1,5})(?:[.):]+|\s[–-])\s*(?=[^\W\d_]{2})")
FEWEST_LISTED = 3


def settle_roman_leads(labels: list[Label]) -> list[Label]:
    """Parse Roman numerals that list labels as their leads: "II. stupeň - těžká"."""
    found = [_ROMAN_LEAD.match(label.text) for label in labels]
    places = all_distinct([lead and _roman_place(lead["numeral"].lower()) for lead in found])
    leads = {i: place[0] for i, place in (places or {}).items()}
    listed = enumerate(labels) if len(leads) >= FEWEST_LISTED else ()
    return [replace(x, lead=leads[i], body=x.words[1:], listed=True) for i, x in listed] or labels


def read_gauges(labels: Sequence[Label], *_: object) -> Reading | None:
    """Order gauges by their zeros: "000", "00", "0", "1", and "3-0" or "3/0", "2/0", "1/0", "1"."""
    texts = [_ZEROS.sub(lambda match: "0" * int(match[1]), label.text) for label in labels]
    if not {"0", "00"} < set(texts) or not all(map(_GAUGE.fullmatch, texts)):
        return None
    ranks = all_distinct([int(text) or 1 - len(text) for text in texts])
    return None if ranks is None else Reading("stage_number", ranks, False, "gauges with zeros")


def read_fractions(labels: Sequence[Label], *_: object) -> Reading | None:
    """Order "2/6" and "3/6" of one scale, and dilutions such as "1:20" and "1:40".

    All but one label are such fractions, and share what is below the line, or are parts of one.
    """
    matches = [_FRACTION.fullmatch(THOUSANDS.sub("", label.text)) for label in labels]
    found = {i: match for i, match in enumerate(matches) if match}
    if len(found) < FEWEST_LISTED or not covers(len(found), len(labels)):
        return None
    above, below = (
        {i: _whole_number(match[part]) for i, match in found.items()} for part in ("above", "below")
    )
    parts, wholes = set(above.values()), set(below.values())
    marks = {match["mark"] for match in found.values()}
    is_scale = len(wholes) == 1 and max(parts) <= min(wholes) and ":" not in marks
    if not is_scale and not (parts == {1} and min(wholes) > 1 and marks == {":"}):
        return None
    signs = {i: _SIGNS.get((match["sign"] or "")[:1], 0) for i, match in found.items()}
    ranks = distinct((i, (above[i] if is_scale else below[i], signs[i])) for i in found)
    if len(ranks) < len(found):
        return None
    none = [i for i, label in enumerate(labels) if label.key in _zeros()]
    detail = f"points out of {min(wholes)}" if is_scale else "dilutions"
    return Reading("stage_number", {**dict.fromkeys(none, (-1, 0)), **ranks}, True, detail)


def read_marks(labels: Sequence[Label], *_: object) -> Reading | None:
    """Order labels by how often a sign is repeated: "-", "+", "++", or "none", "trace +".

    Those without it mean that there is nothing, or hardly anything, or are the word alone.
    """
    matches = [_REPEATED.fullmatch(label.text) for label in labels]
    found = [match for match in matches if match]
    kinds = {(match["word"], match["mark"]) for match in found}
    if len({match["marks"] for match in found}) < FEWEST_LISTED - 1 or len(kinds) > 1:
        return None
    ((word, mark),) = kinds
    zeros, traces = _zeros(), read_toml("numbers")["stages"]["traces"]
    places: list[float | None] = []
    for match, label in zip(matches, labels, strict=True):
        text = label.text.casefold().rstrip(".")
        is_none = not zeros.isdisjoint((label.key, text)) or label.text == word
        is_trace = text in traces
        place = 0.0 if is_none else 0.5 if is_trace else None
        places.append(float(len(match["marks"])) if match else place)
    ranks = all_distinct(places) if None not in places and len(labels) >= FEWEST_LISTED else None
    return None if ranks is None else Reading("stage_number", ranks, True, f'signs "{mark}"')


def _zeros() -> frozenset[str]:
    """Return the words of laboratories and of English for nothing at all."""
    found = read_toml("numbers")["stages"]["none_found"]
    return language(ENGLISH).counted_zero_keys.union(found)


def read_signed_numbers(
    labels: Sequence[Label], _: Language, topics: frozenset[str] = frozenset()
) -> Reading | None:
    """Order numbers of which some carry a sign: "1-", "1", "1+", "2=", below and above them.

    Of marks of which one is the best, a "1-" is next to two.
    """
    matches = [_SIGNED_NUMBER.fullmatch(label.text) for label in labels]
    if len(labels) < FEWEST_LISTED or not all(matches):
        return None
    parts = [(int(match["number"]), match["sign"]) for match in matches if match]
    signs = {sign for _, sign in parts}
    if _BELOW.isdisjoint(signs) and signs != {"", "*"}:  # "1+" alone is one and more
        return None
    way = -1 if "mark of which one is the best" in topics else 1
    ranks = all_distinct(
        [(number, way * ((sign in _ABOVE) - (sign in _BELOW))) for number, sign in parts]
    )
    return None if ranks is None else Reading("stage_number", ranks, way > 0, "numbers with signs")


def _whole_number(text: str) -> int:
    """Return a number in digits or Roman numerals: "3/6" and "III/VI" are the same."""
    return int(text) if text.isdecimal() else (_roman_place(text.lower()) or (0,))[0]


def read_numerals(
    labels: Sequence[Label], words: Language, topics: frozenset[str] = frozenset()
) -> Reading | None:
    """Order Roman numerals and stages such as "Stage IIIA", "T1b", "pT2" or "V and higher".

    One label that begins with another word than all the others is left out: "VSM" of "Band 8a".
    """
    firsts = Counter(label.words[:1] for label in labels)
    odd = [i for i, x in enumerate(labels) if firsts[x.words[:1]] == 1 and x.key not in _IN_SITU]
    if len(odd) == 1 and len(labels) > FEWEST_LISTED and len(firsts) == 2:
        rest = [i for i in range(len(labels)) if i not in odd]
        reading = read_numerals([labels[i] for i in rest], words, topics)
        return reading and replace(reading, ranks={rest[i]: k for k, i in enumerate(reading.along)})
    if all(_TUMOUR.match(label.text) for label in labels):
        labels = [read_label(_TUMOUR.sub("stage ", label.text)) for label in labels]
    reading = as_stage(_read_numerals(labels, topics), topics)
    if reading is not None or not all(label.words for label in labels):
        return reading
    bounded = [read_label(_without_bound(label.text, words)) for label in labels]
    return as_stage(_read_numerals(bounded, topics), topics)


def as_stage(reading: Reading | None, topics: frozenset[str]) -> Reading | None:
    """Return numerals as stages, or as names, where the name of the column says that they are."""
    if reading is None or NAMES_THINGS in topics:
        is_name = reading is not None and reading.rule == "ordinal_word"  # the "9th" circuit
        return names_of("numbers of things") if is_name else reading
    stages = read_toml("numbers")["stages"]
    noun = min(topics.intersection(stages["topics"]), default="")
    if reading.rule not in ("roman", "prefix_number") or not noun:
        return reading
    detail = f'{reading.detail} of a "{noun}"'
    is_up = noun not in stages["inverted"]
    return replace(reading, rule="stage_number", direction_known=is_up, detail=detail)


def _without_bound(text: str, words: Language) -> str:
    """Remove the words that open a range upwards or downwards: "V and higher" is the last level."""
    is_english = words.code == ENGLISH
    signed = mark_bounds(text.lower()) if is_english else translate(text, words)
    if "<" not in signed and ">" not in signed:
        return text
    return signed.replace("<", " ").replace(">", " ").strip().upper()


def _read_numerals(labels: Sequence[Label], topics: frozenset[str]) -> Reading | None:
    if len(labels) < 2 or not all(label.words for label in labels):
        return None
    table = read_toml("numbers")["stages"]
    moves: list[int] = []
    bodies = []
    for label in labels:
        words = ("t", label.key[1:]) if label.key in _IN_SITU else label.words
        moves.append(sum(table["moved"].get(word, 0) for word in words))
        bodies.append(tuple(word for word in words if word not in table["moved"]))
    if not all(bodies):
        return None
    prefix = bodies[0][0] if len({body[0] for body in bodies}) == 1 else ""
    stripped = strip_shared(bodies)
    # "Phase 1/2" holds two numbers: that is a range.
    if not all(stripped) or any(sum(w[0].isdigit() for w in rest) > 1 for rest in stripped):
        return None
    halves = list(map(_halfway, stripped))
    rests = [
        rest[-1] if half else "".join(rest) for rest, half in zip(stripped, halves, strict=True)
    ]
    ends = {body[-1] for body in bodies}
    # "II grado" and "III osztály", while "3. osztály" is an ordinal number.
    is_roman = not any(rest[0].isdigit() for rest in rests)
    is_behind = len(ends) == 1 and (is_roman or not ends.isdisjoint(table["from_one"]))
    noun = _graded(_noun_before(bodies) or prefix or (ends.pop() if is_behind else ""))
    staged = _is_staged(noun, rests)
    is_thing = NAMES_THINGS in topics
    if not staged and not is_thing and any(map(_STAGE.fullmatch, rests)):  # "G3a", "E9b"
        noun = min(topics.intersection(table["topics"]), default="")
        staged = bool(noun)
    from_zero = not (staged or is_thing) and _count_from_zero(labels)
    if staged and any(
        rest == "x" and is_off_scale(label, language(ENGLISH))
        for rest, label in zip(rests, labels, strict=True)
    ):
        return None  # stage X of a tumour cannot be assessed
    parts = Counter(match["number"] for match in map(_STAGE.fullmatch, rests) if match)
    is_mixed = not prefix and {rest.isdigit() for rest in rests} == {True, False}
    are_parts = is_mixed or (prefix.isalpha() and len(parts) < len(rests))
    is_parted = are_parts and parts.total() == len(rests)  # "E 9a", "E 10"; "7", "8a"
    places: list = list(
        map(_stage_place if staged or from_zero or is_parted else _roman_place, rests)
    )
    places = [half or place for half, place in zip(halves, places, strict=True)]
    if any(moves):
        places = [place and (*place, move) for place, move in zip(places, moves, strict=True)]
    ranks = all_distinct(places)
    if ranks is None:
        return None
    if noun in table["naming"]:
        return names_of(f'numbers that name a "{noun}"')
    if staged:
        return Reading(
            "stage_number", ranks, noun not in table["inverted"], f'numbers of a "{noun}"'
        )
    if from_zero:
        return Reading("stage_number", ranks, True, "numerals that count from zero")
    if is_parted:
        return Reading("prefix_number", ranks, True, "numbers and their parts")
    one_case = _same_case([label.text.rstrip(".") for label in labels], rests)
    long_enough = any(len(rest) > 1 for rest in rests) and (
        any(rest in ("i", "ii") for rest in rests)
        or {1, 2} <= {place[0] for place in ranks.values()}
        or (len(rests) >= FEWEST_LISTED and min(map(len, rests)) > 1)  # centuries
    )
    if not (one_case and long_enough):
        return None
    if "0" in rests and not is_thing:
        return Reading("stage_number", ranks, True, "numerals that count from zero")
    return Reading("roman", ranks, True, "Roman numerals")


def _count_from_zero(labels: Sequence[Label]) -> bool:
    """Check for codes such as "F0", "F1", "F2a": zero is the grade of nothing.

    Things are counted from one, but for those that programs number, in small letters or words.
    """
    codes = [_SHORT_CODE.fullmatch(label.text) for label in labels]
    numbers = {int(code["number"]) for code in codes if code}
    return all(codes) and len(numbers) >= FEWEST_LISTED and max(numbers) == len(numbers) - 1


def _graded(noun: str) -> str:
    """Return a noun, or the topic that it is a word for: a "stopień" is a grade."""
    table = read_toml("numbers")["stages"]
    is_known = len(noun) < _SHORTEST_NOUN or noun in table["words"] or noun in table["naming"]
    return noun if is_known else min(topics_of(noun).intersection(table["topics"]), default=noun)


def _is_staged(noun: str, numbers: Sequence[str]) -> bool:
    """Check for a noun that is graded by its number; a letter alone is one beside "1b" or "is".

    "T1", "T2" are terminals and trials as often as stages of a tumour.
    """
    known = noun in read_toml("numbers")["stages"]["words"]
    return known and (len(noun) > 1 or not all(map(str.isdigit, numbers)))


def _same_case(texts: Sequence[str], numerals: Sequence[str]) -> bool:
    """Check whether all numerals are capitals; in small letters they may be words, unless many."""
    parts = [(text[-len(n) :], text[: len(n)], n) for text, n in zip(texts, numerals, strict=True)]
    few = len(texts) < FEWEST_LISTED  # "I. Guerra Mundial"
    ends = [(end if few or end.lower() == n else start, n) for end, start, n in parts]
    capitals = [n.rstrip("abcd0123456789").upper() for n in numerals]  # "IIa" as well as "IIA"
    if all(end in (n.upper(), c + n[len(c) :]) for (end, n), c in zip(ends, capitals, strict=True)):
        return True
    return len(texts) > 2 and all(end == n for end, n in ends)


def _noun_before(bodies: Sequence[tuple[str, ...]]) -> str:
    """Return the last of the words with which all labels begin."""
    return "".join(bodies[0][: n_alike(bodies)][-1:])


def _halfway(numerals: Words) -> tuple[int, str] | None:
    """Return the place of "I-II", behind "I" and its parts and before "II"."""
    found = [place[0] if place else 0 for place in map(_roman_place, numerals)]
    return (found[0], "~") if len(found) == 2 and 0 < found[0] == found[1] - 1 else None


def _stage_place(rest: str) -> tuple[float, str] | None:
    if rest in ("a", "is"):  # "Ta", "Tis": what does not invade comes before T1
        return (0, rest)
    match = _STAGE.fullmatch(rest)
    if match is None:
        return _roman_place(rest)
    return (int(match["number"]) - (match["suffix"] == "mi") / 2, match["suffix"])  # N1mi, N1


def _roman_place(rest: str) -> tuple[int, str] | None:
    if rest == "0":  # below stage I
        return (0, "")
    match = _ROMAN.fullmatch(rest)
    value = 10 * len(match["tens"]) + _ONES[match["ones"]] if match else 0
    return (value, match["suffix"]) if match and value else None


def read_enumerators(
    labels: Sequence[Label], words: Language, topics: frozenset[str] = frozenset()
) -> Reading | None:
    """Order letters ("0", "A", "B", "C"), and labels by the numbers or letters before them."""
    if len(labels) < 2:
        return None
    if (reading := _read_letters(labels, topics)) is not None:
        return reading
    are_letters = all(len(label.key) == 1 and label.key.isalpha() for label in labels)
    if are_letters or len(labels) < FEWEST_LISTED:
        return None
    leads = all_distinct([label.lead for label in labels])
    if leads is None:
        return _read_numbered_words(labels, topics)
    # "1 cat", "2 dog": without a sign, numbers list where they count from the beginning.
    if not all(label.listed for label in labels) and min(leads.values()) > 1:
        return None
    listed = topics.intersection(read_toml("numbers")["stages"]["listed"])
    if listed and all(label.text[0].isdigit() for label in labels):
        return Reading("stage_number", leads, True, f'labels behind numbers of a "{min(listed)}"')
    return Reading("enumerator", leads, False, "labels behind numbers or letters")


def _read_numbered_words(labels: Sequence[Label], topics: frozenset[str]) -> Reading | None:
    """Order labels by the number that each has behind one noun or code: "Level 0: naive"."""
    rests = strip_shared([label.words for label in labels])
    numbers = [rest[0] if rest and rest[0].isdecimal() else "" for rest in rests]
    places = all_distinct([int(number) if number else None for number in numbers])
    noun = _noun_before([label.words for label in labels])
    if places is None or not noun or sum(len(rest) > 1 for rest in rests) < FEWEST_LISTED:
        return None
    if max(places.values()) - min(places.values()) > len(labels):  # as "Apollo 13" and others do
        return None
    numbered = [read_label(f"{noun} {number}") for number in numbers]
    prefixed = Reading("prefix_number", places, True, f'numbers behind "{noun}"')
    return as_stage(_read_numerals(numbered, topics) or prefixed, topics)


def _read_letters(labels: Sequence[Label], topics: frozenset[str]) -> Reading | None:
    """Order letters that follow each other, behind "0" or the words that all labels share.

    They are stages where the name of the column or a noun before them says so; then parts of a
    letter are, too, and steps between two: "A", "B1", "B2", "C", and "A", "A/B", "B", "C".
    """
    stages = read_toml("numbers")["stages"]
    topic = "" if NAMES_THINGS in topics else min(topics & {*stages["lettered_topics"]}, default="")
    places = all_distinct([_part_place(label.key) for label in labels])
    if topic and places and len({place[0] for place in places.values()}) in range(3, len(labels)):
        return Reading("stage_number", places, False, f'letters and numbers of a "{topic}"')
    bodies = strip_shared([label.words for label in labels])
    letters = [b[0].replace("0", _BEFORE_A) for b in bodies if len(b) == 1 and len(b[0]) == 1]
    if len(letters) < len(labels) or not _LETTERS.fullmatch("".join(letters)):
        return None
    codes = all_distinct(list(map(ord, letters)))
    one_case = len({label.text[-1:].isupper() for label in labels if label.text != "0"}) == 1
    dense = ord(max(letters)) - ord(min(letters)) <= len(letters) + 1
    if codes is None or not (dense and one_case):
        return None
    noun = topic or _noun_before([label.words for label in labels])
    if noun in (*stages["lettered"], *stages["lettered_topics"]):
        return Reading("stage_number", codes, False, f'letters of a "{noun}"')
    enumerated = Reading("enumerator", codes, False, "letters")
    return names_of(f'letters that name a "{noun}"') if noun in stages["naming"] else enumerated


def _part_place(key: str) -> tuple[str, str] | None:
    """Return the place of a letter, a part of it, or two neighbours: "B", "B2", "BC"."""
    match = _PART.fullmatch(key)
    if match:
        return (match["letter"], match["part"])
    return (key[0], key[1]) if _BETWEEN.fullmatch(key) else None


def read_numbered_names(labels: Sequence[Label]) -> Reading | None:
    """Recognise names beside a number each, of which no two share a word: "Tu-154", "86 cats"."""
    matches = [_NUMBERED_NAME.fullmatch(label.text) for label in labels]
    names = [split_words(m["before"] or m["after"]) for m in matches if m]
    if len(names) < max(3, len(labels)):
        return None
    words = [word for name in names for word in set(name)]
    if len(set(words)) < len(words) or max(map(len, words), default=0) < 2:
        return None
    if any((quantity := parse_quantity(label.text)) and quantity.unit for label in labels):
        return None  # "7 years" are no name
    numbers = sorted(int(match["lead"] or match["tail"]) for match in matches if match)
    if numbers[-1] - numbers[0] < len(numbers):  # they may count
        return None
    return Reading("nominal", {}, False, "names beside numbers")
