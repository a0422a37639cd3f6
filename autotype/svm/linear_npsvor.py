"""Linear nonparallel support-vector ordinal regression as a scikit-learn classifier."""

from __future__ import annotations

import warnings
from numbers import Integral, Real
from typing import Any

import numpy as np
from sklearn.base import _fit_context
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_random_state
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.extmath import safe_sparse_dot
from sklearn.utils.validation import check_is_fitted, validate_data

from autotype.svm.nonparallel_predictor import NPSVOR_CONSTRAINTS, ranks_of, scores_of
from autotype.svm.ordinal_predictor import LABEL_CONSTRAINTS, OrdinalPredictor
from autotype.svm.ordinal_training import OrdinalTraining, as_csr, read_training
from autotype.svm.solvers.dual_coordinate import solve_linear_ranks
from autotype.svm.solvers.dual_coordinate_dcd1 import solve_linear_ranks_directly
from autotype.svm.solvers.dual_coordinate_gap import npsvor_objectives
from autotype.svm.solvers.linear_problem import LinearRankProblem, LinearRankSolution
from autotype.svm.thread_count import thread_count


class LinearNPSVOR(OrdinalPredictor):
    """Ordinal regression with one hyperplane for each rank, for large sparse data such as text.

    The hyperplane of a rank passes near that rank's rows, and keeps the lower ranks at distance 1
    on one side and the higher ranks on the other.

    Parameters
    ----------
    C : float, default=1.0
        Cost of an error; stands for both `C1` and `C2` where they are not given.
    C1 : float, default=None
        Cost of a row's error in the problem of its own rank.
    C2 : float, default=None
        Cost of a row's error in the problems of the other ranks.
    epsilon : float, default=0.1
        Half width of the tube around a hyperplane in which its rank's rows cost nothing.
    loss : {"hinge", "squared_hinge"}, default="hinge"
        Whether errors count as they are or squared.
    predictor : {"ordered", "nearest"}, default="ordered"
        "ordered" counts the neighbouring pairs of hyperplanes that a row lies above; "nearest"
        takes the rank whose hyperplane is nearest.
    solver : {"dcd2", "dcd1"}, default="dcd2"
        Dual coordinate descent with one variable a row and shrinking, or the paper's plain form,
        which is slower and kept for comparison.
    classes : list or "sorted", default=None
        Levels from lowest to highest. By default an ordered Categorical's own order, or that of
        numbers; text needs it. "sorted" takes the labels' sort order.
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
        Most passes over the rows.
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
        As everywhere in scikit-learn.

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

    _parameter_constraints: dict = {  # noqa: RUF012 - scikit-learn's convention
        **NPSVOR_CONSTRAINTS,
        "loss": [StrOptions({"hinge", "squared_hinge"})],
        "solver": [StrOptions({"dcd2", "dcd1"})],
        **LABEL_CONSTRAINTS,
        "fit_intercept": ["boolean"],
        "intercept_scaling": [Interval(Real, 0, None, closed="neither")],
        "tol": [Interval(Real, 0, None, closed="neither")],
        "max_iter": [Interval(Integral, 1, None, closed="left")],
        "n_jobs": [None, Integral],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        C=1.0,
        *,
        C1=None,
        C2=None,
        epsilon=0.1,
        loss="hinge",
        predictor="ordered",
        solver="dcd2",
        classes=None,
        class_weight=None,
        fit_intercept=True,
        intercept_scaling=1.0,
        tol=0.1,
        max_iter=1000,
        n_jobs=None,
        random_state=0,
    ):
        self.C = C
        self.C1 = C1
        self.C2 = C2
        self.epsilon = epsilon
        self.loss = loss
        self.predictor = predictor
        self.solver = solver
        self.classes = classes
        self.class_weight = class_weight
        self.fit_intercept = fit_intercept
        self.intercept_scaling = intercept_scaling
        self.tol = tol
        self.max_iter = max_iter
        self.n_jobs = n_jobs
        self.random_state = random_state

    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, X, y, sample_weight=None):
        """Learn the hyperplanes.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Features, float32 or float64.
        y : array-like of shape (n_samples,)
            Labels: an ordered Categorical, numbers, or text with `classes`.
        sample_weight : array-like of shape (n_samples,), optional
            Factors of the costs; a row of weight 2 acts as two equal rows.

        Returns
        -------
        LinearNPSVOR
            The estimator itself.

        Warns
        -----
        ConvergenceWarning
            Where `max_iter` passes did not reach `tol`, with the duality gap.
        """
        training = self._read(X, y, sample_weight)
        problem = self._problem(training)
        seed = check_random_state(self.random_state).randint(np.iinfo(np.int32).max)
        if self.solver == "dcd2":
            solution = solve_linear_ranks(
                problem,
                tol=self.tol,
                max_iter=self.max_iter,
                seed=seed,
                n_threads=min(thread_count(self.n_jobs), len(training.observed)),
            )
        else:
            solution = solve_linear_ranks_directly(
                problem, tol=self.tol, max_iter=self.max_iter, seed=seed
            )
        self._keep(training, problem, solution)
        return self

    def _read(
        self, X: Any, y: Any, sample_weight: Any, *, keep_all_rows: bool = False
    ) -> OrdinalTraining:
        return read_training(
            self,
            X,
            y,
            classes=self.classes,
            sample_weight=sample_weight,
            class_weight=self.class_weight,
            dtype=[np.float64, np.float32],
            keep_all_rows=keep_all_rows,
        )

    def _problem(self, training: OrdinalTraining, C: float | None = None) -> LinearRankProblem:
        """Pose the problems of all ranks; a given `C` overrides all three costs."""
        own = C or self.C1 or self.C
        other = C or self.C2 or self.C
        return LinearRankProblem(
            X=as_csr(training.X),
            ranks=training.ranks,
            column_ranks=np.arange(len(training.observed), dtype=np.int32),
            own_bounds=own * training.weights,
            other_bounds=other * training.weights,
            epsilon=float(self.epsilon),
            squared=self.loss == "squared_hinge",
            bias=float(self.intercept_scaling) if self.fit_intercept else 0.0,
        )

    def _keep(
        self, training: OrdinalTraining, problem: LinearRankProblem, solution: LinearRankSolution
    ) -> None:
        objectives = npsvor_objectives(problem, solution, thread_count(self.n_jobs))
        self._keep_labels(training)
        self.coef_ = np.ascontiguousarray(solution.weights.T)
        self.intercept_ = solution.intercepts
        self.n_iter_ = solution.n_iter
        self.objective_ = objectives.primal
        self.dual_objective_ = objectives.dual
        self.dual_gap_ = objectives.relative_gap
        if not solution.converged.all():
            worst = float(self.dual_gap_.max())
            warnings.warn(
                f"{type(self).__name__} stopped at max_iter={self.max_iter} passes with a relative "
                f"duality gap of {worst:.2g}; increase max_iter or tol, or scale the features",
                ConvergenceWarning,
                stacklevel=4,
            )

    def hyperplane_values(self, X):
        """Evaluate the function of each rank's hyperplane, f_k(x) = w_k'x + b_k.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Features.

        Returns
        -------
        ndarray of shape (n_samples, n_ranks)
            Near 0 where a row fits the rank, positive above it, negative below.
        """
        check_is_fitted(self)
        X = validate_data(self, X, accept_sparse="csr", dtype=[np.float64, np.float32], reset=False)
        return safe_sparse_dot(X, self.coef_.T, dense_output=True) + self.intercept_

    def _scores(self, X):
        return scores_of(self.hyperplane_values(X), self.predictor)

    def _ranks(self, X):
        return ranks_of(self.hyperplane_values(X), self.predictor)
