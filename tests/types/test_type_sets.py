"""Sets of types: levels, masses, and a plain search."""

from __future__ import annotations

import numpy as np
import pytest

from autotype.types.column_type import _mass, _table, smallest_set

TYPES = ("count", "continuous", "ordinal", "text")


def plain_set(probabilities: dict[str, float], most: float) -> set[str]:
    """Return each type whose more probable ones add up to at most a mass."""
    return {
        kind
        for kind, p in probabilities.items()
        if sum(q for q in probabilities.values() if q > p) <= most
    }


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("level", [0.1, 0.5, 0.9, 0.93, 0.97, 0.995])
def test_it_agrees_with_a_plain_search(seed: int, level: float) -> None:
    values = np.random.default_rng(seed).dirichlet([0.3] * len(TYPES)).tolist()
    probabilities = dict(zip(TYPES, values, strict=True))
    found = smallest_set(probabilities, level)
    assert set(found) == plain_set(probabilities, _mass(level))
    assert list(found) == sorted(found, key=lambda kind: -probabilities[kind])


def test_higher_levels_have_larger_sets() -> None:
    probabilities = dict(zip(TYPES, (0.6, 0.3, 0.08, 0.02), strict=True))
    sizes = [len(smallest_set(probabilities, level)) for level in np.linspace(0.01, 0.999, 50)]
    assert sizes == sorted(sizes)
    assert sizes[0] == 1


def test_masses_are_those_of_the_table_and_rise() -> None:
    assert [_mass(level) for level, _ in _table()] == pytest.approx([m for _, m in _table()])
    masses = [_mass(level) for level in np.linspace(0.0, 1.0, 101)]
    assert masses == sorted(masses)
    assert (masses[0], masses[-1]) == (0.0, 1.0)


@pytest.mark.parametrize("level", [0.0, 1.0, -0.5, float("nan")])
def test_levels_are_probabilities(level: float) -> None:
    with pytest.raises(ValueError, match="level must be a number between 0 and 1, got"):
        smallest_set({"count": 1.0}, level)


def test_of_no_probabilities_it_is_empty() -> None:
    assert smallest_set({}, 0.9) == ()
