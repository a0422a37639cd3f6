"""Kernel regression with order preferences, its parameters chosen by cross-validation."""

from __future__ import annotations

import warnings
from itertools import product
from numbers import Integral
from typing import Any

import numpy as np
from scipy.stats import rankdata
from sklearn.exceptions import FitFailedWarning
from sklearn.metrics import check_scoring
from sklearn.model_selection import check_cv
from sklearn.utils._param_validation import Interval

from autotype.models.preferences.regressor import OrderPreferenceBase, OrderPreferenceRegressor
from autotype.models.preferences.solvers.path import (
    PreferenceSolution,
    solve_preference_path,
    solve_preferences,
)
from autotype.models.preferences.solvers.problem import best_constant
from autotype.models.preferences.training import PreferenceTraining

_DECADES = 5  # that the default grid of lambda1 spans


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

    _parameter_constraints: dict = {  # noqa: RUF012 - scikit-learn's convention
        **OrderPreferenceBase._parameter_constraints,
        "lambda1s": [Interval(Integral, 1, None, closed="left"), "array-like"],
        "lambda2s": ["array-like"],
        "epsilons": ["array-like"],
        "gammas": ["array-like"],
        "cv": ["cv_object"],
        "scoring": [None, str, callable],
    }

    def __init__(
        self,
        lambda1s=13,
        lambda2s=(1.0,),
        *,
        epsilons=(0.0,),
        gammas=("scale",),
        kernel="rbf",
        degree=3,
        coef0=0.0,
        centres="labelled",
        cv=5,
        scoring=None,
    ):
        self.lambda1s = lambda1s
        self.lambda2s = lambda2s
        self.epsilons = epsilons
        self.gammas = gammas
        self.kernel = kernel
        self.degree = degree
        self.coef0 = coef0
        self.centres = centres
        self.cv = cv
        self.scoring = scoring

    def _solve(self, training: PreferenceTraining) -> None:
        search = _Search(self, training, self._folds(training))
        for gamma in self.gammas:
            search.try_kernel(gamma)
        if search.failures:
            warnings.warn(
                f"{len(search.failures)} of the paths were not followed to their end, the first: "
                f"{search.failures[0]}",
                FitFailedWarning,
                stacklevel=4,  # this method, fit, scikit-learn's wrapper of it
            )
        self.cv_results_ = search.results()
        means = self.cv_results_["mean_test_score"]
        if np.isnan(means).all():
            raise RuntimeError(
                "no candidate was solved in every fold; scale the features, try larger lambda1s or "
                "narrower kernels"
            )
        self.best_index_ = int(np.nanargmax(means))
        self.best_score_ = float(means[self.best_index_])
        best = self.cv_results_["params"][self.best_index_]
        self.lambda1_, self.lambda2_ = best["lambda1"], best["lambda2"]
        self.epsilon_, self.gamma_ = best["epsilon"], best["gamma"]
        problem = training.problem(
            self._training_kernel(training, self.gamma_), epsilon=self.epsilon_
        )
        solution = solve_preferences(problem, lambda1=self.lambda1_, lambda2=self.lambda2_)
        self._keep(training, problem, solution, lambda2=self.lambda2_)

    def _folds(self, training: PreferenceTraining) -> list[tuple[np.ndarray, np.ndarray]]:
        n_labelled, cv = len(training.y), self.cv
        if n_labelled < 2:
            raise ValueError(
                "cross-validation needs at least 2 rows with a target, got n_samples=1; take "
                "OrderPreferenceRegressor and choose lambda1 yourself"
            )
        if isinstance(cv, Integral):
            cv = min(int(cv), n_labelled)
        folds = list(check_cv(cv, training.y).split(training.X[:n_labelled], training.y))
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


