"""Kernel models on ORCA's hold-outs, next to skordinal where it is installed.

usage: python benchmarks/svor_holdouts.py [DATA] [--sets NAME ...] [--holdouts N] [--forms]

Features are standardised on the training rows; the kernel is Gaussian. Each model's own parameters
are chosen in each hold-out by 3-fold cross-validation on its training rows, by mean absolute error:
C and gamma, and for NPSVOR the tube's epsilon and C1, equal to C2 or a tenth of it, as its authors
tune them. The paired difference is that of the MAE from the first model's, with its standard error
over the hold-outs. Times are CPU seconds a fit, medians. `--forms` compares forms of NPSVOR with
implicit SVOR instead: what is chosen, and the predictor.
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

from autotype.models.svm.kernel_svm import NPSVOR, SVOR

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
COSTS, GAMMAS, EPSILONS = (0.1, 1.0, 10.0, 100.0), (0.01, 0.1, 1.0), (0.01, 0.1, 0.3)


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", nargs="?", default="../shared/data")
    parser.add_argument("--holdouts", type=int, default=30)
    parser.add_argument("--sets", nargs="*", default=SETS)
    parser.add_argument("--forms", action="store_true")
    options = parser.parse_args(argv)
    folder = Path(options.data) / "papers" / "orca_holdout"
    if not folder.is_dir():
        parser.error(f"{folder} is missing; pass the data folder as the first argument")
    warnings.simplefilter("ignore")  # skordinal's and rare levels'; our own are counted
    print(f"{'set':16}{'model':22}{'MZE':>7}{'MAE':>7}{'paired difference':>19}{'s a fit':>9}")
    for name in options.sets:
        base = None
        for label, (model, grid) in (forms() if options.forms else models()).items():
            zero_one, absolute, seconds, stopped = hold_out(
                name, model, grid, folder, options.holdouts
            )
            base = absolute if base is None else base
            difference = absolute - base
            error = difference.std(ddof=1) / np.sqrt(len(difference)) if len(difference) > 1 else 0
            note = f"  ({stopped} of {len(absolute)} not converged)" if stopped else ""
            print(
                f"{name:16}{label:22}{zero_one.mean():7.3f}{absolute.mean():7.3f}"
                f"{difference.mean():10.4f} +-{error:6.4f}{np.median(seconds):9.4f}{note}",
                flush=True,
            )
    return 0


def models() -> dict:
    """Estimators, the peer's and ours, each with the grid its parameters are chosen from."""
    common = [{"C": COSTS, "gamma": GAMMAS}]
    ours = {
        "SVOR implicit": (SVOR(max_iter=300_000), common),
        "SVOR explicit": (SVOR(constraints="explicit", max_iter=300_000), common),
        "NPSVOR": (NPSVOR(), npsvor_grid(EPSILONS, (1.0, 0.1))),
    }
    try:
        from skordinal import classifiers as peer
    except ImportError:
        print("skordinal is not installed: ours alone")
        return ours
    theirs = {
        "skordinal SVOR": (peer.SVOR(kernel="rbf"), common),
        "skordinal REDSVM": (peer.REDSVM(kernel="rbf"), common),
    }
    return theirs | ours


def forms() -> dict:
    """Implicit SVOR, and NPSVOR with more or less of it chosen, with their grids."""
    both = npsvor_grid(EPSILONS, (1.0, 0.1))
    return {
        "SVOR implicit": models()["SVOR implicit"],
        "eps 0": (NPSVOR(), npsvor_grid((0.0,), (1.0,))),
        "eps 0.1": (NPSVOR(), npsvor_grid((0.1,), (1.0,))),
        "eps 0.6": (NPSVOR(), npsvor_grid((0.6,), (1.0,))),
        "eps chosen": (NPSVOR(), npsvor_grid((0.0, 0.1, 0.3, 0.6), (1.0,))),
        "eps 0.1, C1 chosen": (NPSVOR(), npsvor_grid((0.1,), (1.0, 0.1))),
        "eps, C1 chosen": (NPSVOR(), both),
        "eps, C1 chosen, (5)": (NPSVOR(predictor="nearest"), both),
    }


def npsvor_grid(epsilons: Sequence[float], shares: Sequence[float]) -> list[dict]:
    """Build a grid over C2, gamma, epsilon, and C1 as a share of C2."""
    return [
        {"C1": [C * share], "C2": [C], "gamma": GAMMAS, "epsilon": epsilons}
        for C in COSTS
        for share in shares
    ]


def hold_out(
    name: str, model, grid: list[dict], folder: Path, n_holdouts: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray, int]:
    """Zero-one error, MAE and CPU seconds of each hold-out; how many fits did not converge."""
    frame = pd.read_csv(folder / f"{name}.csv")
    X, y = frame.drop(columns="target").to_numpy(float), frame["target"].to_numpy()
    folds = pd.read_csv(folder / f"{name}.folds.csv")["test_rows"].head(n_holdouts)
    rows, stopped = [], 0
    for text in folds:
        test = np.zeros(len(y), dtype=bool)
        test[np.array(text.split(), dtype=int)] = True
        scaler = StandardScaler().fit(X[~test])
        train, held_out = scaler.transform(X[~test]), scaler.transform(X[test])
        model.set_params(**choose(model, grid, train, y[~test]))
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            start = time.process_time()
            model.fit(train, y[~test])
            seconds = time.process_time() - start
        stopped += any(issubclass(w.category, ConvergenceWarning) for w in caught)
        difference = model.predict(held_out) - y[test]
        rows.append((np.mean(difference != 0), np.mean(np.abs(difference)), seconds))
    zero_one, absolute, times = np.array(rows).T
    return zero_one, absolute, times, stopped


def choose(model, grid: list[dict], X: np.ndarray, y: np.ndarray) -> dict:
    """Choose a model's parameters by cross-validation."""
    cv = StratifiedKFold(3, shuffle=True, random_state=0)
    search = GridSearchCV(model, grid, cv=cv, scoring="neg_mean_absolute_error", refit=False)
    return search.fit(X, y).best_params_


if __name__ == "__main__":
    raise SystemExit(main())
