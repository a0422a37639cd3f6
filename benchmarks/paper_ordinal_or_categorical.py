"""Reproduce Tables 1-5 of "Ordinal or Categorical?" (2014), next to the search of `infer_types`.

    python benchmarks/paper_ordinal_or_categorical.py ../shared/data --splits 5
    python benchmarks/paper_ordinal_or_categorical.py ../shared/data --splits 50 --runs runs.csv

Random splits in two thirds and one third; inputs standardised, months and days as indicators.
Regression targets are cut into bins of equal probability, ties kept together. OR is the ordinal
model along the order that its search finds, MC the multi-class one; L is the kernel x'z, SE the
squared exponential, and LB, which the paper lacks, 1 + x'z. With `--runs` a run that was
interrupted goes on where it stopped.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pandas as pd
from ordinal_partitions import frequency_bins
from scipy.stats import ttest_rel

from autotype.inference.evidence.column_evidence import order_agreement
from autotype.inference.evidence.order_search import search_order
from autotype.paper2014.search import (
    fit_along,
    fit_classes,
    mean_log_probability,
    paper_kernel,
    search_by_swaps,
)

BINS = {"auto_mpg": 5, "boston": 5, "forest_fires": 3, "yacht": 5}
CLASSES = ("glass", "glass_numbered", "iris", "new_thyroid", "wine")
# UCI's file of Glass begins with the row's number, and its rows are sorted by class.
ROW_NUMBER = "_numbered"
METHODS = ("OR-L", "OR-SE", "MC-L", "MC-SE")
KERNELS = {"L": "linear", "LB": "linear-bias", "SE": "rbf"}
SIGNIFICANCE = 0.05
PAPER_TAU = {
    "auto_mpg": (1.0, 0.840),
    "boston": (1.0, 0.968),
    "forest_fires": (0.333, 0.427),
    "yacht": (1.0, 1.0),
}
# Test log likelihoods of OR-L, OR-SE, MC-L, MC-SE, then evidences in the same order.
PAPER = {
    "auto_mpg": (-0.679, -0.726, -0.874, -0.706, -185.616, -172.205, -249.040, -171.312),
    "boston": (-0.901, -0.795, -0.957, -0.856, -309.426, -240.459, -347.371, -241.394),
    "forest_fires": (-1.044, -1.070, -1.050, -1.084, -350.198, -339.915, -363.892, -340.411),
    "yacht": (-0.181, -0.180, -0.897, -0.207, -58.853, -51.904, -213.102, -51.737),
    "glass": (-0.224, -0.133, -1.264, -0.096, -75.219, -34.141, -93.092, -26.971),
    "iris": (-0.079, -0.092, -0.331, -0.112, -13.067, -14.223, -37.993, -15.554),
    "new_thyroid": (-0.065, -0.077, -0.187, -0.066, -17.445, -19.005, -41.358, -18.466),
    "wine": (-0.205, -0.113, -0.076, -0.103, -31.217, -19.006, -20.652, -15.172),
}


def load(data: Path, name: str) -> tuple[np.ndarray, np.ndarray, int]:
    """Read inputs and level codes of one set."""
    file = name.removesuffix(ROW_NUMBER)
    frame = pd.read_csv(data / "papers" / "ordinal_or_categorical" / f"{file}.csv").dropna()
    if name.endswith(ROW_NUMBER):
        frame.insert(0, "number", np.arange(1, len(frame) + 1))
    X = pd.get_dummies(frame.drop(columns="target"), dtype=float).to_numpy(dtype=float)
    if name in BINS:
        codes = frequency_bins(frame["target"].to_numpy(dtype=float), BINS[name])
    else:
        codes = pd.factorize(frame["target"], sort=True)[0]
    return X, codes, int(codes.max()) + 1


def one_split(
    X: np.ndarray, codes: np.ndarray, levels: int, *, kernel: str, seed: int
) -> Iterator[dict]:
    """Fit both models with one kernel, "L", "LB" or "SE", on one split; the ordinal one not by LB.

    The thresholds are the ordinal model's biases.
    """
    rows = np.random.default_rng(seed).permutation(len(codes))
    train, test = np.split(rows, [2 * len(rows) // 3])
    mean, spread = X[train].mean(axis=0), X[train].std(axis=0)
    X = (X - mean) / np.where(spread > 0, spread, 1.0)
    start = paper_kernel(KERNELS[kernel], X.shape[1])
    classes = fit_classes(start, X[train], codes[train], levels)
    yield {
        "method": f"MC-{kernel}",
        "tll": mean_log_probability(classes.probabilities(X[test]), codes[test]),
        "ame": classes.log_evidence,
    }
    if kernel == "LB":
        return
    begin = time.process_time()
    ordinal = search_by_swaps(start, X[train], codes[train], levels, random_state=seed)
    searched = time.process_time()
    fast = search_order(X[train], codes[train], levels)
    fast_time = time.process_time() - searched
    true = tuple(range(levels))
    gap = 0.0
    if ordinal.order != fast.order:
        along = fit_along(start, X[train], codes[train], fast.order, start=ordinal)
        gap = along.log_evidence - ordinal.log_evidence
    yield {
        "method": f"OR-{kernel}",
        "tll": mean_log_probability(ordinal.probabilities(X[test]), codes[test]),
        "ame": ordinal.log_evidence,
        "tau": order_agreement(ordinal.order, true),
        "tau_fast": order_agreement(fast.order, true),
        "gap_fast": gap,
        "cpu": searched - begin,
        "cpu_ratio": (searched - begin) / max(fast_time, 1e-4),
    }


def run(data: Path, name: str, kernel: str, splits: int, known: pd.DataFrame) -> pd.DataFrame:
    """Return known runs of one set and kernel with those that are missing."""
    X, codes, levels = load(data, name)
    own = known[(known["set"] == name) & (known["kernel"] == kernel)] if len(known) else known
    done = set(own["split"]) if len(own) else set()
    new = [
        {"set": name, "kernel": kernel, "split": seed, **row}
        for seed in range(splits)
        if seed not in done
        for row in one_split(X, codes, levels, kernel=kernel, seed=seed)
    ]
    return pd.concat([own, pd.DataFrame(new)]) if len(own) else pd.DataFrame(new)


def comparison(runs: pd.DataFrame, names: list[str], figure: str) -> str:
    """Table of one figure, ours and the paper's in brackets, with the row of wins.

    The best is bold, and = marks what a paired t test over the splits does not tell from it. The
    best, and the wins, are those on the splits that all methods have.
    """
    first = 0 if figure == "tll" else 4
    lines = ["| set | " + " | ".join(METHODS) + " | MC-LB |", "|---|" + "---|" * 5]
    wins = np.zeros(2)
    for name in names:
        own = runs[runs["set"] == name].pivot_table(index="split", columns="method", values=figure)
        paper = PAPER[name.removesuffix(ROW_NUMBER)]
        present = [method for method in METHODS if method in own]
        means, shared = own.mean(), own[present].dropna().mean()
        best = shared.idxmax()
        cells = []
        for k, method in enumerate(METHODS):
            if method not in own:
                cells.append(f"- ({paper[first + k]:.3f})")
                continue
            text = f"{means[method]:.3f}"
            mark = f"**{text}**" if method == best else text + "=" * same(own, method, best)
            cells.append(f"{mark} ({paper[first + k]:.3f})")
        cells.append(f"{means['MC-LB']:.3f}" if "MC-LB" in own else "-")
        lines.append(f"| {name} | " + " | ".join(cells) + " |")
        sides = [[m for m in present if m.startswith(side)] for side in ("OR", "MC")]
        if all(sides):
            ordinal, classes = (shared[side].idxmax() for side in sides)
            if same(own, ordinal, classes):
                wins += 0.5
            else:
                wins[int(shared[classes] > shared[ordinal])] += 1
    return "\n".join([*lines, f"\nWins: ordinal {wins[0]:g}, multi-class {wins[1]:g}"])


def same(own: pd.DataFrame, one: str, other: str) -> bool:
    """Whether a paired t test over the splits that both have does not tell two methods apart."""
    pairs = own[[one, other]].dropna()
    if len(pairs) < 2 or np.allclose(pairs[one], pairs[other]):
        return True
    return bool(ttest_rel(pairs[one], pairs[other]).pvalue > SIGNIFICANCE)


def order_table(runs: pd.DataFrame, names: list[str]) -> str:
    """Table 1, and the fast search: |tau|, nats less than the paper's search, CPU ratio."""
    lines = [
        "| set | kernel | splits | \\|tau\\| | fast \\|tau\\| | less the paper's | CPU s | ratio |",
        "|---|" + "---|" * 7,
    ]
    searched = runs[runs["method"].str.startswith("OR-")]
    for name in names:
        for side, kernel in enumerate(("L", "SE")):
            own = searched[(searched["set"] == name) & (searched["kernel"] == kernel)]
            if not len(own):
                continue
            mean = own.mean(numeric_only=True)
            tau = ("-", "-")
            if name in BINS:
                paper = PAPER_TAU[name][side]
                tau = (f"{mean.tau:.3f} ({paper:.3f})", f"{mean.tau_fast:.3f}")
            lines.append(
                f"| {name} | {kernel} | {len(own)} | {tau[0]} | {tau[1]} | {mean.gap_fast:+.2f} | "
                f"{mean.cpu:.2f} | {mean.cpu_ratio:.0f} |"
            )
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", nargs="?", default="../shared/data", type=Path)
    parser.add_argument("--splits", type=int, default=5)
    parser.add_argument("--smooth-splits", type=int, help="splits of the kernel SE, the slow one")
    parser.add_argument("--kernels", choices=list(KERNELS), nargs="*", default=list(KERNELS))
    parser.add_argument("--sets", nargs="*", default=[*BINS, *CLASSES])
    parser.add_argument("--runs", type=Path, help="CSV file of finished splits, read and extended")
    options = parser.parse_args()
    smooth = options.splits if options.smooth_splits is None else options.smooth_splits
    known = pd.DataFrame()
    if options.runs and options.runs.exists():
        known = pd.read_csv(options.runs)
    parts = []
    for kernel in options.kernels:
        for name in options.sets:
            splits = smooth if kernel == "SE" else options.splits
            parts.append(run(options.data, name, kernel, splits, known))
            if options.runs:
                pd.concat([known, *parts]).drop_duplicates(
                    ["set", "split", "method"], keep="last"
                ).to_csv(options.runs, index=False)
    runs = pd.concat(parts)
    ordinal = [name for name in options.sets if name in BINS]
    classes = [name for name in options.sets if name not in BINS]
    print("Ours (the paper's).")
    print("\nTable 1, orders\n\n" + order_table(runs, options.sets))
    for title, figure in (("test log likelihood", "tll"), ("evidence", "ame")):
        for kind, names in (("ordinal", ordinal), ("multi-class", classes)):
            if names:
                print(f"\n{title.capitalize()}, {kind} sets\n\n" + comparison(runs, names, figure))


if __name__ == "__main__":
    main()
