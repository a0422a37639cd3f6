"""Reproduce "Gaussian processes for ordinal regression" (Chu and Ghahramani 2005): one command.

    python benchmarks/paper_gp_ordinal.py ../shared/data
    python benchmarks/paper_gp_ordinal.py ../shared/data --sets small large --partitions 20
    python benchmarks/paper_gp_ordinal.py --sets --figures 3 4 5 --folder docs/papers

Tables 2-4: zero-one and mean absolute error of cross-validated SVM, MAP (Laplace) and EP on random
partitions of the paper's sizes, with GP regression and NLL for the large sets; the lowest in bold,
a star where a Wilcoxon rank sum test finds an entry worse than it at p < 0.01. Figures 3-5 are
drawn on generated data, since the paper's are not to be had. By default four small sets.
"""

from __future__ import annotations

import argparse
import os
import sys
import warnings
from collections.abc import Sequence
from itertools import product
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np
import pandas as pd
from gp_accuracy import Model, classifier, rounded_regression, scores
from gp_ordinal_figures import FIGURES
from labelled_columns import data_folder
from ordinal_partitions import LARGE, chosen_sets, partitions
from scipy.spatial.distance import cdist
from scipy.stats import ranksums, wilcoxon
from sklearn.model_selection import StratifiedKFold
from variational_bound import VariationalClassifier

from autotype.models import SVOR, GPOrdinalClassifier

SIGNIFICANCE = 0.01
SMALL_RUN = ("diabetes-5", "pyrimidines-5", "bank_1", "bank_2")
# Nodes of (log10 C, log10 kappa): a coarse grid, then a fine one around its best node.
COARSE = np.arange(-3.0, 3.5)
FINE = np.arange(-0.8, 0.9, 0.2)
FOLDS = 5
COLUMNS = ("set", "partition", "model", "zero-one", "mae", "nll")


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", nargs="?", default="../shared/data")
    parser.add_argument("--sets", nargs="*", default=SMALL_RUN, help="sets, or small and large")
    parser.add_argument("--partitions", type=int, default=5)
    parser.add_argument("--runs", type=Path, help="CSV file of finished runs, read and extended")
    parser.add_argument("--figures", nargs="*", type=int, choices=sorted(FIGURES), default=[])
    parser.add_argument("--folder", type=Path, default=Path(), help="where the figures go")
    parser.add_argument("--repeats", type=int, default=5, help="random splits of figures 4 and 5")
    options = parser.parse_args(argv)
    warnings.simplefilter("ignore")
    if options.sets:
        data = data_folder(options.data)
        heads = ("set", "partitions", "figure", *models_of(large=True))
        print("| " + " | ".join(heads) + " |\n|" + "---|" * len(heads))
        for name in chosen_sets(data, options.sets):
            runs = runs_of(data, name, options.partitions, options.runs)
            print("\n".join(rows_of(name, runs)), flush=True)
    for figure in options.figures:
        path = options.folder / f"gp-ordinal-figure-{figure}.png"
        print("\n" + FIGURES[figure](path, options.repeats), flush=True)
    return 0


def models_of(*, large: bool) -> dict[str, Model]:
    """Models of Tables 2 and 3, and with GP regression those of Table 4."""
    models: dict[str, Model] = {"GPR": rounded_regression} if large else {}
    return {
        **models,
        "SVM": cross_validated_svm,
        "MAP": classifier(GPOrdinalClassifier, share_prior=0),
        "EP": classifier(VariationalClassifier, inference="ep", share_prior=0),
    }


def runs_of(data: Path, name: str, count: int, file: Path | None) -> pd.DataFrame:
    """Errors of every model on each partition of a set, without what the file already holds."""
    known = pd.read_csv(file) if file and file.exists() else pd.DataFrame(columns=COLUMNS)
    runs = known[(known["set"] == name) & (known["partition"] < count)].to_dict("records")
    done = {run["partition"] for run in runs}
    for number, part in enumerate(partitions(data, name, count)):
        if number in done:
            continue
        new = [
            {"set": name, "partition": number, "model": model, **scores(fit_predict, part)}
            for model, fit_predict in models_of(large=name in LARGE).items()
        ]
        if file:
            table = pd.DataFrame(new, columns=COLUMNS)
            table.to_csv(file, mode="a", header=not file.exists(), index=False)
        runs += new
    return pd.DataFrame(runs, columns=COLUMNS)


def rows_of(name: str, runs: pd.DataFrame) -> list[str]:
    """Rows of one set: mean and standard deviation over the partitions, marked."""
    lines = []
    for figure in ("zero-one", "mae", "nll") if name in LARGE else ("zero-one", "mae"):
        table = runs.pivot(index="partition", columns="model", values=figure).dropna(axis=1)
        best = table.mean().idxmin()
        cells = []
        for model in models_of(large=True):
            own = table[model].to_numpy() if model in table else None
            cells.append("-" if own is None else marked(own, table[best].to_numpy()))
            if model == best:
                cells[-1] = f"**{cells[-1]}**"
        lines.append(f"| {name} | {len(table)} | {figure} | " + " | ".join(cells) + " |")
    return lines


def marked(own: np.ndarray, best: np.ndarray) -> str:
    """Mean and deviation, with the marks of the tests that find them worse than the best ones.

    Both tests are one-sided: a star for the rank sum test, which is the paper's, and a dagger for
    the signed rank test, which uses that all models have the same partitions.
    """
    text = f"{own.mean():.3f} ± {own.std(ddof=1) if len(own) > 1 else 0:.3f}"
    if np.array_equal(own, best):
        return text
    star = ranksums(own, best, alternative="greater").pvalue < SIGNIFICANCE
    dagger = wilcoxon(own - best, alternative="greater").pvalue < SIGNIFICANCE
    return text + (" " + "⋆" * bool(star) + "†" * bool(dagger)) * bool(star or dagger)


def cross_validated_svm(X, y, test_X):
    """SVOR with explicit constraints; C and kappa by 5-fold mean absolute error, then zero-one."""
    square = cdist(X, X, "sqeuclidean")
    folds = StratifiedKFold(FOLDS, shuffle=True, random_state=0)
    splits = list(folds.split(X, y))
    centre = best_node(square, y, splits, COARSE, COARSE)
    node = best_node(square, y, splits, centre[0] + FINE, centre[1] + FINE)
    C, kappa = 10.0 ** np.array(node)
    model = SVOR(C, constraints="explicit", kernel="rbf", gamma=0.5 * kappa).fit(X, y)
    return np.asarray(model.predict(test_X)), None


def best_node(square, y, splits, costs, kappas) -> tuple[float, float]:
    """Find log10 C and log10 kappa of the least error; the first of equal ones, by C, then kappa.

    All costs share the kernel of a kappa, and the parts of it that a fold trains and tests on.
    """
    off = np.empty((len(costs), len(kappas), len(y)))
    for column, kappa in enumerate(kappas):
        K = np.exp(-0.5 * 10.0**kappa * square)
        for train, test in splits:
            within, across = K[np.ix_(train, train)], K[np.ix_(test, train)]
            for row, cost in enumerate(costs):
                model = SVOR(10.0**cost, constraints="explicit", kernel="precomputed", tol=1e-2)
                predicted = model.fit(within, y[train]).predict(across)
                off[row, column, test] = np.abs(predicted - y[test])
    nodes = list(product(range(len(costs)), range(len(kappas))))
    row, column = min(nodes, key=lambda node: (off[node].mean(), np.mean(off[node] > 0)))
    return costs[row], kappas[column]


if __name__ == "__main__":
    sys.exit(main())
