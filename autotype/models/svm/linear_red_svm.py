"""Linear RedSVM (Lin and Li): one direction and thresholds, for large sparse data."""

from __future__ import annotations

from autotype.models import parameters
from autotype.models.svm.base import LinearOrdinalSVM, ThresholdSVM, as_csr
from autotype.models.svm.solvers.red_svm import solve_red_svm
from autotype.models.training import TrainingData


@parameters.estimator()
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

    C: parameters.PositiveFloat = 1.0

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
