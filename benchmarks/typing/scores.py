"""Score answers against the labels, with intervals from a bootstrap over families of frames.

A table of answers has a row for each labelled column: of the labels `frame`, `family`, `truth`,
`coding`, `arguable` and `fitted`, of the answer `said` (a type), `probability` of ordinal, `tau`,
`cpu_s` and `error`, and `scale`, the column's levels as one text.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy.stats import kendalltau

DECIDED = ("ordinal", "categorical", "binary")
MEASURES = (
    "coverage",
    "accuracy",
    "strict",
    "auc",
    "brier",
    "ece",
    "exact_order",
    "mean_tau",
    "found",
    "denied",
)
N_BINS = 10
N_DRAWS = 1000


def rank_correlation(true_order: Sequence[str], found: Sequence[str] | None) -> float:
    """Compute |Kendall's tau| of the levels that both orders hold, each as text.

    0 where the found order is missing or shares fewer than two levels.
    """
    place = {level: k for k, level in enumerate(found or ())}
    shared = [level for level in true_order if level in place]
    if len(shared) < 2:
        return 0.0
    return float(abs(kendalltau(range(len(shared)), [place[v] for v in shared]).statistic))


def measures(table: pd.DataFrame, weight: np.ndarray | None = None) -> dict[str, float]:
    """Compute the measures of one tool's answers.

    Parameters
    ----------
    table : DataFrame
        Answers of one tool.
    weight : ndarray of shape (n,), optional
        Weights of the columns, >= 0.

    Returns
    -------
    dict of str to float
        `coverage`, the share of columns that the tool decides; `accuracy` among these; `strict`
        accuracy, where an undecided column is wrong; `auc`, `brier` and `ece` (expected calibration
        error) of the probability of ordinal; and on the ordinal columns `exact_order`, `mean_tau`,
        `found` (called ordinal) and `denied` (called categorical). NaN without such columns.
    """
    weight = np.ones(len(table)) if weight is None else np.asarray(weight, dtype=float)
    return _weighted_measures(_Columns.of(table), weight)


@dataclass(frozen=True)
class _Columns:
    """What the measures need of a table, so that a bootstrap reads it once."""

    truth: np.ndarray
    said: np.ndarray
    decided: np.ndarray
    right: np.ndarray
    p: np.ndarray
    place: np.ndarray  # of each probability among the distinct ones
    tau: np.ndarray

    @classmethod
    def of(cls, table: pd.DataFrame) -> _Columns:
        truth = table["truth"].eq("ordinal").to_numpy()
        said = table["said"].to_numpy(dtype=object)
        p = table["probability"].astype(float).fillna(0.5).to_numpy()
        return cls(
            truth=truth,
            said=said,
            decided=np.isin(said.astype(str), DECIDED),
            right=(said == "ordinal") == truth,
            p=p,
            place=np.unique(p, return_inverse=True)[1],
            tau=np.nan_to_num(table["tau"].astype(float).to_numpy()),
        )


def _weighted_measures(columns: _Columns, weight: np.ndarray) -> dict[str, float]:
    def mean(values: np.ndarray, rows: np.ndarray) -> float:
        total = weight[rows].sum()
        return float(values[rows] @ weight[rows] / total) if total else np.nan

    truth, every = columns.truth, np.ones(len(columns.truth), dtype=bool)
    return {
        "coverage": mean(columns.decided, every),
        "accuracy": mean(columns.right, columns.decided),
        "strict": mean(columns.right & columns.decided, every),
        "auc": _auc(columns, weight),
        "brier": mean((columns.p - truth) ** 2, every),
        "ece": _calibration_error(columns, weight),
        "exact_order": mean(columns.tau > 0.999, truth),
        "mean_tau": mean(columns.tau, truth),
        "found": mean(columns.said == "ordinal", truth),
        "denied": mean(columns.said == "categorical", truth),
    }


def _auc(columns: _Columns, weight: np.ndarray) -> float:
    """Compute the share of pairs of the two classes in the right order, ties counting half."""
    ordinal = np.bincount(columns.place, weights=weight * columns.truth)
    other = np.bincount(columns.place, weights=weight * ~columns.truth)
    n_pairs = ordinal.sum() * other.sum()
    return float(ordinal @ (np.cumsum(other) - other / 2) / n_pairs) if n_pairs else np.nan


def _calibration_error(columns: _Columns, weight: np.ndarray) -> float:
    gaps = np.bincount(bin_of(columns.p), weights=(columns.p - columns.truth) * weight)
    return float(np.abs(gaps).sum() / weight.sum()) if weight.sum() else np.nan


def bin_of(p: np.ndarray) -> np.ndarray:
    """Return the tenth in which each probability lies, 0 to 9."""
    return np.clip((p * N_BINS).astype(int), 0, N_BINS - 1)


def reliability(table: pd.DataFrame) -> pd.DataFrame:
    """Tabulate, for each tenth of the probability, columns, mean probability and share ordinal."""
    p = table["probability"].astype(float).fillna(0.5).to_numpy()
    parts = pd.DataFrame({"bin": bin_of(p), "p": p, "ordinal": table["truth"].eq("ordinal")})
    grouped = parts.groupby("bin")
    return pd.DataFrame(
        {
            "n": grouped.size(),
            "probability": grouped["p"].mean(),
            "share": grouped["ordinal"].mean(),
        }
    )


def intervals(
    table: pd.DataFrame,
    weight: np.ndarray | None = None,
    *,
    n_draws: int = N_DRAWS,
    seed: int = 0,
) -> pd.DataFrame:
    """Compute 95% intervals: families are drawn with replacement, and percentiles taken.

    Columns of one frame, and frames of one subject, are not independent; so whole families are
    drawn. Takes O(n_draws n log n).

    Returns
    -------
    DataFrame
        Indexed by measure, with `low` and `high`.
    """
    weight = np.ones(len(table)) if weight is None else np.asarray(weight, dtype=float)
    family, names = pd.factorize(table["family"])
    rng = np.random.default_rng(seed)
    drawn = rng.multinomial(len(names), np.full(len(names), 1.0 / len(names)), size=n_draws)
    columns = _Columns.of(table)
    found = pd.DataFrame([_weighted_measures(columns, weight * n[family]) for n in drawn])
    return found.quantile([0.025, 0.975]).T.set_axis(["low", "high"], axis=1)


def scale_weights(table: pd.DataFrame) -> np.ndarray:
    """Weigh the columns of one frame that share their levels as one column together."""
    return 1.0 / table.groupby(["frame", "scale"])["truth"].transform("size").to_numpy()


def groups(table: pd.DataFrame) -> dict[str, tuple[pd.DataFrame, np.ndarray]]:
    """Return the parts of a tool's answers that are scored, each with its weights.

    `not fitted to` are the columns of families to which autotype's models were not fitted.
    """
    once = scale_weights(table)
    parts = {
        "all": np.ones(len(table), dtype=bool),
        "text": table["coding"].eq("text").to_numpy(),
        "number": table["coding"].eq("number").to_numpy(),
        "not arguable": table["arguable"].eq("").to_numpy(),
        "not fitted to": table["fitted"].eq("no").to_numpy(),
    }
    found = {name: (table[rows], np.ones(rows.sum())) for name, rows in parts.items() if rows.any()}
    return {**found, "once": (table, once)}
