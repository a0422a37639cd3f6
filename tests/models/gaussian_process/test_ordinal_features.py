from __future__ import annotations

import numpy as np
import pytest
from sklearn.gaussian_process.kernels import RBF, DotProduct, Kernel

from autotype.models.gaussian_process.features import Features, NystromFeatures
from autotype.models.gaussian_process.ordinal_features import fit_lengths, fit_weight_space
from autotype.models.gaussian_process.solvers.ordinal_latent import OrdinalObservations

INDUCING = np.linspace(0, 1, 60)[:, None]


def waves(n_rows: int = 400) -> tuple[np.ndarray, OrdinalObservations]:
    rng = np.random.default_rng(0)
    x = rng.random(n_rows)
    ranks = np.digitize(np.sin(25 * x) + 0.3 * rng.normal(size=n_rows), [-0.5, 0.5])
    return x[:, None], OrdinalObservations(ranks, 3, np.ones(n_rows))


def features_of(kernel: Kernel) -> Features:
    return NystromFeatures(kernel, INDUCING)


@pytest.mark.parametrize("start", [0.4, 0.03])
def test_lengths_are_scaled_to_a_maximum_of_the_evidence(start: float) -> None:
    training = waves()
    kernel = fit_lengths(RBF(start, (1e-5, 1e5)), *training, features_of)
    powers = np.log2(kernel.length_scale / start) * 2
    assert powers == pytest.approx(round(powers), abs=1e-9)
    lengths = kernel.length_scale * np.array([0.5**0.5, 1.0, 2**0.5])
    evidence = [
        fit_weight_space(RBF(length), features_of(RBF(length)), *training).log_evidence
        for length in lengths
    ]
    assert np.argmax(evidence) == 1


def test_lengths_stay_within_their_bounds() -> None:
    kernel = fit_lengths(RBF(0.4, (0.2, 9.0)), *waves(), features_of)
    assert kernel.length_scale == pytest.approx(0.2)


@pytest.mark.parametrize("kernel", [RBF(2.0, "fixed"), DotProduct(1.0)], ids=repr)
def test_kernels_without_free_lengths_cost_nothing(kernel: Kernel) -> None:
    def unused(kernel: Kernel) -> Features:
        raise AssertionError

    assert fit_lengths(kernel, *waves(), unused) == kernel
