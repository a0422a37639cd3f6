from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning, NotFittedError
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from autotype.models import OrderPreferenceRegressor, Preferences
from autotype.models.preferences import regressor
from autotype.models.preferences.solvers.path import PreferenceProblem
from tests.reference.preference_lp import solve_printed

KINDS = {
    "order": lambda i, j, t: Preferences(larger_first(i, j, t), 0.5 * np.abs(t[i] - t[j])),
    "weights": lambda i, j, t: Preferences(larger_first(i, j, t), weight=np.abs(t[i] - t[j])),
    "at least": lambda i, j, t: Preferences.at_least(i, t[i] - 0.1),
    "at most": lambda i, j, t: Preferences.at_most(i, t[i] + 0.1),
    "equal to": lambda i, j, t: Preferences.equal_to(i, t[i]),
    "equal": lambda i, j, t: Preferences.equal(np.column_stack([i, j])),
    "close": lambda i, j, t: Preferences.close(np.column_stack([i, j]), 0.2),
    "band": lambda i, j, t: Preferences.band(np.column_stack([i, j]), -0.3, 0.1),
}
KINDS["all"] = lambda i, j, t: Preferences.concat(
    [state(i, j, t) for name, state in KINDS.items() if name != "all"]
)


def larger_first(i, j, truth):
    return np.where(
        (truth[i] > truth[j])[:, None], np.column_stack([i, j]), np.column_stack([j, i])
    )


def data(seed=0, n=60, n_labelled=20):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, 3))
    truth = np.sin(X[:, 0]) + X[:, 1]
    y = np.full(n, np.nan)
    labelled = np.sort(rng.choice(n, n_labelled, replace=False))
    y[labelled] = truth[labelled] + 0.1 * rng.standard_normal(n_labelled)
    i, j = rng.integers(0, n, (2, 30))
    return X, y, truth, i, j


def printed_minimum(X, y, known, *, lambda1, epsilon=0.0, weight=None, centres="labelled"):
    """Eq. (7) over all rows of X, with no regard to how the estimator numbers them."""
    labelled = ~np.isnan(y)
    weight = np.ones(len(y)) if weight is None else weight
    chosen = labelled.copy()
    if centres == "all":
        chosen[known.rows] = True
    K = rbf_kernel(X, X[chosen], gamma=0.4)
    problem = PreferenceProblem(
        K=K[labelled],
        y=y[labelled],
        costs=weight[labelled] / weight[labelled].sum(),
        K_rows=K,
        above=known.above,
        below=known.below,
        difference=known.difference,
        weight=known.weight,
        epsilon=epsilon,
    )
    return solve_printed(problem, lambda1, 1.0)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("epsilon", [0.0, 0.15])
@pytest.mark.parametrize("centres", ["labelled", "all"])
def test_the_minimum_is_that_of_eq_7_as_printed(kind, epsilon, centres):
    for seed, lambda1 in enumerate([1e-3, 0.05]):
        X, y, truth, i, j = data(seed)
        known = KINDS[kind](i, j, truth)
        model = OrderPreferenceRegressor(lambda1, epsilon=epsilon, gamma=0.4, centres=centres)
        model.fit(X, y, preferences=known)
        expected, _, _ = printed_minimum(
            X, y, known, lambda1=lambda1, epsilon=epsilon, centres=centres
        )
        assert model.objective_ == pytest.approx(expected, rel=1e-8, abs=1e-8)
        assert abs(model.dual_gap_) < 1e-8


def test_predictions_are_the_kernel_expansion():
    X, y, truth, i, j = data()
    model = OrderPreferenceRegressor(0.01, gamma=0.4).fit(X, y, KINDS["order"](i, j, truth))
    assert not np.isnan(y[model.support_]).any()
    assert 0 < len(model.support_) == len(model.dual_coef_) < 20
    new = np.random.default_rng(1).standard_normal((7, 3))
    expected = rbf_kernel(new, X[model.support_], gamma=0.4) @ model.dual_coef_ + model.intercept_
    np.testing.assert_allclose(model.predict(new), expected, atol=1e-12)


