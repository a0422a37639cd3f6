"""scikit-learn's own checks of the transformers."""

from __future__ import annotations

import pandas as pd
import pytest
from sklearn.utils.estimator_checks import check_estimator, parametrize_with_checks

import autotype
from autotype import OrdinalTyper

_CATEGORICALS = "the check takes the output for an array of floats; here it holds Categoricals"
# Checks that fit an array. The encoder is scikit-learn's ColumnTransformer, which selects columns
# by name: of an array it cannot, and refuses it in words of its own.
_FITS_AN_ARRAY = frozenset(
    [
        "check_complex_data",
        "check_dict_unchanged",
        "check_dont_overwrite_parameters",
        "check_dtype_object",
        "check_estimator_sparse_array",
        "check_estimator_sparse_matrix",
        "check_estimator_sparse_tag",
        "check_estimators_dtypes",
        "check_estimators_empty_data_messages",
        "check_estimators_fit_returns_self",
        "check_estimators_nan_inf",
        "check_estimators_overwrite_params",
        "check_estimators_pickle",
        "check_f_contiguous_array_estimator",
        "check_fit1d",
        "check_fit2d_1feature",
        "check_fit2d_1sample",
        "check_fit2d_predict1d",
        "check_fit_check_is_fitted",
        "check_fit_idempotent",
        "check_fit_score_takes_y",
        "check_methods_sample_order_invariance",
        "check_methods_subset_invariance",
        "check_n_features_in",
        "check_n_features_in_after_fitting",
        "check_pipeline_consistency",
        "check_positive_only_tag_during_fit",
        "check_readonly_memmap_input",
        "check_transformer_data_not_an_array",
        "check_transformer_general",
        "check_transformer_preserve_dtypes",
    ]
)


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


def test_scikit_learn_checks_of_the_encoder():
    frame = pd.DataFrame({"size": ["S", "M", "L", "XL"] * 5, "x": range(20)})
    encoder = autotype.infer_types(frame).make_encoder()
    results = check_estimator(encoder, on_fail=None, on_skip=None)
    failed = {result["check_name"] for result in results if result["status"] == "failed"}
    assert failed <= _FITS_AN_ARRAY
    with pytest.raises(ValueError, match="strings is only supported for dataframes"):
        encoder.fit(frame.to_numpy())
