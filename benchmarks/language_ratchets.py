"""Count what each language of the label reader reads, by rule.

usage: language_ratchets.py [--write]

The cases are the lists of the tests, `scales.toml` and `nominal.toml` in `tests/inference/labels`.
A table of languages and rules is printed. `--write` stores it in `docs/algorithms/labels.md`, and
the counts in `ratchets.toml` next to the lists: a test lets none fall by more than one point.
"""

from __future__ import annotations

import argparse
import random
import sys
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from autotype.inference.labels.evidence import NOMINAL
from autotype.inference.labels.rules import read_labels
from autotype.lexicon.languages import codes, language
from autotype.lexicon.number_words import MULTIPLES

ROOT = Path(__file__).parent.parent
LISTS = ROOT / "tests" / "inference" / "labels"
RATCHETS = LISTS / "ratchets.toml"
PAGE = ROOT / "docs" / "algorithms" / "labels.md"
MARKS = ("<!-- language_ratchets.py -->\n", "<!-- end -->\n")
WEAK = 0.8  # of the cases of a rule; what lies below is set in bold

# Rule -> the tables of a language file without which it reads nothing.
TABLES = {
    "degrees": (
        "gradable",
        "balance",
        "negation",
        "degree",
        "affixes",
        "shift",
        "shrink",
        "family",
    ),
    "scales": ("scale",),
    "numbers": ("units", *MULTIPLES, "multipliers", "cardinals", "ordinals", "ends"),
    "ranges": ("bounds",),
    "rates": ("rates",),
    "off-scale": ("off_scale",),
    "names": ("names",),
}
RULES = (*TABLES, "no scale")
OF_ORDER = ("degrees", "scales", "numbers", "ranges", "rates")

Counts = tuple[int, int]


@dataclass(frozen=True)
class Case:
    """The levels of a column, and what is right for one rule.

    Attributes
    ----------
    rule : str
        The rule, one of `RULES`.
    levels : tuple of str
        The levels, shuffled.
    order : tuple of str or None
        The order that is right; None where the case is not about one.
    off_scale : tuple of str
        Levels off the scale.
    """

    rule: str
    levels: tuple[str, ...]
    order: tuple[str, ...] | None = None
    off_scale: tuple[str, ...] = ()

    def is_read(self) -> bool:
        """Check whether what is read is right."""
        evidence = read_labels(self.levels)
        if self.rule == "names":
            return evidence.rule == NOMINAL
        if self.rule == "no scale":
            return evidence.order is None or not evidence.rule.decides
        if self.rule == "off-scale":
            return set(evidence.off_scale) == set(self.off_scale)
        either_way = not evidence.direction_known and evidence.order is not None
        return self.order in (evidence.order, evidence.order[::-1] if either_way else None)


@cache
def cases() -> Mapping[str, tuple[Case, ...]]:
    """Read the cases of each language."""
    rng = random.Random(0)
    found: dict[str, list[Case]] = {code: [] for code in codes()}
    for scale in tomllib.loads((LISTS / "scales.toml").read_text(encoding="utf-8"))["scale"]:
        order, off_scale = tuple(scale["order"]), tuple(scale.get("off_scale", ()))
        levels = tuple(rng.sample((*order, *off_scale), len(order) + len(off_scale)))
        own = found[scale["language"]]
        own.append(Case(scale["rule"], levels, order))
        if off_scale:
            own.append(Case("off-scale", levels, None, off_scale))
    for names in tomllib.loads((LISTS / "nominal.toml").read_text(encoding="utf-8"))["set"]:
        levels = tuple(rng.sample(names["levels"], len(names["levels"])))
        found[names["language"]] += [Case("names", levels), Case("no scale", levels)]
    return {code: tuple(own) for code, own in found.items()}


def count(code: str) -> dict[str, Counts]:
    """Count the cases of a language that are read and all of them, by rule."""
    own: dict[str, list[bool]] = {rule: [] for rule in RULES}
    for case in cases()[code]:
        own[case.rule].append(case.is_read())
    return {rule: (sum(read), len(read)) for rule, read in own.items()}


def least(stored: Counts) -> float:
    """Return the ratchet: the proportion that was read once, less one point."""
    return stored[0] / stored[1] - 0.01


def stored_counts() -> dict[str, dict[str, Counts]]:
    """Read the counts that were stored."""
    tables = tomllib.loads(RATCHETS.read_text(encoding="utf-8"))
    return {code: {rule: tuple(c) for rule, c in t.items()} for code, t in tables.items()}


def as_toml(counts: Mapping[str, Mapping[str, Counts]]) -> str:
    """Write counts as TOML."""
    lines = [
        "# Cases of scales.toml and nominal.toml that are read, and all of them, by language and",
        "# rule. Written by `python benchmarks/language_ratchets.py --write`.",
    ]
    for code, own in counts.items():
        lines += ["", f"[{code}]", *(f'"{rule}" = {list(pair)}' for rule, pair in own.items())]
    return "\n".join(lines) + "\n"


def as_markdown(counts: Mapping[str, Mapping[str, Counts]]) -> str:
    """Write the table of languages, the weakest first, with weak rules in bold."""
    lines = [f"| language | scales of all rules | {' | '.join(RULES)} |"]
    lines.append(f"|---|{'---|' * (len(RULES) + 1)}")
    for code in sorted(counts, key=lambda code: (_share(_scales(counts[code])), code)):
        name = f"{language(code).table['english']} (`{code}`)"
        lines.append(_row(name, counts[code]))
    total = {rule: _sum(own[rule] for own in counts.values()) for rule in RULES}
    return "\n".join([*lines, _row("all", total)]) + "\n"


def _row(name: str, own: Mapping[str, Counts]) -> str:
    cells = [f"{_share(_scales(own)):.0%}"]
    for rule in RULES:
        cell = f"{own[rule][0]} of {own[rule][1]}"
        is_weak = rule != "names" and _share(own[rule]) < WEAK
        cells.append(f"**{cell}**" if is_weak else cell)
    return f"| {name} | {' | '.join(cells)} |"


def _scales(own: Mapping[str, Counts]) -> Counts:
    """Add up the rules that find an order."""
    return _sum(own[rule] for rule in OF_ORDER)


def _sum(pairs: Iterable[Counts]) -> Counts:
    read, all_cases = zip(*pairs, strict=True)
    return sum(read), sum(all_cases)


def _share(pair: Counts) -> float:
    return pair[0] / pair[1] if pair[1] else 0.0


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--write", action="store_true", help="store counts and table")
    options = parser.parse_args(arguments)
    counts = {code: count(code) for code in codes()}
    print(as_markdown(counts))
    if options.write:
        RATCHETS.write_text(as_toml(counts), encoding="utf-8")
        before, _, rest = PAGE.read_text(encoding="utf-8").partition(MARKS[0])
        after = rest.partition(MARKS[1])[2]
        page = f"{before}{MARKS[0]}{as_markdown(counts)}{MARKS[1]}{after}"
        PAGE.write_text(page, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
