"""Kernel support-vector ordinal regression: SVOR (Chu and Keerthi), and the nonparallel NPSVOR."""

from __future__ import annotations

from dataclasses import KW_ONLY
from typing import Literal

import numpy as np

from autotype.models import parameters
from autotype.models.kernel_expansion import KernelExpansion
from autotype.models.svm.base import NonparallelSVM, OrdinalSVM, Predictor, ThresholdSVM
from autotype.models.svm.solvers.smo import solve_kernel_ranks, solve_thresholds
from autotype.models.svm.solvers.solution import Solution
from autotype.models.training import TrainingData


@parameters.estimator(kw_only=True)
class KernelOrdinalSVM(KernelExpansion, OrdinalSVM):
    """Base of the kernel classifiers, which hold the kernel of all training rows."""

    gamma: parameters.Gamma = "scale"
    tol: parameters.PositiveFloat = 1e-3
    max_iter: parameters.PositiveInt = 1_000_000

    @property
    def _keeps_all_rows(self) -> bool:
        return self.kernel == "precomputed"  # whose columns are rows, too

    def _training_kernel(self, training: TrainingData) -> np.ndarray:
        """Evaluate the kernel between the training rows."""
        self._check_square(training.X.shape)
        self._set_width(self.gamma, training.X, training.weights)
        return self._kernel_matrix(training.X, training.X, in_fit=True)

    def _keep(self, training: TrainingData, solution: Solution, limit: str) -> str | None:
        """Store the rows whose coefficients are not 0, too."""
        coefficients = solution.coefficients.reshape(len(training.ranks), -1)
        support = np.flatnonzero(np.any(coefficients != 0, axis=1))
        self.support_ = training.rows[support]
        self.dual_coef_ = np.ascontiguousarray(coefficients[support])
        self._rows = None if self.kernel == "precomputed" else training.X[support]
        self.violation_ = solution.violation
        return super()._keep(training, solution, limit)


@parameters.estimator()
class SVOR(ThresholdSVM, KernelOrdinalSVM):
    """Support-vector ordinal regression: one latent function, and thresholds between the ranks.

    Parameters
    ----------
    C : float, default=1.0
        Cost of an error.
    constraints : {"implicit", "explicit"}, default="implicit"
        Each row keeps its distance from all thresholds, which orders them by itself, or from the
        two next to its rank, with the order as a constraint.
    kernel : {"linear", "rbf", "poly", "precomputed"} or callable, default="rbf"
        Kernel between rows; a callable gets two matrices and returns theirs.
    gamma : {"scale", "auto"} or float, default="scale"
        Coefficient of "rbf" and "poly".
    degree : int, default=3
        Degree of "poly".
    coef0 : float, default=0.0
        Constant of "poly".
    classes : list or "sorted", default=None
        Levels from lowest to highest. By default an ordered Categorical's own order, or that of
        numbers; strings need it. "sorted" takes the labels' sort order.
    class_weight : dict or "balanced", default=None
        Factors of the costs by label.
    tol : float, default=1e-3
        Largest violation of the optimality conditions to leave.
    max_iter : int, default=1_000_000
        Maximum number of pair steps.

    Attributes
    ----------
    classes_ : ndarray of shape (n_levels,)
        Levels that occur, lowest first.
    thresholds_ : ndarray of shape (n_levels - 1,)
        Not decreasing.
    support_ : ndarray of int
        Rows that the latent function is made of.
    dual_coef_ : ndarray of shape (n_support, 1)
        Their coefficients.
    n_iter_ : int
        Pair steps.
    dual_gap_ : float
        Relative duality gap.
    violation_ : float
        Largest violation of the optimality conditions.
    n_features_in_, feature_names_in_ :
        As in every scikit-learn estimator.

    Notes
    -----
    The kernel between all training rows is held in memory, O(n^2): for some thousands of rows.

    References
    ----------
    Chu and Keerthi (2007), Support vector ordinal regression, Neural Computation 19(3).

    Examples
    --------
    >>> import numpy as np
    >>> x = np.linspace(0, 3, 40)
    >>> model = SVOR(C=10).fit(x[:, None], np.digitize(np.sin(x), [0.4, 0.8]))
    >>> model.predict([[0.1], [1.5], [2.4]])
    array([0, 2, 1])
    """

    C: parameters.PositiveFloat = 1.0
    _: KW_ONLY
    constraints: Literal["implicit", "explicit"] = "implicit"

    def _solve(self, training: TrainingData) -> str | None:
        solution = solve_thresholds(
            self._training_kernel(training),
            training.ranks,
            self.C * training.weights,
            n_levels=training.n_ranks,
            explicit=self.constraints == "explicit",
            tol=self.tol,
            max_iter=self.max_iter,
        )
        self.thresholds_ = solution.offsets
        return self._keep(training, solution, f"max_iter={self.max_iter} steps")


