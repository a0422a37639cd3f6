"""scikit-learn's own checks of the support-vector estimators."""

from __future__ import annotations

import pytest

from autotype.models.svm.calibrated import CalibratedOrdinalClassifier
from autotype.models.svm.kernel_svm import NPSVOR, SVOR
from autotype.models.svm.linear_npsvor import LinearNPSVOR, LinearNPSVORCV
from autotype.models.svm.linear_red_svm import LinearRedSVM
from tests.models.scikit_learn_checks import parametrize_with_checks


# The checks fit the strings "one", "two", "three" without an order; "sorted" supplies it. Exact
# equality of weights and repetition needs the exact optimum.
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@parametrize_with_checks(
    [
        LinearNPSVOR(classes="sorted", tol=1e-12, max_iter=20_000),
        LinearNPSVOR(classes="sorted", loss="squared_hinge", predictor="nearest", tol=1e-12),
        LinearNPSVOR(classes="sorted", solver="dcd1", tol=1e-12, max_iter=20_000),
        LinearNPSVORCV(
            Cs=[0.1, 1.0], classes="sorted", tol=1e-12, path_tol=1e-6, max_iter=5_000, cv=3
        ),
        LinearRedSVM(classes="sorted", tol=1e-12, max_iter=20_000),
        LinearRedSVM(classes="sorted", loss="squared_hinge", tol=1e-12, max_iter=20_000),
        NPSVOR(classes="sorted", tol=1e-10),
        NPSVOR(classes="sorted", kernel="linear", predictor="nearest", tol=1e-10),
        NPSVOR(classes="sorted", kernel="precomputed", tol=1e-10),
        SVOR(classes="sorted", tol=1e-10),
        SVOR(classes="sorted", constraints="explicit", kernel="linear", tol=1e-10, max_iter=50_000),
        SVOR(classes="sorted", kernel="precomputed", tol=1e-10),
        CalibratedOrdinalClassifier(SVOR(tol=1e-10), classes="sorted"),
        CalibratedOrdinalClassifier(SVOR(kernel="precomputed", tol=1e-10), classes="sorted"),
        CalibratedOrdinalClassifier(LinearNPSVOR(tol=1e-12, max_iter=20_000), classes="sorted"),
    ]
)
def test_scikit_learn_checks(estimator, check):
    check(estimator)


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@parametrize_with_checks(
    [LinearNPSVOR()],
    expected_failed_checks=lambda estimator: {
        "check_classifiers_classes": "text without an order is refused, with the remedy",
        "check_sample_weight_equivalence_on_dense_data": "equal up to the tolerance only",
        "check_sample_weight_equivalence_on_sparse_data": "equal up to the tolerance only",
    },
)
def test_scikit_learn_checks_as_default(estimator, check):
    check(estimator)
