"""Kernel regression with order preferences.

The parameters may be chosen by cross-validation. scikit-learn's searches divide the rows of X,
which preferences refer to by number, and fit each candidate from the beginning. Here the folds
divide the labelled rows only, and a kernel and a path of lambda1 are computed once for all
candidates that share them.
"""

from __future__ import annotations

import warnings
from abc import abstractmethod
from dataclasses import KW_ONLY
from itertools import product
from numbers import Integral
from typing import Any, ClassVar, Literal, Self

import numpy as np
from scipy.stats import rankdata
from sklearn.base import RegressorMixin, _fit_context
from sklearn.exceptions import ConvergenceWarning, FitFailedWarning
from sklearn.metrics import check_scoring
from sklearn.utils.validation import _num_samples

from autotype.models import parameters
from autotype.models.folds import splits_of
from autotype.models.kernel_expansion import KernelExpansion
from autotype.models.preferences.solvers.path import (
    PreferenceSolution,
    best_constant,
    solve_preference_path,
    solve_preferences,
)
from autotype.models.preferences.training import PreferenceTraining, read_preference_training

_SMALL_GAP = 1e-6  # relative to the objective of the best constant
_VIOLATED = 1e-7  # by more than this, relative to the spread of targets and differences

_PARAMETERS = ("lambda1", "lambda2", "epsilon", "gamma")
_DECADES = 5  # that the default grid of lambda1 spans


