"""Reproduce Tables 1-5 of "Ordinal or Categorical?" (2014), next to the search of `infer_types`.

    python benchmarks/paper_ordinal_or_categorical.py ../shared/data --splits 50

Random splits in two thirds and one third; inputs standardised, months and days as indicators.
Regression targets are cut into bins of equal probability.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import numpy as np
import pandas as pd

from autotype.inference.evidence import order_agreement
from autotype.inference.order_search import search_order
from autotype.paper2014.kernels import paper_kernel
from autotype.paper2014.search import (
    fit_along,
    fit_classes,
    mean_log_probability,
    search_by_swaps,
)

BINS = {"auto_mpg": 5, "boston": 5, "forest_fires": 3, "yacht": 5}
CLASSES = ("glass", "glass_numbered", "iris", "new_thyroid", "wine")
# UCI's file of Glass begins with the row's number, and its rows are sorted by class.
ROW_NUMBER = "_numbered"
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
        ranked = frame["target"].rank(method="first")
        codes = pd.qcut(ranked, BINS[name], labels=False).to_numpy()
    else:
        codes = pd.factorize(frame["target"], sort=True)[0]
    return X, codes, int(codes.max()) + 1


def one_split(X: np.ndarray, codes: np.ndarray, levels: int, kernel: str, seed: int) -> dict:
    """Figures of one split."""
    rows = np.random.default_rng(seed).permutation(len(codes))
    train, test = np.split(rows, [2 * len(rows) // 3])
    mean, spread = X[train].mean(axis=0), X[train].std(axis=0)
    X = (X - mean) / np.where(spread > 0, spread, 1.0)
    prepared = paper_kernel(kernel, X[train])
    begin = time.process_time()
    ordinal = search_by_swaps(prepared, codes[train], levels, random_state=seed)
    searched = time.process_time()
    classes = fit_classes(prepared, codes[train], levels)
    mid = time.process_time()
    fast = search_order(X[train], codes[train], levels)
    fast_time = time.process_time() - mid
    same = ordinal.order == fast.order
    gap = (
        0.0
        if same
        else fit_along(prepared, codes[train], fast.order, start=ordinal).log_evidence
        - ordinal.log_evidence
    )
    true = tuple(range(levels))
    return {
        "tau": order_agreement(ordinal.order, true),
        "tau_fast": order_agreement(fast.order, true),
        "tll_or": mean_log_probability(ordinal.probabilities(X[test]), codes[test]),
        "tll_mc": mean_log_probability(classes.probabilities(X[test]), codes[test]),
        "ame_or": ordinal.log_evidence,
        "ame_mc": classes.log_evidence,
        "gap_fast": gap,
        "cpu": searched - begin,
        "cpu_ratio": (searched - begin) / max(fast_time, 1e-4),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", nargs="?", default="../shared/data", type=Path)
    parser.add_argument("--splits", type=int, default=50)
    parser.add_argument("--kernel", choices=["linear", "rbf"], nargs="*", default=["linear", "rbf"])
    parser.add_argument("--sets", nargs="*", default=[*BINS, *CLASSES])
    options = parser.parse_args()
    print("Each figure ours (paper's); evidences on the training two thirds.")
    for kernel in options.kernel:
        side = kernel == "rbf"
        for name in options.sets:
            X, codes, levels = load(options.data, name)
            runs = [one_split(X, codes, levels, kernel, seed) for seed in range(options.splits)]
            mean = pd.DataFrame(runs).mean()
            paper = PAPER[name.removesuffix(ROW_NUMBER)]
            tau = ""
            if name in BINS:
                tau = f"tau {mean.tau:.3f} ({PAPER_TAU[name][side]:.3f}) fast {mean.tau_fast:.3f}  "
            print(
                f"{kernel:6} {name:14} {tau}"
                f"TLL OR {mean.tll_or:.3f} ({paper[side]:.3f}) MC {mean.tll_mc:.3f} "
                f"({paper[2 + side]:.3f})  AME OR {mean.ame_or:.1f} ({paper[4 + side]:.1f}) "
                f"MC {mean.ame_mc:.1f} ({paper[6 + side]:.1f})  "
                f"fast - paper {mean.gap_fast:+.2f} nats, CPU {mean.cpu:.2f} s, "
                f"{mean.cpu_ratio:.0f} times the fast way's",
                flush=True,
            )


if __name__ == "__main__":
    main()
