"""scikit-learn's own checks of the multi-class Gaussian process."""

import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

from autotype.gaussian_process.multiclass import GPMulticlassClassifier


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@parametrize_with_checks(
    [
        GPMulticlassClassifier(),
        GPMulticlassClassifier(kernel="linear"),
        GPMulticlassClassifier(inference="ep"),
        GPMulticlassClassifier(kernel="linear", inference="ep"),
    ]
)
def test_scikit_learn_checks(estimator, check):
    check(estimator)