@parameters.estimator(kw_only=True)
class OrderPreferenceBase(RegressorMixin, KernelExpansion):
    """Base of the regressors with order preferences: reads the training data, keeps the solution.

    Attributes
    ----------
    accepts_preferences : bool
        `fit` takes `preferences`, and rows without a target, which these may be about.
    """

    accepts_preferences: ClassVar[bool] = True
    centres: Literal["labelled", "all"] = "labelled"

    @_fit_context(prefer_skip_nested_validation=True)
    def fit(
        self,
        X: Any,
        y: Any,
        preferences: Any = None,
        sample_weight: Any = None,
        unlabelled: Any = None,
    ) -> Self:
        """Fit the function.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Features, or the kernel between the rows if it is precomputed.
        y : array-like of shape (n_samples,)
            Targets; NaN, None or NA if not known. Cross-validation needs two that are known.
        preferences : Preferences, optional
            Statements about rows of X, with or without a target.
        sample_weight : array-like of shape (n_samples,), optional
            Weights of the errors, of which the mean is taken; a row of weight 0 counts as
            unlabelled.
        unlabelled : array-like or sparse matrix of shape (n_rows, n_features), optional
            Rows that the preferences refer to instead of those of X.

        Returns
        -------
        self : object
            The fitted estimator.

        Raises
        ------
        ValueError
            If X holds NaN, no row has a target, or features, targets or weights cannot be computed
            with: infinite, negative weights, or magnitudes other than 0 and those between 1e-75 and
            1e75, for which the error names the feature. `predict` refuses larger ones too.
        TypeError
            If the preferences are not `Preferences`.
        IndexError
            If a preference is about a row that does not exist.

        Warns
        -----
        ConvergenceWarning
            If the solver's solution is not exact.
        FitFailedWarning
            If the solver gave up on some candidates of a cross-validation; they score NaN.
        """
        if self.kernel == "precomputed" and self.centres == "all" and unlabelled is not None:
            raise ValueError(
                "a precomputed kernel has no columns for the rows of unlabelled as centres; put "
                "these rows into X without a target, or take centres='labelled'"
            )
        training = read_preference_training(
            self,
            X,
            y,
            preferences=preferences,
            sample_weight=sample_weight,
            unlabelled=unlabelled,
        )
        self._check_square((_num_samples(X), training.X.shape[1]))
        self._solve(training)
        return self

    def predict(self, X: Any) -> np.ndarray:
        """Evaluate the function.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Features, or the kernel between them and the rows that `fit` was given.

        Returns
        -------
        ndarray of shape (n_samples,)
        """
        return self._functions(X) + self.intercept_

    @abstractmethod
    def _solve(self, training: PreferenceTraining) -> None:
        """Solve the linear program and set the fitted attributes."""

    def _training_kernel(self, training: PreferenceTraining, gamma: Any) -> np.ndarray:
        """Evaluate the kernel between the rows used and the possible centres, and set its width."""
        self._set_width(gamma, training.X[: training.n_labelled], training.weights)
        if self.kernel == "precomputed":
            return training.X[:, training.numbers[training.candidates]]
        return self._kernel_matrix(training.X, training.X[training.candidates], in_fit=True)

    def _keep_function(
        self, training: PreferenceTraining, solution: PreferenceSolution, rows: Any = slice(None)
    ) -> None:
        """Store the centres whose coefficients are not 0, in a fit to these labelled rows."""
        support = np.flatnonzero(solution.coefficients)
        centres = training.centres(rows)[support]
        self.support_ = training.numbers[centres]
        self.dual_coef_ = solution.coefficients[support]
        self.intercept_ = solution.intercept
        self._rows = None if self.kernel == "precomputed" else training.X[centres]

    def _solve_at(
        self,
        training: PreferenceTraining,
        *,
        lambda1: float,
        lambda2: float,
        epsilon: float,
        gamma: Any,
    ) -> None:
        """Solve with these parameters, set the attributes, and warn of an inexact solution."""
        problem = training.problem(self._training_kernel(training, gamma), epsilon=epsilon)
        solution = solve_preferences(problem, lambda1=lambda1, lambda2=lambda2)
        self._keep_function(training, solution)
        _, worst, _ = best_constant(problem, lambda2=lambda2)
        violations = problem.violations(solution.coefficients, solution.intercept)
        unit = max(np.ptp(problem.y), np.abs(problem.difference).max(initial=0.0))
        self.violated_preferences_ = np.flatnonzero(violations > _VIOLATED * unit)
        self.objective_ = solution.objective
        self.n_iter_ = solution.n_iter
        gap = solution.objective - solution.dual_objective
        self.dual_gap_ = gap / (worst or 1.0)
        if self.dual_gap_ > _SMALL_GAP:
            warnings.warn(
                f"the linear program was solved up to a relative duality gap of "
                f"{self.dual_gap_:.2g}; scale the features and the target, take a larger lambda1 "
                "or a narrower kernel",
                ConvergenceWarning,
                stacklevel=5,  # this method, _solve, fit, scikit-learn's wrapper of it
            )


