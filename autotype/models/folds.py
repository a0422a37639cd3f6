"""Folds of cross-validation that spread the rows of each level."""

from __future__ import annotations

import warnings
from numbers import Integral
from typing import Any

import numpy as np
from sklearn.model_selection import KFold, StratifiedKFold, check_cv

Folds = list[tuple[np.ndarray, np.ndarray]]  # numbers of the rows to train on and to test


def level_folds(cv: Any, X: Any, ranks: np.ndarray, *, seed: int | None = None) -> Folds:
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
        return splits_of(cv, X, ranks, classifier=True)


def splits_of(cv: Any, X: Any, y: np.ndarray, *, classifier: bool = False) -> Folds:
    """Return the splits of a splitter, or those that are listed, as scikit-learn does.

    Raises
    ------
    TypeError
        If what is listed are no pairs.
    """
    try:
        return list(check_cv(cv, y, classifier=classifier).split(X, y))
    except TypeError as problem:
        raise TypeError(f"cv must list pairs of row numbers, got {cv!r}") from problem


def held_out_folds(folds: Folds, ranks: np.ndarray, weights: np.ndarray) -> Folds:
    """Return the folds without those rows to test that no fit of their fold can predict.

    Parameters
    ----------
    folds : list of pairs of ndarray of int
        Row numbers to train on and to test.
    ranks : ndarray of int, shape (n,)
        Levels of the rows.
    weights : ndarray of shape (n,)
        Weights of the rows; one of weight 0 neither trains nor tests.

    Returns
    -------
    list of pairs of ndarray of int
        Rows of a level that a fold would not train on are trained on instead.

    Raises
    ------
    ValueError
        If no row is left to test.

    Examples
    --------
    >>> folds = [(np.array([0, 1]), np.array([2, 3]))]
    >>> held_out_folds(folds, np.array([0, 1, 1, 2]), np.ones(4))
    [(array([0, 1, 3]), array([2]))]
    """
    kept, levels = [], np.unique(ranks[weights > 0])
    for train, test in folds:
        lacking = np.setdiff1d(levels, ranks[train][weights[train] > 0])
        joins = np.isin(ranks, lacking)
        held_out = test[~joins[test] & (weights[test] > 0)]
        if len(held_out):
            kept.append((np.union1d(train, np.flatnonzero(joins)), held_out))
    if not kept:
        raise ValueError(
            "no row can be held out: no level has two rows of positive weight; pass more rows of "
            "each level"
        )
    return kept
