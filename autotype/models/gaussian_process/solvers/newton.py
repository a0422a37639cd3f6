"""Damped Newton: halve a step until the objective falls."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

_MAX_HALVINGS = 30


@dataclass(frozen=True)
class NewtonState:
    """A point of the search, with the value there of the objective to minimise."""

    position: np.ndarray
    objective: float


State = TypeVar("State", bound=NewtonState)


def halve_until_decrease(
    evaluate: Callable[..., State],
    state: State,
    step: np.ndarray,
    decrement: float,
    *args: object,
    share: float,
    slack: float = 1e-12,
) -> tuple[State, float]:
    """Halve a Newton step until the objective falls by a proportion of what the full step promises.

    Parameters
    ----------
    evaluate : callable
        Position and `args` to state.
    state : NewtonState
        Where the step starts.
    step : ndarray
        Newton step, of the shape of the position.
    decrement : float
        Half the squared Newton decrement: what a quadratic objective would fall by.
    *args :
        Further arguments of `evaluate`.
    share : float
        Proportion of the promise that is enough (Armijo's condition), in (0, 1).
    slack : float
        Increase that counts as rounding, relative to the objective.

    Returns
    -------
    state : NewtonState
        The new state, or the old one where no step helps.
    length : float
        Proportion of the step taken; 0 where none helps.
    """
    allowed = state.objective + slack * (1.0 + abs(state.objective))
    length = 1.0
    for _ in range(_MAX_HALVINGS):
        trial = evaluate(state.position + length * step, *args)
        if trial.objective <= allowed - share * length * decrement:
            return trial, length
        length *= 0.5
    return state, 0.0
