"""scikit-learn's own checks of the multi-class Gaussian process."""

import numpy as np
import pytest
from sklearn.metrics.pairwise import rbf_kernel

from autotype.models.gaussian_process.completion import pearson_kernel
from autotype.models.gaussian_process.multiclass import GPMulticlassClassifier
from tests.models.scikit_learn_checks import parametrize_with_checks


def filled_kernel(X, Y):
    """Closeness of rows whose missing entries are 0."""
    return rbf_kernel(np.nan_to_num(X), np.nan_to_num(Y))


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.filterwarnings("ignore:the kernel is no covariance:UserWarning")
@parametrize_with_checks(
    [
        GPMulticlassClassifier(),
        GPMulticlassClassifier(kernel="linear"),
        GPMulticlassClassifier(inference="ep", max_iter=5),
        GPMulticlassClassifier(kernel="linear", inference="ep", max_iter=5),
        GPMulticlassClassifier(kernel=filled_kernel),
        GPMulticlassClassifier(kernel=pearson_kernel),
    ]
)
def test_scikit_learn_checks(estimator, check):
    check(estimator)
