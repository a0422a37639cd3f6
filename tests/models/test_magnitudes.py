"""Magnitudes that cannot be computed with are refused by name, and all others are answered."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.base import clone, is_regressor

from autotype.models import (
    NPSVOR,
    SVOR,
    GPMulticlassClassifier,
    GPOrdinalClassifier,
    LinearNPSVOR,
    LinearNPSVORCV,
    LinearRedSVM,
    OrderPreferenceRegressor,
    OrderPreferenceRegressorCV,
)
from autotype.models.kernel_expansion import gamma_of
from autotype.models.magnitudes import read_features

LINEAR = [LinearNPSVOR(), LinearNPSVOR(loss="squared_hinge"), LinearNPSVORCV(cv=2), LinearRedSVM()]
KERNEL = [NPSVOR(), SVOR(), SVOR(kernel="linear")]
GP = [GPOrdinalClassifier(), GPMulticlassClassifier("linear")]
PREFERENCES = [OrderPreferenceRegressor(), OrderPreferenceRegressorCV(lambda1s=2, cv=2)]
ALL = [*LINEAR, *KERNEL, *GP, *PREFERENCES]


def data(scale: float = 1.0) -> tuple[pd.DataFrame, np.ndarray]:
    """30 rows of two features, of which the first, `income`, orders three levels."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((30, 2))
    y = np.digitize(X[:, 0], [-0.5, 0.5])
    return pd.DataFrame(X * scale, columns=["income", "age"]), y


@pytest.mark.parametrize("estimator", ALL, ids=repr)
@pytest.mark.parametrize("scale", [1e300, 1e80, 1e-80, 1e-300, 5e-324])
def test_features_out_of_bounds_are_named(estimator, scale):
    X, y = data()
    X["income"] = scale * (1 + (X["income"] > 0))
    consequence = "overflow" if scale > 1 else "vanish"
    message = rf"feature 'income' \(column 0\) of X is .*{consequence}; scale the features: divide"
    with pytest.raises(ValueError, match=message):
        clone(estimator).fit(X, y)
    if not isinstance(estimator, GPOrdinalClassifier | GPMulticlassClassifier):
        with pytest.raises(ValueError, match=r"column 0 of X .* scale the features: divide"):
            clone(estimator).fit(sparse.csr_matrix(X.to_numpy()), y)


@pytest.mark.parametrize("as_features", [np.asarray, sparse.csr_matrix])
@pytest.mark.parametrize("row", [0, 50_000, 99_999])
@pytest.mark.parametrize("value", [1e80, 1e-80])
def test_one_value_among_many_is_found(as_features, row, value):
    X = np.zeros((100_000, 2))
    X[:, 0], X[row, 1] = 1.0, value
    with pytest.raises(ValueError, match="column 1 of X"):
        read_features(LinearNPSVOR(), as_features(X), reset=True, accept_sparse="csr")


@pytest.mark.parametrize("estimator", [*LINEAR, *KERNEL, *PREFERENCES], ids=repr)
def test_an_entry_of_a_sparse_matrix_may_be_the_sum_of_several(estimator):
    X, y = data()
    once = sparse.csr_matrix(X.to_numpy())
    parts = np.stack([once.data - 0.5, np.full(once.nnz, 0.5)], axis=1).ravel()
    twice = sparse.csr_matrix((parts, np.repeat(once.indices, 2), 2 * once.indptr), shape=X.shape)
    expected = clone(estimator).fit(once, y).predict(once)
    np.testing.assert_allclose(clone(estimator).fit(twice, y).predict(twice), expected, atol=1e-6)
    assert twice.nnz == 2 * once.nnz  # the caller's matrix is as it was


def test_reading_sparse_features_makes_no_copy_of_them():
    X = sparse.random_array((20_000, 100), density=0.5, format="csr", random_state=0)
    read_features(LinearNPSVOR(), X[:10], reset=True, accept_sparse="csr")
    tracemalloc.start()
    read_features(LinearNPSVOR(), X, reset=True, accept_sparse="csr")
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < X.data.nbytes / 4


