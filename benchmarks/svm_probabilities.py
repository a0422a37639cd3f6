"""Probabilities of the support-vector classifiers: our calibration next to scikit-learn's.

usage: python benchmarks/svm_probabilities.py [DATA] [--sets NAME ...] [--only MODEL ...]
       [--partitions N]

Each classifier is calibrated by `CalibratedOrdinalClassifier` and by scikit-learn's
`CalibratedClassifierCV` (sigmoid, isotonic, temperature), on the same five folds and with one fit
to all rows. The partitions are those of gp_accuracy.py. NLL and Brier score count the levels that
training shows; "predict" is the MAE of the classifier itself, "median" that of the probabilities'
median. A dash: not fitted, since a level has fewer rows than there are folds.
"""

from __future__ import annotations

import argparse
import os
import sys
import warnings
from collections.abc import Sequence
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np
import pandas as pd
from labelled_columns import data_folder
from ordinal_partitions import Partition, chosen_sets, partitions
from sklearn.base import ClassifierMixin, clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.model_selection import StratifiedKFold

from autotype.models import NPSVOR, SVOR, CalibratedOrdinalClassifier, LinearNPSVOR, LinearRedSVM
from autotype.models.decisions import decide_ranks

MODELS = {
    "SVOR": SVOR(C=10),
    "NPSVOR": NPSVOR(C=10),
    "LinearRedSVM": LinearRedSVM(),
    "LinearNPSVOR": LinearNPSVOR(),
}
PEERS = ("sigmoid", "isotonic", "temperature")
FIGURES = ("nll", "brier", "predict", "median")
_LEAST_PROBABILITY = 1e-15


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", nargs="?", default="../shared/data")
    parser.add_argument("--sets", nargs="+", default=["tae", "toy", "balance-scale", "pasture"])
    parser.add_argument("--only", nargs="+", choices=MODELS, default=list(MODELS))
    parser.add_argument("--partitions", type=int, default=5)
    options = parser.parse_args(argv)
    data = data_folder(options.data)
    warnings.simplefilter("ignore")  # of rare levels, and of what has not converged
    print(f"{'set':20}{'model':14}{'calibration':14}" + "".join(f"{f:>9}" for f in FIGURES))
    for name in chosen_sets(data, options.sets):
        for model in options.only:
            report(data, name, model, options.partitions)
    return 0


def report(data: Path, name: str, model: str, count: int) -> None:
    """Print the block of one set and model: means over the partitions, and paired differences."""
    runs: dict[str, list[dict[str, float]]] = {"ours": [], **{peer: [] for peer in PEERS}}
    for part in partitions(data, name, count):
        for calibration, found in scores(MODELS[model], part).items():
            runs[calibration].append(found)
    ours = pd.DataFrame(runs["ours"])
    for calibration, rows in runs.items():
        table = pd.DataFrame(rows, columns=FIGURES)
        cells = ["-" if np.isnan(v) else f"{v:.3f}" for v in table.mean()]
        line = f"{name:20}{model:14}{calibration:14}" + "".join(f"{cell:>9}" for cell in cells)
        gain = (table["nll"] - ours["nll"]).dropna()
        if calibration != "ours" and len(gain) > 1:
            error = gain.std(ddof=1) / np.sqrt(len(gain))
            line += f"   NLL less ours {gain.mean():+.3f} +- {error:.3f}"
        print(line, flush=True)


def scores(model: ClassifierMixin, part: Partition) -> dict[str, dict[str, float]]:
    X, y, test_X, test_y, n_levels = part
    observed = np.unique(y)
    known = np.isin(test_y, observed)
    folds = StratifiedKFold(5, shuffle=True, random_state=0)
    fitted = {"ours": CalibratedOrdinalClassifier(clone(model), cv=folds).fit(X, y)}
    plain = fitted["ours"].estimator_.predict(test_X)
    for method in PEERS:
        peer = CalibratedClassifierCV(clone(model), method=method, cv=folds, ensemble=False)
        try:
            fitted[method] = peer.fit(X, y)
        except ValueError:  # "requesting 5-fold ... but class [1] has less than 5 examples"
            fitted[method] = None
    found = {}
    for calibration, calibrated in fitted.items():
        if calibrated is None:
            found[calibration] = dict.fromkeys(FIGURES, np.nan)
            continue
        probabilities = np.zeros((len(test_X), n_levels))
        probabilities[:, calibrated.classes_] = calibrated.predict_proba(test_X)
        own = probabilities[np.arange(len(test_y)), test_y][known]
        squares = ((probabilities - np.eye(n_levels)[test_y]) ** 2).sum(axis=1)
        found[calibration] = {
            "nll": -np.log(np.maximum(own, _LEAST_PROBABILITY)).mean(),
            "brier": squares[known].mean(),
            "predict": np.abs(plain - test_y).mean(),
            "median": np.abs(decide_ranks(probabilities, "median") - test_y).mean(),
        }
    return found


if __name__ == "__main__":
    sys.exit(main())
