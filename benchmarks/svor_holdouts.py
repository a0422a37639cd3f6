"""Kernel models on ORCA's hold-outs, beside skordinal where it is installed.

usage: python benchmarks/svor_holdouts.py [DATA] [--holdouts N]

Features are standardised on the training rows; the kernel is Gaussian. C and gamma are chosen for
each model by 3-fold cross-validation on the first hold-out's training rows, by mean absolute error,
and held for the others; so is C1 of NPSVOR, equal to C2 or a tenth of it, as its authors tune both.
Times are CPU seconds a fit, medians.
"""

from __future__ import annotations

import argparse
import time
import warnings
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import GridSearchCV, StratifiedKFold
from sklearn.preprocessing import StandardScaler

from autotype.models.kernel_npsvor import NPSVOR
from autotype.models.svor import SVOR

SETS = (
    "toy",
    "tae",
    "pasture",
    "contact-lenses",
    "pyrim10",
    "balance-scale",
    "melanoma-fs",
    "ERA",
    "car",
    "winequality-red",
)
COSTS, GAMMAS = (0.1, 1.0, 10.0, 100.0), (0.01, 0.1, 1.0)


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", nargs="?", default="../shared/data")
    parser.add_argument("--holdouts", type=int, default=30)
    parser.add_argument("--sets", nargs="*", default=SETS)
    options = parser.parse_args(argv)
    folder = Path(options.data) / "papers" / "orca_holdout"
    warnings.simplefilter("ignore")  # skordinal's and rare levels'; our own are counted
    print(f"{'set':16}{'model':24}{'MZE':>7}{'MAE':>7}{'s a fit':>9}  parameters")
    for name in options.sets:
        for label, model in models().items():
            report(name, label, model, folder, options.holdouts)
    return 0


def models() -> dict:
    """Fresh estimators, ours and the peer's."""
    found = {
        "SVOR implicit": SVOR(max_iter=300_000),
        "SVOR explicit": SVOR(constraints="explicit", max_iter=300_000),
        "NPSVOR": NPSVOR(),
    }
    try:
        from skordinal import classifiers as peer
    except ImportError:
        print("skordinal is not installed: ours alone")
        return found
    return found | {
        "skordinal SVOR": peer.SVOR(kernel="rbf"),
        "skordinal REDSVM": peer.REDSVM(kernel="rbf"),
    }


def report(name: str, label: str, model, folder: Path, n_holdouts: int) -> None:
    frame = pd.read_csv(folder / f"{name}.csv")
    X, y = frame.drop(columns="target").to_numpy(float), frame["target"].to_numpy()
    folds = pd.read_csv(folder / f"{name}.folds.csv")["test_rows"].head(n_holdouts)
    rows, times, stopped = [], [], 0  # errors and CPU seconds of each hold-out
    best: dict = {}
    for text in folds:
        test = np.zeros(len(y), dtype=bool)
        test[np.array(text.split(), dtype=int)] = True
        scaler = StandardScaler().fit(X[~test])
        train, held_out = scaler.transform(X[~test]), scaler.transform(X[test])
        best = best or choose(model, train, y[~test])
        model.set_params(**best)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            start = time.process_time()
            model.fit(train, y[~test])
            times.append(time.process_time() - start)
        stopped += any(issubclass(w.category, ConvergenceWarning) for w in caught)
        difference = model.predict(held_out) - y[test]
        rows.append((np.mean(difference != 0), np.mean(np.abs(difference))))
    zero_one, absolute = np.mean(rows, axis=0)
    told = f"  ({stopped} of {len(rows)} not converged)" if stopped else ""
    chosen = ", ".join(f"{key} {value:g}" for key, value in best.items())
    print(
        f"{name:16}{label:24}{zero_one:7.3f}{absolute:7.3f}{np.median(times):9.4f}  {chosen}{told}",
        flush=True,
    )


def choose(model, X: np.ndarray, y: np.ndarray) -> dict:
    """Choose the costs and gamma by cross-validation."""
    grid: list[dict] = [{"C": COSTS, "gamma": GAMMAS}]
    if isinstance(model, NPSVOR):
        grid += [{"C1": [C / 10], "C2": [C], "gamma": GAMMAS} for C in COSTS]
    cv = StratifiedKFold(3, shuffle=True, random_state=0)
    search = GridSearchCV(model, grid, cv=cv, scoring="neg_mean_absolute_error", refit=False)
    return search.fit(X, y).best_params_


if __name__ == "__main__":
    raise SystemExit(main())