@pytest.mark.parametrize("estimator", ALL, ids=repr)
def test_new_rows_may_be_tiny_but_not_huge(estimator):
    X, y = data()
    fitted = clone(estimator).fit(X, y)
    assert np.asarray(fitted.predict(X * 1e-300)).shape == (30,)
    with pytest.raises(ValueError, match=r"'income' \(column 0\) of X is 2.\d+e\+300"):
        fitted.predict(X * 1e300)


@pytest.mark.parametrize("estimator", [NPSVOR(), SVOR(), *GP], ids=repr)
@pytest.mark.parametrize("scale", [1e-70, 1e70])
def test_what_does_not_depend_on_the_scale_of_the_features(estimator, scale):
    X, y = data()
    X_scaled, _ = data(scale)
    expected = clone(estimator).fit(X, y).predict(X)
    np.testing.assert_array_equal(clone(estimator).fit(X_scaled, y).predict(X_scaled), expected)


@pytest.mark.parametrize("estimator", ALL, ids=repr)
@pytest.mark.parametrize(
    ("weight", "message"),
    [
        (1e300, "sample_weight holds 1e.300 at row 0, but has to be 0 or between 1e-75 and 1e.75"),
        (1e-300, "divide all weights by 1e-300, or take 0 for rows that are not to count"),
        (5e-324, "sample_weight holds 4.9.*e-324 at row 0"),
        (-1.0, "Negative values in data passed to `sample_weight`"),
        (np.nan, "sample_weight contains NaN"),
        (np.inf, "sample_weight contains infinity"),
    ],
)
def test_weights_that_cannot_be_computed_with(estimator, weight, message):
    X, y = data()
    with pytest.raises(ValueError, match=message):
        clone(estimator).fit(X, y, sample_weight=[weight, *[1.0] * 29])


@pytest.mark.parametrize("estimator", ALL, ids=repr)
def test_rows_of_which_none_or_one_counts(estimator):
    X, y = data()
    with pytest.raises(ValueError, match=r"at least one non-zero number|positive weight"):
        clone(estimator).fit(X, y, sample_weight=np.zeros(30))
    one = [1.0, *[0.0] * 29]
    if is_regressor(estimator) and not hasattr(estimator, "cv"):
        assert np.ptp(clone(estimator).fit(X, y, sample_weight=one).predict(X)) < 1e-9
        return
    with pytest.raises(ValueError, match=r"hold 1 class|at least 2 rows with a target"):
        clone(estimator).fit(X, y, sample_weight=one)


@pytest.mark.parametrize("weight", [-1.0, np.nan, np.inf])
def test_class_weights_are_finite_and_not_negative(weight):
    X, y = data()
    with pytest.raises(
        ValueError, match=r"class_weight holds .* for 1; weights are finite and >= 0"
    ):
        SVOR(class_weight={1: weight}).fit(X, y)


def test_a_product_of_weights_is_bounded_too():
    X, y = data()
    with pytest.raises(ValueError, match=r"product of sample_weight and class_weight holds 1e.80"):
        SVOR(class_weight={0: 1e40}).fit(X, y, sample_weight=np.full(30, 1e40))


@pytest.mark.parametrize("scale", [1e300, 1e-300])
def test_targets_that_cannot_be_computed_with(scale):
    X, y = data()
    with pytest.raises(
        ValueError, match=r"largest target in y, 2e.*scale the targets: divide y by"
    ):
        OrderPreferenceRegressor().fit(X, scale * y)


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_float32_beyond_its_powers_is_computed_with_in_float64():
    X, y = data()
    small = LinearNPSVOR().fit(X.astype(np.float32), y)
    assert small.coef_.dtype == np.float32
    X_large = X.astype(np.float32) * np.float32(1e10)
    large = LinearNPSVOR().fit(X_large, y)
    assert large.coef_.dtype == np.float64
    expected = LinearNPSVOR().fit(X_large.astype(np.float64), y).coef_
    np.testing.assert_array_equal(large.coef_, expected)


