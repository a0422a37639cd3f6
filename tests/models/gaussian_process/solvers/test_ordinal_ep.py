from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from autotype.models.gaussian_process.solvers.interval_likelihood import LOGIT, PROBIT
from autotype.models.gaussian_process.solvers.ordinal_ep import ep_posterior
from autotype.models.gaussian_process.solvers.ordinal_laplace import laplace_posterior
from autotype.models.gaussian_process.solvers.ordinal_latent import (
    OrdinalObservations,
    leave_one_out,
    rank_probabilities,
    threshold_parameter_gradient,
    thresholds_from_parameters,
)
from tests.reference import gp_ordinal as reference

THRESHOLDS = np.array([-0.6, 0.2, 0.9])


LINKS = {"probit": PROBIT, "logit": LOGIT}


@pytest.fixture(params=LINKS.values(), ids=LINKS)
def problem(request):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(15, 2))
    square = ((X[:, None] - X[None]) ** 2).sum(axis=-1)
    ranks = np.digitize(X[:, 0] + 0.3 * rng.normal(size=15), [-0.5, 0.3, 1.0])
    return square, OrdinalObservations(ranks, 4, np.ones(15), request.param)


def probit_part(problem):
    """Skip what only the probit link has a reference for."""
    square, data = problem
    if data.link is not PROBIT:
        pytest.skip("closed form of the probit link")
    return square, data


def test_agrees_with_site_after_site(problem):
    square, data = probit_part(problem)
    K = np.exp(-0.5 * square) + 0.1 * np.eye(15)
    fit = ep_posterior(K, data, THRESHOLDS, 0.3)
    mean, variance, log_evidence = reference.expectation_propagation(K, data.ranks, THRESHOLDS, 0.3)
    assert fit.converged
    np.testing.assert_allclose(fit.mean, mean, atol=1e-7)
    np.testing.assert_allclose(fit.variance, variance, atol=1e-7)
    assert fit.log_evidence == pytest.approx(log_evidence, abs=1e-7)


@pytest.mark.parametrize("noise", [0.05, 0.5])
def test_agrees_with_moments_on_a_grid(problem, noise):
    square, data = problem
    K = (np.exp(-0.5 * square) + 0.1 * np.eye(15))[:6, :6]
    few = data.take(np.arange(6))
    fit = ep_posterior(K, few, THRESHOLDS, noise)
    mean, variance, log_evidence = reference.expectation_propagation_on_a_grid(
        K, few.ranks, THRESHOLDS, noise, logistic=data.link.logistic
    )
    assert fit.converged
    np.testing.assert_allclose(fit.mean, mean, atol=1e-6)
    np.testing.assert_allclose(fit.variance, variance, atol=1e-6)
    assert fit.log_evidence == pytest.approx(log_evidence, abs=1e-6)


@pytest.mark.parametrize("noise", [0.3, 1.0, 3.0])
def test_the_evidence_is_that_of_the_fixed_point_to_rounding(problem, noise):
    square, data = probit_part(problem)
    K = np.exp(-0.5 * square) + 0.1 * np.eye(15)
    fit = ep_posterior(K, data, THRESHOLDS, noise, tol=1e-13, max_iter=2_000)
    *_, log_evidence = reference.expectation_propagation(K, data.ranks, THRESHOLDS, noise, 150)
    assert fit.log_evidence == pytest.approx(log_evidence, abs=1e-11)


def test_leave_one_out_nears_the_posterior_of_the_other_rows(problem):
    square, data = problem
    K, noise = np.exp(-0.5 * square) + 0.1 * np.eye(15), 0.5
    left_out = leave_one_out(data, ep_posterior(K, data, THRESHOLDS, noise), THRESHOLDS, noise)
    exact = np.empty(15)
    for i in range(15):
        rest = np.delete(np.arange(15), i)
        others = ep_posterior(K[np.ix_(rest, rest)], data.take(rest), THRESHOLDS, noise)
        there = others.predict(K[[i]][:, rest], K[[i], [i]])
        predicted = rank_probabilities(*there, THRESHOLDS, noise, link=data.link)
        exact[i] = np.log(predicted[0, data.ranks[i]])
    np.testing.assert_allclose(left_out, exact, atol=0.03)
    assert left_out.mean() == pytest.approx(exact.mean(), abs=0.005)


@pytest.mark.parametrize("noise", [0.1, 1.0])
@pytest.mark.parametrize("ranks", [[0, 1], [1, 1], [0, 2]])
@pytest.mark.parametrize("link", LINKS.values(), ids=LINKS)
def test_the_truth_in_two_dimensions(noise, ranks, link):
    K = np.array([[1.0, 0.7], [0.7, 1.0]])
    data = OrdinalObservations(np.array(ranks), 3, np.ones(2), link)
    thresholds = np.array([-0.4, 0.6])
    truth, mean, variance = reference.quadrature(
        K, data.ranks, thresholds, noise, logistic=link.logistic
    )
    ep = ep_posterior(K, data, thresholds, noise)
    assert ep.log_evidence == pytest.approx(truth, abs=0.02)
    np.testing.assert_allclose(ep.mean, mean, atol=0.02)
    np.testing.assert_allclose(ep.variance, variance, rtol=0.05)
    if noise == 1.0:  # Laplace's approximation is good only where the likelihood is wide
        laplace = laplace_posterior(K, data, thresholds, noise)
        assert laplace.log_evidence == pytest.approx(truth, abs=0.06 if link.logistic else 0.02)


