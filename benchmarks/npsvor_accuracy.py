"""Accuracy of linear NPSVOR on the papers' text sets, next to the methods the paper compares.

usage: python benchmarks/npsvor_accuracy.py [DATA] [--figure dual_gap.png] [--splits N]

Treebank: the authors' own split, C by 5-fold cross-validation on mean absolute error. Movie scale:
Pang and Lee's reviews, 4 ranks, stratified 70/30 splits, TF-IDF of unigrams and bigrams that occur
three times or more and in half of the reviews at most, as in the paper but for its stemming, and
again with the stop words kept.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.datasets import load_svmlight_files
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.model_selection import GridSearchCV, StratifiedKFold, train_test_split
from sklearn.svm import LinearSVC, LinearSVR

from autotype.plots import plot_descents
from autotype.svm.linear_npsvor import LinearNPSVOR
from autotype.svm.linear_npsvor_cv import LinearNPSVORCV
from autotype.svm.linear_red_svm import LinearRedSVM
from autotype.svm.solvers.dual_coordinate import solve_linear_ranks
from autotype.svm.solvers.linear_problem import LinearRankProblem

GRID = 2.0 ** np.arange(-5, 6)
FORMS = {
    "NPSVOR hinge, ordered": {},
    "NPSVOR hinge, nearest": {"predictor": "nearest"},
    "NPSVOR squared hinge, ordered": {"loss": "squared_hinge"},
    "NPSVOR squared hinge, nearest": {"loss": "squared_hinge", "predictor": "nearest"},
    "NPSVOR hinge, no bias": {"fit_intercept": False},
    "NPSVOR squared hinge, no bias": {"loss": "squared_hinge", "fit_intercept": False},
}


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", nargs="?", default="../shared/data")
    parser.add_argument("--figure", help="write the plot of DCD-1 against DCD-2 to this file")
    parser.add_argument("--splits", type=int, default=10, help="70/30 splits of the movie scale")
    options = parser.parse_args(argv)
    folder = Path(options.data) / "papers" / "linear_npsvor"
    treebank = read_treebank(folder)
    print("Treebank")
    table([compare(*treebank)])
    for title, stop_words in (("as in the paper", "english"), ("stop words kept", None)):
        print(f"\nMovie scale, {title}, {options.splits} splits")
        table([compare(*movie_split(folder, seed, stop_words)) for seed in range(options.splits)])
    print("\nTreebank, cross-validated path against cold fits of the same grid")
    path_against_cold(treebank[0], treebank[1])
    print("\nTreebank, epsilon (C by cross-validation; nSV at C = 1), relative to epsilon = 0")
    width_of_the_tube(treebank)
    print("\nTreebank, rank 3, relative distance of the dual objective to its optimum")
    descents(treebank[0], treebank[1], options.figure)
    return 0


def read_treebank(folder: Path) -> tuple:
    files = [folder / f"treebank_{part}.libsvm.gz" for part in ("train", "test")]
    X, y, X_test, y_test = load_svmlight_files([str(file) for file in files])
    for rows in (X, X_test):  # LinearSVC reads 32-bit indices only
        rows.indices, rows.indptr = rows.indices.astype(np.int32), rows.indptr.astype(np.int32)
    return X, y.astype(int), X_test, y_test.astype(int)


def movie_split(folder: Path, seed: int, stop_words: str | None) -> tuple:
    frame = pd.read_csv(folder / "movie_scale.csv.gz")
    text = next(c for c in frame if frame[c].astype(str).str.len().median() > 100)
    ranks = next(c for c in frame if "4" in c and frame[c].nunique() == 4)
    train, test, y, y_test = train_test_split(
        frame[text],
        frame[ranks].to_numpy(),
        test_size=0.3,
        stratify=frame[ranks],
        random_state=seed,
    )
    vectorizer = TfidfVectorizer(
        ngram_range=(1, 2), min_df=3, max_df=0.5, stop_words=stop_words, token_pattern=r"\b\w\w+\b"
    )
    return vectorizer.fit_transform(train), y, vectorizer.transform(test), y_test


def compare(X, y, X_test, y_test) -> dict[str, dict[str, float]]:
    """Errors on the test rows of every method, each with its C by cross-validation."""
    found = {}
    for name, form in FORMS.items():
        model = LinearNPSVORCV(GRID, **form).fit(X, y)
        found[name] = errors(model.predict(X_test), y_test) | {"C": model.C_}
    peers = {
        "RedSVM": LinearRedSVM(max_iter=10_000),
        "SVC (scikit-learn)": LinearSVC(loss="hinge", tol=0.1, max_iter=10_000, random_state=0),
        "SVR (scikit-learn), rounded": Rounded(
            tol=0.01, epsilon=0.1, max_iter=10_000, random_state=0
        ),
    }
    for name, peer in peers.items():
        search = GridSearchCV(peer, {"C": GRID}, cv=5, scoring="neg_mean_absolute_error").fit(X, y)
        found[name] = errors(search.predict(X_test), y_test) | {"C": search.best_params_["C"]}
    return found


class Rounded(LinearSVR):
    """Regression on the ranks, rounded to the nearest one."""

    def fit(self, X, y):  # noqa: D102
        self.range_ = int(np.min(y)), int(np.max(y))
        return super().fit(X, y)

    def predict(self, X):  # noqa: D102
        return np.clip(np.rint(super().predict(X)), *self.range_).astype(int)


def errors(predicted: np.ndarray, truth: np.ndarray) -> dict[str, float]:
    difference = predicted - truth
    return {
        "MAE": np.abs(difference).mean(),
        "MSE": (difference**2).mean(),
        "accuracy": (difference == 0).mean(),
    }


def table(runs: list[dict[str, dict[str, float]]]) -> None:
    print(f"{'':34}{'MAE':>8}{'+-':>8}{'MSE':>8}{'acc.':>8}   C")
    for name in runs[0]:
        mean = {
            key: np.mean([run[name][key] for run in runs]) for key in ("MAE", "MSE", "accuracy")
        }
        # The splits share rows, so that this is the error of the mean over splits, not over texts.
        spread = np.std([run[name]["MAE"] for run in runs]) / np.sqrt(max(len(runs) - 1, 1))
        costs = " ".join(f"{run[name]['C']:g}" for run in runs)
        print(
            f"{name:34}{mean['MAE']:8.3f}{spread:8.3f}{mean['MSE']:8.3f}{mean['accuracy']:8.3f}"
            f"   {costs}"
        )


def path_against_cold(X, y) -> None:
    for loss in ("hinge", "squared_hinge"):
        start = time.process_time()
        cold = GridSearchCV(
            LinearNPSVOR(loss=loss),
            {"C": GRID},
            cv=StratifiedKFold(5),
            scoring="neg_mean_absolute_error",
        ).fit(X, y)
        middle = time.process_time()
        path = LinearNPSVORCV(GRID, loss=loss).fit(X, y)
        end = time.process_time()
        print(
            f"{loss:14} cold {middle - start:.2f} s C {cold.best_params_['C']:g}, "
            f"path {end - middle:.2f} s C {path.C_:g}: "
            f"{(middle - start) / (end - middle):.1f} times less"
        )


def width_of_the_tube(sets: tuple) -> None:
    """Figure 5: errors, CPU time of all fits of the grid, and support vectors of all ranks."""
    X, y, X_test, y_test = sets
    base = None
    for epsilon in (0.0, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5):
        start = time.process_time()
        model = LinearNPSVORCV(GRID, epsilon=epsilon, patience=None).fit(X, y)
        row = errors(model.predict(X_test), y_test) | {"CPU": time.process_time() - start}
        row["nSV"] = support_vectors(X, y, epsilon)
        base = base or row
        shown = "  ".join(
            f"{key} {row[key] / base[key]:.3f}" for key in ("MAE", "MSE", "CPU", "nSV")
        )
        print(f"epsilon {epsilon:4.2f}  C {model.C_:<6g} {shown}")


def support_vectors(X, y, epsilon: float) -> int:
    """Count the variables of all ranks that are not 0, at C = 1."""
    ranks = np.unique(y, return_inverse=True)[1].astype(np.int32)
    problem = LinearRankProblem(
        X=X,
        ranks=ranks,
        ranks_of_columns=np.arange(ranks.max() + 1, dtype=np.int32),
        own_costs=np.ones(len(y)),
        other_costs=np.ones(len(y)),
        epsilon=epsilon,
        squared=False,
        bias=1.0,
    )
    solution = solve_linear_ranks(problem, tol=0.01, max_iter=10_000, seed=0)
    return np.count_nonzero(solution.dual)


def descents(X, y, figure: str | None) -> None:
    """DCD-1 against DCD-2: CPU time and distance to the optimum after ever more passes."""
    best = LinearNPSVOR(tol=1e-7, max_iter=100_000, epsilon=0.1, fit_intercept=False).fit(X, y)
    optimum = best.dual_objective_[2]
    curves = {}
    for solver in ("dcd1", "dcd2"):
        times, distances = [], []
        for tol in (1.0, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 1e-3, 1e-4, 1e-5):
            model = LinearNPSVOR(solver=solver, tol=tol, max_iter=100_000, fit_intercept=False)
            start = time.process_time()
            model.fit(X, y)
            times.append(time.process_time() - start)
            distances.append((optimum - model.dual_objective_[2]) / abs(optimum))
        curves[solver] = times, distances
        for tol_time, distance in zip(times, distances, strict=True):
            print(f"{solver}  {tol_time:7.3f} s  {distance:.2e}")
    if figure:
        ax = plot_descents(
            {f"DCD-{solver[-1]}": curve for solver, curve in curves.items()},
            cost="CPU seconds, all five ranks",
            distance="relative distance of rank 3's dual objective to the optimum",
        )
        ax.figure.savefig(figure, dpi=100)


if __name__ == "__main__":
    raise SystemExit(main())
