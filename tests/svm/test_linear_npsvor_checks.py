"""scikit-learn's own checks of the linear NPSVOR."""

import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

from autotype.svm.linear_npsvor import LinearNPSVOR


# The checks fit the texts "one", "two", "three" without saying their order; "sorted" says it. Exact
# equality of weights and repetition needs the exact optimum.
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@parametrize_with_checks(
    [
        LinearNPSVOR(classes="sorted", tol=1e-12, max_iter=20_000),
        LinearNPSVOR(classes="sorted", loss="squared_hinge", predictor="nearest", tol=1e-12),
        LinearNPSVOR(classes="sorted", solver="dcd1", tol=1e-12, max_iter=20_000),
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
