"""scikit-learn's own checks."""

import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

from autotype.gaussian_process.ordinal import GPOrdinalClassifier


# The checks fit the texts "one", "two", "three" without saying their order, in which "sorted" is
# the only right answer to them; by default such text is an error (test_ordinal.py).
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@parametrize_with_checks(
    [
        GPOrdinalClassifier(classes="sorted"),
        GPOrdinalClassifier(classes="sorted", inference="ep"),
        GPOrdinalClassifier(classes="sorted", decision="median"),
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
