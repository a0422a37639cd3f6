from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from autotype.models.gaussian_process.solvers.interval_likelihood import LOGIT, PROBIT
from autotype.models.gaussian_process.solvers.ordinal_laplace import laplace_posterior
from autotype.models.gaussian_process.solvers.ordinal_latent import (
    OrdinalObservations,
    threshold_parameter_gradient,
    thresholds_from_parameters,
)
from tests.reference import gp_ordinal as reference

LINKS = {"probit": PROBIT, "logit": LOGIT}


@pytest.fixture(params=LINKS.values(), ids=LINKS)
def problem(request):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(24, 2))
    square = ((X[:, None] - X[None]) ** 2).sum(axis=-1)
    ranks = np.digitize(X[:, 0] + 0.3 * rng.normal(size=24), [-0.5, 0.3, 1.0])
    weight = rng.integers(1, 4, 24).astype(float)
    return square, OrdinalObservations(ranks, 4, weight, request.param)


THRESHOLDS = np.array([-0.6, 0.2, 0.9])


def test_agrees_with_a_general_minimiser(problem):
    square, data = problem
    K = np.exp(-0.5 * square) + 0.1 * np.eye(24)
    fit = laplace_posterior(K, data, THRESHOLDS, 0.4)
    f, log_evidence = reference.laplace(
        K, data.ranks, data.weight, THRESHOLDS, 0.4, data.link.logistic
    )
    np.testing.assert_allclose(fit.mean, f, atol=1e-5)
    assert fit.log_evidence == pytest.approx(log_evidence, abs=1e-4)


def test_reaches_the_mode(problem):
    square, data = problem
    K = np.exp(-0.5 * square)
    fit = laplace_posterior(K, data, THRESHOLDS, 0.4)
    assert fit.converged
    step = 1e-6
    arguments = data.ranks, THRESHOLDS, 0.4, data.link.logistic
    up = reference.log_probability(fit.mean + step, *arguments)
    down = reference.log_probability(fit.mean - step, *arguments)
    # At the mode K^-1 f is the slope of the log likelihood.
    np.testing.assert_allclose(fit.alpha, data.weight * (up - down) / (2 * step), atol=1e-6)
    np.testing.assert_allclose(K @ fit.alpha, fit.mean, atol=1e-10)


def test_variances_are_those_of_the_inverse_hessian(problem):
    square, data = problem
    K = np.exp(-0.5 * square) + 0.1 * np.eye(24)
    fit = laplace_posterior(K, data, THRESHOLDS, 0.4)
    covariance = np.linalg.inv(np.linalg.inv(K) + np.diag(fit.site_precision))
    np.testing.assert_allclose(fit.variance, np.diag(covariance), rtol=1e-8)


@pytest.mark.parametrize("noise", [0.1, 0.5, 3.0])
def test_gradient_by_finite_differences(problem, noise):
    square, data = problem

    def evaluate(parameters, with_gradient=False):
        kappa, s = np.exp(parameters[:2])
        K = np.exp(-0.5 * kappa * square)
        thresholds = thresholds_from_parameters(parameters[2:])
        fit = laplace_posterior(K, data, thresholds, s, with_gradient=with_gradient, tol=1e-24)
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


def test_a_bad_start_changes_nothing(problem):
    square, data = problem
    K = np.exp(-0.5 * square)
    cold = laplace_posterior(K, data, THRESHOLDS, 0.05)
    for mean in (np.full(24, 1e3), np.where(data.ranks > 1, -50.0, 50.0)):
        start = replace(cold, mean=mean)
        warm = laplace_posterior(K, data, THRESHOLDS, 0.05, start=start)
        np.testing.assert_allclose(warm.mean, cold.mean, atol=1e-6)


def test_row_order_and_doubled_rows(problem):
    square, data = problem
    K = np.exp(-0.5 * square)
    fit = laplace_posterior(K, data, THRESHOLDS, 0.4)
    order = np.random.default_rng(1).permutation(24)
    turned = data.take(order)
    shuffled = laplace_posterior(K[np.ix_(order, order)], turned, THRESHOLDS, 0.4)
    assert shuffled.log_evidence == pytest.approx(fit.log_evidence, abs=1e-9)
    rows = np.repeat(np.arange(24), data.weight.astype(int))
    repeated = replace(data.take(rows), weight=np.ones(len(rows)))
    stacked = laplace_posterior(K[np.ix_(rows, rows)], repeated, THRESHOLDS, 0.4)
    assert stacked.log_evidence == pytest.approx(fit.log_evidence, abs=1e-9)
    np.testing.assert_allclose(stacked.mean, fit.mean[rows], atol=1e-8)


def test_reversed_order_mirrors_the_fit(problem):
    square, data = problem
    K = np.exp(-0.5 * square)
    fit = laplace_posterior(K, data, THRESHOLDS, 0.4)
    mirrored = replace(data, ranks=3 - data.ranks)
    mirror = laplace_posterior(K, mirrored, -THRESHOLDS[::-1], 0.4)
    np.testing.assert_allclose(mirror.mean, -fit.mean, atol=1e-8)
    assert mirror.log_evidence == pytest.approx(fit.log_evidence, abs=1e-9)


@pytest.mark.parametrize("noise", [1e-3, 1e3])
@pytest.mark.parametrize("gap", [1e-5, 1e3])
@pytest.mark.parametrize("amplitude", [1e-6, 1e6])
@pytest.mark.parametrize("link", LINKS.values(), ids=LINKS)
def test_extremes_stay_finite(noise, gap, amplitude, link):
    x = np.linspace(0, 1, 12)
    K = amplitude * np.exp(-((x[:, None] - x) ** 2))
    data = OrdinalObservations(np.repeat([0, 1, 2], 4), 3, np.ones(12), link)
    fit = laplace_posterior(K, data, np.array([0.0, gap]), noise)
    assert np.isfinite(fit.log_evidence)
    assert np.isfinite(fit.mean).all()
    assert np.isfinite(fit.gradient[0]).all()
    assert np.isfinite([fit.gradient[1], *fit.gradient[2]]).all()


def test_a_kernel_matrix_that_is_none():
    data = OrdinalObservations(np.array([0, 1]), 2, np.ones(2))
    with pytest.raises(np.linalg.LinAlgError, match="no Cholesky factor"):
        laplace_posterior(np.array([[-9.0, 0], [0, -9.0]]), data, np.zeros(1), 0.1)


@pytest.mark.parametrize("max_iter", [1, 2])
def test_too_few_steps_are_reported(problem, max_iter):
    square, data = problem
    fit = laplace_posterior(np.exp(-0.5 * square), data, THRESHOLDS, 0.1, max_iter=max_iter)
    assert not fit.converged
    assert fit.n_iter == max_iter


def test_as_many_steps_as_needed_are_enough_and_one_less_is_not(problem):
    square, data = problem
    K = np.exp(-0.5 * square)
    needed = laplace_posterior(K, data, THRESHOLDS, 0.4).n_iter
    enough = laplace_posterior(K, data, THRESHOLDS, 0.4, max_iter=needed)
    less = laplace_posterior(K, data, THRESHOLDS, 0.4, max_iter=needed - 1)
    assert (enough.converged, less.converged) == (True, False)
