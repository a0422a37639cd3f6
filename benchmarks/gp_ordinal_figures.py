"""Figures 3-5 of "Gaussian processes for ordinal regression" on generated data, with their figures.

Each function draws one figure into a file and returns what it shows as a table.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
from scipy.spatial.distance import cdist
from sklearn.model_selection import StratifiedKFold

from autotype.models import SVOR, GPOrdinalClassifier, LowRankCompletion, pearson_kernel

MODELS = ("SVM", "MAP", "EP")
COSTS = 10.0 ** np.arange(-1.0, 2.5, 0.5)
MOVIES, USERS, TASTES, SEEN = 250, 300, 5, 0.51
TRAINING_SIZES = (50, 100, 150)
GENES, SAMPLES, RELEVANT = 100, 52, 4
GENE_COUNTS = (100, 50, 25, 12, 6, 3)


def gaussian_process(model: str, kernel) -> GPOrdinalClassifier:
    inference = {"MAP": "laplace", "EP": "ep"}[model]
    return GPOrdinalClassifier(kernel, inference=inference, share_prior=0)


def best_cost(K: np.ndarray, y: np.ndarray) -> tuple[float, float]:
    """Find the cost of an SVM by 5-fold mean absolute error; return it and the error."""
    folds = list(StratifiedKFold(5, shuffle=True, random_state=0).split(K, y))

    def error(cost: float) -> float:
        off = []
        for train, test in folds:
            model = svm(cost).fit(K[np.ix_(train, train)], y[train])
            off.extend(np.abs(model.predict(K[np.ix_(test, train)]) - y[test]))
        return float(np.mean(off))

    return min((error(cost), cost) for cost in COSTS)[::-1]


def svm(cost: float) -> SVOR:
    return SVOR(cost, constraints="explicit", kernel="precomputed", tol=1e-2)


def toy(path: Path, _: int) -> str:
    """Draw figure 3: a function of two features cut into three ranks, with less and more noise."""
    import matplotlib.pyplot as plt

    rng = np.random.default_rng(3)
    X = rng.uniform(0.0, 1.0, (60, 2))
    clean = X[:, 1] - 0.5 - 0.3 * np.sin(2 * np.pi * X[:, 0])
    at = np.stack(np.meshgrid(*[np.linspace(0, 1, 60)] * 2), axis=-1).reshape(-1, 2)
    new = rng.uniform(0.0, 1.0, (2_000, 2))
    truth = np.digitize(new[:, 1] - 0.5 - 0.3 * np.sin(2 * np.pi * new[:, 0]), [-0.15, 0.15])
    figure, axes = plt.subplots(2, 3, figsize=(9, 6), sharex=True, sharey=True)
    lines = ["| noise | model | zero-one error on 2,000 noise-free points |", "|---|---|---|"]
    for row, noise in zip(axes, (0.03, 0.15), strict=True):
        y = np.digitize(clean + noise * rng.normal(size=len(X)), [-0.15, 0.15])
        for cell, name in zip(row, MODELS, strict=True):
            model = _toy_svm(X, y) if name == "SVM" else gaussian_process(name, "rbf").fit(X, y)
            values = model.predict_latent(at)
            error = np.mean(model.predict(new) != truth)
            lines.append(f"| {noise} | {name} | {error:.3f} |")
            grid = at.reshape(60, 60, 2)
            cell.contour(
                grid[..., 0], grid[..., 1], values.reshape(60, 60), sorted(model.thresholds_)
            )
            for rank, marker in enumerate(".x+"):
                cell.plot(*X[y == rank].T, marker, color=f"C{rank}", markersize=5)
            cell.set_title(f"{name}, noise {noise}")
    figure.tight_layout()
    figure.savefig(path, dpi=80)
    plt.close(figure)
    return "\n".join(lines)


def _toy_svm(X: np.ndarray, y: np.ndarray) -> SVOR:
    """SVM whose width and cost 5-fold cross-validation chooses."""
    found = []
    for gamma in 10.0 ** np.arange(-0.5, 2.0, 0.5):
        cost, error = best_cost(np.exp(-gamma * cdist(X, X, "sqeuclidean")), y)
        found.append((error, gamma, cost))
    _, gamma, cost = min(found)
    return SVOR(cost, constraints="explicit", gamma=gamma).fit(X, y)


def generated_ratings(rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Ratings 0-5 of movies (rows) by users, NaN where not given, and one more user's, all given.

    A few tastes explain them; movies and users have levels of their own. About half of the matrix
    is observed.
    """
    movies, users = rng.normal(size=(MOVIES, TASTES)), rng.normal(size=(TASTES, USERS + 1))
    latent = movies @ users / np.sqrt(TASTES) + 0.7 * rng.normal(size=(MOVIES, 1))
    latent += 0.5 * rng.normal(size=(1, USERS + 1)) + 0.5 * rng.normal(size=latent.shape)
    ratings = np.clip(np.round(3.0 + 1.3 * latent), 0, 5)
    others = np.where(rng.random((MOVIES, USERS)) < SEEN, ratings[:, :-1], np.nan)
    return others, ratings[:, -1].astype(int)


