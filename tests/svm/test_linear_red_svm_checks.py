"""scikit-learn's own checks of the linear RedSVM."""

import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

from autotype.svm.linear_red_svm import LinearRedSVM


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@parametrize_with_checks(
    [
        LinearRedSVM(classes="sorted", tol=1e-12, max_iter=20_000),
        LinearRedSVM(classes="sorted", loss="squared_hinge", tol=1e-12, max_iter=20_000),
    ]
)
def test_scikit_learn_checks(estimator, check):
    check(estimator)
