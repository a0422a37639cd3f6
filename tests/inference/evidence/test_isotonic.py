"""Isotonic regression against SciPy's, which takes long to import."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import isotonic_regression

from autotype.inference.evidence.isotonic import isotonic_fit


@pytest.mark.parametrize("n", [1, 2, 5, 40])
@pytest.mark.parametrize("seed", range(5))
def test_it_agrees_with_scipy(n, seed):
    random = np.random.default_rng(seed)
    values = random.normal(size=n).round(1)  # with ties
    weights = random.integers(1, 9, size=n).astype(float)
    expected = isotonic_regression(values, weights=weights).x
    np.testing.assert_allclose(isotonic_fit(values, weights), expected, rtol=1e-12, atol=1e-14)


def test_rising_values_stay():
    values = np.array([-1.0, 0.0, 0.0, 2.5])
    np.testing.assert_array_equal(isotonic_fit(values, np.ones(4)), values)
