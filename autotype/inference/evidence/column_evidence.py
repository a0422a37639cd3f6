"""Weigh the evidence on a candidate: its labels, and how the other columns predict it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import exp, lgamma, log

import numpy as np
from scipy.special import fdtrc, ndtri, ndtri_exp

from autotype.inference.column import Column, in_codes, places_of, without
from autotype.inference.evidence.between_scatter import LevelSums
from autotype.inference.evidence.data_evidence import DataEvidence
from autotype.inference.evidence.order_search import (
    canonical_order,
    ranks_along,
    rejected_levels,
    search_order,
)
from autotype.inference.evidence.predictors import DesignMatrix, FramePredictors, predictors_for
from autotype.inference.labels.column_name import read_name, score_name
from autotype.inference.labels.evidence import NO_LABELS, NO_RULE, LabelEvidence
from autotype.inference.labels.text_model import shipped_text_models
from autotype.lexicon.tokens import without_lead
from autotype.models.gaussian_process.weight_space.ordinal_laplace import (
    OrdinalPosterior,
    OrdinalProblem,
    fit_ordinal,
    leave_one_out_ordinal,
)
from autotype.models.gaussian_process.weight_space.softmax_laplace import (
    SoftmaxProblem,
    fit_softmax,
    leave_one_out_softmax,
)
from autotype.types.levels import hold_word

_MIN_LEVELS = 3  # on the scale: two levels have no order
_TOLERANCE = 1e-7  # nats; the evidence is then exact to about 1e-4
_N_TRENDS = 12  # predictors whose trend along the order is examined


def weigh_data(
    predictors: DesignMatrix,
    codes: np.ndarray,
    n_levels: int,
    *,
    suggested: tuple[int, ...] | None = None,
) -> DataEvidence | None:
    """Compare the ordinal with the multi-class model on one column.

    Parameters
    ----------
    predictors : DesignMatrix
        The column's predictors, see `predictors_for`.
    codes : ndarray of int, shape (n,)
        Levels 0 .. n_levels - 1, every one observed.
    n_levels : int
        L >= 3.
    suggested : tuple of int, optional
        The order that the labels suggest.

    Returns
    -------
    DataEvidence or None
        None where there are no predictors, or too few rows.

    References
    ----------
    Hernandez-Lobato et al. (2014), Learning the semantics of discrete random variables.
    """
    if predictors.X.shape[1] == 0 or len(codes) <= n_levels:
        return None
    sums = LevelSums(predictors.X, codes, n_levels)
    scatter = sums.scatter()
    log_weights, ties = search_order(scatter, suggested)
    order = next(iter(log_weights))
    ordinal = OrdinalProblem(predictors.X, ranks_along(order)[codes], n_levels)
    ordinal_fit = fit_ordinal(ordinal)
    multiclass = SoftmaxProblem(predictors.X, codes, n_levels)
    multiclass_fit = fit_softmax(multiclass, tol=_TOLERANCE)
    # Of the two ways of leaving out, the one with the better mean.
    by_order = max(leave_one_out_ordinal(ordinal, ordinal_fit), key=np.mean)
    by_class = max(leave_one_out_softmax(multiclass, multiclass_fit), key=np.mean)
    counts = np.bincount(codes, minlength=n_levels)
    baseline = np.log((counts[codes] - 1 + 1.0) / (len(codes) - 1 + n_levels))
    gain = ordinal_fit.log_evidence - multiclass_fit.log_evidence
    gain -= lgamma(n_levels + 1) - log(2.0)  # of L!/2, the orders up to reversal
    n_rows = len(codes) / predictors.inflation
    separation = _separation_z(scatter.strengths, n_rows, predictors.X.shape[1], n_levels)
    is_tested = np.isfinite(separation) and not predictors.is_selected
    captured = (by_order - baseline).mean() / max((by_class - baseline).mean(), 1e-3)
    return DataEvidence(
        order=order,
        log_weights=log_weights,
        ties=ties,
        scatter=scatter,
        features={
            # Of two z statistics the smaller: the multi-class model's leave-one-out gain over the
            # proportions of the levels, and the test that the predictors' level means are equal.
            "predictability": min(
                _predictability(by_class - baseline, predictors, n_levels), separation
            ),
            # That test alone; of the strongest of more predictors it shows nothing.
            "separation": separation if is_tested else 0.0,
            "evidence_gain": float(np.sign(gain) * np.sqrt(abs(gain) / predictors.inflation)),
            "captured": float(np.clip(captured, -1.0, 2.0)),
            # Of the between-level sum of squares, explained by monotone trends of the numbers.
            "monotone_share": _monotone_share(sums, predictors.is_number, order),
            "order_weight": exp(log_weights[order]),
            # |tau| between the best order and that of the first canonical direction.
            "canonical_agrees": order_agreement(order, canonical_order(scatter, 0)),
        },
        numbers={
            "loo_ordinal": float(by_order.mean()),
            "loo_multiclass": float(by_class.mean()),
            "loo_baseline": float(baseline.mean()),
            "log_evidence_ordinal": ordinal_fit.log_evidence,
            "log_evidence_multiclass": multiclass_fit.log_evidence,
            "n_predictors": predictors.X.shape[1],
            "effective_rows": n_rows,
            "data_order": list(order),
            **_latent_scale(ordinal, ordinal_fit),
            "top_predictors": _top_predictors(predictors, ordinal_fit),
        },
        n_rows=len(codes),
    )


def order_agreement(one: tuple[int, ...], other: tuple[int, ...]) -> float:
    """Compute |Kendall tau| between two orders of the same levels.

    Examples
    --------
    >>> order_agreement((0, 1, 2), (2, 1, 0))
    1.0
    """
    ranks = ranks_along(other)[list(one)]
    n_pairs = len(one) * (len(one) - 1) // 2
    n_concordant = int(np.triu(ranks[:, None] < ranks).sum())
    return round(abs(2 * n_concordant - n_pairs) / n_pairs, 12)


def _predictability(gain: np.ndarray, predictors: DesignMatrix, n_levels: int) -> float:
    """Compute the gain's z, reduced for degrees of freedom spent and for dependent rows.

    It is at most that of the strongest predictor, corrected for how many it was selected from:
    leave-one-out does not account for their selection on the same rows.
    """
    n_rows, n_predictors = predictors.X.shape
    freedom = max(n_rows - n_predictors - n_levels, 1) / n_rows
    z = _z(gain) * np.sqrt(freedom / predictors.inflation)
    return float(min(z, -ndtri(max(predictors.p_value, 1e-300))))


def _separation_z(strengths: np.ndarray, n_rows: float, n_predictors: int, n_levels: int) -> float:
    """Test that the level means of the predictors are equal, by Pillai's trace.

    The z statistic, infinite where there are too few rows for the test. The leave-one-out gain
    alone would pass on noise: its spread over rows is as small as the gain itself.

    References
    ----------
    Pillai (1955), Some new test criteria in multivariate analysis.
    """
    directions = min(n_predictors, n_levels - 1)
    m = (abs(n_predictors - n_levels + 1) - 1) / 2
    n = (n_rows - n_levels - n_predictors - 1) / 2
    if n <= 0:
        return np.inf
    trace = min(float(strengths[:directions].sum()), directions - 1e-9)
    between, within = 2 * m + directions + 1, 2 * n + directions + 1
    statistic = within / between * trace / (directions - trace)
    with np.errstate(divide="ignore"):
        log_p = np.log(fdtrc(directions * between, directions * within, statistic))
    return float(-ndtri_exp(log_p)) if log_p < 0 else -np.inf


def _latent_scale(problem: OrdinalProblem, fit: OrdinalPosterior) -> dict[str, list[float]]:
    """Return the levels on the ordinal model's latent scale, along the best order."""
    latent = problem.X @ fit.coef
    by_rank = [latent[problem.ranks == k] for k in range(problem.n_levels)]
    return {
        "thresholds": fit.thresholds.tolist(),
        "level_means": [float(values.mean()) for values in by_rank],
        "level_sds": [float(values.std()) for values in by_rank],
    }


