"""Linear nonparallel support-vector ordinal regression as a scikit-learn classifier.

The cost C may be chosen by cross-validation along a warm-started path. A grid search would fit each
C from zero. Solutions of neighbouring C are alike, so each is continued at the next C, which takes
few passes.
"""

from __future__ import annotations

from dataclasses import KW_ONLY, replace
from typing import Any, Literal

import numpy as np
from joblib import effective_n_jobs
from sklearn.metrics import check_scoring

from autotype.models import parameters
from autotype.models.folds import level_folds
from autotype.models.svm import base
from autotype.models.svm.solvers.dual_coordinate import (
    solve_linear_ranks,
    solve_linear_ranks_by_dcd1,
)
from autotype.models.svm.solvers.linear_problem import (
    LinearRankProblem,
    LinearRankSolution,
    npsvor_objectives,
)
from autotype.models.svm.solvers.solution import relative_gap
from autotype.models.training import TrainingData


@parameters.estimator(kw_only=True)
class LinearNPSVORBase(base.NonparallelSVM, base.LinearOrdinalSVM):
    """Base of linear NPSVOR with given costs, and with a cost chosen by cross-validation."""

    epsilon: parameters.NonNegativeFloat = 0.1
    predictor: base.Predictor = "ordered"
    fit_intercept: parameters.Flag = True
    intercept_scaling: parameters.PositiveFloat = 1.0
    n_jobs: parameters.Jobs = None

    def _problem(self, training: TrainingData, own: float, other: float) -> LinearRankProblem:
        """Pose the problems of all ranks with the costs C1 = `own` and C2 = `other`."""
        return LinearRankProblem(
            X=base.as_csr(training.X),
            ranks=training.ranks,
            ranks_of_columns=np.arange(training.n_ranks, dtype=np.int32),
            own_costs=own * training.weights,
            other_costs=other * training.weights,
            epsilon=float(self.epsilon),
            squared=self.loss == "squared_hinge",
            bias=float(self.intercept_scaling) if self.fit_intercept else 0.0,
        )

    def _options(self, training: TrainingData) -> dict[str, Any]:
        """Return the options of the solver that do not depend on the costs."""
        n_threads = min(effective_n_jobs(self.n_jobs), training.n_ranks)
        return {"max_iter": self.max_iter, "seed": self._seed(), "n_threads": n_threads}

    def _keep_planes(
        self, training: TrainingData, problem: LinearRankProblem, solution: LinearRankSolution
    ) -> str | None:
        """Set the fitted attributes; return the limit that ended it, as `_solve` does."""
        n_threads = effective_n_jobs(self.n_jobs)
        self.objective_, self.dual_objective_ = npsvor_objectives(problem, solution, n_threads)
        self._keep_labels(training)
        self.coef_ = np.ascontiguousarray(solution.weights.T)
        self.intercept_ = solution.intercepts
        self.n_iter_ = solution.n_iter
        self.dual_gap_ = relative_gap(self.objective_, self.dual_objective_)
        return None if solution.converged.all() else f"max_iter={self.max_iter} passes"


@parameters.estimator()
class LinearNPSVOR(LinearNPSVORBase):
    """Ordinal regression with one hyperplane for each rank, for large sparse data such as text.

    The hyperplane of a rank passes near that rank's rows, and keeps the lower ranks at distance 1
    on one side and the higher ranks on the other.

    Parameters
    ----------
    C : float, default=1.0
        Cost of an error; the default of both `C1` and `C2`.
    C1 : float, default=None
        Cost of a row's error in the problem of its own rank.
    C2 : float, default=None
        Cost of a row's error in the problems of the other ranks.
    epsilon : float, default=0.1
        Half width of the tube around a hyperplane in which its rank's rows cost nothing.
    loss : {"hinge", "squared_hinge"}, default="hinge"
        Whether errors are linear or squared.
    predictor : {"ordered", "nearest"}, default="ordered"
        "ordered" counts the neighbouring pairs of hyperplanes that a row lies above; "nearest"
        takes the rank whose hyperplane is nearest.
    solver : {"dcd2", "dcd1"}, default="dcd2"
        Dual coordinate descent with one variable per row and shrinking, or the paper's plain form,
        which is slower and kept for comparison.
    classes : list or "sorted", default=None
        Levels from lowest to highest. By default an ordered Categorical's own order, or that of
        numbers; strings need it. "sorted" takes the labels' sort order.
    class_weight : dict or "balanced", default=None
        Factors of the costs by label.
    fit_intercept : bool, default=True
        Whether to append a constant feature. Its weight is penalised like the others.
    intercept_scaling : float, default=1.0
        Value of the constant feature; the larger, the less its weight is penalised.
    tol : float, default=0.1
        A rank's problem stops when a pass meets less than `tol` times the first pass' violation of
        optimality. The default leaves a duality gap of one or two per cent.
    max_iter : int, default=1000
        Maximum number of passes over the rows.
    n_jobs : int, default=None
        Threads among which the ranks are divided. Results do not depend on it.
    random_state : int, RandomState or None, default=0
        Seed of the order in which rows are visited.

    Attributes
    ----------
    classes_ : ndarray of shape (n_ranks,)
        Levels that occur, lowest first.
    coef_ : ndarray of shape (n_ranks, n_features)
        Weights of the hyperplanes.
    intercept_ : ndarray of shape (n_ranks,)
        Their intercepts.
    n_iter_ : ndarray of int, shape (n_ranks,)
        Passes over the rows.
    dual_gap_ : ndarray of shape (n_ranks,)
        Relative duality gap, (primal - dual) / primal.
    objective_, dual_objective_ : ndarray of shape (n_ranks,)
        Primal and dual objectives at the solution.
    n_features_in_, feature_names_in_ :
        As in every scikit-learn estimator.

    Notes
    -----
    A pass costs O(nnz(X) n_ranks), all ranks in one visit of a row. Features in float32 are kept
    so, with their weights, and save a third of the time.

    References
    ----------
    Shi, Wang, Shen and Niu, A novel large-scale ordinal regression model: eq. (4), Algorithms 1
    and 2, predictors (5) and (36).

    Examples
    --------
    >>> from sklearn.feature_extraction.text import TfidfVectorizer
    >>> from sklearn.pipeline import make_pipeline
    >>> texts = ["awful, awful", "fine I guess", "wonderful and great", "awful", "great"]
    >>> stars = ["1 star", "2 stars", "3 stars", "1 star", "3 stars"]
    >>> model = LinearNPSVOR(classes=["1 star", "2 stars", "3 stars"])
    >>> make_pipeline(TfidfVectorizer(), model).fit(texts, stars).predict(["awful", "so great"])
    array(['1 star', '3 stars'], dtype='<U7')
    """

    C: parameters.PositiveFloat = 1.0
    _: KW_ONLY
    C1: parameters.PositiveFloat | None = None
    C2: parameters.PositiveFloat | None = None
    solver: Literal["dcd2", "dcd1"] = "dcd2"

    def _solve(self, training: TrainingData) -> str | None:
        problem = self._problem(training, self.C1 or self.C, self.C2 or self.C)
        options = self._options(training)
        if self.solver == "dcd1":
            del options["n_threads"]  # it solves rank after rank
        solve = solve_linear_ranks_by_dcd1 if self.solver == "dcd1" else solve_linear_ranks
        return self._keep_planes(training, problem, solve(problem, tol=self.tol, **options))


