"""The 2014 method: greedy against exhaustive search, kernel gradients, both criteria."""

from dataclasses import replace
from itertools import permutations

import numpy as np
import pytest

from autotype.inference.evidence.order_search import up_to_reversal
from autotype.models.gaussian_process.kernels import KernelMatrix
from autotype.models.gaussian_process.solvers.probit_ep import (
    MultinomialProbitSites,
    probit_latents,
)
from autotype.paper2014.search import (
    compare_models,
    features,
    fit_along,
    fit_classes,
    fit_threshold_ep,
    paper_kernel,
    search_by_swaps,
)

pytestmark = pytest.mark.slow


def scale(n_levels, n=60, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 2))
    ranks = np.argsort(np.argsort(X[:, 0] + 0.3 * rng.normal(size=n))) * n_levels // n
    hidden = rng.permutation(n_levels)
    return X, hidden[ranks], up_to_reversal(tuple(hidden))


def test_the_linear_kernel_is_the_papers():
    X, _, _ = scale(3, n=20)
    for name, bias in (("linear", 0.0), ("linear-bias", 1.0)):
        kernel = paper_kernel(name, 2).clone_with_theta([0.7])
        Z, residual_variance = features(kernel, X)
        np.testing.assert_allclose(Z @ Z.T, np.exp(0.7) * (bias + X @ X.T))
        np.testing.assert_allclose(kernel(X), Z @ Z.T)
        new, _ = features(kernel, X, X[:5] + 1.0)
        np.testing.assert_allclose(new @ Z.T, np.exp(0.7) * (bias + (X[:5] + 1.0) @ X.T))
        assert residual_variance == 0.0


def test_features_of_the_squared_exponential_are_its_kernel():
    X, _, _ = scale(3, n=20)
    kernel = paper_kernel("rbf", 2)
    Z, _ = features(kernel, X)
    np.testing.assert_allclose(Z @ Z.T, kernel(X), atol=1e-5)
    new, residual_variance = features(kernel, X, X[:5] + 1.0)
    np.testing.assert_allclose(new @ Z.T, kernel(X[:5] + 1.0, X), atol=5e-3)  # less directions
    np.testing.assert_allclose((new**2).sum(axis=1) + residual_variance, 10.0)


@pytest.mark.parametrize("n_levels", [3, 4])
def test_greedy_search_finds_what_exhaustive_search_does(n_levels):
    X, codes, true = scale(n_levels)
    kernel = paper_kernel("linear", 2)
    found = search_by_swaps(kernel, X, codes, n_levels)
    orders = {up_to_reversal(p) for p in permutations(range(n_levels))}
    best = max(
        (fit_along(kernel, X, codes, order) for order in orders), key=lambda f: f.log_evidence
    )
    assert found.order == best.order == true
    assert found.log_evidence == pytest.approx(best.log_evidence, abs=0.01)


def test_an_incumbent_without_signal_does_not_hold_a_swap_back():
    X, codes, true = scale(4)
    kernel = paper_kernel("rbf", 2)
    fresh = fit_along(kernel, X, codes, true)
    lost = replace(fresh, theta=np.array([-6.9, 2.0, 2.9]))
    again = fit_along(kernel, X, codes, true, start=lost)
    assert again.log_evidence == pytest.approx(fresh.log_evidence, abs=0.01)


def test_order_does_not_depend_on_the_first_permutation():
    X, codes, true = scale(4)
    kernel = paper_kernel("linear", 2)
    assert {search_by_swaps(kernel, X, codes, 4, random_state=s).order for s in range(3)} == {true}


@pytest.mark.parametrize("model", ["ordinal", "classes"])
def test_length_scale_gradient_agrees_with_differences(model):
    X, codes, _ = scale(3, n=20)
    kernel = paper_kernel("rbf", 2)

    def fit(theta):
        at_theta = kernel.clone_with_theta(theta)
        if model == "classes":
            rows = MultinomialProbitSites(codes, 3)
            return probit_latents(at_theta(X), rows, tol=1e-11, max_iter=2000)
        Z, _ = features(at_theta, X)
        return fit_threshold_ep(Z, codes, 3, 0.5, tol=1e-11, max_iter=2000)

    theta = np.array([1.0, 0.3])
    step = np.array([0.0, 1e-4])
    slope = (fit(theta + step).log_evidence - fit(theta - step).log_evidence) / 2e-4
    found, matrix = fit(theta), KernelMatrix(kernel, X)
    gradient = found.gradient if model == "classes" else found.given_sites.kernel_gradient()
    matrix.value(theta)
    assert matrix.contract(gradient)[1] == pytest.approx(slope, rel=1e-5)


def test_without_a_bias_the_classes_do_not_fit_the_levels_in_the_middle():
    X, codes, true = scale(5, n=150)
    kernels = {name: paper_kernel(name, 2) for name in ("linear", "linear-bias")}
    classes = {name: fit_classes(kernel, X, codes, 5) for name, kernel in kernels.items()}
    never = set(range(5)) - set(classes["linear"].probabilities(X).argmax(axis=1))
    assert never & set(true[1:-1])
    assert classes["linear-bias"].log_evidence > classes["linear"].log_evidence + 20
    # The thresholds of the ordinal model are its biases.
    ordinal = [fit_along(kernel, X, codes, true).log_evidence for kernel in kernels.values()]
    assert ordinal[0] == pytest.approx(ordinal[1], abs=2.0)


@pytest.mark.parametrize("kernel", ["linear", "linear-bias", "rbf"])
def test_evidence_judges_ordinal_data_ordinal(kernel):
    X, codes, true = scale(4, n=150)
    order, figures = compare_models(X, codes, 4, kernel=kernel)
    assert order == true
    assert figures["log_evidence_ordinal"] > figures["log_evidence_multiclass"]


def test_held_out_rows_judge_ordinal_data_ordinal_on_average():
    gains = []
    for seed in range(4):
        X, codes, _ = scale(4, n=150, seed=seed)
        _, figures = compare_models(X, codes, 4)
        gains.append(figures["tll_ordinal"] - figures["tll_multiclass"])
    assert np.mean(gains) > 0.0  # one split of 50 rows is too noisy


def test_workers_change_nothing():
    X, codes, _ = scale(4)
    kernel = paper_kernel("linear", 2)
    alone, together = (search_by_swaps(kernel, X, codes, 4, n_jobs=jobs) for jobs in (1, 2))
    assert alone.order == together.order
    assert alone.log_evidence == together.log_evidence


def test_an_unknown_kernel_is_named():
    X, codes, _ = scale(3)
    with pytest.raises(ValueError, match="'linear', 'linear-bias', 'rbf', got 'cubic'"):
        compare_models(X, codes, 3, kernel="cubic")