def ratings(path: Path, repeats: int) -> str:
    """Draw figure 4: another user's ratings from a correlation kernel of incomplete rows.

    On the left missing ratings are at the movie's mean, on the right a low-rank fit fills them.
    """
    import matplotlib.pyplot as plt

    given, mine = generated_ratings(np.random.default_rng(4))
    filled = LowRankCompletion(TASTES, tol=1e-4).fit_transform(given)
    errors: dict[tuple, list[tuple[float, float]]] = {}
    for side, X in (("mean imputation", given), ("low rank", filled)):
        for size in TRAINING_SIZES:
            for seed in range(repeats):
                rows = np.random.default_rng(seed).permutation(MOVIES)
                train, test = rows[:size], rows[size:]
                for name in MODELS:
                    off = np.abs(_rate(name, X, mine, train, test) - mine[test])
                    errors.setdefault((side, size, name), []).append((off.mean(), np.mean(off > 0)))
    figure, axes = plt.subplots(2, 2, figsize=(9, 6), sharex=True, sharey="row")
    for column, side in enumerate(("mean imputation", "low rank")):
        for row, title in enumerate(("mean absolute error", "zero-one error")):
            cell = axes[row, column]
            boxes = [[e[row] for e in errors[side, n, m]] for n in TRAINING_SIZES for m in MODELS]
            places = [4 * i + j for i in range(len(TRAINING_SIZES)) for j in range(3)]
            cell.boxplot(boxes, positions=places, widths=0.7)
            cell.set_xticks([4 * i + 1 for i in range(len(TRAINING_SIZES))], TRAINING_SIZES)
            cell.set(title=f"{title}, {side}", xlabel="movies to train on")
    figure.tight_layout()
    figure.savefig(path, dpi=80)
    plt.close(figure)
    lines = ["| missing ratings | movies | " + " | ".join(MODELS) + " |", "|---|" + "---|" * 4]
    for side, size in dict.fromkeys(key[:2] for key in errors):
        means = [np.mean(errors[side, size, name], axis=0) for name in MODELS]
        cells = [f"{absolute:.3f} / {share:.3f}" for absolute, share in means]
        lines.append(f"| {side} | {size} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def _rate(
    name: str, X: np.ndarray, mine: np.ndarray, train: np.ndarray, test: np.ndarray
) -> np.ndarray:
    """Predict the user's ratings of the test movies from those of the training movies."""
    if name != "SVM":
        model = gaussian_process(name, pearson_kernel)
        return model.fit(X[train], mine[train]).predict(X[test])
    K = pearson_kernel(X[train])
    model = svm(best_cost(K, mine[train])[0]).fit(K, mine[train])
    return model.predict(pearson_kernel(X[test], X[train]))


def genes(path: Path, repeats: int) -> str:
    """Draw figure 5: fewer and fewer features, those kept that an ARD kernel finds most relevant.

    As many samples and levels as in the paper, fewer genes; four of them carry the score. Features
    are ranked on the training rows of each split.
    """
    import matplotlib.pyplot as plt

    rng = np.random.default_rng(5)
    X = rng.normal(size=(SAMPLES, GENES))
    score = X[:, :RELEVANT].sum(axis=1) / np.sqrt(RELEVANT) + 0.3 * rng.normal(size=SAMPLES)
    y = np.digitize(score, np.quantile(score, [0.5, 0.88]))
    errors: dict[tuple, list[float]] = {}
    for seed in range(repeats):
        rows = np.random.default_rng(seed).permutation(SAMPLES)
        test, train = rows[:10], rows[10:]
        ranked = GPOrdinalClassifier("ard-linear", share_prior=0).fit(X[train], y[train])
        order = np.argsort(-ranked.relevance_)
        for count in GENE_COUNTS:
            A = X[:, order[:count]] / np.sqrt(count)
            for name in MODELS:
                if name == "SVM":
                    K = A[train] @ A[train].T
                    model = svm(best_cost(K, y[train])[0]).fit(K, y[train])
                    predicted = model.predict(A[test] @ A[train].T)
                else:
                    model = gaussian_process(name, "linear").fit(A[train], y[train])
                    predicted = model.predict(A[test])
                errors.setdefault((name, count), []).append(np.abs(predicted - y[test]).mean())
    figure, cell = plt.subplots(figsize=(6, 4))
    for shift, name in enumerate(MODELS):
        means = [np.mean(errors[name, count]) for count in GENE_COUNTS]
        spread = [np.std(errors[name, count]) for count in GENE_COUNTS]
        places = np.array(GENE_COUNTS) * 1.04 ** (shift - 1)
        cell.errorbar(places, means, spread, marker="o", label=name, capsize=2)
    cell.set(xscale="log", xlabel="features kept", ylabel="mean absolute error")
    cell.legend()
    figure.tight_layout()
    figure.savefig(path, dpi=80)
    plt.close(figure)
    lines = ["| features kept | " + " | ".join(MODELS) + " |", "|---|---|---|---|"]
    for count in GENE_COUNTS:
        cells = [f"{np.mean(errors[name, count]):.3f}" for name in MODELS]
        lines.append(f"| {count} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


# A file and a number of random splits to a table.
FIGURES: dict[int, Callable[[Path, int], str]] = {3: toy, 4: ratings, 5: genes}
