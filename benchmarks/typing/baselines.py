"""Baselines that need no package beyond pandas and scikit-learn."""

from __future__ import annotations

import numpy as np
import pandas as pd
from answers import Answer, answer_of, in_order, is_number, sorted_by
from labelled_frames import LabelledFrame
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

MOST_LEVELS = 20  # of a predictor in text


def pandas_dtypes(frame: LabelledFrame) -> dict[str, Answer]:
    """Read the dtypes: numbers are ordered, ordered Categoricals too, the rest is categorical."""
    return {name: answer_of(_kind(frame.data[name]), frame.data[name]) for name in _names(frame)}


def alphabetical(frame: LabelledFrame) -> dict[str, Answer]:
    """Order the levels as scikit-learn's encoders do, by value or alphabet; no type."""
    return {name: Answer(None, order=in_order(frame.data[name])) for name in _names(frame)}


def canonical_axis(frame: LabelledFrame) -> dict[str, Answer]:
    """Order the levels along the first canonical axis of the other columns; no type."""
    return {name: Answer(None, order=_along_axis(frame.data, name)) for name in _names(frame)}


def _names(frame: LabelledFrame) -> list[str]:
    return list(frame.labels["column"])


def _kind(values: pd.Series) -> str:
    if isinstance(values.dtype, pd.CategoricalDtype):
        return "ordered" if values.dtype.ordered else "category"
    return "number" if is_number(values) else "category"


def _along_axis(frame: pd.DataFrame, target: str) -> tuple[str, ...] | None:
    """Return the levels by their means on the first canonical axis; None without predictors."""
    known = frame[target].notna().to_numpy()
    codes, levels = pd.factorize(frame.loc[known, target].astype(object))
    X = _predictors(frame.loc[known].drop(columns=target))
    if X.shape[1] == 0 or len(codes) <= len(levels):
        return None
    model = LinearDiscriminantAnalysis(n_components=1, solver="eigen", shrinkage=0.1)
    axis = model.fit_transform(X, codes)[:, 0]
    means = np.bincount(codes, weights=axis) / np.bincount(codes)
    return sorted_by(levels, means)


def _predictors(frame: pd.DataFrame) -> np.ndarray:
    """Return the other columns as numbers, standardised: few levels as indicators."""
    parts = []
    for j in range(frame.shape[1]):
        values = frame.iloc[:, j]
        if is_number(values):
            parts.append(values.astype(float).to_numpy()[:, None])
        elif values.nunique() <= MOST_LEVELS:
            parts.append(pd.get_dummies(values.astype(object)).to_numpy(dtype=float))
    if not parts:
        return np.empty((len(frame), 0))
    X = np.hstack(parts)
    X[~np.isfinite(X)] = np.nan
    X = X[:, ~np.isnan(X).all(axis=0)]
    X = np.where(np.isnan(X), np.nanmean(X, axis=0), X)
    spread = X.std(axis=0)
    varies = spread > 1e-9 * np.maximum(np.abs(X).max(axis=0), 1.0)
    return (X[:, varies] - X[:, varies].mean(axis=0)) / spread[varies]