@parameters.estimator()
class NPSVOR(NonparallelSVM, KernelOrdinalSVM):
    """Ordinal regression with one function for each rank, in the feature space of a kernel.

    The function of a rank is near 0 on that rank's rows, below -1 on the lower ranks and above 1 on
    the higher ones. With two ranks this is the nonparallel support vector machine.

    Parameters
    ----------
    C : float, default=1.0
        Cost of an error; the default of both `C1` and `C2`.
    C1 : float, default=None
        Cost of a row's error in the problem of its own rank.
    C2 : float, default=None
        Cost of a row's error in the problems of the other ranks.
    epsilon : float, default=0.1
        Half width of the tube around 0 in which a rank's rows cost nothing.
    kernel : {"linear", "rbf", "poly", "precomputed"} or callable, default="rbf"
        Kernel between rows; a callable gets two matrices and returns theirs.
    gamma : {"scale", "auto"} or float, default="scale"
        Coefficient of "rbf" and "poly".
    degree : int, default=3
        Degree of "poly".
    coef0 : float, default=0.0
        Constant of "poly".
    predictor : {"ordered", "nearest"}, default="ordered"
        "ordered" counts the neighbouring pairs of functions whose sum is positive; "nearest" takes
        the rank whose function is nearest to 0.
    classes : list or "sorted", default=None
        Levels from lowest to highest. By default an ordered Categorical's own order, or that of
        numbers; strings need it. "sorted" takes the labels' sort order.
    class_weight : dict or "balanced", default=None
        Factors of the costs by label.
    tol : float, default=1e-3
        Largest violation of the optimality conditions to leave.
    max_iter : int, default=1_000_000
        Maximum number of pair steps of a rank.

    Attributes
    ----------
    classes_ : ndarray of shape (n_ranks,)
        Levels that occur, lowest first.
    support_ : ndarray of int
        Rows that the functions are made of.
    dual_coef_ : ndarray of shape (n_support, n_ranks)
        Their coefficients.
    intercept_ : ndarray of shape (n_ranks,)
        Intercepts of the functions, not penalised.
    n_iter_ : int
        Pair steps of the rank that needed most.
    dual_gap_ : ndarray of shape (n_ranks,)
        Relative duality gap.
    violation_ : ndarray of shape (n_ranks,)
        Largest violation of the optimality conditions.
    n_features_in_, feature_names_in_ :
        As in every scikit-learn estimator.

    Notes
    -----
    The kernel between all training rows is held in memory: for some thousands of rows. Above
    that, :class:`LinearNPSVOR`. Choose `epsilon`, besides `C` and `gamma`, by cross-validation from
    0 to 0.6: no single value serves all data, and on some a wrong one predicts worse than
    :class:`SVOR`; a `C1` of a tenth of `C2` is worth a try there, too.

    References
    ----------
    Wang, Shi, Niu and Tian (2016), Nonparallel support vector ordinal regression, IEEE
    Transactions on Cybernetics.

    Examples
    --------
    >>> import numpy as np
    >>> x = np.linspace(0, 3, 40)
    >>> model = NPSVOR(C=10).fit(x[:, None], np.digitize(np.sin(x), [0.4, 0.8]))
    >>> model.predict([[0.1], [1.5], [2.4]])
    array([0, 2, 1])
    """

    C: parameters.PositiveFloat = 1.0
    _: KW_ONLY
    C1: parameters.PositiveFloat | None = None
    C2: parameters.PositiveFloat | None = None
    epsilon: parameters.NonNegativeFloat = 0.1
    predictor: Predictor = "ordered"

    def _solve(self, training: TrainingData) -> str | None:
        solution = solve_kernel_ranks(
            self._training_kernel(training),
            training.ranks,
            (self.C1 or self.C) * training.weights,
            (self.C2 or self.C) * training.weights,
            n_ranks=training.n_ranks,
            epsilon=float(self.epsilon),
            tol=self.tol,
            max_iter=self.max_iter,
        )
        self.intercept_ = solution.offsets
        return self._keep(training, solution, f"max_iter={self.max_iter} steps")
