"""Linear RedSVM (Lin and Li): one direction and thresholds, for large sparse data.

Dual coordinate descent for the linear RedSVM: one direction and L - 1 thresholds.

Lin and Li's reduction turns every row into one binary example per threshold j, (x_i, -e_j),
labelled +1 if the rank lies above it:

    min (|w|^2 + |b|^2) / 2 + sum_i C_i sum_j loss(1 - t_ij (w'x_i - b_j))

Written out, the examples would be L - 1 copies of the data. The examples of a row differ in their
threshold only, so the solver visits them together and reads the row once.
"""

from __future__ import annotations

from dataclasses import KW_ONLY
from typing import Any, ClassVar

import numpy as np
from sklearn.utils._param_validation import StrOptions

from autotype.models.estimator import estimator
from autotype.models.svm.base import POSITIVE, LinearOrdinalSVM, ThresholdSVM, as_csr
from autotype.models.svm.solvers._dual_coordinate_fast import red_svm_pass
from autotype.models.svm.solvers.linear_problem import squared_norms
from autotype.models.svm.solvers.solution import Solution
from autotype.models.training import TrainingData


def solve_red_svm(
    X: Any,
    ranks: np.ndarray,
    costs: np.ndarray,
    *,
    n_levels: int,
    squared: bool,
    tol: float,
    max_iter: int,
    seed: int,
) -> Solution:
    """Minimise the dual of RedSVM, all thresholds of a row in one visit.

    Parameters
    ----------
    X : csr_matrix of shape (n, m)
        Rows.
    ranks : ndarray of int32, shape (n,)
        Ranks 0 .. n_levels - 1.
    costs : ndarray of shape (n,)
        Cost of an error of each row.
    n_levels : int
        Number of levels.
    squared : bool
        Whether errors are squared.
    tol : float
        Stop when a pass' sum of violations is below `tol` times the first pass'.
    max_iter : int
        Maximum number of passes.
    seed : int
        Seed of the rows' random order.

    Returns
    -------
    Solution
        Weights of the features, and thresholds that are not sorted by construction.

    References
    ----------
    Lin and Li (2012), Reduction from cost-sensitive ordinal ranking to weighted binary
    classification, Neural Computation 24(5).
    """
    n = X.shape[0]
    norms = squared_norms(X, 0.0)
    allowed = np.repeat((costs > 0).astype(np.uint8)[:, None], n_levels - 1, axis=1)
    active = allowed.copy()
    dual = np.zeros((n, n_levels - 1))
    weights = np.zeros(X.shape[1], dtype=X.dtype)
    thresholds = np.zeros(n_levels - 1)
    shrunk = np.zeros(1, dtype=np.int64)
    generator = np.random.default_rng(seed)
    margin, first, converged, n_iter = np.inf, np.nan, False, 0
    while n_iter < max_iter and not converged:
        violation, largest = np.zeros(1), np.zeros(1)
        red_svm_pass(
            X.data,
            X.indices,
            X.indptr,
            generator.permutation(np.arange(n, dtype=np.int32)),
            ranks,
            costs,
            norms,
            squared,
            margin,
            active,
            dual,
            weights,
            thresholds,
            violation,
            largest,
            shrunk,
        )
        first = violation[0] if n_iter == 0 else first
        n_iter += 1
        margin = largest[0]
        if violation[0] <= tol * first:
            # Optimal on the variables left: if any are shrunk, check it on all of them.
            converged = bool(shrunk[0] == 0)
            active[:], shrunk[0], margin = allowed, 0, np.inf
    side = np.where(ranks[:, None] > np.arange(len(thresholds)), 1.0, -1.0)
    error = np.maximum(1 - side * ((X @ weights)[:, None] - thresholds), 0)
    norm = float(weights.astype(np.float64) @ weights + thresholds @ thresholds)
    value = -norm / 2 + float(np.sum(side * dual))
    if squared:
        counted = costs > 0
        value -= float(np.sum(dual[counted] ** 2 / costs[counted, None])) / 4
        error *= error
    primal = norm / 2 + float(costs @ error.sum(axis=1))
    return Solution(weights, thresholds, n_iter, converged, primal, value)


@estimator()
class LinearRedSVM(ThresholdSVM, LinearOrdinalSVM):
    """Ordinal regression reduced to one linear SVM: a direction, and thresholds between the ranks.

    Each row makes a binary example per threshold, labelled by whether it lies above; all share the
    direction.

    Parameters
    ----------
    C : float, default=1.0
        Cost of an error.
    loss : {"hinge", "squared_hinge"}, default="hinge"
        Whether errors are linear or squared.
    classes : list or "sorted", default=None
        Levels from lowest to highest. By default an ordered Categorical's own order, or that of
        numbers; strings need it. "sorted" takes the labels' sort order.
    class_weight : dict or "balanced", default=None
        Factors of the costs by label.
    tol : float, default=0.1
        Stop when a pass meets less than `tol` times the first pass' violation of optimality.
    max_iter : int, default=1000
        Maximum number of passes over the rows.
    random_state : int, RandomState or None, default=0
        Seed of the order in which rows are visited.

    Attributes
    ----------
    classes_ : ndarray of shape (n_levels,)
        Levels that occur, lowest first.
    coef_ : ndarray of shape (n_features,)
        The direction.
    thresholds_ : ndarray of shape (n_levels - 1,)
        Thresholds on the latent scale, penalised like the weights.
    n_iter_ : int
        Passes over the rows.
    dual_gap_ : float
        Relative duality gap.
    n_features_in_, feature_names_in_ :
        As in every scikit-learn estimator.

    Notes
    -----
    A pass costs O(nnz(X) + n_samples n_levels): all thresholds of a row share one visit.

    References
    ----------
    Lin and Li (2012), Reduction from cost-sensitive ordinal ranking to weighted binary
    classification, Neural Computation 24(5).

    Examples
    --------
    >>> import numpy as np
    >>> x = np.linspace(-2, 2, 40)
    >>> model = LinearRedSVM(C=10).fit(x[:, None], np.digitize(x, [-1, 1]))
    >>> model.predict([[-1.5], [0.0], [1.5]])
    array([0, 1, 2])
    """

    C: float = 1.0
    _: KW_ONLY
    loss: str = "hinge"
    classes: Any = None
    class_weight: Any = None
    tol: float = 0.1
    max_iter: int = 1000
    random_state: Any = 0

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        **LinearOrdinalSVM._parameter_constraints,
        "C": [POSITIVE],
        "loss": [StrOptions({"hinge", "squared_hinge"})],
    }

    def _solve(self, training: TrainingData) -> str | None:
        solution = solve_red_svm(
            as_csr(training.X),
            training.ranks,
            self.C * training.weights,
            n_levels=training.n_ranks,
            squared=self.loss == "squared_hinge",
            tol=self.tol,
            max_iter=self.max_iter,
            seed=self._seed(),
        )
        self.coef_, self.thresholds_ = solution.coefficients, solution.offsets
        return self._keep(training, solution, f"max_iter={self.max_iter} passes")
