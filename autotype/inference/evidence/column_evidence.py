"""Weigh the evidence on a candidate: its labels, and how the other columns predict it."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import exp, lgamma, log, nan
from typing import Any

import numpy as np
from scipy.special import fdtrc, ndtri, ndtri_exp

from autotype.inference.evidence.between_scatter import BetweenScatter, LevelSums
from autotype.inference.evidence.isotonic import isotonic_fit
from autotype.inference.evidence.order_search import (
    OrderSearch,
    best_order,
    order_log_weights,
    ranks_along,
    rejected_levels,
    search_order,
    up_to_reversal,
)
from autotype.inference.evidence.predictors import (
    DesignMatrix,
    FramePredictors,
    predictors_for,
)
from autotype.inference.judges.label_judge import JudgeVerdict
from autotype.inference.labels.column_name import read_name, score_name
from autotype.inference.labels.evidence import NO_LABELS, NO_RULE, LabelEvidence
from autotype.inference.labels.text_model import shipped_text_models
from autotype.inference.learned import load_learned
from autotype.inference.sampling.sampled_column import SampledColumn
from autotype.models.gaussian_process.weight_space.ordinal_laplace import leave_one_out_ordinal
from autotype.models.gaussian_process.weight_space.softmax_laplace import (
    SoftmaxProblem,
    fit_softmax,
    leave_one_out_softmax,
)
from autotype.types.batteries import hold_word

_MIN_LEVELS = 3  # on the scale: two levels have no order
_TOLERANCE = 1e-7  # nats; the evidence is then exact to about 1e-4
_N_TRENDS = 12  # predictors whose trend along the order is examined


@dataclass(frozen=True)
class DataFeatures:
    """The numbers on type and order that the models weigh; 0 where one cannot be computed.

    Attributes
    ----------
    predictability : float
        The smaller z statistic of two: the multi-class model's leave-one-out gain over the level
        shares, and the test that the level means of the predictors are equal.
    evidence_gain : float
        Log evidence of the ordinal model less that of the multi-class model, less log(L!/2) for
        the orders searched; signed square root.
    captured : float
        Share of the multi-class model's leave-one-out gain that the ordinal model reaches.
    monotone_share : float
        Share of the between-level sum of squares that monotone trends of the numeric predictors
        explain.
    order_weight : float
        Posterior weight of the best order, in (0, 1].
    halves_agree : float
        |tau| between the orders found on two halves of the predictors.
    canonical_agrees : float
        |tau| between the best order and that of the first canonical direction.
    """

    predictability: float = 0.0
    evidence_gain: float = 0.0
    captured: float = 0.0
    monotone_share: float = 0.0
    order_weight: float = 0.0
    halves_agree: float = 0.0
    canonical_agrees: float = 0.0


@dataclass(frozen=True)
class LatentScale:
    """The levels on the ordinal model's latent scale, along the data's best order.

    Attributes
    ----------
    thresholds : tuple of float, length L - 1
        Strictly increasing.
    means, deviations : tuple of float, length L
        Mean and standard deviation of the latent function over the rows of each level.
    """

    thresholds: tuple[float, ...]
    means: tuple[float, ...]
    deviations: tuple[float, ...]


@dataclass(frozen=True)
class DataEvidence:
    """The evidence of the other columns on one column.

    Attributes
    ----------
    order : tuple of int
        Codes of the levels along the best order, up to reversal.
    log_weights : mapping
        Order -> log posterior weight, best first, for the best few and the suggested order.
    ties : tuple of tuple of int
        Stretches of `order` whose levels the data leave open.
    scatter : BetweenScatter
        Positions of the levels relative to each other.
    features : DataFeatures
        The numbers for the verdict.
    loo_ordinal, loo_multiclass, loo_baseline : float
        Mean leave-one-out log probability of a row by the two models and by the level shares.
    log_evidence_ordinal, log_evidence_multiclass : float
        Laplace log evidences.
    n_rows, n_predictors : int
        Size of the data.
    latent : LatentScale
        Positions of the levels on the ordinal model's latent scale.
    top_predictors : tuple of (name, share)
        Predictors with the largest shares of the latent function's variance.
    """

    order: tuple[int, ...]
    log_weights: Mapping[tuple[int, ...], float]
    ties: tuple[tuple[int, ...], ...]
    scatter: BetweenScatter
    features: DataFeatures
    loo_ordinal: float
    loo_multiclass: float
    loo_baseline: float
    log_evidence_ordinal: float
    log_evidence_multiclass: float
    n_rows: int
    n_predictors: int
    latent: LatentScale
    top_predictors: tuple[tuple[str, float], ...]

    @property
    def predictable(self) -> bool:
        """Whether the other columns predict this one at all, judged by the multi-class model."""
        return self.features.predictability >= load_learned().constants.min_predictability_z

    @property
    def ordinal_gain(self) -> float:
        """Leave-one-out log likelihood of all rows by the ordinal model, less the level shares'."""
        return self.n_rows * (self.loo_ordinal - self.loo_baseline)

    def log_weight(self, order: tuple[int, ...]) -> float:
        """Compute the log posterior weight of any order of the levels, up to reversal."""
        both = np.array([self.order, order])
        best, other = order_log_weights(self.scatter, both)
        return self.log_weights[self.order] + float(other - best)

    def gap(self, order: tuple[int, ...]) -> float:
        """Return by how much an order's log weight is below the best; NaN if it was not kept."""
        return self.log_weights[self.order] - self.log_weights.get(up_to_reversal(order), np.nan)


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
    search = search_order(predictors.X, codes, n_levels, suggested=suggested)
    multiclass = SoftmaxProblem(predictors.X, codes, n_levels)
    multiclass_fit = fit_softmax(multiclass, tol=_TOLERANCE)
    by_order = leave_one_out_ordinal(search.problem, search.fit).best
    by_class = leave_one_out_softmax(multiclass, multiclass_fit)
    counts = np.bincount(codes, minlength=n_levels)
    baseline = np.log((counts[codes] - 1 + 1.0) / (len(codes) - 1 + n_levels))
    gain = search.fit.log_evidence - multiclass_fit.log_evidence - _log_orders(n_levels)
    captured = (by_order - baseline).mean() / max((by_class.best - baseline).mean(), 1e-3)
    features = DataFeatures(
        predictability=min(
            _predictability(by_class.best - baseline, predictors, search.sums),
            _separation_z(search.scatter.strengths, len(codes), predictors.X.shape[1], n_levels),
        ),
        evidence_gain=float(np.sign(gain) * np.sqrt(abs(gain))),
        captured=float(np.clip(captured, -1.0, 2.0)),
        monotone_share=_monotone_share(
            search.sums.of_predictors(predictors.is_number), search.order
        ),
        order_weight=exp(search.log_weights[search.order]),
        halves_agree=_halves_agree(predictors.source, search.sums),
        canonical_agrees=order_agreement(search.order, search.canonical),
    )
    return DataEvidence(
        order=search.order,
        log_weights=search.log_weights,
        ties=search.ties,
        scatter=search.scatter,
        features=features,
        loo_ordinal=float(by_order.mean()),
        loo_multiclass=float(by_class.best.mean()),
        loo_baseline=float(baseline.mean()),
        log_evidence_ordinal=search.fit.log_evidence,
        log_evidence_multiclass=multiclass_fit.log_evidence,
        n_rows=len(codes),
        n_predictors=predictors.X.shape[1],
        latent=_latent_scale(search),
        top_predictors=_top_predictors(predictors, search),
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


def _log_orders(n_levels: int) -> float:
    """Return log(L!/2), where L!/2 is the number of orders up to reversal."""
    return lgamma(n_levels + 1) - log(2.0)


def _predictability(gain: np.ndarray, predictors: DesignMatrix, sums: LevelSums) -> float:
    """Compute the gain's z, reduced for degrees of freedom spent and for selected predictors."""
    n_rows, n_predictors = predictors.X.shape
    freedom = max(n_rows - n_predictors - len(sums.counts), 1) / n_rows
    return min(_z(gain), _choice_z(predictors.n_offered, sums)) * float(np.sqrt(freedom))


def _separation_z(strengths: np.ndarray, n_rows: int, n_predictors: int, n_levels: int) -> float:
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


def _choice_z(n_offered: int, sums: LevelSums) -> float:
    """Test the strongest predictor, corrected for how many it was selected from.

    The z statistic, infinite where all predictors were taken: leave-one-out does not account for
    their selection on the same rows.
    """
    if not n_offered:
        return np.inf
    strongest = sums.between_level_f().max()
    n_levels, n_rows = len(sums.counts), int(sums.counts.sum())
    p_value = fdtrc(n_levels - 1, max(n_rows - n_levels, 1), strongest)
    return float(-ndtri(min(p_value * n_offered, 1.0)))


def _latent_scale(search: OrderSearch) -> LatentScale:
    latent, ranks = search.problem.X @ search.fit.coef, search.problem.ranks
    by_rank = [latent[ranks == k] for k in range(search.problem.n_levels)]
    return LatentScale(
        thresholds=tuple(search.fit.thresholds.tolist()),
        means=tuple(float(values.mean()) for values in by_rank),
        deviations=tuple(float(values.std()) for values in by_rank),
    )


def _top_predictors(
    predictors: DesignMatrix, search: OrderSearch, most: int = 8
) -> tuple[tuple[str, float], ...]:
    variance = search.fit.coef**2 * predictors.X.var(axis=0)
    share = variance / max(variance.sum(), 1e-300)
    strongest = np.argsort(-share, kind="stable")[:most]
    return tuple((predictors.names[k], round(float(share[k]), 4)) for k in strongest)


def _z(values: np.ndarray) -> float:
    """Compute the z statistic of a mean."""
    spread = values.std()
    return float(np.clip(values.mean() / (spread / np.sqrt(len(values)) + 1e-9), -50.0, 50.0))


def _monotone_share(sums: LevelSums, order: tuple[int, ...]) -> float:
    """Compute the share that monotone trends along the order explain, over the top predictors."""
    if not len(sums.gram):
        return 0.0
    top = np.argsort(-sums.between_level_f(), kind="stable")[:_N_TRENDS]
    means = (sums.sums[:, top] / sums.counts[:, None])[list(order)]
    weights = sums.counts[list(order)].astype(float)
    total = (weights[:, None] * means**2).sum()
    residual = sum(_isotonic_residual(column, weights) for column in means.T)
    return float(1.0 - residual / max(total, 1e-12))


def _isotonic_residual(means: np.ndarray, weights: np.ndarray) -> float:
    """Compute the residual sum of squares of the better of the two monotone fits."""
    rising, falling = isotonic_fit(means, weights), -isotonic_fit(-means, weights)
    return float(min(weights @ (means - rising) ** 2, weights @ (means - falling) ** 2))


def _halves_agree(source: np.ndarray, sums: LevelSums) -> float:
    """Compute |tau| between the closed-form orders on two halves of the predictors' columns."""
    sources = np.unique(source)
    if len(sources) < 2:
        return 0.0
    strength = sums.between_level_f()
    by_source = [strength[source == s].max() for s in sources]
    # Alternate, so that both halves hold strong and weak predictors.
    strongest_first = sources[np.argsort(by_source, kind="stable")[::-1]]
    half = np.isin(source, strongest_first[::2])
    one, other = (best_order(sums.of_predictors(part).scatter()) for part in (half, ~half))
    return order_agreement(one, other)


@dataclass(frozen=True)
class ColumnEvidence:
    """The evidence on one discrete column: labels, name, other columns, and the label judge.

    Attributes
    ----------
    name : hashable
        The column's name.
    levels : tuple
        Levels on the scale, most frequent first: their position is their code in `data`.
    off_scale : tuple
        Levels set aside.
    counts : mapping
        Level -> count in the whole frame, `off_scale` included.
    labels : LabelEvidence
        The reading of the levels' texts.
    data : DataEvidence or None
        The evidence of the other columns; None where they cannot predict.
    opaque : bool
        Whether no level holds a word, or the texts were not read.
    name_score : float
        What the words of the column's name suggest, from -1 (categorical) to 1 (ordinal).
    name_text : float
        Learned log odds of the column's name, see `labels.wording.text_model`.
    judged : JudgeVerdict or None
        The answer of the user's label judge.
    rejected_by_data : tuple
        The levels of `off_scale` that the data, not the labels, set aside.
    text_score : float
        Learned log odds of the levels' texts, see `labels.text_model`; NaN where they hold no word
        or are not to be used.
    n_alike : int
        Columns of the frame with the same levels, this one included.
    too_many_levels : bool
        Whether there are too many levels for a search over their orders.
    """

    name: Hashable
    levels: tuple
    off_scale: tuple
    counts: Mapping[Any, int]
    labels: LabelEvidence
    data: DataEvidence | None
    opaque: bool = False
    name_score: float = 0.0
    name_text: float = 0.0
    judged: JudgeVerdict | None = None
    rejected_by_data: tuple = ()
    text_score: float = nan
    n_alike: int = 1
    too_many_levels: bool = False

    @property
    def suggested(self) -> tuple[int, ...] | None:
        """The labels' order in codes, if it holds every level on the scale."""
        return self.in_codes(self.labels.order)

    def in_codes(self, order: tuple | None) -> tuple[int, ...] | None:
        """Return an order of the levels in codes; None unless it holds each level on the scale."""
        return _in_codes(order, self.levels)


def gather_evidence(
    column: SampledColumn,
    offered: FramePredictors,
    *,
    excluded: Sequence[int],
    labels: LabelEvidence | None,
    judged: JudgeVerdict | None = None,
    n_alike: int = 1,
) -> ColumnEvidence:
    """Gather the evidence on one column.

    Parameters
    ----------
    column : SampledColumn
        The column; its levels are listed.
    offered : FramePredictors
        Predictors of the whole frame.
    excluded : sequence of int
        Positions of the column itself and of its equivalent columns, which are not predictors.
    labels : LabelEvidence or None
        The reading of the levels' texts; None where they are not to be used.
    judged : JudgeVerdict, optional
        The answer of the user's label judge.
    n_alike : int
        Columns of the frame with the same levels, this one included.

    Returns
    -------
    ColumnEvidence
    """
    counts = dict(column.known_levels)
    opaque = labels is None or not hold_word(counts)
    text_score = nan if opaque else _text_score(counts, n_alike)
    labels = labels or NO_LABELS
    levels = _without(tuple(counts), labels.off_scale)
    if len(levels) < _MIN_LEVELS:
        # "yes", "no", "don't know": a scale of two is none, and the third may be a level like them.
        levels = tuple(counts)
        if labels.rule.trusted:
            labels = replace(labels, rule=NO_RULE, order=None, off_scale=())
    data = _weigh_levels(column, levels, labels=labels, offered=offered, excluded=excluded)
    rejected = _rejected_by_data(labels, levels, data)
    if rejected:
        # Only a predictable column may have levels rejected, which the first pass has to show.
        levels = _without(levels, rejected)
        data = _weigh_levels(column, levels, labels=labels, offered=offered, excluded=excluded)
    return ColumnEvidence(
        name=column.name,
        levels=levels,
        off_scale=_without(tuple(counts), levels),
        counts=counts,
        labels=labels,
        data=data,
        opaque=opaque,
        name_score=read_name(column.name),
        name_text=score_name(column.name),
        judged=judged,
        rejected_by_data=rejected,
        text_score=text_score,
        n_alike=n_alike,
        too_many_levels=column.levels is None,
    )


def _text_score(levels: Iterable[Hashable], n_alike: int) -> float:
    """Score the texts of the levels; NaN where fewer than two are texts."""
    texts = [level for level in levels if isinstance(level, str)]
    levels_model, _ = shipped_text_models()
    return levels_model.log_odds(texts, n_columns=n_alike)


def _weigh_levels(
    column: SampledColumn,
    levels: tuple,
    *,
    labels: LabelEvidence,
    offered: FramePredictors,
    excluded: Sequence[int],
) -> DataEvidence | None:
    """Weigh the other columns on the rows whose level is one of `levels`."""
    if column.levels is None:
        return None  # too many levels for a search over their orders
    codes = level_codes(column, levels)
    on_scale = codes >= 0
    codes, rows = codes[on_scale], column.rows[on_scale]
    predictors = predictors_for(offered, excluded, codes, rows)
    return weigh_data(predictors, codes, len(levels), suggested=_in_codes(labels.order, levels))


def _rejected_by_data(labels: LabelEvidence, levels: tuple, data: DataEvidence | None) -> tuple:
    """Find the levels that a trusted rule does not place, nor the data anywhere on its scale."""
    if data is None or not data.predictable or not labels.rule.trusted:
        return ()
    code = {level: k for k, level in enumerate(levels)}
    placed = [code.pop(level) for level in labels.order or () if level in code]
    if len(placed) < _MIN_LEVELS or not code:
        return ()
    return tuple(levels[k] for k in rejected_levels(data.scatter, placed, list(code.values())))


def _without(levels: tuple, others: tuple) -> tuple:
    """Leave some levels out, by their hash: () and a numpy.timedelta64 cannot be compared."""
    left_out = set(others)
    return tuple(level for level in levels if level not in left_out)


def places_of(levels: Sequence[Any]) -> dict[Any, int]:
    """Return the place of each level; unlike `list.index` this compares no level with another.

    Examples
    --------
    >>> places_of(("low", "high"))
    {'low': 0, 'high': 1}
    """
    return {level: place for place, level in enumerate(levels)}


def level_codes(column: SampledColumn, levels: tuple) -> np.ndarray:
    """Return the positions in `levels` of a column's values at its rows; -1 for other values."""
    code = places_of(levels)
    codes, held = column.coded
    lookup = np.array([*(code.get(level, -1) for level in held), -1], dtype=np.intp)
    return lookup[codes[column.rows]]


def _in_codes(order: tuple | None, levels: tuple) -> tuple[int, ...] | None:
    if order is None or set(order) != set(levels):
        return None
    places = places_of(levels)
    return tuple(places[level] for level in order)