def test_kernels_out_of_bounds():
    X, y = data(1e60)
    with pytest.raises(ValueError, match=r"kernel is .* between row 0 and training row 0.*smaller"):
        SVOR(kernel="poly", gamma=1.0).fit(X, y)
    small, y = data(1e-30)
    with pytest.raises(
        ValueError, match=r"kernel is at most .* products vanish; scale the features"
    ):
        SVOR(kernel="poly", gamma=1.0).fit(small, y)
    smaller, y = data(1e-60)
    with pytest.raises(
        ValueError, match=r"'poly' is 0 between all rows, though the features are not"
    ):
        SVOR(kernel="poly", gamma=1.0).fit(smaller, y)
    with pytest.raises(ValueError, match=r"kernel is nan between row 0 and training row 0"):
        NPSVOR(kernel=lambda A, B: np.full((len(A), len(B)), np.nan)).fit(X, y)
    K = np.eye(30) * 1e200
    with pytest.raises(ValueError, match=r"kernel is 1e\+200 between row 0 and training row 0"):
        SVOR(kernel="precomputed").fit(K, y)
    model = SVOR(kernel="poly", gamma=1.0).fit(data()[0], y)
    with pytest.raises(ValueError, match=r"kernel is -?inf between row|kernel is .*e"):
        model.predict(data(1e74)[0])


@pytest.mark.parametrize("estimator", [NPSVOR(), SVOR(), OrderPreferenceRegressor()], ids=repr)
def test_the_gaussian_kernel_does_not_depend_on_the_origin(estimator):
    X, y = data()
    far = X + 2.0**30
    near = far - 2.0**30  # the same numbers, after rounding
    expected = clone(estimator).fit(near, y).predict(near)
    np.testing.assert_allclose(clone(estimator).fit(far, y).predict(far), expected, atol=1e-6)


@pytest.mark.parametrize("value", [0.1, 1e9 / 3, 0.0])
def test_the_width_for_constant_features_is_one(value):
    X = np.full((100, 3), value)
    weights = np.random.default_rng(0).uniform(size=100)
    assert gamma_of("scale", X, weights) == 1.0
    assert gamma_of("scale", sparse.csr_matrix(X), weights) == 1.0


@pytest.mark.parametrize("ratio", [1e-9, 1e-4, 1e12])
def test_relevance_does_not_depend_on_the_unit_of_one_feature(ratio):
    X, y = data()
    expected = GPOrdinalClassifier("ard-linear").fit(X, y).predict_proba(X)
    X_other = X.assign(income=X["income"] * ratio)
    got = GPOrdinalClassifier("ard-linear").fit(X_other, y).predict_proba(X_other)
    np.testing.assert_allclose(got, expected, atol=1e-3)


def test_a_constant_feature_is_none_to_gaussian_processes():
    X, y = data()
    zero, constant = X.assign(age=0.0), X.assign(age=0.1)
    expected = GPOrdinalClassifier("ard-rbf").fit(zero, y).predict_proba(zero)
    got = GPOrdinalClassifier("ard-rbf").fit(constant, y).predict_proba(constant)
    np.testing.assert_allclose(got, expected)


@pytest.mark.parametrize("estimator", GP, ids=repr)
def test_weights_that_leave_no_width_to_the_posterior(estimator):
    X, y = data()
    huge = np.full(30, 1e70)
    with pytest.raises(ValueError, match=r"sample weights as large as 1e.70 make the posterior"):
        clone(estimator).set_params(inference="ep").fit(X, y, sample_weight=huge)


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("n", [2, 3])
def test_one_row_a_class_can_be_cross_validated(n):
    model = LinearNPSVORCV(Cs=[0.1, 1.0]).fit(np.arange(n * 2.0).reshape(n, 2), np.arange(n))
    assert np.isfinite(model.coef_).all()
