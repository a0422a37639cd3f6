from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.exceptions import ConvergenceWarning
from sklearn.gaussian_process import GaussianProcessClassifier
from sklearn.gaussian_process.kernels import RBF, ConstantKernel, DotProduct, WhiteKernel
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV

from autotype.models.decisions import decide_ranks
from autotype.models.gaussian_process import ordinal as gp_ordinal
from autotype.models.gaussian_process import ordinal_exact
from autotype.models.gaussian_process.ordinal import GPOrdinalClassifier
from autotype.models.gaussian_process.solvers.interval_likelihood import LOGIT, PROBIT
from autotype.models.gaussian_process.solvers.ordinal_ep import ep_posterior
from autotype.models.gaussian_process.solvers.ordinal_laplace import laplace_posterior
from autotype.models.gaussian_process.solvers.ordinal_latent import (
    OrdinalObservations,
    rank_probabilities,
)
from tests.reference.gp_ordinal import explained_share, share_log_density

INFERENCES = [
    {"inference": "laplace"},
    {"inference": "ep"},
]
BOTH_LINKS = INFERENCES + [{**options, "link": "logit"} for options in INFERENCES]


def sample(n=80, seed=0, noise=0.2):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 3))
    f = np.sin(X[:, 0]) + 0.5 * X[:, 1] + noise * rng.normal(size=n)
    return X, np.searchsorted(np.quantile(f, [0.3, 0.6, 0.8]), f)


@pytest.mark.parametrize("options", BOTH_LINKS)
@pytest.mark.parametrize("kernel", ["rbf", "ard-rbf", "linear", "ard-linear"])
def test_learns_and_predicts_well(options, kernel):
    X, y = sample(60)
    X_new, y_new = sample(200, seed=1)
    model = GPOrdinalClassifier(kernel, **options).fit(X, y)
    probability = model.predict_proba(X_new)
    np.testing.assert_allclose(probability.sum(axis=1), 1.0)
    assert np.mean(np.abs(model.predict(X_new) - y_new)) < 0.45
    assert -np.mean(np.log(probability[np.arange(200), y_new])) < 0.95
    assert np.all(np.diff(model.thresholds_) > 0)
    assert model.log_evidence_ < 0
    if kernel.startswith("ard"):
        assert np.argmin(model.relevance_) == 2  # the third feature is noise
    else:
        assert model.relevance_ is None


@pytest.mark.parametrize("decision", ["median", "mean"])
def test_a_decision_needs_no_new_fit_and_works_in_cross_validation(decision):
    X, y = sample(90, noise=1.5)
    mode = GPOrdinalClassifier("linear").fit(X, y)
    decided = clone(mode).set_params(decision=decision).fit(X, y)
    probability = decided.predict_proba(X)
    np.testing.assert_array_equal(mode.predict_proba(X), probability)
    np.testing.assert_array_equal(mode.predict(X), probability.argmax(axis=1))
    np.testing.assert_array_equal(decided.predict(X), decide_ranks(probability, decision))
    np.testing.assert_array_equal(mode.set_params(decision=decision).predict(X), decided.predict(X))
    scoring = "neg_mean_absolute_error" if decision == "median" else "neg_mean_squared_error"
    search = GridSearchCV(mode, {"decision": ["mode", decision]}, cv=3, scoring=scoring).fit(X, y)
    assert search.best_params_ == {"decision": decision}


def test_an_unknown_decision_is_an_error():
    X, y = sample(20)
    with pytest.raises(ValueError, match=r"'decision' parameter .* must be a str among"):
        GPOrdinalClassifier(decision="middle").fit(X, y)


@pytest.mark.parametrize("options", [*INFERENCES[:2], *BOTH_LINKS[3:5]])
def test_leave_one_out_is_leaving_one_out(options):
    X, y = sample(40, noise=0.6)
    fit = GPOrdinalClassifier(**options).fit(X, y)
    kernel = RBF(fit.kernel_.length_scale, "fixed")
    infer = ep_posterior if options["inference"] == "ep" else laplace_posterior
    link = LOGIT if "link" in options else PROBIT
    total = 0.0
    for i in range(40):
        rest = np.delete(np.arange(40), i)
        centred = X - X.mean(axis=0)
        data = OrdinalObservations(y[rest], 4, np.ones(39), link)
        posterior = infer(kernel(centred[rest]), data, fit.thresholds_, fit.noise_)
        mean, variance = posterior.predict(kernel(centred[[i]], centred[rest]), np.ones(1))
        predicted = rank_probabilities(mean, variance, fit.thresholds_, fit.noise_, link=link)
        total += np.log(predicted[0, y[i]])
    assert fit.loo_log_likelihood_ == pytest.approx(total, abs=1.0)


