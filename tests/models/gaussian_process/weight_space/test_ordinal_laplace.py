from __future__ import annotations

import numpy as np
import pytest
from scipy.special import ndtr

from autotype.models.gaussian_process.solvers.interval_likelihood import LOGIT, PROBIT, Link
from autotype.models.gaussian_process.weight_space.laplace import MAX_WEIGHT_VARIANCE
from autotype.models.gaussian_process.weight_space.ordinal_laplace import (
    MAX_THRESHOLD_SCALE,
    OrdinalPosterior,
    OrdinalProblem,
    fit_ordinal,
    leave_one_out_ordinal,
)
from tests.reference.weight_space import gradient as slow_gradient
from tests.reference.weight_space import hessian as slow_hessian
from tests.reference.weight_space import (
    logistic,
    ordinal_leave_one_out,
    ordinal_mode,
    ordinal_objective,
    threshold_grid,
)

DISTRIBUTIONS = {PROBIT: ndtr, LOGIT: logistic}
both_links = pytest.mark.parametrize("link", DISTRIBUTIONS, ids=["probit", "logit"])
TIGHT = 1e-20  # nats: the Newton decrement at rounding


def draw(
    n: int, d: int, n_levels: int, *, seed: int = 0, noise: float = 0.7
) -> tuple[np.ndarray, np.ndarray]:
    """Rows whose latent value is linear in X, cut into ranks of about equal size."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    latent = X @ rng.normal(size=d) + noise * rng.normal(size=n)
    cuts = np.quantile(latent, np.arange(1, n_levels) / n_levels)
    return X, np.digitize(latent, cuts)


def stack(fit: OrdinalPosterior) -> np.ndarray:
    return np.concatenate([fit.coef, fit.thresholds])


def held(problem: OrdinalProblem, s2: float = 0.7, c: float = 0.4) -> OrdinalPosterior:
    return fit_ordinal(problem, weight_variance=s2, threshold_scale=c, learn=False, tol=TIGHT)


CASES = [(40, 2, 3), (60, 4, 5), (25, 1, 2), (50, 3, 7), (12, 15, 3)]


@both_links
@pytest.mark.parametrize(("n", "d", "n_levels"), CASES)
def test_same_optimum_and_evidence_as_the_reference(
    n: int, d: int, n_levels: int, link: Link
) -> None:
    X, ranks = draw(n, d, n_levels, seed=n)
    fit = held(OrdinalProblem(X, ranks, n_levels, link=link))
    distribution = DISTRIBUTIONS[link]
    slow = ordinal_mode(X, ranks, n_levels, s2=0.7, c=0.4, distribution=distribution)
    assert fit.converged
    np.testing.assert_allclose(stack(fit), slow.theta, atol=1e-8)
    assert fit.log_evidence == pytest.approx(slow.log_evidence, abs=1e-7)
    np.testing.assert_allclose(fit.covariance @ slow.hessian, np.eye(d + n_levels - 1), atol=1e-6)


@both_links
@pytest.mark.parametrize(("n", "d", "n_levels"), CASES)
def test_derivatives_by_finite_differences(n: int, d: int, n_levels: int, link: Link) -> None:
    X, ranks = draw(n, d, n_levels, seed=n)
    problem = OrdinalProblem(X, ranks, n_levels, link=link)
    rng = np.random.default_rng(1)
    thresholds = np.sort(rng.normal(size=n_levels - 1)) + 0.3 * np.arange(n_levels - 1)
    theta = np.concatenate([0.5 * rng.normal(size=d), thresholds])
    objective = ordinal_objective(X, ranks, n_levels, 0.7, 0.4, DISTRIBUTIONS[link])
    state = problem.state(theta, (0.7, 0.4))
    gradient, hessian = problem.gradient(state, (0.7, 0.4)), problem.hessian(state, (0.7, 0.4))
    assert state.objective == pytest.approx(float(np.real(objective(theta))), rel=1e-10)
    np.testing.assert_allclose(
        gradient,
        slow_gradient(objective, theta),
        rtol=1e-5,
        atol=1e-9,
    )
    slow = np.tril(slow_hessian(objective, theta))
    np.testing.assert_allclose(np.tril(hessian), slow, rtol=1e-5, atol=1e-6)


def test_rough_hessian_is_in_single_precision_while_the_prior_bounds_its_inverse() -> None:
    X, ranks = draw(300, 120, 4, seed=0)
    problem = OrdinalProblem(X / 10, ranks, 4)
    for s2, dtype in [(0.1, np.float32), (1e4, np.float64)]:
        start, scales = problem.start((s2, 1.0), learn=False)
        state = problem.state(start, scales)
        rough = problem.hessian(state, scales, rough=True)
        hessian = problem.hessian(state, scales)
        assert (rough.dtype, hessian.dtype) == (dtype, np.float64)
        np.testing.assert_allclose(np.tril(rough), np.tril(hessian), rtol=1e-4, atol=1e-4)


def test_the_last_steps_in_single_precision_reach_the_mode() -> None:
    X, ranks = draw(400, 120, 4, seed=0)
    problem = OrdinalProblem(X / 10, ranks, 4)
    fit = fit_ordinal(problem, tol=TIGHT)
    position, scales = (
        np.append(fit.coef, fit.thresholds),
        (fit.weight_variance, fit.threshold_scale),
    )
    state = problem.state(position, scales)
    gradient, hessian = problem.gradient(state, scales), problem.hessian(state, scales)
    assert fit.converged
    assert fit.covariance.dtype == np.float64
    assert 0.5 * gradient @ fit.covariance @ gradient < TIGHT
    full = np.tril(hessian) + np.tril(hessian, -1).T
    np.testing.assert_allclose(full @ fit.covariance, np.eye(len(full)), atol=1e-8)


def test_threshold_prior_is_centred_on_the_grid() -> None:
    # Without rows the thresholds rest at their prior means.
    problem = OrdinalProblem(np.zeros((0, 1)), np.zeros(0, dtype=int), 5)
    fit = held(problem, c=0.3)
    np.testing.assert_allclose(fit.thresholds, 0.3 * threshold_grid(5), atol=1e-10)
    np.testing.assert_allclose(np.diag(fit.covariance), [0.7, *[0.09] * 4])
    assert fit.log_evidence == pytest.approx(0.0, abs=1e-10)


@both_links
@pytest.mark.parametrize(("n", "d", "n_levels"), [(30, 2, 3), (32, 3, 4)])
def test_leave_one_out_against_refits(n: int, d: int, n_levels: int, link: Link) -> None:
    X, ranks = draw(n, d, n_levels, seed=n)
    problem = OrdinalProblem(X, ranks, n_levels, link=link)
    fast = leave_one_out_ordinal(problem, held(problem))
    plug_in, averaged = ordinal_leave_one_out(
        X, ranks, n_levels, s2=0.7, c=0.4, distribution=DISTRIBUTIONS[link]
    )
    # One Newton step from the full fit: second order in the influence of a row, about 1 / n.
    np.testing.assert_allclose(fast[0], plug_in, atol=0.05)
    np.testing.assert_allclose(fast[1], averaged, atol=0.02)
    assert fast[0].mean() == pytest.approx(plug_in.mean(), abs=0.005)
    tolerance = 0.003 if link.logistic else 0.002
    assert fast[1].mean() == pytest.approx(averaged.mean(), abs=tolerance)


def test_leave_one_out_is_below_the_fit_and_the_better_way_is_best() -> None:
    X, ranks = draw(60, 4, 4, seed=9)
    problem = OrdinalProblem(X, ranks, 4)
    fit = fit_ordinal(problem)
    loo = leave_one_out_ordinal(problem, fit)
    _, in_sample = problem.loss(stack(fit))
    assert loo[0].mean() < in_sample[0].mean()
    assert np.all(loo[0] <= in_sample[0] + 1e-9)
    assert max(loo, key=np.mean).mean() == max(loo[0].mean(), loo[1].mean())


@pytest.mark.parametrize("seed", range(4))
def test_learned_hyperparameters_are_a_fixed_point(seed: int) -> None:
    X, ranks = draw(200, 3, 4, seed=seed)
    problem = OrdinalProblem(X, ranks, 4)
    fit = fit_ordinal(problem, tol=TIGHT)
    slow = ordinal_mode(X, ranks, 4, s2=fit.weight_variance, c=fit.threshold_scale)
    np.testing.assert_allclose(stack(fit), slow.theta, atol=1e-8)
    variance = np.diag(np.linalg.inv(slow.hessian))
    weights, thresholds, grid = slow.theta[:3], slow.theta[3:], threshold_grid(4)
    n_well_determined = 3 - variance[:3].sum() / fit.weight_variance
    assert weights @ weights / n_well_determined == pytest.approx(fit.weight_variance, rel=5e-3)
    # EM for c: the expected log prior is stationary in c.
    deviation = np.sum((thresholds - fit.threshold_scale * grid) ** 2 + variance[3:])
    by_scale = -3.0 / fit.threshold_scale + deviation / fit.threshold_scale**3
    by_mean = grid @ (thresholds - fit.threshold_scale * grid) / fit.threshold_scale**2
    curvature = np.sum(thresholds**2 + variance[3:]) / fit.threshold_scale**4
    assert abs(by_scale + by_mean) < 5e-3 * fit.threshold_scale * curvature


@pytest.mark.parametrize("seed", range(3))
def test_learned_hyperparameters_come_near_the_best_evidence(seed: int) -> None:
    X, ranks = draw(150, 3, 4, seed=seed)
    problem = OrdinalProblem(X, ranks, 4)
    learned = fit_ordinal(problem)
    grid = [
        held(problem, learned.weight_variance * s, learned.threshold_scale * c).log_evidence
        for s in (0.1, 0.3, 0.7, 1.4, 3.0, 10.0)
        for c in (0.3, 0.7, 1.0, 1.4, 3.0)
    ]
    assert learned.log_evidence > max(grid) - 0.5


def test_row_order_changes_nothing() -> None:
    X, ranks = draw(80, 3, 4)
    shuffled = np.random.default_rng(5).permutation(80)
    problem, other = OrdinalProblem(X, ranks, 4), OrdinalProblem(X[shuffled], ranks[shuffled], 4)
    here, there = fit_ordinal(problem), fit_ordinal(other)
    np.testing.assert_allclose(stack(there), stack(here), atol=1e-7)
    assert there.log_evidence == pytest.approx(here.log_evidence, abs=1e-8)
    np.testing.assert_allclose(
        leave_one_out_ordinal(other, there)[0],
        leave_one_out_ordinal(problem, here)[0][shuffled],
        atol=1e-7,
    )


def test_column_order_permutes_the_weights() -> None:
    X, ranks = draw(80, 4, 3)
    here, there = (fit_ordinal(OrdinalProblem(x, ranks, 3)) for x in (X, X[:, [2, 0, 3, 1]]))
    np.testing.assert_allclose(there.coef, here.coef[[2, 0, 3, 1]], atol=1e-7)
    np.testing.assert_allclose(there.thresholds, here.thresholds, atol=1e-7)


def test_reversed_ranks_mirror_the_fit() -> None:
    X, ranks = draw(80, 3, 5)
    here, there = (fit_ordinal(OrdinalProblem(X, r, 5)) for r in (ranks, 4 - ranks))
    np.testing.assert_allclose(there.coef, -here.coef, atol=1e-6)
    np.testing.assert_allclose(there.thresholds, -here.thresholds[::-1], atol=1e-6)
    assert there.log_evidence == pytest.approx(here.log_evidence, abs=1e-6)


@both_links
def test_reversed_ranks_mirror_the_fit_at_given_scales(link: Link) -> None:
    X, ranks = draw(80, 3, 5)
    here, there = (held(OrdinalProblem(X, r, 5, link=link)) for r in (ranks, 4 - ranks))
    np.testing.assert_allclose(there.coef, -here.coef, atol=1e-9)
    np.testing.assert_allclose(there.thresholds, -here.thresholds[::-1], atol=1e-9)
    assert there.log_evidence == pytest.approx(here.log_evidence, abs=1e-9)


def test_rotated_predictors_have_the_same_evidence() -> None:
    X, ranks = draw(80, 4, 4)
    rotation = np.linalg.qr(np.random.default_rng(2).normal(size=(4, 4)))[0]
    here, there = (fit_ordinal(OrdinalProblem(x, ranks, 4)) for x in (X, X @ rotation))
    np.testing.assert_allclose(there.coef, rotation.T @ here.coef, atol=1e-6)
    assert there.log_evidence == pytest.approx(here.log_evidence, abs=1e-7)


@both_links
def test_doubled_rows_are_weight_two(link: Link) -> None:
    X, ranks = draw(50, 3, 4)
    doubled = fit_ordinal(OrdinalProblem(np.vstack([X, X]), np.tile(ranks, 2), 4, link=link))
    weight = np.full(50, 2.0)
    weighted = fit_ordinal(OrdinalProblem(X, ranks, 4, sample_weight=weight, link=link))
    np.testing.assert_allclose(stack(weighted), stack(doubled), atol=1e-7)
    assert weighted.log_evidence == pytest.approx(doubled.log_evidence, abs=1e-7)


def test_weight_zero_leaves_a_row_out() -> None:
    X, ranks = draw(50, 3, 4)
    weight = (np.arange(50) >= 8).astype(float)
    weighted = held(OrdinalProblem(X, ranks, 4, sample_weight=weight))
    cut = held(OrdinalProblem(X[8:], ranks[8:], 4))
    np.testing.assert_allclose(stack(weighted), stack(cut), atol=1e-9)
    assert weighted.log_evidence == pytest.approx(cut.log_evidence, abs=1e-9)


def test_constant_column_adds_only_its_freedom() -> None:
    X, ranks = draw(80, 2, 3)
    with_zeros = held(OrdinalProblem(np.column_stack([X, np.zeros(80)]), ranks, 3))
    without = held(OrdinalProblem(X, ranks, 3))
    np.testing.assert_allclose(with_zeros.coef, [*without.coef, 0.0], atol=1e-9)
    assert with_zeros.log_evidence == pytest.approx(without.log_evidence, abs=1e-9)


@both_links
@pytest.mark.parametrize("scale", [1.0, 1e4])
def test_separable_data_stay_finite(scale: float, link: Link) -> None:
    x = scale * np.linspace(-1, 1, 90)[:, None]
    problem = OrdinalProblem(x, np.repeat([0, 1, 2], 30), 3, link=link)
    fit = fit_ordinal(problem)
    assert fit.converged
    assert fit.weight_variance <= MAX_WEIGHT_VARIANCE
    assert fit.threshold_scale <= MAX_THRESHOLD_SCALE
    assert np.all(np.isfinite(stack(fit)))
    assert np.all(np.diff(fit.thresholds) > 0)
    assert np.isfinite(fit.log_evidence)
    assert np.all(np.isfinite(max(leave_one_out_ordinal(problem, fit), key=np.mean)))


@both_links
@pytest.mark.parametrize("scale", [1e-12, 1e-6, 1e3, 1e6, 1e8])
def test_extreme_scales_stay_finite(scale: float, link: Link) -> None:
    X, ranks = draw(60, 2, 4)
    problem = OrdinalProblem(scale * X, ranks, 4, link=link)
    fit = fit_ordinal(problem)
    assert fit.converged
    assert np.all(np.isfinite(stack(fit)))
    assert np.all(np.isfinite(leave_one_out_ordinal(problem, fit)[1]))


def test_one_wild_value_does_not_stop_the_fit() -> None:
    X, ranks = draw(60, 2, 4)
    X[0, 0] = 1e6
    fit = fit_ordinal(OrdinalProblem(X, ranks, 4))
    assert fit.converged
    assert np.all(np.isfinite(stack(fit)))


@pytest.mark.parametrize(
    ("n", "d", "n_levels"), [(3, 3, 3), (3, 0, 3), (4, 2, 3), (30, 60, 3), (40, 2, 20)]
)
def test_few_rows_many_columns_many_levels(n: int, d: int, n_levels: int) -> None:
    X = np.random.default_rng(n).normal(size=(n, d))
    problem = OrdinalProblem(X, np.arange(n) % n_levels, n_levels)
    fit = fit_ordinal(problem)
    assert fit.converged
    assert np.isfinite(fit.log_evidence)
    assert np.all(np.diff(fit.thresholds) > 0)
    assert np.all(max(leave_one_out_ordinal(problem, fit), key=np.mean) < 0)


@pytest.mark.parametrize("empty", [0, 1, 3])
def test_a_rank_without_rows_is_no_obstacle(empty: int) -> None:
    X, ranks = draw(60, 2, 4)
    kept = ranks != empty
    fit = fit_ordinal(OrdinalProblem(X[kept], ranks[kept], 4))
    assert fit.converged
    assert np.isfinite(fit.log_evidence)


def test_noise_is_recognised() -> None:
    X, _ = draw(400, 5, 3)
    ranks = np.random.default_rng(7).integers(0, 3, size=400)
    problem = OrdinalProblem(X, ranks, 3)
    fit = fit_ordinal(problem)
    assert np.abs(fit.coef).max() < 0.1
    assert max(leave_one_out_ordinal(problem, fit), key=np.mean).mean() == pytest.approx(
        -np.log(3), abs=0.02
    )


def test_known_weights_and_thresholds_are_found() -> None:
    rng = np.random.default_rng(11)
    X = rng.normal(size=(4000, 3))
    weights, thresholds = np.array([1.5, -0.7, 0.0]), np.array([-1.0, 0.2, 1.3])
    ranks = np.digitize(X @ weights + rng.normal(size=4000), thresholds)
    fit = fit_ordinal(OrdinalProblem(X, ranks, 4))
    deviation = (stack(fit) - np.concatenate([weights, thresholds])) / np.sqrt(
        np.diag(fit.covariance)
    )
    assert np.abs(deviation).max() < 3.5


def test_too_few_steps_are_reported() -> None:
    X, ranks = draw(60, 2, 4)
    fit = fit_ordinal(OrdinalProblem(X, ranks, 4), max_iter=2)
    assert not fit.converged
    assert fit.n_iter == 2


def test_it_stops_once_converged() -> None:
    X, ranks = draw(60, 2, 4)
    fit = fit_ordinal(OrdinalProblem(X, ranks, 4), max_iter=200)
    assert fit.converged
    assert fit.n_iter < 200
