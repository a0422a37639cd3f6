"""Linear NPSVOR with its cost C chosen by cross-validation along a warm-started path."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from sklearn.metrics import check_scoring

from autotype.models.svm.base import AT_LEAST_ONE, POSITIVE
from autotype.models.svm.decisions import ranks_of_planes
from autotype.models.svm.folds import level_folds
from autotype.models.svm.linear_npsvor import LinearNPSVOR, LinearNPSVORBase
from autotype.models.svm.solvers.dual_coordinate import solve_linear_ranks
from autotype.models.svm.solvers.linear_problem import LinearRankProblem, LinearRankSolution
from autotype.models.training import TrainingData


class LinearNPSVORCV(LinearNPSVORBase):
    """Linear NPSVOR that chooses C by cross-validation.

    Each fold follows a path of growing C, every solution the start of the next; the folds share
    the features. The path ends early if the scores of several C in a row are worse than the
    best. The chosen C is then fitted to all rows as :class:`LinearNPSVOR` would.

    Parameters
    ----------
    Cs : array-like of shape (n_Cs,), default=None
        Values of C to try; 2^-5, 2^-4, ..., 2^5 by default.
    cv : int, splitter or iterable of splits, default=5
        Folds; an int divides the rows of each level in their order, without a shuffle, as
        scikit-learn's own estimators do. ``StratifiedKFold(5, shuffle=True, random_state=0)``
        shuffles them.
    scoring : str, callable or None, default=None
        Score to maximise; by default the negative mean absolute error in ranks.
    path_tol : float, default=0.1
        Tolerance along the path, relative like `tol`, which holds for the final fit.
    patience : int or None, default=2
        End the path after that many C in a row that score worse than the best; None tries all.
    epsilon, loss, predictor, classes, class_weight, fit_intercept, intercept_scaling, tol, \
