r"""Decide the kind of a column of CSV by its cells, for every library and size of file.

CSV stores no types: whether "007" is a number has to be decided from the strings. If each library
decided so by itself, the same table would have other types once it grows large. So every library
reads strings, and the regular expressions here state once what numbers, booleans and missing
values look like. pandas, DuckDB and polars only count the cells that match them.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from autotype.lexicon.numbers import MISSING_NUMBERS
from autotype.lexicon.toml_files import read_toml

ZEROS = read_toml("letters")["digits"]["zeros"]
WHITE = "".join(filter(str.isspace, map(chr, range(0x3001))))


def digits_of(low: int, high: int, zeros: str = ZEROS) -> str:
    """Return the digits from `low` to `high` of scripts, as a class of a regular expression.

    Examples
    --------
    >>> digits_of(1, 3, "0")
    '[1-3]'
    """
    ranges = (f"{chr(ord(zero) + low)}-{chr(ord(zero) + high)}" for zero in zeros)
    return f"[{''.join(ranges)}]"


_S, _D = f"[{WHITE}]*", digits_of(0, 9)


def _above(limit: int) -> str:
    """Return a regular expression of the integers above a limit, in ASCII and after any zeros."""
    digits = str(limit)
    larger = (
        f"{digits[:k]}[{int(digit) + 1}-9][0-9]{{{len(digits) - k - 1}}}"
        for k, digit in enumerate(digits)
        if digit != "9"
    )
    return f"0*(?:[1-9][0-9]{{{len(digits)},}}|{'|'.join(larger)})"


# Days that exist, as ISO 8601 writes them, from the year 1000 on.
_DAY = (
    r"(?:[1-9][0-9]{3}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])"
    r"|(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)|02-(?:0[1-9]|1[0-9]|2[0-8]))"
    r"|(?:[1-9][0-9](?:0[48]|[2468][048]|[13579][26])|(?:[2468][048]|[13579][26])00)-02-29)"
)
_CLOCK = {"m": "(?:[01][0-9]|2[0-3]):[0-5][0-9]"}
_CLOCK["s"] = _CLOCK["m"] + ":[0-5][0-9]"
_CLOCK |= {"ms": _CLOCK["s"] + "[.][0-9]{3}", "us": _CLOCK["s"] + "[.][0-9]{6}"}
# The ways to write dates: a unit, with "T" where a T stands before the time of day.
DATES = {"D": _DAY} | {
    unit + sign.strip(): _DAY + sign + clock for unit, clock in _CLOCK.items() for sign in "T "
}
_NUMBER = rf"{_S}[-+]?(?:{_D}+(?:%s{_D}*)?|%s{_D}+)(?:[eE][-+]?{_D}+)?{_S}"
# Of whole cells, in a syntax that Python, DuckDB and polars read alike.
FORMS = {
    "integer": rf"{_S}[-+]?{_D}+{_S}",
    "not int64": rf"{_S}(?:\+?{_above(2**63 - 1)}|-{_above(2**63)}){_S}",
    "not uint64": rf"{_S}(?:\+?{_above(2**64 - 1)}|-[0-9]+){_S}",
    # What would lose characters as a number: a leading zero, the sign of a telephone number, and
    # an exponent that no program writes, as in codes such as 1E5.
    "code": rf"{_S}(?:[-+]?[{ZEROS}]{_D}+|[+][0-9]{{5,}}|[0-9]+[eE][0-9]+){_S}",
    # Numbers of versions and sections, of which 1.10 follows 1.9. Among decimals, some would have a
    # zero behind the point, or all as many digits.
    "version": rf"{_S}[0-9]{{1,3}}[.](?:0|[1-9][0-9]{{0,2}}){_S}",
    "version of two digits": rf"{_S}[0-9]+[.][0-9]{{2}}{_S}",
    "version of three digits": rf"{_S}[0-9]+[.][0-9]{{3}}{_S}",
    "version with a last zero": rf"{_S}[0-9]+[.][0-9]+0{_S}",
    # Of which 1.204 is more than a thousand where the comma is the decimal sign.
    "with a point": rf"{_S}[-+]?[0-9]+[.][0-9]+{_S}",
    "grouped by points": rf"{_S}[-+]?[1-9][0-9]{{0,2}}(?:[.][0-9]{{3}})+{_S}",
    "point": _NUMBER % (r"\.", r"\."),
    "comma": _NUMBER % (",", ","),
    "fraction": rf"[^eE]*[.,]{_D}*{digits_of(1, 9)}[^eE]*",
    "infinite": rf"{_S}[-+]?[iI][nN][fF](?:[iI][nN][iI][tT][yY])?{_S}",
    # What Python has to look at: large exponents, many digits and characters beyond ASCII.
    "odd": r"(?s:.*(?:[eE]\+?[0-9]{3}|[0-9]{100}|[^\x01-\x7f]).*)",
    "boolean": "[tT][rR][uU][eE]|[fF][aA][lL][sS][eE]",
    "absent": "|".join(text.replace(".", "[.]") for text in sorted(MISSING_NUMBERS)),
    "date": rf"{_DAY}(?:[T ]{_CLOCK['m']}(?::[0-5][0-9](?:[.][0-9]{{3}}(?:[0-9]{{3}})?)?)?)?",
    **DATES,
}
# What nearly all cells look like: one test per cell shows that a column holds nothing else, and
# every library converts them as they are.
PLAIN = {
    "integer": "-?(?:0|[1-9][0-9]{0,17})",
    "point": r"-?(?:[0-9]{1,99}(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][-+]?[0-9]{1,2})?",
    "boolean": FORMS["boolean"],
    **DATES,
}
_DIGITS = "[0-9]{1,99}"
_NUMBERS = ("point", "comma")
_OF_ALL = (*_NUMBERS, "boolean", "integer", "date", *DATES)
_RANGES = {"integer": range(-(2**63), 2**63), "unsigned": range(2**64)}
_OF_COMMAS = ("comma", "with a point", "grouped by points")  # if the comma is the decimal sign


@dataclass(frozen=True)
class Kind:
    """The kind of a column of strings, and how to convert it.

    Attributes
    ----------
    name : str
        "empty", "text", "boolean", "integer", "unsigned", "point" or "comma": the last two are
        floats, with this decimal sign. Or one of `DATES`: all cells are dates, written alike.
    is_plain : bool
        Whether the library's own cast converts all cells as they are.
    has_absent : bool
        Whether there are strings for a missing number.
    is_odd : bool
        Whether cells may have digits or white space beyond ASCII.
    beyond : str
        A number beyond the range of floats, for which the column stays text.
    """

    name: str
    is_plain: bool = False
    has_absent: bool = False
    is_odd: bool = False
    beyond: str = ""


Counts = Mapping[str, int]
Forms = Mapping[str, Mapping[str, str]]  # of columns, by their names


class Cells(Protocol):
    """The strings of a table's columns, wherever they are."""

    def count(self, forms: Forms, *, head: bool = False) -> Mapping[str, Counts]:
        """Count the present cells of columns as "present", and those of each form by its name.

        The number of any other form is 0. With `head`, the first cells only are counted.
        """

    def of_form(self, key: str, form: str) -> Iterable[str]:
        """Return the distinct cells of a column that match a regular expression."""


