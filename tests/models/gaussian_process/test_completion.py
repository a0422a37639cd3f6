"""Missing ratings: correlations between rows and low-rank completion."""

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning

from autotype.models.gaussian_process.completion import LowRankCompletion, pearson_kernel
from tests.models.scikit_learn_checks import parametrize_with_checks


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


def test_short_run_warns(ratings):
    with pytest.warns(ConvergenceWarning, match="max_iter=2"):
        LowRankCompletion(max_iter=2, tol=0.0).fit(ratings[1])


def row_by_row(basis, values, weight):
    """Weighted least squares of each row on the basis."""
    root = np.sqrt(weight)
    return np.array(
        [np.linalg.lstsq(basis * r[:, None], x * r)[0] for x, r in zip(values, root, strict=True)]
    )


def test_weighted_objective_never_increases_and_ends_at_a_minimum(ratings):
    X = ratings[0]
    rng = np.random.default_rng(3)
    noisy, weight = X + rng.normal(size=X.shape), rng.random(X.shape)
    model = LowRankCompletion(2, tol=1e-13, max_iter=20_000).fit(noisy, entry_weight=weight)
    assert np.all(np.diff(model.objective_) <= 1e-9)
    # Alternating weighted least squares, another way to the minimum, gains nothing.
    values, V = noisy - model.mean_, model.components_.T
    for _ in range(50):
        U = row_by_row(V, values, weight)
        V = row_by_row(U, values.T, weight.T)
    assert np.sum(weight * (values - U @ V.T) ** 2) > model.objective_[-1] * (1 - 1e-5)


def test_weights_of_zero_are_missing_entries(ratings):
    X, holes, missing = ratings
    weighted = LowRankCompletion(2).fit(X, entry_weight=1.0 - missing)
    np.testing.assert_allclose(weighted.components_, LowRankCompletion(2).fit(holes).components_)


def test_light_entries_pull_less(ratings):
    X = ratings[0].copy()
    X[3, 4] += 50.0  # one wild entry
    weight = np.ones_like(X)
    weight[3, 4] = 0.01
    heavy, light = LowRankCompletion(2).fit(X), LowRankCompletion(2).fit(X, entry_weight=weight)
    truth = LowRankCompletion(2).fit(ratings[0])

    def angle(model):
        return np.linalg.svd(model.components_ @ truth.components_.T)[1].min()

    assert angle(light) > 0.99 > angle(heavy)


@pytest.mark.parametrize(
    ("weight", "message"),
    [
        (np.ones((3, 2)), r"shape \(3, 2\) but X has \(40, 12\)"),
        (np.full((40, 12), 2.0), "from 0 to 1, got 2 at row 0, column 0"),
        (np.full((40, 12), np.nan), "from 0 to 1, got nan"),
    ],
)
def test_wrong_weights(ratings, weight, message):
    with pytest.raises(ValueError, match=message):
        LowRankCompletion().fit(ratings[0], entry_weight=weight)
