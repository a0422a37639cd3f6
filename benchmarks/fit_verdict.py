"""Fit the models of the verdict on the labelled corpora, and report them by cross-validation.

usage: python benchmarks/fit_verdict.py [DATA] [--corpora NAME ...] [--write [MODEL ...] | --check]

Each scale of a frame is weighed once, a frame at most four times, and the classes are weighed to
40% ordinal, about what whole tables hold. Folds keep a family together, so that no frame or subject
is on both sides, and the score of a column's texts comes from a text model that never saw its
family. The printed figures come from the held-out folds; ``--write`` then fits the models (all by
default: type, order and order_in_data) on all columns and writes them to
``autotype/inference/learned.json``. The distance of the model of the type from the shipped one is
printed as well. ``--check`` only fits all columns, without held-out figures and with the shipped
scores of texts, and refuses models that the package would not load.

Without the corpora, take the public columns of the benchmark:

    python benchmarks/typing/run.py --export FOLDER
    python benchmarks/fit_verdict.py FOLDER --corpora public
"""

from __future__ import annotations

import argparse
import math
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
from fit_text_model import (
    corpus_columns,
    corpus_names,
    held_out_names,
    vocabulary_columns,
    vocabulary_names,
)
from fit_text_model import held_out as held_out_text
from labelled_columns import CORPORA, FORMS, LabelledColumn, data_folder, gather, order_is_exact
from learned_file import provenance, with_models, write_learned
from noise_columns import noise_evidence
from scipy.optimize import minimize
from scipy.special import expit
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import log_loss, roc_auc_score
from sklearn.model_selection import GroupKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from autotype.inference.column import Column
from autotype.inference.labels.column_name import plain_name
from autotype.inference.learned import (
    MODEL_FEATURES,
    ORDER_FEATURES,
    ORDER_IN_DATA_FEATURES,
    TYPE_FEATURES,
    Learned,
    LogisticModel,
    load_learned,
)
from autotype.inference.verdict import column_verdict as verdict
from autotype.inference.verdict import verdict_model
from autotype.inference.verdict.order_choice import choose_order

PENALTIES = (0.01, 0.03, 0.1, 0.3, 1.0)
# Recoded and hidden columns are the same columns again: together they count like one.
FORM_WEIGHT = {"plain": 1.0, "codes": 0.5, "blind": 0.5}
ORDINAL_SHARE = 0.4
MOST_SCALES_A_FRAME = 4.0
N_FOLDS = 10
CONFIDENT_FROM = 0.9  # of the order
CHECK_NOISE = 5  # columns of noise of each number of levels


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", nargs="?", default="../shared/data")
    parser.add_argument("--corpora", nargs="+", default=CORPORA, metavar="NAME")
    parser.add_argument("--write", nargs="*", choices=sorted(MODEL_FEATURES), metavar="MODEL")
    parser.add_argument("--check", action="store_true", help="fit, and load what was fitted")
    parser.add_argument("--n-jobs", type=int, default=2)
    options = parser.parse_args(argv)
    corpora = tuple(options.corpora)
    folder = data_folder(options.data, corpora)
    columns = gather(folder, corpora=corpora, n_jobs=options.n_jobs)
    columns = [column for column in columns if column.evidence is not None]
    if options.check:
        check(columns)
        return 0
    X, y, weight, families = design(columns, held_out_scores(folder, corpora))
    penalty = choose_penalty(X, y, weight, families)
    probability = held_out(X, y, weight, families, penalty=penalty)
    print(f"{len(columns)} columns in {len(set(families))} families, C = {penalty}")
    print(summary(columns, probability).to_string(float_format="{:.3f}".format))
    print(order_summary(columns, penalty=penalty).to_string(float_format="{:.3f}".format))
    in_data = fit_order_in_data(columns, list(noise_evidence()))
    print("order in data:", {name: round(w, 3) for name, w in in_data["weights"].items()})
    print(noise_summary(list(noise_evidence(seed=1)), in_data).to_string())
    fitted = fit_all(columns, X, penalty=penalty, in_data=in_data)
    print_distance(X, columns, with_models(fitted))
    if options.write is not None:
        names = options.write or sorted(fitted)
        command = " ".join(["python benchmarks/fit_verdict.py --write", *options.write])
        write_learned(
            models={name: fitted[name] for name in names},
            fitted=provenance(
                folder, corpora, command=command, penalty=penalty, n_columns=len(columns)
            ),
        )
    return 0