def _top_predictors(
    predictors: DesignMatrix, fit: OrdinalPosterior, most: int = 8
) -> list[list[str | float]]:
    """Return the predictors with the largest proportions of the latent function's variance."""
    variance = fit.coef**2 * predictors.X.var(axis=0)
    share = variance / max(variance.sum(), 1e-300)
    strongest = np.argsort(-share, kind="stable")[:most]
    return [[predictors.names[k], round(float(share[k]), 4)] for k in strongest]


def _z(values: np.ndarray) -> float:
    """Compute the z statistic of a mean."""
    spread = values.std()
    return float(np.clip(values.mean() / (spread / np.sqrt(len(values)) + 1e-9), -50.0, 50.0))


def _monotone_share(sums: LevelSums, is_number: np.ndarray, order: tuple[int, ...]) -> float:
    """Compute the share that monotone trends along the order explain, over the top numbers."""
    numbers = np.flatnonzero(is_number)
    if not len(numbers):
        return 0.0
    top = numbers[np.argsort(-sums.between_level_f()[numbers], kind="stable")[:_N_TRENDS]]
    means = (sums.sums[:, top] / sums.counts[:, None])[list(order)]
    weights = sums.counts[list(order)].astype(float)
    total = (weights[:, None] * means**2).sum()
    residual = sum(_isotonic_residual(column, weights) for column in means.T)
    return float(1.0 - residual / max(total, 1e-12))


