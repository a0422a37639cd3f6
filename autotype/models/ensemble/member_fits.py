"""Fit the members of an ensemble to folds and to all rows, and share what they can.

Held-out predictions of every member are most of the cost of an ensemble. Some need no fit per fold:
a forest predicts the rows out of its bags, and a Gaussian process learns its kernel, a few numbers,
from all rows at once.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import islice
from typing import Any

import numpy as np
from joblib import Parallel, delayed
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.pipeline import Pipeline
from sklearn.utils import _safe_indexing
from sklearn.utils.validation import has_fit_parameter
from threadpoolctl import ThreadpoolController

from autotype.models.ensemble.boosting import COUNTS, OrdinalBoosting, stages_while_better
from autotype.models.ensemble.weights import ranked_probability_scores
from autotype.models.folds import Folds

_RULED_OUT = 1.08  # times the best score of the first fold: such a member would weigh little
_FAILURES = (ValueError, ArithmeticError, np.linalg.LinAlgError)


@dataclass(frozen=True)
class Rows:
    """Rows to fit to.

    Attributes
    ----------
    X : any
        What the members take.
    ranks : ndarray of int, shape (n,)
        0 .. n_levels - 1, each of which occurs.
    weights : ndarray of shape (n,)
        Weights of the rows, > 0.
    """

    X: Any
    ranks: np.ndarray
    weights: np.ndarray

    def take(self, rows: np.ndarray) -> Rows:
        """Return some of the rows."""
        return Rows(_safe_indexing(self.X, rows), self.ranks[rows], self.weights[rows])


class MemberFits:
    """The fits of the members of an ensemble.

    Parameters
    ----------
    members : dict
        Name -> estimator, unfitted.
    rows : Rows
        All rows.
    folds : sequence of pairs of ndarray of int
        Row numbers to train on and to test.
    n_jobs : int or None
        Processes.
    in_bags : bool
        Whether a forest may predict the rows out of its bags instead of those of the folds.
    screens : bool
        Whether the first fold rules members out, which the others then need not be fitted to.
    """

    def __init__(
        self,
        members: dict[str, Any],
        rows: Rows,
        folds: Folds,
        *,
        n_jobs: int | None,
        in_bags: bool,
        screens: bool = False,
    ) -> None:
        self.members, self.rows, self.folds, self.in_bags = members, rows, folds, in_bags
        self._screens = screens
        # joblib starts all workers, or fails, also those that have nothing to do.
        self._run = Parallel(n_jobs=n_jobs and min(n_jobs, len(members) * max(len(folds), 1)))
        self._n_levels = int(rows.ranks.max()) + 1
        self._fitted: dict[str, Any] = {}

    def hold_out(self) -> tuple[dict[str, np.ndarray], np.ndarray]:
        """Predict rows by models that have not seen them.

        Returns
        -------
        predicted : dict
            Name -> probabilities of the ranks, shape (n_held_out, n_levels); without the members
            that cannot be fitted. Those that the first fold rules out have NaN in the others.
        held_out : ndarray of int
            The numbers of the rows, increasing.

        Raises
        ------
        Exception
            What the first member raises, if no member can be fitted.
        """
        bagged = {n for n, m in self.members.items() if self.in_bags and _has_bags(m)}
        early = [n for n, m in self.members.items() if n in bagged or _learns_kernel(m)]
        fits = self._call(_fit, [(self.members[name], self.rows) for name in early])
        self._fitted, failed = _without_failures(dict(zip(early, fits, strict=True)))
        every = {n: np.full((len(self.rows.ranks), self._n_levels), np.nan) for n in self.members}
        for name in bagged & set(self._fitted):
            every[name] = _out_of_bag(self._fitted[name], self.rows.ranks, self._n_levels)
        waiting = {name: None for name in self.members if name not in bagged | set(failed)}
        first, test = self._predict_folds(waiting, self.folds[:1]), self.folds[0][1]
        first, failures = _without_failures(first)
        failed |= failures
        for name, (stages,) in first.items():
            every[name][test] = min(stages, key=lambda p: self._score(p, test))
        kept = self._not_ruled_out(first, every)
        limits = {name: len(first[name][0]) for name in kept}
        others, failures = _without_failures(self._predict_folds(limits, self.folds[1:]))
        failed |= failures
        for name, folds in others.items():
            stage = self._choose_stage(name, [*first[name], *folds])
            for (_, test), stages in zip(self.folds, [*first[name], *folds], strict=True):
                every[name][test] = stages[stage]
        if len(failed) == len(self.members):
            raise next(iter(failed.values()), ValueError("members must list one or more"))
        for name, error in failed.items():
            warnings.warn(f"member {name!r} is left out, its fit fails: {error}", stacklevel=4)
        held_out = np.sort(np.concatenate([test for _, test in self.folds]))
        return {n: p[held_out] for n, p in every.items() if n not in failed}, held_out

    def fit(self, names: Sequence[str]) -> list[tuple[str, Any]]:
        """Fit members to all rows, unless they are already; return names and fitted estimators."""
        late = [name for name in names if name not in self._fitted]
        fits = self._call(_fit, [(self.members[name], self.rows) for name in late])
        for name, fit in zip(late, fits, strict=True):
            if isinstance(fit, Exception):
                raise fit
            self._fitted[name] = fit
        return [(name, self._fitted[name]) for name in names]

    def _predict_folds(self, limits: Mapping[str, int | None], folds: Folds) -> dict[str, Any]:
        """Return by member, for each fold, its stages up to the limit, or what it raises."""
        tasks = [
            (_in_folds(self.members[name], self._fitted.get(name)), *fold, self.rows, limit)
            for name, limit in limits.items()
            for fold in folds
        ]
        parts = self._call(_predict_fold, tasks)
        n = len(folds)
        return {name: parts[k * n : (k + 1) * n] for k, name in enumerate(limits)}

    def _not_ruled_out(self, names: Iterable[str], every: dict[str, np.ndarray]) -> list[str]:
        """Return the members that predict the first fold well enough to fit them to the others."""
        test = self.folds[0][1]
        known = {n: p[test] for n, p in every.items() if not np.isnan(p[test]).any()}
        scores = {name: self._score(p, test) for name, p in known.items()}
        most = _RULED_OUT * min(scores.values(), default=0.0) if self._screens else np.inf
        return [name for name in names if scores[name] <= most]

    def _choose_stage(self, name: str, folds: Sequence[Sequence[np.ndarray]]) -> int:
        """Return the number of the stage that predicts best, and let the member grow so far."""
        scores = [
            sum(
                self._score(stages[k], test)
                for (_, test), stages in zip(self.folds, folds, strict=True)
            )
            for k in range(len(folds[0]))
        ]
        stage = int(np.argmin(scores))
        member = self.members[name]
        if _grows(member):
            options = {f"{_prefix(member)}max_iter": COUNTS[stage]}
            self.members[name] = clone(member).set_params(**options)
        return stage

    def _score(self, probabilities: np.ndarray, test: np.ndarray) -> float:
        scores = ranked_probability_scores(probabilities, self.rows.ranks[test])
        return float(scores @ self.rows.weights[test])

    def _call(
        self, function: Callable[..., Any], arguments: Sequence[tuple[Any, ...]]
    ) -> list[Any]:
        return list(self._run(delayed(_tried)(function, *given) for given in arguments))


def rank_probabilities(fitted: Any, X: Any, n_levels: int) -> np.ndarray:
    """Predict the probabilities of all ranks, 0 for those that a fit did not hold."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        predicted = np.asarray(fitted.predict_proba(X), dtype=float)
    probabilities = np.zeros((len(predicted), n_levels))
    probabilities[:, np.asarray(fitted.classes_, dtype=np.intp)] = predicted
    return probabilities


