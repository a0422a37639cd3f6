"""Ordinal or categorical by the method of 2014: EP models and a greedy search over swaps.

The search fits a Gaussian process for each swap of two levels, and is the slow reference for
`column_evidence.py` and `order_search.py` of `inference/evidence`, which were made to be fast.

The type of one column by the method of 2014: the better of two models on held-out rows.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations
from typing import Any

import numpy as np
from joblib import Parallel, delayed

from autotype.inference.column import Column
from autotype.inference.evidence.column_evidence import level_codes
from autotype.inference.evidence.order_search import ranks_along, up_to_reversal
from autotype.inference.evidence.predictors import FramePredictors, predictors_for
from autotype.models.gaussian_process.solvers.class_precision import ClassLatents
from autotype.models.gaussian_process.solvers.evidence_ascent import Evidence, ascend
from autotype.models.gaussian_process.solvers.probit_ep import probit_latents, probit_probabilities
from autotype.models.gaussian_process.solvers.probit_sites import MultinomialProbitSites
from autotype.paper2014.kernels import PaperKernel, paper_kernel
from autotype.paper2014.threshold_ep import ThresholdPosterior, fit_threshold_ep
from autotype.types.column_type import ColumnType

_NOISE_START = np.log(0.5)
# Below, the evidence is flat in the noise: an ascent that strays there does not come back.
_NOISE_BOUNDS = (np.log(1e-2), np.log(1e3))
_TOLERANCE = {"ftol": 1e-6, "gtol": 1e-2, "maxls": 10}


class LearnedModel:
    """A model with its hyper-parameters learned.

    Parameters
    ----------
    theta : ndarray
        Logs of the kernel's hyper-parameters, and of the ordinal model's noise variance.
    posterior : ThresholdPosterior or ClassLatents
        At theta, of the ordinal or of the multi-class model.
    kernel : PaperKernel
        The kernel.
    order : tuple of int
        Codes along the order of the ordinal model, lowest first; empty for the multi-class model.
    """

    def __init__(
        self,
        theta: np.ndarray,
        posterior: ThresholdPosterior | ClassLatents,
        kernel: PaperKernel,
        order: tuple[int, ...] = (),
    ) -> None:
        self.theta, self.posterior, self.kernel, self.order = theta, posterior, kernel, order
        self.log_evidence = float(posterior.log_evidence)

    def probabilities(self, X: np.ndarray) -> np.ndarray:
        """Compute predictive probabilities, columns by code."""
        if isinstance(self.posterior, ClassLatents):
            cross = self.kernel.matrix(self.theta, X)
            return probit_probabilities(self.posterior, cross, self.kernel.diagonal(self.theta, X))
        features = self.kernel.features(self.theta, X)
        return self.posterior.probabilities(*features)[:, ranks_along(self.order)]


def fit_along(
    kernel: PaperKernel,
    codes: np.ndarray,
    order: tuple[int, ...],
    *,
    start: LearnedModel | None = None,
    max_iter: int = 50,
) -> LearnedModel:
    """Fit the ordinal model along an order by gradient ascent on EP's evidence.

    Parameters
    ----------
    kernel : PaperKernel
        Of the training rows.
    codes : ndarray of int, shape (n,)
        Levels.
    order : tuple of int
        Codes, lowest first.
    start : LearnedModel, optional
        Whose hyper-parameters to start from, where they are better than the usual start.
    max_iter : int
        Most iterations of L-BFGS-B.

    Returns
    -------
    LearnedModel
    """
    evidence = _OrdinalEvidence(kernel, codes, order)
    starts = [np.array([*kernel.start, _NOISE_START])]
    if start is not None:
        # Along a wrong order the signal's amplitude may have vanished, from where no ascent
        # returns: the usual start competes.
        starts.append(start.theta)
    bounds = np.array([*kernel.bounds, _NOISE_BOUNDS])
    n_best = None if start is None else 1
    ascent = ascend(
        evidence, starts, bounds, tolerance=_TOLERANCE, max_iter=max_iter, n_best=n_best
    )
    theta = ascent.parameters
    return LearnedModel(theta, evidence.posterior(theta), kernel, order)


class _OrdinalEvidence(Evidence[ThresholdPosterior]):
    """Minus the evidence of the ordinal model along an order, in ln a, perhaps ln l, and ln s2."""

    def __init__(self, kernel: PaperKernel, codes: np.ndarray, order: tuple[int, ...]) -> None:
        super().__init__(fit_threshold_ep)
        self.kernel = kernel
        self.ranks, self.n_levels = ranks_along(order)[codes], len(order)

    def arguments(self, parameters: np.ndarray) -> tuple[Any, ...]:
        """Return features, ranks, their number and the noise variance."""
        Z, _ = self.kernel.features(parameters)
        return Z, self.ranks, self.n_levels, float(np.exp(parameters[-1]))

    def slope(self, parameters: np.ndarray, posterior: ThresholdPosterior) -> np.ndarray:
        """Compute the gradient of the log evidence."""
        slopes = self.kernel.slopes(parameters, posterior.kernel_gradient)
        return np.array([*slopes, posterior.log_noise_gradient])


def fit_classes(
    kernel: PaperKernel, codes: np.ndarray, n_levels: int, *, max_iter: int = 50
) -> LearnedModel:
    """Fit the multi-class model by gradient ascent on EP's evidence; parameters as `fit_along`."""
    evidence = _MulticlassEvidence(kernel, MultinomialProbitSites(codes, n_levels))
    starts, bounds = [np.array(kernel.start)], np.array(kernel.bounds)
    theta = ascend(evidence, starts, bounds, tolerance=_TOLERANCE, max_iter=max_iter).parameters
    return LearnedModel(theta, evidence.posterior(theta), kernel)