@pytest.mark.parametrize("noise", [0.1, 0.5, 3.0])
def test_gradient_by_finite_differences(problem, noise):
    square, data = problem
    data = replace(data, weight=1.0 + np.arange(15) % 2)

    def evaluate(parameters, with_gradient=False):
        kappa, s = np.exp(parameters[:2])
        K = np.exp(-0.5 * kappa * square)
        thresholds = thresholds_from_parameters(parameters[2:])
        fit = ep_posterior(K, data, thresholds, s, with_gradient=with_gradient, tol=1e-10)
        assert fit.converged
        if not with_gradient:
            return fit.log_evidence
        by_kernel, by_log_noise, by_threshold = fit.gradient
        return np.concatenate(
            [
                [np.sum(by_kernel * (-0.5 * kappa * square * K)), by_log_noise],
                threshold_parameter_gradient(parameters[2:], by_threshold),
            ]
        )

    at = np.array([0.1, np.log(noise), -0.6, np.log(0.8), np.log(0.7)])
    h = 1e-4
    differences = [
        (
            8 * (evaluate(at + h * e) - evaluate(at - h * e))
            - (evaluate(at + 2 * h * e) - evaluate(at - 2 * h * e))
        )
        / (12 * h)
        for e in np.eye(5)
    ]
    np.testing.assert_allclose(evaluate(at, True), differences, rtol=1e-5, atol=1e-6)


def test_row_order_weights_and_reversal(problem):
    square, data = problem
    K = np.exp(-0.5 * square)
    weight = 1.0 + np.arange(15) % 3
    data = replace(data, weight=weight)
    fit = ep_posterior(K, data, THRESHOLDS, 0.4)
    rows = np.random.default_rng(1).permutation(np.repeat(np.arange(15), weight.astype(int)))
    repeated = replace(data.take(rows), weight=np.ones(len(rows)))
    stacked = ep_posterior(K[np.ix_(rows, rows)], repeated, THRESHOLDS, 0.4)
    assert stacked.log_evidence == pytest.approx(fit.log_evidence, abs=1e-7)
    np.testing.assert_allclose(stacked.mean, fit.mean[rows], atol=1e-6)
    mirrored = replace(data, ranks=3 - data.ranks)
    mirror = ep_posterior(K, mirrored, -THRESHOLDS[::-1], 0.4)
    np.testing.assert_allclose(mirror.mean, -fit.mean, atol=1e-6)


def test_any_start_reaches_the_same_end(problem):
    square, data = problem
    K = np.exp(-0.5 * square)
    cold = ep_posterior(K, data, THRESHOLDS, 0.2)
    near = ep_posterior(np.exp(-0.6 * square), data, THRESHOLDS, 0.25)
    far = ep_posterior(np.exp(-9.0 * square), data, 5.0 * THRESHOLDS, 3.0)
    for start in (near, far):
        warm = ep_posterior(K, data, THRESHOLDS, 0.2, start=start)
        assert warm.converged
        np.testing.assert_allclose(warm.mean, cold.mean, atol=1e-6)


@pytest.mark.parametrize("noise", [1e-2, 1e3])
@pytest.mark.parametrize("gap", [1e-4, 1e3])
@pytest.mark.parametrize("weight", [0.5, 1.0])
@pytest.mark.parametrize("link", LINKS.values(), ids=LINKS)
def test_extremes_stay_finite(noise, gap, weight, link):
    x = np.linspace(0, 1, 12)
    K = np.exp(-((x[:, None] - x) ** 2))
    data = OrdinalObservations(np.repeat([0, 1, 2], 4), 3, np.full(12, weight), link)
    fit = ep_posterior(K, data, np.array([0.0, gap]), noise)
    assert np.isfinite(fit.log_evidence)
    assert np.isfinite(fit.mean).all()
    assert np.isfinite([fit.gradient[1], *fit.gradient[2]]).all()


@pytest.mark.parametrize("weight", [0.2, 1.0])
@pytest.mark.parametrize("link", LINKS.values(), ids=LINKS)
def test_a_prior_without_variance(weight, link):
    data = OrdinalObservations(np.array([0, 1]), 2, np.array([weight, 0.8]), link)
    fit = ep_posterior(np.zeros((2, 2)), data, np.array([-0.2]), 0.5)
    expected = reference.log_probability(0.0, data.ranks, [-0.2], 0.5, link.logistic)
    assert fit.log_evidence == pytest.approx(data.weight @ expected, abs=1e-8)
    assert np.isfinite([fit.gradient[1], *fit.gradient[2]]).all()


def test_reports_when_it_has_not_converged(problem):
    square, data = problem
    fit = ep_posterior(np.exp(-0.5 * square), data, THRESHOLDS, 0.1, max_iter=2)
    assert not fit.converged
    assert fit.n_iter == 2
