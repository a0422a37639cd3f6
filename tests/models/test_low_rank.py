"""Missing ratings: correlations between rows and low-rank completion."""

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.estimator_checks import parametrize_with_checks

from autotype.models.low_rank import LowRankCompletion, pearson_kernel


@parametrize_with_checks([LowRankCompletion()])
def test_scikit_learn_checks(estimator, check):
    check(estimator)


@pytest.fixture(scope="module")
def ratings():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(40, 2)) @ rng.normal(size=(2, 12))
    missing = rng.random(X.shape) < 0.2
    return X, np.where(missing, np.nan, X), missing


def test_kernel_is_the_correlation_where_all_is_seen(ratings):
    X = ratings[0]
    np.testing.assert_allclose(pearson_kernel(X), np.corrcoef(X), atol=1e-12)


def test_kernel_with_missing_entries_is_positive_semidefinite(ratings):
    holes = ratings[1]
    assert np.linalg.eigvalsh(pearson_kernel(holes)).min() > -1e-10
    np.testing.assert_allclose(pearson_kernel(holes, holes[:3]), pearson_kernel(holes)[:, :3])


def test_objective_never_increases_and_entries_return(ratings):
    X, holes, missing = ratings
    model = LowRankCompletion(2, tol=1e-8, max_iter=5000)
    filled = model.fit_transform(holes)
    assert np.all(np.diff(model.objective_) <= 1e-9)
    np.testing.assert_array_equal(filled[~missing], X[~missing])
    error = np.sqrt(np.mean((filled - X)[missing] ** 2))
    assert error < 0.2 * X.std()


def test_short_run_says_so(ratings):
    with pytest.warns(ConvergenceWarning, match="max_iter=2"):
        LowRankCompletion(max_iter=2, tol=0.0).fit(ratings[1])