def _last_step(member: Any) -> Any:
    return member[-1] if isinstance(member, Pipeline) else member


def _prefix(member: Any) -> str:
    """Return what goes before the names of parameters of the last step."""
    return f"{member.steps[-1][0]}__" if isinstance(member, Pipeline) else ""


def _grows(member: Any) -> bool:
    """Check whether held-out rows shall choose how far a member grows."""
    step = _last_step(member)
    return isinstance(step, OrdinalBoosting) and step.max_iter is None


def _has_bags(member: Any) -> bool:
    return bool(getattr(_last_step(member), "oob_score", False))


def _learns_kernel(member: Any) -> bool:
    """Check whether folds may share a kernel: a length per feature would know held-out rows."""
    step = _last_step(member)
    return hasattr(step, "with_learned_kernel") and step.kernel == "rbf"


def _in_folds(member: Any, fitted: Any) -> Any:
    """Return the estimator to fit in the folds: where it is fitted, with what it has learned."""
    if fitted is None:
        return member
    learned = _last_step(fitted).with_learned_kernel()
    if not isinstance(member, Pipeline):
        return learned
    return clone(member).set_params(**{member.steps[-1][0]: learned})


@cache
def _threads() -> ThreadpoolController:
    return ThreadpoolController()  # takes milliseconds