def fit_all(
    columns: Sequence[LabelledColumn], X: pd.DataFrame, *, penalty: float, in_data: dict
) -> dict[str, dict]:
    """Fit the models on all columns; return them as learned.json holds them."""
    y = np.array([column.ordinal for column in columns])
    return {
        "type": as_stored(fit(X, y, balanced(columns), penalty), TYPE_FEATURES),
        "order": as_stored(fit(*order_design(columns)[:3], penalty), ORDER_FEATURES),
        "order_in_data": in_data["stored"],
    }


def check(columns: Sequence[LabelledColumn]) -> None:
    """Fit the models on all columns, load them as the package would, and print their distance.

    Raises
    ------
    ValueError
        If the package would refuse them.
    """
    X, _, _, families = design(columns)
    in_data = fit_order_in_data(columns, list(noise_evidence(CHECK_NOISE)))
    penalty = load_learned().fitted["penalty"]
    refitted = with_models(fit_all(columns, X, penalty=penalty, in_data=in_data))
    print(f"{len(columns)} columns in {len(set(families))} families: the models can be loaded")
    print_distance(X, columns, refitted)


def print_distance(X: pd.DataFrame, columns: Sequence[LabelledColumn], refitted: Learned) -> None:
    print("\nDistance from the shipped model of the type")
    print(distance(X, columns, refitted.type_model).to_string(float_format="{:.3f}".format))


def distance(
    X: pd.DataFrame, columns: Sequence[LabelledColumn], refitted: LogisticModel
) -> pd.DataFrame:
    """Compare the probabilities and verdicts of another model of the type with the shipped one's.

    By form: the mean absolute difference of the probabilities, the correlation of the log odds, the
    share of columns with the same verdict, and the share called ordinal by one and categorical by
    the other.
    """
    shipped = load_learned()
    low, high = shipped.constants.categorical_threshold, shipped.constants.ordinal_threshold
    rows = X.to_dict("records")
    log_odds = np.array(
        [[model.log_odds(row) for row in rows] for model in (shipped.type_model, refitted)]
    )
    p = np.array(
        [[supported(expit(z), c) for z, c in zip(part, columns, strict=True)] for part in log_odds]
    )
    verdicts = np.digitize(p, [low, high])  # 0 categorical, 1 undetermined, 2 ordinal
    form = np.array([column.form for column in columns])
    return pd.DataFrame(
        {
            name: {
                "n": (form == name).sum(),
                "probability": np.abs(p[0] - p[1])[form == name].mean(),
                "correlation": np.corrcoef(log_odds[:, form == name])[0, 1],
                "same verdict": (verdicts[0] == verdicts[1])[form == name].mean(),
                "opposite": (np.abs(verdicts[0] - verdicts[1]) == 2)[form == name].mean(),
            }
            for name in dict.fromkeys(form)
        }
    ).T


def held_out_scores(folder: Path, corpora: tuple[str, ...] = CORPORA) -> dict[tuple, float]:
    """Score texts and name of each labelled column by text models fitted without its family."""
    columns, names = corpus_columns(folder, corpora), corpus_names(folder, corpora)
    by_levels = held_out_text(columns, vocabulary_columns())
    by_name = held_out_names(names, vocabulary_names())
    return {
        (column.corpus, column.family, frozenset(column.labels)): score
        for parts, scores in ((columns, by_levels), (names, by_name))
        for column, score in zip(parts, scores, strict=True)
    }


def design(columns: Sequence[LabelledColumn], scores: Mapping[tuple, float] | None = None):
    """Collect features, truths, weights and families of the columns.

    `scores` are those of texts and names held out; by default they are the shipped models'.
    """
    rows = []
    for column in columns:
        evidence = column.evidence
        if scores is None:
            rows.append(verdict_model.type_features(evidence))
            continue
        key = (column.corpus, column.family, frozenset(map(str, evidence.known_levels)))
        if column.form == "plain" and not evidence.is_opaque and key in scores:
            evidence = replace(evidence, text_score=scores[key])
        name = (column.corpus, column.family, frozenset([plain_name(column.column)]))
        evidence = replace(evidence, name_text=scores[name])
        rows.append(verdict_model.type_features(evidence))
    X = pd.DataFrame(rows, columns=TYPE_FEATURES)
    y = np.array([column.ordinal for column in columns])
    return X, y, balanced(columns), np.array([column.family for column in columns])


