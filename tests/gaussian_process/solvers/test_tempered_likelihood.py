"""A normal times a power of the interval likelihood, against closed forms and quadrature."""

import numpy as np
import pytest
from scipy.integrate import quad

from autotype.gaussian_process.solvers.interval_likelihood import log_interval_probability
from autotype.gaussian_process.solvers.ordinal_ep import ep_posterior
from autotype.gaussian_process.solvers.ordinal_latent import OrdinalObservations
from autotype.gaussian_process.solvers.tempered_likelihood import tempered_moments


def many_cases(n: int) -> tuple[np.ndarray, ...]:
    """Ends, ratios and powers over many scales; a third of the intervals open on each side."""
    rng = np.random.default_rng(0)
    upper = rng.normal(size=n) * 10.0 ** rng.uniform(-1, 2, n)
    lower = upper - 10.0 ** rng.uniform(-2, 2, n)
    lower[::3] = -np.inf
    lower[1::3], upper[1::3] = upper[1::3], np.inf
    return upper, lower, 10.0 ** rng.uniform(-2, 2.5, n), rng.uniform(1e-3, 1, n)


def test_a_power_of_one_has_the_closed_form():
    upper, lower, ratio, power = many_cases(600)
    found = tempered_moments(upper, lower, ratio, np.ones_like(power))
    scale = np.sqrt(1 + ratio**2)
    exact = log_interval_probability(upper / scale, lower / scale)
    np.testing.assert_allclose(found.log_normaliser, exact, atol=1e-9)


def test_mean_and_variance_follow_from_the_slope():
    upper, lower, ratio, power = many_cases(600)
    found = tempered_moments(upper, lower, ratio, power)
    expected = 1 + power * found.covariance  # integration by parts
    np.testing.assert_allclose(found.variance, expected, rtol=1e-4, atol=1e-6)
    assert np.all(found.covariance <= 0)


@pytest.mark.parametrize(
    ("upper", "lower", "ratio", "power"),
    [
        (0.5, -0.5, 1.0, 0.3),
        (2.0, -np.inf, 5.0, 0.7),
        (np.inf, 3.0, 0.5, 0.1),
        (9.0, 8.0, 2.0, 0.5),
    ],
)
def test_against_adaptive_quadrature(upper, lower, ratio, power):
    def density(x: float) -> float:
        inside = log_interval_probability(*np.array([[upper], [lower]]) - ratio * x)[0]
        return float(np.exp(power * inside - x**2 / 2) / np.sqrt(2 * np.pi))

    moments = [
        quad(lambda x, k=k: x**k * density(x), -12, 12, epsabs=1e-13, epsrel=1e-11, limit=400)[0]
        for k in range(3)
    ]
    found = tempered_moments(*np.array([[upper], [lower], [ratio], [power]]))
    assert found.log_normaliser[0] == pytest.approx(np.log(moments[0]), abs=1e-9)
    mean = moments[1] / moments[0]
    assert power * found.slope[0] == pytest.approx(mean, abs=1e-9)
    assert found.variance[0] == pytest.approx(moments[2] / moments[0] - mean**2, abs=1e-9)


def test_extremes_stay_finite():
    ends = np.array([1e-3, 1.0, 30.0, 1e4])
    upper, ratio, power = (
        grid.ravel() for grid in np.meshgrid(ends, [1e-6, 1.0, 1e5], [1e-12, 0.5, 1.0])
    )
    for lower in (np.full_like(upper, -np.inf), -upper, upper * (1 - 1e-6) - 1e-5):
        found = tempered_moments(upper, lower, ratio, power)
        for values in vars(found).values():
            assert np.isfinite(values).all()
        assert np.all(found.variance > 0)


def test_ep_of_one_row_is_exact():
    thresholds, noise, weight = np.array([-0.3, 0.9]), 0.4, np.array([0.35])
    fit = ep_posterior(
        np.array([[2.0]]), OrdinalObservations(np.array([1]), 3, weight), thresholds, noise
    )
    exact = tempered_moments(
        thresholds[1:] / noise, thresholds[:1] / noise, np.sqrt([2.0]) / noise, weight
    )
    assert fit.log_evidence == pytest.approx(exact.log_normaliser[0], abs=1e-10)
    assert fit.variance[0] == pytest.approx(2 * exact.variance[0], rel=1e-9)


def test_weights_just_below_one_change_hardly_anything():
    rng = np.random.default_rng(4)
    X = rng.normal(size=30)
    K = np.exp(-0.5 * (X[:, None] - X) ** 2)
    ranks, thresholds = np.digitize(X, [-0.5, 0.5]), np.array([-0.5, 0.5])
    whole, less = (
        ep_posterior(K, OrdinalObservations(ranks, 3, np.full(30, w)), thresholds, 0.2)
        for w in (1.0, 1.0 - 1e-9)
    )
    assert less.log_evidence == pytest.approx(whole.log_evidence, abs=1e-6)
    np.testing.assert_allclose(less.mean, whole.mean, atol=1e-6)
