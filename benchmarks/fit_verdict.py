"""Fit the verdict's logistic model on the labelled corpora, and report it by cross-validation.

usage: python benchmarks/fit_verdict.py [DATA] [--write] [--n-jobs N]

Folds keep a family together, so that no frame or subject stands on both sides. The printed
figures come from the held-out folds; ``--write`` then fits all of it and writes
``autotype/inference/verdict.json``.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pandas as pd
from labelled_columns import FORMS, LabelledColumn, data_folder, gather, order_is_exact
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import brier_score_loss, log_loss, roc_auc_score
from sklearn.model_selection import GroupKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from autotype.inference import calibration, verdict
from autotype.inference.order_choice import choose_order

TARGET = Path(verdict.__file__).with_name("verdict.json")
PENALTIES = (0.01, 0.03, 0.1, 0.3, 1.0)
# Recoded and hidden columns are the same columns again: together they count like one.
FORM_WEIGHT = {"plain": 1.0, "codes": 0.5, "blind": 0.5}
N_FOLDS = 10
SURE_FROM = 0.9  # of the order


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", nargs="?", default="../shared/data")
    parser.add_argument("--write", action="store_true", help="write the fitted model")
    parser.add_argument("--n-jobs", type=int, default=2)
    options = parser.parse_args(argv)
    columns = gather(data_folder(options.data), n_jobs=options.n_jobs)
    columns = [column for column in columns if column.evidence is not None]
    X, y, weight, families = design(columns)
    penalty = choose_penalty(X, y, weight, families)
    probability = held_out(X, y, weight, families, penalty=penalty)
    print(f"{len(columns)} columns in {len(set(families))} families, C = {penalty}")
    print(summary(columns, probability).to_string(float_format="{:.3f}".format))
    print(order_summary(columns).to_string(float_format="{:.3f}".format))
    if options.write:
        stored = {
            "format": 1,
            "type": as_stored(fit(X, y, weight, penalty), calibration.VERDICT_FEATURES),
            "order": as_stored(
                fit(*order_design(columns)[:3], penalty), calibration.ORDER_FEATURES
            ),
        }
        TARGET.write_text(json.dumps(stored, indent=1) + "\n", encoding="utf-8")
        print(f"wrote {TARGET.name}")
    return 0


def design(columns: Sequence[LabelledColumn]):
    """Features, truths, weights and families of the columns."""
    rows = [calibration.verdict_features(column.evidence) for column in columns]
    X = pd.DataFrame(rows, columns=calibration.VERDICT_FEATURES)
    y = np.array([column.ordinal for column in columns])
    weight = np.array([FORM_WEIGHT[column.form] for column in columns])
    return X, y, weight, np.array([column.family for column in columns])


def order_design(columns: Sequence[LabelledColumn]):
    """Features, truths, weights and families for the model of the order: ordinal columns."""
    ordinal = [column for column in columns if column.ordinal]
    chosen = [choose_order(column.evidence) for column in ordinal]
    rows = [
        calibration.order_features(column.evidence, order)
        for column, order in zip(ordinal, chosen, strict=True)
    ]
    exact = [
        order_is_exact(column.true_order, order.order)
        for column, order in zip(ordinal, chosen, strict=True)
    ]
    weight = np.array([FORM_WEIGHT[column.form] for column in ordinal])
    families = np.array([column.family for column in ordinal])
    X = pd.DataFrame(rows, columns=calibration.ORDER_FEATURES)
    return X, np.array(exact), weight, families


def order_summary(columns: Sequence[LabelledColumn]) -> pd.DataFrame:
    """How often the order is exact where the held-out model is sure of it, by form."""
    X, exact, weight, families = order_design(columns)
    sure = held_out(X, exact, weight, families, penalty=0.3)
    form = np.array([column.form for column in columns if column.ordinal])
    rows = {}
    for name in FORMS:
        for bound in (0.8, SURE_FROM):
            part = (form == name) & (sure >= bound)
            rows[name, bound] = {
                "share": part.sum() / (form == name).sum(),
                "exact": exact[part].mean(),
            }
    return pd.DataFrame(rows).T


def fit(X: pd.DataFrame, y: np.ndarray, weight: np.ndarray, penalty: float):
    """Fit the logistic model on standardised features, unknown ones at their mean."""
    model = make_pipeline(
        SimpleImputer(keep_empty_features=True),
        StandardScaler(),
        LogisticRegression(C=penalty, max_iter=1000),
    )
    return model.fit(X, y, logisticregression__sample_weight=weight)


def held_out(X, y, weight, families, *, penalty: float, seed: int = 0) -> np.ndarray:
    """Probabilities of each column by a model that never saw its family."""
    probability = np.empty(len(y))
    folds = GroupKFold(N_FOLDS, shuffle=True, random_state=seed)
    for train, test in folds.split(X, y, families):
        model = fit(X.iloc[train], y[train], weight[train], penalty)
        probability[test] = model.predict_proba(X.iloc[test])[:, 1]
    return probability


def choose_penalty(X, y, weight, families) -> float:
    """Find the penalty with the least held-out log loss, on folds of their own."""

    def loss(penalty: float) -> float:
        p = held_out(X, y, weight, families, penalty=penalty, seed=1)
        return log_loss(y, p, sample_weight=weight)

    return min(PENALTIES, key=loss)


def summary(columns: Sequence[LabelledColumn], probability: np.ndarray) -> pd.DataFrame:
    """Figures by form, corpus and coding."""
    table = pd.DataFrame(
        {
            "form": [c.form for c in columns],
            "corpus": [c.corpus for c in columns],
            "coding": [c.coding for c in columns],
            "truth": [c.ordinal for c in columns],
            "p": probability,
            "silent": [verdict.nothing_speaks(c.evidence) for c in columns],
            "exact": [
                order_is_exact(c.true_order, choose_order(c.evidence).order) if c.ordinal else None
                for c in columns
            ],
        }
    )
    rows = {}
    for form in FORMS:
        part = table[table.form == form]
        rows[form, "all", "all"] = figures(part)
        for key, group in part.groupby(["corpus", "coding"]):
            rows[(form, *key)] = figures(group)
    return pd.DataFrame(rows).T


def figures(part: pd.DataFrame) -> dict[str, float]:
    """Ranking, decisions, calibration and orders of one group of columns."""
    p, truth = part.p.to_numpy(), part.truth.to_numpy(dtype=bool)
    decided = ~part.silent.to_numpy() & (
        (p >= verdict.ORDINAL_FROM) | (p <= verdict.CATEGORICAL_UP_TO)
    )
    bins = np.clip((p * 10).astype(int), 0, 9)
    error = sum(
        abs(p[bins == b].mean() - truth[bins == b].mean()) * (bins == b).mean() for b in set(bins)
    )
    confident = decided & (p > 0.9) & ~truth
    return {
        "n": len(part),
        "auc": roc_auc_score(truth, p) if len(set(truth)) == 2 else np.nan,
        "coverage": decided.mean(),
        "accuracy": ((p > 0.5) == truth)[decided].mean(),
        "brier": brier_score_loss(truth, p),
        "ece": error,
        "exact": part.exact[truth].astype(float).mean(),
        "wrong at 0.9": confident.sum() / max((~truth).sum(), 1),
    }


def as_stored(model, names: Sequence[str]) -> dict:
    """Put the fitted model as the package reads it."""
    _, scaler, logistic = model
    features = zip(names, logistic.coef_[0], scaler.mean_, scaler.scale_, strict=True)
    return {
        "intercept": float(logistic.intercept_[0]),
        "features": [
            {
                "name": name,
                "weight": round(float(w), 6),
                "mean": round(float(m), 6),
                "scale": round(float(s), 6),
            }
            for name, w, m, s in features
        ],
    }


if __name__ == "__main__":
    sys.exit(main())
