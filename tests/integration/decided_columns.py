"""Columns of every semantic type from every source of a decision, for tests of casts and formats.

A decision is inferred; known, if it is stated before inference; revised, if after it; judged, if a
label judge swayed inference; kept, if ``known=`` states an earlier verdict; or read from an ordered
dtype. Every example is typed by `autotype.infer_types` itself.
"""

from __future__ import annotations

import datetime
import decimal
import itertools
import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

import pandas as pd

import autotype
from autotype import TypeReport

SIZES = (2, 20, 150)
OFF_SCALE = ("don't know", "refused")
OTHERS = ("continuous", "count", "datetime", "identifier", "text")
PROVENANCE = {"judged": "inferred"}  # of a source of another name

# Levels of other classes than str, mostly in an order that sorting does not give, and odd strings.
CLASSES: dict[str, tuple] = {
    "integers": (3, 1, 2),
    "integers in order": (1, 2, 3),
    "floats": (2.5, 0.5, 1.5),
    "booleans": (True, False),
    "dates": (datetime.date(2024, 2, 29), datetime.date(2023, 1, 1), datetime.date(2025, 1, 1)),
    "timestamps": tuple(map(pd.Timestamp, ("2024-02-29 12:30", "2023-01-01", "2025-01-01"))),
    "words for missing": ("None", "nan", "NaN", "NA", "<NA>", "NaT", "null"),
    "odd strings": ("", " ", "it's", 'say "a, b"', "a;b\n", "süß", "1", "01", "true", "語"),
}
# Classes that some libraries lack.
RARE_CLASSES: dict[str, tuple] = {
    "infinities": (math.inf, -1.5, 1e300, -math.inf),
    "decimals": tuple(map(decimal.Decimal, ("1.10", "-0.25", "0.50"))),
    "durations": tuple(map(pd.Timedelta, ("2h", "1h", "3h"))),
    "zoned timestamps": tuple(
        pd.Timestamp(day, tz="Europe/Oslo") for day in ("2024-02-29", "2023-01-01", "2025-01-01")
    ),
    "times": (datetime.time(12, 30), datetime.time(0, 0, 1), datetime.time(23, 0)),
}


@dataclass(frozen=True)
class Example:
    """A column with a decision on its type.

    Attributes
    ----------
    semantic_type, source : str
    levels : tuple
        Distinct values; of an ordinal column lowest first.
    off_scale : tuple
        Further values, which are levels off the scale.
    note : str
        A remark of the user.
    max_levels : int
        Of the inference.
    """

    semantic_type: str
    source: str
    levels: tuple
    off_scale: tuple = ()
    note: str = ""
    max_levels: int = 20

    def __str__(self) -> str:
        classes = {**CLASSES, **RARE_CLASSES}
        named = [name for name, levels in classes.items() if levels is self.levels]
        parts = [self.semantic_type, self.source, *(named or [str(len(self.levels))])]
        more = {"off scale": self.off_scale, "note": self.note}
        return "-".join([*parts, *(name for name, there in more.items() if there)])

    @property
    def values(self) -> list[Any]:
        """The rows: levels in another order than theirs, most of them twice, and missing values."""
        distinct = sorted((*self.levels, *self.off_scale), key=lambda level: str(level)[::-1])
        if self.source == "inferred" and self.semantic_type in ("identifier", "text"):
            return [None, *distinct, None]
        return [None, *distinct, *distinct, None, *distinct[:1]]

    @property
    def frame(self) -> pd.DataFrame:
        """The one column ``x``."""
        values = pd.Series(self.values, name="x", dtype=_dtype(self.levels))
        if self.source == "dtype":
            values = values.astype(pd.CategoricalDtype(list(self.levels), ordered=True))
        return values.to_frame()

    @property
    def statement(self) -> dict[str, Any]:
        """What a person states of the column."""
        note = {"note": self.note} if self.note else {}
        if self.semantic_type != "ordinal":
            return {"type": self.semantic_type, **note}
        off_scale = {"off_scale": list(self.off_scale)} if self.off_scale else {}
        return {"order": list(self.levels), **off_scale, **note}

    def infer(self, **options: Any) -> TypeReport:
        """Infer the type, without any statement, by the judge if the source is one."""
        if self.source == "judged":
            options["label_judge"] = self._judge
        return autotype.infer_types(self.frame, max_levels=self.max_levels, **options)

    def _judge(self, name: Any, levels: tuple) -> tuple[float, tuple]:
        probability = {"ordinal": 0.99, "undetermined": 0.5, "categorical": 0.01}
        return probability[self.semantic_type], (*self.levels, *self.off_scale)

    @property
    def report(self) -> TypeReport:
        """The report of the frame, whose only column is decided as the example says."""
        return _report(self)


