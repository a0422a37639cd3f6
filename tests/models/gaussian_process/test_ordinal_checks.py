"""scikit-learn's own checks."""

import numpy as np
import pytest
from sklearn.metrics.pairwise import rbf_kernel

from autotype.models.gaussian_process.completion import pearson_kernel
from autotype.models.gaussian_process.ordinal import GPOrdinalClassifier
from tests.models.scikit_learn_checks import parametrize_with_checks


def filled_kernel(X, Y):
    """Closeness of rows whose missing entries are 0."""
    return rbf_kernel(np.nan_to_num(X), np.nan_to_num(Y))


# The checks fit the strings "one", "two", "three" without saying their order, in which "sorted" is
# the only right answer to them; by default such text is an error (test_ordinal.py). The median
# of a row between two blobs need not be the most probable class, as they demand: without the prior
# it always is.
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.filterwarnings("ignore:the kernel is no covariance:UserWarning")
@parametrize_with_checks(
    [
        GPOrdinalClassifier(classes="sorted"),
        GPOrdinalClassifier(classes="sorted", inference="ep", max_iter=5),
        GPOrdinalClassifier(classes="sorted", link="logit"),
        GPOrdinalClassifier(classes="sorted", link="logit", inference="ep", max_iter=5),
        GPOrdinalClassifier(classes="sorted", decision="median", share_prior=0),
        GPOrdinalClassifier(classes="sorted", kernel=filled_kernel),
        GPOrdinalClassifier(classes="sorted", kernel=pearson_kernel),
    ]
)
def test_scikit_learn_checks(estimator, check):
    check(estimator)


@parametrize_with_checks(
    [GPOrdinalClassifier()],
    expected_failed_checks=lambda estimator: {
        "check_classifiers_classes": "text without an order is refused, with the remedy"
    },
)
def test_scikit_learn_checks_as_default(estimator, check):
    check(estimator)


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@parametrize_with_checks(
    [GPOrdinalClassifier(classes="sorted", decision="mean")],
    expected_failed_checks=lambda estimator: {
        "check_classifiers_train": "the rounded mean need not be the most probable class"
    },
)
def test_scikit_learn_checks_of_the_mean(estimator, check):
    check(estimator)