max_iter, n_jobs, random_state :
        As in :class:`LinearNPSVOR`.

    Attributes
    ----------
    C_ : float
        The C chosen, the smallest of those with the best mean score.
    Cs_ : ndarray of shape (n_Cs,)
        Values of C, increasing.
    scores_ : ndarray of shape (n_Cs, n_folds)
        Score of each fold; NaN if the path had ended.
    classes_, coef_, intercept_, n_iter_, dual_gap_, objective_, dual_objective_ :
        As in :class:`LinearNPSVOR`, of the final fit.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.random.default_rng(0).standard_normal((200, 3))
    >>> y = np.digitize(X[:, 0] + X[:, 1], [-1, 1])
    >>> model = LinearNPSVORCV(Cs=[0.01, 0.1, 1.0]).fit(X, y)
    >>> model.scores_.shape
    (3, 5)
    """

    _parameter_constraints: dict = {  # noqa: RUF012 - scikit-learn's convention
        **LinearNPSVORBase._parameter_constraints,
        "Cs": [None, "array-like"],
        "cv": ["cv_object"],
        "scoring": [None, str, callable],
        "path_tol": [POSITIVE],
        "patience": [None, AT_LEAST_ONE],
    }

    def __init__(
        self,
        Cs=None,
        *,
        cv=5,
        scoring=None,
        path_tol=0.1,
        patience=2,
        epsilon=0.1,
        loss="hinge",
        predictor="ordered",
        classes=None,
        class_weight=None,
        fit_intercept=True,
        intercept_scaling=1.0,
        tol=0.1,
        max_iter=1000,
        n_jobs=None,
        random_state=0,
    ):
        self.Cs = Cs
        self.cv = cv
        self.scoring = scoring
        self.path_tol = path_tol
        self.patience = patience
        self.epsilon = epsilon
        self.loss = loss
        self.predictor = predictor
        self.classes = classes
        self.class_weight = class_weight
        self.fit_intercept = fit_intercept
        self.intercept_scaling = intercept_scaling
        self.tol = tol
        self.max_iter = max_iter
        self.n_jobs = n_jobs
        self.random_state = random_state

    def _read(self, X: Any, y: Any, sample_weight: Any, **options: Any) -> TrainingData:
        # Splits number the rows of X: rows of weight 0 stay, at a cost of 0.
        return super()._read(X, y, sample_weight, keep_all_rows=True, **options)

    def _solve(self, training: TrainingData) -> str | None:
        problem = self._problem(training, 1.0, 1.0)
        seed, n_threads = self._seed(), self._n_threads(training)
        self.Cs_ = self._grid()
        folds = level_folds(self.cv, training.X, training.ranks)
        self.scores_ = np.full((len(self.Cs_), len(folds)), np.nan)
        path = _Path(self, training, problem, folds, seed=seed, n_threads=n_threads)
        means: list[float] = []
        for position, C in enumerate(self.Cs_):
            self.scores_[position] = path.scores(C)
            means.append(float(self.scores_[position].mean()))
            worse = np.array(means) < max(means)
            # Equal scores, as where every C is too small to leave one level, are not worse.
            if self.patience and len(means) > self.patience and worse[-self.patience :].all():
                break
        self.C_ = float(self.Cs_[int(np.argmax(means))])
        final = _at_cost(problem, self.C_)
        solution = solve_linear_ranks(
            final, tol=self.tol, max_iter=self.max_iter, seed=seed, n_threads=n_threads
        )
        return self._keep(training, final, solution)

    def _grid(self) -> np.ndarray:
        if self.Cs is None:
            return 2.0 ** np.arange(-5, 6)
        grid = np.unique(np.asarray(self.Cs, dtype=np.float64))
        if grid.ndim != 1 or not len(grid) or not np.all(np.isfinite(grid) & (grid > 0)):
            raise ValueError(f"Cs must hold positive numbers, at least one, got {self.Cs!r}")
        return grid


def _at_cost(problem: LinearRankProblem, C: float) -> LinearRankProblem:
    """Scale a problem posed for C = 1."""
    return replace(problem, own_costs=C * problem.own_costs, other_costs=C * problem.other_costs)


class _Path:
    """The folds' solutions as C grows."""

    def __init__(
        self,
        estimator: LinearNPSVORCV,
        training: TrainingData,
        problem: LinearRankProblem,
        folds: list[tuple[np.ndarray, np.ndarray]],
        *,
        seed: int,
        n_threads: int,
    ) -> None:
        self.estimator = estimator
        self.training = training
        self.seed, self.n_threads = seed, n_threads
        self.tests = [test for _, test in folds]
        self.test_rows = [problem.X[test] for test in self.tests]
        self.problems = []
        for train, _ in folds:
            mask = np.zeros((problem.X.shape[0], 1), dtype=bool)
            mask[train] = True
            shape = (len(mask), len(problem.ranks_of_columns))
            self.problems.append(replace(problem, row_mask=np.broadcast_to(mask, shape)))
        self.previous: list[tuple[float, LinearRankSolution] | None] = [None] * len(folds)

    def scores(self, C: float) -> np.ndarray:
        """Solve every fold at C and score its test rows: shape (n_folds,)."""
        return np.array(
            [self._score(fold, self._solve(fold, C)) for fold in range(len(self.tests))]
        )

    def _solve(self, fold: int, C: float) -> LinearRankSolution:
        problem, before = _at_cost(self.problems[fold], C), self.previous[fold]
        solution = solve_linear_ranks(
            problem,
            tol=self.estimator.path_tol,
            max_iter=self.estimator.max_iter,
            seed=self.seed,
            n_threads=self.n_threads,
            start=None if before is None else _scaled_start(before[1], problem, C / before[0]),
        )
        self.previous[fold] = (C, solution)
        return solution

    def _score(self, fold: int, solution: LinearRankSolution) -> float:
        test, training = self.tests[fold], self.training
        weights = training.weights[test]
        if self.estimator.scoring is None:
            values = self.test_rows[fold] @ solution.weights + solution.intercepts
            errors = np.abs(
                ranks_of_planes(values, self.estimator.predictor) - training.ranks[test]
            )
            return -float(np.average(errors, weights=weights if weights.any() else None))
        model = LinearNPSVOR(predictor=self.estimator.predictor)
        model.n_features_in_ = self.estimator.n_features_in_
        model._keep_labels(training)
        model.coef_ = solution.weights.T
        model.intercept_ = solution.intercepts
        scorer: Any = check_scoring(model, self.estimator.scoring)
        labels = training.classes[training.ranks[test]]
        return float(scorer(model, self.test_rows[fold], labels))


def _scaled_start(
    solution: LinearRankSolution, problem: LinearRankProblem, growth: float
) -> LinearRankSolution:
    """Scale a solution to start from at costs `growth` times as large.

    Along the ray s c the dual objective is a parabola; its maximum over 1 <= s <= growth, where
    s c stays within the new bounds, is the start.
    """
    c, side = solution.dual, np.sign(problem.ranks[:, None] - problem.ranks_of_columns)
    linear = np.einsum("ik,ik->k", side, c) - problem.epsilon * (np.abs(c) * (side == 0)).sum(
        axis=0
    )
    curvature = np.einsum("jk,jk->k", solution.weights, solution.weights).astype(np.float64)
    if problem.bias:
        curvature += (solution.intercepts / problem.bias) ** 2
    if problem.squared:
        costs = np.where(side == 0, problem.own_costs[:, None], problem.other_costs[:, None])
        curvature += (c**2 / np.maximum(2 * costs, np.finfo(float).tiny)).sum(axis=0)
    # d/ds (s linear - s^2 curvature / 2) = 0
    best = linear / np.maximum(curvature, np.finfo(float).tiny)
    factor = np.clip(best, 1.0, growth)
    return replace(
        solution,
        weights=solution.weights * factor.astype(solution.weights.dtype),
        intercepts=solution.intercepts * factor,
        dual=c * factor,
    )
