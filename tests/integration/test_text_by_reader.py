"""Columns of any text are the same values and types, whichever library reads the CSV file.

A file is loaded by pandas if it is small, and scanned by DuckDB or polars if it is large.
"""

from __future__ import annotations

import csv
import math
import random
import re
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from itertools import islice
from typing import Any, NamedTuple

import narwhals as nw
import numpy as np
import pandas as pd
import pytest

import autotype
from autotype.tables import table_file

pytestmark = pytest.mark.slow

READERS = ("pandas", "duckdb", "polars")
N_ROWS = 36
N_COLUMNS = 40  # of one file: DuckDB plans queries of many columns slowly

# The cells of columns by theme: a bar ends a column, a space a cell.
LINES = {
    "whole": """
        1 2 3 | 0 1 | -1 0 1 | 1 -2 | +1 +2 | +1 2 -3 | -0 0 1 | 5 5 5 | 1 10 100 1000 |
        2020 2021 | 1990 2001 2024 | 100000 200000 | 00 01 02 | 01067 10115 | 007 7 | -01 2 |
        +01 2 | 0 00 | 0000 0001 | 1 02 NA | 20240131 20240201 | 31012024 01022024 |
        4111111111111111 5 | 9007199254740992 9007199254740993 | 123456789012345678 1 |
        999999999999999999 1 | 1000000000000000000 1 | 9223372036854775807 1 |
        9223372036854775807 NA | 0 9223372036854775808 | -9223372036854775808 1 |
        -9223372036854775809 1 | 18446744073709551615 1 | 18446744073709551615 NA |
        18446744073709551615 -1 | 18446744073709551616 1 | 18446744073709551616 -1 |
        -18446744073709551616 1 | 9223372036854775808 -1 NA | 12345678901234567890123 5 |
        12345678901234567890123 2.5 | 12345678901234567890123 NA | 00000000000000000000000001 2 |
        +9223372036854775807 1 | +9223372036854775808 1 | 9223372036854775808 1.5 |
        9223372036854775807 1.5 | 9223372036854775807.0 1 |
        1234567890123456789 -1234567890123456789 | 99999999999999999999 inf
    """,
    "decimals": """
        1.5 2.25 3 | 1.0 2.0 | 1.0 2 | 1. 2. | 1. 2 | .5 .25 | -.5 +.5 | 0.5 -0.5 | -0.0 0.0 |
        1.10 2.20 | 0.1 0.2 0.3 | 3.14159265358979323846 2.5 | 0.1234567890123456789 1 |
        0.1 0.30000000000000004 | 9007199254740993.0 1 | 123456789.123456789 1 | 01.5 2.5 |
        00.5 1.5 | 01067 1.5 | 01067 1.0 | 01067 1.50 | 007 1. | 007 15e-1 | 007 1.5e0 |
        007 1.5e1 | 007 1e2 | 007 .5 | 007 0.0 | 1,5 2,5 | 1,5 2.5 | 1,0 2,0 | ,5 1,5 | 1, 2, |
        01067 1,5 | 01067 1,0 | 1,5 NA | 1.5 NA | 1 NA | 2,5 1 NA | 1.5 nan | 1,5 nan | . 1.5 |
        , 1,5 | 1..5 2 | 1.2.3 4 | 1,2,3 4 | 1.5. 2 | - 1.5 | -1,5 +2,5 | 5e-324 1 |
        2.2250738585072014e-308 1 | 1.7976931348623157e308 1 | 0.1 0,1 | 1.5 2 3,5
    """,
    "versions": """
        1.8 1.9 1.10 1.11 | 1.9 1.10 NA | 2.1 2.2 2.10 inf | 12.50 3.10 9.90 | 1.5 2.10 0.05 |
        1.5 2.10 3 | 1.125 2.250 3.100 | 1.10 2.20 | 1,9 1,10 | 1.9 1.10 x | 1.9.1 1.10.2 |
        +491709876543 +491701234567 | +4917098 5 | +4917098 2.5 | 1E5 2E7 30 | 1E5 2.5 | 1e+05 2 |
        1.9 1.10 1.0000 | 10.1 10.10 10.100 | 1000.1 1000.10
    """,
    "exponents": """
        1e3 2e3 | 1e3 2.5 | 1E3 2E3 | 1e+3 2e-3 | 1.5e3 2 | 1.e3 2 | .5e3 2 | -1e3 +1e-3 | 1e0 2 |
        1e00 2 | 1e003 2 | 1e 2 | e3 2 | 1e3.5 2 | 1e+ 2 | 1e- 2 | 1ee3 2 | 1,5e3 2 | 1,5E-3 2,5 |
        1e299 1 | 1e300 1 | 1e305 1 | 1e308 1 | 1.7e308 1.5 | 1.8e308 1 | 1.8e308 1.5 | 1e309 1 |
        1e400 1 | -1e400 1 | 1e400 2.5 | 1e400 NA | 1e400 inf | 1e-300 1 | 1e-308 1 | 1e-323 1 |
        1e-324 1 | 1e-400 2.5 | 1e-400 1 | 0e400 1 | 0.0001e310 1 | 1e99999 1 | 1e-99999 1 |
        1e0000400 1 | 1e+0000000000000000003 2 | 1d3 2d3 | 1D3 2 | 1e3f 2 | 1x10 2x10 | 1e5 1e5 |
        12e1 1 | 1e2 100 NA | 1e2 007 | 1e400 x | 1e-5 007 | 1E5 A | 1e3 1.5 NA
    """,
    "names of numbers": """
        inf 1 | inf 1.5 | -inf 1.5 | +inf 2 | Inf -Inf | INF 1 | infinity 1 | Infinity -Infinity |
        iNf 2.5 | inf inf | inf NA 1 | inf 01 | inf 01 1.5 | inf x | infinit 1 | infinityy 1 |
        +Infinity 1 | inf nan | inf true | nan nan | nan 1 | NaN 1.5 | NAN 1 | -nan 1 | +nan 1.5 |
        nan 1 NA | nan(1) 1 | 1.#INF 1 | 1.#IND 1 | 1.#QNAN 1 | -1.#IND 1 | ∞ 1 | -∞ 1 | inf 1,5 |
        inf 9223372036854775808 | inf 007
    """,
    "other notations": """
        0x1F 2 | 0x1F 0x2A | 0b101 2 | 0o17 2 | 1_0 2 | 1_000 2_000 | 1_0.5 2 | 1L 2L | 1f 2f |
        1.5f 2 | #1 #2 | 1! 2 | 1' 2' | ½ ¼ | 1½ 2 | ² ³ | 1² 2 | ① ② | ⅷ ⅸ | IV V | 1/2 3/4 |
        1:2 3:4 | 50% 60% | 50% 5 | $1 $2 | $1,250.00 $3.50 | €5 €6 | 5€ 6€ | £1 2 | 3kg 4kg |
        1+2 3 | 2-3 4-5 | ~5 6 | <5 5 | >10 10 | ≥5 6 | 1* 2 | 1a 2b | a1 a2 | --1 2 | -+1 2 |
        +-1 2 | ++1 2 | 1- 2- | 1+ 2+ | (1) (2) | 1j 2j | 1+2j 3j | 一 二 三 | 1st 2nd 3rd |
        0x1p3 1.5 | 0x1p3 1 | 1e3e 1 | 1'000 2'000 | 1’000 2’000
    """,
    "separators of thousands": """
        1,000 2,000 | 1,000 25 | 1.000 2.000 | 1.000 25 | 1,234,567 2 | 1.234.567 2 |
        1,234.50 2.5 | 1.234,50 2,5 | 1,23,456 2 | 12,34 5 | 1,000,00 2 | 0,001 0,002 | 0,125 1 |
        1,000.5 NA | 1٬000 2٬000 | 1٫5 2٫5
    """,
    "digits of other scripts": """
        ١ ٢ ٣ | ١ 2 ٣ | -١ ٢ | +١ ٢ | ٠١٠٦٧ ١٠١١٥ | ٠١٠٦٧ 1.5 | ١.٥ ٢.٥ | ١,٥ ٢,٥ | ١٫٥ ٢٫٥ |
        ١ NA ٢ | ١.٥ NA | ۱ ۲ ۳ | ۱۲۳ ۴۵۶ | ۰ ۱ | १ २ ३ | १.५ २ | ১ ২ ৩ | ੧ ੨ | ૧ ૨ | ୧ ୨ |
        ௧ ௨ ௩ | ౧ ౨ | ೧ ೨ | ൧ ൨ | ๑ ๒ ๓ | ໑ ໒ | ༡ ༢ | ၁ ၂ | ១ ២ ៣ | ᠑ ᠒ | １ ２ ３ | １.５ ２ |
        １２３ 456 | ０１ ０２ | 𝟏 𝟐 | 𝟙 𝟚 | 𞥑 𞥒 | 1٢ 3 | 1٢.5 3 | ١e٢ 5 | ١e2 5 |
        ١٢٣٤٥٦٧٨٩٠١٢٣٤٥٦٧٨٩ 1 | ٩٩٩٩٩٩٩٩٩٩٩٩٩٩٩٩٩٩٩٩٩٩ 1 |
        ９２２３３７２０３６８５４７７５８０７ 1 |
        ９２２３３７２０３６８５４７７５８０８ 1 |
        1e٤٠٠ 1 | inf ١ | inf ٠١ | ٠ ١ ٢ | ٪٥ ٪٦ | ١٠٠ ٢٠٠ true | ௰ ௱ |
        〇 一 | Ⅳ Ⅴ | ₁ ₂ | ¹ ² | ၁၀၀ x
    """,
    "signs": """
        −1 −2 | −1 1 | −1.5 2 | –1 –2 | —1 —2 | ‐1 2 | ‑1 2 | ﹣1 2 | －1 2 | ＋1 2 | ﹢1 2 | ⁻1 2 |
        ±1 ±2 | ➖1 2 | −1,5 2,5 | −9223372036854775808 1 | -1 −1 | - 1 | -- 1 | + 1 | +. 1 |
        -. 1 | -e3 1 | −inf 1 | −0 1 | -0 -1 | -0.0 1 | -00 1 | +0 1 | −01 1
    """,
    "booleans": """
        True False | true false | TRUE FALSE | tRue fALSE | True false TRUE | T F | t f | Yes No |
        yes no | Y N | y n | on off | 0 1 | 1 0 true | True 0 | true x | True NA | true nan |
        True True | false false | wahr falsch | vrai faux | sí no | да нет | 是 否 | True 1.5 |
        TRUE FALSE N/A | trUE | true yes | T 1 | .TRUE. .FALSE. | #TRUE #FALSE | truE falsE - |
        ｔｒｕｅ ｆａｌｓｅ | ＴＲＵＥ false | True None | True . | FALSE - |
        tRUE 01 | truefalse true |
        ſalse false | falſe true | true true. | İ true
    """,
    "missing": """
        NA 1 | N/A 1 | n/a 1 | na 1 | NaN 1 | nan 1 | NULL 1 | null 1 | None 1 | none 1 | #N/A 1 |
        - 1 | . 1 | NA 1.5 | - 1.5 | . 1.5 | null 1.5 | Null 1 | NIL 1 | nil 1 | Nan 1 | Na 1 |
        nA 1 | NONE 1 | #NA 1 | <NA> 1 | NaT 1 | ? 1 | * 1 | ** 1 | -- 1 | .. 1 | … 1 | – 1 |
        — 1 | missing 1 | unknown 1 | k.A. 1 | (null) 1 | [null] 1 | \\N 1 | 999 1 | -99 1 |
        -1 1 | 9999 1.5 | #DIV/0! 1 | #VALUE! 1 | #REF! 1 | #NULL! 1 | NA NA | NA null | NA - . |
        None None | - - | . . | nan NaN | n/a x | None Some | NA low high | NA 01 | null 007 1.5 |
        NA inf | NA 9223372036854775808 | NA true | NA 2020-01-01 | NA 1e400 | NA,1 2 | N.A. 1 |
        n.a. 1 | nd 1 | ND 1 | -nan 1 | 1.#QNAN 2 | #n/a 1 | - x | . x
    """,
    "dates and times": """
        2024-01-31 2024-02-01 | 2024/01/31 2024/02/01 | 31.01.2024 01.02.2024 |
        31/01/2024 01/02/2024 | 01/31/2024 02/01/2024 | 3/2/24 4/2/24 | 31-Jan-2024 01-Feb-2024 |
        Jan-24 Feb-24 | 2024-01 2024-02 | 2024-01-31T10:30:00 2024-02-01T11:00:00 |
        2024-01-31T10:30:00Z 2024-02-01T11:00:00Z |
        2024-01-31T10:30:00+01:00 2024-02-01T11:00:00+01:00 |
        2024-01-31T10:30:00.123456 2024-01-31T10:30:01 | 12:05 13:10 | 12:05:30 13:10:00 |
        12:05:30.5 1:00 | 00:00 23:59 | 9:5 10:15 | 24:00 25:61 | 1:30PM 2:30AM | PT1H PT2H |
        P1D P2D | 1d 2d | 2024-W05 2024-W06 | 2024-031 2024-032 | Q1 Q2 Q3 Q4 | 2024Q1 2024Q2 |
        Mon Tue Wed | Jan Feb Mar | 1970-01-01 1969-12-31 | 0001-01-01 9999-12-31 |
        2024-02-30 2024-13-01 | 1706659200 1706745600 | 1706659200000 1706745600000 |
        45322 45323.5 | 2024.01 2024.02 | 20240131T103000 1 | 2024年1月31日 2024年2月1日 |
        ٢٠٢٤-٠١-٣١ ٢٠٢٤-٠٢-٠١ | 12h30 13h45 | 12.30 13.45 | 2024-01-31 NA | 31.1. 1.2. |
        1900-01-01 2024 | 2024-1-1 2024-1-2 | 05/06 07/08 | -0044-03-15 1 | 12:05 NA |
        2019/20 2020/21
    """,
    "words": """
        low mid high | a b c | A a B b | yes no maybe | x y NA | S M L XL | good Good GOOD | é ü |
        ﬁ fi | ß ss | naïve café | é é | 日本 中国 | привет мир | שלום עולם | مرحبا عالم | 😀 😁 |
        👩‍👩‍👧 x | a,b c | a;b c | a b c | 'a' 'b' | "a" "b" | "a b | a"b c | "" x | '' x |
        \\ \\\\ | \\n \\t | a\\"b c | ` ~ | @a @b | =1+1 =2 | +a -b | -a +b | a | b | <b> </b> |
        &amp; & | % %% | {} [] | null x | true x | 1 x | 1.5 x | 1 2 x | 007 x | inf x | #a #b |
        http://a.b/c http://d.e | a@b.c d@e.f | 192.168.0.1 10.0.0.1 | ::1 fe80::1 |
        +49123456 +49654321 | 12345-6789 12345 | 550e8400-e29b-41d4-a716-446655440000 x | 1e5a 2 |
        0 O | l 1 | 1-5 6-10 11+ | <18 18-30 30+ | 1 2 3 4+ | 1 2 5.0x | 12E3 x | -x 1 | c1 c2 |
        nan x | 1a 1b | aaa aab | 1.5 2.5 x | 01 x | ٣ x
    """,
}
# Columns whose cells hold white space, and others that need a name.
NAMED = {
    "before a number": [" 1", "2"],
    "after a number": ["1 ", "2"],
    "around numbers": [" 1 ", "  2  "],
    "around decimals": [" 1.5 ", "2.5 "],
    "before a decimal comma": [" 1,5", "2,5"],
    "around a sign": ["- 1", "2"],
    "inside a number": ["1 000", "2 000"],
    "inside a decimal": ["1 .5", "2"],
    "around a code": [" 01067 ", "10115"],
    "around a long number": [" 9223372036854775807 ", "1"],
    "around an unsigned number": [" 9223372036854775808 ", "1"],
    "around booleans": [" True", "False "],
    "around one boolean": ["True", "False "],
    "around infinity": [" inf ", "1.5"],
    "around nan": [" nan ", "1.5"],
    "around a missing marker": [" NA ", "1"],
    "before a missing marker": [" -", "1.5"],
    "around words": [" low", "high ", "low"],
    "only a space": [" ", "1"],
    "only spaces": ["   ", "1.5"],
    "spaces among words": ["  ", "a", "b"],
    "nothing but spaces": [" ", "  "],
    "spaces among booleans": [" ", "True", "False"],
    "a tab before": ["\t1", "2"],
    "only a tab": ["\t", "1"],
    "a tab after": ["1\t", "2.5"],
    "a line end after": ["1\n", "2"],
    "a line end before": ["\n1", "2"],
    "only a line end": ["\n", "1"],
    "a carriage return after": ["1\r", "2"],
    "a form feed": ["1\f", "2"],
    "a vertical tab": ["1\v", "2"],
    "a vertical tab beside a decimal": ["1.5\v", "2"],
    "a file separator": ["1\x1c", "2"],
    "a unit separator beside a decimal": ["1.5\x1f", "2"],
    "a next line": ["1\x85", "2"],
    "a space without break": ["\u00a01", "2"],
    "a space without break after": ["1.5\u00a0", "2"],
    "a space without break inside": ["1\u00a0000", "2\u00a0000"],
    "only a space without break": ["\u00a0", "1"],
    "a narrow space": ["\u202f1", "2"],
    "a thin space inside": ["1\u2009000", "2"],
    "an em space": ["\u20031", "2.5"],
    "an ideographic space": ["\u30001", "2"],
    "a line separator": ["\u20281", "2"],
    "a space of no width": ["\u200b1", "2"],
    "a byte order mark": ["\ufeff1", "2"],
    "a mark of direction": ["\u200e1", "2"],
    "a soft hyphen": ["\u00ad1", "2"],
    "a space beside NA": [" 1", "NA", "2"],
    "a space without break beside NA": ["\u00a01", "NA", "2"],
    "two lines": ["two\nlines", "one"],
    "two lines of Windows": ["two\r\nlines", "one"],
    "numbers on two lines": ["1\n2", "3"],
    "quotes": ['he "said"', '"', '""', "plain"],
    "quoted numbers": ['"1"', '"2"'],
    "the largest integer that is a float": [str(2**1024 - 2**970), "1"],
    "the largest float beside a decimal": [str(2**1024 - 2**970), "1.5"],
    "the smallest integer beyond floats": [str(2**1024), "1"],
    "the smallest integer beyond floats beside a decimal": [str(2**1024), "1.5"],
    "commas": ["a, b", "c;d", "e|f", "g\th"],
    "empty cells": ["", ""],
    "empty cells beside numbers": ["", "1", "2"],
    "empty cells beside decimals": ["", "1.5", "2"],
    "empty cells beside booleans": ["", "True", "False"],
    "empty cells beside words": ["", "low", "high"],
    "empty cells beside codes": ["", "007", "8"],
    "empty cells beside NA": ["", "NA"],
    "empty cells beside NA and numbers": ["", "NA", "1"],
    "empty cells beside unsigned numbers": ["", "18446744073709551615"],
    "empty cells beside infinity": ["", "inf", "1"],
    "empty cells beside longer numbers": ["", "12345678901234567890123"],
    "dates with times": ["2024-01-31 10:30", "2024-02-01 11:00"],
    "dates in words": ["31 January 2024", "1 February 2024"],
    "dates in American words": ["Jan 31, 2024", "Feb 1, 2024"],
    "times with halves": ["1:30 PM", "2:30 AM"],
    "durations": ["1 day", "2 days"],
    "amounts": ["1 250,50 €", "3 €"],
    "amounts with units": ["3 kg", "4.5 kg"],
    "levels": ["very low", "low", "high", "very high"],
    "agreement": ["strongly disagree", "disagree", "agree", "strongly agree"],
    "long strings": ["word " * 60, "other " * 40],
    "one of many words": [f"item {k}" for k in range(N_ROWS)],
    "one of many numbers": [str(k * 17 % 101) for k in range(N_ROWS)],
    "one of many decimals": [str(k * 0.37) for k in range(N_ROWS)],
    "a late text": [*map(str, range(N_ROWS - 1)), "x"],
    "a late code": [*map(str, range(1, N_ROWS)), "007"],
    "a late decimal": [*map(str, range(N_ROWS - 1)), "0.5"],
    "a late marker": [*map(str, range(N_ROWS - 1)), "NA"],
}
N_RANDOM = 120