class _MulticlassEvidence(Evidence[ClassLatents]):
    """Minus the evidence of the multi-class model."""

    def __init__(self, kernel: PaperKernel, rows: MultinomialProbitSites) -> None:
        super().__init__(probit_latents)
        self.kernel, self.rows = kernel, rows

    def arguments(self, parameters: np.ndarray) -> tuple[Any, ...]:
        """Return the kernel matrix and the rows."""
        return self.kernel.matrix(parameters), self.rows

    def slope(self, parameters: np.ndarray, posterior: ClassLatents) -> np.ndarray:
        """Compute the gradient of the log evidence."""
        return np.array(self.kernel.slopes(parameters, posterior.gradient))


def search_by_swaps(
    kernel: PaperKernel,
    codes: np.ndarray,
    n_levels: int,
    *,
    random_state: int = 0,
    n_jobs: int | None = None,
) -> LearnedModel:
    """Search the order greedily over all pairwise swaps (Algorithm 1).

    Parameters
    ----------
    kernel : PaperKernel
        Of the training rows.
    codes : ndarray of int, shape (n,)
        Levels 0 .. n_levels - 1, every one observed.
    n_levels : int
        L >= 3.
    random_state : int
        Seed of the first permutation.
    n_jobs : int, optional
        Workers of the inner loop, as in joblib.

    Returns
    -------
    LearnedModel
        Along the best order found, up to reversal.
    """
    first = np.random.default_rng(random_state).permutation(n_levels)
    best = fit_along(kernel, codes, up_to_reversal(tuple(first)))
    known = {best.order: best}
    while True:
        swaps = list(dict.fromkeys(_swaps(best.order)))
        new = [order for order in swaps if order not in known]
        # Hyper-parameters are optimised again, from those of the incumbent.
        fits = Parallel(n_jobs=n_jobs)(
            delayed(fit_along)(kernel, codes, order, start=best) for order in new
        )
        known.update(zip(new, fits, strict=True))
        better = max((known[order] for order in swaps), key=lambda fit: fit.log_evidence)
        if better.log_evidence <= best.log_evidence:
            return best
        best = better


def _swaps(order: tuple[int, ...]) -> list[tuple[int, ...]]:
    """Return the orders that one exchange of two levels leads to."""
    swapped = []
    for i, j in combinations(range(len(order)), 2):
        new = list(order)
        new[i], new[j] = new[j], new[i]
        swapped.append(up_to_reversal(tuple(new)))
    return swapped


