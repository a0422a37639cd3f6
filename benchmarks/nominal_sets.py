"""Count the nominal level sets, in all languages, that are called ordinal with confidence.

usage: python benchmarks/nominal_sets.py [--every N] [--show]

Each set is a column of 200 rows beside a column of noise. The words are those of
`nominal_sets.toml`, as they are and behind or before numbers, which rank nothing.
"""

from __future__ import annotations

import argparse
import tomllib
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pandas as pd

import autotype

SETS = Path(__file__).with_name("nominal_sets.toml")
CONFIDENT = 0.9
LARGEST_SHARE = 0.015
N_ROWS = 200
NUMBERS = (86, 154, 42, 7, 12, 330)  # of names such as "Tu-154"

Set = tuple[str, str, tuple[str, ...]]  # its form, the name of the column, and the levels


def nominal_sets() -> Iterator[Set]:
    """Yield all sets: each form of each list of words, then the decoys."""
    table = tomllib.loads(SETS.read_text(encoding="utf-8"))
    for own in table["languages"].values():
        for column, line in zip(own["columns"], own["words"], strict=True):
            words = tuple(word.replace("_", " ") for word in line.split())
            for some, name in ((words, column), (words[:3], "x")):
                yield from ((form, name, levels) for form, levels in _forms(some))
    for decoy in table["decoy"]:
        yield "decoy", decoy["column"], tuple(decoy["levels"])


def _forms(words: tuple[str, ...]) -> Iterator[tuple[str, tuple[str, ...]]]:
    numbered = list(zip(words, NUMBERS, strict=False))
    yield "plain", words
    yield "listed", tuple(f"{k}. {word}" for k, word in enumerate(words, 1))
    yield "coded", tuple(f"{k} {word}" for k, word in enumerate(words, 1))
    yield "glued", tuple(f"{k}{word}" for k, word in enumerate(words, 1))
    yield "model", tuple(f"{word}-{n}" for word, n in numbered)
    yield "numbered", tuple(f"{word} {n}" for word, n in numbered)
    yield "counted", tuple(f"{n} {word}" for word, n in numbered)


def probability(name: str, levels: tuple[str, ...]) -> float:
    """Return the probability that a column of these levels is ordinal."""
    random = np.random.default_rng(0)
    values = random.choice(np.array(levels, dtype=object), N_ROWS)
    frame = pd.DataFrame({name: values, "noise": random.normal(size=N_ROWS)})
    found = autotype.infer_types(frame)[name]
    return 0.0 if found.semantic_type == "categorical" else float(found.probability)


def confident(sets: list[Set]) -> list[tuple[float, Set]]:
    """Return the sets that are called ordinal with confidence, and how much."""
    found = [(probability(name, levels), (form, name, levels)) for form, name, levels in sets]
    return [(p, each) for p, each in found if p > CONFIDENT]


def main() -> int:
    """Print how many sets there are, and how many are called ordinal, by form."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--every", type=int, default=1, help="take each N-th set only")
    parser.add_argument("--show", action="store_true", help="print the sets called ordinal")
    options = parser.parse_args()
    sets = list(nominal_sets())[:: options.every]
    wrong = confident(sets)
    for form in dict.fromkeys(form for form, *_ in sets):
        n, own = sum(f == form for f, *_ in sets), sum(each[0] == form for _, each in wrong)
        print(f"{form:10} {n:5} sets, {own:4} above {CONFIDENT}")
    share = len(wrong) / len(sets)
    print(f"all        {len(sets):5} sets, {len(wrong):4} above {CONFIDENT}: {share:.4f}")
    if options.show:
        for p, (form, name, levels) in wrong:
            print(f"{p:.2f} {form} {name}: {', '.join(levels)}")
    return len(wrong) > LARGEST_SHARE * len(sets)


if __name__ == "__main__":
    raise SystemExit(main())