def test_violated_preferences_are_those_that_predictions_violate():
    X, y, truth, i, j = data(3)
    known = KINDS["all"](i, j, truth)
    model = OrderPreferenceRegressor(0.02, gamma=0.4).fit(X, y, known)
    violations = known.violations(model.predict(X))
    np.testing.assert_array_equal(model.violated_preferences_, np.flatnonzero(violations > 1e-6))
    assert 0 < len(model.violated_preferences_) < len(known)


def test_without_lambda2_it_is_the_1_norm_svr():
    X, y, truth, i, j = data()
    known = KINDS["order"](j, i, -truth)
    off = OrderPreferenceRegressor(0.01, 0.0, gamma=0.4).fit(X, y, known)
    labelled = ~np.isnan(y)
    alone = OrderPreferenceRegressor(0.01, gamma=0.4).fit(X[labelled], y[labelled])
    np.testing.assert_allclose(off.predict(X), alone.predict(X), atol=1e-9)
    expected, _, _ = printed_minimum(X, y, Preferences(), lambda1=0.01)
    assert alone.objective_ == pytest.approx(expected, rel=1e-8)
    assert len(off.violated_preferences_)  # reported, though without weight
    assert not len(alone.violated_preferences_)


def test_preferences_lower_the_error():
    errors = []
    for seed in range(8):
        X, y, truth, _, _ = data(seed, n=200, n_labelled=10)
        i, j = np.random.default_rng(seed).integers(0, 200, (2, 300))
        model = OrderPreferenceRegressor(0.001, gamma=0.1)
        without = model.fit(X, y).predict(X)
        aided = model.fit(X, y, KINDS["order"](i, j, truth)).predict(X)
        errors.append([np.abs(f - truth).mean() for f in (aided, without)])
    aided, without = np.transpose(errors)
    assert aided.mean() < 0.8 * without.mean()


def test_weights_are_repetitions_and_zero_is_no_target():
    X, y, truth, i, j = data(4)
    known = KINDS["order"](i, j, truth)
    weight = np.random.default_rng(5).integers(0, 3, len(y))
    weighted = OrderPreferenceRegressor(0.01, gamma=0.4).fit(X, y, known, sample_weight=weight)
    masked = np.where(weight > 0, y, np.nan)
    expected, _, _ = printed_minimum(X, masked, known, lambda1=0.01, weight=weight.astype(float))
    assert weighted.objective_ == pytest.approx(expected, rel=1e-8)
    more = np.concatenate(
        [np.arange(len(y)), np.repeat(np.arange(len(y)), np.maximum(weight - 1, 0))]
    )
    repeated = OrderPreferenceRegressor(0.01, gamma=0.4).fit(X[more], masked[more], known)
    assert repeated.objective_ == pytest.approx(weighted.objective_, rel=1e-8)


@pytest.mark.parametrize("kernel", ["linear", "poly", "callable", "precomputed", "sparse", "auto"])
def test_kernels(kernel):
    X, y, truth, i, j = data(6)
    known = KINDS["order"](i, j, truth)
    new = np.random.default_rng(1).standard_normal((7, 3))
    plain = {
        "linear": lambda A, B: A @ B.T,
        "poly": lambda A, B: (0.5 * A @ B.T + 1.0) ** 2,
        "auto": lambda A, B: rbf_kernel(A, B, gamma=1 / 3),
    }.get(kernel, lambda A, B: rbf_kernel(A, B, gamma=0.4))
    reference = OrderPreferenceRegressor(0.01, kernel="precomputed").fit(plain(X, X), y, known)
    expected = reference.predict(plain(new, X))
    settings, pass_X, pass_new = {
        "linear": ({"kernel": "linear"}, X, new),
        "poly": ({"kernel": "poly", "gamma": 0.5, "coef0": 1.0, "degree": 2}, X, new),
        "callable": ({"kernel": plain}, X, new),
        "precomputed": ({"kernel": "rbf", "gamma": 0.4}, X, new),
        "sparse": ({"gamma": 0.4}, sparse.csr_array(X), sparse.csr_array(new)),
        "auto": ({"gamma": "auto"}, X, new),
    }[kernel]
    model = OrderPreferenceRegressor(0.01, **settings).fit(pass_X, y, known)
    np.testing.assert_allclose(model.predict(pass_new), expected, atol=1e-7)
    np.testing.assert_array_equal(model.support_, reference.support_)


