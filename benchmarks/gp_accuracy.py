"""Zero-one error, MAE and NLL of ordinal models on given partitions, in one table.

usage: python benchmarks/gp_accuracy.py [DATA] [--sets NAME ...] [--partitions N]

The data are `papers/orca_holdout`. Peers that are not installed (skordinal, mord, statsmodels) are
named and left out. Features are standardised on the training part.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np
import pandas as pd
from labelled_columns import data_folder
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF, ConstantKernel, WhiteKernel
from sklearn.preprocessing import StandardScaler

from autotype import GPOrdinalClassifier

Model = Callable[[np.ndarray, np.ndarray, np.ndarray, int], tuple[np.ndarray, np.ndarray | None]]
_LEAST_PROBABILITY = 1e-15


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", nargs="?", default="../shared/data")
    parser.add_argument("--sets", nargs="+")
    parser.add_argument("--partitions", type=int, default=5)
    options = parser.parse_args(argv)
    folder = data_folder(options.data) / "papers" / "orca_holdout"
    warnings.simplefilter("ignore")
    names = options.sets or sorted(p.name.split(".")[0] for p in folder.glob("*.folds.csv"))
    models = available_models()
    rows = {}
    for name in names:
        for model, fit_predict in models.items():
            parts = [
                scores(fit_predict, *part) for part in partitions(folder, name, options.partitions)
            ]
            rows[name, model] = pd.DataFrame(parts).mean()
    print(pd.DataFrame(rows).T.to_string(float_format="{:.3f}".format))
    return 0


def partitions(folder: Path, name: str, count: int) -> Iterator[tuple[np.ndarray, ...]]:
    """Training and test parts of the first hold-outs, ranks from 0."""
    (path,) = [p for p in folder.glob(f"{name}.csv*") if ".folds" not in p.name]
    table = pd.read_csv(path)
    X = table.iloc[:, :-1].to_numpy(dtype=float)
    y = pd.factorize(table.iloc[:, -1], sort=True)[0]
    folds = pd.read_csv(folder / f"{name}.folds.csv").iloc[:count, -1]
    for fold in folds:
        test = np.zeros(len(X), dtype=bool)
        test[read_rows(fold)] = True
        varies = X[~test].std(axis=0) > 0
        scaler = StandardScaler().fit(X[~test][:, varies])
        train_X, test_X = (scaler.transform(X[part][:, varies]) for part in (~test, test))
        yield train_X, y[~test], test_X, y[test]


def read_rows(cell: str) -> list[int]:
    """Row numbers of one hold-out, separated by blanks or commas, or as a JSON list."""
    text = str(cell)
    if text.startswith("["):
        return json.loads(text)
    return [int(part) for part in text.replace(",", " ").split()]


def scores(fit_predict: Model, X, y, test_X, test_y) -> dict[str, float]:
    start = time.process_time()
    predicted, probabilities = fit_predict(X, y, test_X, int(max(y.max(), test_y.max())) + 1)
    seconds = time.process_time() - start
    nll = np.nan
    if probabilities is not None:
        own = probabilities[np.arange(len(test_y)), test_y]
        nll = -np.log(np.maximum(own, _LEAST_PROBABILITY)).mean()
    return {
        "zero-one": np.mean(predicted != test_y),
        "mae": np.abs(predicted - test_y).mean(),
        "nll": nll,
        "CPU s": seconds,
    }


def available_models() -> dict[str, Model]:
    models: dict[str, Model] = {
        "GP Laplace": gp(inference="laplace"),
        "GP EP": gp(inference="ep"),
        "GP Laplace ARD": gp("ard-rbf"),
        "GPR rounded": rounded_regression,
    }
    try:
        from skordinal.classifiers import POM, REDSVM, SVOR

        models["skordinal POM"] = peer(POM)
        models["skordinal REDSVM"] = peer(REDSVM)
        models["skordinal SVOR"] = peer(SVOR)
    except ImportError:
        print("skordinal is not installed: left out", file=sys.stderr)
    try:
        from mord import LogisticAT

        models["mord LogisticAT"] = peer(LogisticAT)
    except ImportError:
        print("mord is not installed: left out", file=sys.stderr)
    return models


def gp(kernel: str = "rbf", **options) -> Model:
    def fit_predict(X, y, test_X, n_levels):
        model = GPOrdinalClassifier(kernel, classes=range(n_levels), **options).fit(X, y)
        return model.predict(test_X), model.predict_proba(test_X)

    return fit_predict


def rounded_regression(X, y, test_X, n_levels):
    kernel = ConstantKernel() * RBF() + WhiteKernel()
    mean = GaussianProcessRegressor(kernel, normalize_y=True).fit(X, y).predict(test_X)
    return np.clip(np.rint(mean), 0, n_levels - 1).astype(int), None


def peer(estimator: type) -> Model:
    def fit_predict(X, y, test_X, n_levels):
        model = estimator().fit(X, y)
        probabilities = None
        if hasattr(model, "predict_proba"):
            probabilities = np.zeros((len(test_X), n_levels))
            probabilities[:, np.unique(y)] = model.predict_proba(test_X)
        return np.asarray(model.predict(test_X)), probabilities

    return fit_predict


if __name__ == "__main__":
    sys.exit(main())
