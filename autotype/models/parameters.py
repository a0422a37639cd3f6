"""How an estimator declares its parameters: once, as annotated fields with their defaults.

An annotation such as ``tol: parameters.PositiveFloat = 1e-3`` states the type of a parameter and
its range. The ranges become the constraints by which scikit-learn checks parameters and words its
errors. The types that several estimators share stand here.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from numbers import Integral, Real
from types import NoneType, UnionType
from typing import (
    Annotated,
    Any,
    Literal,
    TypeVar,
    Union,
    dataclass_transform,
    get_args,
    get_origin,
)

import numpy as np
from sklearn.utils._param_validation import Interval, StrOptions

PositiveFloat = Annotated[float, Interval(Real, 0, 1e75, closed="neither")]  # its square is finite
NonNegativeFloat = Annotated[float, Interval(Real, 0, None, closed="left")]
PositiveInt = Annotated[int, Interval(Integral, 1, None, closed="left")]
NonNegativeInt = Annotated[int, Interval(Integral, 0, None, closed="left")]
Flag = Annotated[bool, "boolean"]
ArrayLike = Annotated[Any, "array-like"]
Levels = Annotated[Any, None, "array-like", StrOptions({"sorted"})]
ClassWeight = Annotated[Any, None, dict, StrOptions({"balanced"})]
Folds = Annotated[Any, "cv_object"]
Scoring = Annotated[Any, None, str, callable]
RandomState = Annotated[Any, "random_state"]
Gamma = Annotated[Any, StrOptions({"scale", "auto"}), Interval(Real, 0, None, closed="neither")]
Jobs = PositiveInt | Annotated[int, Interval(Integral, None, -1, closed="right")] | None

_Class = TypeVar("_Class")


@dataclass_transform(eq_default=False)
def estimator(*, kw_only: bool = False) -> Callable[[type[_Class]], type[_Class]]:
    """Write the constructor of an estimator, which sets its annotated fields and nothing more.

    scikit-learn's base class prints and compares estimators by their parameters, so the decorator
    adds neither `__repr__` nor `__eq__`. Subclasses have the parameters of their bases. The
    constraints of a parameter are the metadata of its annotation, or the strings of a `Literal`.

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

    >>> from autotype.models import LowRankCompletion
    >>> LowRankCompletion(n_components=0)._validate_params()
    Traceback (most recent call last):
    sklearn.utils._param_validation.InvalidParameterError: ... int in the range [1, inf). Got ...
    """

    def decorate(cls: type[_Class]) -> type[_Class]:
        hints = inspect.get_annotations(cls, eval_str=True)
        known = [vars(base).get("_parameter_constraints", {}) for base in reversed(cls.__mro__)]
        own = {name: _constraints(hint) for name, hint in hints.items() if _constraints(hint)}
        merged = {name: value for part in [*known, own] for name, value in part.items()}
        if merged:  # an estimator that states none is not checked
            cls._parameter_constraints = merged  # type: ignore[attr-defined]
        cls.__annotations__ = {name: _without_constraints(hint) for name, hint in hints.items()}
        return dataclass(eq=False, repr=False, kw_only=kw_only)(cls)

    return decorate


def _constraints(hint: Any) -> list[Any]:
    """Return the constraints that an annotation states, none for a plain type."""
    if get_origin(hint) is Annotated:
        return list(hint.__metadata__)
    if get_origin(hint) is Literal:
        return [StrOptions(set(get_args(hint)))]
    if get_origin(hint) not in (Union, UnionType):
        return []
    stated = [constraint for part in get_args(hint) for constraint in _constraints(part)]
    return [None, *stated] if stated and NoneType in get_args(hint) else stated


def _without_constraints(hint: Any) -> Any:
    if get_origin(hint) is Annotated:
        return hint.__origin__
    if get_origin(hint) in (Union, UnionType):
        return Union[tuple(map(_without_constraints, get_args(hint)))]  # noqa: UP007
    return hint


def read_grid(values: Any, name: str, *, positive: bool = False) -> np.ndarray:
    """Return the values to try, increasing, each once.

    Parameters
    ----------
    values : array-like of float
        Values in any order.
    name : str
        Name of the parameter, for the error.
    positive : bool
        Whether 0 is refused.

    Returns
    -------
    ndarray of shape (n_values,)

    Raises
    ------
    ValueError
        If there is no value, or one is NaN, infinite, negative or a 0 that is refused.

    Examples
    --------
    >>> read_grid([1, 0.1, 1], "Cs")
    array([0.1, 1. ])
    """
    grid = np.unique(np.asarray(values, dtype=np.float64))
    in_range = (grid > 0) if positive else (grid >= 0)
    if not len(grid) or not np.all(np.isfinite(grid) & in_range):
        numbers = "positive numbers" if positive else "finite numbers >= 0"
        raise ValueError(f"{name} must hold {numbers}, at least one, got {values!r}")
    return grid