def compare_models(
    X: np.ndarray,
    codes: np.ndarray,
    n_levels: int,
    *,
    kernel: str = "linear",
    random_state: int = 0,
    n_jobs: int | None = None,
) -> tuple[tuple[int, ...], dict[str, float]]:
    """Compare the two models of the 2014 method, the ordinal one along its best order.

    Parameters
    ----------
    X : ndarray of shape (n, d)
        Predictors, standardised.
    codes : ndarray of int, shape (n,)
        Levels 0 .. n_levels - 1, every one observed.
    n_levels : int
        L >= 3.
    kernel : {"linear", "linear-bias", "rbf"}
        Covariance of the latents.
    random_state : int
        Seed of the split and of the first permutation.
    n_jobs : int, optional
        Workers of the search, as in joblib.

    Returns
    -------
    order : tuple of int
        Codes along the best order, up to reversal.
    figures : dict
        Of the ordinal and the multi-class model, ``tll_...`` is the mean log probability of the
        held-out third, and ``log_evidence_...`` EP's log evidence on all rows, hyper-parameters
        (and order) maximised.

    Raises
    ------
    ValueError
        For an unknown kernel.
    """
    whole = paper_kernel(kernel, X)
    ordinal = search_by_swaps(whole, codes, n_levels, random_state=random_state, n_jobs=n_jobs)
    classes = fit_classes(whole, codes, n_levels)
    train, test = _split(codes, random_state)
    part = paper_kernel(kernel, X[train])
    tll_ordinal, tll_classes = (
        mean_log_probability(fit.probabilities(X[test]), codes[test])
        for fit in (
            search_by_swaps(part, codes[train], n_levels, random_state=random_state, n_jobs=n_jobs),
            fit_classes(part, codes[train], n_levels),
        )
    )
    return ordinal.order, {
        "tll_ordinal": tll_ordinal,
        "tll_multiclass": tll_classes,
        "log_evidence_ordinal": ordinal.log_evidence,
        "log_evidence_multiclass": classes.log_evidence,
    }


def mean_log_probability(probabilities: np.ndarray, codes: np.ndarray) -> float:
    """Compute the mean log probability of the levels that occurred."""
    return float(np.log(probabilities[np.arange(len(codes)), codes]).mean())


def _split(codes: np.ndarray, random_state: int) -> tuple[np.ndarray, np.ndarray]:
    """Return two thirds and one third of the rows, every level in the two thirds."""
    rows = np.random.default_rng(random_state).permutation(len(codes))
    _, first = np.unique(codes[rows], return_index=True)
    rows = np.concatenate([rows[first], np.delete(rows, first)])
    size = max(2 * len(codes) // 3, len(first))
    return rows[:size], rows[size:]


def type_by_paper(
    column: Column,
    offered: FramePredictors,
    excluded: Sequence[int],
    *,
    kernel: str,
    random_state: int,
    n_jobs: int | None,
) -> ColumnType:
    """Infer the type of one discrete column by held-out log-likelihood.

    Parameters
    ----------
    column : Column
        The column; its levels are listed.
    offered : FramePredictors
        Predictors of the whole frame.
    excluded : sequence of int
        Positions of the column itself and of those in bijection with it, which are not predictors.
    kernel : {"linear", "linear-bias", "rbf"}
        Covariance of the latent functions.
    random_state : int
        Seed of the split and of the first permutation.
    n_jobs : int, optional
        Workers of the search, as in joblib.

    Returns
    -------
    ColumnType
        Ordinal where the ordinal model predicts a held-out third better. The probability is 1 or
        0: the method decides and does not calibrate. Undetermined without predictors.

    References
    ----------
    Hernandez-Lobato et al. (2014), sec. 2.1.1 and 3.2.
    """
    levels = tuple(column.levels or ())
    codes = level_codes(column, levels)
    rows, codes = column.rows[codes >= 0], codes[codes >= 0]
    predictors = predictors_for(offered, excluded, codes, rows)
    counts = dict(column.levels or {})
    # The split leaves a third out: fewer rows of a level may leave it without one in a part.
    if predictors.X.shape[1] == 0 or min(counts.values()) < 3:
        return ColumnType(
            column.name,
            "undetermined",
            levels=counts,
            n_levels=len(levels),
            reasons=("The method of 2014 needs predictors and three rows of every level.",),
        )
    best, figures = compare_models(
        predictors.X,
        codes,
        len(levels),
        kernel=kernel,
        random_state=random_state,
        n_jobs=n_jobs,
    )
    order, ordinal = tuple(levels[k] for k in best), figures["tll_ordinal"]
    is_ordinal = ordinal > figures["tll_multiclass"]
    return ColumnType(
        column.name,
        "ordinal" if is_ordinal else "categorical",
        float(is_ordinal),
        order=order if is_ordinal else None,
        best_order=order,
        order_probability=math.nan,
        levels={level: counts[level] for level in order},
        n_levels=len(levels),
        n_rows_used=len(codes),
        evidence=figures,
        reasons=(
            f"On a held-out third the ordinal model reaches {ordinal:.3f} log probability per row, "
            f"the multi-class model {figures['tll_multiclass']:.3f} (method of 2014, {kernel}).",
        ),
    )