@pytest.mark.parametrize(
    "make",
    [
        lambda y: pd.Series(y).astype("Float64"),
        lambda y: pd.Series(y, dtype=object).where(~np.isnan(y), None),
        lambda y: pd.Series(y, dtype=object).where(~np.isnan(y), pd.NA),
        lambda y: pd.Series(y).astype("float64[pyarrow]"),
        lambda y: [None if np.isnan(v) else v for v in y],
        lambda y: pd.array(y, dtype="Float64"),
        lambda y: y.astype(np.float32).astype(np.float64),
    ],
)
def test_missing_targets_of_every_kind(make):
    X, y, truth, i, j = data(7)
    y = y.astype(np.float32).astype(np.float64)
    known = KINDS["order"](i, j, truth)
    expected = OrderPreferenceRegressor(0.01, gamma=0.4).fit(X, y, known).predict(X)
    model = OrderPreferenceRegressor(0.01, gamma=0.4).fit(X, make(y), known)
    np.testing.assert_allclose(model.predict(X), expected, atol=1e-9)


def test_rows_of_their_own():
    X, y, truth, i, j = data(8)
    labelled = ~np.isnan(y)
    known = KINDS["order"](i, j, truth)
    expected = OrderPreferenceRegressor(0.01, gamma=0.4).fit(X, y, known).predict(X)
    model = OrderPreferenceRegressor(0.01, gamma=0.4)
    model.fit(X[labelled], y[labelled], known, unlabelled=X)
    np.testing.assert_allclose(model.predict(X), expected, atol=1e-9)
    search = GridSearchCV(
        OrderPreferenceRegressor(gamma=0.4), {"lambda1": [0.01, 0.1]}, error_score="raise"
    )
    search.fit(X[labelled], y[labelled], preferences=known, unlabelled=X)
    assert search.best_params_["lambda1"] in (0.01, 0.1)


@pytest.mark.parametrize("make", [np.asarray, sparse.csr_array])
def test_rows_spoken_of_can_be_centres(make):
    X, y, truth, i, j = data(11, n_labelled=6)
    known = KINDS["all"](i, j, truth)
    model = OrderPreferenceRegressor(1e-3, gamma=0.4, centres="all").fit(make(X), y, known)
    assert np.isnan(y[model.support_]).any()
    new = np.random.default_rng(1).standard_normal((7, 3))
    expected = rbf_kernel(new, X[model.support_], gamma=0.4) @ model.dual_coef_ + model.intercept_
    np.testing.assert_allclose(model.predict(make(new)), expected, atol=1e-12)
    # In rows of their own they are numbered after those of X.
    labelled = ~np.isnan(y)
    others = Preferences([(0, 1), (2, 3)], 0.5)
    apart = OrderPreferenceRegressor(1e-3, gamma=0.4, centres="all")
    apart.fit(make(X[labelled]), y[labelled], others, unlabelled=make(X[~labelled]))
    both = np.vstack([X[labelled], X[~labelled]])
    together = rbf_kernel(new, both[apart.support_], gamma=0.4) @ apart.dual_coef_
    np.testing.assert_allclose(apart.predict(make(new)), together + apart.intercept_, atol=1e-12)
    assert 6 <= apart.support_.max() < 10


def test_a_precomputed_kernel_has_no_columns_for_rows_apart():
    model = OrderPreferenceRegressor(kernel="precomputed", centres="all")
    with pytest.raises(ValueError, match="no columns for the rows of unlabelled"):
        model.fit(np.eye(3), np.ones(3), Preferences([(1, 0)]), unlabelled=np.ones((2, 3)))


