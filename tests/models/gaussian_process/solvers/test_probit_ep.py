"""EP for the multinomial probit: dense reference, sampling, weights, leave-one-out."""

import numpy as np
import pytest

from autotype.models.gaussian_process.solvers.probit_ep import (
    MultinomialProbitSites,
    probit_latents,
    probit_probabilities,
)
from tests.reference import half_spaces as reference

CODES = np.array([0, 1, 2, 1, 2, 0, 0, 1])


@pytest.fixture(scope="module", name="Z")
def features():
    return 1.5 * np.random.default_rng(0).normal(size=(8, 3))


def fit(K, codes=CODES, weight=None, **options):
    return probit_latents(
        K, MultinomialProbitSites(codes, 3, weight), tol=1e-11, max_iter=2000, **options
    )


def test_agrees_with_site_after_site(Z):
    K = Z @ Z.T
    found = fit(K)
    mean, covariance, log_evidence = reference.expectation_propagation(
        np.zeros(24),
        reference.class_covariance(K, 3),
        reference.class_directions(CODES, 3),
        sweeps=150,
    )
    assert found.converged
    assert found.log_evidence == pytest.approx(log_evidence, abs=1e-10)
    # g = f + e: the reference's moments of g, mapped to f.
    to_f = np.kron(K @ np.linalg.inv(K + np.eye(8)), np.eye(3))
    np.testing.assert_allclose(found.mean.ravel(), to_f @ mean, atol=1e-6)
    left = np.kron(K - K @ np.linalg.solve(K + np.eye(8), K), np.eye(3))
    blocks = (to_f @ covariance @ to_f.T + left).reshape(8, 3, 8, 3)
    np.testing.assert_allclose(found.spread, blocks[np.arange(8), :, np.arange(8)], atol=1e-6)


def test_evidence_agrees_with_sampling_from_the_prior():
    few, codes = np.exp(0.5) * np.random.default_rng(0).normal(size=(5, 2)), CODES[:5]
    rng = np.random.default_rng(1)
    f = rng.normal(size=(200_000, 3, 2)) @ few.T
    f += rng.normal(size=f.shape)
    hit = np.all(f.argmax(axis=1) == codes, axis=1)
    found = fit(few @ few.T, codes=codes)
    assert found.log_evidence == pytest.approx(np.log(hit.mean()), abs=0.08)


def test_probabilities_agree_with_sampling(Z):
    rng, new = np.random.default_rng(3), np.random.default_rng(1).normal(size=(1, 3))
    found, cross, variance = fit(Z @ Z.T), new @ Z.T, np.sum(new**2, axis=1)
    mean, covariance = found.predict(cross, variance)
    f = rng.multivariate_normal(mean[0], covariance[0], size=100_000)
    f += rng.normal(size=f.shape)
    share = np.bincount(f.argmax(axis=1), minlength=3) / len(f)
    probability = probit_probabilities(*found.predict(cross, variance))[0]
    np.testing.assert_allclose(probability, share, atol=4e-3)


@pytest.mark.parametrize("weight", [None, 1.0 + np.arange(8) % 2, np.full(8, 1.5)])
def test_gradient_by_finite_differences(Z, weight):
    square = ((Z[:, None] - Z) ** 2).sum(axis=-1)

    def at(theta):
        return np.exp(theta[0] - 0.5 * np.exp(theta[1]) * square)

    theta, h = np.array([1.0, -1.0]), 1e-4
    found = fit(at(theta), weight=weight)
    by_length = at(theta) * (-0.5 * np.exp(theta[1]) * square)
    slopes = [np.sum(found.gradient * at(theta)), np.sum(found.gradient * by_length)]
    for p, step in enumerate(h * np.eye(2)):
        ends = [fit(at(theta + s * step), weight=weight).log_evidence for s in (1, -1)]
        assert slopes[p] == pytest.approx((ends[0] - ends[1]) / (2 * h), rel=1e-5)


def test_a_row_of_weight_two_is_two_rows(Z):
    weight = 1.0 + np.arange(8) % 2
    rows = np.repeat(np.arange(8), weight.astype(int))
    K = Z @ Z.T
    weighted, repeated = fit(K, weight=weight), fit(K[np.ix_(rows, rows)], codes=CODES[rows])
    assert weighted.log_evidence == pytest.approx(repeated.log_evidence, abs=1e-7)
    np.testing.assert_allclose(weighted.mean[rows], repeated.mean, atol=1e-6)


def test_light_rows_lie_between_absent_and_present(Z):
    K, rest = Z @ Z.T, np.arange(7)
    absent, present = fit(K[:7, :7], codes=CODES[rest]), fit(K)
    at = [fit(K, weight=np.array([1.0] * 7 + [w])).log_evidence for w in (1e-6, 0.3, 0.999)]
    assert at[0] == pytest.approx(absent.log_evidence, abs=1e-3)
    assert at[0] > at[1] > at[2]
    assert at[2] == pytest.approx(present.log_evidence, abs=0.01)


def test_leave_one_out_is_nearly_leaving_one_out(Z):
    K = Z @ Z.T
    found = MultinomialProbitSites(CODES, 3).leave_one_out(fit(K))
    for i in range(8):
        rest = np.delete(np.arange(8), i)
        without = fit(K[np.ix_(rest, rest)], codes=CODES[rest])
        exact = probit_probabilities(*without.predict(K[[i]][:, rest], K[[i], [i]]))[0, CODES[i]]
        assert found[i] == pytest.approx(np.log(exact), abs=0.1)


def test_relabelling_permutes(Z):
    order = np.array([2, 0, 1])
    one, other = fit(Z @ Z.T), fit(Z @ Z.T, codes=order[CODES])
    assert other.log_evidence == pytest.approx(one.log_evidence, abs=1e-8)
    np.testing.assert_allclose(other.mean[:, order], one.mean, atol=1e-7)


@pytest.mark.parametrize("amplitude", [1e-8, 1e6])
def test_extremes_stay_finite(Z, amplitude):
    found = fit(amplitude * Z @ Z.T)
    assert np.isfinite(found.log_evidence)
    assert np.isfinite(found.gradient).all()


def test_reports_when_it_has_not_converged(Z):
    found = probit_latents(100.0 * Z @ Z.T, MultinomialProbitSites(CODES, 3), max_iter=2)
    assert not found.converged
    assert found.n_iter == 2
