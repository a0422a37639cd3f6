"""The experiments of Shi, Wang, Shen and Niu on linear NPSVOR, ours beside the paper's.

usage: python benchmarks/paper_npsvor.py [DATA] [--splits 3] [--only tables kernels ...]
       [--sets MovieReview ...] [--figures docs/papers]

Of the paper's 15 sets Treebank and MovieReview can be had, and 2,000 reviews of another collection
from TripAdvisor; other sets differ from them in size, not in what is compared. C is
chosen by 5-fold cross-validation on mean absolute error, for every method. `+-` is the standard
deviation over the splits: what another split of the same rows may give.
Texts need `pip install snowballstemmer`; with `--figures` the pictures of the page are drawn. The
whole takes about a quarter of an hour of CPU.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from npsvor_figures import draw_confusions, draw_curves, draw_descents, draw_regions
from npsvor_texts import Split, text_sets
from sklearn.metrics import confusion_matrix
from sklearn.metrics.pairwise import euclidean_distances
from sklearn.model_selection import GridSearchCV
from sklearn.svm import SVC, SVR, LinearSVC, LinearSVR

from autotype.models import NPSVOR, SVOR, LinearNPSVOR, LinearNPSVORCV, LinearRedSVM
from autotype.models.svm.solvers.dual_coordinate import solve_linear_ranks
from autotype.models.svm.solvers.linear_problem import LinearRankProblem

GRID = 2.0 ** np.arange(-5, 6)
COSTS_APART = 2.0 ** np.arange(-8, 6, 2)  # every second power of the paper's
KERNEL_COSTS, GAMMAS, KERNEL_ROWS = 2.0 ** np.arange(-5, 6, 2), 2.0 ** np.arange(-8, 1, 2), 2000
FORMS: dict[str, dict[str, Any]] = {
    "NPSVOR": {},
    "NPSVOR, predictor (5)": {"predictor": "nearest"},
    "NPSVOR, no bias": {"fit_intercept": False},
    "NPSVOR, squared hinge": {"loss": "squared_hinge"},
}
COMPARED = ("SVC", "SVR", "RedSVM", "NPSVOR")
# MAE and MSE of Tables 2 and 4; of Table 3 in the order of KERNELS, the linear NPSVOR last.
PAPER = {
    "Treebank": {
        "SVC": (0.937, 1.701),
        "SVR": (0.823, 1.175),
        "RedSVM": (0.803, 1.159),
        "NPSVOR": (0.827, 1.230),
        "NPSVOR, predictor (5)": (0.830, 1.242),
    },
    "MovieReview": {
        "SVC": (0.474, 0.565),
        "SVR": (0.449, 0.465),
        "RedSVM": (0.429, 0.454),
        "NPSVOR": (0.424, 0.452),
        "NPSVOR, predictor (5)": (0.424, 0.452),
    },
    "TripAdvisor": {
        "SVC": (0.405, 0.625),
        "SVR": (0.443, 0.533),
        "RedSVM": (0.429, 0.521),
        "NPSVOR": (0.364, 0.447),
        "NPSVOR, predictor (5)": (0.366, 0.452),
    },
}
PAPER_KERNELS = {
    "Treebank": ((1.009, 1.858), (0.933, 1.421), (0.924, 1.380), (0.928, 1.441), (0.930, 1.462)),
    "MovieReview": ((0.616, 0.758), (0.569, 0.627), (0.560, 0.618), (0.562, 0.629), (0.560, 0.627)),
    "TripAdvisor": ((0.515, 0.757), (0.620, 0.755), (0.563, 0.698), (0.518, 0.640), (0.521, 0.639)),
}


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", nargs="?", default="../shared/data", type=Path)
    parser.add_argument("--splits", type=int, default=3, help="random splits of a set")
    parser.add_argument("--only", nargs="+", choices=list(EXPERIMENTS), default=list(EXPERIMENTS))
    parser.add_argument("--sets", nargs="+", default=[], help="names that begin like this")
    parser.add_argument("--figures", type=Path, help="folder for the pictures")
    options = parser.parse_args(argv)
    folder = options.data / "papers" / "linear_npsvor"
    if not folder.is_dir():
        parser.error(f"{folder} is missing; pass the data folder as the first argument")
    sets = {
        name: (paper, [split(seed) for seed in range(options.splits if random else 1)])
        for name, (paper, random, split) in text_sets(folder).items()
        if not options.sets or name.startswith(tuple(options.sets))
    }
    for name in options.only:
        EXPERIMENTS[name](sets, options.figures)
    return 0


class Rounded:
    """Mixin: regression on the ranks, rounded to the nearest one."""

    def fit(self, X, y):  # noqa: D102
        self.range_ = int(np.min(y)), int(np.max(y))
        return super().fit(X, y)

    def predict(self, X):  # noqa: D102
        return np.clip(np.rint(super().predict(X)), *self.range_).astype(int)


class RoundedLinearSVR(Rounded, LinearSVR):
    """Linear support vector regression on the ranks, rounded."""


class RoundedSVR(Rounded, SVR):
    """Kernel support vector regression on the ranks, rounded."""


def linear_model(name: str, **costs: float) -> Any:
    """Return a linear method with its costs, as the paper sets it up."""
    if name in FORMS:
        return LinearNPSVOR(**FORMS[name], **costs)
    if name == "RedSVM":
        return LinearRedSVM(max_iter=10_000, **costs)
    if name == "SVC":
        return LinearSVC(loss="hinge", tol=0.1, max_iter=10_000, random_state=0, **costs)
    return RoundedLinearSVR(epsilon=0.1, tol=0.01, max_iter=10_000, random_state=0, **costs)


def search(model: Any, grid: Any, X: Any, y: np.ndarray) -> GridSearchCV:
    """Choose parameters by the paper's cross-validation; nothing is fitted again."""
    found = GridSearchCV(model, grid, cv=5, scoring="neg_mean_absolute_error", refit=False)
    return found.fit(X, y)


