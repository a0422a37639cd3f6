"""The ordinal sets of the benchmarks and their partitions: given hold-outs, or the GP paper's."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.preprocessing import StandardScaler

Partition = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, int]

# Rows to train on (Chu and Ghahramani 2005, sec. 6.2). The small sets' targets are cut into 5 and
# into 10 bins of equal length, the large ones' into 5 of equal frequency.
SMALL = {
    "diabetes": 30,
    "pyrimidines": 50,
    "triazines": 100,
    "wisconsin_breast": 130,
    "machine_cpu": 150,
    "auto_mpg": 200,
    "boston": 300,
    "stocks": 600,
    "abalone": 1000,
}
LARGE = {
    "bank_1": 50,
    "bank_2": 75,
    "computer_1": 100,
    "computer_2": 125,
    "california": 150,
    "census_1": 175,
    "census_2_ordinal5": 200,
}
RANKED = {"esl": 366, "lev": 750, "housing": 1261}  # already ordinal, three quarters to train on


def set_names(data: Path) -> dict[str, list[str]]:
    """Names of all sets by family: "orca", "small", "large", "ranked"."""
    folder = data / "papers" / "orca_holdout"
    return {
        "orca": sorted(path.name.split(".")[0] for path in folder.glob("*.folds.csv")),
        "small": [f"{name}-{bins}" for name in SMALL for bins in (5, 10)],
        "large": list(LARGE),
        "ranked": list(RANKED),
    }


def chosen_sets(data: Path, names: Sequence[str]) -> list[str]:
    """Names of sets, families replaced by their members."""
    families = set_names(data)
    return [name for given in names for name in families.get(given, [given])]


def partitions(
    data: Path, name: str, count: int, *, rows: int | None = None
) -> Iterator[Partition]:
    """Training X and ranks, test X and ranks, and the number of levels; columns standardised.

    `rows` are drawn to train on, by default as many as the paper has; given hold-outs stay.
    """
    X, y, tests = ordinal_set(data, name, count, rows)
    for test in tests:
        yield partition(X, y, ~test, test)


def ordinal_set(
    data: Path, name: str, count: int, rows: int | None = None
) -> tuple[np.ndarray, np.ndarray, Iterator[np.ndarray]]:
    """Features, ranks, and the masks of `count` sets of test rows."""
    if (data / "papers" / "orca_holdout" / f"{name}.csv").exists():
        return _given(data / "papers" / "orca_holdout", name, count)
    return _drawn(data, name, count, rows)


def partition(X: np.ndarray, y: np.ndarray, train: np.ndarray, test: np.ndarray) -> Partition:
    """Training and test rows by masks or numbers, standardised on the training rows."""
    varies = X[train].std(axis=0) > 0
    scaler = StandardScaler().fit(X[train][:, varies])
    train_X, test_X = (scaler.transform(X[part][:, varies]) for part in (train, test))
    return train_X, y[train], test_X, y[test], int(y.max()) + 1


def frequency_bins(target: np.ndarray, count: int) -> np.ndarray:
    """Cut a target at its quantiles into `count` bins, 0 the lowest; equal values share a bin.

    Bins are as equal as ties allow: a value that fills more than one takes all of its rows along,
    and ranks are numbered without gaps.

    Examples
    --------
    >>> frequency_bins(np.array([0.0, 0.0, 0.0, 1.0, 2.0, 3.0]), 3)
    array([0, 0, 0, 1, 2, 2])
    """
    edges = np.quantile(target, np.arange(1, count) / count)
    return np.unique(np.digitize(target, edges, right=True), return_inverse=True)[1]


def _given(
    folder: Path, name: str, count: int
) -> tuple[np.ndarray, np.ndarray, Iterator[np.ndarray]]:
    table = pd.read_csv(folder / f"{name}.csv")
    X = table.iloc[:, :-1].to_numpy(dtype=float)
    y = pd.factorize(table.iloc[:, -1], sort=True)[0]
    folds = pd.read_csv(folder / f"{name}.folds.csv").iloc[:count, -1]
    return X, y, (np.isin(np.arange(len(X)), _row_numbers(fold)) for fold in folds)


def _row_numbers(cell: str) -> list[int]:
    """Row numbers of one hold-out, separated by blanks or commas, or as a JSON list."""
    text = str(cell)
    if text.startswith("["):
        return json.loads(text)
    return [int(part) for part in text.replace(",", " ").split()]


def _drawn(
    data: Path, name: str, count: int, rows: int | None
) -> tuple[np.ndarray, np.ndarray, Iterator[np.ndarray]]:
    base, _, bins = name.partition("-")
    table = _housing(data) if base == "housing" else _gp_table(data, base)
    target = table.iloc[:, -1]
    X = pd.get_dummies(table.iloc[:, :-1], dtype=float).to_numpy(dtype=float)
    if bins:
        y = pd.cut(target, int(bins), labels=False).to_numpy()
    elif base in RANKED or "ordinal" in base:
        y = pd.factorize(target, sort=True)[0]
    else:
        y = frequency_bins(target.to_numpy(dtype=float), 5)
    size = {**SMALL, **LARGE, **RANKED}[base] if rows is None else rows
    return X, y, (_all_but(size, len(X), seed) for seed in range(count))


def _gp_table(data: Path, name: str) -> pd.DataFrame:
    (path,) = (data / "papers" / "gp_ordinal").glob(f"{name}.csv*")
    return pd.read_csv(path).dropna()


def _housing(data: Path) -> pd.DataFrame:
    """Satisfaction of 1,681 tenants (`housing` of R's MASS), one row a tenant."""
    table = pd.read_csv(data / "typed-columns" / "frames" / "MASS-housing.csv.gz")
    table = table.loc[table.index.repeat(table["Freq"])].reset_index(drop=True)
    ranks = table["Sat"].map({"Low": 0, "Medium": 1, "High": 2}).rename("rank")
    return table[["Infl", "Type", "Cont"]].join(ranks)


def _all_but(size: int, n: int, seed: int) -> np.ndarray:
    test = np.ones(n, dtype=bool)
    test[np.random.default_rng(seed).permutation(n)[:size]] = False
    return test