def batched(names: Iterable[str], size: int) -> Iterator[list[str]]:
    rest = iter(names)
    while batch := list(islice(rest, size)):
        yield batch


def columns_of_cells() -> dict[str, list[str]]:
    """The columns by name: those of the tables above, and random mixtures of their cells."""
    columns = {f"cells: {name}": cells for name, cells in NAMED.items()}
    for theme, text in LINES.items():
        parts = [part.split() for part in text.split("|")]
        columns |= {f"{theme}: {' '.join(cells)}": cells for cells in parts}
    pools = {theme: text.replace("|", " ").split() for theme, text in LINES.items()}
    pools["named cells"] = [cell for cells in NAMED.values() for cell in cells]
    chance = random.Random(0)
    for k in range(N_RANDOM):
        themes = chance.sample(sorted(pools), chance.choice([1, 1, 2, 3]))
        cells = [chance.choice(pools[chance.choice(themes)]) for _ in range(chance.randint(2, 4))]
        plain = chance.choice([["1", "2"], ["1.5", "2"], ["1,5", "2"], ["a", "b"], []])
        columns[f"mixed {k}: {' and '.join(themes)}"] = cells + plain
    return columns


COLUMNS = columns_of_cells()
# With semicolons, a comma may be the decimal sign.
NAMES = {
    ",": list(COLUMNS),
    ";": [name for name, cells in COLUMNS.items() if re.search("[.,]", " ".join(cells))],
}


