from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.special import expit
from scipy.stats import kstwobign, norm

from autotype.models.gaussian_process.solvers.interval_likelihood import (
    LOGIT,
    PROBIT,
    kolmogorov_density,
    mean_log_probability,
)
from autotype.models.gaussian_process.solvers.ordinal_latent import rank_probabilities
from tests.reference import gp_ordinal as reference

both_links = pytest.mark.parametrize("link", [PROBIT, LOGIT], ids=["probit", "logit"])
VARIANCES = [0.0, 1e-6, 0.01, 0.3, 1.0, 10.0, 1e4]


def averaged(values, variance: float, bends: list[float]) -> float:
    """Mean of a function over N(0, variance) by adaptive quadrature between its bends."""
    deviation = np.sqrt(variance)
    ends = [bend / deviation for bend in bends if abs(bend) < 12 * deviation] if variance else []
    return quad(
        lambda x: values(deviation * x) * norm.pdf(x),
        -12,
        12,
        points=ends or None,
        epsabs=1e-13,
        epsrel=1e-12,
        limit=2_000,
    )[0]


def test_the_mixture_is_the_logistic_distribution():
    x = np.linspace(-20, 20, 801)
    at = reference.LOGISTIC_DEVIATION * x
    np.testing.assert_allclose(LOGIT.mean_distribution(x, 0.0), expit(at), atol=1e-9)
    density = reference.LOGISTIC_DEVIATION * expit(at) * expit(-at)
    np.testing.assert_allclose(LOGIT.mean_density(x, 0.0), density, atol=1e-9)
    share = np.exp(LOGIT.log_share)
    assert share.sum() == pytest.approx(1.0, abs=1e-14)
    assert share @ LOGIT.spread**2 == pytest.approx(1.0, abs=1e-8)


def test_the_tails_are_those_of_the_logistic_distribution():
    x = np.linspace(-30, 0, 301) / reference.LOGISTIC_DEVIATION
    log_prob = mean_log_probability(x, np.full(301, -np.inf), np.zeros(301), np.zeros(301), LOGIT)
    np.testing.assert_allclose(np.exp(log_prob), expit(reference.LOGISTIC_DEVIATION * x), rtol=0.01)


def test_the_kolmogorov_density_is_that_of_scipy():
    x = np.linspace(0.2, 4.5, 200)
    np.testing.assert_allclose(kolmogorov_density(x), kstwobign.pdf(x), atol=1e-12)


@both_links
@pytest.mark.parametrize("variance", VARIANCES)
def test_means_over_a_normal_agree_with_quadrature(link, variance):
    for upper, lower in [(1.0, -0.5), (-2.0, -np.inf), (np.inf, 3.0), (0.1, 0.0)]:

        def probability(f, upper=upper, lower=lower):
            below = [reference.distribution(end - f, link.logistic) for end in (upper, lower)]
            return below[0] - below[1]

        expected = averaged(probability, variance, [upper, lower])
        ends = np.array([[upper], [lower], [variance], [variance]])
        assert np.exp(mean_log_probability(*ends, link))[0] == pytest.approx(expected, abs=1e-8)


@pytest.mark.parametrize("variance", VARIANCES)
def test_distribution_and_density_of_the_sum_with_a_normal(variance):
    k, at = reference.LOGISTIC_DEVIATION, np.array([-1.3, 0.0, 0.7])

    def below(f, x):
        return expit(k * (x - f))

    def density(f, x):
        return k * below(f, x) * (1 - below(f, x))

    for found, values in [(LOGIT.mean_distribution, below), (LOGIT.mean_density, density)]:
        expected = [averaged(lambda f, x=x, v=values: v(f, x), variance, [x]) for x in at]
        np.testing.assert_allclose(found(at, variance), expected, atol=1e-8)


@both_links
def test_predictive_probabilities_agree_with_quadrature(link):
    thresholds, noise = np.array([-0.5, 0.2, 1.0]), 0.3
    mean, variance = np.array([-1.0, 0.1, 2.0]), np.array([1e-4, 0.5, 30.0])
    found = rank_probabilities(mean, variance, thresholds, noise, link=link)
    np.testing.assert_allclose(found.sum(axis=1), 1.0, rtol=1e-14)
    for i in range(3):
        for rank in range(4):

            def probability(f, i=i, rank=rank):
                at = mean[i] + f
                return reference.probability(at, rank, thresholds, noise, link.logistic)

            expected = averaged(probability, variance[i], list(thresholds - mean[i]))
            assert found[i, rank] == pytest.approx(expected, abs=1e-8)


@both_links
def test_probabilities_far_out_keep_their_digits(link):
    ends = np.array([[-6.0, -5.0, 5.0, 6.0]])
    found = link.mean_probabilities(ends, np.zeros((1, 1)))[0]
    np.testing.assert_allclose(found, found[::-1], rtol=1e-13)
    tails = [reference.distribution(end, link.logistic) for end in ends[0, :2]]
    np.testing.assert_allclose(found[:2], [tails[0], tails[1] - tails[0]], rtol=1e-4)
    assert np.all(link.mean_probabilities(np.array([[-1e3, 1e3]]), np.zeros((1, 1))) > 0)


@both_links
def test_an_interval_that_averaging_turns_over_is_a_narrow_one(link):
    ends = np.array([[1.0], [0.9], [25.0], [0.0]])
    assert -25.0 < mean_log_probability(*ends, link)[0] < 0.0