def test_the_inferences_agree_where_the_noise_is_large():
    X, y = sample(60, noise=1.0)
    fits = [GPOrdinalClassifier(**options).fit(X, y) for options in INFERENCES]
    for fit in fits[1:]:
        np.testing.assert_allclose(fit.predict_proba(X), fits[0].predict_proba(X), atol=0.05)


@pytest.mark.parametrize("n", [120, 600])
@pytest.mark.parametrize("strength", [0.0, 2.0])
def test_the_hyper_parameters_are_a_maximum_of_evidence_and_prior(n, strength):
    X, y = sample(n)

    def score(model):
        model.fit(X, y)
        K = model.kernel_(X)
        return model.log_evidence_ + share_log_density(K, model.noise_, np.ones(n), strength)

    model = GPOrdinalClassifier(share_prior=strength)
    best = score(model)
    for factor in (0.97, 1.03):
        length = model.kernel_.length_scale * factor
        moved = GPOrdinalClassifier(RBF(length, "fixed"), share_prior=strength)
        assert score(moved) < best + 1e-3
        held = GPOrdinalClassifier(noise=model.noise_ * factor, share_prior=strength)
        assert score(held) < best + 1e-3


def share_explained(model, X):
    """The share at the end of a fit to X."""
    return explained_share(model.kernel_(X - X.mean(axis=0)), model.noise_, np.ones(len(X)))


@pytest.mark.parametrize("options", BOTH_LINKS)
@pytest.mark.parametrize("kernel", ["rbf", "linear", "ard-linear"])
def test_the_prior_keeps_few_rows_from_extremes(options, kernel):
    """Twelve rows whose first feature tells the ranks, and twelve whose features tell nothing."""
    X = np.random.default_rng(0).normal(size=(12, 3))
    clear = np.digitize(X[:, 0], [-0.4, 0.4])
    unclear = np.tile([0, 1, 2], 4)
    for ranks, low, high in ((clear, 0.5, 0.97), (unclear, 0.03, 0.9)):
        model = GPOrdinalClassifier(kernel, **options).fit(X, ranks)
        assert low < share_explained(model, X) < high


def test_without_the_prior_few_rows_go_to_extremes():
    X = np.linspace(-1.0, 1.0, 12)[:, None]
    model = GPOrdinalClassifier("linear", share_prior=0)
    assert share_explained(model.fit(X, np.digitize(X[:, 0], [-0.3, 0.3])), X) > 0.99
    assert share_explained(model.fit(X, np.digitize(X[:, 0] ** 2, [0.1, 0.4])), X) < 0.01


@pytest.mark.parametrize("kernel", ["rbf", "linear"])
def test_the_prior_betters_probabilities_of_few_rows(kernel):
    X_new, y_new = sample(300, seed=100, noise=0.4)
    gains = []
    for seed in range(8):
        X, y = sample(12, seed=seed, noise=0.4)
        fits = [GPOrdinalClassifier(kernel, share_prior=k).fit(X, y) for k in (0.0, 2.0)]
        own = [fit.predict_proba(X_new)[np.arange(300), y_new] for fit in fits]
        gains.append(np.mean(np.log(own[1] / np.maximum(own[0], 1e-15))))
    assert np.mean(gains) > 0.02


def test_hundreds_of_rows_outweigh_the_prior():
    X, y = sample(400)
    X_new, y_new = sample(200, seed=1)
    fits = [GPOrdinalClassifier(share_prior=k).fit(X, y) for k in (0.0, 2.0)]
    probabilities = [fit.predict_proba(X_new) for fit in fits]
    own = [np.log(p[np.arange(200), y_new]).mean() for p in probabilities]
    assert abs(own[1] - own[0]) < 0.01
    assert np.abs(probabilities[1] - probabilities[0]).mean() < 0.005
    assert fits[1].log_evidence_ > fits[0].log_evidence_ - 0.3


