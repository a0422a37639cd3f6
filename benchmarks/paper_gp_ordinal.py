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
from ordinal_partitions import LARGE, partitions, set_names
from scipy.spatial.distance import cdist
from scipy.stats import ranksums
from sklearn.model_selection import StratifiedKFold

from autotype import SVOR, GPOrdinalClassifier

SIGNIFICANCE = 0.01
SMALL_RUN = ("diabetes-5", "pyrimidines-5", "bank_1", "bank_2")
# Nodes of (log10 C, log10 kappa): a coarse grid, then a fine one around its best node.
COARSE = np.arange(-3.0, 3.5)
FINE = np.arange(-0.8, 0.9, 0.2)
FOLDS = 5


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", nargs="?", default="../shared/data")
    parser.add_argument("--sets", nargs="*", default=SMALL_RUN, help="sets, or small and large")
    parser.add_argument("--partitions", type=int, default=5)
    parser.add_argument("--figures", nargs="*", type=int, choices=sorted(FIGURES), default=[])
    parser.add_argument("--folder", type=Path, default=Path(), help="where the figures go")
    parser.add_argument("--repeats", type=int, default=5, help="random splits of figures 4 and 5")
    options = parser.parse_args(argv)
    warnings.simplefilter("ignore")
    if options.sets:
        data = data_folder(options.data)
        families = set_names(data)
        names = [name for given in options.sets for name in families.get(given, [given])]
        print("| set | figure | " + " | ".join(models_of(large=True)) + " |\n|---|" + "---|" * 5)
        for name in names:
            print("\n".join(rows_of(data, name, options.partitions)), flush=True)
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
        "MAP": classifier(GPOrdinalClassifier),
        "EP": classifier(GPOrdinalClassifier, inference="ep", evidence="variational"),
    }


def rows_of(data: Path, name: str, count: int) -> list[str]:
    """Rows of one set: mean and standard deviation over the partitions, marked."""
    large = name in LARGE
    models = models_of(large=large)
    runs = {model: [] for model in models}
    for part in partitions(data, name, count):
        for model, fit_predict in models.items():
            runs[model].append(scores(fit_predict, part))
    tables = {model: pd.DataFrame(rows) for model, rows in runs.items()}
    figures = ("zero-one", "mae", "nll") if large else ("zero-one", "mae")
    lines = []
    for figure in figures:
        columns = {m: t[figure].to_numpy() for m, t in tables.items() if t[figure].notna().all()}
        best = min(columns, key=lambda model: columns[model].mean())
        cells = [marked(columns.get(model), columns[best]) for model in models_of(large=True)]
        lines.append(f"| {name} | {figure} | " + " | ".join(cells) + " |")
    return lines


def marked(own: np.ndarray | None, best: np.ndarray) -> str:
    """Mean and deviation: bold where they are the best, with a star where they are worse."""
    if own is None:
        return "-"
    text = f"{own.mean():.3f} ± {own.std(ddof=1) if len(own) > 1 else 0:.3f}"
    if own is best:
        return f"**{text}**"
    return text + " ⋆" * bool(ranksums(own, best, alternative="greater").pvalue < SIGNIFICANCE)


def cross_validated_svm(X, y, test_X):
    """SVOR with explicit constraints; C and kappa by 5-fold mean absolute error, then zero-one."""
    square = cdist(X, X, "sqeuclidean")
    folds = StratifiedKFold(FOLDS, shuffle=True, random_state=0)
    splits = list(folds.split(X, y))

    def error(node: tuple[float, float]) -> tuple[float, float]:
        C, kappa = 10.0 ** np.array(node)
        K = np.exp(-0.5 * kappa * square)
        off = np.empty(len(y))
        for train, test in splits:
            model = SVOR(C, constraints="explicit", kernel="precomputed", tol=1e-2)
            model.fit(K[np.ix_(train, train)], y[train])
            off[test] = np.abs(model.predict(K[np.ix_(test, train)]) - y[test])
        return off.mean(), np.mean(off > 0)

    centre = min(product(COARSE, COARSE), key=error)
    node = min(((centre[0] + c, centre[1] + k) for c, k in product(FINE, FINE)), key=error)
    C, kappa = 10.0 ** np.array(node)
    model = SVOR(C, constraints="explicit", kernel="rbf", gamma=0.5 * kappa).fit(X, y)
    return np.asarray(model.predict(test_X)), None


if __name__ == "__main__":
    sys.exit(main())
