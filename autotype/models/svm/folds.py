"""Folds of cross-validation that spread the rows of each level."""

from __future__ import annotations

import warnings
from numbers import Integral
from typing import Any

import numpy as np
from sklearn.model_selection import KFold, StratifiedKFold, check_cv


def level_folds(
    cv: Any, X: Any, ranks: np.ndarray, *, seed: int | None = None
) -> list[tuple[np.ndarray, np.ndarray]]:
    """Return row numbers to train on and to test, fold by fold.

    Parameters
    ----------
    cv : int, splitter or iterable of splits
        A number is that of folds stratified by level, fewer where no level has as many rows.
    X : array-like
        Rows, for the splitter.
    ranks : ndarray of int, shape (n,)
        Their levels.
    seed : int, optional
        Seed of a shuffle before rows are dealt out to a number of folds; by default each fold
        tests neighbouring rows of a level.

    Returns
    -------
    list of pairs of ndarray of int

    Examples
    --------
    >>> [test.tolist() for _, test in level_folds(5, np.zeros((5, 1)), np.array([0, 1, 0, 1, 2]))]
    [[0, 1, 4], [2, 3]]
    """
    if isinstance(cv, Integral):
        most = int(np.bincount(ranks).max())
        n_folds = min(int(cv), most if most > 1 else len(ranks))
        kind = StratifiedKFold if most > 1 else KFold
        cv = kind(n_folds, shuffle=seed is not None, random_state=seed)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="The least populated class")
        return list(check_cv(cv, ranks, classifier=True).split(X, ranks))