def test_the_prior_does_not_move_a_kernel_whose_amplitude_and_noise_are_held():
    X, y = sample(20)
    held, free = (GPOrdinalClassifier(noise=0.2, share_prior=k).fit(X, y) for k in (2.0, 0.0))
    assert held.kernel_ == free.kernel_
    np.testing.assert_array_equal(held.predict_proba(X), free.predict_proba(X))


def test_two_ranks_are_probit_classification():
    X, y = sample(80)
    ours = GPOrdinalClassifier().fit(X, y > 1)
    theirs = GaussianProcessClassifier(ConstantKernel() * RBF()).fit(X, y > 1)
    ranking = pd.Series(ours.predict_proba(X)[:, 1])
    assert ranking.corr(pd.Series(theirs.predict_proba(X)[:, 1]), method="spearman") > 0.97
    assert np.mean(ours.predict(X) == theirs.predict(X)) > 0.95


@pytest.mark.parametrize("options", INFERENCES[:2])
def test_row_order_does_not_matter(options):
    X, y = sample(60)
    order = np.random.default_rng(2).permutation(60)
    model = GPOrdinalClassifier(**options).fit(X, y)
    turned = GPOrdinalClassifier(**options).fit(X[order], y[order])
    np.testing.assert_allclose(turned.predict_proba(X), model.predict_proba(X), atol=1e-4)


def test_reversed_order_mirrors_the_probabilities():
    X, y = sample(60)
    model, mirror = GPOrdinalClassifier().fit(X, y), GPOrdinalClassifier().fit(X, 3 - y)
    np.testing.assert_allclose(mirror.predict_proba(X)[:, ::-1], model.predict_proba(X), atol=1e-3)


@pytest.mark.parametrize("options", BOTH_LINKS)
def test_a_row_of_weight_two_is_two_rows(options):
    X, y = sample(40)
    weight = 1.0 + np.arange(40) % 2
    rows = np.repeat(np.arange(40), weight.astype(int))
    weighted = GPOrdinalClassifier(**options).fit(X, y, sample_weight=weight)
    repeated = GPOrdinalClassifier(**options).fit(X[rows], y[rows])
    assert weighted.log_evidence_ == pytest.approx(repeated.log_evidence_, abs=1e-4)
    assert weighted.loo_log_likelihood_ == pytest.approx(repeated.loo_log_likelihood_, abs=1e-3)
    np.testing.assert_allclose(weighted.predict_proba(X), repeated.predict_proba(X), atol=1e-3)


def test_rows_of_weight_zero_are_not_there():
    X, y = sample(40)
    weight = (np.arange(40) < 30).astype(float)
    part = GPOrdinalClassifier().fit(X[:30], y[:30])
    weighted = GPOrdinalClassifier().fit(X, y, sample_weight=weight)
    np.testing.assert_allclose(weighted.predict_proba(X), part.predict_proba(X), atol=1e-6)


def test_scale_of_the_features_does_not_matter_to_named_kernels():
    X, y = sample(60)
    for kernel in ("rbf", "ard-rbf", "linear", "ard-linear"):
        model = GPOrdinalClassifier(kernel).fit(X, y)
        scaled = GPOrdinalClassifier(kernel).fit(1e6 * X + 3e6, y)
        np.testing.assert_allclose(
            scaled.predict_proba(1e6 * X + 3e6), model.predict_proba(X), atol=2e-3
        )


@pytest.mark.parametrize("options", BOTH_LINKS)
@pytest.mark.parametrize("kernel", ["rbf", "ard-linear"])
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize(
    "case",
    ["rare extremes", "separable", "constant column", "all constant", "equal rows", "two rows"],
)
def test_odd_data_give_numbers(options, kernel, case):
    X, y = sample(40)
    if case == "rare extremes":
        y = np.where(np.arange(40) == 3, 9, np.where(np.arange(40) == 5, -5, y > 1))
    elif case == "separable":
        y = (X[:, 0] > 0).astype(int) + (X[:, 0] > 1)
    elif case == "constant column":
        X = np.column_stack([X, np.full(40, 7.0), X[:, 0]])
    elif case == "all constant":
        X = np.ones((40, 2))
    elif case == "equal rows":
        X = np.repeat(X[:20], 2, axis=0)  # equal rows of unequal ranks
    else:
        X, y = X[:2], np.array([0, 1])
    model = GPOrdinalClassifier(kernel, **options).fit(X, y)
    assert np.isfinite(model.predict_proba(X)).all()
    mean, std = model.predict_latent(X, return_std=True)
    assert np.isfinite([mean, std]).all()
    assert np.isfinite([model.log_evidence_, model.loo_log_likelihood_, model.noise_]).all()
    assert np.all(np.diff(model.thresholds_) > 0)