def chosen_cost(name: str, X: Any, y: np.ndarray) -> float:
    if name in FORMS:
        return LinearNPSVORCV(GRID, **FORMS[name]).fit(X, y).C_
    return search(linear_model(name), {"C": GRID}, X, y).best_params_["C"]


def errors(predicted: np.ndarray, truth: np.ndarray) -> dict[str, float]:
    difference = predicted - truth
    return {
        "MAE": np.abs(difference).mean(),
        "MSE": (difference**2).mean(),
        "accuracy": (difference == 0).mean(),
    }


def tables(sets: dict, _: Path | None) -> None:
    """Print Tables 2, 4 and 5: the predictors, the methods, CPU seconds of the last fit."""
    for title, (paper, splits) in sets.items():
        rows = []
        for name in (*COMPARED, *(form for form in FORMS if form not in COMPARED)):
            runs = pd.DataFrame([one_split(name, *split) for split in splits])
            rows.append(summary(name, runs, PAPER[paper].get(name)))
        show(f"Tables 2, 4 and 5: {title}, {len(splits)} split(s)", rows)


def one_split(name: str, X, y, X_test, y_test) -> dict[str, float]:
    model = linear_model(name, C=chosen_cost(name, X, y))
    start = time.process_time()
    model.fit(X, y)
    seconds = time.process_time() - start
    return errors(model.predict(X_test), y_test) | {"C": model.C, "CPU s": seconds}


def summary(name: str, runs: pd.DataFrame, paper: tuple[float, float] | None) -> dict[str, str]:
    mean, spread = runs.mean(), runs.std(ddof=1 if len(runs) > 1 else 0)
    row = {
        "method": name,
        "MAE": f"{mean.MAE:.3f} +- {spread.MAE:.3f}",
        "paper": f"{paper[0]:.3f}" if paper else "-",
        "MSE": f"{mean.MSE:.3f} +- {spread.MSE:.3f}",
        "paper's MSE": f"{paper[1]:.3f}" if paper else "-",
        "accuracy": f"{mean.accuracy:.3f}",
    }
    if "C" in runs:
        row["C"] = " ".join(f"{C:g}" for C in sorted(runs["C"].unique()))
    if "CPU s" in runs:
        row["CPU s"] = f"{runs['CPU s'].median():.3f}"
    return row


def costs_apart(sets: dict, _: Path | None) -> None:
    """Section 4.2.2: C1 and C2 chosen apart, from 2^-8 to 2^4 each, against equal ones."""
    rows = []
    for title, (_paper, splits) in sets.items():
        for X, y, X_test, y_test in splits[:3]:
            row = {"set": title}
            for label, grid in (
                ("equal", [{"C1": [C], "C2": [C]} for C in COSTS_APART]),
                ("apart", [{"C1": COSTS_APART, "C2": COSTS_APART}]),
            ):
                found = search(LinearNPSVOR(), grid, X, y)
                model = LinearNPSVOR(**found.best_params_).fit(X, y)
                figures = errors(model.predict(X_test), y_test)
                row[f"{label}: C1, C2"] = f"{model.C1:g}, {model.C2:g}"
                row[f"{label}: MAE"] = f"{figures['MAE']:.3f}"
                row[f"{label}: MSE"] = f"{figures['MSE']:.3f}"
                row[f"{label}: CV"] = f"{-found.best_score_:.3f}"
            rows.append(row)
    show("Section 4.2.2: C1 and C2 apart (the paper: some improvement, not obvious)", rows)


