"""Tell whether a discrete column is ordinal or categorical, and in which order its levels go.

``import autotype`` registers ``df.ordinal`` with pandas:

- ``df.ordinal.infer_types()`` gives a `TypeReport`, a mapping from column name to `ColumnType`;
- ``df.ordinal.apply_types(types)`` casts to ordered and unordered Categoricals;
- ``df.ordinal.to_schema(types)`` and ``df.ordinal.validate(schema)`` hold later frames to them;
- ``df.ordinal.fit(column, types)`` fits the model that suits a column;
- ``df.ordinal.plot(column, types)`` and ``types.to_html(path)`` show what was found.

Estimators for ordinal targets, with scikit-learn's conventions: `GPOrdinalClassifier`,
`LinearNPSVOR`, `LinearRedSVM`, `NPSVOR`, `SVOR`, and `OrderPreferenceRegressor` for numbers;
`metrics` holds their scores.
"""

from __future__ import annotations

from importlib import import_module as _import_module
from typing import TYPE_CHECKING, Any

from autotype import accessor as accessor  # registers df.ordinal
from autotype.column_type import ColumnType
from autotype.schema.registration import register_with_pandera as _register_with_pandera
from autotype.type_report import TypeReport

if TYPE_CHECKING:
    import autotype.metrics as metrics
    from autotype.fitting.typer import OrdinalTyper
    from autotype.gaussian_process.completion import LowRankCompletion, pearson_kernel
    from autotype.gaussian_process.multiclass import GPMulticlassClassifier
    from autotype.gaussian_process.ordinal import GPOrdinalClassifier
    from autotype.inference.pipeline import infer_types
    from autotype.preferences.preferences import Preferences
    from autotype.preferences.regressor import OrderPreferenceRegressor
    from autotype.preferences.regressor_cv import OrderPreferenceRegressorCV
    from autotype.schema.model_source import to_model_source
    from autotype.schema.yaml_io import read_schema, write_schema
    from autotype.svm.linear_npsvor import LinearNPSVOR
    from autotype.svm.linear_npsvor_cv import LinearNPSVORCV
    from autotype.svm.linear_red_svm import LinearRedSVM
    from autotype.svm.npsvor import NPSVOR
    from autotype.svm.svor import SVOR

__version__ = "0.1.0"

__all__ = [  # noqa: RUF022 - in the order of their code points
    "ColumnType",
    "GPMulticlassClassifier",
    "GPOrdinalClassifier",
    "LinearNPSVOR",
    "LinearNPSVORCV",
    "LinearRedSVM",
    "LowRankCompletion",
    "NPSVOR",
    "OrderPreferenceRegressor",
    "OrderPreferenceRegressorCV",
    "OrdinalTyper",
    "Preferences",
    "SVOR",
    "TypeReport",
    "__version__",
    "infer_types",
    "metrics",
    "pearson_kernel",
    "read_schema",
    "to_model_source",
    "write_schema",
]

# Names that load when first used: importing them costs scikit-learn, or more.
_LAZY = {
    "GPMulticlassClassifier": "autotype.gaussian_process.multiclass",
    "GPOrdinalClassifier": "autotype.gaussian_process.ordinal",
    "LinearNPSVOR": "autotype.svm.linear_npsvor",
    "LinearNPSVORCV": "autotype.svm.linear_npsvor_cv",
    "LinearRedSVM": "autotype.svm.linear_red_svm",
    "NPSVOR": "autotype.svm.npsvor",
    "LowRankCompletion": "autotype.gaussian_process.completion",
    "OrderPreferenceRegressor": "autotype.preferences.regressor",
    "OrderPreferenceRegressorCV": "autotype.preferences.regressor_cv",
    "Preferences": "autotype.preferences.preferences",
    "OrdinalTyper": "autotype.fitting.typer",
    "SVOR": "autotype.svm.svor",
    "infer_types": "autotype.inference.pipeline",
    "pearson_kernel": "autotype.gaussian_process.completion",
    "read_schema": "autotype.schema.yaml_io",
    "to_model_source": "autotype.schema.model_source",
    "write_schema": "autotype.schema.yaml_io",
}

_register_with_pandera()


def __getattr__(name: str) -> Any:
    if name == "metrics":
        return _import_module("autotype.metrics")
    try:
        module = _LAZY[name]
    except KeyError:
        raise AttributeError(f"module 'autotype' has no attribute {name!r}") from None
    value = getattr(_import_module(module), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(set(globals()) | set(__all__))
