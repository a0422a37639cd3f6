from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import f as f_distribution

from autotype.models.ensemble import level_effects
from autotype.models.ensemble.level_effects import is_level
from tests.reference.level_effects import variance_ratio


def codes(seed: int, effect: float, trend: float = 0.0) -> tuple[np.ndarray, np.ndarray]:
    """Return 40 codes of persons, and ranks that depend on them."""
    rng = np.random.default_rng(seed)
    person = rng.integers(40, size=300)
    latent = effect * rng.normal(size=40)[person] + trend * person / 40 + rng.normal(size=300)
    return 7.0 * person, np.digitize(latent, [-0.7, 0.3, 1.0])


@pytest.mark.parametrize("seed", range(5))
def test_agrees_with_the_reference(seed: int, monkeypatch) -> None:
    values, ranks = codes(seed, 0.8)
    n_values = len(np.unique(values))
    chance = f_distribution.sf(
        variance_ratio(values, ranks), (n_values - 2) / 2, len(values) - n_values
    )
    monkeypatch.setattr(level_effects, "_CURVE", np.inf)
    monkeypatch.setattr(level_effects, "_LEAST_RATIO", 0.0)
    for least, expected in ((chance * 1.001, True), (chance * 0.999, False)):
        monkeypatch.setattr(level_effects, "_LEAST_P", least)
        assert is_level(values, ranks) == expected


def test_codes_are_levels_and_measurements_are_not() -> None:
    assert all(is_level(*codes(seed, 1.5)) for seed in range(20))
    assert not any(is_level(*codes(seed, 0.0)) for seed in range(100))
    assert not any(is_level(*codes(seed, 0.0, trend=4.0)) for seed in range(100))


def test_a_measurement_whose_values_have_effects_is_none() -> None:
    assert not any(is_level(*codes(seed, 0.6, trend=4.0)) for seed in range(20))


def test_values_of_hardly_more_than_one_row_need_a_strong_effect() -> None:
    rng = np.random.default_rng(0)
    values = rng.integers(3000, size=3000)
    for effect, expected in ((1.5, True), (0.6, False)):
        latent = effect * rng.normal(size=3000)[values] + rng.normal(size=3000)
        assert is_level(values, np.digitize(latent, [-0.7, 0.3, 1.0])) == expected


def test_missing_and_few_values() -> None:
    values, ranks = codes(0, 1.5)
    gaps = np.append(values, [np.nan, np.nan])
    assert is_level(gaps, np.append(ranks, [0, 3]))
    assert is_level(values[::-1], ranks[::-1])
    assert not is_level(values % 7, ranks), "seven levels are few"
    assert not is_level(np.arange(300.0), ranks), "no value repeats"
    assert not is_level(values, np.zeros(300, dtype=int)), "one level of the target"
