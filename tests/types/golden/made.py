"""Rewrite the golden file of made types: their forms, decisions on them, and comparisons.

    python -m tests.types.golden.made && git diff tests/types/golden

Each line holds what is said of a few columns, of statements on them, and of later types.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

from autotype import ColumnType, TypeReport
from autotype.types.decisions.decision import place_levels, read_statement
from autotype.types.decisions.known_file import known_as_toml

MADE = Path(__file__).resolve().parent / "made.json"
N_MADE = 160
LEVELS: list[list[Any]] = [["S", "M", "L"], [1, 2, 3, 4], ["no", "yes"], [True, False], [0.5, 1.5]]
LEVELS += [["a"], ["1", "2"], ["low", "mid", "high", "n/a"], [1, "a"], list("abcdefgh")]
KINDS = [
    *["ordinal"] * 5,
    *["categorical"] * 3,
    "undetermined",
    "binary",
    "count",
    "continuous",
    "identifier",
    "text",
]
KINDS += ["datetime", "constant", "undetermined", "undetermined"]
NAMES = ["size", "mood", "town", "n", 7]


def column(name: Any, random: Random) -> ColumnType:
    """Return a type of a column."""
    kind, levels = random.choice(KINDS), random.choice(LEVELS)
    counts = {level: random.choice([0, 1, 5, 9, 40, 1000]) for level in levels}
    more: dict[str, Any] = {"probability": random.choice([0.0, 0.3, 0.5, 0.79, 0.8, 0.97, 1.0])}
    if kind in ("ordinal", "categorical", "binary", "constant", "undetermined"):
        more["levels"] = counts
        more["n_levels"] = len(counts)
    if kind in ("ordinal", "undetermined") and len(levels) > 1:
        off = random.choice([0, 0, 1]) if len(levels) > 2 else 0
        order = tuple(levels[off:])
        more |= {"best_order": order, "off_scale": tuple(levels[:off])}
        more |= {"order_probability": random.choice([0.2, 0.6, 0.99])}
        more |= {"direction_known": random.random() < 0.5}
        if kind == "ordinal":
            more["order"] = order
        if random.random() < 0.3:
            more["labels"] = {level: f"label {level}" for level in levels}
        if random.random() < 0.4:
            more["scale"] = random.choice("pq")
    if random.random() < 0.2:
        more["missing_markers"] = ("?",)
    if random.random() < 0.2:
        more["title"] = "How much?"
    return ColumnType(name, kind if len(levels) > 1 or kind != "ordinal" else "constant", **more)


def statement(random: Random) -> Any:
    """Return what somebody might state of a column."""
    levels = random.choice(LEVELS)
    parts = {
        "type": random.choice([*KINDS, "ordnial", 5]),
        "order": random.choice([levels, levels[::-1], [*levels, levels[0]], "S < M", 3, []]),
        "off_scale": random.choice([levels[:1], ["?"], [], "n/a"]),
        "partial_order": random.choice([[["S", "M"]], [["S"]], [], [[1, 2], [2, 1]]]),
        "probability": random.choice([0.5, 1, 2, "x", None]),
        "note": random.choice(["as said", 5]),
        "levels": levels,
    }
    chosen = {key: parts[key] for key in random.sample(sorted(parts), random.randint(1, 3))}
    return random.choice([random.choice(KINDS), levels, chosen, chosen, chosen, "order", 5, None])


def said(work: Callable[[], Any]) -> str:
    """Return what a call returns, or its error."""
    try:
        return str(work())
    except (ValueError, TypeError, LookupError) as problem:
        return f"{type(problem).__name__}: {problem}"


def numbers(*values: float | None) -> str:
    """Return numbers with three digits; rounding errors, which machines differ in, are zero."""
    return ", ".join(
        "none" if value is None else f"{round(value, 12) + 0.0:.3g}" for value in values
    )


def made(seed: int) -> list[str]:
    """Return what is said of types, of statements on them, and of later types."""
    random = Random(f"types {seed}")
    names = random.sample(NAMES, random.choice([1, 2, 3]))
    before = TypeReport([column(name, random) for name in names], n_rows=1000)
    later = [column(name, random) if random.random() < 0.6 else before[name] for name in names]
    after = TypeReport([*later[random.choice([0, 0, 1]) :]], n_rows=1000)
    assert TypeReport.from_json(before.to_json()) == before
    stated = statement(random)
    levels = random.choice(LEVELS)
    options = {"alpha": random.choice([0.01, 0.5]), "min_distance": random.choice([0.0, 0.05, 0.5])}
    return [
        str(before),
        *(str(scale.text) for scale in before.scales),
        *(f"{q.columns} {q.n_open} {q.weight:.3f} {q.levels} {q.semantic_type} {q.order} "
          f"{q.off_scale} {q.probability:.3f} {q.text}"
          for q in before.questions(certainty=random.choice([0.5, 0.8, 0.8, 0.99]))),
        said(lambda: json.dumps(before.to_frictionless())),
        said(lambda: re.sub(r"(?<={) | (?=})", "", known_as_toml(before.to_known()))),
        said(lambda: before.to_scales()),
        *(f"{c.changes} {numbers(c.p_value, c.p_adjusted, c.distance, c.shift)}"
          for c in before.compare(after, **options).columns),
        said(lambda: before.compare(after, **options)),
        said(lambda: place_levels(read_statement(stated, where="x"), levels, where="x")),
        said(lambda: before.revise({names[0]: stated})),
        said(lambda: before.to_known()),
    ]  # fmt: skip


if __name__ == "__main__":
    lines = [json.dumps(made(seed)) for seed in range(N_MADE)]
    MADE.write_text("[\n" + ",\n".join(lines) + "\n]\n", "utf-8")
