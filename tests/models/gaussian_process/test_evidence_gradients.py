"""Gradients of the evidence as the fit uses it: every inference, every kernel."""

import numpy as np
import pytest
from sklearn.gaussian_process.kernels import RBF, ConstantKernel, RationalQuadratic, WhiteKernel

from autotype.models.gaussian_process.kernels import KERNEL_NAMES, named_kernel
from autotype.models.gaussian_process.ordinal_exact import OrdinalEvidence
from autotype.models.gaussian_process.solvers.interval_likelihood import LOGIT, PROBIT
from autotype.models.gaussian_process.solvers.ordinal_ep import ep_posterior
from autotype.models.gaussian_process.solvers.ordinal_laplace import laplace_posterior
from autotype.models.gaussian_process.solvers.ordinal_latent import (
    OrdinalObservations,
    threshold_parameters,
)

COMPOSED = {
    "amplitude and noise": ConstantKernel(2.0) * RBF([1.0, 2.0, 3.0]) + WhiteKernel(0.1),
    "rational quadratic": RationalQuadratic(1.5, 2.0),
}


@pytest.mark.parametrize("name", [*KERNEL_NAMES, *COMPOSED])
@pytest.mark.parametrize("infer", [laplace_posterior, ep_posterior], ids=lambda f: f.__name__)
@pytest.mark.parametrize(
    ("link", "strength"),
    [(PROBIT, 0.0), (LOGIT, 0.0), (PROBIT, 3.0)],
    ids=["probit", "logit", "prior"],
)
def test_gradient_by_finite_differences(infer, name, link, strength):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(16, 3))
    ranks = np.digitize(X[:, 0] + 0.3 * rng.normal(size=16), [-0.5, 0.3])
    weight = np.array([1.0, 2.0, 0.4])[np.arange(16) % 3]
    kernel = COMPOSED.get(name) or named_kernel(name, X, weight)
    data = OrdinalObservations(ranks, 3, weight, link)

    def tight(*args, **options):
        return infer(*args, **options, tol=1e-22 if infer is laplace_posterior else 1e-10)

    function = OrdinalEvidence(kernel, X, data, tight, share_prior=strength)
    free = threshold_parameters(np.array([-0.6, 0.4]))
    at, h = np.concatenate([kernel.theta, [np.log(0.6)], free]), 1e-4
    _, gradient = function(at)
    for p, unit in enumerate(h * np.eye(len(at))):
        ends = [function(at + k * unit)[0] for k in (-2, -1, 1, 2)]
        slope = (ends[0] - 8 * ends[1] + 8 * ends[2] - ends[3]) / (12 * h)
        assert gradient[p] == pytest.approx(slope, rel=1e-5, abs=1e-6)