def kinds_of(cells: Cells, keys: Sequence[str], decimal: str) -> dict[str, Kind]:
    """Return the kind of each column.

    Parameters
    ----------
    cells : Cells
        They are passed at most three times.
    keys : sequence of str
        The columns.
    decimal : {".", ","}
        The decimal sign; a comma is read besides the point, but strings stay where each point may
        separate thousands: "1.204" beside "987".
    """
    forms = {n: form for n, form in FORMS.items() if n not in _OF_COMMAS or decimal == ","}
    of_head = cells.count(dict.fromkeys(keys, forms), head=True)
    guessed = {key: _kind_of(of_head[key]).name for key in keys}
    kinds = {key: Kind("text") for key in keys if _has_text(of_head[key])}
    # Codes beside fractions are numbers, and so are versions beside other fractions: without such
    # in the head, all has to be counted.
    plain = {
        key: {name: PLAIN[name]}
        for key, name in guessed.items()
        if key not in kinds and name in PLAIN and (name != "point" or _are_decimals(of_head[key]))
    }
    codes = [key for key in keys if key not in kinds and of_head[key]["code"]]
    plain |= {key: {"digits": _DIGITS} for key in codes if not of_head[key]["fraction"]}
    counts = cells.count({key: plain.get(key, {}) for key in keys if key not in kinds})
    for key in counts:
        n_present = counts[key]["present"]
        if not n_present:
            kinds[key] = Kind("empty")
        elif key in plain and counts[key]["digits"] == n_present:
            kinds[key] = Kind("text")  # of which a code is in the head
        elif key in plain and counts[key][guessed[key]] == n_present:
            kinds[key] = Kind(guessed[key], is_plain=True)
    unclear = [key for key in keys if key not in kinds]
    possible = {key: _possible(forms, of_head[key]) for key in unclear}
    counts = cells.count(possible) if unclear else {}
    for key in unclear:
        kinds[key] = _kind_of(counts[key])
        if kinds[key].is_odd:
            kinds[key] = _checked(kinds[key], cells.of_form(key, FORMS["odd"]))
    return kinds


