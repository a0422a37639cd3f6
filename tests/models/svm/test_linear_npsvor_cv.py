from __future__ import annotations

import numpy as np
import pytest
from sklearn.model_selection import GridSearchCV, KFold

from autotype.models.preferences.regressor import OrderPreferenceRegressorCV
from autotype.models.svm.linear_npsvor import LinearNPSVOR, LinearNPSVORCV


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(1)
    X = rng.standard_normal((400, 12))
    latent = X @ rng.standard_normal(12) + 2.0 * rng.standard_normal(400)
    return X, np.searchsorted(np.quantile(latent, [0.25, 0.5, 0.75]), latent)


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("loss", ["hinge", "squared_hinge"])
def test_chooses_what_cold_fits_choose(data, loss):
    X, ranks = data
    Cs = [0.001, 0.01, 0.1]
    options = {"loss": loss, "tol": 1e-6, "max_iter": 2_000}
    path = LinearNPSVORCV(Cs=Cs, path_tol=1e-6, patience=None, **options).fit(X, ranks)
    cold = GridSearchCV(
        LinearNPSVOR(**options), {"C": Cs}, scoring="neg_mean_absolute_error", cv=5
    ).fit(X, ranks)
    np.testing.assert_allclose(path.scores_.mean(axis=1), cold.cv_results_["mean_test_score"])
    assert cold.best_params_["C"] == path.C_


def test_the_final_fit_is_that_of_the_chosen_cost(data):
    X, ranks = data
    path = LinearNPSVORCV(Cs=[0.01, 0.1]).fit(X, ranks)
    np.testing.assert_array_equal(path.coef_, LinearNPSVOR(C=path.C_).fit(X, ranks).coef_)


def test_the_path_ends_when_scores_get_worse(data):
    X, ranks = data
    model = LinearNPSVORCV(Cs=2.0 ** np.arange(-9, 4), patience=1).fit(X, ranks)
    tried = ~np.isnan(model.scores_).any(axis=1)
    assert not tried.all()
    assert tried[: tried.sum()].all()


def test_any_scorer_and_any_splitter(data):
    X, ranks = data
    model = LinearNPSVORCV(Cs=[0.01, 0.1], scoring="accuracy", cv=KFold(3)).fit(X, ranks)
    assert model.scores_.shape == (2, 3)
    assert 0.3 < model.scores_.mean() < 1


def test_threads_change_nothing(data):
    X, ranks = data
    one, two = (LinearNPSVORCV(Cs=[0.01, 0.1], n_jobs=n).fit(X, ranks) for n in (1, 2))
    np.testing.assert_array_equal(one.scores_, two.scores_)
    np.testing.assert_array_equal(one.coef_, two.coef_)


@pytest.mark.parametrize("Cs", [[], [0.0, 1.0], [[1.0, -2.0]]])
def test_bad_grid(data, Cs):
    with pytest.raises(ValueError, match="Cs must hold positive numbers"):
        LinearNPSVORCV(Cs=Cs).fit(*data)


@pytest.mark.parametrize("model", [LinearNPSVORCV(), OrderPreferenceRegressorCV()])
@pytest.mark.parametrize("cv", [[1, 2], np.array([1, 2])])
def test_splits_are_pairs(model, cv):
    with pytest.raises(TypeError, match="cv must list pairs of row numbers, got"):
        model.set_params(cv=cv).fit(np.arange(12.0)[:, None], np.tile([1, 2, 3], 4))
