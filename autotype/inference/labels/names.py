"""Labels that are names of things, and dates: words without a scale."""

from __future__ import annotations

import datetime
import re
from collections import Counter
from collections.abc import Sequence

from autotype.inference.labels.reading import Reading, all_distinct
from autotype.inference.labels.scales import strip_shared
from autotype.lexicon.dates import written_dates, year_of
from autotype.lexicon.languages import Language
from autotype.lexicon.tokens import Label
from autotype.lexicon.toml_files import read_toml
from autotype.lexicon.vocabulary import NameList

NAMED = 0.6  # share of the levels that must be known names: two of three, but not one of two
_CODE_SHARE = 0.8
_CORE_LENGTH = 3  # words of a label longer than that are a phrase, not a name

_ISO_DATE = re.compile(
    r"((?:1[5-9]|20)\d\d)[-/.](0[1-9]|1[0-2])(?:[-/.]([0-3]\d))?(?:[T ][\d:.]+)?"
)
_SCHOOL_YEAR = re.compile(r"((?:1[5-9]|20)\d\d)\s*[/–-]\s*((?:1[5-9]|20)?\d\d)")
_YEAR_PART = re.compile(r"((?:1[5-9]|20)?\d\d)(?:[\s_/-]*[QHW](\d\d?))?", re.I)
_PART_YEAR = re.compile(
    r"(?:(?:[QHW](\d)|(\d)[QH])[\s_'/-]*|W(\d\d)[\s_'/-]+)((?:1[5-9]|20)?\d\d)", re.I
)
_KIND_OF_YEAR = re.compile(r"\b[FASCM]Y[\s_'-]*(?:(?P<short>\d\d)(?!\d)|(?=\d{4}))")  # "FY22/23"
_HOURS = re.compile(
    r"(?i)(?P<hour>\d{1,2})(?::(?P<minute>\d\d))?\s*(?P<half>[ap]\.?m\b\.?)?\s*(?:-|–|to)\s*"
    r"\d{1,2}(?::\d\d)?\s*(?P<end>[ap]\.?m\b\.?)?"
)
_TERM_YEAR = re.compile(r"([^\W\d_]{2,10})[\s_'.,/-]*((?:1[5-9]|20)?\d\d)")


def name_shares(labels: Sequence[Label], words: Language) -> tuple[float, str]:
    """Return the proportion of labels that are known names, and what most of them name.

    Colours, countries, genders, occupations, and so on; (0, "") where none is known.
    """
    named = [label for label in labels if label.key and not words.is_off_scale(label.words)]
    if not named:
        return 0.0, ""
    stripped = strip_shared([label.body for label in named])
    keys = [
        {label.key, "".join(label.body), "".join(rest)}
        for label, rest in zip(named, stripped, strict=True)
    ]
    known: Counter[str] = Counter()
    recognised = set()
    forms = [own | _core_forms(rest) for own, rest in zip(keys, stripped, strict=True)]
    all_forms = set().union(*forms)
    for names in words.name_lists:
        if not names.codes and names.keys.isdisjoint(all_forms):
            continue
        hits = _hits(names, named, keys, forms)
        if hits:
            known[names.name] = len(hits)
            recognised |= hits
    # A single known name among two levels proves little.
    if len(recognised) < min(len(named), 2):
        return 0.0, ""
    best = max(known, key=lambda name: (known[name], name))
    return len(recognised) / len(named), best


def _core_forms(words: tuple[str, ...]) -> set[str]:
    """Return the words of a label that may be its name: "dark blue", "north east"."""
    if 1 < len(words) <= _CORE_LENGTH and len(words[-1]) > 2:
        return {words[-1], words[-1].rstrip("s"), words[0] if len(words[0]) > 2 else ""}
    return {words[0].rstrip("s")} if len(words) == 1 else set()


