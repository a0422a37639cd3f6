"""scikit-learn's own checks of the transformers."""

from __future__ import annotations

import pytest

from autotype import OrdinalFrameEncoder, OrdinalTyper
from tests.models.scikit_learn_checks import parametrize_with_checks

_CATEGORICALS = "the check takes the output for an array of floats; here it holds Categoricals"


@parametrize_with_checks(
    [OrdinalTyper()],
    expected_failed_checks=lambda estimator: {
        "check_transformer_data_not_an_array": _CATEGORICALS,
        "check_transformer_general": _CATEGORICALS,
        "check_methods_sample_order_invariance": _CATEGORICALS,
        "check_methods_subset_invariance": _CATEGORICALS,
        "check_fit_idempotent": _CATEGORICALS,
    },
)
@pytest.mark.filterwarnings("ignore:column .* holds levels that fit did not see:UserWarning")
def test_scikit_learn_checks_of_the_typer(estimator, check):
    check(estimator)


@parametrize_with_checks([OrdinalFrameEncoder()])
@pytest.mark.filterwarnings("ignore:Found unknown categories:UserWarning")
def test_scikit_learn_checks_of_the_encoder(estimator, check):
    check(estimator)
