"""Trials of regression with order preferences: data sets, random partitions, tuning, errors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from scipy.spatial.distance import cdist
from sklearn.model_selection import KFold

from autotype import Preferences
from autotype.solvers.preference_lp import (
    PreferenceProblem,
    solve_preference_path,
    solve_preferences,
)

# Labelled and unlabelled rows of each set. Those of California give the paper's error of SVR there
# and its number of preferences by the bedrooms rule; the other sets take the same, as far as their
# rows go.
SETS = {
    "Boston": (60, 200),
    "Abalone": (60, 1000),
    "Computer": (60, 1000),
    "California": (60, 1000),
    "Census": (60, 1000),
}
FILES = {
    "Boston": "boston",
    "Abalone": "abalone",
    "Computer": "computer_2",
    "California": "california",
    "Census": "census_1",
}
GRID = 10.0 ** np.arange(-4, 5)  # of sigma and of lambda1


def read_set(folder: Path, name: str, *, frame: bool = False) -> tuple[Any, ...]:
    """Read standardised features, categories as indicators, and the target; the frame as well."""
    (path,) = (folder / "gp_ordinal").glob(f"{FILES[name]}.csv*")
    table = pd.read_csv(path)
    features = pd.get_dummies(table.iloc[:, :-1], dtype=float)
    spread = features.std(ddof=0).replace(0.0, 1.0)
    X = ((features - features.mean()) / spread).to_numpy()
    y = table.iloc[:, -1].to_numpy(dtype=float)
    return (X, y, table.iloc[:, :-1].copy()) if frame else (X, y)


@dataclass
class Trial:
    """One random partition.

    Attributes
    ----------
    rows : ndarray of int
        Labelled rows, then unlabelled ones: what preferences number.
    y : ndarray
        Targets of `rows`; the fit sees those of the labelled ones.
    n_labelled : int
        l.
    X, X_test, y_test : ndarray
        Features of `rows`, and the test part.
    seed : int
        For folds and preferences.
    lambda1 : float or None
        Given where the kernel is linear, as the paper has it for texts; else lambda1 and the sigma
        of the RBF kernel are tuned.
    """

    rows: np.ndarray
    y: np.ndarray
    n_labelled: int
    X: Any
    X_test: Any
    y_test: np.ndarray
    seed: int
    lambda1: float | None = None

    @cached_property
    def parameters(self) -> tuple[float, float]:
        """Sigma and lambda1, by 5-fold cross-validation of SVR on the labelled rows."""
        if self.lambda1 is not None:
            return 0.0, self.lambda1
        X, y = self.X[: self.n_labelled], self.y[: self.n_labelled]
        folds = list(KFold(5, shuffle=True, random_state=self.seed).split(X))
        errors = np.array(
            [np.mean([path_errors(X, y, sigma, *fold) for fold in folds], axis=0) for sigma in GRID]
        )
        best = np.unravel_index(np.argmin(errors), errors.shape)
        return float(GRID[best[0]]), float(GRID[best[1]])

    def oracle(self, p: int, beta: float = 0.5) -> Preferences:
        """Preferences about p random pairs of unlabelled rows, eq. (8) with its 0.5 as beta."""
        rng = np.random.default_rng([self.seed, 8])
        pairs = rng.integers(self.n_labelled, len(self.rows), size=(p, 2))
        down = self.y[pairs[:, 0]] < self.y[pairs[:, 1]]
        pairs = np.where(down[:, None], pairs[:, ::-1], pairs)
        return Preferences(pairs, beta * (self.y[pairs[:, 0]] - self.y[pairs[:, 1]]))

    def error(self, preferences: Preferences | None = None) -> float:
        """Mean absolute error on the test rows, with preferences or without."""
        sigma, lambda1 = self.parameters
        centres = self.X[: self.n_labelled]
        y = self.y[: self.n_labelled]
        stated = Preferences() if preferences is None else preferences
        spoken = kernel(self.X, centres, sigma) if len(stated) else np.zeros((0, len(y)))
        problem = PreferenceProblem(
            K=kernel(centres, centres, sigma),
            y=y,
            costs=np.full(len(y), 1 / len(y)),
            K_rows=spoken,
            above=stated.above,
            below=stated.below,
            difference=stated.difference,
            weight=stated.weight,
        )
        solution = solve_preferences(problem, lambda1=lambda1, lambda2=1.0)
        predicted = kernel(self.X_test, centres, sigma) @ solution.coefficients
        return float(np.abs(predicted + solution.intercept - self.y_test).mean())


def draw_trial(X: np.ndarray, y: np.ndarray, sizes: tuple[int, int], seed: int) -> Trial:
    """Split the rows at random into l labelled ones, u unlabelled ones, and test rows."""
    order = np.random.default_rng(seed).permutation(len(y))
    rows, test = order[: sum(sizes)], order[sum(sizes) :]
    return Trial(rows, y[rows], sizes[0], X[rows], X[test], y[test], seed)


def kernel(rows: Any, centres: Any, sigma: float) -> np.ndarray:
    """exp(-sigma |x - x'|^2), or x'x where sigma is 0."""
    if sigma == 0.0:
        return np.asarray((rows @ centres.T).todense())
    return np.exp(-sigma * cdist(rows, centres, "sqeuclidean"))


def path_errors(
    X: np.ndarray, y: np.ndarray, sigma: float, train: Sequence[int], test: Sequence[int]
) -> list[float]:
    """Errors of SVR on a fold for each lambda1 of the grid."""
    nothing = np.zeros(0)
    problem = PreferenceProblem(
        K=kernel(X[train], X[train], sigma),
        y=y[train],
        costs=np.full(len(train), 1 / len(train)),
        K_rows=np.zeros((0, len(train))),
        above=nothing.astype(int),
        below=nothing.astype(int),
        difference=nothing,
        weight=nothing,
    )
    K_test = kernel(X[test], X[train], sigma)
    path = solve_preference_path(problem, lambda1s=GRID[::-1], lambda2=0.0)
    errors = [np.abs(K_test @ s.coefficients + s.intercept - y[test]).mean() for s in path]
    return errors[::-1]
