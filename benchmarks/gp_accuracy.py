"""Zero-one error, MAE and NLL of ordinal models on the same partitions, in one table.

usage: python benchmarks/gp_accuracy.py [DATA] [--sets NAME ...] [--only MODEL ...] [--partitions N]

The data are `papers/orca_holdout` (given hold-outs) and `papers/gp_ordinal` (drawn at the GP
paper's sizes). NAME is a set or a family: orca, small, large, ranked. Features are standardised on
the training part. "mae" is that of `predict`, "median" and "mean" that of these decisions on the
model's probabilities. A model that cannot be fitted gets a dash, and the reason below the table.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np
import pandas as pd
from labelled_columns import data_folder
from ordinal_partitions import Partition, chosen_sets, partitions
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF, ConstantKernel, WhiteKernel

from autotype.models import SVOR, GPOrdinalClassifier
from autotype.models.decisions import decide_ranks

# Training rows, dense ranks, test rows -> predicted dense ranks, and probabilities where there are.
Model = Callable[[np.ndarray, np.ndarray, np.ndarray], tuple[np.ndarray, np.ndarray | None]]
FIGURES = ("zero-one", "mae", "median", "mean", "nll", "CPU s")
_LEAST_PROBABILITY = 1e-15


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", nargs="?", default="../shared/data")
    parser.add_argument("--sets", nargs="+", default=["orca"])
    parser.add_argument("--only", nargs="+", help="models, by their names or a part of them")
    parser.add_argument("--partitions", type=int, default=20)
    options = parser.parse_args(argv)
    data = data_folder(options.data)
    models = chosen(available_models(), options.only)
    warnings.simplefilter("ignore")  # after the peers' own filters
    print(f"{'set':20}{'model':20}" + "".join(f"{figure:>10}" for figure in FIGURES))
    for name in chosen_sets(data, options.sets):
        report(data, name, models, options.partitions)
    return 0


def chosen(models: dict[str, Model], names: Sequence[str] | None) -> dict[str, Model]:
    """Models of the names given, or whose names hold them."""
    if not names:
        return models
    exact = set(names) & set(models)
    parts = [name.lower() for name in names if name not in exact]
    return {
        name: model
        for name, model in models.items()
        if name in exact or any(part in name.lower() for part in parts)
    }


def report(data: Path, name: str, models: dict[str, Model], count: int) -> None:
    """Print the block of one set: means over the partitions that could be fitted."""
    reasons = []
    for model, fit_predict in models.items():
        runs, trouble = [], ""
        n_parts = 0
        for part in partitions(data, name, count):
            n_parts += 1
            try:
                runs.append(scores(fit_predict, part))
            except Exception as error:  # a peer may fail in any way
                trouble = f"{type(error).__name__}: {str(error).splitlines()[0][:90]}"
        if trouble:
            failed = n_parts - len(runs)
            reasons.append(f"  {model}: {failed} of {n_parts} partitions, {trouble}")
        means = pd.DataFrame(runs, columns=FIGURES).mean()
        cells = ["-" if np.isnan(means[figure]) else f"{means[figure]:.3f}" for figure in FIGURES]
        print(f"{name:20}{model:20}" + "".join(f"{cell:>10}" for cell in cells), flush=True)
    for reason in reasons:
        print(reason, flush=True)


def scores(fit_predict: Model, part: Partition) -> dict[str, float]:
    X, y, test_X, test_y, n_levels = part
    observed, dense = np.unique(y, return_inverse=True)
    start = time.process_time()
    predicted, by_rank = fit_predict(X, dense, test_X)
    seconds = time.process_time() - start
    nll, decided = np.nan, {}
    if by_rank is not None:
        probabilities = np.zeros((len(test_X), n_levels))
        probabilities[:, observed] = by_rank
        own = probabilities[np.arange(len(test_y)), test_y]
        # A level that training never saw counts against no model: it is no model's to predict.
        own = own[np.isin(test_y, observed)]
        nll = -np.log(np.maximum(own, _LEAST_PROBABILITY)).mean()
        for name in ("median", "mean"):
            decided[name] = np.abs(decide_ranks(probabilities, name) - test_y).mean()
    difference = observed[predicted] - test_y
    return {
        "zero-one": np.mean(difference != 0),
        "mae": np.abs(difference).mean(),
        "nll": nll,
        "CPU s": seconds,
        **decided,
    }


def available_models() -> dict[str, Model]:
    models: dict[str, Model] = {
        "GP Laplace": classifier(GPOrdinalClassifier),
        "GP EP": classifier(GPOrdinalClassifier, inference="ep"),
        "GP Laplace ARD": classifier(GPOrdinalClassifier, kernel="ard-rbf"),
        "GP Laplace linear": classifier(GPOrdinalClassifier, kernel="linear"),
        "SVOR C=10": classifier(SVOR, C=10.0),
        "GPR rounded": rounded_regression,
    }
    try:
        from skordinal.classifiers import POM, REDSVM
        from skordinal.classifiers import SVOR as PEER_SVOR

        models["skordinal POM"] = classifier(POM)
        models["skordinal REDSVM"] = classifier(REDSVM, C=10.0)
        models["skordinal SVOR"] = classifier(PEER_SVOR, C=10.0)
    except ImportError:
        print("skordinal is not installed: left out", file=sys.stderr)
    try:
        from mord import LogisticAT

        models["mord LogisticAT"] = classifier(LogisticAT)
    except ImportError:
        print("mord is not installed: left out", file=sys.stderr)
    try:
        from statsmodels.miscmodels.ordinal_model import OrderedModel

        models["statsmodels logit"] = ordered_model(OrderedModel)
    except ImportError:
        print("statsmodels is not installed: left out", file=sys.stderr)
    return models


def classifier(estimator: type, **options) -> Model:
    def fit_predict(X, y, test_X):
        model = estimator(**options).fit(X, y)
        has = hasattr(model, "predict_proba")
        return np.asarray(model.predict(test_X)), model.predict_proba(test_X) if has else None

    return fit_predict


def rounded_regression(X, y, test_X):
    kernel = ConstantKernel() * RBF() + WhiteKernel()
    mean = GaussianProcessRegressor(kernel, normalize_y=True).fit(X, y).predict(test_X)
    return np.clip(np.rint(mean), 0, y.max()).astype(int), None


def ordered_model(model: type) -> Model:
    def fit_predict(X, y, test_X):
        ranks = pd.Series(pd.Categorical(y, ordered=True))
        fitted = model(ranks, X, distr="logit").fit(method="bfgs", disp=False)
        probabilities = np.asarray(fitted.predict(test_X))
        if not np.isfinite(probabilities).all():
            raise ValueError("probabilities are not finite")
        return probabilities.argmax(axis=1), probabilities

    return fit_predict


if __name__ == "__main__":
    sys.exit(main())