def _tried(function: Callable[..., Any], *arguments: Any) -> Any:
    """Call a function on one thread; return its result, or what it raises of numerical failures."""
    with _threads().limit(limits=1), warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        # The weights judge whatever a member makes of levels that a fold lacks, or of many.
        ignored = "feature .* holds levels|Some inputs do not have OOB|The number of unique classes"
        warnings.filterwarnings("ignore", ignored)
        try:
            return function(*arguments)
        except _FAILURES as error:
            return error


def _fit(member: Any, rows: Rows) -> Any:
    options = {}
    if np.any(rows.weights != 1.0):
        step = _last_step(member)
        if not has_fit_parameter(step, "sample_weight"):
            raise ValueError(f"{type(step).__name__} takes no sample_weight; leave the member out")
        options = {f"{_prefix(member)}sample_weight": rows.weights}
    return clone(member).fit(rows.X, rows.ranks, **options)


def _without_failures(found: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Exception]]:
    """Return results by member without those that raised, or hold what was, and the latter."""
    failed: dict[str, Exception] = {}
    for name, result in found.items():
        parts = result if isinstance(result, list) else [result]
        errors = [part for part in parts if isinstance(part, Exception)]
        failed |= {name: errors[0]} if errors else {}
    return {name: result for name, result in found.items() if name not in failed}, failed


def _predict_fold(
    member: Any, train: np.ndarray, test: np.ndarray, rows: Rows, limit: int | None
) -> list[np.ndarray]:
    """Predict rows by the stages of a member: while they are better, or so many; most have one."""
    known, new = rows.take(train), rows.take(test)
    if not _grows(member):
        return [rank_probabilities(_fit(member, known), new.X, int(rows.ranks.max()) + 1)]
    X, X_new = known.X, new.X
    if isinstance(member, Pipeline):
        encoder = clone(member[:-1])
        X, X_new = encoder.fit_transform(X, known.ranks), encoder.transform(X_new)
    trees = clone(_last_step(member))
    stages = trees.predictions_by_count(X, known.ranks, X_new, known.weights)
    if limit is not None:
        return list(islice(stages, limit))
    return stages_while_better(stages, new.ranks, new.weights)


def _out_of_bag(fitted: Any, ranks: np.ndarray, n_levels: int) -> np.ndarray:
    """Return what the trees without a row predict of it; the levels' proportions without any."""
    predicted = np.array(_last_step(fitted).oob_decision_function_, dtype=float)
    counted = predicted.sum(axis=1) > 0.5  # neither nan nor a row that all trees hold
    predicted[~counted] = np.bincount(ranks, minlength=n_levels) / len(ranks)
    return predicted
