"""How an estimator declares its parameters: once, as annotated fields with their defaults."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar, dataclass_transform

_Class = TypeVar("_Class")


@dataclass_transform(eq_default=False)
def estimator(*, kw_only: bool = False) -> Callable[[type[_Class]], type[_Class]]:
    """Write the constructor of an estimator, which sets its annotated fields and nothing more.

    scikit-learn's base class prints and compares estimators by their parameters, so the decorator
    adds neither `__repr__` nor `__eq__`. Subclasses have the parameters of their bases.

    Parameters
    ----------
    kw_only : bool
        Whether all fields are passed by name; else those behind ``_: KW_ONLY``.

    Examples
    --------
    >>> from sklearn.base import BaseEstimator
    >>> @estimator()
    ... class Shifted(BaseEstimator):
    ...     by: float = 0.0
    >>> Shifted(1.0), Shifted().get_params()
    (Shifted(by=1.0), {'by': 0.0})
    """
    return dataclass(eq=False, repr=False, kw_only=kw_only)