@parameters.estimator()
class LinearNPSVORCV(LinearNPSVORBase):
    """Linear NPSVOR that chooses C by cross-validation.

    Each fold follows a path of growing C, every solution the start of the next; the folds share
    the features. The path ends early if the scores of several successive C are worse than the
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
        End the path after that many successive C that score worse than the best; None tries all.
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

    Cs: parameters.ArrayLike | None = None
    _: KW_ONLY
    cv: parameters.Folds = 5
    scoring: parameters.Scoring = None
    path_tol: parameters.PositiveFloat = 0.1
    patience: parameters.PositiveInt | None = 2
    _keeps_all_rows = True  # which splits number, those of weight 0 at a cost of 0

    def _solve(self, training: TrainingData) -> str | None:
        problem, options = self._problem(training, 1.0, 1.0), self._options(training)
        Cs = 2.0 ** np.arange(-5, 6) if self.Cs is None else self.Cs
        self.Cs_ = parameters.read_grid(Cs, "Cs", positive=True)
        folds = level_folds(self.cv, training.X, training.ranks)
        tests = [(test, problem.X[test]) for _, test in folds]
        problems = [_masked(problem, train) for train, _ in folds]
        starts: list[LinearRankSolution | None] = [None] * len(folds)
        self.scores_ = np.full((len(self.Cs_), len(folds)), np.nan)
        means: list[float] = []
        for position, C in enumerate(self.Cs_):
            for fold, test in enumerate(tests):
                # Dual variables of a smaller C are within the bounds of a larger one.
                solution = starts[fold] = solve_linear_ranks(
                    _at_cost(problems[fold], C), tol=self.path_tol, start=starts[fold], **options
                )
                self.scores_[position, fold] = self._score(training, *test, solution)
            means.append(float(self.scores_[position].mean()))
            worse = np.array(means) < max(means)
            # Equal scores, as where every C is too small to leave one level, are not worse.
            if self.patience and len(means) > self.patience and worse[-self.patience :].all():
                break
        self.C_ = float(self.Cs_[int(np.argmax(means))])
        final = _at_cost(problem, self.C_)
        solution = solve_linear_ranks(final, tol=self.tol, **options)
        return self._keep_planes(training, final, solution)

    def _score(
        self, training: TrainingData, test: np.ndarray, X: Any, solution: LinearRankSolution
    ) -> float:
        """Score a fold's solution on its test rows, whose features are X."""
        if self.scoring is None:
            ranks = base.ranks_of_planes(X @ solution.weights + solution.intercepts, self.predictor)
            weights = training.weights[test]
            errors = np.abs(ranks - training.ranks[test])
            return -float(np.average(errors, weights=weights if weights.any() else None))
        model = LinearNPSVOR(predictor=self.predictor)
        model.n_features_in_ = self.n_features_in_
        model._keep_labels(training)
        model.coef_, model.intercept_ = solution.weights.T, solution.intercepts
        scorer: Any = check_scoring(model, self.scoring)
        return float(scorer(model, X, training.classes[training.ranks[test]]))


def _masked(problem: LinearRankProblem, rows: np.ndarray) -> LinearRankProblem:
    """Return a problem that only these rows count in."""
    counts = np.isin(np.arange(len(problem.ranks)), rows)
    return _at_cost(problem, counts.astype(np.float64))


def _at_cost(problem: LinearRankProblem, C: float | np.ndarray) -> LinearRankProblem:
    """Scale a problem posed for C = 1, or for each row by a factor of its own."""
    return replace(problem, own_costs=C * problem.own_costs, other_costs=C * problem.other_costs)
