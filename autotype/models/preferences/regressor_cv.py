"""Kernel regression with order preferences, its parameters chosen by cross-validation.

scikit-learn's searches divide the rows of X, which preferences refer to by number, and fit each
candidate from the beginning. Here the folds divide the labelled rows only, and a kernel and a path
of lambda1 are computed once for all candidates that share them.
"""

from __future__ import annotations

import warnings
from dataclasses import KW_ONLY
from itertools import product
from numbers import Integral
from typing import Any, ClassVar

import numpy as np
from scipy.stats import rankdata
from sklearn.exceptions import FitFailedWarning
from sklearn.metrics import check_scoring
from sklearn.model_selection import check_cv
from sklearn.utils._param_validation import Interval

from autotype.models.estimator import estimator
from autotype.models.grids import read_grid
from autotype.models.preferences.regressor import OrderPreferenceBase, OrderPreferenceRegressor
from autotype.models.preferences.solvers.path import solve_preference_path, solve_preferences
from autotype.models.preferences.solvers.problem import best_constant
from autotype.models.preferences.training import PreferenceTraining

_PARAMETERS = ("lambda1", "lambda2", "epsilon", "gamma")
_DECADES = 5  # that the default grid of lambda1 spans


@estimator()
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

    lambda1s: Any = 13
    lambda2s: Any = (1.0,)
    _: KW_ONLY
    epsilons: Any = (0.0,)
    gammas: Any = ("scale",)
    cv: Any = 5
    scoring: Any = None

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        **OrderPreferenceBase._parameter_constraints,
        "lambda1s": [Interval(Integral, 1, None, closed="left"), "array-like"],
        "lambda2s": ["array-like"],
        "epsilons": ["array-like"],
        "gammas": ["array-like"],
        "cv": ["cv_object"],
        "scoring": [None, str, callable],
    }

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
        for name, value in self.cv_results_["params"][self.best_index_].items():
            setattr(self, f"{name}_", value)
        K = self._training_kernel(training, self.gamma_)
        problem = training.problem(K, epsilon=self.epsilon_)
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

    def _search(self, training: PreferenceTraining) -> dict[str, Any]:
        """Score all candidates in all folds, and return scikit-learn's `cv_results_`."""
        folds = self._folds(training)
        lambda2s = read_grid(self.lambda2s, "lambda2s").tolist()
        epsilons = read_grid(self.epsilons, "epsilons").tolist()
        if not len(self.gammas):
            raise ValueError(f"gammas must hold at least one value, got {self.gammas!r}")
        path: Any = None
        if not isinstance(self.lambda1s, Integral):
            path = read_grid(self.lambda1s, "lambda1s")[::-1]
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
