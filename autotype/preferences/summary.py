"""Say in a few lines what a list of order preferences holds."""

from __future__ import annotations

import numpy as np

from autotype.preferences.contradictions import Contradictions
from autotype.preferences.solvers.problem import NO_ROW
from autotype.wording import format_count

# What can be stated, in the order of the summary; one sided kinds have a bound.
KINDS = ("order", "equal", "close", "band", "at least", "at most", "equal to")
_BOUNDS = ("at least", "at most", "equal to")


def summarise_preferences(
    above: np.ndarray,
    difference: np.ndarray,
    weight: np.ndarray,
    kind: np.ndarray,
    *,
    n_rows: int,
    contradictions: Contradictions,
) -> str:
    """Count the preferences by what they state, with the range of their numbers.

    Parameters
    ----------
    above, difference, weight, kind : ndarray of shape (p,)
        The preferences.
    n_rows : int
        Rows that they speak of.
    contradictions : Contradictions
        Those found among them.

    Returns
    -------
    str
        A line each.
    """
    lines = [f"{format_count(len(above), 'preference')} about {format_count(n_rows, 'row')}"]
    for name in KINDS:
        chosen = kind == name
        if not chosen.any():
            continue
        sign = np.where(above[chosen] == NO_ROW, -1.0, 1.0) if name in _BOUNDS else 1.0
        text = _span("bound" if name in _BOUNDS else "difference", sign * difference[chosen])
        if (weight[chosen] != 1.0).any():
            text += f", {_span('weight', weight[chosen])}"
        lines.append(f"  {name}: {chosen.sum():,}, {text}")
    return "\n".join([*lines, f"  {contradictions}"])


def _span(name: str, values: np.ndarray) -> str:
    low, high = values.min() + 0.0, values.max() + 0.0  # no -0
    return f"{name} {low:g}" if low == high else f"{name} {low:g} to {high:g}"
