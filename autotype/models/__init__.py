"""Estimators of ordinal targets, with scikit-learn's conventions.

`OrdinalEnsemble` averages models of different kinds, `OrdinalBoosting`, boosted trees, among them.
`GPOrdinalClassifier` and `GPMulticlassClassifier` are Gaussian processes for small data, with
probabilities. `LinearNPSVOR`, `NPSVOR`, `SVOR` and `LinearRedSVM` are support vector machines, for
large or sparse data; `CalibratedOrdinalClassifier` adds probabilities to them.
`OrderPreferenceRegressor` learns numbers from few labels and many statements on what is larger.

This is the one public path of every estimator: a class loads when it is first used. The folder
needs only `autotype.errors` and `autotype.wording`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from autotype.lazy_names import loader as _loader

if TYPE_CHECKING:
    from autotype.models.ensemble.boosting import OrdinalBoosting
    from autotype.models.ensemble.ensemble import OrdinalEnsemble
    from autotype.models.gaussian_process.completion import LowRankCompletion, pearson_kernel
    from autotype.models.gaussian_process.multiclass import GPMulticlassClassifier
    from autotype.models.gaussian_process.ordinal import GPOrdinalClassifier
    from autotype.models.preferences.preferences import Preferences
    from autotype.models.preferences.regressor import (
        OrderPreferenceRegressor,
        OrderPreferenceRegressorCV,
    )
    from autotype.models.svm.calibrated import CalibratedOrdinalClassifier
    from autotype.models.svm.kernel_svm import NPSVOR, SVOR
    from autotype.models.svm.linear_npsvor import LinearNPSVOR, LinearNPSVORCV
    from autotype.models.svm.linear_red_svm import LinearRedSVM

_MODULES = {
    "CalibratedOrdinalClassifier": "svm.calibrated",
    "GPMulticlassClassifier": "gaussian_process.multiclass",
    "GPOrdinalClassifier": "gaussian_process.ordinal",
    "LinearNPSVOR": "svm.linear_npsvor",
    "LinearNPSVORCV": "svm.linear_npsvor",
    "LinearRedSVM": "svm.linear_red_svm",
    "LowRankCompletion": "gaussian_process.completion",
    "NPSVOR": "svm.kernel_svm",
    "OrderPreferenceRegressor": "preferences.regressor",
    "OrderPreferenceRegressorCV": "preferences.regressor",
    "OrdinalBoosting": "ensemble.boosting",
    "OrdinalEnsemble": "ensemble.ensemble",
    "Preferences": "preferences.preferences",
    "SVOR": "svm.kernel_svm",
    "pearson_kernel": "gaussian_process.completion",
}
__all__ = sorted(_MODULES)
__getattr__ = _loader(__name__, _MODULES)


def __dir__() -> list[str]:
    return list(__all__)