def _hits(
    names: NameList, labels: Sequence[Label], keys: Sequence[set[str]], forms: Sequence[set[str]]
) -> set[int]:
    """Return the labels that a list of names knows, by their keys or by forms of their words."""
    if len(labels) > names.most:
        return set()
    if names.needs and all(names.needs.isdisjoint(k) for k in keys):
        return set()
    if names.codes:
        hits = {i for i, label in enumerate(labels) if label.text in names.keys}
        return hits if len(hits) >= max(2, _CODE_SHARE * len(labels)) else set()
    held = {i: own & names.keys for i, own in enumerate(forms) if not names.keys.isdisjoint(own)}
    # One word that several labels share names none of them: "one orange", "two oranges".
    hits = set(held) if len(held) == 1 or len(set().union(*held.values())) > 1 else set()
    # Single letters are abbreviations of these names only if all levels are.
    lettered = any(len(labels[i].key) == 1 for i in hits)
    return set() if lettered and len(hits) < len(labels) else hits


def read_dates(labels: Sequence[Label], *_: object) -> Reading | None:
    """Order dates, months, terms and quarters of years in time."""
    if len(labels) < 2:
        return None
    written = written_dates([label.text for label in labels])
    ranks = all_distinct(written or list(map(_date_place, labels)))
    if ranks is None or len({tuple(map(type, place)) for place in ranks.values()}) > 1:
        return None
    return Reading("calendar", ranks, True, "dates")


def read_hours(labels: Sequence[Label], *_: object) -> Reading | None:
    """Order stretches of the day by their beginning ("6am-9am", "12:00-18:00")."""
    matches = [_HOURS.fullmatch(label.text) for label in labels]
    stated = [m for m in matches if m and (m["minute"] or m["half"] or m["end"])]
    places = all_distinct(list(map(_minutes, stated)))
    if places is None or len(labels) < 2 or len(stated) < len(labels):
        return None
    return Reading("calendar", places, False, "hours of the day", cyclic=True)


def _minutes(match: re.Match) -> int:
    """Return the minutes from midnight to the beginning of a stretch."""
    half = (match["half"] or match["end"] or "").lower()[:1]
    hour = int(match["hour"])
    if half:
        hour = hour % 12 + 12 * (half == "p")
    return 60 * hour + int(match["minute"] or 0)


def _date_place(label: Label) -> tuple | None:
    level, text = label.level, label.text
    if isinstance(level, datetime.date):
        return _instant(level)
    if isinstance(level, datetime.timedelta) or len(text) > 30:
        return None
    if kind := _KIND_OF_YEAR.search(text):
        year = year_of(kind["short"]) if kind["short"] else ""
        text = f"{text[: kind.start()]}{year}{text[kind.end() :]}"
    if match := _SCHOOL_YEAR.fullmatch(text):  # "2018/19", but "2018-03" is a month
        first, second = int(match[1]), int(match[2])
        if second in (first + 1, (first + 1) % 100) and (second > 12 or "-" not in text):
            return (first, second, 0, "")
    if match := _ISO_DATE.fullmatch(text):
        return (int(match[1]), int(match[2]), int(match[3] or 0), text)
    if (match := _YEAR_PART.fullmatch(text)) and (match[2] or kind):
        return (year_of(match[1]), int(match[2] or 0), 0, "")
    if match := _PART_YEAR.fullmatch(text):
        return (year_of(match[4]), int(match[1] or match[2] or match[3]), 0, "")
    if match := _TERM_YEAR.fullmatch(text):
        terms = enumerate(read_toml("calendar")["terms"])
        place = next((i for i, words in terms if match[1].lower() in words), None)
        return None if place is None else (year_of(match[2]), place, 1, "")
    return None


def _instant(level: datetime.date) -> tuple | None:
    """Return a date as numbers, so that dates with and without time zones compare."""
    try:
        time = level.timetuple()
    except (ValueError, AttributeError, OverflowError, NotImplementedError):
        return None  # NumPy holds years that no date of Python has
    micro = getattr(level, "microsecond", 0)
    return (*time[:6], micro, getattr(level, "nanosecond", 0), str(level))