@parameters.estimator()
class OrderPreferenceRegressor(OrderPreferenceBase):
    """Kernel regression from a few targets and many order preferences.

    f(x) = sum_i alpha_i k(x_i, x) + alpha_0, a sum over the labelled rows, minimises ::

        mean |y_i - f(x_i)|_epsilon + lambda1 |alpha|_1
        + (lambda2 / p) sum_q w_q max(d_q - (f(x_above) - f(x_below)), 0).

    Rows without a target (NaN) take part through the p preferences only.

    Parameters
    ----------
    lambda1 : float, default=0.01
        Weight of ``|alpha|_1``, >= 0: the larger, the simpler the function. On the scale of the
        kernel; :class:`OrderPreferenceRegressorCV` chooses it.
    lambda2 : float, default=1.0
        Weight of the mean violation of the preferences, >= 0, on the scale of the loss. With 0 it
        is 1-norm support-vector regression.
    epsilon : float, default=0.0
        Half width of the tube around f in which an error costs nothing, >= 0.
    kernel : {"linear", "rbf", "poly", "precomputed"} or callable, default="rbf"
        Kernel between rows; a callable gets two matrices and returns theirs.
    gamma : {"scale", "auto"} or float, default="scale"
        Coefficient of "rbf" and "poly"; "scale" is that of the labelled rows.
    degree : int, default=3
        Degree of "poly".
    coef0 : float, default=0.0
        Constant of "poly".
    centres : {"labelled", "all"}, default="labelled"
        Rows x_i of the sum: the labelled ones, as in the paper, or also those that preferences
        are about. "all" can be more accurate if labels are few, and takes longer.

    Attributes
    ----------
    support_ : ndarray of int, shape (n_support,)
        Rows that f is made of, numbers in X; those of `unlabelled` count on from there.
    dual_coef_ : ndarray of shape (n_support,)
        Their alpha.
    intercept_ : float
        alpha_0, not penalised.
    violated_preferences_ : ndarray of int
        Positions of the preferences that f does not satisfy.
    objective_ : float
        The minimum.
    dual_gap_ : float
        Duality gap, relative to the objective of the best constant.
    n_iter_ : int
        Simplex iterations.
    n_features_in_, feature_names_in_ :
        As in every scikit-learn estimator.

    See Also
    --------
    Preferences : how to state them.
    OrderPreferenceRegressorCV : chooses lambda1 and the others by cross-validation.

    Notes
    -----
    A linear program, solved in its dual by column generation: l + 1 rows, whatever p, and columns
    for those preferences only that some intermediate f violates. If rounding stops the dual simplex
    method, SciPy's HiGHS solves the program. Scale the features first: kernels measure distances.
    In a Pipeline, pass ``orderpreferenceregressor__preferences``; in a search over folds, which
    renumbers the rows of X, refer to rows of `unlabelled` instead.

    References
    ----------
    Zhu and Goldberg (2007), Kernel regression with order preferences, AAAI, eqs. (5) to (7).

    Examples
    --------
    Three targets, and the knowledge that the value rises from 1.5 to 2.5:

    >>> import numpy as np
    >>> from autotype.models import Preferences
    >>> X = np.array([[0.0], [1.0], [3.0], [1.5], [2.5]])
    >>> y = np.array([0.0, 2.0, 1.0, np.nan, np.nan])
    >>> rising = Preferences([(4, 3)], difference=0.5)
    >>> model = OrderPreferenceRegressor(lambda1=0.001, gamma=0.5).fit(X, y, preferences=rising)
    >>> np.diff(model.predict(X[3:])).round(3)
    array([0.5])
    """

    lambda1: parameters.NonNegativeFloat = 0.01
    lambda2: parameters.NonNegativeFloat = 1.0
    _: KW_ONLY
    epsilon: parameters.NonNegativeFloat = 0.0
    gamma: parameters.Gamma = "scale"

    def _solve(self, training: PreferenceTraining) -> None:
        self._solve_at(training, **{name: getattr(self, name) for name in _PARAMETERS})