def _possible(forms: Mapping[str, str], of_head: Counts) -> dict[str, str]:
    """Return the forms to count, without those that each number has if one lacks it already."""
    n = of_head["present"] - of_head["absent"] - of_head["infinite"]
    return {name: form for name, form in forms.items() if name not in _OF_ALL or of_head[name] >= n}


def _are_decimals(counts: Counts) -> bool:
    return counts["fraction"] > 0 and not (_may_be_versions(counts) or _are_grouped(counts))


def _are_grouped(counts: Counts) -> bool:
    """Check for points that may all separate thousands, as the comma is the decimal sign."""
    return 0 < counts["grouped by points"] == counts["with a point"]


def _may_be_versions(counts: Counts) -> bool:
    return counts["version"] == counts["present"] - counts["absent"]


def _are_versions(counts: Counts) -> bool:
    """Check for numbers that would be equal, or change places, if they were decimals."""
    n = counts["version"]
    return (
        _may_be_versions(counts)
        and counts["version with a last zero"] > 0
        and n not in (counts["version of two digits"], counts["version of three digits"])
    )


def _has_text(counts: Counts) -> bool:
    """Check for strings that are of no other kind, whatever else the column holds."""
    return counts["present"] > sum(
        counts[name] for name in (*_NUMBERS, "infinite", "absent", "boolean", "date")
    )


def _kind_of(counts: Counts) -> Kind:
    """Return the kind of a column by the number of its cells of each form."""
    n = counts["present"]
    n_numbers = n - counts["absent"]
    if not n_numbers:
        return Kind("text")
    if counts["boolean"] == n:
        return Kind("boolean")
    if counts["date"] == n:
        return Kind(next((way for way in DATES if counts[way] == n), "text"))
    names = (s for s in _NUMBERS if n_numbers in (counts[s], counts[s] + counts["infinite"]))
    name = next(names, None)
    if name is None:
        return Kind("text")
    are_codes = counts["code"] and not counts["fraction"]
    if are_codes or _are_versions(counts) or _are_grouped(counts):
        name = "text"
    elif counts["integer"] == n_numbers:
        name = "integer" if not counts["not int64"] else "unsigned"
        name = "text" if counts["not int64"] and counts["not uint64"] else name
    return Kind(name, has_absent=n_numbers < n, is_odd=counts["odd"] > 0)


def _checked(kind: Kind, odd: Iterable[str]) -> Kind:
    """Return the kind of a column with odd cells: text, if one is beyond the range of numbers."""
    if kind.name in _RANGES and not all(int_of(cell) in _RANGES[kind.name] for cell in odd):
        return replace(kind, name="text")
    if kind.name in _NUMBERS:
        beyond = (cell for cell in odd if math.isinf(float_of(cell)) and re.search(r"\d", cell))
        found = next(beyond, "")
        return replace(kind, name="text", beyond=found) if found else kind
    return kind


def int_of(cell: str) -> int:
    """Return an integer of any form.

    Examples
    --------
    >>> int_of(" +٣")
    3
    """
    return int(cell.strip())


def float_of(cell: str) -> float:
    """Return the nearest float of a number of any form.

    Examples
    --------
    >>> float_of(" 1,5")
    1.5
    """
    return float(cell.strip().replace(",", "."))