def once(columns: Sequence[LabelledColumn]) -> np.ndarray:
    """Weigh each scale of a frame once, and a frame at most four times."""
    scales = [
        (c.corpus, c.dataset, c.form, frozenset(map(str, c.evidence.known_levels))) for c in columns
    ]
    columns_of, scales_of = Counter(scales), Counter(scale[:3] for scale in set(scales))
    return np.array(
        [
            min(1.0, MOST_SCALES_A_FRAME / scales_of[scale[:3]]) / columns_of[scale]
            for scale in scales
        ]
    )


def balanced(columns: Sequence[LabelledColumn]) -> np.ndarray:
    """Weigh the classes of each form to the stated share of ordinal columns."""
    weight = once(columns) * np.array([FORM_WEIGHT[column.form] for column in columns])
    ordinal = np.array([column.ordinal for column in columns])
    for form in {column.form for column in columns}:
        part = np.array([column.form == form for column in columns])
        share = weight[part & ordinal].sum() / weight[part].sum()
        weight[part & ordinal] *= ORDINAL_SHARE / share
        weight[part & ~ordinal] *= (1 - ORDINAL_SHARE) / (1 - share)
    return weight


def order_design(columns: Sequence[LabelledColumn]):
    """Collect the same for the model of the order, on the ordinal columns."""
    ordinal = [column for column in columns if column.ordinal]
    chosen = [choose_order(column.evidence) for column in ordinal]
    rows = [
        verdict_model.order_features(column.evidence, order)
        for column, order in zip(ordinal, chosen, strict=True)
    ]
    exact = [
        order_is_exact(column.true_order, order.order)
        for column, order in zip(ordinal, chosen, strict=True)
    ]
    weight = once(ordinal) * np.array([FORM_WEIGHT[column.form] for column in ordinal])
    families = np.array([column.family for column in ordinal])
    X = pd.DataFrame(rows, columns=ORDER_FEATURES)
    return X, np.array(exact), weight, families