def _isotonic_residual(means: np.ndarray, weights: np.ndarray) -> float:
    """Compute the residual sum of squares of the better of the two monotone fits."""
    rising, falling = isotonic_fit(means, weights), -isotonic_fit(-means, weights)
    return float(min(weights @ (means - rising) ** 2, weights @ (means - falling) ** 2))


def isotonic_fit(values: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Compute the non-decreasing values of least weighted squared distance.

    `scipy.optimize` has it as well, whose import takes longer than a small frame.

    Parameters
    ----------
    values : ndarray of shape (n,)
        A few: the loop is one of Python.
    weights : ndarray of shape (n,)
        Positive.

    Returns
    -------
    ndarray of shape (n,)

    References
    ----------
    Ayer et al. (1955), An empirical distribution function for sampling with incomplete information.

    Examples
    --------
    >>> isotonic_fit(np.array([1.0, 4.0, 2.0]), np.array([1.0, 1.0, 3.0]))
    array([1. , 2.5, 2.5])
    """
    # Adjacent violators are pooled: a stack of blocks of rising mean, each with weight and size.
    blocks: list[tuple[float, float, int]] = []
    for mean, weight in zip(values.tolist(), weights.tolist(), strict=True):
        size = 1
        while blocks and blocks[-1][0] >= mean:
            before, mass, count = blocks.pop()
            mean = (before * mass + mean * weight) / (mass + weight)
            weight += mass
            size += count
        blocks.append((mean, weight, size))
    means, _, sizes = zip(*blocks, strict=True)
    return np.repeat(means, sizes)


# What the other columns show of one: its levels on the scale, those of them that the data reject,
# and the evidence on the rest.
Weighed = tuple[tuple, tuple, DataEvidence | None]
# What it is computed from: the arguments of `weigh_scale`.
Begun = tuple[np.ndarray, np.ndarray, tuple, LabelEvidence, Sequence[int]]


def begin_evidence(column: Column) -> Begun:
    """Find the levels on the scale of a column by its labels, and score their wording.

    Parameters
    ----------
    column : Column
        The column; its levels are listed. It receives its `scale`, `is_opaque`, its scores, and a
        `reading` that is not None.

    Returns
    -------
    tuple
        The first arguments of `weigh_scale`, which workers receive instead of the column.
    """
    levels = tuple(column.known_levels)
    labels = column.reading or NO_LABELS
    column.scale = without(levels, labels.off_scale)
    name = column.name if column.title == str(column.name) else column.title
    column.name_score, column.name_text = read_name(name), score_name(name)
    # Without "refused": codes beside it are no words, and it names nothing.
    worded = [column.texts.get(level, level) for level in column.scale]
    column.is_opaque = column.reading is None or not hold_word(worded)
    if not column.is_opaque:
        texts = [text for text in worded if isinstance(text, str)]
        if labels.apart:  # what lists different matters grades none
            texts = list(map(without_lead, texts))
        column.text_score = shipped_text_models()[0].log_odds(texts, n_columns=column.n_alike)
    if len(column.scale) < _MIN_LEVELS:
        # "yes", "no", "don't know": a scale of two is none, and the third may be a level like them.
        column.scale = levels
        if labels.rule.trusted:
            labels = replace(labels, rule=NO_RULE, order=None, off_scale=())
    column.reading = labels
    codes, rows = np.empty((2, 0), dtype=np.intp)
    if column.levels is not None:  # else too many for a search over their orders
        codes, rows = level_codes(column, column.scale), column.rows
    return codes, rows, column.scale, labels, column.excluded


def weigh_scale(
    codes: np.ndarray,
    rows: np.ndarray,
    scale: tuple,
    labels: LabelEvidence,
    excluded: Sequence[int],
    offered: FramePredictors,
) -> Weighed:
    """Weigh the other columns on one, and set the levels aside that they reject.

    Parameters
    ----------
    codes : ndarray of int
        The levels of some rows, as positions in `scale`; -1 for other values.
    rows : ndarray of int
        These rows of the sample.
    scale : tuple
        The levels on the scale, by the labels.
    labels : LabelEvidence
        The reading of the labels.
    excluded : sequence of int
        Positions of the column itself and of its equivalent columns, which are not predictors.
    offered : FramePredictors
        Predictors of the whole frame.

    Returns
    -------
    tuple
        See `Weighed`.
    """
    rejected: tuple = ()
    while True:
        is_held = codes >= 0
        if not is_held.any():
            return scale, rejected, None  # too many levels for a search over their orders
        predictors = predictors_for(offered, excluded, codes[is_held], rows[is_held])
        suggested = in_codes(labels.order, scale)
        data = weigh_data(predictors, codes[is_held], len(scale), suggested=suggested)
        # Only a predictable column may have levels rejected, which the first pass has to show.
        found = () if rejected else _rejected_by_data(labels, scale, data)
        if not found:
            return scale, rejected, data
        kept = without(scale, found)
        places = places_of(kept)
        codes = np.array([*(places.get(level, -1) for level in scale), -1])[codes]
        scale, rejected = kept, found


def _rejected_by_data(labels: LabelEvidence, levels: tuple, data: DataEvidence | None) -> tuple:
    """Find the levels that a trusted rule does not place, nor the data anywhere on its scale."""
    if data is None or not data.predictable or not labels.rule.trusted:
        return ()
    code = {level: k for k, level in enumerate(levels)}
    placed = [code.pop(level) for level in labels.order or () if level in code]
    if len(placed) < _MIN_LEVELS or not code:
        return ()
    return tuple(levels[k] for k in rejected_levels(data.scatter, placed, list(code.values())))


def level_codes(column: Column, levels: tuple) -> np.ndarray:
    """Return the positions in `levels` of a column's values at its rows; -1 for other values."""
    code = places_of(levels)
    codes, held = column.coded
    lookup = np.array([*(code.get(level, -1) for level in held), -1], dtype=np.intp)
    return lookup[codes[column.rows]]
