"""Measure what the bias of the multi-class model is to the evidence of the other columns.

usage: python benchmarks/multiclass_bias.py [DATA] [--corpora NAME ...] [--variances V ...]

Level texts are hidden. For each prior variance of the bias (25 as shipped, 1e-6 for none): the AUC
of the two comparisons of the models alone, AUC and log loss of a logistic model of the four
features of the data, held out by family, and the share of columns whose evidence favours the
ordinal model.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

import numpy as np
import pandas as pd
from labelled_columns import data_folder, gather
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import log_loss, roc_auc_score
from sklearn.model_selection import GroupKFold, cross_val_predict
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from autotype.models.gaussian_process.weight_space import softmax_laplace

FEATURES = ("predictability", "evidence_gain", "captured", "order_weight")
LARGEST = 8.0  # for an infinite predictability, of tests that are certain


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", nargs="?", default="../shared/data")
    parser.add_argument("--corpora", nargs="+", default=["columns"])
    parser.add_argument("--variances", nargs="+", type=float, default=[25.0, 1e-6])
    options = parser.parse_args(argv)
    folder = data_folder(options.data)
    rows = {}
    for variance in options.variances:
        softmax_laplace.BIAS_VARIANCE = variance  # in this process: no workers
        found = gather(folder, corpora=tuple(options.corpora), forms=("blind",), n_jobs=1)
        rows[f"{variance:g}"] = summary([c for c in found if c.evidence and c.evidence.data])
    print(pd.DataFrame(rows).T.to_string(float_format="{:.3f}".format))
    return 0


def summary(columns: list) -> dict[str, float]:
    """Figures of the columns with evidence of the data."""
    X = np.array([[getattr(c.evidence.data.features, name) for name in FEATURES] for c in columns])
    X = np.nan_to_num(X, posinf=LARGEST, neginf=-LARGEST)
    truth = np.array([c.ordinal for c in columns])
    model = make_pipeline(StandardScaler(), LogisticRegression(max_iter=5_000))
    p = cross_val_predict(
        model,
        X,
        truth,
        groups=[c.family for c in columns],
        cv=GroupKFold(10),
        method="predict_proba",
    )[:, 1]
    gain = X[:, FEATURES.index("evidence_gain")]
    return {
        "columns": len(columns),
        "AUC evidence gain": roc_auc_score(truth, gain),
        "AUC captured": roc_auc_score(truth, X[:, FEATURES.index("captured")]),
        "AUC held out": roc_auc_score(truth, p),
        "log loss": log_loss(truth, p),
        "favoured, ordinal": np.mean(gain[truth] > 0),
        "favoured, categorical": np.mean(gain[~truth] > 0),
    }


if __name__ == "__main__":
    sys.exit(main())
