from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.special import log_expit, log_ndtr

from autotype.models.gaussian_process.solvers.interval_likelihood import (
    LOGIT,
    PROBIT,
    Link,
    interval_likelihood,
    log_interval_probability,
    mean_log_probability,
    tempered_moments,
)
from autotype.models.gaussian_process.solvers.ordinal_ep import ep_posterior
from autotype.models.gaussian_process.solvers.ordinal_latent import OrdinalObservations
from tests.reference import gp_ordinal as reference

TERMS = ("log_prob", "grad_a", "grad_c", "hess_aa", "hess_cc", "hess_ac")
MOMENTS = ("log_normaliser", "variance", "slope", "covariance", "grad_a", "grad_c", "log_noise")

both_links = pytest.mark.parametrize("link", [PROBIT, LOGIT], ids=["probit", "logit"])


def likelihood(*args: Any) -> SimpleNamespace:
    return SimpleNamespace(**dict(zip(TERMS, interval_likelihood(*args), strict=True)))


def moments(*args: Any, **options: Any) -> SimpleNamespace:
    return SimpleNamespace(**dict(zip(MOMENTS, tempered_moments(*args, **options), strict=True)))


def at(a: float, c: float) -> SimpleNamespace:
    return likelihood(np.array([a]), np.array([c]))


