"""Fit the models of the verdict on the labelled corpora, and report them by cross-validation.

usage: python benchmarks/fit_verdict.py [DATA] [--corpora NAME ...] [--write [MODEL ...] | --check]

Each scale of a frame is weighed once, a frame at most four times, and the classes are weighed to
40% ordinal, about what whole tables hold. Folds keep a family together, so that no frame or subject
is on both sides, and the score of a column's texts comes from a text model that never saw its
family. The printed figures come from the held-out folds; ``--write`` then fits the models (all by
default: type, order and placing) on all columns and writes them to
``autotype/inference/learned.json``. The distance of the model of the type from the shipped one is
printed as well. ``--check`` only fits all columns, without held-out figures and with the shipped
scores of texts, and refuses models that the package would not load.

Without the corpora, take the public columns of the benchmark:

    python benchmarks/typing/run.py --export FOLDER
    python benchmarks/fit_verdict.py FOLDER --corpora public
"""

from __future__ import annotations

import argparse
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
from labelled_columns import (
    CORPORA,
    FORMS,
    LabelledColumn,
    as_text,
    data_folder,
    gather,
    order_is_exact,
)
from learned_file import provenance, with_models, write_learned
from scipy.special import expit
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import log_loss, roc_auc_score
from sklearn.model_selection import GroupKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from autotype.inference.column import places_of
from autotype.inference.evidence.order_search import place_levels
from autotype.inference.labels.column_name import plain_name
from autotype.inference.labels.rules import read_labels
from autotype.inference.learned import (
    MODEL_FEATURES,
    ORDER_FEATURES,
    PLACING_FEATURES,
    TYPE_FEATURES,
    Learned,
    LogisticModel,
    load_learned,
)
from autotype.inference.verdict import column_verdict as verdict
from autotype.inference.verdict import verdict_model
from autotype.inference.verdict.order_choice import choose_order, weigh_places

PENALTIES = (0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0)
# Recoded and hidden columns are the same columns again: together they count like one.
FORM_WEIGHT = {"plain": 1.0, "codes": 0.5, "blind": 0.5}
ORDINAL_SHARE = 0.4
MOST_SCALES_A_FRAME = 4.0
MODELS = ("order", "placing", "type")  # that of gaps is fitted by fit_gaps.py
N_FOLDS = 10
PARTITIONS = range(1, 5)  # seeds of folds to choose a penalty by
UNKNOWN = "Zqxwvk"  # a level without meaning
MIN_PLACED = 3  # levels beside one that is left out


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", nargs="?", default="../shared/data")
    parser.add_argument("--corpora", nargs="+", default=CORPORA, metavar="NAME")
    parser.add_argument("--write", nargs="*", choices=MODELS, metavar="MODEL")
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
    print(calibration(columns).to_string(float_format="{:.3f}".format))
    penalties = {
        "type": penalty,
        "order": choose_penalty(*order_design(columns)),
        "placing": choose_penalty(*placing_design(columns)),
    }
    fitted = fit_all(columns, X, penalties)
    print_distance(X, columns, with_models(fitted))
    if options.write is not None:
        names = options.write or sorted(fitted)
        command = " ".join(["python benchmarks/fit_verdict.py --write", *options.write])
        write_learned(
            models={name: fitted[name] for name in names},
            fitted=provenance(
                folder, corpora, command=command, penalty=penalties, n_columns=len(columns)
            ),
        )
    return 0


def fit_all(
    columns: Sequence[LabelledColumn], X: pd.DataFrame, penalties: Mapping[str, float]
) -> dict[str, dict]:
    """Fit the models on all columns; return them as learned.json holds them."""
    y = np.array([column.ordinal for column in columns])
    designs = {
        "type": (X, y, balanced(columns)),
        "order": order_design(columns)[:3],
        "placing": placing_design(columns)[:3],
    }
    return {
        name: as_stored(fit(*parts, penalties[name]), MODEL_FEATURES[name])
        for name, parts in designs.items()
    }


