"""Types of parameters, with the ranges that `estimator` makes scikit-learn check, and grids."""

from __future__ import annotations

from numbers import Integral, Real
from typing import Annotated, Any

import numpy as np
from sklearn.utils._param_validation import Interval, StrOptions

PositiveFloat = Annotated[float, Interval(Real, 0, None, closed="neither")]
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
