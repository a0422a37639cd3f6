"""Trials of regression with order preferences: data sets, random partitions, tuning, errors."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import GridSearchCV, KFold
from sklearn.svm import SVR

from autotype.models import OrderPreferenceRegressor, OrderPreferenceRegressorCV, Preferences

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

    @property
    def folds(self) -> KFold:
        """Folds of the labelled rows."""
        return KFold(5, shuffle=True, random_state=self.seed)

    @cached_property
    def parameters(self) -> dict[str, Any]:
        """Kernel and lambda1, by 5-fold cross-validation of SVR on the labelled rows."""
        if self.lambda1 is not None:
            return {"kernel": "linear", "lambda1": self.lambda1}
        search = OrderPreferenceRegressorCV(
            lambda1s=GRID, lambda2s=[0.0], gammas=GRID, cv=self.folds
        )
        search.fit(self.X[: self.n_labelled], self.y[: self.n_labelled])
        return {"gamma": search.gamma_, "lambda1": search.lambda1_}

    def oracle(self, p: int, beta: float = 0.5) -> Preferences:
        """Preferences about p random pairs of unlabelled rows, eq. (8) with its 0.5 as beta."""
        rng = np.random.default_rng([self.seed, 8])
        pairs = rng.integers(self.n_labelled, len(self.rows), size=(p, 2))
        down = self.y[pairs[:, 0]] < self.y[pairs[:, 1]]
        pairs = np.where(down[:, None], pairs[:, ::-1], pairs)
        return Preferences(pairs, beta * (self.y[pairs[:, 0]] - self.y[pairs[:, 1]]))

    def error(self, preferences: Preferences | None = None) -> float:
        """Mean absolute error on the test rows, with preferences or without."""
        model = OrderPreferenceRegressor(**self.parameters)
        y = np.where(np.arange(len(self.y)) < self.n_labelled, self.y, np.nan)
        model.fit(self.X, y, preferences=preferences)
        return float(np.abs(model.predict(self.X_test) - self.y_test).mean())

    def two_norm_error(self) -> float:
        """Mean absolute error of the standard 2-norm machine, its C and sigma tuned alike."""
        X, y = self.X[: self.n_labelled], self.y[: self.n_labelled]
        centre, spread = y.mean(), y.std()
        # At C = 1e4 the fit is as good as an interpolation, which the limit may stop short of.
        search = GridSearchCV(
            SVR(epsilon=0.0, max_iter=100_000),
            {"C": GRID, "gamma": GRID},
            cv=self.folds,
            scoring="neg_mean_absolute_error",
        )
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            search.fit(X, (y - centre) / spread)
        predicted = centre + spread * search.predict(self.X_test)
        return float(np.abs(predicted - self.y_test).mean())


def draw_trial(X: np.ndarray, y: np.ndarray, sizes: tuple[int, int], seed: int) -> Trial:
    """Split the rows at random into l labelled ones, u unlabelled ones, and test rows."""
    order = np.random.default_rng(seed).permutation(len(y))
    rows, test = order[: sum(sizes)], order[sum(sizes) :]
    return Trial(rows, y[rows], sizes[0], X[rows], X[test], y[test], seed)
