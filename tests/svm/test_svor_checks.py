"""scikit-learn's own checks of the threshold models."""

import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

from autotype.svm.svor import SVOR


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@parametrize_with_checks(
    [
        SVOR(classes="sorted", tol=1e-10),
        SVOR(classes="sorted", constraints="explicit", kernel="linear", tol=1e-10, max_iter=50_000),
        SVOR(classes="sorted", kernel="precomputed", tol=1e-10),
    ]
)
def test_scikit_learn_checks(estimator, check):
    check(estimator)
