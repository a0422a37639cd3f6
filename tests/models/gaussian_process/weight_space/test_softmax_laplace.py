from __future__ import annotations

import numpy as np
import pytest

from autotype.models.gaussian_process.weight_space import softmax_laplace
from autotype.models.gaussian_process.weight_space.laplace import (
    MAX_WEIGHT_VARIANCE,
    latent_covariances,
)
from autotype.models.gaussian_process.weight_space.left_out import leave_one_out_latents
from autotype.models.gaussian_process.weight_space.softmax_laplace import (
    SoftmaxPosterior,
    SoftmaxProblem,
    contrasts_of,
    fit_softmax,
    leave_one_out_softmax,
)
from tests.reference.weight_space import gradient as slow_gradient
from tests.reference.weight_space import hessian as slow_hessian
from tests.reference.weight_space import softmax_leave_one_out, softmax_mode, softmax_objective

TIGHT = 1e-20  # nats: the Newton decrement at rounding


def draw(n: int, d: int, n_levels: int, *, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Rows of classes whose latent functions are linear in X; every class occurs."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    latent = X @ rng.normal(size=(d, n_levels)) + rng.gumbel(size=(n, n_levels))
    codes = latent.argmax(axis=1)
    codes[:n_levels] = np.arange(n_levels)
    return X, codes


def held(problem: SoftmaxProblem, s2: float = 0.7) -> SoftmaxPosterior:
    return fit_softmax(problem, weight_variance=s2, learn=False, tol=TIGHT)


CASES = [(40, 2, 3), (60, 3, 5), (25, 1, 2), (12, 10, 3)]


@pytest.mark.parametrize(("n", "d", "n_levels"), CASES)
def test_same_optimum_and_evidence_as_the_reference(n: int, d: int, n_levels: int) -> None:
    X, codes = draw(n, d, n_levels, seed=n)
    fit = held(SoftmaxProblem(X, codes, n_levels))
    slow = softmax_mode(X, codes, n_levels, s2=0.7)
    assert fit.converged
    np.testing.assert_allclose(fit.coef.ravel(), slow.theta, atol=1e-8)
    assert fit.log_evidence == pytest.approx(slow.log_evidence, abs=1e-7)
    np.testing.assert_allclose(fit.covariance @ slow.hessian, np.eye(fit.coef.size), atol=1e-6)


@pytest.mark.parametrize(("n", "d", "n_levels"), CASES)
def test_derivatives_by_finite_differences(n: int, d: int, n_levels: int) -> None:
    X, codes = draw(n, d, n_levels, seed=n)
    problem = SoftmaxProblem(X, codes, n_levels)
    position = np.random.default_rng(1).normal(size=(n_levels - 1) * (d + 1))
    of_classes = softmax_objective(X, codes, n_levels, 0.7)

    def objective(theta: np.ndarray) -> complex:
        return of_classes((problem.contrasts @ theta.reshape(n_levels - 1, -1)).ravel())

    state = problem.state(position, (0.7,))
    gradient, hessian = problem.gradient(state, (0.7,)), problem.hessian(state, (0.7,))
    assert state.objective == pytest.approx(float(np.real(objective(position))), rel=1e-10)
    np.testing.assert_allclose(gradient, slow_gradient(objective, position), rtol=1e-5, atol=1e-9)
    np.testing.assert_allclose(
        np.tril(hessian), np.tril(slow_hessian(objective, position)), rtol=1e-5, atol=1e-6
    )


def test_hessian_of_many_rows_is_the_sum_of_its_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    X, codes = draw(60, 3, 4)
    problem, in_parts = SoftmaxProblem(X, codes, 4), SoftmaxProblem(X, codes, 4)
    start, scales = problem.start((0.7,), learn=False)
    state = problem.state(start, scales)
    whole = problem.hessian(state, scales)
    monkeypatch.setattr(softmax_laplace, "_MAX_PRODUCTS", 10 * 7)
    np.testing.assert_allclose(np.tril(in_parts.hessian(state, scales)), np.tril(whole), rtol=1e-12)


def test_latent_spread_is_the_quadratic_form_of_each_row() -> None:
    X, codes = draw(30, 3, 4)
    problem = SoftmaxProblem(X, codes, 4)
    covariance = held(problem).contrast_covariance
    spread = problem.latent_spread(covariance)
    for x, found in zip(problem.X, spread.T, strict=True):
        across = np.kron(contrasts_of(4), x)
        slow = across @ covariance @ across.T
        np.testing.assert_allclose(found, slow[np.tril_indices(4)], atol=1e-12)


def test_contrasts_are_orthonormal_and_sum_to_zero() -> None:
    contrasts = contrasts_of(5)
    np.testing.assert_allclose(contrasts.T @ contrasts, np.eye(4), atol=1e-12)
    np.testing.assert_allclose(contrasts.sum(axis=0), 0.0, atol=1e-12)


@pytest.mark.parametrize(("n", "d", "n_levels"), [(30, 2, 3), (40, 2, 4)])
def test_leave_one_out_against_refits(n: int, d: int, n_levels: int) -> None:
    X, codes = draw(n, d, n_levels, seed=n)
    problem = SoftmaxProblem(X, codes, n_levels)
    fast = leave_one_out_softmax(problem, held(problem))
    plug_in, averaged = softmax_leave_one_out(X, codes, n_levels, s2=0.7)
    # One Newton step from the full fit: second order in the influence of a row.
    np.testing.assert_allclose(fast[0], plug_in, atol=0.25)
    np.testing.assert_allclose(fast[1], averaged, atol=0.1)
    assert fast[0].mean() == pytest.approx(plug_in.mean(), abs=0.02)
    assert fast[1].mean() == pytest.approx(averaged.mean(), abs=0.01)


def test_leave_one_out_nears_the_refits_as_rows_grow() -> None:
    errors = []
    for n in (20, 80):
        X, codes = draw(n, 1, 3, seed=3)
        problem = SoftmaxProblem(X, codes, 3)
        fast = leave_one_out_softmax(problem, held(problem))
        plug_in, _ = softmax_leave_one_out(X, codes, 3, s2=0.7)
        errors.append(np.abs(fast[0] - plug_in).mean())
    assert errors[1] < errors[0] / 4  # second order: a sixteenth, less the luck of the draw


def test_leave_one_out_of_contrasts_is_that_of_all_latents() -> None:
    X, codes = draw(50, 2, 4)
    problem = SoftmaxProblem(X, codes, 4)
    fit = held(problem)
    latent = problem.X @ fit.coef.T
    spread = latent_covariances(problem.X, fit.covariance, 4)
    mean, _ = leave_one_out_latents(latent, spread, codes)
    log_prob = mean - np.log(np.exp(mean).sum(axis=1, keepdims=True))
    fast = leave_one_out_softmax(problem, fit)
    np.testing.assert_allclose(fast[0], log_prob[np.arange(50), codes], atol=1e-8)


@pytest.mark.parametrize("seed", range(4))
def test_learned_variance_is_a_fixed_point(seed: int) -> None:
    X, codes = draw(200, 3, 4, seed=seed)
    fit = fit_softmax(SoftmaxProblem(X, codes, 4), tol=TIGHT)
    slow = softmax_mode(X, codes, 4, s2=fit.weight_variance)
    np.testing.assert_allclose(fit.coef.ravel(), slow.theta, atol=1e-8)
    variance = np.diag(np.linalg.inv(slow.hessian)).reshape(4, 4)[:, 1:]
    weights = slow.theta.reshape(4, 4)[:, 1:]
    n_well_determined = weights.size - variance.sum() / fit.weight_variance
    assert np.sum(weights**2) / n_well_determined == pytest.approx(fit.weight_variance, rel=5e-3)


@pytest.mark.parametrize("seed", range(4))
def test_extrapolated_updates_end_where_all_updates_do(seed: int) -> None:
    X, codes = draw(200, 3, 4, seed=seed)
    problem = SoftmaxProblem(X, codes, 4)
    fit = fit_softmax(problem)
    variance = 0.1
    for _ in range(100):  # the update alone, each from the mode
        at_mode = held(problem, variance)
        weights, spread = at_mode.coef[:, 1:], np.diag(at_mode.covariance).reshape(4, 4)[:, 1:]
        variance = np.sum(weights**2) / (weights.size - spread.sum() / variance)
    assert fit.weight_variance == pytest.approx(variance, rel=3e-3)
    assert fit.n_iter <= 10


@pytest.mark.parametrize("seed", range(3))
def test_learned_variance_comes_near_the_best_evidence(seed: int) -> None:
    X, codes = draw(150, 3, 4, seed=seed)
    problem = SoftmaxProblem(X, codes, 4)
    learned = fit_softmax(problem)
    factors = (0.03, 0.1, 0.3, 0.7, 1.4, 3.0, 10.0)
    grid = [held(problem, learned.weight_variance * factor).log_evidence for factor in factors]
    assert learned.log_evidence > max(grid) - 0.5


def test_relabelled_classes_permute_the_fit() -> None:
    X, codes = draw(80, 3, 4)
    relabel = np.array([2, 0, 3, 1])
    problem, other = SoftmaxProblem(X, codes, 4), SoftmaxProblem(X, relabel[codes], 4)
    here, there = fit_softmax(problem), fit_softmax(other)
    np.testing.assert_allclose(there.coef[relabel], here.coef, atol=1e-7)
    assert there.log_evidence == pytest.approx(here.log_evidence, abs=1e-7)
    loo, relabelled = leave_one_out_softmax(problem, here), leave_one_out_softmax(other, there)
    np.testing.assert_allclose(max(relabelled, key=np.mean), max(loo, key=np.mean), atol=1e-7)


def test_row_order_changes_nothing() -> None:
    X, codes = draw(80, 3, 4)
    shuffled = np.random.default_rng(5).permutation(80)
    here, there = (
        fit_softmax(SoftmaxProblem(x, y, 4))
        for x, y in [(X, codes), (X[shuffled], codes[shuffled])]
    )
    np.testing.assert_allclose(there.coef, here.coef, atol=1e-7)
    assert there.log_evidence == pytest.approx(here.log_evidence, abs=1e-8)


def test_column_order_permutes_the_weights() -> None:
    X, codes = draw(80, 4, 3)
    here, there = (fit_softmax(SoftmaxProblem(x, codes, 3)) for x in (X, X[:, [2, 0, 3, 1]]))
    np.testing.assert_allclose(there.coef[:, 1:], here.coef[:, [3, 1, 4, 2]], atol=1e-7)


def test_latent_functions_sum_to_zero() -> None:
    # Adding a function to all classes changes no probability: the prior puts their sum at 0.
    X, codes = draw(80, 3, 4)
    np.testing.assert_allclose(
        fit_softmax(SoftmaxProblem(X, codes, 4)).coef.sum(axis=0), 0.0, atol=1e-8
    )


def test_two_classes_are_logistic_regression() -> None:
    X, codes = draw(100, 3, 2)
    problem = SoftmaxProblem(X, codes, 2)
    fit = held(problem)
    # w_1 - w_0 has twice the prior variance; at the mode the two are opposite.
    np.testing.assert_allclose(fit.coef[0], -fit.coef[1], atol=1e-9)
    difference = fit.coef[1] - fit.coef[0]
    probability = 1 / (1 + np.exp(-(problem.X @ difference)))
    slope = problem.X.T @ (probability - codes) + difference / (2 * np.array([25.0, *[0.7] * 3]))
    np.testing.assert_allclose(slope, 0.0, atol=1e-8)


@pytest.mark.parametrize("scale", [1.0, 1e4])
def test_separable_data_stay_finite(scale: float) -> None:
    x = scale * np.linspace(-1, 1, 90)[:, None]
    problem = SoftmaxProblem(x, np.repeat([0, 1, 2], 30), 3)
    fit = fit_softmax(problem)
    assert fit.converged
    assert fit.weight_variance <= MAX_WEIGHT_VARIANCE
    assert np.all(np.isfinite(fit.coef))
    assert np.isfinite(fit.log_evidence)
    assert np.all(np.isfinite(max(leave_one_out_softmax(problem, fit), key=np.mean)))


@pytest.mark.parametrize("scale", [1e-12, 1e-6, 1e3, 1e6, 1e8])
def test_extreme_scales_stay_finite(scale: float) -> None:
    X, codes = draw(60, 2, 4)
    problem = SoftmaxProblem(scale * X, codes, 4)
    fit = fit_softmax(problem)
    assert fit.converged
    assert np.all(np.isfinite(fit.coef))
    assert np.all(np.isfinite(leave_one_out_softmax(problem, fit)[1]))


def test_constant_column_gets_no_more_than_the_bias_gives() -> None:
    X, codes = draw(80, 2, 3)
    with_zeros = held(SoftmaxProblem(np.column_stack([X, np.zeros(80)]), codes, 3))
    without = held(SoftmaxProblem(X, codes, 3))
    np.testing.assert_allclose(with_zeros.coef[:, :3], without.coef, atol=1e-9)
    assert with_zeros.log_evidence == pytest.approx(without.log_evidence, abs=1e-9)


@pytest.mark.parametrize(
    ("n", "d", "n_levels"), [(3, 3, 3), (3, 0, 3), (4, 2, 3), (30, 60, 3), (40, 2, 20)]
)
def test_few_rows_many_columns_many_classes(n: int, d: int, n_levels: int) -> None:
    X = np.random.default_rng(n).normal(size=(n, d))
    problem = SoftmaxProblem(X, np.arange(n) % n_levels, n_levels)
    fit = fit_softmax(problem)
    assert fit.converged
    assert np.isfinite(fit.log_evidence)
    assert np.all(max(leave_one_out_softmax(problem, fit), key=np.mean) < 0)


def test_shares_alone_where_there_is_no_column() -> None:
    codes = np.repeat([0, 1, 2], [50, 30, 20])
    problem = SoftmaxProblem(np.empty((100, 0)), codes, 3)
    fit = fit_softmax(problem)
    probability = problem.state(problem.position(fit.coef), (1.0,)).terms[0][:, 0]
    np.testing.assert_allclose(probability, [0.5, 0.3, 0.2], atol=2e-3)


def test_too_few_steps_are_reported() -> None:
    X, codes = draw(60, 2, 4)
    fit = fit_softmax(SoftmaxProblem(X, codes, 4), max_iter=2)
    assert not fit.converged
    assert fit.n_iter == 2


@pytest.mark.parametrize("n_levels", [2, 4])
def test_start_is_newtons_step_from_weights_zero(n_levels: int) -> None:
    X, codes = draw(60, 3, n_levels)
    weight = np.random.default_rng(1).uniform(0.5, 2.0, 60)
    problem = SoftmaxProblem(X - weight @ X / weight.sum(), codes, n_levels, weight)
    shares = np.zeros((n_levels, 4))
    shares[:, 0] = np.log(problem.indicator.sum(axis=0))
    at_zero = problem.state(problem.position(shares), (0.7,))
    gradient, hessian = problem.gradient(at_zero, (0.7,)), problem.hessian(at_zero, (0.7,))
    full = np.tril(hessian) + np.tril(hessian, -1).T
    of_weights = np.tile([False, True, True, True], n_levels - 1)
    step = -np.linalg.solve(full[np.ix_(of_weights, of_weights)], gradient[of_weights])
    start, scales = problem.start((0.7,), learn=False)
    assert scales == (0.7,)
    np.testing.assert_allclose(start[of_weights], step, rtol=1e-9)


def test_start_learns_the_variance_of_its_quadratic() -> None:
    X, codes = draw(200, 3, 4)
    problem = SoftmaxProblem(X - X.mean(axis=0), codes, 4)
    start, (s2,) = problem.start((0.1,), learn=True)
    again, (same,) = problem.start((s2,), learn=True)
    assert same == pytest.approx(s2, rel=1e-6)
    np.testing.assert_allclose(again, start, rtol=1e-5)
    assert problem.state(start, (s2,)).objective < problem.state(0.0 * start, (s2,)).objective


@pytest.mark.parametrize("seed", range(3))
def test_single_precision_on_the_way_ends_at_the_same_fit(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    X, codes = draw(300, 3, 9, seed=seed)
    found = fit_softmax(SoftmaxProblem(X, codes, 9))
    monkeypatch.setattr(softmax_laplace, "_MANY_LEVELS", 99)
    in_double = fit_softmax(SoftmaxProblem(X, codes, 9))
    assert found.weight_variance == pytest.approx(in_double.weight_variance, rel=1e-3)
    assert found.log_evidence == pytest.approx(in_double.log_evidence, abs=1e-3)
    assert found.contrast_covariance.dtype == np.float64
    at_same_variance = held(SoftmaxProblem(X, codes, 9), found.weight_variance)
    np.testing.assert_allclose(found.coef, at_same_variance.coef, atol=1e-4)
    np.testing.assert_allclose(found.covariance, at_same_variance.covariance, atol=1e-4)


def test_rough_hessian_is_in_single_precision_while_the_prior_bounds_its_inverse() -> None:
    X, codes = draw(300, 3, 9)
    problem = SoftmaxProblem(X, codes, 9)
    start, _ = problem.start((0.1,), learn=False)
    for s2, dtype in [(0.1, np.float32), (1e4, np.float64)]:
        state = problem.state(start, (s2,))
        rough = problem.hessian(state, (s2,), rough=True)
        hessian = problem.hessian(state, (s2,))
        assert (rough.dtype, hessian.dtype) == (dtype, np.float64)
        np.testing.assert_allclose(np.tril(rough), np.tril(hessian), rtol=1e-4, atol=1e-3)


def test_hessian_that_single_precision_cannot_factor_is_factored_in_double(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    X, codes = draw(300, 2, 9)
    X = np.column_stack([X, X @ [1.0, 1.0]]) * 1e3  # the prior alone bounds one direction
    monkeypatch.setattr(softmax_laplace, "_MAX_CONDITION", np.inf)
    fit = fit_softmax(SoftmaxProblem(X, codes, 9))
    monkeypatch.setattr(softmax_laplace, "_MANY_LEVELS", 99)
    assert fit.converged
    in_double = fit_softmax(SoftmaxProblem(X, codes, 9))
    assert fit.log_evidence == pytest.approx(in_double.log_evidence, abs=0.1)
