"""The estimators reach the optima of the papers' programs as printed, by their own attributes.

Objectives are computed here, from what a fitted estimator predicts, and minima by general solvers
of the primal programs: neither a dual nor an objective of the package takes part.
"""

from __future__ import annotations

import numpy as np
import pytest

from autotype.models import (
    NPSVOR,
    SVOR,
    LinearNPSVOR,
    LinearRedSVM,
    OrderPreferenceRegressor,
    Preferences,
)
from autotype.models.preferences.solvers.path import PreferenceProblem
from tests.reference.npsvor_qp import solve_rank_as_printed
from tests.reference.preference_lp import solve_printed
from tests.reference.red_svm_qp import solve_red_svm_as_printed
from tests.reference.svor_qp import solve_svor

N_LEVELS = 4
C, C1, C2, EPSILON = 1.3, 0.7, 1.3, 0.1
TOLERANCE = 1.5e-8


@pytest.fixture
def rows():
    """Features and ranks that no function separates."""
    rng = np.random.default_rng(4)
    X = rng.standard_normal((24, 3))
    latent = X @ [1.0, -0.5, 0.3] + 0.6 * rng.standard_normal(len(X))
    return X, np.searchsorted(np.quantile(latent, [0.25, 0.5, 0.75]), latent)


def gram(A, B):
    return np.exp(-((A[:, None] - B) ** 2).sum(axis=2) / 3)


def factor(K):
    """Return features whose products are K."""
    values, vectors = np.linalg.eigh(K)
    return vectors * np.sqrt(np.maximum(values, 0))


def norm(K, f):
    """Return |w|^2 of the smallest w with the values f, K nonsingular."""
    return f @ np.linalg.solve(K, f)


def npsvor_errors(f, ranks, rank):
    """Sum the costs of eq. (4) of the values f."""
    own = C1 * np.maximum(np.abs(f[ranks == rank]) - EPSILON, 0).sum()
    side = np.where(ranks > rank, 1.0, -1.0)[ranks != rank]
    return own + C2 * np.maximum(1 - side * f[ranks != rank], 0).sum()


@pytest.mark.parametrize("kind", ["linear", "kernel"])
def test_npsvor(rows, kind):
    X, ranks = rows
    costs = {"own": np.full(len(X), C1), "other": np.full(len(X), C2), "epsilon": EPSILON}
    if kind == "linear":
        model = LinearNPSVOR(C1=C1, C2=C2, epsilon=EPSILON, tol=1e-12, max_iter=10**6)
        features = np.hstack([X, np.ones((len(X), 1))])
    else:
        K = gram(X, X)
        model = NPSVOR(C1=C1, C2=C2, epsilon=EPSILON, gamma=1 / 3, tol=1e-10, max_iter=10**5)
        features = factor(K)
    values = model.fit(X, ranks).decision_values(X)
    for rank in range(N_LEVELS):
        f = values[:, rank]
        if kind == "linear":
            size = model.coef_[rank] @ model.coef_[rank] + model.intercept_[rank] ** 2
        else:
            size = norm(K, f - model.intercept_[rank])
        minimum = solve_rank_as_printed(
            features, ranks, rank, free_intercept=kind != "linear", **costs
        )
        found = size / 2 + npsvor_errors(f, ranks, rank)
        assert found == pytest.approx(minimum, rel=TOLERANCE)


@pytest.mark.parametrize("constraints", ["implicit", "explicit"])
def test_svor(rows, constraints):
    X, ranks = rows
    K = gram(X, X)
    model = SVOR(C, constraints=constraints, gamma=1 / 3, tol=1e-10).fit(X, ranks)
    f = model.predict_latent(X)
    explicit = constraints == "explicit"
    minimum = solve_svor(K, ranks, np.full(len(X), C), N_LEVELS, explicit=explicit)
    found = norm(K, f) / 2 + C * threshold_errors(f, model.thresholds_, ranks, explicit)
    assert found == pytest.approx(minimum, rel=TOLERANCE)


def threshold_errors(f, thresholds, ranks, explicit):
    """Sum the distances to the right sides of the thresholds, or of the neighbouring ones."""
    at = np.arange(len(thresholds))
    side = np.where(ranks[:, None] > at, 1.0, -1.0)
    errors = np.maximum(1 - side * (f[:, None] - thresholds), 0)
    near = (ranks[:, None] == at) | (ranks[:, None] == at + 1)
    return errors[near].sum() if explicit else errors.sum()


def test_red_svm(rows):
    X, ranks = rows
    model = LinearRedSVM(C, tol=1e-12, max_iter=10**6).fit(X, ranks)
    minimum = solve_red_svm_as_printed(X, ranks, np.full(len(X), C), N_LEVELS)
    w, thresholds = model.coef_.ravel(), model.thresholds_
    errors = threshold_errors(X @ w, thresholds, ranks, explicit=False)
    found = (w @ w + thresholds @ thresholds) / 2 + C * errors
    assert found == pytest.approx(minimum, rel=TOLERANCE)


@pytest.mark.parametrize(("lambda1", "epsilon"), [(1e-3, 0.0), (0.03, 0.2), (0.0, 0.1)])
def test_order_preferences(lambda1, epsilon):
    """Eq. (7), whose optima are vertices: nearly to the last digit."""
    rng = np.random.default_rng(7)
    X = rng.standard_normal((60, 3))
    y = np.sin(X[:, 0]) + X[:, 1] * X[:, 2]
    pairs = rng.integers(20, 60, (40, 2))
    difference = 0.5 * (y[pairs[:, 0]] - y[pairs[:, 1]]) + 0.3 * rng.standard_normal(40)
    weight = rng.uniform(0.5, 2.0, 40)
    known = np.where(np.arange(60) < 20, y, np.nan)
    model = OrderPreferenceRegressor(gamma=0.3, lambda1=lambda1, lambda2=0.8, epsilon=epsilon)
    model.fit(X, known, preferences=Preferences(pairs, difference, weight))
    K = np.exp(-0.3 * ((X[:, None] - X[:20]) ** 2).sum(axis=2))
    problem = PreferenceProblem(
        K=K[:20],
        y=y[:20],
        costs=np.full(20, 1 / 20),
        K_rows=K,
        above=pairs[:, 0],
        below=pairs[:, 1],
        difference=difference,
        weight=weight,
        epsilon=epsilon,
    )
    f = model.predict(X)
    found = (
        np.maximum(np.abs(y[:20] - f[:20]) - epsilon, 0).mean()
        + lambda1 * np.abs(model.dual_coef_).sum()
        + 0.8 * (weight * np.maximum(difference - f[pairs[:, 0]] + f[pairs[:, 1]], 0)).mean()
    )
    assert found == pytest.approx(solve_printed(problem, lambda1, 0.8)[0], rel=1e-12)
