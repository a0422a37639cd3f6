from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.exceptions import ConvergenceWarning, NotFittedError
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.pipeline import make_pipeline

from autotype.models.svm.linear_npsvor import LinearNPSVOR

LEVELS = ["poor", "fair", "good", "great"]


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((300, 8))
    latent = X @ rng.standard_normal(8) + 0.3 * rng.standard_normal(300)
    return X, np.searchsorted(np.quantile(latent, [0.25, 0.5, 0.75]), latent)


def test_labels_come_back_in_their_kind(data):
    X, ranks = data
    texts = np.array(LEVELS)[ranks]
    expected = LinearNPSVOR().fit(X, ranks).predict(X)
    from_text = LinearNPSVOR(classes=LEVELS).fit(X, texts).predict(X)
    assert from_text.tolist() == np.array(LEVELS)[expected].tolist()
    series = pd.Series(pd.Categorical(texts, LEVELS, ordered=True), index=np.arange(300) + 7)
    frame = pd.DataFrame(X, index=series.index).rename(columns=str)
    predicted = LinearNPSVOR().fit(frame, series).predict(frame)
    assert predicted.dtype == series.dtype
    assert predicted.index.equals(series.index)
    assert predicted.astype(str).tolist() == from_text.tolist()


def test_unused_categories_are_kept_in_the_dtype_only(data):
    X, ranks = data
    dtype = pd.CategoricalDtype(["none", *LEVELS], ordered=True)
    series = pd.Series(np.array(LEVELS)[ranks]).astype(dtype)
    model = LinearNPSVOR().fit(X, series)
    assert model.classes_.tolist() == LEVELS
    assert model.predict(X).dtype == dtype


def test_text_without_an_order_is_refused(data):
    X, ranks = data
    with pytest.raises(ValueError, match="pass classes="):
        LinearNPSVOR().fit(X, np.array(LEVELS)[ranks])


def test_sparse_and_dense_agree(data):
    X, ranks = data
    dense = LinearNPSVOR().fit(X, ranks)
    for container in (sparse.csr_matrix, sparse.csr_array, sparse.csc_matrix):
        model = LinearNPSVOR().fit(container(X), ranks)
        np.testing.assert_array_equal(model.coef_, dense.coef_)


def test_repeated_entries_are_summed_and_the_input_is_kept(data):
    X, ranks = data
    twice = sparse.csr_matrix(
        (
            np.repeat(X.ravel() / 2, 2),
            np.repeat(np.tile(np.arange(8), 300), 2),
            np.arange(301) * 16,
        ),
        shape=(300, 8),
    )
    model = LinearNPSVOR(tol=1e-4, max_iter=20_000).fit(twice, ranks)
    assert twice.nnz == 4800
    np.testing.assert_allclose(
        model.coef_, LinearNPSVOR(tol=1e-4, max_iter=20_000).fit(X, ranks).coef_, atol=1e-2
    )


def test_predictions_from_texts_go_to_their_rows():
    texts = ["awful noise", "fine I guess", "great and quiet"] * 5
    dtype = pd.CategoricalDtype(["poor", "okay", "good"], ordered=True)
    frame = pd.DataFrame(
        {"text": texts, "stars": pd.Categorical(dtype.categories.tolist() * 5, dtype=dtype)}
    )
    frame = frame.sample(frac=1, random_state=0)
    model = make_pipeline(TfidfVectorizer(), LinearNPSVOR(C=10)).fit(frame["text"], frame["stars"])
    frame["guess"] = model.predict(frame["text"])
    assert frame["guess"].dtype == dtype
    assert frame["guess"].equals(frame["stars"].rename("guess"))


def test_n_jobs_changes_nothing(data):
    X, ranks = data
    one = LinearNPSVOR().fit(X, ranks)
    two = LinearNPSVOR(n_jobs=2).fit(X, ranks)
    np.testing.assert_array_equal(one.coef_, two.coef_)
    np.testing.assert_array_equal(one.dual_gap_, two.dual_gap_)