def test_a_kernel_object_is_used_as_it_is():
    X, y = sample(60)
    start = ConstantKernel(2.0) * RBF([1.0, 2.0, 3.0]) + WhiteKernel(0.1)
    held = GPOrdinalClassifier(start, max_iter=0).fit(X, y)
    assert repr(held.kernel_) == repr(start)
    model = GPOrdinalClassifier(start).fit(X, y)
    assert model.noise_ == 1.0  # the constant scales instead of the noise
    assert model.log_evidence_ > held.log_evidence_
    assert model.relevance_.shape == (3,)


def test_ordered_categorical_in_and_out():
    X, y = sample(60)
    frame = pd.DataFrame(X, columns=["a", "b", "c"], index=[f"row {i}" for i in range(60)])
    names = pd.CategoricalDtype(["never", "low", "middle", "high", "top", "beyond"], ordered=True)
    target = pd.Series(pd.Categorical.from_codes(y + 1, dtype=names), index=frame.index, name="t")
    model = GPOrdinalClassifier().fit(frame, target)
    assert model.classes_.tolist() == names.categories.tolist()
    prediction = model.predict(frame[::-1])
    assert prediction.dtype == names
    assert prediction.index.equals(frame.index[::-1])
    assert prediction.name == "t"
    assert model.feature_names_in_.tolist() == ["a", "b", "c"]
    # Levels that no row holds have finite thresholds, and less than one row in expectation.
    assert np.isfinite(model.thresholds_).all()
    assert model.predict_proba(frame).shape == (60, 6)
    expected = model.predict_proba(frame)[:, [0, 5]].sum(axis=0)
    assert np.all((expected > 0) & (expected < 1))


def test_a_sample_that_shows_no_noise_does_not_mislead_the_fit():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((300, 13)) ** 2
    latent = 0.6 * np.log1p(X[:, :6]).sum(axis=1) + 0.5 * np.sqrt(X[:, 6])
    latent += 0.2 * rng.standard_t(3, 300)
    y = np.digitize(latent, np.linspace(latent.min(), latent.max(), 6)[1:-1])
    learned = GPOrdinalClassifier().fit(X, y)
    from_smooth = GPOrdinalClassifier(RBF(15.0)).fit(X, y)
    assert learned.log_evidence_ == pytest.approx(from_smooth.log_evidence_, abs=0.5)


@pytest.mark.parametrize("link", ["probit", "logit"])
def test_many_rows_go_to_weight_space(monkeypatch, link):
    X, y = sample(300)
    kernels = ("rbf", "linear", "ard-linear")
    exact = {k: GPOrdinalClassifier(k, link=link).fit(X, y) for k in kernels}
    monkeypatch.setattr(gp_ordinal, "_EXACT_ROWS", 200)
    monkeypatch.setattr(gp_ordinal, "_EXACT_LINEAR_ROWS", 200)
    for kernel, model in exact.items():
        wide = GPOrdinalClassifier(kernel, link=link).fit(X, y)
        assert type(wide._model).__name__ == "WeightSpaceModel"
        np.testing.assert_allclose(wide.predict_proba(X), model.predict_proba(X), atol=0.12)
        assert np.mean(np.abs(wide.predict_proba(X) - model.predict_proba(X))) < 0.015
        mean, std = wide.predict_latent(X, return_std=True)
        assert np.corrcoef(mean, model.predict_latent(X))[0, 1] > 0.99
        assert (std >= 0).all()
        assert wide.loo_log_likelihood_ == pytest.approx(model.loo_log_likelihood_, abs=6)


@pytest.mark.parametrize("link", ["probit", "logit"])
@pytest.mark.parametrize("exact_rows", [50, 500])
def test_unobserved_levels_of_a_linear_kernel(monkeypatch, link, exact_rows):
    monkeypatch.setattr(gp_ordinal, "_EXACT_LINEAR_ROWS", exact_rows)
    X, y = sample(100)
    model = GPOrdinalClassifier("linear", classes=range(-1, 6), link=link)
    model.fit(X, np.where(y > 1, y + 1, y))
    assert np.isfinite(model.thresholds_).all()
    assert np.all(np.diff(model.thresholds_) > 0)
    assert set(np.unique(model.predict(X))) <= {0, 1, 3, 4}
    np.testing.assert_allclose(model.predict_proba(X).sum(axis=1), 1.0)


