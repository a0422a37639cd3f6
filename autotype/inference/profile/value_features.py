"""Describe the values of one column by numbers, from which its semantic type is inferred.

No number depends on the order of the rows, on the class of the frame, or on whether numbers are
stored as such or as strings.

Its name is described by numbers, too, and so are the others of its frame: what the column
determines, and which are like it.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_right
from collections.abc import Callable, Hashable, Sequence
from functools import cache
from itertools import takewhile

import numpy as np

from autotype.inference.column import Column, count_alike
from autotype.inference.labels.column_name import names_a_count, plain_name, read_name, score_name
from autotype.lexicon.dates import DATE_TEXT, TIME_TEXT
from autotype.lexicon.tokens import is_unspaced, without_accents
from autotype.lexicon.toml_files import read_toml
from autotype.types.column_names import own_name, unnamed_place

_MOST_TEXTS = 120  # distinct values whose characters are read
_NUMBER = re.compile(r"\s*[-+−]?(\d+([.,]\d+)?|[.,]\d+)([eE][-+]?\d+)?\s*%?\s*", re.ASCII)
_MOST_NUMBERS = 2_000  # distinct numbers

_MIN_LEVELS = 3  # of a column that another one determines
_MIN_ROWS = 20
_MOST_COMPARED = 24  # columns that one is compared with
_MAX_SHARE = 0.9  # distinct values per row of a key that repeats

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


def value_features(column: Column, *, texts: bool = True) -> dict[str, float]:
    """Describe the values of a column.

    Parameters
    ----------
    column : Column
        Sampled, with a hash for each value.
    texts : bool
        Whether the strings of the levels may be used.

    Returns
    -------
    dict
        Features by their names in the model of types: of counts, of strings if they may be used,
        and of numbers if most values are numbers.
    """
    levels, counts = _levels(column)
    features = _of_counts(column, counts)
    numbers = _plain_numbers(levels)
    if numbers is not None:
        some = _some(np.sort(numbers[np.isfinite(numbers)]).tolist())
        features |= _of_texts(list(map(_written, some)))
        features["numbers"] = 1.0
    elif texts:
        strings = list(map(str, levels))
        some = _some(strings)
        are_numbers = np.isfinite(np.array(list(map(_as_number, some)), dtype=float))
        features |= _of_texts(some)
        features["numbers"] = float(are_numbers.mean()) if some else 0.0
        if features["numbers"] >= 0.5:
            numbers = np.array(list(map(_as_number, strings[:_MOST_NUMBERS])), dtype=float)
    if numbers is None:
        return features
    is_finite = np.isfinite(numbers)
    return features | _of_numbers(numbers[is_finite], counts[: len(numbers)][is_finite])


def _levels(column: Column) -> tuple[list, np.ndarray]:
    """Return the distinct values, and their counts: exact ones where all levels are listed."""
    known = column.known_levels
    if known:
        return list(known), np.fromiter(known.values(), dtype=float, count=len(known))
    codes, levels = column.coded
    codes = codes[column.rows]
    counts = np.bincount(codes[codes >= 0], minlength=len(levels)).astype(float)
    held = np.flatnonzero(counts)
    return [levels[k] for k in held], counts[held]


def _of_counts(column: Column, counts: np.ndarray) -> dict[str, float]:
    total = max(counts.sum(), 1.0)
    shares = np.sort(counts / total)[::-1] if len(counts) else np.ones(1)
    entropy = float(-(shares * np.log(np.maximum(shares, 1e-12))).sum())
    n, present = column.n_distinct, max(column.n_present, 1)
    aside = sum(column.aside.values())  # rows that are seen as if they were not there
    return {
        "rows": math.log10(present),
        "missing": (column.n_missing - aside) / max(column.n_rows - aside, 1),
        "levels": math.log10(max(n, 1)),
        "few_levels": float(n <= 5),
        "ten_levels": float(n <= 11),
        "hundred_levels": float(n <= 100),
        "distinct_share": n / present,
        "unique": float(n == column.n_present),
        "rows_per_level": math.log10(present / max(n, 1)),
        "top_share": float(shares[0]),
        "top_ten_share": float(shares[:10].sum()),
        "entropy": entropy / math.log(len(counts)) if len(counts) > 1 else 0.0,
        "single_levels": float((counts == 1).mean()) if len(counts) else 0.0,
        "single_rows": float((counts == 1).sum() / total),
    }


def _plain_numbers(levels: Sequence) -> np.ndarray | None:
    """Return levels that are numbers, not strings or booleans, as floats."""
    if not levels or any(isinstance(v, (str, bool, np.bool_, complex)) for v in _some(levels)):
        return None
    try:
        with np.errstate(over="ignore"):  # of longer floats
            numbers = np.array(levels, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        return None
    return numbers if numbers.ndim == 1 else None  # tuples of numbers are no numbers


def _some(values: Sequence, most: int = _MOST_TEXTS) -> list:
    """Choose a few values, evenly along their order, so that the order of the rows is nothing."""
    if len(values) <= most:
        return list(values)
    try:
        ordered = sorted(values)
    except TypeError:  # of classes that cannot be compared
        ordered = sorted(values, key=str)
    return [ordered[(k * len(ordered)) // most] for k in range(most)]


def _as_number(text: str) -> float:
    """Return the number that a string is, with a decimal point or comma, or NaN."""
    if not _NUMBER.fullmatch(text):
        return math.nan
    return float(text.strip(" \t%").replace(",", ".").replace("−", "-"))


def _written(number: float) -> str:
    return str(int(number)) if number == number // 1 else repr(number)


def _of_texts(texts: list[str]) -> dict[str, float]:
    if not texts:
        return {}
    joined = "".join(texts)
    n, n_characters = len(texts), max(len(joined), 1)
    lengths = np.array(list(map(len, texts)), dtype=float)
    words = np.array([len(text.split()) for text in texts], dtype=float)

    def share(holds: Callable[[str], object]) -> float:
        return sum(1 for text in texts if holds(text)) / n

    ends = zip(min(texts), max(texts), strict=False)
    common = list(takewhile(lambda pair: pair[0] == pair[1], ends))
    return {
        "length": math.log1p(lengths.mean()),
        "longest": math.log1p(lengths.max()),
        "length_spread": float(lengths.std() / max(lengths.mean(), 1.0)),
        "one_length": float((lengths == np.median(lengths)).mean()),
        "letters": sum(map(str.isalpha, joined)) / n_characters,
        "digits": sum(map(str.isdigit, joined)) / n_characters,
        "marks": sum(not (c.isalnum() or c.isspace()) for c in joined) / n_characters,
        "capitals": share(lambda text: text.isupper()),
        "initials": share(lambda text: text[:1].isupper()),
        "words": float(np.log1p(words.mean())),
        "most_words": float(np.log1p(words.max())),
        "code_like": share(_CODE_LIKE.fullmatch),
        "letter_digit": share(_LETTER_DIGIT.search),
        "dates": share(_DATE.match),
        "times": share(TIME_TEXT.fullmatch),
        "addresses": share(_ADDRESS.search),
        "lists": share(lambda text: "," in text or ";" in text or "|" in text),
        "sentences": share(lambda text: text.rstrip().endswith((".", "!", "?", "。"))),
        "brackets": share(lambda text: "(" in text),
        "leading_zeros": share(_LEADING_ZERO.match),
        "common_start": len(common) / max(lengths.mean(), 1.0) if n > 1 else 0.0,
    }


_CODE_LIKE = re.compile(r"(?=\S*\d)[\w.\-/]+", re.ASCII)
_LETTER_DIGIT = re.compile(r"[^\W\d_]-?\d|\d-?[^\W\d_]")
_DATE = re.compile(DATE_TEXT.pattern + r"|.*\b(19|20)\d\d[-/. ]\d\d?\b|.*\d\d:\d\d:\d\d")
_ADDRESS = re.compile(r"://|www\.|@\w|\.(com|org|net|jpg|png|pdf)\b|^10\.\d{4}/", re.I)
_LEADING_ZERO = re.compile(r"0\d")


def _of_numbers(numbers: np.ndarray, counts: np.ndarray) -> dict[str, float]:
    """Describe distinct finite numbers and their counts."""
    if not len(numbers):
        return {}
    along = np.argsort(numbers, kind="stable")
    numbers, counts = numbers[along], counts[along]
    low, high = float(numbers[0]), float(numbers[-1])
    share = counts / counts.sum()
    is_whole = numbers == np.floor(numbers)
    whole = bool(is_whole.all())
    size = np.abs(numbers)
    spread = high / 2 - low / 2
    mean = float((share * numbers / max(size.max(), 1.0)).sum())
    centred = numbers / max(size.max(), 1.0) - mean
    sd = math.sqrt(max(float((share * centred**2).sum()), 0.0))
    places = [len(_written(v).partition(".")[2].partition("e")[0]) for v in _some(numbers.tolist())]
    digits = np.floor(np.log10(np.maximum(size, 1.0))) + 1
    found = {
        "whole": float(is_whole.mean()),
        "decimals": min(float(np.mean(places)), 8.0),
        "decimals_share": float((share * ~is_whole).sum()),
        "negative": float((share * (numbers < 0)).sum() > 0),
        "zeros": float(share[numbers == 0].sum()),
        "starts_at": float(low) if low in (0.0, 1.0) else 2.0,
        "magnitude": math.log10(max(float(size.max()), 1e-3)),
        "spread": math.log10(max(spread, 1e-3)),
        "skew": float(np.clip((share * centred**3).sum() / sd**3, -10, 10)) if sd > 1e-9 else 0.0,
        "years": float((share * is_whole * (numbers >= 1900) * (numbers <= 2100)).sum()),
        "within_ten": float(low >= 0 and high <= 10),
        "within_hundred": float(low >= 0 and high <= 100),
    }
    if not whole:
        return found
    n, near, last_digit = len(numbers), np.diff(counts), math.nan
    if size.max() < 2**53:
        last = np.bincount((numbers % 10).astype(int), counts, 10) / counts.sum()
        last_digit = float(-(last * np.log(np.maximum(last, 1e-12))).sum() / math.log(10))
    return found | {
        "dense": min(n / max(2 * spread + 1, 1.0), 1.0),
        "consecutive": float(2 * spread + 1 == n),
        "smooth": float(np.abs(near).sum() / max(2 * counts.sum(), 1.0)) if n > 2 else math.nan,
        "falling": float((near <= 0).mean()) if n > 1 else math.nan,
        "tens": float(share[numbers % 10 == 0].sum()),
        "fives": float(share[numbers % 5 == 0].sum()),
        "last_digit": last_digit,
        "one_width": float(share[digits == np.median(digits)].sum()),
        "long_digits": float(np.median(digits)),
    }


def frame_features(
    columns: Sequence[Column], described: Sequence[Column]
) -> tuple[list[dict[str, float]], list[list[int]]]:
    """Describe some columns of a frame by the others.

    Parameters
    ----------
    columns : sequence of Column
        Those of the frame, typed by rules.
    described : sequence of Column
        Those to describe. What is returned of the others means nothing.

    Returns
    -------
    features : list of dict
        For each column of the frame ``alike``, ``determines`` and ``determined``. The order of the
        columns changes nothing, nor do columns that are no keys, and constants and texts beside
        them.
    determined : list of list of int
        For each column, the positions of those that it determines: each of its values goes with
        one value of theirs.
    """
    determined = _determined(columns, {column.position for column in described})
    n_by = np.bincount([k for found in determined for k in found], minlength=len(columns))
    features = [
        {
            "alike": math.log(alike),
            "determines": math.log1p(len(found)),
            "determined": math.log1p(n),
        }
        for alike, found, n in zip(count_alike(columns), determined, n_by, strict=True)
    ]
    return features, determined


def _determined(columns: Sequence[Column], described: set[int]) -> list[list[int]]:
    """List for each column those that it determines, of the few with the most levels.

    Pairs of columns that are not described are left out.
    """
    held: list[list[int]] = [[] for _ in columns]
    usable = [
        j
        for j, column in enumerate(columns)
        if column.hashable and column.n_distinct >= _MIN_LEVELS and column.n_present >= _MIN_ROWS
    ]
    # By levels and counts: the order and the names of the columns are nothing.
    usable.sort(key=lambda j: (-columns[j].n_distinct, columns[j].n_missing))
    more = [-columns[j].n_distinct for j in usable]
    for j in usable:
        column = columns[j]
        if column.n_distinct > _MAX_SHARE * column.n_present:
            continue
        fewer = bisect_right(more, -column.n_distinct)
        for k in usable[fewer : fewer + _MOST_COMPARED]:
            if (j in described or k in described) and _determines(column.codes, columns[k].codes):
                held[j].append(k)
    return held


def _determines(key: np.ndarray, other: np.ndarray) -> bool:
    """Check whether each value of a key goes with one value of another column."""
    both = (key >= 0) & (other >= 0)
    if both.sum() < _MIN_ROWS:
        return False
    for head in (both[:60], both):  # most pairs are refuted by a few rows
        key_, other_ = key[: len(head)][head], other[: len(head)][head]
        if not len(key_):
            continue
        lowest = np.full(key_.max() + 1, np.iinfo(np.int64).max)
        highest = np.full(key_.max() + 1, -1)
        np.minimum.at(lowest, key_, other_)
        np.maximum.at(highest, key_, other_)
        if np.any(highest > np.minimum(lowest, highest)):
            return False
    held = np.bincount(key_)
    # Levels of one row determine everything.
    return bool(held[held > 1].sum() > 0.5 * len(key_))


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
    table, unspaced = _table()
    if kinds := table.get(word) or table.get(word.removesuffix("s"), ()):
        return kinds
    for size in range(len(word) - 1, _LONG - 1, -1):
        if kinds := table.get(word[-size:], ()):
            return kinds
    if not is_unspaced(word):
        return ()
    return tuple(kind for part, kind in unspaced if part in word)


@cache
def _table() -> tuple[dict[str, tuple[str, ...]], list[tuple[str, str]]]:
    """Word -> kinds; parts of names without blanks."""
    table: dict[str, tuple[str, ...]] = {}
    for kind, words in read_toml("column_kinds").items():
        alone = (kind,)  # one for all its words
        for word in map(str.casefold, map(without_accents, words)):
            if kind not in table.setdefault(word, alone):
                table[word] += alone
    own = ((word, kinds) for word, kinds in table.items() if is_unspaced(word))
    return table, [(word, kind) for word, kinds in own for kind in kinds]