class Reading(NamedTuple):
    """What a reader makes of a column."""

    dtype: str
    values: list[object]
    semantic_type: str
    levels: list[object] | None


def kind_of_dtype(column: nw.Series[Any]) -> str:
    """The kind of a dtype: pandas stores booleans beside missing values as objects."""
    dtype = column.dtype
    if dtype.is_integer():
        return "integer"
    if dtype.is_float():
        return "float"
    present = set(map(type, column.drop_nulls().to_list()))
    if dtype == nw.Boolean or (dtype == nw.Object and present <= {bool, np.bool_}):
        return "boolean"
    return "string" if dtype == nw.String or present <= {str} else str(dtype)


def plain(value: object) -> object:
    """A value as Python's own object, distinct from those of other types; None where missing."""
    if value is None or pd.isna(value):
        return None
    if isinstance(value, bool | np.bool_):
        return ("boolean", bool(value))
    if isinstance(value, pd.Timestamp):  # pandas' own class for what polars has as datetime
        value = value.to_pydatetime(warn=False)
    return value if isinstance(value, str) else (type(value).__name__[:3], repr(value))


def write(path: str, names: Sequence[str], separator: str) -> None:
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, delimiter=separator)  # lines end in \r\n: quotes either
        writer.writerow(["row", *(f"c{j}" for j in range(len(names)))])
        for row in range(N_ROWS):
            cells = [COLUMNS[name] for name in names]
            writer.writerow([row, *(column[row % len(column)] for column in cells)])