def outlying(n, seed):
    """Ratings of a linear scale; one in ten is any other level."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 3))
    y = np.digitize(2 * X[:, 0] + X[:, 1] + 0.5 * rng.normal(size=n), [-2, -0.7, 0.7, 2])
    return X, np.where(rng.random(n) < 0.1, rng.integers(0, 5, n), y)


@pytest.mark.parametrize("n", [150, 700])  # exact, and in weight space
def test_the_logit_link_suits_outliers(n):
    X, y = outlying(n, seed=0)
    X_new, y_new = outlying(1000, seed=1)
    loss = {}
    for link in ("probit", "logit"):
        model = GPOrdinalClassifier("linear", link=link).fit(X, y)
        probability = model.predict_proba(X_new)
        loss[link] = -np.log(probability[np.arange(1000), y_new]).mean()
        loss[link, "evidence"] = model.log_evidence_
    assert loss["logit"] < loss["probit"] - 0.02
    assert loss["logit", "evidence"] > loss["probit", "evidence"] + 3


@pytest.mark.parametrize("options", INFERENCES[:2])
def test_two_ranks_are_logistic_regression_where_the_prior_is_wide(options):
    X, y = sample(200, noise=1.0)
    ours = GPOrdinalClassifier(
        ConstantKernel(1e4, "fixed") * DotProduct(0.0, "fixed"), noise=1.0, link="logit", **options
    ).fit(X, y > 1)
    theirs = LogisticRegression(C=np.inf).fit(X, y > 1)
    # The coefficients are those of a logistic noise whose standard deviation is 1.
    slope = ours.predict_latent(np.eye(3)) - ours.predict_latent(np.zeros((3, 3)))
    scale = np.pi / np.sqrt(3)
    np.testing.assert_allclose(scale * slope, theirs.coef_[0], rtol=0.05)


def test_the_noise_is_a_standard_deviation_with_either_link():
    X, y = sample(300, noise=0.5)
    fits = [GPOrdinalClassifier(link=link).fit(X, y) for link in ("probit", "logit")]
    assert fits[1].noise_ == pytest.approx(fits[0].noise_, rel=0.25)
    np.testing.assert_allclose(fits[1].thresholds_, fits[0].thresholds_, atol=0.2)


def test_an_unknown_link_is_an_error():
    X, y = sample(20)
    with pytest.raises(ValueError, match=r"'link' parameter .* must be a str among"):
        GPOrdinalClassifier(link="cauchit").fit(X, y)


def test_warns_with_the_cause():
    X, y = load_iris(return_X_y=True)
    with pytest.warns(ConvergenceWarning, match=r"max_iter=1 iterations; raise max_iter"):
        GPOrdinalClassifier(max_iter=1).fit(X, y)


@pytest.mark.parametrize(
    ("options", "y", "message"),
    [
        ({}, ["low", "high"] * 20, r"no order of their own; pass classes="),
        ({}, [1] * 40, "one class only"),
        ({}, [1.0, np.nan] * 20, "20 missing labels"),
        ({"classes": [0, 1]}, [0, 1, 2, 3] * 10, "not one of the classes"),
        ({"classes": [0, 0, 1]}, [0, 1] * 20, "list each level once"),
        ({"kernel": "spline"}, [0, 1] * 20, "kernel"),
        ({"noise": 1e308}, [0, 1] * 20, r"'noise' parameter .* in the range \(0.0, 1e\+75\)"),
        ({"share_prior": -1.0}, [0, 1] * 20, r"'share_prior' parameter .* in the range \[0.0, inf"),
        ({}, [0, 1] * 19, "X has 40 rows and y 38 labels"),
    ],
)
def test_misuse(options, y, message):
    with pytest.raises(ValueError, match=message):
        GPOrdinalClassifier(**options).fit(sample(40)[0], y)


def test_weights_that_leave_one_class():
    X, y = sample(40)
    with pytest.raises(ValueError, match="rows of positive weight hold 1 class"):
        GPOrdinalClassifier().fit(X, y, sample_weight=(y == 1).astype(float))


def test_low_noise_and_few_rows_do_not_mislead_the_evidence():
    rng = np.random.default_rng(3)
    X, X_new = rng.normal(size=(40, 6)), rng.normal(size=(500, 6))
    y, y_new = (np.digitize(x @ np.arange(6.0), [-6, -2, 2, 6]) for x in (X, X_new))
    model = GPOrdinalClassifier(classes=range(5)).fit(X, y)
    own = model.predict_proba(X_new)[np.arange(500), y_new]
    ep = GPOrdinalClassifier(classes=range(5), inference="ep").fit(X, y)
    reference = ep.predict_proba(X_new)[np.arange(500), y_new]
    assert np.log(own).mean() > np.log(reference).mean() - 0.1


def test_where_few_rows_show_low_noise_the_better_of_two_evidences_counts(monkeypatch):
    """Laplace's evidence prefers no noise here; leaving rows out prefers what EP's learns."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((50, 5))
    f = np.sin(X[:, 0]) + 0.5 * X[:, 1] + 0.3 * X[:, 2] * X[:, 3] + 0.3 * rng.standard_normal(50)
    y = np.digitize(f, np.quantile(f, [0.2, 0.4, 0.6, 0.8]))
    checked = GPOrdinalClassifier(share_prior=0).fit(X, y)
    monkeypatch.setattr(ordinal_exact, "_LOW_NOISE", 0.0)
    alone = GPOrdinalClassifier(share_prior=0).fit(X, y)
    assert alone.noise_ < 0.1 < checked.noise_
    assert alone.log_evidence_ > checked.log_evidence_ + 1
    assert alone.loo_log_likelihood_ < checked.loo_log_likelihood_ - 1


