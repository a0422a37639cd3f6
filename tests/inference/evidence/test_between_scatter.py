from __future__ import annotations

import numpy as np
from scipy.stats import f_oneway

from autotype.inference.evidence.between_scatter import LevelSums

RNG = np.random.default_rng(0)
N = 120


def test_between_level_f_is_the_f_test() -> None:
    codes = RNG.integers(0, 4, N)
    X = RNG.normal(size=(N, 3)) + codes[:, None] * [0.0, 0.5, 2.0]
    X -= X.mean(axis=0)
    expected = [f_oneway(*(x[codes == k] for k in range(4))).statistic for x in X.T]
    np.testing.assert_allclose(LevelSums(X, codes, 4).between_level_f(), expected, rtol=1e-9)


def test_between_level_f_of_two_levels_and_of_as_many_levels_as_rows() -> None:
    codes = np.arange(N) % 2
    x = RNG.normal(size=N) + 0.2 * codes
    expected = f_oneway(x[codes == 0], x[codes == 1]).statistic
    found = LevelSums((x - x.mean())[:, None], codes, 2).between_level_f()
    np.testing.assert_allclose(found, [expected], rtol=1e-9)
    two_rows = LevelSums(np.array([[1.0], [-1.0]]), np.array([0, 1]), 2)
    assert np.isfinite(two_rows.between_level_f()).all()


def test_closeness_is_minus_the_squared_distance_between_level_means() -> None:
    codes = np.arange(N) % 4
    X = RNG.normal(size=(N, 3)) + codes[:, None]
    scatter = LevelSums(X, codes, 4).scatter()
    metric = np.linalg.inv(X.T @ X + np.eye(3))
    means = np.array([X[codes == k].mean(axis=0) for k in range(4)])
    expected = [[-(a - b) @ metric @ (a - b) for b in means] for a in means]
    np.testing.assert_allclose(scatter.closeness, expected, atol=1e-12)
    assert scatter.mean_distance > 0