def check(columns: Sequence[LabelledColumn]) -> None:
    """Fit the models on all columns, load them as the package would, and print their distance.

    Raises
    ------
    ValueError
        If the package would refuse them.
    """
    X, _, _, families = design(columns)
    refitted = with_models(fit_all(columns, X, load_learned().fitted["penalty"]))
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
    low, high = shipped.categorical_threshold, shipped.ordinal_threshold
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
    """Collect the same for the model of the order, on the ordinal columns.

    Where the labels gave the order, of the levels that they place; where the other columns did,
    if they predict the column: else the order is a guess, whose probability is known.
    """
    found = [(column, choose_order(column.evidence)) for column in columns if column.ordinal]
    found = [
        (column, order)
        for column, order in found
        if order.source == "labels" or (column.evidence.data and column.evidence.data.predictable)
    ]
    exact = [order_is_exact(c.true_order, order.placed or order.order) for c, order in found]
    rows = [verdict_model.order_features(column.evidence, order) for column, order in found]
    return (pd.DataFrame(rows, columns=ORDER_FEATURES), np.array(exact), *_weighed(found))


def _weighed(found: Sequence[tuple]) -> tuple[np.ndarray, np.ndarray]:
    """Return the weights and families of columns, which stand first in tuples."""
    columns = [column for column, *_ in found]
    form = np.array([FORM_WEIGHT[column.form] for column in columns])
    return once(columns) * form, np.array([column.family for column in columns])


def placing_design(columns: Sequence[LabelledColumn]):
    """Collect the same for the model of placing: each level of an ordinal column, left out."""
    found, rows, right = [], [], []
    for column in columns:
        data = column.evidence.data
        if not column.ordinal or column.form != "plain" or data is None or not data.predictable:
            continue
        code = places_of(tuple(map(as_text, column.evidence.scale)))
        order = [code[level] for level in column.true_order if level in code]
        for level in order if len(order) > MIN_PLACED else ():
            others = [k for k in order if k != level]
            prior = unread_places(column, column.evidence.scale[level])
            prior = prior if len(prior) == len(order) else ()
            placed, (weight,) = place_levels(data.scatter, others, [level], prior)
            rows.append(verdict_model.placing_features(weight, data))
            right.append(list(placed) == order)
            found.append((column,))
    X = pd.DataFrame(rows, columns=PLACING_FEATURES)
    return (X, np.array(right), *_weighed(found))


def unread_places(column: LabelledColumn, unknown: object) -> tuple[float, ...]:
    """Weigh the places of a level by the gap between the others, if their labels are in order."""
    levels = [UNKNOWN if level == unknown else level for level in column.evidence.scale]
    found = read_labels(levels, column.column)
    read = [as_text(level) for level in found.order or ()]
    is_ordered = found.gaps and read == [v for v in column.true_order if v in read]
    return weigh_places(found) if is_ordered else ()


def calibration(columns: Sequence[LabelledColumn]) -> pd.DataFrame:
    """Compare the held-out probability of the order with how often it is exact, by its source.

    Labels and data: of a scale that labels read whole, with one level at a time unknown to them.
    """
    parts = []
    for design_of in (order_design, placing_design):
        X, exact, weight, families = design_of(columns)
        penalty = choose_penalty(X, exact, weight, families)
        p = held_out(X, exact, weight, families, penalty=penalty)
        source = "labels and data"
        if "by_labels" in X:
            source = np.where(X.by_labels > 0, "labels", "data")
        parts.append(pd.DataFrame({"source": source, "p": p, "exact": exact, "weight": weight}))
    table = pd.concat(parts)

    def figures_of(part: pd.DataFrame) -> pd.Series:
        mean = np.average(part[["p", "exact"]].astype(float), axis=0, weights=part.weight)
        return pd.Series({"n": len(part), "p": mean[0], "exact": mean[1]})

    binned = table.assign(bin=(np.ceil(table.p * 5) / 5).round(1).astype(str))
    both = pd.concat([binned, table.assign(bin="all")])
    return both.groupby(["source", "bin"]).apply(figures_of, include_groups=False)


def fit(X: pd.DataFrame, y: np.ndarray, weight: np.ndarray, penalty: float):
    """Fit the logistic model on standardised features, unknown ones at their mean."""
    if len(set(y)) == 1:  # of a few families: the other answer once, where nothing is known
        X = pd.concat([X, X.tail(1) * np.nan], ignore_index=True)
        y, weight = np.append(y, ~y[0]), np.append(weight, weight.mean())
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
    """Find the penalty with the least held-out log loss, the mean over several partitions."""

    def loss(penalty: float) -> float:
        held = (held_out(X, y, weight, families, penalty=penalty, seed=s) for s in PARTITIONS)
        losses = [log_loss(y, p, sample_weight=weight, labels=[False, True]) for p in held]
        return float(np.mean(losses))

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
    thresholds = load_learned()
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


if __name__ == "__main__":
    sys.exit(main())