def test_many_rows_show_what_varies_over_short_distances(monkeypatch):
    """The lengths of few rows are scaled to the evidence of more."""
    rng = np.random.default_rng(0)

    def drawn(n):
        X = rng.uniform(0, 4, size=(n, 2))
        f = X[:, 0] + 0.6 * np.sin(5 * X[:, 1]) + 0.2 * rng.normal(size=n)
        return X, np.digitize(f, [1.0, 2.0, 3.0])

    monkeypatch.setattr(gp_ordinal, "_EXACT_ROWS", 300)
    monkeypatch.setattr(gp_ordinal, "_SHAPE_ROWS", 40)
    X, y = drawn(600)
    new, true = drawn(400)
    fitted = GPOrdinalClassifier(n_inducing=200).fit(X, y)
    monkeypatch.setattr(gp_ordinal.ordinal_features, "has_lengths", lambda kernel: False)
    of_few = GPOrdinalClassifier(n_inducing=200).fit(X, y)
    assert fitted.kernel_.length_scale < of_few.kernel_.length_scale
    assert fitted.log_evidence_ > of_few.log_evidence_ + 20
    p, q = (model.predict_proba(new)[np.arange(400), true] for model in (fitted, of_few))
    assert np.log(p).mean() > np.log(q).mean() + 0.1


@pytest.mark.parametrize(("n_rows", "expected"), [(2_001, 512), (30_000, 316), (1_000_000, 100)])
def test_inducing_rows_become_fewer_with_the_rows(monkeypatch, n_rows, expected):
    asked = []

    def stop(self, kernel, X, n_inducing, variance):
        asked.append(n_inducing)
        raise StopIteration

    monkeypatch.setattr(GPOrdinalClassifier, "_make_features", stop)
    X = np.zeros((n_rows, 1))
    X[::2] = 1.0
    with pytest.raises(StopIteration):
        GPOrdinalClassifier(RBF(1.0, "fixed")).fit(X, np.arange(n_rows) % 3)
    assert asked == [expected]


def test_inducing_rows_become_fewer_where_little_can_be_learned():
    rng = np.random.default_rng(1)
    X = rng.uniform(0, 6, size=(2100, 3))
    waves = np.digitize(np.sin(3 * X[:, 0]) + np.cos(X[:, 1]), [-0.5, 0.5])
    counts = [
        len(GPOrdinalClassifier().fit(X, y)._model.features.inducing)
        for y in (rng.integers(0, 3, 2100), waves)
    ]
    assert counts[0] <= 102
    assert counts[1] > 120
