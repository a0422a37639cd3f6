"""Kernel nonparallel support-vector ordinal regression as a classifier."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import Any, ClassVar

from autotype.models.svm.base import KernelOrdinalSVM
from autotype.models.svm.decisions import COST_CONSTRAINTS, NonparallelSVM
from autotype.models.svm.solvers.kernel_problem import KernelRankProblem
from autotype.models.svm.solvers.smo import solve_kernel_ranks
from autotype.models.training import TrainingData


@dataclass(eq=False, repr=False)
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
        Distance from the optimum to leave: largest violation of the optimality conditions or
        relative duality gap, whichever is smaller.
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
        Distance from the optimum that `tol` is compared with.
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

    C: float = 1.0
    _: KW_ONLY
    C1: float | None = None
    C2: float | None = None
    epsilon: float = 0.1
    gamma: Any = "scale"
    predictor: str = "ordered"
    classes: Any = None
    class_weight: Any = None
    tol: float = 1e-3
    max_iter: int = 1_000_000

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        **KernelOrdinalSVM._parameter_constraints,
        **NonparallelSVM._parameter_constraints,
        **COST_CONSTRAINTS,
    }

    def _solve(self, training: TrainingData) -> str | None:
        problem = KernelRankProblem(
            K=self._training_kernel(training),
            ranks=training.ranks,
            n_ranks=training.n_ranks,
            own_costs=(self.C1 or self.C) * training.weights,
            other_costs=(self.C2 or self.C) * training.weights,
            epsilon=float(self.epsilon),
        )
        solution = solve_kernel_ranks(problem, tol=self.tol, max_iter=self.max_iter)
        self.intercept_ = solution.offsets
        return self._keep(training, solution, f"max_iter={self.max_iter} steps")