KERNELS: dict[str, Callable[[], Any]] = {
    "SVC": lambda: SVC(kernel="precomputed"),
    "SVR": lambda: RoundedSVR(kernel="precomputed", epsilon=0.1),
    "SVOR": lambda: SVOR(kernel="precomputed"),
    "NPSVOR": lambda: NPSVOR(kernel="precomputed"),
}


def kernels(sets: dict, _: Path | None) -> None:
    """Table 3: Gaussian kernels on at most 2,000 rows, 70% of them to train on."""
    for title, (paper, splits) in sets.items():
        rows, parts = [], [subset(*split) for split in splits]
        for k, name in enumerate(KERNELS):
            runs = pd.DataFrame([kernel_errors(KERNELS[name](), *part) for part in parts])
            rows.append(summary(name, runs, PAPER_KERNELS[paper][k]))
        linear = pd.DataFrame([one_split("NPSVOR", *part) for part in parts]).drop(columns="CPU s")
        rows.append(summary("NPSVOR, linear", linear, PAPER_KERNELS[paper][-1]))
        show(f"Table 3: {title}, {len(parts[0][1])} rows to train on", rows)


def subset(X, y, X_test, y_test) -> Split:
    """Return the first rows, in random order already unless the split is the authors'."""
    train, test = (
        np.random.default_rng(0).permutation(len(ranks))[: int(share * KERNEL_ROWS)]
        for ranks, share in ((y, 0.7), (y_test, 0.3))
    )
    return X[train], y[train], X_test[test], y_test[test]


def kernel_errors(model: Any, X, y, X_test, y_test) -> dict[str, float]:
    train, test = (euclidean_distances(rows, X, squared=True) for rows in (X, X_test))
    found = {g: search(model, {"C": KERNEL_COSTS}, np.exp(-g * train), y) for g in GAMMAS}
    gamma = max(GAMMAS, key=lambda g: found[g].best_score_)
    model.set_params(**found[gamma].best_params_).fit(np.exp(-gamma * train), y)
    return errors(model.predict(np.exp(-gamma * test)), y_test) | {"C": model.C}


def epsilon(sets: dict, _: Path | None) -> None:
    """Figure 5: errors, CPU time of all fits of the grid, and support vectors of all ranks."""
    for title, splits in one_each(sets).items():
        X, y, X_test, y_test = splits[0]
        rows: list[dict[str, float]] = []
        for width in (0.0, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5):
            start = time.process_time()
            model = LinearNPSVORCV(GRID, epsilon=width, patience=None).fit(X, y)
            row = errors(model.predict(X_test), y_test) | {"CPU": time.process_time() - start}
            rows.append(row | {"support vectors": support_vectors(X, y, width)})
        table = pd.DataFrame(rows).drop(columns="accuracy")
        relative = (table / table.iloc[0]).round(3)
        relative.insert(0, "epsilon", (0.0, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5))
        show(f"Figure 5: {title}, relative to epsilon = 0 (support vectors at C = 1)", relative)


def support_vectors(X, y, width: float) -> int:
    """Count the variables of all ranks that are not 0, at C = 1."""
    ranks = np.unique(y, return_inverse=True)[1].astype(np.int32)
    problem = LinearRankProblem(
        X=X,
        ranks=ranks,
        ranks_of_columns=np.arange(ranks.max() + 1, dtype=np.int32),
        own_costs=np.ones(len(y)),
        other_costs=np.ones(len(y)),
        epsilon=width,
        squared=False,
        bias=1.0,
    )
    solution = solve_linear_ranks(problem, tol=0.01, max_iter=10_000, seed=0)
    return np.count_nonzero(solution.dual)


