"""scikit-learn's own checks of the regressors with order preferences."""

from autotype.models.preferences.regressor import (
    OrderPreferenceRegressor,
    OrderPreferenceRegressorCV,
)
from tests.models.scikit_learn_checks import parametrize_with_checks


@parametrize_with_checks(
    [
        OrderPreferenceRegressor(),
        OrderPreferenceRegressor(kernel="linear", epsilon=0.1),
        OrderPreferenceRegressor(kernel="precomputed"),
        OrderPreferenceRegressorCV(lambda1s=3, cv=2),
    ]
)
def test_scikit_learn_checks(estimator, check):
    check(estimator)
