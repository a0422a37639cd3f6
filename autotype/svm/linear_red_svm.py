"""Linear RedSVM (Lin and Li): one direction and thresholds, for large sparse data."""

from __future__ import annotations

import warnings
from numbers import Integral, Real

import numpy as np
from sklearn.base import _fit_context
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_random_state
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.extmath import safe_sparse_dot
from sklearn.utils.validation import check_is_fitted, validate_data

from autotype.svm.ordinal_predictor import LABEL_CONSTRAINTS, OrdinalPredictor
from autotype.svm.ordinal_training import as_csr, read_training
from autotype.svm.solvers.red_svm import solve_red_svm
from autotype.svm.threshold_predictor import threshold_ranks, threshold_scores


class LinearRedSVM(OrdinalPredictor):
    """Ordinal regression reduced to one linear SVM: a direction, and thresholds between the ranks.

    Each row is asked, for each threshold, whether it lies above; all answers share the direction.

    Parameters
    ----------
    C : float, default=1.0
        Cost of an error.
    loss : {"hinge", "squared_hinge"}, default="hinge"
        Whether errors count as they are or squared.
    classes : list or "sorted", default=None
        Levels from lowest to highest. By default an ordered Categorical's own order, or that of
        numbers; text needs it. "sorted" takes the labels' sort order.
    class_weight : dict or "balanced", default=None
        Factors of the costs by label.
    tol : float, default=0.1
        Stop when a pass meets less than `tol` times the first pass' violation of optimality.
    max_iter : int, default=1000
        Most passes over the rows.
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
        As everywhere in scikit-learn.

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

    _parameter_constraints: dict = {  # noqa: RUF012 - scikit-learn's convention
        "C": [Interval(Real, 0, None, closed="neither")],
        "loss": [StrOptions({"hinge", "squared_hinge"})],
        **LABEL_CONSTRAINTS,
        "tol": [Interval(Real, 0, None, closed="neither")],
        "max_iter": [Interval(Integral, 1, None, closed="left")],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        C=1.0,
        *,
        loss="hinge",
        classes=None,
        class_weight=None,
        tol=0.1,
        max_iter=1000,
        random_state=0,
    ):
        self.C = C
        self.loss = loss
        self.classes = classes
        self.class_weight = class_weight
        self.tol = tol
        self.max_iter = max_iter
        self.random_state = random_state

    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, X, y, sample_weight=None):
        """Learn the direction and the thresholds.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Features, float32 or float64.
        y : array-like of shape (n_samples,)
            Labels: an ordered Categorical, numbers, or text with `classes`.
        sample_weight : array-like of shape (n_samples,), optional
            Factors of the costs.

        Returns
        -------
        LinearRedSVM
            The estimator itself.

        Warns
        -----
        ConvergenceWarning
            Where `max_iter` passes did not reach `tol`, with the duality gap.
        """
        training = read_training(
            self,
            X,
            y,
            classes=self.classes,
            sample_weight=sample_weight,
            class_weight=self.class_weight,
            dtype=[np.float64, np.float32],
        )
        solution = solve_red_svm(
            as_csr(training.X),
            training.ranks,
            self.C * training.weights,
            n_levels=len(training.observed),
            squared=self.loss == "squared_hinge",
            tol=self.tol,
            max_iter=self.max_iter,
            seed=check_random_state(self.random_state).randint(np.iinfo(np.int32).max),
        )
        self._keep_labels(training)
        self.coef_ = solution.weights
        self.thresholds_ = solution.thresholds
        self.n_iter_ = solution.n_iter
        self.dual_gap_ = (solution.primal - solution.dual) / solution.primal
        if not solution.converged:
            warnings.warn(
                f"LinearRedSVM stopped at max_iter={self.max_iter} passes with a relative duality "
                f"gap of {self.dual_gap_:.2g}; increase max_iter or tol, or scale the features",
                ConvergenceWarning,
                stacklevel=3,
            )
        return self

    def predict_latent(self, X):
        """Evaluate the direction.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Features.

        Returns
        -------
        ndarray of shape (n_samples,)
            On the scale of `thresholds_`.
        """
        check_is_fitted(self)
        X = validate_data(self, X, accept_sparse="csr", dtype=[np.float64, np.float32], reset=False)
        return safe_sparse_dot(X, self.coef_)

    def _scores(self, X):
        return threshold_scores(self.predict_latent(X), self.thresholds_)

    def _ranks(self, X):
        return threshold_ranks(self.predict_latent(X), self.thresholds_)
