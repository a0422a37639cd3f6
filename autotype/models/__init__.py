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

from importlib import import_module
from typing import TYPE_CHECKING, Any

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

__all__ = [
    "NPSVOR",
    "SVOR",
    "CalibratedOrdinalClassifier",
    "GPMulticlassClassifier",
    "GPOrdinalClassifier",
    "LinearNPSVOR",
    "LinearNPSVORCV",
    "LinearRedSVM",
    "LowRankCompletion",
    "OrderPreferenceRegressor",
    "OrderPreferenceRegressorCV",
    "OrdinalBoosting",
    "OrdinalEnsemble",
    "Preferences",
    "pearson_kernel",
]

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


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module 'autotype.models' has no attribute {name!r}")
    globals()[name] = getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
    return globals()[name]


def __dir__() -> list[str]:
    return sorted(__all__)
