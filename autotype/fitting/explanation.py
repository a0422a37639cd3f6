"""Explain a fitted model of a column: what moves it, and how."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any

import numpy as np
import pandas as pd

_LEAST = 0.001  # probability of a place on the latent scale: its ends are finite
_GRID = 25  # values of a feature, at even proportions of the rows

Predict = Callable[[pd.DataFrame], np.ndarray]


def permutation_importances(
    losses: Callable[[pd.DataFrame], np.ndarray],
    frame: pd.DataFrame,
    *,
    n_repeats: int,
    random_state: int,
) -> pd.DataFrame:
    """Compute how much worse predictions are where the values of a feature are permuted.

    Parameters
    ----------
    losses : callable
        Returns the loss of each row of a frame of features, shape (n,).
    frame : pandas.DataFrame
        The features.
    n_repeats : int
        Permutations per feature, >= 1.
    random_state : int
        Seed of the permutations.

    Returns
    -------
    pandas.DataFrame
        One row per feature, the most important first: "importance", the mean increase of the loss,
        and "error", its standard error over the rows.

    Raises
    ------
    ValueError
        If `n_repeats` is below 1.

    References
    ----------
    Breiman (2001), Random forests, section 10.
    """
    if n_repeats < 1:
        raise ValueError(f"n_repeats must be a number of permutations >= 1, got {n_repeats!r}")
    rng, kept, rows = np.random.default_rng(random_state), losses(frame), {}
    for name in frame.columns:
        increase = np.zeros(len(frame))
        for _ in range(n_repeats):
            order = rng.permutation(len(frame))
            permuted = frame.assign(**{str(name): frame[name].take(order).set_axis(frame.index)})
            increase += (losses(permuted) - kept) / n_repeats
        rows[name] = (increase.mean(), increase.std() / np.sqrt(len(frame)))
    table = pd.DataFrame.from_dict(rows, orient="index", columns=["importance", "error"])
    return table.sort_values("importance", ascending=False, kind="stable")


def partial_dependence(predict: Predict, frame: pd.DataFrame, feature: Hashable) -> pd.DataFrame:
    """Average predictions over the rows of a frame, with a feature at each of its values in turn.

    Parameters
    ----------
    predict : callable
        Returns the probabilities of the levels of each row, shape (n, n_levels).
    frame : pandas.DataFrame
        The features.
    feature : hashable
        The one to vary.

    Returns
    -------
    pandas.DataFrame of shape (n_values, n_levels)
        Mean probabilities; the index holds up to 25 values, increasing where they have an order.

    References
    ----------
    Friedman (2001), Greedy function approximation: a gradient boosting machine, section 8.2.
    """
    values = frame[feature].dropna()
    if pd.api.types.is_numeric_dtype(values) and not pd.api.types.is_bool_dtype(values):
        grid: Any = values.sort_values().drop_duplicates()
    else:
        counts = values.value_counts()
        grid = pd.Series(counts.index[:_GRID])
        grid = grid.sort_values() if getattr(grid.dtype, "ordered", False) else grid
    places = np.unique(np.linspace(0, len(grid) - 1, min(_GRID, len(grid))).astype(int))
    chosen = grid.iloc[places]
    means = []
    for place in range(len(chosen)):
        repeated = chosen.iloc[np.full(len(frame), place)].set_axis(frame.index)
        means.append(predict(frame.assign(**{str(feature): repeated})).mean(axis=0))
    return pd.DataFrame(np.array(means), index=pd.Index(chosen, name=feature))


def latent_scores(probabilities: np.ndarray) -> np.ndarray:
    """Transform cumulative probabilities to the distances of thresholds from rows, by the logit.

    Parameters
    ----------
    probabilities : ndarray of shape (n, n_levels)
        Rows sum to 1.

    Returns
    -------
    ndarray of shape (n, n_levels - 1)
    """
    cumulative = np.cumsum(probabilities, axis=1)[:, :-1]
    bounded = np.clip(cumulative, _LEAST, 1 - _LEAST)
    return np.log(bounded) - np.log1p(-bounded)


def latent_scale_of(scores: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Place rows and thresholds on one line, by least squares.

    Parameters
    ----------
    scores : ndarray of shape (n, n_levels - 1)
        Of `latent_scores`: the distance of each threshold from each row.

    Returns
    -------
    positions : ndarray of shape (n,)
        Of the rows, with the mean 0.
    thresholds : ndarray of shape (n_levels - 1,)
        Increasing, as the scores of each row.

    Examples
    --------
    >>> latent_scale_of(np.array([[0.0, 1.0], [-2.0, -1.0]]))
    (array([-1.,  1.]), array([-1.,  0.]))
    """
    return scores.mean() - scores.mean(axis=1), scores.mean(axis=0)


def levels_on_scale(probabilities: np.ndarray, codes: np.ndarray) -> dict[str, list[float]]:
    """Describe where the rows of each level lie on the latent scale.

    Parameters
    ----------
    probabilities : ndarray of shape (n, n_levels)
        Rows sum to 1.
    codes : ndarray of int, shape (n,)
        True levels.

    Returns
    -------
    dict
        "thresholds", and "level_means" and "level_sds" of the positions; a level without rows is in
        the middle between its thresholds.
    """
    positions, thresholds = latent_scale_of(latent_scores(probabilities))
    edges = np.concatenate([thresholds[:1], thresholds, thresholds[-1:]])
    by_level = pd.Series(positions).groupby(codes)
    rows = by_level.agg(["mean", "std"]).reindex(range(probabilities.shape[1]))
    return {
        "thresholds": thresholds.tolist(),
        "level_means": rows["mean"].fillna(pd.Series((edges[1:] + edges[:-1]) / 2)).tolist(),
        "level_sds": rows["std"].fillna(0.0).tolist(),
    }
