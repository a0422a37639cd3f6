"""Read dates whose month is a word, or which lack the day: "5. März 2018", "Aug 2018", "08/2018".

The months of one column are words of one language. So the strings are split first, whatever the
words are, and then the language is searched that knows all of them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from autotype.lexicon.tokens import without_accents
from autotype.lexicon.toml_files import read_toml

_LONGEST = 60  # characters
# Different months of dates whose years have two digits, since "Set 10" and "Set 11" are no dates,
# and of months that are numbers, since "1/2000" and "1/2500" are scales of maps.
_FEWEST_SHORT, _FEWEST_NUMBERED = 3, 2
_YEAR = r"(?P<year>1[5-9]\d\d|2[0-6]\d\d)"
_DAY = r"(?P<day>[0-3]?\d)"
_WORD = r"(?P<word>[^\W\d_][^\s\d.,/_'-]+)\.?"
_OF = r"(?:\.|º|er|st|nd|rd|th)?[\s.-]*(?:de |di |of |d')?"
_END = r"(?:[,.]? ?(?:г|р|r|år|m)?\.?)?(?:[ ,T]+\d{1,2}[:h.]\d\d.*)?"
_FORMS = tuple(
    re.compile(rf"(?:[^\W\d]+,? )?{form}")
    for form in (
        rf"{_WORD}\s{_DAY}(?:st|nd|rd|th)?,?\s{_YEAR}{_END}",  # March 5, 2018
        rf"{_DAY}{_OF}{_WORD}[\s,.-]*(?:de |del |di )?{_YEAR}{_END}",  # 5 de marzo de 2018
        rf"{_YEAR}\.?\s(?:m\. )?{_WORD}(?:\s{_DAY}\.?(?: d\.?)?)?{_END}",  # 2018. március 5.
        # Mar 2018, March '18
        rf"{_WORD}[\s,/_'-]*(?:de |del |di )?(?:{_YEAR}|(?<=[\s'-])(?P<short>\d\d)){_END}",
        rf"{_YEAR}[年년]\s?(?P<month>\d\d?)[月월](?:\s?{_DAY}[日일])?{_END}",  # 2018年3月5日
        rf"{_YEAR}\s?m(?P<month>\d\d?)",  # 2018M03
        rf"(?P<month>\d\d?)[/-]{_YEAR}",  # 03/2018
    )
)


def written_dates(texts: Sequence[str]) -> list[tuple[int, int, int]] | None:
    """Read strings as dates whose month is a word, or as months of years.

    Parameters
    ----------
    texts : sequence of str
        Different ones.

    Returns
    -------
    list of (int, int, int) or None
        Year, month and day of each, day 0 where there is none. None unless all strings are such
        dates, with the months of one language.

    Examples
    --------
    >>> written_dates(["5. März 2018", "21. Oktober 2019"])
    [(2018, 3, 5), (2019, 10, 21)]
    >>> written_dates(["août 2018", "sept. 2018"]), written_dates(["2018年3月", "2018年12月"])
    ([(2018, 8, 0), (2018, 9, 0)], [(2018, 3, 0), (2018, 12, 0)])
    >>> written_dates(["Room 2018", "March 2018"]) is None
    True
    """
    matches = []
    for text in texts:
        match = _match(text)
        if match is None:
            return None
        matches.append(match)
    words = {match["word"] for match in matches if "word" in match}
    months = _months_of(words) if words else {}
    if months is None or not matches:
        return None
    dates = [_date(match, months) for match in matches]
    if any("short" in match for match in matches):
        fewest = _FEWEST_SHORT
    else:
        fewest = 0 if words or any("day" in match for match in matches) else _FEWEST_NUMBERED
    exist = all(0 < month <= 12 and day <= 31 for _, month, day in dates)
    return dates if exist and len({month for _, month, _ in dates}) >= fewest else None


def _match(text: str) -> dict[str, str] | None:
    """Return the parts of a date by name."""
    if len(text) > _LONGEST or not any(map(str.isdecimal, text)):
        return None
    plain = without_accents(text).casefold().strip()
    for form in _FORMS:
        if match := form.fullmatch(plain):
            return {name: part for name, part in match.groupdict().items() if part}
    return None


def _months_of(words: set[str]) -> dict[str, int] | None:
    """Return the months of the first language that knows all words."""
    return next((months for months in _month_tables() if words <= months.keys()), None)


@cache
def _month_tables() -> list[dict[str, int]]:
    """Return a mapping from words to months, 1 to 12, for each language."""
    return [
        {
            without_accents(word).casefold(): month
            for month, forms in enumerate(names, start=1)
            for word in forms.split()
        }
        for names in read_toml("months").values()
    ]


def _date(parts: dict[str, str], months: dict[str, int]) -> tuple[int, int, int]:
    if "short" in parts:
        year = int(parts["short"])
        year += 1900 if year >= 69 else 2000  # the rule of POSIX
    else:
        year = int(parts["year"])
    month = months[parts["word"]] if "word" in parts else int(parts["month"])
    return year, month, int(parts.get("day", 0))
