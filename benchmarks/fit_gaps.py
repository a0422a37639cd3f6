"""Fit the model of gaps, which places the one level that the labels do not place.

usage: python benchmarks/fit_gaps.py [DATA] [--write]

Three kinds of scales: those of the labelled corpora that are read whole, with each level in turn
under a word without meaning, those of which one level is not read, and those of
`unusual_levels.toml`, of which one level is worded as no vocabulary lists it. Each scale counts
once, of the latter two kinds twice. Held-out figures come from folds that keep a family, or a topic
of a language, together; those of the list that is held out, from a model of all the others.
"""

from __future__ import annotations

import argparse
import json
import sys
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd
from fit_verdict import UNKNOWN
from labelled_columns import data_folder, read_labels_table
from learned_file import write_learned
from scipy.optimize import minimize
from scipy.special import log_softmax, softmax
from sklearn.model_selection import GroupKFold

from autotype.inference.labels import rules
from autotype.inference.labels.unread import GAP_FEATURES
from autotype.types.column_type import ORDER_FROM

PENALTY = 0.05
UNUSUAL_WEIGHT = 2.0  # of a scale with a level that is not read
N_FOLDS = 10
BINS = (0.0, 0.3, 0.5, ORDER_FROM, 0.8, 0.9, 1.0)
COMMAND = "python benchmarks/fit_gaps.py --write"


@dataclass(frozen=True)
class Gap:
    """A scale with one level that is not read: features of its places, and the true place."""

    group: str
    X: np.ndarray
    place: int
    weight: float


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", nargs="?", default="../shared/data")
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args(argv)
    left_out = list(left_out_levels(data_folder(options.data)))
    lists = tomllib.loads(Path(__file__).with_name("unusual_levels.toml").read_text("utf-8"))
    unusual, held_out = (list(unusual_levels(lists[part])) for part in ("fit", "held_out"))
    train = left_out + unusual
    p: list[np.ndarray] = [np.empty(0)] * len(train)
    groups = [gap.group for gap in train]
    for rest, test in GroupKFold(N_FOLDS, shuffle=True, random_state=0).split(train, groups=groups):
        weights = fit([train[k] for k in rest])
        for k in test:
            p[k] = softmax(train[k].X @ weights)
    weights = fit(train)
    for title, is_unusual in (("Levels left out", False), ("Unusual levels", True)):
        own = [k for k, gap in enumerate(train) if (gap.weight == UNUSUAL_WEIGHT) is is_unusual]
        print(f"\n{title}\n" + shown([train[k] for k in own], [p[k] for k in own]))
    print("\nThe list held out\n" + shown(held_out, [softmax(gap.X @ weights) for gap in held_out]))
    for name, weight in zip(GAP_FEATURES, weights, strict=True):
        print(f"{name:16s}{weight:6.2f}")
    if options.write:
        features = [
            {"name": name, "weight": round(float(weight), 6), "mean": 0.0, "scale": 1.0}
            for name, weight in zip(GAP_FEATURES, weights, strict=True)
        ]
        write_learned(models={"gap": {"command": COMMAND, "intercept": 0.0, "features": features}})
    return 0


def left_out_levels(folder: Path) -> Iterator[Gap]:
    """Yield the scales of the corpora with one level that is not read, and with each unknown."""
    table = read_labels_table(folder)
    table = table[(table["truth"] == "ordinal") & (table["coding"] == "text")]
    for row in table.drop_duplicates("order").itertuples():
        order = json.loads(row.order)
        found = rules.read_labels(order, row.column)
        if len(found.unplaced) == 1:
            yield from gap_of(order, found.unplaced[0], row.column, row.family, UNUSUAL_WEIGHT)
        for level in order if found.order == tuple(order) else ():
            levels = [UNKNOWN if level == other else other for other in order]
            yield from gap_of(levels, UNKNOWN, row.column, row.family, 1.0 / len(order))


def unusual_levels(scales: dict[str, list[list[str]]]) -> Iterator[Gap]:
    """Yield the scales of a list whose marked level is the one that is not read."""
    for code, listed in scales.items():
        for name, *order in listed:
            levels = [level.removeprefix("*") for level in order]
            odd = next(level[1:] for level in order if level[0] == "*")
            yield from gap_of(levels, odd, name, f"{code} {name}", UNUSUAL_WEIGHT)


def gap_of(order: list[str], odd: str, name: str, group: str, weight: float) -> Iterator[Gap]:
    """Yield the scale if its labels are read in the true order, but for one level."""
    found = rules.read_labels(order, name)
    is_ordered = found.order == tuple(v for v in order if v != odd)
    if found.unplaced == (odd,) and is_ordered and found.gaps and all(found.gaps):
        yield Gap(group, np.array(found.gaps), order.index(odd), weight)


def fit(gaps: Sequence[Gap]) -> np.ndarray:
    """Fit a conditional logit: the weights of the features, with a ridge penalty."""

    def loss(weights: np.ndarray) -> tuple[float, np.ndarray]:
        value, gradient = PENALTY * weights @ weights, 2 * PENALTY * weights
        for gap in gaps:
            log_p = log_softmax(gap.X @ weights)
            value -= gap.weight * log_p[gap.place]
            gradient = gradient - gap.weight * (gap.X[gap.place] - np.exp(log_p) @ gap.X)
        return value, gradient

    return minimize(loss, np.zeros(len(GAP_FEATURES)), jac=True, method="L-BFGS-B").x


def shown(gaps: Sequence[Gap], p: Sequence[np.ndarray]) -> str:
    """Tabulate how often the likeliest place is right, by its probability."""
    table = pd.DataFrame(
        {
            "p": [own.max() for own in p],
            "right": [own.argmax() == gap.place for own, gap in zip(p, gaps, strict=True)],
            "top": [gap.place == len(gap.X) - 1 for gap in gaps],
        }
    )
    table["bin"] = pd.cut(table.p, BINS).astype(str)
    both = pd.concat([table, table.assign(bin="all")])
    return both.groupby("bin").agg(
        n=("p", "size"), p=("p", "mean"), right=("right", "mean"), highest=("top", "mean")
    ).to_string(float_format="{:.3f}".format)  # fmt: skip


if __name__ == "__main__":
    sys.exit(main())