def order_summary(columns: Sequence[LabelledColumn], *, penalty: float) -> pd.DataFrame:
    """Compute how often the order is exact where the held-out model is confident, by form."""
    X, exact, weight, families = order_design(columns)
    confident = held_out(X, exact, weight, families, penalty=penalty)
    form = np.array([column.form for column in columns if column.ordinal])
    rows = {}
    for name in FORMS:
        for bound in (0.8, CONFIDENT_FROM):
            part = (form == name) & (confident >= bound)
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
    """Predict each column by a model fitted without its family."""
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
    """Tabulate the figures by form, corpus and coding."""
    table = pd.DataFrame(
        {
            "form": [c.form for c in columns],
            "corpus": [c.corpus for c in columns],
            "coding": [c.coding for c in columns],
            "truth": [c.ordinal for c in columns],
            "language": ["en" if c.language == "en" else "other" for c in columns],
            "weight": once(columns),
            "p": [supported(*pair) for pair in zip(probability, columns, strict=True)],
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
        for column in ("coding", "language"):
            for key, group in part.groupby(["corpus", column]):
                rows[(form, *key)] = figures(group)
    return pd.DataFrame(rows).T


def supported(probability: float, column: LabelledColumn) -> float:
    """Return the probability that is reported, between the thresholds without evidence."""
    column.evidence.features = verdict_model.type_features(column.evidence)
    return verdict.supported(probability, [column.evidence])


def figures(part: pd.DataFrame) -> dict[str, float]:
    """Compute ranking, decisions, calibration and orders of one group of columns."""
    p, truth = part["p"].to_numpy(), part["truth"].to_numpy(dtype=bool)
    weight = part["weight"].to_numpy()
    thresholds = load_learned().constants
    decided = (p >= thresholds.ordinal_threshold) | (p <= thresholds.categorical_threshold)

    def mean(values: np.ndarray, rows: np.ndarray) -> float:
        total = weight[rows].sum()
        return float(values[rows] @ weight[rows] / total) if total else np.nan

    everywhere = np.ones(len(p), dtype=bool)
    bins = np.clip((p * 10).astype(int), 0, 9)
    error = sum(
        abs(mean(p - truth, bins == b)) * weight[bins == b].sum() / weight.sum() for b in set(bins)
    )
    exact = part["exact"].fillna(False).to_numpy(dtype=bool)
    return {
        "n": len(part),
        "auc": roc_auc_score(truth, p, sample_weight=weight) if 0 < truth.mean() < 1 else np.nan,
        "decided": mean(decided, everywhere),
        "right": mean((p > 0.5) == truth, decided),
        "found": mean(p >= thresholds.ordinal_threshold, truth),
        "denied": mean(p <= thresholds.categorical_threshold, truth),
        "brier": mean((p - truth) ** 2, everywhere),
        "ece": error,
        "exact": mean(exact, truth),
        "wrong at 0.9": mean(p > 0.9, ~truth),
    }


def as_stored(model, names: Sequence[str]) -> dict:
    """Convert the fitted model to the format of learned.json."""
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


def fit_order_in_data(
    columns: Sequence[LabelledColumn], noise: Sequence[Column]
) -> dict[str, dict]:
    """Fit the model that the other columns carry an order at all, with columns of noise.

    With s its probability, m that of the shipped order model and c = 2/L!, an order from the data
    is exact with probability s m + (1 - s) c. Of a column of noise any order is exact with
    probability c. Noise counts as much as the labelled columns together.
    """
    chosen = [(c, choose_order(c.evidence)) for c in columns if c.ordinal]
    chosen = [(column, order) for column, order in chosen if order.source == "data"]
    parts = [(column.evidence, order) for column, order in chosen]
    parts += [(evidence, choose_order(evidence)) for evidence in noise]
    model = load_learned().order_model
    modelled = np.array([model.probability(verdict_model.order_features(*pair)) for pair in parts])
    chance = np.array([2.0 / math.factorial(len(order.order)) for _, order in parts])
    exact = [order_is_exact(column.true_order, order.order) for column, order in chosen]
    exact = np.concatenate([exact, chance[len(chosen) :]])
    weight = np.array([FORM_WEIGHT[column.form] for column, _ in chosen])
    weight = np.concatenate([weight, np.full(len(noise), weight.sum() / len(noise))])
    X = pd.DataFrame(
        [
            verdict_model.order_in_data_features(order.ordinal_gain, len(order.order))
            for _, order in parts
        ],
        columns=ORDER_IN_DATA_FEATURES,
    )

    def loss(b: np.ndarray) -> float:
        carried = expit(b[0] + X.to_numpy() @ b[1:])
        p = np.clip(carried * modelled + (1 - carried) * chance, 1e-6, 1 - 1e-6)
        log_likelihood = exact * np.log(p) + (1 - exact) * np.log(1 - p)
        return 0.01 * b @ b - weight @ log_likelihood

    b = minimize(loss, np.array([-3.0, 1.0, 0.0])).x
    weights = dict(zip(ORDER_IN_DATA_FEATURES, map(float, b[1:]), strict=True))
    features = [
        {"name": name, "weight": round(value, 6), "mean": 0.0, "scale": 1.0}
        for name, value in weights.items()
    ]
    return {
        "weights": weights,
        "stored": {"intercept": round(float(b[0]), 6), "features": features},
    }


def noise_summary(noise: Sequence[Column], in_data: dict) -> pd.DataFrame:
    """Tabulate the probability of an order against chance, on columns of noise, by levels."""
    rows = []
    for evidence in noise:
        order = choose_order(evidence)
        n_levels = len(order.order)
        features = verdict_model.order_in_data_features(order.ordinal_gain, n_levels)
        logit = in_data["stored"]["intercept"]
        logit += sum(in_data["weights"][name] * value for name, value in features.items())
        modelled = load_learned().order_model.probability(
            verdict_model.order_features(evidence, order)
        )
        chance = 2.0 / math.factorial(n_levels)
        p = expit(logit) * modelled + (1 - expit(logit)) * chance
        rows.append({"levels": n_levels, "chance": chance, "p": p})
    return pd.DataFrame(rows).groupby("levels").mean().round(4)


if __name__ == "__main__":
    sys.exit(main())
