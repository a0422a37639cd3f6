"""Linear nonparallel support-vector ordinal regression as a scikit-learn classifier."""

from __future__ import annotations

from dataclasses import KW_ONLY
from numbers import Integral
from typing import Any, ClassVar

import numpy as np
from joblib import effective_n_jobs
from sklearn.utils._param_validation import Interval, StrOptions

from autotype.models.estimator import estimator
from autotype.models.svm.base import AT_LEAST_ONE, POSITIVE, LinearOrdinalSVM, as_csr
from autotype.models.svm.decisions import COST_CONSTRAINTS, NonparallelSVM
from autotype.models.svm.solvers.dual_coordinate import solve_linear_ranks
from autotype.models.svm.solvers.dual_coordinate_dcd1 import solve_linear_ranks_by_dcd1
from autotype.models.svm.solvers.linear_problem import (
    LinearRankProblem,
    LinearRankSolution,
    npsvor_objectives,
)
from autotype.models.svm.solvers.solution import relative_gap
from autotype.models.training import TrainingData


@estimator(kw_only=True)
class LinearNPSVORBase(NonparallelSVM, LinearOrdinalSVM):
    """Base of linear NPSVOR with given costs, and with a cost chosen by cross-validation."""

    epsilon: float = 0.1
    loss: str = "hinge"
    predictor: str = "ordered"
    classes: Any = None
    class_weight: Any = None
    fit_intercept: bool = True
    intercept_scaling: float = 1.0
    tol: float = 0.1
    max_iter: int = 1000
    n_jobs: int | None = None
    random_state: Any = 0

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        **LinearOrdinalSVM._parameter_constraints,
        **NonparallelSVM._parameter_constraints,
        "loss": [StrOptions({"hinge", "squared_hinge"})],
        "fit_intercept": ["boolean"],
        "intercept_scaling": [POSITIVE],
        "n_jobs": [None, AT_LEAST_ONE, Interval(Integral, None, -1, closed="right")],
    }

    def _problem(self, training: TrainingData, own: float, other: float) -> LinearRankProblem:
        """Pose the problems of all ranks with the costs C1 = `own` and C2 = `other`."""
        return LinearRankProblem(
            X=as_csr(training.X),
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


@estimator()
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

    C: float = 1.0
    _: KW_ONLY
    C1: float | None = None
    C2: float | None = None
    solver: str = "dcd2"

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        **LinearNPSVORBase._parameter_constraints,
        **COST_CONSTRAINTS,
        "solver": [StrOptions({"dcd2", "dcd1"})],
    }

    def _solve(self, training: TrainingData) -> str | None:
        problem = self._problem(training, self.C1 or self.C, self.C2 or self.C)
        options = self._options(training)
        if self.solver == "dcd1":
            del options["n_threads"]  # it solves rank after rank
        solve = solve_linear_ranks_by_dcd1 if self.solver == "dcd1" else solve_linear_ranks
        return self._keep_planes(training, problem, solve(problem, tol=self.tol, **options))
