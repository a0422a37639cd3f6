"""Support-vector ordinal regression with thresholds (Chu and Keerthi) as a classifier."""

from __future__ import annotations

import warnings
from numbers import Integral, Real

import numpy as np
from sklearn.base import _fit_context
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils._param_validation import Interval, StrOptions

from autotype.svm.kernel_support import KERNEL_CONSTRAINTS, KernelOrdinalEstimator
from autotype.svm.solvers.smo import solve_thresholds
from autotype.svm.threshold_predictor import threshold_ranks, threshold_scores


class SVOR(KernelOrdinalEstimator):
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
        numbers; text needs it. "sorted" takes the labels' sort order.
    class_weight : dict or "balanced", default=None
        Factors of the costs by label.
    tol : float, default=1e-3
        Largest violation of the optimality conditions to leave.
    max_iter : int, default=1_000_000
        Most pair steps.

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
        As everywhere in scikit-learn.

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

    _parameter_constraints: dict = {  # noqa: RUF012 - scikit-learn's convention
        **KERNEL_CONSTRAINTS,
        "C": [Interval(Real, 0, None, closed="neither")],
        "constraints": [StrOptions({"implicit", "explicit"})],
        "tol": [Interval(Real, 0, None, closed="neither")],
        "max_iter": [Interval(Integral, 1, None, closed="left")],
    }

    def __init__(
        self,
        C=1.0,
        *,
        constraints="implicit",
        kernel="rbf",
        gamma="scale",
        degree=3,
        coef0=0.0,
        classes=None,
        class_weight=None,
        tol=1e-3,
        max_iter=1_000_000,
    ):
        self.C = C
        self.constraints = constraints
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.classes = classes
        self.class_weight = class_weight
        self.tol = tol
        self.max_iter = max_iter

    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, X, y, sample_weight=None):
        """Learn the latent function and the thresholds.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Features, or the kernel between the rows where it is precomputed.
        y : array-like of shape (n_samples,)
            Labels: an ordered Categorical, numbers, or text with `classes`.
        sample_weight : array-like of shape (n_samples,), optional
            Factors of the costs.

        Returns
        -------
        SVOR
            The estimator itself.

        Warns
        -----
        ConvergenceWarning
            Where `max_iter` steps did not reach `tol`, with the duality gap.
        """
        training, K = self._read(X, y, sample_weight)
        solution = solve_thresholds(
            K,
            training.ranks,
            self.C * training.weights,
            n_levels=len(training.observed),
            explicit=self.constraints == "explicit",
            tol=self.tol,
            max_iter=self.max_iter,
        )
        self._keep_support(training, solution.coefficients[:, None])
        self.thresholds_ = solution.thresholds
        self.n_iter_ = max(solution.n_iter, 1)
        self.violation_ = solution.violation
        self.dual_gap_ = (solution.primal - solution.dual) / max(
            solution.primal, np.finfo(float).tiny
        )
        if not solution.converged:
            warnings.warn(
                f"SVOR stopped at max_iter={self.max_iter} steps with a relative duality gap of "
                f"{self.dual_gap_:.2g}; increase max_iter or tol, or scale the features",
                ConvergenceWarning,
                stacklevel=3,
            )
        return self

    def predict_latent(self, X):
        """Evaluate the latent function.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Features, or the kernel between them and the training rows.

        Returns
        -------
        ndarray of shape (n_samples,)
            On the scale of `thresholds_`.
        """
        return self._functions(X)[:, 0]

    def _scores(self, X):
        return threshold_scores(self.predict_latent(X), self.thresholds_)

    def _ranks(self, X):
        return threshold_ranks(self.predict_latent(X), self.thresholds_)