@pytest.mark.parametrize("predictor", ["ordered", "nearest"])
def test_the_decision_agrees_with_the_prediction(data, predictor):
    X, ranks = data
    model = LinearNPSVOR(predictor=predictor).fit(X, ranks)
    assert model.decision_function(X).shape == (300, 4)
    np.testing.assert_array_equal(model.decision_function(X).argmax(axis=1), model.predict(X))
    values = model.decision_values(X)
    np.testing.assert_allclose(values, X @ model.coef_.T + model.intercept_)
    if predictor == "nearest":
        np.testing.assert_array_equal(np.abs(values).argmin(axis=1), model.predict(X))
    else:
        above = (values[:, 1:] + values[:, :-1] > 0).sum(axis=1)
        np.testing.assert_array_equal(above, model.predict(X))


def test_class_weight_is_sample_weight(data):
    X, ranks = data
    by_class = LinearNPSVOR(class_weight={0: 3.0}, tol=1e-2).fit(X, ranks)
    by_row = LinearNPSVOR(tol=1e-2).fit(X, ranks, sample_weight=np.where(ranks == 0, 3.0, 1.0))
    np.testing.assert_array_equal(by_class.coef_, by_row.coef_)
    balanced = LinearNPSVOR(class_weight="balanced").fit(X[50:], ranks[50:])
    assert balanced.coef_.shape == (4, 8)


def test_unknown_class_weight_is_refused(data):
    X, ranks = data
    with pytest.raises(ValueError, match=r"class_weight names \[9\]"):
        LinearNPSVOR(class_weight={9: 2.0}).fit(X, ranks)


def test_costs(data):
    X, ranks = data
    both = LinearNPSVOR(C1=0.5, C2=0.5).fit(X, ranks)
    np.testing.assert_array_equal(both.coef_, LinearNPSVOR(C=0.5).fit(X, ranks).coef_)
    assert np.abs(LinearNPSVOR(C1=2.0).fit(X, ranks).coef_ - both.coef_).max() > 0


def test_the_intercept_can_be_left_out_and_scaled(data):
    X, ranks = data
    assert not LinearNPSVOR(fit_intercept=False).fit(X, ranks).intercept_.any()
    scaled = LinearNPSVOR(intercept_scaling=10.0, tol=1e-3, max_iter=20_000).fit(X, ranks)
    with_column = LinearNPSVOR(fit_intercept=False, tol=1e-3, max_iter=20_000).fit(
        np.hstack([X, np.full((300, 1), 10.0)]), ranks
    )
    np.testing.assert_allclose(scaled.intercept_, 10 * with_column.coef_[:, -1], atol=2e-2)


def test_no_convergence_is_reported_with_the_gap(data):
    X, ranks = data
    with pytest.warns(ConvergenceWarning, match="relative duality gap of"):
        LinearNPSVOR(max_iter=1, tol=1e-6).fit(X, ranks)


def test_rows_of_no_weight_need_two_classes_left(data):
    X, ranks = data
    with pytest.raises(ValueError, match="rows of positive weight hold 1 class"):
        LinearNPSVOR().fit(X, ranks, sample_weight=(ranks == 1).astype(float))


def test_not_fitted():
    with pytest.raises(NotFittedError):
        LinearNPSVOR().predict([[1.0]])


def test_text_pipeline():
    texts = ["bad awful", "bad", "so so", "fine so so", "great good", "good"] * 5
    model = make_pipeline(TfidfVectorizer(), LinearNPSVOR())
    assert model.fit(texts, [1, 1, 2, 2, 3, 3] * 5).predict(
        ["awful", "fine", "great"]
    ).tolist() == [
        1,
        2,
        3,
    ]


@pytest.mark.parametrize("n_jobs", [0, 1.5])
def test_a_number_of_threads_that_is_not_one_is_refused(n_jobs):
    with pytest.raises(ValueError, match=r"The 'n_jobs' parameter .* Got"):
        LinearNPSVOR(n_jobs=n_jobs).fit([[0.0], [1.0]], [0, 1])


@pytest.mark.parametrize("n_jobs", [None, 3, -1, -10_000])
def test_numbers_of_threads_that_scikit_learn_accepts(n_jobs):
    assert LinearNPSVOR(n_jobs=n_jobs).fit([[0.0], [1.0]], [0, 1]).predict([[1.0]]) == 1
