"""GPOrdinalClassifier on few rows: without its prior, with it, and mord's LogisticAT.

usage: python benchmarks/gp_few_rows.py [DATA] [--sets NAME ...] [--rows N ...] [--draws N]
           [--kernels NAME ...] [--links NAME ...] [--inference laplace|ep] [--strengths K ...]

Stratified draws of 12, 18, 30, 60 and 120 training rows of the sets of `gp_accuracy.py` and of
eight simulated ones, at most 300 test rows each; Contact lenses, on which no choice was made, is in
`gp_link.py`. Columns: mean over the sets without the prior, then the paired differences of each
strength of `share_prior` from that, and of the first strength from the peer (logistic, linear),
± the standard error over the sets. "mae" is that of `predict`, "median" that of this decision. The
default is a quick run; the tables of the documentation have `--draws 10`.
"""

from __future__ import annotations

import argparse
import os
import sys
import warnings
from collections.abc import Iterator, Sequence
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np
import pandas as pd
from gp_accuracy import Model, classifier, scores
from gp_link import peer_model
from labelled_columns import data_folder
from ordinal_partitions import Partition, chosen_sets, ordinal_set, partition, set_names

from autotype.models import GPOrdinalClassifier

FIGURES = ("nll", "zero-one", "mae", "median")
MOST_TEST_ROWS = 300
HELD_OUT = "contact-lenses"
# Features, levels, standard deviation of the latent function in units of the noise, and its kind.
SIMULATED = {
    "linear, 3 features": (3, 3, 1.5, "linear"),
    "linear, 8 features": (8, 5, 1.0, "linear"),
    "linear, weak": (5, 3, 0.3, "linear"),
    "linear, sharp": (4, 4, 8.0, "linear"),
    "binary features": (6, 3, 2.0, "binary"),
    "no effect": (4, 3, 0.0, "linear"),
    "smooth, 2 features": (2, 4, 3.0, "smooth"),
    "smooth, 4 features": (4, 5, 3.0, "smooth"),
}


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", nargs="?", default="../shared/data")
    parser.add_argument("--sets", nargs="+", help="names or families; 'simulated' is one, too")
    parser.add_argument("--rows", nargs="+", type=int, default=[12, 18, 30, 60, 120])
    parser.add_argument("--draws", type=int, default=1)
    parser.add_argument("--kernels", nargs="+", default=["linear", "rbf"])
    parser.add_argument("--links", nargs="+", default=["probit", "logit"])
    parser.add_argument("--inference", default="laplace", choices=["laplace", "ep"])
    parser.add_argument("--strengths", nargs="+", type=float, default=[2.0])
    options = parser.parse_args(argv)
    data = data_folder(options.data)
    names = chosen_names(data, options.sets)
    peer = peer_model()
    warnings.simplefilter("ignore")  # after the peers' own filters
    runs = pd.DataFrame(list(all_runs(data, names, options, peer)))
    for (kernel, link), part in runs.groupby(["kernel", "link"], sort=False):
        print(f"\n{kernel}, {link}, {options.inference}: {part['set'].nunique()} sets\n")
        print(table(part, options.strengths))
    return 0


def chosen_names(data: Path, names: Sequence[str] | None) -> list[str]:
    """Names of the sets chosen, or of all but the one held out, one number of bins for each."""
    families = set_names(data)
    if names:
        real = chosen_sets(data, [name for name in names if name not in ("simulated", *SIMULATED)])
        simulated = SIMULATED if "simulated" in names else [n for n in SIMULATED if n in names]
        return [*real, *simulated]
    real = [name for family in families.values() for name in family]
    return [n for n in real if n != HELD_OUT and not n.endswith("-10")] + list(SIMULATED)


def all_runs(
    data: Path, names: Sequence[str], options: argparse.Namespace, peer: Model | None
) -> Iterator[dict]:
    """Figures of every model on every draw."""
    for name in names:
        X, y = simulated_set(name) if name in SIMULATED else ordinal_set(data, name, 0)[:2]
        for rows in options.rows:
            if len(y) < 1.3 * rows:
                continue
            for draw in range(options.draws):
                part = drawn(X, y, rows, np.random.default_rng([draw, rows, sum(map(ord, name))]))
                at = {"set": name, "rows": rows, "draw": draw}
                by_peer = scores(peer, part) if peer is not None else dict.fromkeys(FIGURES, np.nan)
                for kernel in options.kernels:
                    for link in options.links:
                        at = {**at, "kernel": kernel, "link": link}
                        for strength in (0.0, *options.strengths):
                            model = classifier(
                                GPOrdinalClassifier,
                                kernel=kernel,
                                link=link,
                                inference=options.inference,
                                share_prior=strength,
                            )
                            yield {**at, "model": strength, **scores(model, part)}
                        yield {**at, "model": "peer", **by_peer}


def simulated_set(name: str, size: int = 600) -> tuple[np.ndarray, np.ndarray]:
    """Features and ranks, cut at random shares of the latent values."""
    n_features, n_levels, effect, kind = SIMULATED[name]
    rng = np.random.default_rng(list(SIMULATED).index(name))
    X = rng.normal(size=(size, n_features))
    if kind == "binary":
        X = (X > 0).astype(float)
    if kind == "smooth":
        distances = ((X[:, None] - X[None]) ** 2).mean(axis=-1)
        K = np.exp(-0.5 * distances) + 1e-8 * np.eye(size)
        f = np.linalg.cholesky(K) @ rng.normal(size=size)
    else:
        f = X @ rng.normal(size=n_features)
    latent = effect * f / f.std() + rng.normal(size=size)
    shares = np.cumsum(rng.dirichlet(np.full(n_levels, 4.0)))
    return X, np.digitize(latent, np.quantile(latent, shares[:-1]))


def drawn(X: np.ndarray, y: np.ndarray, size: int, rng: np.random.Generator) -> Partition:
    """Draw training rows, every level in its share and with a row where there is room for it."""
    order = rng.permutation(len(y))
    train: list[int] = []
    counts = np.bincount(y)
    least = 1 if size >= 2 * np.count_nonzero(counts) else 0
    for level in np.flatnonzero(counts):
        share = max(least, int(counts[level] / len(y) * size))
        train.extend(order[y[order] == level][:share])
    others = order[~np.isin(order, train)]
    missing = max(0, size - len(train))
    train.extend(others[:missing])
    return partition(X, y, np.array(train), others[missing:][:MOST_TEST_ROWS])


def table(runs: pd.DataFrame, strengths: Sequence[float]) -> str:
    """One line a figure and number of rows, as Markdown."""
    heads = ["rows", "figure", "no prior", *(f"prior {k:g} less none" for k in strengths)]
    heads.append(f"prior {strengths[0]:g} less mord")
    lines = ["| " + " | ".join(heads) + " |", "| --- " * len(heads) + "|"]
    for rows, part in runs.groupby("rows"):
        for figure in FIGURES:
            means = part.pivot_table(index="set", columns="model", values=figure, dropna=False)
            cells = [f"{means[0.0].mean():.3f}"]
            cells += [difference(means[k] - means[0.0]) for k in strengths]
            cells.append(difference(means[strengths[0]] - means["peer"]))
            lines.append(f"| {rows} | {figure} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def difference(values: pd.Series) -> str:
    """Mean and its standard error, as text."""
    return f"{values.mean():+.3f} ± {values.sem():.3f}"


if __name__ == "__main__":
    sys.exit(main())
