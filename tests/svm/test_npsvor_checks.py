"""scikit-learn's own checks of the kernel NPSVOR."""

import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

from autotype.svm.npsvor import NPSVOR


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@parametrize_with_checks(
    [
        NPSVOR(classes="sorted", tol=1e-10),
        NPSVOR(classes="sorted", kernel="linear", predictor="nearest", tol=1e-10),
        NPSVOR(classes="sorted", kernel="precomputed", tol=1e-10),
        NPSVOR(classes="sorted", solver="admm", tol=1e-8),
    ]
)
def test_scikit_learn_checks(estimator, check):
    check(estimator)