def draw_intervals(n: int, *, scale: float, seed: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    c = scale * rng.normal(size=n)
    return c + 0.05 + rng.exponential(size=n), c


@both_links
def test_agrees_with_the_definition_where_that_is_exact(link: Link) -> None:
    a, c = draw_intervals(500, scale=1.5, seed=0)
    below = [reference.distribution(end, link.logistic) for end in (a, c)]
    expected = np.log(below[0] - below[1])
    np.testing.assert_allclose(log_interval_probability(a, c, link), expected, rtol=1e-10)


def test_infinite_ends_are_one_sided_tails() -> None:
    x = np.linspace(-30, 30, 61)
    inf = np.full_like(x, np.inf)
    np.testing.assert_allclose(log_interval_probability(x, -inf), log_ndtr(x), rtol=1e-13)
    np.testing.assert_allclose(log_interval_probability(inf, x), log_ndtr(-x), rtol=1e-13)
    np.testing.assert_array_equal(log_interval_probability(inf, -inf), 0.0)
    k, logit = reference.LOGISTIC_DEVIATION, LOGIT
    expected = log_expit(k * x)
    np.testing.assert_allclose(log_interval_probability(x, -inf, logit), expected, rtol=1e-13)
    np.testing.assert_allclose(log_interval_probability(inf, -x, logit), expected, rtol=1e-13)
    np.testing.assert_array_equal(log_interval_probability(inf, -inf, logit), 0.0)


@both_links
def test_the_two_tails_mirror_each_other(link: Link) -> None:
    a, c = draw_intervals(200, scale=20.0, seed=1)
    here, there = likelihood(a, c, link), likelihood(-c, -a, link)
    for name, mirror in [
        ("log_prob", "log_prob"),
        ("grad_a", "grad_c"),
        ("hess_aa", "hess_cc"),
        ("hess_ac", "hess_ac"),
    ]:
        np.testing.assert_allclose(getattr(here, name), getattr(there, mirror), rtol=1e-10)


@both_links
@pytest.mark.parametrize("width", [1e-3, 1.0, 50.0])
def test_probabilities_of_the_line_sum_to_one(width: float, link: Link) -> None:
    ends = np.concatenate([[-np.inf], np.arange(-40, 40 + width / 2, width), [np.inf]])
    total = np.exp(log_interval_probability(ends[1:], ends[:-1], link)).sum()
    assert total == pytest.approx(1.0, abs=1e-9)


@both_links
@pytest.mark.parametrize(("a", "c"), [(1.0, 1.0), (0.0, 1.0), (-5.0, -4.0)])
def test_an_empty_interval_has_no_probability(a: float, c: float, link: Link) -> None:
    assert log_interval_probability(np.array([a]), np.array([c]), link) == [-np.inf]


@both_links
@pytest.mark.parametrize("scale", [1.0, 6.0, 40.0, 1e3])
def test_agrees_with_the_reference(scale: float, link: Link) -> None:
    a, c = draw_intervals(2000, scale=scale, seed=5)
    a[::5], c[1::5] = np.inf, -np.inf
    found = likelihood(a, c, link)
    expected = reference.interval_likelihood(a, c, link.logistic)
    for name, values in expected.items():
        np.testing.assert_allclose(getattr(found, name), values, rtol=1e-8, atol=1e-12)
    np.testing.assert_array_equal(log_interval_probability(a, c, link), found.log_prob)


def test_any_shape_and_dtype() -> None:
    a, c = draw_intervals(24, scale=1.0, seed=6)
    flat = likelihood(a, c)
    grid = likelihood(a.reshape(4, 6).T, c.reshape(4, 6).T)
    np.testing.assert_array_equal(grid.hess_ac, flat.hess_ac.reshape(4, 6).T)
    whole = log_interval_probability(np.array([2]), np.array([-1]))
    np.testing.assert_array_equal(whole, log_interval_probability(np.array([2.0]), -np.ones(1)))


@both_links
def test_gradient_by_finite_differences(link: Link) -> None:
    a, c = draw_intervals(200, scale=4.0, seed=2)
    terms, step = likelihood(a, c, link), 1e-6
    in_a = log_interval_probability(a + step, c, link) - log_interval_probability(a - step, c, link)
    in_c = log_interval_probability(a, c + step, link) - log_interval_probability(a, c - step, link)
    np.testing.assert_allclose(terms.grad_a, in_a / (2 * step), rtol=1e-5, atol=1e-7)
    np.testing.assert_allclose(terms.grad_c, -in_c / (2 * step), rtol=1e-5, atol=1e-7)


@both_links
def test_hessian_by_finite_differences(link: Link) -> None:
    a, c = draw_intervals(200, scale=4.0, seed=3)
    terms, step = likelihood(a, c, link), 1e-6
    up, down = likelihood(a + step, c, link), likelihood(a - step, c, link)
    np.testing.assert_allclose(
        terms.hess_aa, (down.grad_a - up.grad_a) / (2 * step), rtol=1e-5, atol=1e-6
    )
    np.testing.assert_allclose(
        terms.hess_ac, (up.grad_c - down.grad_c) / (2 * step), rtol=1e-5, atol=1e-6
    )
    up, down = likelihood(a, c + step, link), likelihood(a, c - step, link)
    np.testing.assert_allclose(
        terms.hess_cc, (up.grad_c - down.grad_c) / (2 * step), rtol=1e-5, atol=1e-6
    )


@both_links
def test_negative_hessian_is_positive_semi_definite(link: Link) -> None:
    a, c = draw_intervals(2000, scale=30.0, seed=4)
    terms = likelihood(a, c, link)
    determinant = terms.hess_aa * terms.hess_cc - terms.hess_ac**2
    assert np.all(terms.hess_aa >= 0)
    assert np.all(terms.hess_cc >= 0)
    assert np.all(determinant >= -1e-9 * (1 + terms.hess_aa * terms.hess_cc))


@pytest.mark.parametrize("x", [1e2, 1e3, 1e4, 1e5])
def test_far_tail_follows_its_asymptote(x: float) -> None:
    # phi/Phi at -x is x + 1/x + O(x^-3), and the curvature 1 - 1/x^2 + O(x^-4).
    one_sided = [at(-x, -np.inf), at(np.inf, x)]
    for gradient, curvature in [
        (one_sided[0].grad_a[0], one_sided[0].hess_aa[0]),
        (one_sided[1].grad_c[0], one_sided[1].hess_cc[0]),
    ]:
        assert gradient == pytest.approx(x + 1 / x, rel=1e-7)
        assert curvature == pytest.approx(1 - 1 / x**2, rel=1e-5)


@pytest.mark.parametrize("x", [1e2, 1e4, 1e6, 1e8, 1e10])
@pytest.mark.parametrize("width", [1e-2, 1.0, np.inf])
@both_links
def test_nothing_overflows_in_the_tails(x: float, width: float, link: Link) -> None:
    a = np.array([-x, x + width])
    terms = likelihood(a, np.array([-x - width, x]), link)
    for name in ("log_prob", "grad_a", "grad_c", "hess_aa", "hess_cc", "hess_ac"):
        assert np.all(np.isfinite(getattr(terms, name))), name
    assert np.all(terms.hess_aa >= 0)
    assert np.all(terms.hess_cc >= 0)


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
    found = moments(upper, lower, ratio, np.ones_like(power))
    scale = np.sqrt(1 + ratio**2)
    exact = log_interval_probability(upper / scale, lower / scale)
    np.testing.assert_allclose(found.log_normaliser, exact, atol=1e-9)


def test_a_power_of_one_is_the_mean_over_the_mixture():
    upper, lower, ratio, power = many_cases(600)
    found = moments(upper, lower, ratio, np.ones_like(power), link=LOGIT)
    mixture = mean_log_probability(upper, lower, ratio**2, ratio**2, LOGIT)
    likely = mixture > -10  # the mixture's own tails fall faster in the end
    assert likely.mean() > 0.8
    np.testing.assert_allclose(found.log_normaliser[likely], mixture[likely], atol=1e-6)


@both_links
def test_mean_and_variance_follow_from_the_slope(link):
    upper, lower, ratio, power = many_cases(600)
    found = moments(upper, lower, ratio, power, link=link)
    expected = 1 + power * found.covariance  # integration by parts
    np.testing.assert_allclose(found.variance, expected, rtol=1e-4, atol=1e-6)
    assert np.all(found.covariance <= 1e-15)


@pytest.mark.parametrize(
    ("upper", "lower", "ratio", "power"),
    [
        (0.5, -0.5, 1.0, 0.3),
        (2.0, -np.inf, 5.0, 0.7),
        (np.inf, 3.0, 0.5, 0.1),
        (9.0, 8.0, 2.0, 0.5),
    ],
)
@both_links
def test_against_adaptive_quadrature(upper, lower, ratio, power, link):
    def density(x: float) -> float:
        inside = log_interval_probability(*np.array([[upper], [lower]]) - ratio * x, link)[0]
        return float(np.exp(power * inside - x**2 / 2) / np.sqrt(2 * np.pi))

    exact = [
        quad(lambda x, k=k: x**k * density(x), -12, 12, epsabs=1e-13, epsrel=1e-11, limit=400)[0]
        for k in range(3)
    ]
    found = moments(*np.array([[upper], [lower], [ratio], [power]]), link=link)
    assert found.log_normaliser[0] == pytest.approx(np.log(exact[0]), abs=1e-9)
    mean = exact[1] / exact[0]
    assert power * found.slope[0] == pytest.approx(mean, abs=1e-9)
    assert found.variance[0] == pytest.approx(exact[2] / exact[0] - mean**2, abs=1e-9)


@both_links
def test_extremes_stay_finite(link):
    ends = np.array([1e-3, 1.0, 30.0, 1e4])
    upper, ratio, power = (
        grid.ravel() for grid in np.meshgrid(ends, [1e-6, 1.0, 1e5], [1e-12, 0.5, 1.0])
    )
    for lower in (np.full_like(upper, -np.inf), -upper, upper * (1 - 1e-6) - 1e-5):
        found = moments(upper, lower, ratio, power, link=link)
        for values in vars(found).values():
            assert np.isfinite(values).all()
        assert np.all(found.variance > 0)


def test_ep_of_one_row_is_exact():
    thresholds, noise, weight = np.array([-0.3, 0.9]), 0.4, np.array([0.35])
    fit = ep_posterior(
        np.array([[2.0]]), OrdinalObservations(np.array([1]), 3, weight), thresholds, noise
    )
    exact = moments(thresholds[1:] / noise, thresholds[:1] / noise, np.sqrt([2.0]) / noise, weight)
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


def test_a_likelihood_that_is_constant_along_the_latent_value() -> None:
    upper, lower = np.array([1.0, 2.0, np.inf]), np.array([-np.inf, -1.0, 0.5])
    power = np.array([0.5, 0.3, 0.9])
    found = moments(upper, lower, np.zeros(3), power)
    expected = power * log_interval_probability(upper, lower)
    np.testing.assert_allclose(found.log_normaliser, expected, atol=1e-8)