@cache
def _report(example: Example) -> TypeReport:
    if example.source == "known":
        report = example.infer(known={"x": example.statement})
    elif example.source == "kept":
        report = example.infer(known=example.infer().to_known())
    else:
        report = example.infer()
    if example.source == "revised":
        report = report.revise(x=example.statement)
    elif example.note and example.source != "known":
        report = report.revise(x={"note": example.note})
    column = report["x"]
    found = (column.semantic_type, column.provenance, column.note)
    provenance = PROVENANCE.get(example.source, example.source)
    assert found == (example.semantic_type, provenance, example.note), "choose another example"
    assert set(column.off_scale) == set(example.off_scale), "choose another example"
    if column.semantic_type == "ordinal":
        assert column.order == example.levels, "choose another example"
    return report


def _dtype(levels: tuple) -> Any:
    if all(isinstance(level, str) for level in levels):
        return "str"
    if all(type(level) is int for level in levels):
        return "Int64"
    return "boolean" if all(type(level) is bool for level in levels) else None


def words(n: int) -> tuple[str, ...]:
    """Return names without an order."""
    syllables = itertools.product(("ba", "ke", "lo", "mu", "ri", "sa", "te"), repeat=3)
    return tuple("".join(parts) for parts in itertools.islice(syllables, n))


def codes(n: int) -> tuple[str, ...]:
    """Return labels that say nothing, in an order that is not that of their letters."""
    pairs = itertools.product("qzkwpvxj", "xvkjfqwdmhgtcsznprlb")
    return tuple(itertools.islice((a + b for a, b in pairs if a != b), n))


def grades(n: int) -> tuple[str, ...]:
    """Return labels that state their order."""
    return tuple(f"grade {k}" for k in range(1, n + 1))


def others(semantic_type: str, n: int) -> tuple:
    """Return distinct values of a type that is not discrete."""
    made = {
        "continuous": lambda k: k + 0.25,
        "count": lambda k: k * k,
        "datetime": lambda k: pd.Timestamp("2024-01-01") + pd.Timedelta(k, "D"),
        "identifier": lambda k: f"R-{k:03}",
        "text": lambda k: f"the cat of number {k} sat on the mat",
        "constant": lambda k: "always",
    }
    return tuple(map(made[semantic_type], range(n)))


def decided_examples() -> Iterator[Example]:
    """Yield an example of every type, source and number of levels that there is."""
    for n in SIZES:
        for off_scale in ((), OFF_SCALE):
            for source in ("known", "revised"):
                yield Example("ordinal", source, codes(n), off_scale, max_levels=200)
            if n > 2:  # two levels are binary, unless a person says otherwise
                yield Example("ordinal", "inferred", grades(n), off_scale, max_levels=200)
                yield Example("ordinal", "judged", codes(n), off_scale, max_levels=200)
                yield Example("categorical", "inferred", words(n), off_scale, max_levels=200)
                yield Example("categorical", "judged", codes(n), off_scale, max_levels=200)
        # 150 levels are more than inference lists by default: it reports their number only.
        for source in ("known", "revised"):
            yield Example("categorical", source, words(n))
            yield Example("undetermined", source, codes(n))
        if n > 2:
            for source in ("inferred", "judged"):
                yield Example("undetermined", source, codes(n), max_levels=200)
        for semantic_type in OTHERS:
            for source in ("known", "revised"):
                yield Example(semantic_type, source, others(semantic_type, n))
    for source in ("inferred", "known", "revised"):
        yield Example("binary", source, ("yes", "no"))
        yield Example("constant", source, others("constant", 1))
        if source == "inferred":
            for semantic_type in OTHERS:
                yield Example(semantic_type, source, others(semantic_type, 150))


def examples_of_classes(classes: dict[str, tuple]) -> Iterator[Example]:
    """Yield ordinal and categorical examples with levels of each class."""
    for levels in classes.values():
        yield Example("ordinal", "known", levels)
        yield Example("categorical", "known", levels)
