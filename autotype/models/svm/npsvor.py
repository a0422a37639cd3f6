"""Kernel nonparallel support-vector ordinal regression as a classifier."""

from __future__ import annotations

from sklearn.utils._param_validation import StrOptions

from autotype.models.svm.base import AT_LEAST_ONE, KernelOrdinalSVM, relative_gap
from autotype.models.svm.decisions import COST_CONSTRAINTS, NonparallelSVM
from autotype.models.svm.solvers.admm import solve_kernel_ranks_by_admm
from autotype.models.svm.solvers.kernel_problem import KernelRankProblem
from autotype.models.svm.solvers.smo import solve_kernel_ranks
from autotype.models.training import TrainingData

_MOST_ITERATIONS = {"smo": 1_000_000, "admm": 5_000}


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
    solver : {"smo", "admm"}, default="smo"
        Steps over pairs of variables, rank by rank, or the paper's alternating directions over all
        ranks at once: the same optimum, 5 to 90 times slower at the default tolerance, but exact to
        rounding if it converges.
    classes : list or "sorted", default=None
        Levels from lowest to highest. By default an ordered Categorical's own order, or that of
        numbers; text needs it. "sorted" takes the labels' sort order.
    class_weight : dict or "balanced", default=None
        Factors of the costs by label.
    tol : float, default=1e-3
        Distance from the optimum to leave: largest violation of the optimality conditions or
        relative duality gap, whichever is smaller.
    max_iter : int or None, default=None
        Maximum number of pair steps of a rank (None: 1,000,000) or of iterations of "admm" (None:
        5,000).

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
        Pair steps of the rank that needed most, or iterations of "admm".
    dual_gap_ : ndarray of shape (n_ranks,)
        Relative duality gap.
    violation_ : ndarray of shape (n_ranks,)
        Distance from the optimum that `tol` is compared with.
    n_features_in_, feature_names_in_ :
        As in every scikit-learn estimator.

    Notes
    -----
    The kernel between all training rows is held in memory (and for "admm" an inverse of its size):
    for some thousands of rows. Above that, :class:`LinearNPSVOR`. Choose `epsilon`, besides `C` and
    `gamma`, by cross-validation from 0 to 0.6: no single value serves all data, and on some a wrong
    one predicts worse than :class:`SVOR`; a `C1` of a tenth of `C2` is worth a try there, too.

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

    _parameter_constraints: dict = {  # noqa: RUF012 - scikit-learn's convention
        **KernelOrdinalSVM._parameter_constraints,
        **NonparallelSVM._parameter_constraints,
        **COST_CONSTRAINTS,
        "solver": [StrOptions(set(_MOST_ITERATIONS))],
        "max_iter": [None, AT_LEAST_ONE],
    }

    def __init__(
        self,
        C=1.0,
        *,
        C1=None,
        C2=None,
        epsilon=0.1,
        kernel="rbf",
        gamma="scale",
        degree=3,
        coef0=0.0,
        predictor="ordered",
        solver="smo",
        classes=None,
        class_weight=None,
        tol=1e-3,
        max_iter=None,
    ):
        self.C = C
        self.C1 = C1
        self.C2 = C2
        self.epsilon = epsilon
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.predictor = predictor
        self.solver = solver
        self.classes = classes
        self.class_weight = class_weight
        self.tol = tol
        self.max_iter = max_iter

    def _solve(self, training: TrainingData) -> str | None:
        problem = KernelRankProblem(
            K=self._training_kernel(training),
            ranks=training.ranks,
            n_ranks=training.n_ranks,
            own_costs=(self.C1 or self.C) * training.weights,
            other_costs=(self.C2 or self.C) * training.weights,
            epsilon=float(self.epsilon),
        )
        solve = solve_kernel_ranks_by_admm if self.solver == "admm" else solve_kernel_ranks
        max_iter = self.max_iter or _MOST_ITERATIONS[self.solver]
        solution = solve(problem, tol=self.tol, max_iter=max_iter)
        self._keep_support(training, solution.coefficients)
        self.intercept_ = solution.intercepts
        self.n_iter_ = solution.n_iter
        self.violation_ = solution.violation
        self.dual_gap_ = relative_gap(solution.primal, solution.dual)
        converged = solution.violation.max() <= self.tol
        return None if converged else f"max_iter={max_iter} iterations"
