"""Support-vector ordinal regression with thresholds (Chu and Keerthi) as a classifier."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import Any, ClassVar

from sklearn.utils._param_validation import StrOptions

from autotype.models.svm.base import POSITIVE, KernelOrdinalSVM
from autotype.models.svm.decisions import ThresholdSVM
from autotype.models.svm.solvers.smo import solve_thresholds
from autotype.models.training import TrainingData


@dataclass(eq=False, repr=False)
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

    C: float = 1.0
    _: KW_ONLY
    constraints: str = "implicit"
    gamma: Any = "scale"
    classes: Any = None
    class_weight: Any = None
    tol: float = 1e-3
    max_iter: int = 1_000_000

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        **KernelOrdinalSVM._parameter_constraints,
        "C": [POSITIVE],
        "constraints": [StrOptions({"implicit", "explicit"})],
    }

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