class _Search:
    """Scores of all candidates in all folds."""

    def __init__(
        self,
        estimator: OrderPreferenceRegressorCV,
        training: PreferenceTraining,
        folds: list[tuple[np.ndarray, np.ndarray]],
    ) -> None:
        self.estimator, self.training, self.folds = estimator, training, folds
        self.lambda2s = _grid(estimator.lambda2s, "lambda2s")
        self.epsilons = _grid(estimator.epsilons, "epsilons")
        if not len(estimator.gammas):
            raise ValueError(f"gammas must hold at least one value, got {estimator.gammas!r}")
        self.lambda1s = None
        if not isinstance(estimator.lambda1s, Integral):
            self.lambda1s = _grid(estimator.lambda1s, "lambda1s")[::-1]
        self.params: list[dict[str, Any]] = []
        self.scores: list[np.ndarray] = []
        self.failures: list[str] = []

    def model(self, **params: Any) -> OrderPreferenceRegressor:
        """Create the estimator of a candidate."""
        names = ("kernel", "degree", "coef0", "centres")
        shared = {name: getattr(self.estimator, name) for name in names}
        model = OrderPreferenceRegressor(**shared, **params)
        model._validate_params()
        model.n_features_in_ = self.estimator.n_features_in_
        return model

    def try_kernel(self, gamma: Any) -> None:
        """Follow all paths of one kernel, which is evaluated once."""
        training = self.training
        model = self.model(gamma=gamma)
        K = model._training_kernel(training, gamma)
        for epsilon, lambda2 in product(self.epsilons, self.lambda2s):
            whole = training.problem(K, epsilon=epsilon)
            # The grid starts where a constant is optimal, on all labelled rows: one for all folds.
            lambda1s = self._lambda1s(best_constant(whole, lambda2=lambda2).lambda1)
            scores = np.full((len(lambda1s), len(self.folds)), np.nan)
            for fold, (train, test) in enumerate(self.folds):
                problem = training.problem(K, epsilon=epsilon, rows=train)
                path = solve_preference_path(problem, lambda1s=lambda1s.tolist(), lambda2=lambda2)
                try:
                    for position, solution in enumerate(path):
                        scores[position, fold] = self._score(model, solution, train, test)
                except RuntimeError as error:  # the rest of the path stays NaN
                    self.failures.append(str(error))
            self.scores.append(scores)
            self.params += [
                {"lambda1": lambda1, "lambda2": lambda2, "epsilon": epsilon, "gamma": gamma}
                for lambda1 in lambda1s.tolist()
            ]

    def _lambda1s(self, largest: float) -> np.ndarray:
        if self.lambda1s is not None:
            return self.lambda1s
        largest = largest or 1.0  # 0 if a constant is optimal for every lambda1
        n = int(self.estimator.lambda1s)
        return largest * np.logspace(0, -_DECADES, n)

    def _score(
        self,
        model: OrderPreferenceRegressor,
        solution: PreferenceSolution,
        train: np.ndarray,
        test: np.ndarray,
    ) -> float:
        training, scoring = self.training, self.estimator.scoring
        model._keep_function(training, solution.coefficients, solution.intercept, rows=train)
        scorer: Any = check_scoring(model, scoring or "neg_mean_absolute_error")
        weights = {"sample_weight": training.weights[test]} if scoring is None else {}
        return float(scorer(model, training.X[test], training.y[test], **weights))

    def results(self) -> dict[str, Any]:
        """Return the scores in the form of scikit-learn's `cv_results_`."""
        scores = np.concatenate(self.scores)
        results: dict[str, Any] = {"params": self.params}
        for name in ("lambda1", "lambda2", "epsilon", "gamma"):
            kind = object if name == "gamma" else np.float64
            results[f"param_{name}"] = np.array([each[name] for each in self.params], dtype=kind)
        for fold in range(len(self.folds)):
            results[f"split{fold}_test_score"] = scores[:, fold]
        mean = scores.mean(axis=1)
        results["mean_test_score"], results["std_test_score"] = mean, scores.std(axis=1)
        results["rank_test_score"] = rankdata(
            -np.where(np.isnan(mean), -np.inf, mean), method="min"
        ).astype(np.int32)
        return results


def _grid(values: Any, name: str) -> np.ndarray:
    """Values to try, increasing, each once."""
    grid = np.unique(np.asarray(values, dtype=np.float64))
    if not len(grid) or not np.all(np.isfinite(grid) & (grid >= 0)):
        raise ValueError(f"{name} must hold finite numbers >= 0, at least one, got {values!r}")
    return grid