def read(path: str, names: Sequence[str], reader: str) -> dict[str, Reading]:
    with warnings.catch_warnings(), pytest.MonkeyPatch.context() as patch:
        warnings.simplefilter("ignore", UserWarning)  # a number beyond the range of floats
        warnings.filterwarnings("error", message=".* is loaded, which takes")
        patch.setattr(table_file, "installed_engines", lambda: [reader])
        large = math.inf if reader == "pandas" else 0
        table = table_file.open_file(path, large=large).frame
    report = autotype.infer_types(table, features=["row"])
    frame = nw.from_native(table).lazy().collect("pandas" if reader == "pandas" else "polars")
    found = {}
    for j, name in enumerate(names):
        column, decided = frame[f"c{j}"], report[f"c{j}"]
        levels = None if decided.levels is None else [plain(level) for level in decided.levels]
        values = [plain(value) for value in column.to_list()]
        found[name] = Reading(kind_of_dtype(column), values, decided.semantic_type, levels)
    return found


@pytest.fixture(scope="module")
def readings(tmp_path_factory) -> Callable[[str, str], dict[str, Reading]]:
    """A function that returns, by separator and reader, what is read of each column."""
    folder = tmp_path_factory.mktemp("csv")

    @cache
    def of(separator: str, reader: str) -> dict[str, Reading]:
        found: dict[str, Reading] = {}
        for names in batched(NAMES[separator], N_COLUMNS):
            path = str(folder / f"{ord(separator)}-{len(found)}.csv")
            write(path, names, separator)
            found |= read(path, names, reader)
        return found

    return of


@pytest.mark.parametrize(
    ("separator", "name"),
    [(separator, name) for separator, names in NAMES.items() for name in names],
)
def test_every_reader_reads_the_same(readings, separator, name) -> None:
    small, *large = (readings(separator, reader)[name] for reader in READERS)
    for reader, found in zip(READERS[1:], large, strict=True):
        assert (reader, found) == (reader, small)