@parameters.estimator()
class OrderPreferenceRegressorCV(OrderPreferenceBase):
    """Kernel regression with order preferences that chooses lambda1, and more, by cross-validation.

    The folds divide the labelled rows; every fold uses all preferences, also those about held-out
    rows, since they do not use targets. Each fold follows a path of falling lambda1, every solution
    the start of the next. The best candidate is then fitted to all labelled rows.

    Parameters
    ----------
    lambda1s : int or array-like, default=13
        Values of lambda1, or how many: from the smallest at which alpha = 0 is optimal, down to
        1e-5 of it, in equal ratios.
    lambda2s : array-like, default=(1.0,)
        Values of lambda2.
    epsilons : array-like, default=(0.0,)
        Values of epsilon.
    gammas : array-like, default=("scale",)
        Values of gamma, each as in :class:`OrderPreferenceRegressor`.
    kernel, degree, coef0, centres :
        As in :class:`OrderPreferenceRegressor`.
    cv : int, splitter or iterable of splits, default=5
        Folds of the labelled rows; an int or a splitter divides these only, an iterable has
        (train, test) rows of X, of which those without a target are passed over.
    scoring : str, callable or None, default=None
        Score to maximise; by default the negative mean absolute error, weighted by `sample_weight`.

    Attributes
    ----------
    lambda1_, lambda2_, epsilon_, gamma_ : float
        Parameters with the best mean score; among equals the first, and the largest lambda1.
        `gamma_` may be "scale" or "auto".
    best_score_ : float
        Its mean score.
    best_index_ : int
        Its position in `cv_results_`.
    cv_results_ : dict of ndarray
        As in scikit-learn's searches: "params", "param_lambda1", "param_lambda2",
        "param_epsilon", "param_gamma", "split0_test_score", ..., "mean_test_score",
        "std_test_score", "rank_test_score". A score is NaN if the solver gave up.
    support_, dual_coef_, intercept_, violated_preferences_, objective_, dual_gap_, n_iter_ :
        As in :class:`OrderPreferenceRegressor`, of the final fit.

    Examples
    --------
    >>> import numpy as np
    >>> from autotype.models import Preferences
    >>> rng = np.random.default_rng(0)
    >>> X = rng.uniform(-3, 3, (60, 1))
    >>> truth = np.sin(X[:, 0])
    >>> y = np.where(np.arange(60) < 15, truth, np.nan)
    >>> pairs = rng.integers(15, 60, (100, 2))
    >>> larger = truth[pairs[:, 0]] > truth[pairs[:, 1]]
    >>> known = Preferences(np.where(larger[:, None], pairs, pairs[:, ::-1]))
    >>> model = OrderPreferenceRegressorCV(gammas=[0.1, 1.0]).fit(X, y, preferences=known)
    >>> len(model.cv_results_["params"])
    26
    """

    lambda1s: parameters.PositiveInt | parameters.ArrayLike = 13
    lambda2s: parameters.ArrayLike = (1.0,)
    _: KW_ONLY
    epsilons: parameters.ArrayLike = (0.0,)
    gammas: parameters.ArrayLike = ("scale",)
    cv: parameters.Folds = 5
    scoring: parameters.Scoring = None

    def _solve(self, training: PreferenceTraining) -> None:
        self.cv_results_ = self._search(training)
        means = self.cv_results_["mean_test_score"]
        if np.isnan(means).all():
            raise RuntimeError(
                "no candidate was solved in every fold; scale the features, try larger lambda1s or "
                "narrower kernels"
            )
        self.best_index_ = int(np.nanargmax(means))
        self.best_score_ = float(means[self.best_index_])
        best = self.cv_results_["params"][self.best_index_]
        for name, value in best.items():
            setattr(self, f"{name}_", value)
        self._solve_at(training, **best)

    def _folds(self, training: PreferenceTraining) -> list[tuple[np.ndarray, np.ndarray]]:
        n_labelled, cv = len(training.y), self.cv
        if n_labelled < 2:
            raise ValueError(
                "cross-validation needs at least 2 rows with a target, got n_samples=1; take "
                "OrderPreferenceRegressor and choose lambda1 yourself"
            )
        if isinstance(cv, Integral):
            cv = min(int(cv), n_labelled)
        folds = splits_of(cv, training.X[:n_labelled], training.y)
        if isinstance(cv, Integral) or hasattr(cv, "split"):
            return folds
        labelled = training.numbers[:n_labelled]
        folds = [
            (np.flatnonzero(np.isin(labelled, train)), np.flatnonzero(np.isin(labelled, test)))
            for train, test in folds
        ]
        if not all(len(train) and len(test) for train, test in folds):
            raise ValueError(
                "each split of cv needs a row with a target in its training and its test part; "
                "the splits number the rows of X"
            )
        return folds

    def _search(self, training: PreferenceTraining) -> dict[str, Any]:
        """Score all candidates in all folds, and return scikit-learn's `cv_results_`."""
        folds = self._folds(training)
        lambda2s = parameters.read_grid(self.lambda2s, "lambda2s").tolist()
        epsilons = parameters.read_grid(self.epsilons, "epsilons").tolist()
        if not len(self.gammas):
            raise ValueError(f"gammas must hold at least one value, got {self.gammas!r}")
        path: Any = None
        if not isinstance(self.lambda1s, Integral):
            path = parameters.read_grid(self.lambda1s, "lambda1s")[::-1]
        candidates: list[tuple[Any, ...]] = []
        scores: list[np.ndarray] = []
        failures: list[str] = []
        for gamma in self.gammas:
            model = self._candidate(gamma)
            K = model._training_kernel(training, gamma)  # once for all paths
            for epsilon, lambda2 in product(epsilons, lambda2s):
                lambda1s = path
                if lambda1s is None:
                    # The grid starts where a constant is optimal, on all labelled rows: one grid
                    # for all folds. That is 0 if a constant is optimal for every lambda1.
                    problem = training.problem(K, epsilon=epsilon)
                    _, _, largest = best_constant(problem, lambda2=lambda2)
                    ratios = np.logspace(0, -_DECADES, int(self.lambda1s))
                    lambda1s = (largest or 1.0) * ratios
                columns = np.full((len(lambda1s), len(folds)), np.nan)
                for fold, (train, test) in enumerate(folds):
                    problem = training.problem(K, epsilon=epsilon, rows=train)
                    solutions = solve_preference_path(problem, lambda1s=lambda1s, lambda2=lambda2)
                    try:
                        for position, solution in enumerate(solutions):
                            model._keep_function(training, solution, rows=train)
                            columns[position, fold] = self._score(model, training, test)
                    except RuntimeError as error:  # the rest of the path stays NaN
                        failures.append(str(error))
                scores.append(columns)
                candidates += product(lambda1s.tolist(), [lambda2], [epsilon], [gamma])
        if failures:
            warnings.warn(
                f"{len(failures)} of the paths were not followed to their end, the first: "
                f"{failures[0]}",
                FitFailedWarning,
                stacklevel=5,  # this method, _solve, fit, scikit-learn's wrapper of it
            )
        return _results(candidates, np.concatenate(scores))

    def _candidate(self, gamma: Any) -> OrderPreferenceRegressor:
        """Create the estimator that evaluates the kernel of this width, and predicts."""
        names = ("kernel", "degree", "coef0", "centres")
        shared = {name: getattr(self, name) for name in names}
        model = OrderPreferenceRegressor(gamma=gamma, **shared)
        model._validate_params()
        model.n_features_in_ = self.n_features_in_
        return model

    def _score(
        self, model: OrderPreferenceRegressor, training: PreferenceTraining, test: np.ndarray
    ) -> float:
        """Score a fitted candidate on the labelled rows held out."""
        scorer: Any = check_scoring(model, self.scoring or "neg_mean_absolute_error")
        weights = {} if self.scoring else {"sample_weight": training.weights[test]}
        return float(scorer(model, training.X[test], training.y[test], **weights))


def _results(candidates: list[tuple[Any, ...]], scores: np.ndarray) -> dict[str, Any]:
    """Return scores of shape (n_candidates, n_folds) in the form of `cv_results_`."""
    params = [dict(zip(_PARAMETERS, candidate, strict=True)) for candidate in candidates]
    results: dict[str, Any] = {"params": params}
    for name, values in zip(_PARAMETERS, zip(*candidates, strict=True), strict=True):
        dtype = object if name == "gamma" else np.float64
        results[f"param_{name}"] = np.array(values, dtype=dtype)
    results |= {f"split{fold}_test_score": column for fold, column in enumerate(scores.T)}
    mean = scores.mean(axis=1)
    results["mean_test_score"], results["std_test_score"] = mean, scores.std(axis=1)
    ranked = rankdata(-np.where(np.isnan(mean), -np.inf, mean), method="min")
    return {**results, "rank_test_score": ranked.astype(np.int32)}
