"""autotype: is this discrete column ordinal or categorical, and in which order do its levels go?"""

from __future__ import annotations

from importlib import import_module as _import_module
from typing import TYPE_CHECKING, Any

from autotype import accessor as _accessor  # registers df.ordinal
from autotype.column_types import ColumnType, TypeReport

if TYPE_CHECKING:
    from autotype.inference.infer import infer_types
    from autotype.models.gp_multiclass import GPMulticlassClassifier
    from autotype.models.gp_ordinal import GPOrdinalClassifier
    from autotype.models.low_rank import LowRankCompletion, pearson_kernel

__version__ = "0.1.0"

__all__ = [
    "ColumnType",
    "GPMulticlassClassifier",
    "GPOrdinalClassifier",
    "LowRankCompletion",
    "TypeReport",
    "__version__",
    "infer_types",
    "pearson_kernel",
]

# Names that load when first used: importing them costs scikit-learn, or more.
_LAZY = {
    "GPMulticlassClassifier": "autotype.models.gp_multiclass",
    "LowRankCompletion": "autotype.models.low_rank",
    "pearson_kernel": "autotype.models.low_rank",
    "GPOrdinalClassifier": "autotype.models.gp_ordinal",
    "infer_types": "autotype.inference.infer",
}


def __getattr__(name: str) -> Any:
    try:
        module = _LAZY[name]
    except KeyError:
        raise AttributeError(f"module 'autotype' has no attribute {name!r}") from None
    value = getattr(_import_module(module), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(set(globals()) | set(__all__))