def test_in_a_pipeline_with_frames():
    X, y, truth, i, j = data(9)
    frame = pd.DataFrame(100 * X + 5, columns=["a", "b", "c"])
    known = KINDS["order"](i, j, truth)
    pipeline = make_pipeline(StandardScaler(), OrderPreferenceRegressor(0.01))
    pipeline.fit(frame, pd.Series(y), orderpreferenceregressor__preferences=known)
    scaled = StandardScaler().fit_transform(frame)
    alone = OrderPreferenceRegressor(0.01).fit(scaled, y, known)
    np.testing.assert_allclose(pipeline.predict(frame), alone.predict(scaled), atol=1e-9)
    model = clone(pipeline[-1]).fit(frame, y, known)
    assert list(model.feature_names_in_) == ["a", "b", "c"]


def test_units_and_a_shift_of_the_target():
    X, y, truth, i, j = data(10)
    known = KINDS["order"](i, j, truth)
    first = OrderPreferenceRegressor(0.01, gamma=0.4).fit(X, y, known).predict(X)
    larger = Preferences(np.column_stack([known.above, known.below]), 1000 * known.difference)
    second = OrderPreferenceRegressor(0.01, gamma=0.4).fit(X, 1000 * y + 1e6, larger).predict(X)
    np.testing.assert_allclose((second - 1e6) / 1000, first, atol=1e-6)


def test_one_label_and_a_bound():
    X = np.array([[0.0], [1.0]])
    known = Preferences.at_least([1], 5.0)
    model = OrderPreferenceRegressor(1e-3).fit(X, [1.0, np.nan], known)
    np.testing.assert_allclose(model.predict(X), [1.0, 5.0], atol=0.02)


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        ({"X": np.full((60, 3), np.nan)}, ValueError, "Input X contains NaN"),
        (
            {"y": np.full(60, np.nan)},
            ValueError,
            "no row of the 60 has a target",
        ),
        ({"y": np.full(60, np.inf)}, ValueError, "Input y contains infinity"),
        ({"y": np.zeros(59)}, ValueError, "X has 60 rows and y 59 targets"),
        ({"y": ["a"] * 60}, ValueError, "y must hold numbers, missing where"),
        (
            {"y": pd.Series(pd.date_range("2020", periods=60))},
            ValueError,
            "y must hold numbers, got",
        ),
        ({"y": None}, ValueError, "requires y"),
        ({"preferences": Preferences([(60, 0)])}, IndexError, "is about row 60, but there are 60"),
        ({"preferences": [(1, 0)]}, TypeError, "must be autotype.models.Preferences, got list"),
        ({"unlabelled": np.ones((5, 2))}, ValueError, "X has 2 features"),
        ({"sample_weight": -np.ones(60)}, ValueError, "Negative values"),
    ],
)
def test_clear_errors(change, error, message):
    X, y, _, _, _ = data()
    arguments = {"X": X, "y": y, "preferences": Preferences([(1, 0)]), **change}
    with pytest.raises(error, match=message):
        OrderPreferenceRegressor().fit(**arguments)


@pytest.mark.parametrize("name", ["lambda1", "lambda2", "epsilon"])
def test_negative_parameters(name):
    X, y, _, _, _ = data()
    with pytest.raises(ValueError, match=rf"The '{name}' parameter .* in the range \[0.0, inf\)"):
        OrderPreferenceRegressor(**{name: -1.0}).fit(X, y)


def test_a_kernel_that_is_not_square():
    with pytest.raises(ValueError, match=r"must be square, rows by rows, got shape \(3, 2\)"):
        OrderPreferenceRegressor(kernel="precomputed").fit(np.ones((3, 2)), np.ones(3))


def test_before_fit():
    with pytest.raises(NotFittedError):
        OrderPreferenceRegressor().predict([[1.0]])


def test_a_gap_is_reported(monkeypatch):
    X, y, _, _, _ = data()
    exact = regressor.solve_preferences

    def stop_early(problem, **settings):
        solution = exact(problem, **settings)
        return regressor.PreferenceSolution(
            **{**vars(solution), "objective": solution.objective + 0.01}
        )

    monkeypatch.setattr(regressor, "solve_preferences", stop_early)
    with pytest.warns(ConvergenceWarning, match=r"relative duality gap of 0\.0\d+; scale"):
        OrderPreferenceRegressor().fit(X, y)
