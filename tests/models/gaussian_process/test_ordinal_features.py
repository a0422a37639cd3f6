from __future__ import annotations

import numpy as np
import pytest
from sklearn.gaussian_process.kernels import RBF, DotProduct, Kernel

from autotype.models.gaussian_process.features import NystromFeatures
from autotype.models.gaussian_process.ordinal_features import (
    fit_lengths,
    fit_weight_space,
    has_lengths,
)
from autotype.models.gaussian_process.solvers.ordinal_latent import OrdinalObservations

INDUCING = np.linspace(0, 1, 60)[:, None]


def waves(n_rows: int = 400) -> tuple[np.ndarray, OrdinalObservations]:
    rng = np.random.default_rng(0)
    x = rng.random(n_rows)
    ranks = np.digitize(np.sin(25 * x) + 0.3 * rng.normal(size=n_rows), [-0.5, 0.5])
    return x[:, None], OrdinalObservations(ranks, 3, np.ones(n_rows))


def features_of(kernel: Kernel) -> NystromFeatures:
    return NystromFeatures(kernel, INDUCING)


@pytest.mark.parametrize("start", [0.4, 0.03])
def test_lengths_are_scaled_to_a_maximum_of_the_evidence(start: float) -> None:
    training = waves()
    kernel, *_ = fit_lengths(RBF(start, (1e-5, 1e5)), *training, features_of)
    powers = np.log2(kernel.length_scale / start) * 2
    assert powers == pytest.approx(round(powers), abs=1e-9)
    lengths = kernel.length_scale * np.array([0.5**0.5, 1.0, 2**0.5])
    evidence = [
        fit_weight_space(RBF(length), features_of(RBF(length)), *training).log_evidence
        for length in lengths
    ]
    assert np.argmax(evidence) == 1


def test_lengths_stay_within_their_bounds_and_none_is_tried_thrice() -> None:
    tried = []

    def noted(kernel: Kernel) -> NystromFeatures:
        tried.append(kernel.length_scale)
        return features_of(kernel)

    kernel, *_ = fit_lengths(RBF(0.4, (0.2, 9.0)), *waves(), noted)
    assert kernel.length_scale == pytest.approx(0.2)
    np.testing.assert_allclose(tried, [0.8, 0.4, 0.2, 0.2, 0.2 * 2**0.5])


@pytest.mark.parametrize(
    ("kernel", "expected"), [(RBF(2.0), True), (RBF(2.0, "fixed"), False), (DotProduct(1.0), False)]
)
def test_only_free_lengths_are_scaled(kernel: Kernel, expected: bool) -> None:
    assert has_lengths(kernel) == expected


def test_a_start_near_the_end_takes_fewer_steps_to_the_same_fit() -> None:
    X, data = waves()
    near = fit_lengths(RBF(0.1, (1e-5, 1e5)), X, data, features_of)
    more = NystromFeatures(near[0], np.linspace(0, 1, 90)[:, None])
    cold = fit_weight_space(near[0], more, X, data)
    warm = fit_weight_space(near[0], more, X, data, near)
    assert warm.n_iter < cold.n_iter
    assert warm.log_evidence == pytest.approx(cold.log_evidence, abs=0.02)
    np.testing.assert_allclose(warm.probabilities(X), cold.probabilities(X), atol=5e-3)


def test_noise_determines_no_weights_and_ends_the_search() -> None:
    X, data = waves()
    ranks = np.random.default_rng(1).integers(0, 3, len(X))
    noise = OrdinalObservations(ranks, 3, np.ones(len(X)))
    features = features_of(RBF(0.1))
    nothing, waving = (fit_weight_space(RBF(0.1), features, X, d).fit for d in (noise, data))
    assert nothing.converged
    assert nothing.n_iter < 30
    assert nothing.n_determined < 4 < waving.n_determined
