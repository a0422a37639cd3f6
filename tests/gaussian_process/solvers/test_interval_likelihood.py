from __future__ import annotations

import numpy as np
import pytest
from scipy.special import log_ndtr
from scipy.stats import norm

from autotype.gaussian_process.solvers.interval_likelihood import (
    IntervalLikelihood,
    interval_likelihood,
    log_interval_probability,
)


def at(a: float, c: float) -> IntervalLikelihood:
    return interval_likelihood(np.array([a]), np.array([c]))


def draw_intervals(n: int, *, scale: float, seed: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    c = scale * rng.normal(size=n)
    return c + 0.05 + rng.exponential(size=n), c


def test_agrees_with_the_definition_where_that_is_exact() -> None:
    a, c = draw_intervals(500, scale=1.5, seed=0)
    expected = np.log(norm.cdf(a) - norm.cdf(c))
    np.testing.assert_allclose(log_interval_probability(a, c), expected, rtol=1e-10)


def test_infinite_ends_are_one_sided_tails() -> None:
    x = np.linspace(-30, 30, 61)
    inf = np.full_like(x, np.inf)
    np.testing.assert_allclose(log_interval_probability(x, -inf), log_ndtr(x), rtol=1e-13)
    np.testing.assert_allclose(log_interval_probability(inf, x), log_ndtr(-x), rtol=1e-13)
    np.testing.assert_array_equal(log_interval_probability(inf, -inf), 0.0)


def test_the_two_tails_mirror_each_other() -> None:
    a, c = draw_intervals(200, scale=20.0, seed=1)
    here, there = interval_likelihood(a, c), interval_likelihood(-c, -a)
    for name, mirror in [
        ("log_prob", "log_prob"),
        ("grad_a", "grad_c"),
        ("hess_aa", "hess_cc"),
        ("hess_ac", "hess_ac"),
    ]:
        np.testing.assert_allclose(getattr(here, name), getattr(there, mirror), rtol=1e-10)


@pytest.mark.parametrize("width", [1e-3, 1.0, 50.0])
def test_probabilities_of_the_line_sum_to_one(width: float) -> None:
    ends = np.concatenate([[-np.inf], np.arange(-40, 40 + width / 2, width), [np.inf]])
    total = np.exp(log_interval_probability(ends[1:], ends[:-1])).sum()
    assert total == pytest.approx(1.0, abs=1e-9)


@pytest.mark.parametrize(("a", "c"), [(1.0, 1.0), (0.0, 1.0), (-5.0, -4.0)])
def test_an_empty_interval_has_no_probability(a: float, c: float) -> None:
    assert log_interval_probability(np.array([a]), np.array([c])) == [-np.inf]


def test_gradient_by_finite_differences() -> None:
    a, c = draw_intervals(200, scale=4.0, seed=2)
    terms, step = interval_likelihood(a, c), 1e-6
    in_a = log_interval_probability(a + step, c) - log_interval_probability(a - step, c)
    in_c = log_interval_probability(a, c + step) - log_interval_probability(a, c - step)
    np.testing.assert_allclose(terms.grad_a, in_a / (2 * step), rtol=1e-5, atol=1e-7)
    np.testing.assert_allclose(terms.grad_c, -in_c / (2 * step), rtol=1e-5, atol=1e-7)


def test_hessian_by_finite_differences() -> None:
    a, c = draw_intervals(200, scale=4.0, seed=3)
    terms, step = interval_likelihood(a, c), 1e-6
    up, down = interval_likelihood(a + step, c), interval_likelihood(a - step, c)
    np.testing.assert_allclose(
        terms.hess_aa, (down.grad_a - up.grad_a) / (2 * step), rtol=1e-5, atol=1e-6
    )
    np.testing.assert_allclose(
        terms.hess_ac, (up.grad_c - down.grad_c) / (2 * step), rtol=1e-5, atol=1e-6
    )
    up, down = interval_likelihood(a, c + step), interval_likelihood(a, c - step)
    np.testing.assert_allclose(
        terms.hess_cc, (up.grad_c - down.grad_c) / (2 * step), rtol=1e-5, atol=1e-6
    )


def test_negative_hessian_is_positive_semi_definite() -> None:
    a, c = draw_intervals(2000, scale=30.0, seed=4)
    terms = interval_likelihood(a, c)
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
def test_nothing_overflows_in_the_tails(x: float, width: float) -> None:
    a = np.array([-x, x + width])
    terms = interval_likelihood(a, np.array([-x - width, x]))
    for name in ("log_prob", "grad_a", "grad_c", "hess_aa", "hess_cc", "hess_ac"):
        assert np.all(np.isfinite(getattr(terms, name))), name
    assert np.all(terms.hess_aa >= 0)
    assert np.all(terms.hess_cc >= 0)
