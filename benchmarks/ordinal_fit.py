"""Compare `df.ordinal.fit` with the models that users would take for an ordinal column of a table.

Run: python benchmarks/ordinal_fit.py TABLE.csv TARGET LOWEST ... HIGHEST [--splits 2]
Needs skrub. A split holds 30% of the rows out. The scores are the ranked probability score, the
mean absolute error of the median in ranks, the calibration error of cumulative probabilities, and
for `fit` the proportion of rows whose level is in a range of coverage .9.
"""

from __future__ import annotations

import argparse
import time

import numpy as np
import pandas as pd
import skrub
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.linear_model import LogisticRegression

import autotype
from autotype import metrics

PEERS = {
    "hist-gb": HistGradientBoostingClassifier(random_state=0),
    "forest": RandomForestClassifier(300, random_state=0, min_samples_leaf=2),
    "logistic": LogisticRegression(max_iter=1000),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("table")
    parser.add_argument("target")
    parser.add_argument("levels", nargs="+")
    parser.add_argument("--splits", type=int, default=2)
    options = parser.parse_args()
    frame = pd.read_csv(options.table)
    labels = frame[options.target].astype(str)
    frame = frame.assign(**{options.target: labels})[labels.isin(options.levels)]
    rows = []
    for split in range(options.splits):
        order = np.random.default_rng(1000 + split).permutation(len(frame))
        cut = round(0.7 * len(frame))
        train, test = frame.iloc[np.sort(order[:cut])], frame.iloc[np.sort(order[cut:])]
        rows += compare(train, test, options.target, options.levels)
    print(pd.DataFrame(rows).groupby("model", sort=False).mean().round(4).to_string())


def compare(train: pd.DataFrame, test: pd.DataFrame, target: str, levels: list[str]) -> list[dict]:
    """Return the scores of all models on one split."""
    start = time.process_time()
    types = train.ordinal.infer_types(known={target: levels})
    model = autotype.fit(train, target, types, cv=None)
    seconds = time.process_time() - start
    ends = model.predict_interval(test)
    true = test[target].astype(ends["lower"].dtype)
    held = (ends["lower"] <= true) & (true <= ends["upper"])
    proba = model.predict_proba(test).to_numpy()
    rows = [scores("autotype", proba, test[target], levels, seconds) | {"coverage": held.mean()}]
    codes = {level: code for code, level in enumerate(levels)}
    for name, estimator in PEERS.items():
        start = time.process_time()
        pipeline = skrub.tabular_pipeline(estimator)
        pipeline.fit(train.drop(columns=target), train[target].map(codes))
        seconds = time.process_time() - start
        proba = np.zeros((len(test), len(levels)))
        proba[:, pipeline.classes_] = pipeline.predict_proba(test.drop(columns=target))
        rows.append(scores(name, proba, test[target], levels, seconds))
    return rows


def scores(
    name: str, proba: np.ndarray, true: pd.Series, levels: list[str], seconds: float
) -> dict:
    """Return the scores of a model's probabilities."""
    median = np.array(levels)[(proba.cumsum(axis=1)[:, :-1] < 0.5).sum(axis=1)]
    return {
        "model": name,
        "rps": metrics.ranked_probability_score(true, proba, labels=levels),
        "mae": metrics.mean_absolute_error(true, median, labels=levels),
        "calibration": metrics.cumulative_calibration_error(true, proba, labels=levels),
        "seconds": seconds,
    }


if __name__ == "__main__":
    main()
