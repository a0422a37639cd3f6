"""The variational bound of the paper of 2005: its maximum, its gradient, the classifier on it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from variational_bound import VariationalClassifier, variational_posterior

from autotype.models import GPOrdinalClassifier
from autotype.models.gaussian_process.kernels import named_kernel
from autotype.models.gaussian_process.ordinal_exact import OrdinalEvidence
from autotype.models.gaussian_process.solvers.interval_likelihood import LOGIT, PROBIT
from autotype.models.gaussian_process.solvers.ordinal_latent import (
    OrdinalObservations,
    threshold_parameters,
)
from tests.reference import gp_ordinal as reference

THRESHOLDS = np.array([-0.6, 0.2, 0.9])
LINKS = {"probit": PROBIT, "logit": LOGIT}


def sample(n=15, link=PROBIT):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, 2))
    ranks = np.digitize(X[:, 0] + 0.3 * rng.normal(size=n), [-0.5, 0.3, 1.0])
    return X, OrdinalObservations(ranks, 4, np.ones(n), link)


def kernel_of(X):
    return np.exp(-0.5 * ((X[:, None] - X[None]) ** 2).sum(axis=-1))


@pytest.mark.parametrize("noise", [0.5, 1.0])
@pytest.mark.parametrize("link", LINKS.values(), ids=LINKS)
def test_the_bound_is_the_largest_that_a_gaussian_gives(noise, link):
    X, data = sample(link=link)
    few, K = data.take(np.arange(5)), kernel_of(X[:5])
    fit = variational_posterior(K, few, THRESHOLDS, noise)
    bound = reference.variational_bound(K, few.ranks, THRESHOLDS, noise, logistic=link.logistic)
    assert fit.log_evidence == pytest.approx(bound, abs=1e-6)


@pytest.mark.parametrize("noise", [0.1, 1.0])
@pytest.mark.parametrize("ranks", [[0, 1], [1, 1], [0, 2]])
@pytest.mark.parametrize("link", LINKS.values(), ids=LINKS)
def test_the_bound_is_below_the_truth(noise, ranks, link):
    K, thresholds = np.array([[1.0, 0.7], [0.7, 1.0]]), np.array([-0.4, 0.6])
    data = OrdinalObservations(np.array(ranks), 3, np.ones(2), link)
    truth, *_ = reference.quadrature(K, data.ranks, thresholds, noise, logistic=link.logistic)
    bound = variational_posterior(K, data, thresholds, noise)
    assert truth - 0.4 < bound.log_evidence < truth


@pytest.mark.parametrize("link", LINKS.values(), ids=LINKS)
def test_gradient_by_finite_differences(link):
    X, data = sample(link=link)
    data = replace(data, weight=np.array([1.0, 2.0, 0.4])[np.arange(15) % 3])
    kernel = named_kernel("ard-rbf", X, data.weight)

    def tight(*args, **options):
        return variational_posterior(*args, **options, tol=1e-10)

    function = OrdinalEvidence(kernel, X, data, tight)
    at = np.concatenate([kernel.theta, [np.log(0.6)], threshold_parameters(THRESHOLDS)])
    _, gradient = function(at)
    for p, unit in enumerate(1e-4 * np.eye(len(at))):
        ends = [function(at + k * unit)[0] for k in (-2, -1, 1, 2)]
        slope = (ends[0] - 8 * ends[1] + 8 * ends[2] - ends[3]) / 12e-4
        assert gradient[p] == pytest.approx(slope, rel=1e-5, abs=1e-6)


def test_the_classifier_learns_by_the_bound_and_keeps_eps_posterior():
    X, data = sample(40)
    by_bound = VariationalClassifier(inference="ep", share_prior=0).fit(X, data.ranks)
    by_ep = GPOrdinalClassifier(inference="ep", share_prior=0).fit(X, data.ranks)
    assert by_bound.log_evidence_ < by_ep.log_evidence_
    model = by_bound._model
    assert model.posterior.log_evidence > model.log_evidence  # EP's estimate exceeds the bound
