from __future__ import annotations

import numpy as np
import pytest
from sklearn.exceptions import FitFailedWarning
from sklearn.metrics import make_scorer, mean_absolute_error
from sklearn.model_selection import KFold

from autotype.models import OrderPreferenceRegressor, OrderPreferenceRegressorCV, Preferences
from autotype.models.preferences import regressor as regressor_cv
from tests.models.preferences.test_regressor import KINDS, data


def known_of(seed=0):
    X, y, truth, i, j = data(seed, n_labelled=24)
    return X, y, KINDS["all"](i, j, truth)


@pytest.mark.parametrize("centres", ["labelled", "all"])
def test_scores_are_those_of_separate_fits(centres):
    X, y, known = known_of()
    model = OrderPreferenceRegressorCV(
        lambda1s=[0.001, 0.1, 0.01],
        lambda2s=[0.3, 1.0],
        epsilons=[0.0, 0.1],
        gammas=[0.4, "auto"],
        centres=centres,
    ).fit(X, y, known)
    results, labelled = model.cv_results_, np.flatnonzero(~np.isnan(y))
    assert len(results["params"]) == 24
    for fold, (train, test) in enumerate(KFold(5).split(labelled)):
        masked = np.full_like(y, np.nan)
        masked[labelled[train]] = y[labelled[train]]
        for position in (0, 7, 11, 17, 23):
            alone = OrderPreferenceRegressor(**results["params"][position], centres=centres)
            alone.fit(X, masked, known)
            error = np.abs(alone.predict(X[labelled[test]]) - y[labelled[test]]).mean()
            score = results[f"split{fold}_test_score"][position]
            assert score == pytest.approx(-error, abs=1e-6)


def test_the_best_is_fitted_to_all():
    X, y, known = known_of(1)
    model = OrderPreferenceRegressorCV(lambda1s=5, gammas=[0.1, 0.4]).fit(X, y, known)
    results = model.cv_results_
    assert model.best_score_ == results["mean_test_score"].max()
    assert results["rank_test_score"][model.best_index_] == 1
    best = {"lambda1": model.lambda1_, "lambda2": model.lambda2_}
    best |= {"epsilon": model.epsilon_, "gamma": model.gamma_}
    assert best == results["params"][model.best_index_]
    alone = OrderPreferenceRegressor(**best).fit(X, y, known)
    np.testing.assert_allclose(model.predict(X), alone.predict(X), atol=1e-7)
    assert model.objective_ == pytest.approx(alone.objective_, rel=1e-9)


def test_the_grid_begins_where_a_constant_is_best():
    X, y, known = known_of(2)
    model = OrderPreferenceRegressorCV(gammas=[0.4]).fit(X, y, known)
    grid = model.cv_results_["param_lambda1"]
    assert len(grid) == 13
    assert grid[-1] == pytest.approx(1e-5 * grid[0])
    model = OrderPreferenceRegressor(1.001 * grid[0], gamma=0.4).fit(X, y, known)
    assert not len(model.support_)
    assert len(OrderPreferenceRegressor(grid[2], gamma=0.4).fit(X, y, known).support_)


def test_a_constant_target():
    model = OrderPreferenceRegressorCV(lambda1s=3).fit(np.arange(6.0)[:, None], np.full(6, 2.0))
    np.testing.assert_allclose(model.predict([[0.5], [9.0]]), 2.0)


def test_scorers_and_splits():
    X, y, known = known_of(3)
    default = OrderPreferenceRegressorCV(lambda1s=3, cv=3).fit(X, y, known)
    scorer = make_scorer(mean_absolute_error, greater_is_better=False)
    labelled = np.flatnonzero(~np.isnan(y))
    splits = [(labelled[train], labelled[test]) for train, test in KFold(3).split(labelled)]
    # Rows without a target are passed over.
    with_others = [(np.append(train, np.flatnonzero(np.isnan(y))), test) for train, test in splits]
    for cv in (KFold(3), splits, with_others):
        same = OrderPreferenceRegressorCV(lambda1s=3, cv=cv, scoring=scorer).fit(X, y, known)
        np.testing.assert_allclose(
            same.cv_results_["mean_test_score"], default.cv_results_["mean_test_score"]
        )
    r2 = OrderPreferenceRegressorCV(lambda1s=3, scoring="r2").fit(X, y, known)
    assert r2.best_score_ <= 1


def test_precomputed_kernels():
    X, y, known = known_of(4)
    K = np.exp(-0.4 * ((X[:, None] - X[None]) ** 2).sum(axis=2))
    ready = OrderPreferenceRegressorCV(lambda1s=4, kernel="precomputed").fit(K, y, known)
    model = OrderPreferenceRegressorCV(lambda1s=4, gammas=[0.4]).fit(X, y, known)
    np.testing.assert_allclose(ready.best_score_, model.best_score_, rtol=1e-7)
    np.testing.assert_allclose(ready.predict(K[:5]), model.predict(X[:5]), atol=1e-7)


def test_few_labels():
    X, y = np.arange(6.0)[:, None], np.array([0, 1, np.nan, np.nan, 5, np.nan])
    model = OrderPreferenceRegressorCV(lambda1s=2).fit(X, y, Preferences([(5, 0)]))
    assert "split2_test_score" in model.cv_results_
    assert "split3_test_score" not in model.cv_results_
    with pytest.raises(ValueError, match="at least 2 rows with a target, got n_samples=1"):
        OrderPreferenceRegressorCV().fit(X[:1], y[:1])
    with pytest.raises(ValueError, match="each split of cv needs a row with a target"):
        OrderPreferenceRegressorCV(cv=[([0, 1], [2])]).fit(X, y)


@pytest.mark.parametrize(
    "grid", [{"lambda1s": []}, {"lambda1s": [-1.0]}, {"lambda2s": [np.nan]}, {"epsilons": [np.inf]}]
)
def test_bad_grids(grid):
    X, y, _ = known_of()
    with pytest.raises(ValueError, match="must hold finite numbers >= 0, at least one, got"):
        OrderPreferenceRegressorCV(**grid).fit(X, y)


def test_bad_gammas():
    X, y, _ = known_of()
    with pytest.raises(ValueError, match="The 'gamma' parameter"):
        OrderPreferenceRegressorCV(gammas=[-1.0]).fit(X, y)
    with pytest.raises(ValueError, match="gammas must hold at least one value"):
        OrderPreferenceRegressorCV(gammas=[]).fit(X, y)


def test_a_solver_that_gives_up_is_reported(monkeypatch):
    X, y, known = known_of()
    follow = regressor_cv.solve_preference_path

    def give_up(problem, *, lambda1s, lambda2):
        for position, solution in enumerate(follow(problem, lambda1s=lambda1s, lambda2=lambda2)):
            if position == last:
                raise RuntimeError("not solved")
            yield solution

    monkeypatch.setattr(regressor_cv, "solve_preference_path", give_up)
    last = 2
    with pytest.warns(FitFailedWarning, match="5 of the paths were not .* not solved"):
        model = OrderPreferenceRegressorCV(lambda1s=4).fit(X, y, known)
    assert np.isnan(model.cv_results_["mean_test_score"]).tolist() == [False, False, True, True]
    assert model.cv_results_["rank_test_score"][2] == 3
    last = 0
    with (
        pytest.warns(FitFailedWarning),
        pytest.raises(RuntimeError, match="no candidate was solved in every fold"),
    ):
        OrderPreferenceRegressorCV(lambda1s=4).fit(X, y, known)
