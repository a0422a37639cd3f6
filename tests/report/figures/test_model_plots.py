from __future__ import annotations

import io

import numpy as np
import pandas as pd
import pytest
from matplotlib import pyplot

from autotype.models.gaussian_process.ordinal import GPOrdinalClassifier
from autotype.report.figures.model_plots import plot_latent

LEVELS = np.array(["low", "_mid", "high"])


@pytest.fixture(autouse=True)
def closed_figures():
    yield
    pyplot.close("all")


@pytest.fixture(scope="module")
def rows() -> tuple[np.ndarray, np.ndarray]:
    random = np.random.default_rng(0)
    X = random.uniform(-1, 1, (40, 2))
    latent = X[:, 0] + 0.3 * X[:, 1] + 0.3 * random.normal(size=40)
    return X, LEVELS[np.digitize(latent, [-0.4, 0.4])]


def fit(X, y) -> GPOrdinalClassifier:
    return GPOrdinalClassifier("linear", classes=list(LEVELS)).fit(X, y)


class TestLatent:
    def test_over_one_feature(self, rows) -> None:
        X, y = rows[0][:, :1], rows[1]
        model = fit(X, y)
        ax = plot_latent(model, X, y)
        ax.figure.savefig(io.BytesIO())
        flat = [line.get_ydata()[0] for line in ax.lines if line.get_linestyle() == "--"]
        np.testing.assert_allclose(flat, model.thresholds_)
        ticks = [line for line in ax.lines if line.get_marker() == "|"]
        assert sum(len(line.get_xdata()) for line in ticks) == 40
        for middle, line in zip((-1, 0, 1), ticks, strict=True):  # each row between its thresholds
            assert np.digitize(line.get_ydata()[0], model.thresholds_) == middle + 1
        assert [text.get_text() for text in ax.texts] == list(LEVELS)

    def test_over_two_features_of_a_frame(self, rows) -> None:
        X, y = pd.DataFrame(rows[0], columns=["age", "$income$"]), pd.Series(rows[1])
        ax = plot_latent(fit(X, y), X, y)
        ax.figure.savefig(io.BytesIO())
        assert (ax.get_xlabel(), ax.get_ylabel()) == ("age", "$income$")
        assert [text.get_text() for text in ax.get_legend().get_texts()] == list(LEVELS)

    def test_the_contours_are_the_thresholds(self, rows) -> None:
        model = fit(*rows)
        ax = plot_latent(model, *rows)
        (lines,) = [c for c in ax.collections if len(c.levels) == 2]
        for cut, path in zip(model.thresholds_, lines.get_paths(), strict=True):
            np.testing.assert_allclose(model.predict_latent(path.vertices), cut, atol=1e-2)

    @pytest.mark.parametrize("n_features", [1, 2])
    def test_without_labels(self, rows, n_features) -> None:
        X = rows[0][:, :n_features]
        ax = plot_latent(fit(X, rows[1]), X, ax=pyplot.figure().add_subplot())
        assert ax.get_legend() is None

    def test_one_value_only(self, rows) -> None:
        X = rows[0][:, :1]
        plot_latent(fit(X, rows[1]), X[:1]).figure.savefig(io.BytesIO())

    def test_more_features_than_a_picture_holds(self, rows) -> None:
        X = np.hstack([rows[0], rows[0][:, :1]])
        with pytest.raises(
            ValueError, match="1 or 2 features, the model has 3; fit one to two features"
        ):
            plot_latent(fit(X, rows[1]), X)