def descents(sets: dict, figures: Path | None) -> None:
    """Figure 4: CPU time and distance to the optimum of DCD-1 and DCD-2 after ever more passes."""
    treebank = [splits[0] for paper, splits in sets.values() if paper == "Treebank"]
    if not treebank:
        return
    X, y, _, _ = treebank[0]
    best = LinearNPSVOR(tol=1e-7, max_iter=100_000, fit_intercept=False).fit(X, y)
    optimum, curves, rows = best.dual_objective_[2], {}, []
    for solver in ("dcd1", "dcd2"):
        for tol in (1.0, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 1e-3, 1e-4, 1e-5):
            model = LinearNPSVOR(solver=solver, tol=tol, max_iter=100_000, fit_intercept=False)
            start = time.process_time()
            model.fit(X, y)
            seconds = time.process_time() - start
            distance = (optimum - model.dual_objective_[2]) / abs(optimum)
            rows.append({"solver": solver, "CPU s": seconds, "distance": f"{distance:.2e}"})
            curves.setdefault(f"DCD-{solver[-1]}", []).append((seconds, distance))
    show("Figure 4: Treebank, relative distance of rank 3's dual objective to its optimum", rows)
    if figures:
        draw_descents(curves, figures / "npsvor-descents.png")


def one_each(sets: dict) -> dict[str, list[Split]]:
    """Return the splits of the first of the sets that stand for one of the paper's."""
    first = {paper: title for title, (paper, _) in reversed(sets.items())}
    return {title: splits for title, (paper, splits) in sets.items() if first[paper] == title}


def confusion(sets: dict, figures: Path | None) -> None:
    """Figure 6: where the methods put the rows of each rank, in per cent."""
    shares = {}
    for title, splits in one_each(sets).items():
        X, y, X_test, y_test = splits[0]
        for name in COMPARED:
            predicted = linear_model(name, C=chosen_cost(name, X, y)).fit(X, y).predict(X_test)
            table = 100 * confusion_matrix(y_test, predicted, normalize="true")
            shares[title, name] = table
            print(f"\nFigure 6: {title}, {name}\n\n{table.round().astype(int)}")
    if figures:
        draw_confusions(shares, figures / "npsvor-confusion.png")


def sensitivity(sets: dict, figures: Path | None) -> None:
    """Figure 7: MAE on the test rows against C."""
    curves: dict[str, dict[str, np.ndarray]] = {}
    for title, splits in one_each(sets).items():
        curves[title] = {
            name: np.mean([errors_along(name, *split) for split in splits], axis=0)
            for name in COMPARED
        }
        table = pd.DataFrame(curves[title], index=[f"2^{k}" for k in range(-5, 6)]).round(3)
        show(f"Figure 7: {title}, MAE against C", table.rename_axis("C").reset_index())
    if figures:
        draw_curves(GRID, curves, figures / "npsvor-cost.png")


def errors_along(name: str, X, y, X_test, y_test) -> list[float]:
    models = (linear_model(name, C=C).fit(X, y) for C in GRID)
    return [errors(model.predict(X_test), y_test)["MAE"] for model in models]


def regions(_: dict, figures: Path | None) -> None:
    """Figure 3: the regions of predictors (5) and (36) on three ranks in a bow."""
    rng = np.random.default_rng(0)
    y = np.repeat([1, 2, 3], 60)
    centres = np.array([[-1.1, -0.5], [0.0, 1.0], [1.1, -0.5]])
    X = centres[y - 1] + 0.45 * rng.standard_normal((len(y), 2))
    models = {
        f"predictor ({number})": LinearNPSVOR(
            C=1.0, predictor=form, intercept_scaling=10.0, tol=1e-3, max_iter=100_000
        ).fit(X, y)
        for number, form in ((5, "nearest"), (36, "ordered"))
    }
    box = np.stack(np.meshgrid(*2 * [np.linspace(-3, 3, 301)]), axis=-1).reshape(-1, 2)
    for name, model in models.items():
        jumps = neighbours_apart(model.predict(box).reshape(301, 301))
        wrong = errors(model.predict(X), y)
        print(f"\nFigure 3: {name}: MAE {wrong['MAE']:.3f}, neighbours two ranks apart: {jumps}")
    if figures:
        draw_regions(models, X, y, figures / "npsvor-predictors.png")


def neighbours_apart(ranks: np.ndarray) -> int:
    """Count neighbouring points of a grid whose predicted ranks differ by more than one."""
    return int(sum((np.abs(np.diff(ranks, axis=axis)) > 1).sum() for axis in (0, 1)))


def show(title: str, rows: Any) -> None:
    print(f"\n{title}\n\n{pd.DataFrame(rows).to_string(index=False)}", flush=True)


EXPERIMENTS = {
    "tables": tables,
    "costs": costs_apart,
    "kernels": kernels,
    "regions": regions,
    "descents": descents,
    "epsilon": epsilon,
    "confusion": confusion,
    "sensitivity": sensitivity,
}

if __name__ == "__main__":
    raise SystemExit(main())
